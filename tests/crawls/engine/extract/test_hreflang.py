from __future__ import annotations

import pytest

from crawls.engine.extract.metadata import MAX_ALTERNATES, spell_language
from tests.crawls.engine.extract.pages import body, head, read

LINK = '<link rel="alternate" hreflang="{}" href="{}">'


def test_alternates_are_pairs_in_the_order_of_the_page() -> None:
    three = LINK.format("de", "/de/") + LINK.format("x-default", "/") + LINK.format("en-gb", "http://uk.test/")
    assert read(head(three)).alternates == (
        ("de", "http://site.test/de/"),
        ("x-default", "http://site.test/"),
        ("en-GB", "http://uk.test/"),
    )


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("de", "de"), ("DE", "de"), ("en-gb", "en-GB"), ("en_US", "en-US"), ("zh-hant", "zh-Hant"),
        ("zh-HANS-cn", "zh-Hans-CN"), ("es-419", "es-419"), ("ast", "ast"), ("X-Default", "x-default"), (" fr ", "fr"),
        ("ca-ES-valencia", "ca-ES-valencia"), ("de-1996", "de-1996"),
        ("", ""), ("english", ""), ("e", ""), ("de-", ""), ("x-klingon", ""), ("de-DE-DE", ""), ("de,en", ""),
        ("12", ""), ("<script>", ""), ("*", ""), ("en-gb.utf8", ""),
    ],
)  # fmt: skip
def test_language_tags_have_the_shape_of_bcp_47(written: str, spelled: str) -> None:
    assert spell_language(written) == spelled


def test_of_one_language_the_first_counts() -> None:
    page = read(head(LINK.format("de", "/a") + LINK.format("DE", "/b")))
    assert page.alternates == (("de", "http://site.test/a"),)


def test_the_link_header_has_alternates_too() -> None:
    line = '</de.pdf>; rel="alternate"; hreflang="de", </x>; rel=alternate'
    assert read(b"%PDF-", ("link", line), kind="application/pdf").alternates == (("de", "http://site.test/de.pdf"),)


@pytest.mark.parametrize(
    "page",
    [
        body(LINK.format("de", "/de")),
        head(LINK.format("de", "")),
        head(LINK.format("de", "#")),
        head(LINK.format("de", "javascript:x")),
        head(LINK.format("nonsense", "/de")),
        head('<link rel="alternate" type="application/rss+xml" href="/feed">'),
        head('<link rel="stylesheet" hreflang="de" href="/de">'),
        body('<a rel="alternate" hreflang="de" href="/de">x</a>'),
    ],
)
def test_what_is_no_alternate_is_left_out(page: str) -> None:
    assert read(page).alternates == ()


def test_alternates_are_bounded() -> None:
    codes = [f"{a}{b}{c}" for a in "abcdefghij" for b in "abcdefghij" for c in "abcdefgh"]
    page = read(head("".join(LINK.format(code, f"/{code}") for code in codes)))
    assert len(page.alternates) == MAX_ALTERNATES
