from __future__ import annotations

import pytest

from crawls.engine.extract.document import Extraction
from crawls.engine.records import Robots
from tests.crawls.engine.extract.pages import body, head, read

DATE = ("date", "Tue, 01 Dec 2026 12:00:00 GMT")
NEITHER, NOINDEX, NOFOLLOW, BOTH = (False, False), (True, False), (False, True), (True, True)


def _robots(*tags: tuple[str, str], options: Extraction | None = None) -> Robots:
    metas = "".join(f'<meta name="{name}" content="{content}">' for name, content in tags)
    return read(head(metas), options=options).robots


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("noindex", NOINDEX),
        ("NOINDEX", NOINDEX),
        ("nofollow", NOFOLLOW),
        ("noindex,nofollow", BOTH),
        ("noindex nofollow", BOTH),
        ("noindex ; nofollow", BOTH),
        (" , noindex,, ", NOINDEX),
        ("none", BOTH),
        ("None", BOTH),
        ("all", NEITHER),
        ("index, follow", NEITHER),
        ("index, noindex", NOINDEX),
        ("", NEITHER),
        ("noindexing, dontnofollow", NEITHER),
        ("max-snippet:-1, max-image-preview:large, noindex", NOINDEX),
        ("noarchive, nosnippet, notranslate", NEITHER),
    ],
)
@pytest.mark.parametrize("where", ["meta", "header"])
def test_directives_are_words_in_any_case_and_order(content: str, told: tuple[bool, bool], where: str) -> None:
    robots = _robots(("robots", content)) if where == "meta" else read("<p>x", ("x-robots-tag", content)).robots
    assert (robots.noindex, robots.nofollow) == told


@pytest.mark.parametrize(
    ("tags", "told"),
    [
        ([("robots", "index, follow"), ("robots", "noindex")], NOINDEX),
        ([("ROBOTS", "nofollow"), ("Robots ", "noindex")], BOTH),
        ([("surveyor", "noindex, nofollow")], BOTH),
        ([("Surveyor", "none"), ("robots", "all")], BOTH),
        # A word for googlebot takes a page out of the sitemap; whom we follow is decided by words for us.
        ([("googlebot", "noindex, nofollow")], NOINDEX),
        ([("googlebot", "none")], NOINDEX),
        ([("bingbot", "none"), ("otherbot", "noindex"), ("description", "noindex")], NEITHER),
        ([("googlebot-news", "noindex")], NEITHER),
    ],
)
def test_tags_for_all_for_us_and_for_googlebot_count(tags: list[tuple[str, str]], told: tuple[bool, bool]) -> None:
    robots = _robots(*tags)
    assert (robots.noindex, robots.nofollow) == told


def test_whether_googlebot_counts_is_a_setting() -> None:
    deaf = Extraction(googlebot_counts=False)
    assert not _robots(("googlebot", "noindex"), options=deaf).noindex
    assert not read("<p>x", ("x-robots-tag", "googlebot: noindex"), options=deaf).robots.noindex


def test_a_tag_in_the_body_counts_and_one_in_noscript_or_template_does_not() -> None:
    tag = '<meta name="robots" content="noindex">'
    assert read(body(tag)).robots.noindex
    assert not read(body(f"<noscript>{tag}</noscript>")).robots.noindex
    assert not read(head(f"<noscript>{tag}</noscript>")).robots.noindex
    assert not read(head(f"<template>{tag}</template><!-- {tag} -->")).robots.noindex


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["noindex"], NOINDEX),
        (["noarchive", "NoIndex, NOFOLLOW"], BOTH),
        (["otherbot: noindex, nofollow"], NEITHER),
        (["surveyor: noindex"], NOINDEX),
        (["googlebot: noindex, nofollow"], NOINDEX),
        (["*: noindex"], NOINDEX),
        (["otherbot: noindex", "nofollow"], NOFOLLOW),
        # lines that a proxy joined: the name holds up to the next name
        (["otherbot: noindex, nofollow, surveyor: nofollow"], NOFOLLOW),
        (["noindex, otherbot: nofollow"], NOINDEX),
        (["max-snippet: 10, noindex"], NOINDEX),
        (["max-image-preview: large"], NEITHER),
        ([""], NEITHER),
        ([":", "noindex:"], NEITHER),
        (["unavailable_after: 25 Jun 2030 15:00:00 PST"], NEITHER),
        (["unavailable_after: Tuesday, 25 Jun 2030 15:00:00 GMT, noindex"], NOINDEX),
        (["otherbot: noindex", "unavailable_after: 25 Jun 2030 15:00:00 PST", "NoArchive, NOFOLLOW"], NOFOLLOW),
    ],
)
def test_header_lines_may_name_a_crawler(lines: list[str], told: tuple[bool, bool]) -> None:
    robots = read("<p>x", DATE, *(("x-robots-tag", line) for line in lines)).robots
    assert (robots.noindex, robots.nofollow) == told


PAST = [
    "25 Jun 2010 15:00:00 PST", "Friday, 25 Jun 2010 15:00:00 GMT", "25-Jun-10 15:00:00 GMT", "2010-06-25",
    "2010-06-25T15:00:00Z", "2026-12-01T12:00:00+00:00",
]  # fmt: skip
NOT_PAST = ["2026-12-01T13:00:00Z", "25 Jun 2030 15:00:00 PST", "2030-06-25", "soon", "99999999999999"]


@pytest.mark.parametrize("date", [*PAST, *NOT_PAST])
def test_a_page_past_its_date_is_noindex(date: str) -> None:
    content = f"unavailable_after: {date}"
    assert read("<p>x", DATE, ("x-robots-tag", content)).robots.noindex is (date in PAST)
    assert read(head(f'<meta name="robots" content="nofollow, {content}">'), DATE).robots == Robots(
        noindex=date in PAST, nofollow=True, evidence=f"meta robots: nofollow, {content}"
    )


def test_without_a_date_header_nothing_is_past_its_date() -> None:
    assert not read("<p>x", ("x-robots-tag", "unavailable_after: 2010-06-25")).robots.noindex


def test_the_evidence_quotes_what_decided() -> None:
    headers = (("x-robots-tag", "googlebot: none"), ("x-robots-tag", "noarchive"))
    page = read(head('<meta name="Robots" content="NoIndex,  Follow">'), *headers)
    assert page.robots.evidence == "X-Robots-Tag: googlebot: none; meta robots: NoIndex, Follow"


def test_headers_count_for_any_type() -> None:
    assert read(b"%PDF-", ("x-robots-tag", "noindex"), kind="application/pdf").robots.noindex
