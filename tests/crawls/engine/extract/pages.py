"""Pages for tests: bytes and headers in, a `Page` out."""

from __future__ import annotations

from crawls.engine.errors import Failure
from crawls.engine.extract.document import Extraction, Extractor
from crawls.engine.records import Page, Response

URL = "http://site.test/dir/page.html"
HTML = "text/html; charset=utf-8"


def respond(body: str | bytes, url: str = URL, *headers: tuple[str, str], kind: str | None = HTML) -> Response:
    lines = (*(() if kind is None else (("content-type", kind),)), *headers)
    return Response(url, url, 200, lines, body.encode() if isinstance(body, str) else body)


def read(
    body: str | bytes,
    *headers: tuple[str, str],
    url: str = URL,
    kind: str | None = HTML,
    options: Extraction | None = None,
) -> Page:
    page = Extractor(options or Extraction()).read(respond(body, url, *headers, kind=kind))
    assert isinstance(page, Page), page
    return page


def fail(body: str | bytes, kind: str | None = HTML) -> Failure:
    failure = Extractor(Extraction()).read(respond(body, kind=kind))
    assert isinstance(failure, Failure), failure
    return failure


def body(content: str, head: str = "") -> str:
    return f'<!doctype html><html lang="en"><head><title>t</title>{head}</head><body>{content}</body></html>'


def head(content: str) -> str:
    return body("<p>Text.</p>", content)


def links_of(page: Page) -> list[str]:
    return page.links.addresses.split("\n") if page.links.addresses else []


def links(content: str, url: str = URL) -> list[str]:
    return links_of(read(body(content), url=url))


def link(href: str, url: str = URL) -> str | None:
    """What one href comes to, given as it stands between double quotes."""
    found = links(f'<a href="{href}">x</a>', url)
    assert len(found) <= 1
    return found[0] if found else None
