from __future__ import annotations

import pytest

from tests.crawls.engine.extract.pages import body, head, read

CANONICAL = '<link rel="canonical" href="{}">'


@pytest.mark.parametrize(
    ("reference", "address"),
    [
        ("http://site.test/c", "http://site.test/c"),
        ("/c", "http://site.test/c"),
        ("c?id=1", "http://site.test/dir/c?id=1"),
        ("?page=2", "http://site.test/dir/page.html?page=2"),
        (" /c ", "http://site.test/c"),
        ("//other.test/c", "http://other.test/c"),
        ("/c#part", "http://site.test/c"),
        ("HTTPS://Site.Test:443/C", "https://site.test/C"),
        ("/c?utm_source=x", "http://site.test/c"),
        ("/c?a=1&amp;b=2", "http://site.test/c?a=1&b=2"),
        ("http://user:pw@site.test/c", "http://site.test/c"),
        ("http://site.test./c", "http://site.test/c"),
    ],
)
def test_a_canonical_is_resolved_like_a_link(reference: str, address: str) -> None:
    page = read(head(CANONICAL.format(reference)))
    assert (page.canonical, page.warnings) == (address, ())


@pytest.mark.parametrize(
    "reference",
    [
        "", "  ", "#", "#top", "[unknown]", "{{ canonical }}", "${url}", "<?= $url ?>", "javascript:void(0)",
        "mailto:a@b.test", "file:///usr/share/doc/index.html", "http://", "http://ex ample.test/", "undefined", "null",
        "data:text/html,x",
    ],
)  # fmt: skip
def test_a_canonical_that_is_no_address_is_ignored_with_a_warning(reference: str) -> None:
    page = read(head(CANONICAL.format(reference)))
    assert page.canonical == ""
    assert len(page.warnings) == 1
    assert "canonical" in page.warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        '<link rel="CANONICAL" href="/c">',
        '<link rel="canonical nofollow" href="/c">',
        "<LINK HREF=/c REL='shortlink\ncanonical'>",
        "<link rel=canonical href=/c/>",
        '<noscript><img src="/pixel"></noscript><link rel="canonical" href="/c">',
        '<noscript><div><iframe src="/x"></iframe></div></noscript><link rel="canonical" href="/c">',
        '<template><div>x</div></template><link rel="canonical" href="/c">',
        '<script>x</script><style>y</style><link rel="canonical" href="/c">',
    ],
)
def test_a_canonical_in_the_head_is_found(content: str) -> None:
    assert read(head(content)).canonical.rstrip("/") == "http://site.test/c"


@pytest.mark.parametrize(
    "content",
    [
        "<!doctype html><title>t</title><link rel=canonical href=/c><p>x",
        "<!doctype html><html><head></head><link rel=canonical href=/c><body><p>x</body></html>",
        "<link rel=canonical href=/c>",
    ],
)
def test_the_head_may_be_implied(content: str) -> None:
    assert read(content).canonical == "http://site.test/c"


@pytest.mark.parametrize(
    "page",
    [
        body('<link rel="canonical" href="/c">'),
        "<html><body>x</body><link rel=canonical href=/c></html>",
        "<html><body>x</body></html><html><head><link rel=canonical href=/c></head></html>",
        "<html><head></head><frameset><frame src=/f></frameset><link rel=canonical href=/c></html>",
        head('<div></div><link rel="canonical" href="/c">'),
        head('stray text<link rel="canonical" href="/c">'),
        head('<!-- <link rel="canonical" href="/c"> -->'),
        head('<meta property="canonical" href="/c"><meta name="canonical" content="/c">'),
        head('<a rel="canonical" href="/c">x</a>'),
        head('<script><link rel="canonical" href="/c"></script>'),
        head('<template><link rel="canonical" href="/c"></template>'),
        head('<noscript><link rel="canonical" href="/c"></noscript>'),
        head('<link rel="alternate" href="/c"><link rel="canonicalx" href="/c">'),
        body('<textarea><link rel="canonical" href="/c"></textarea>'),
    ],
)
def test_elsewhere_a_canonical_counts_for_nothing(page: str) -> None:
    assert read(page).canonical == ""


def test_equal_canonicals_are_one() -> None:
    twice = CANONICAL.format("/c") + CANONICAL.format("http://site.test/c")
    page = read(head(twice), ("link", '</c>; rel="canonical"'))
    assert (page.canonical, page.warnings) == ("http://site.test/c", ())


def test_spellings_of_one_address_are_equal() -> None:
    page = read(head(CANONICAL.format("/c?b=2&a=1") + CANONICAL.format("/c?a=1&b=2")))
    assert (page.canonical, page.warnings) == ("http://site.test/c?b=2&a=1", ())


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        (CANONICAL.format("/c") + CANONICAL.format("/d"), ()),
        (CANONICAL.format("/c"), (("link", '</d>; rel="canonical"'),)),
        ("", (("link", '</c>; rel="canonical", </d>; rel="canonical"'),)),
    ],
)
def test_contradicting_canonicals_are_unusable(content: str, headers: tuple[tuple[str, str], ...]) -> None:
    page = read(head(content), *headers)
    assert page.canonical == ""
    assert len(page.warnings) == 1
    assert "contradicting" in page.warnings[0]


def test_a_broken_canonical_beside_a_good_one_is_only_a_warning() -> None:
    page = read(head(CANONICAL.format("") + CANONICAL.format("/c")))
    assert page.canonical == "http://site.test/c"
    assert len(page.warnings) == 1


def test_in_html_the_base_element_counts_and_in_the_header_the_address() -> None:
    base = '<base href="/base/">'
    assert read(head(base + CANONICAL.format("c"))).canonical == "http://site.test/base/c"
    assert read(head(base), ("link", "<c>; rel=canonical")).canonical == "http://site.test/dir/c"


def test_a_header_canonical_counts_for_any_type() -> None:
    page = read(b"%PDF-1.4", ("link", '</docs/a>; rel="canonical"'), kind="application/pdf")
    assert page.canonical == "http://site.test/docs/a"
