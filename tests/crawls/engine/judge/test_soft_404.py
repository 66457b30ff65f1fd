from __future__ import annotations

from dataclasses import replace

import pytest

from crawls.engine.extract.document import Extraction, Extractor
from crawls.engine.judge.soft404 import Probe
from crawls.engine.records import Hop, Page, Response

ASKED = "http://site.test/0a1b-not-here"


def _page(url: str, content: str, requested: str = "", status: int = 200) -> Page:
    response = Response(requested or url, url, status, (("content-type", "text/html"),), content.encode())
    page = Extractor(Extraction()).read(response)
    assert isinstance(page, Page)
    return page


NOT_FOUND = "<title>Shop</title><nav><a href=/>Home</a></nav><p>Sorry, we could not find {} here.</p>"


def _probe(content: str = NOT_FOUND.format("/0a1b-not-here")) -> Probe:
    probe = Probe.of(_page(ASKED, content))
    assert probe is not None
    return probe


@pytest.mark.parametrize("path", ["/typo", "/a/b/c.html", "/x?q=1"])
def test_the_same_page_under_another_address_is_known_again(path: str) -> None:
    assert _probe().matches(_page(f"http://site.test{path}", NOT_FOUND.format(path)))


def test_pages_that_differ_in_a_number_only_are_told_apart_by_their_titles() -> None:
    content = "<title>Part {0}</title><p>Part {0} of the list.</p>"
    assert not _probe(content.format(404)).matches(_page("http://site.test/17", content.format(17)))


@pytest.mark.parametrize(
    "page",
    [
        _page("http://site.test/real", "<title>Shop</title><p>A real product.</p>"),
        _page("http://site.test/real", NOT_FOUND.replace("Shop", "Blue widgets").format("x")),
        _page("http://site.test/real", NOT_FOUND.format("/real"), status=203),
        replace(_page("http://site.test/real", NOT_FOUND.format("/real")), rendered=True),
        _page("http://site.test/empty", "<title>Shop</title><p> "),
    ],
    ids=["other text", "other title", "other status", "from the browser", "no text"],
)
def test_any_difference_that_matters_keeps_a_page(page: Page) -> None:
    assert not _probe().matches(page)


@pytest.mark.parametrize(
    "content",
    [
        "<div id=root></div><script src=/app.js></script>",
        "<noscript>Enable scripts.</noscript><div id=app></div>",
        "<p> </p>",
    ],
)
def test_an_app_shell_is_no_probe(content: str) -> None:
    assert Probe.of(_page(ASKED, content)) is None


def test_what_is_no_page_is_no_probe() -> None:
    response = Response(ASKED, ASKED, 200, (("content-type", "text/plain"),), b"not found")
    page = Extractor(Extraction()).read(response)
    assert isinstance(page, Page)
    assert Probe.of(page) is None


def test_a_site_that_sends_unknown_addresses_home_has_no_probe() -> None:
    home = _page("http://site.test/", "<title>Shop</title><p>Welcome.</p>", requested=ASKED)
    assert Probe.of(replace(home, hops=(Hop(ASKED, 302),))) is None


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("http://site.test/404.html", "Shop"),
        ("http://site.test/not-found", "Shop"),
        ("http://site.test/oops", "Page not found"),
    ],
)
def test_a_page_of_its_own_for_unknown_addresses_is_known_by_its_address(address: str, title: str) -> None:
    content = f"<title>{title}</title><p>Sorry.</p>"
    probe = Probe.of(_page(address, content, requested=ASKED))
    assert probe is not None
    assert probe.matches(_page(address, content))
    assert not probe.matches(_page("http://site.test/real", content))
