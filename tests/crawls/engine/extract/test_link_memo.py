from __future__ import annotations

import pytest

from crawls.engine.extract.document import Extraction, Extractor
from crawls.engine.extract.links import LinkMemo
from crawls.engine.records import Page
from tests.crawls.engine.extract.pages import body, links_of, respond

REFERENCES = [
    "x.html", "help.html", "/x", "?q=1", " ?q=2", "\n?q=3", "http:x", "http:?q=4", "https:/x", "../up", "//h.test/x",
    "http://h.test/x", "./", ".", "\\back", "h", "/s?\u00fc=1",
]  # fmt: skip
PAGES = [
    "http://site.test/a/one.html", "http://site.test/a/two.html", "http://site.test/b/one.html?z",
    "https://site.test/a/one.html", "http://other.test/a/one.html", "http://site.test/",
]  # fmt: skip
CODECS = {"utf-8": "text/html; charset=utf-8", "cp1252": "text/html; charset=windows-1252"}


def _links(extractor: Extractor, url: str, codec: str) -> list[str]:
    content = body("".join(f'<a href="{reference}">x</a>' for reference in REFERENCES))
    page = extractor.read(respond(content.encode(codec), url, kind=CODECS[codec]))
    assert isinstance(page, Page)
    return links_of(page)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("url", PAGES)
def test_what_is_remembered_of_other_pages_changes_nothing(url: str, codec: str) -> None:
    used = Extractor(Extraction())
    for other in PAGES:
        for another in CODECS:
            _links(used, other, another)
    assert _links(used, url, codec) == _links(Extractor(Extraction()), url, codec)


def test_a_full_memo_forgets_and_goes_on() -> None:
    memo = LinkMemo(max_entries=100)
    most = 0
    for page in range(300):
        resolver = memo.resolver(f"http://site.test/{page}/")
        for number in range(5):
            assert resolver.target(f"x{number}") is not None
        most = max(most, len(memo))
    assert 50 < most <= 110


def test_pages_in_ever_new_folders_do_not_fill_the_memo() -> None:
    memo = LinkMemo(max_entries=100)
    for page in range(1_000):
        memo.resolver(f"http://site.test/{page}/")
    assert len(memo) <= 102
