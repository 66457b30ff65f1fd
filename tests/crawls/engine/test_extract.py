"""What is read of a page: links, images, canonical, directives, dates, text."""

from __future__ import annotations

import time
from array import array
from typing import Any

import pytest

from crawls.engine import urls
from crawls.engine.errors import Failure
from crawls.engine.extract.document import Extraction, Extractor
from crawls.engine.extract.srcset import srcset
from crawls.engine.policy import Policy
from crawls.engine.records import Page, Response
from tests.shared import cases, needs_shared, served

URL = "http://site.test/dir/page.html"
HTML = (("content-type", "text/html; charset=utf-8"),)


def read(body: str | bytes, url: str = URL, headers: tuple[tuple[str, str], ...] = HTML) -> Page:
    content = body.encode() if isinstance(body, str) else body
    page = Extractor(Extraction.of(Policy())).read(Response(url, url, 200, headers, content))
    assert not isinstance(page, Failure)
    return page


def links(page: Page) -> list[str]:
    return page.links.addresses.split("\n") if page.links.addresses else []


@needs_shared
@pytest.mark.acceptance
@pytest.mark.parametrize("case", cases("links", "images", "canonical"))
def test_the_page_of_the_case_is_read_as_it_says(case: dict[str, Any]) -> None:
    expected, answer = case["expected"], served(case, case["expected"]["page"])
    page = read(answer.body, answer.url, answer.headers)
    found = set(links(page))
    if "links" in expected:
        assert set(expected["links"]) <= found
        assert found <= set(expected["links"]) | set(expected.get("may", []))
    assert not found & set(expected.get("must_not", []))
    if "images" in expected:
        assert set(expected["images"]) <= set(page.images)
        assert set(page.images) <= set(expected["images"]) | set(expected.get("images_may", []))
    if "canonical" in expected:
        assert (page.canonical or None) == expected["canonical"]
    if "robots" in expected:
        assert page.robots.noindex is expected["robots"]["noindex"]
        assert page.robots.nofollow is expected["robots"]["nofollow"]
    if "meta_refresh" in expected:
        assert (page.refresh or None) == expected["meta_refresh"]
    for one, other in expected.get("same_key", []):
        assert urls.key_of(one) == urls.key_of(other)
    if expected.get("warn") and "listed" not in expected:
        assert page.warnings


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<a href="x">', ["http://site.test/dir/x"]),
        ("<a href=x>1<a href=y>2", ["http://site.test/dir/x", "http://site.test/dir/y"]),
        ('<base href="/root/"><a href="x">', ["http://site.test/root/x"]),
        ('<a href=" \n/a\tb ">', ["http://site.test/ab"]),
        ('<a href="/l?x=1&amp;copy=2"><a href="/m?x=1&copy=2">', ["http://site.test/l?x=1&copy=2", "http://site.test/m?x=1&copy=2"]),
        ('<map><area href="/m"></map>', ["http://site.test/m"]),
        ('<svg><a xlink:href="/old"/><a href="/new"/></svg>', ["http://site.test/old", "http://site.test/new"]),
        ('<iframe src="/f"></iframe>', ["http://site.test/f"]),
        ('<frameset><frame src="/f"></frameset>', ["http://site.test/f"]),
        ('<template><a href="/inert"></a></template><a href="/x">', ["http://site.test/x"]),
        ('<template shadowrootmode="open"><a href="/live"></a></template>', ["http://site.test/live"]),
        ('<noscript><a href="/n">n</a></noscript>', ["http://site.test/n"]),
        ('<!-- <a href="/c"> --><script>"<a href=\'/s\'>"</script>', []),
        ('<a href="{{ url }}"><a href="<%= x %>"><a href="mailto:a@b"><a href="#x"><a href="javascript:x">', []),
        ('<a href="/x#one"><a href="/x#two">', ["http://site.test/x"]),
        ('<a href="/l?a=1&b=2"><a href="/l?b=2&a=1">', ["http://site.test/l?a=1&b=2"]),
        ('<a rel="nofollow" href="/n"><a rel="NOFOLLOW ugc" href="/m"><a rel="ugc" href="/u">', ["http://site.test/u"]),
    ],
)  # fmt: skip
def test_links_are_what_a_browser_would_follow(body: str, expected: list[str]) -> None:
    assert links(read(body)) == expected


@pytest.mark.parametrize(
    ("charset", "query"), [("utf-8", "%C3%BC"), ("iso-8859-1", "%FC"), ("windows-1251", "%26%23252%3B")]
)
def test_queries_are_written_in_the_encoding_of_the_page_and_paths_in_utf8(charset: str, query: str) -> None:
    codec = charset if charset != "windows-1251" else "cp1251"
    body = '<a href="/\u00fc?q=\u00fc">'.encode(codec, "xmlcharrefreplace")
    page = read(body, headers=(("content-type", f"text/html; charset={charset}"),))
    assert links(page) == [f"http://site.test/%C3%BC?q={query}"]


def test_a_relative_reference_means_its_own_folder_on_every_page_of_a_worker() -> None:
    extractor = Extractor(Extraction.of(Policy()))
    found = []
    for folder in ("one", "two"):
        url = f"http://site.test/{folder}/page.html"
        page = extractor.read(Response(url, url, 200, HTML, b'<a href="help.html"><a href="index.html">'))
        assert not isinstance(page, Failure)
        found.append(links(page))
    assert found == [
        ["http://site.test/one/help.html", "http://site.test/one/index.html"],
        ["http://site.test/two/help.html", "http://site.test/two/index.html"],
    ]


@pytest.mark.parametrize("body", [b"", b"   ", b"<!-- nothing -->"])
def test_a_page_without_anything_is_a_failure_and_no_crash(body: bytes) -> None:
    answer = Extractor(Extraction.of(Policy())).read(Response(URL, URL, 200, HTML, body))
    assert isinstance(answer, Failure)


def test_keys_and_addresses_of_links_stand_in_one_order() -> None:
    page = read('<a href="/a"><a href="/b"><a href="/a">')
    keys = array("q", page.links.keys)
    assert [urls.key_of(address) for address in links(page)] == list(keys)
    assert len(page.links) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.jpg", ["a.jpg"]),
        ("a.jpg 1x, b.jpg 2x", ["a.jpg", "b.jpg"]),
        ("a.jpg 480w,b.jpg 960w", ["a.jpg", "b.jpg"]),
        ("w_300,h_200/a.jpg 1x, b,c.jpg 2x", ["w_300,h_200/a.jpg", "b,c.jpg"]),
        ("a.jpg, b.jpg", ["a.jpg", "b.jpg"]),
        (" , a.jpg 1.5x , ", ["a.jpg"]),
        ("data:image/png;base64,xx 1x", ["data:image/png;base64,xx"]),
        ("", []),
    ],
)
def test_srcset_is_read_by_the_book(text: str, expected: list[str]) -> None:
    assert srcset(text) == expected


def test_images_come_from_every_attribute_that_loads_one() -> None:
    body = (
        '<img src="/a.jpg" srcset="/b.jpg 2x"><picture><source srcset="/c.webp 1x"><img src="/d.jpg"></picture>'
        '<img src="data:image/gif;base64,R0" data-src="/e.jpg" data-srcset="/f.jpg"><input type="image" src="/g.png">'
        '<svg><image href="/h.png"/></svg><img src="/a.jpg">'
    )
    names = [image.rsplit("/", 1)[1] for image in read(body).images]
    assert names == ["a.jpg", "b.jpg", "c.webp", "d.jpg", "e.jpg", "f.jpg", "g.png", "h.png"]


@pytest.mark.parametrize(
    ("head", "canonical", "warned"),
    [
        ('<link rel="canonical" href="/c">', "http://site.test/c", False),
        ('<LINK REL="Canonical" HREF="/c#x">', "http://site.test/c", False),
        (
            '<link rel="canonical" href="/c"><link rel="canonical" href="http://site.test/c">',
            "http://site.test/c",
            False,
        ),
        ('<link rel="canonical" href="/c"><link rel="canonical" href="/d">', "", True),
        ('<link rel="canonical" href="">', "", True),
        ('<link rel="canonical" href="file:///x">', "", True),
        ('</head><body><link rel="canonical" href="/c">', "", False),
        ('<noscript><img src="/t.gif"></noscript><link rel="canonical" href="/c">', "http://site.test/c", False),
        ('<base href="/b/"><link rel="canonical" href="c">', "http://site.test/b/c", False),
    ],
)
def test_the_canonical_is_the_one_in_the_head_when_it_is_clear(head: str, canonical: str, *, warned: bool) -> None:
    page = read(f"<html><head>{head}</head><body>x</body></html>")
    assert page.canonical == canonical
    assert bool(page.warnings) is warned


def test_headers_may_name_canonical_and_alternates() -> None:
    link = '<http://site.test/a>; rel="canonical", </de>; rel=alternate; hreflang="de", <x>; rel=preload'
    page = read(b"%PDF-1.7", headers=(("content-type", "application/pdf"), ("link", link)))
    assert page.canonical == "http://site.test/a"
    assert page.alternates == (("de", "http://site.test/de"),)
    assert not page.is_html


@pytest.mark.parametrize(
    ("head", "headers", "noindex", "nofollow"),
    [
        ('<meta name="robots" content="noindex">', (), True, False),
        ('<META NAME="ROBOTS" CONTENT="NONE">', (), True, True),
        ('<meta name="robots" content="index, follow">', (), False, False),
        ('<meta name="robots" content="index;nofollow">', (), False, True),
        ('<meta name="robots" content="index"><meta name="robots" content="noindex">', (), True, False),
        ('<meta name="googlebot" content="noindex">', (), True, False),
        ('<meta name="bingbot" content="noindex">', (), False, False),
        ('<meta name="surveyor" content="noindex,nofollow">', (), True, True),
        ("", ("noindex",), True, False),
        ("", ("otherbot: noindex", "nofollow"), False, True),
        ("", ("surveyor: none",), True, True),
        ("", ("max-snippet: 5, noindex",), True, False),
    ],
)
def test_directives_for_all_for_us_and_for_googlebot_count(
    head: str, headers: tuple[str, ...], *, noindex: bool, nofollow: bool
) -> None:
    lines = (*HTML, *(("x-robots-tag", line) for line in headers))
    robots = read(f"<html><head>{head}</head><body>x</body></html>", headers=lines).robots
    assert (robots.noindex, robots.nofollow) == (noindex, nofollow)
    assert bool(robots.evidence) is (noindex or nofollow)


@pytest.mark.parametrize(
    ("content_type", "body", "html"),
    [
        ("text/html", b"<p>x", True),
        ("", b"<!DOCTYPE html><p>x", True),
        ("", b"  <!-- hello --><html>", True),
        ("", b"%PDF-1.4", False),
        ("", bytes(range(32)), False),
        ("text/html", b"PK\x03\x04" + b"\x00\x01" * 500, False),
        ("application/xhtml+xml", b'<html xmlns="http://www.w3.org/1999/xhtml">', True),
        ("text/plain", b"<html>", False),
        ("application/json", b"{}", False),
    ],
)
def test_content_decides_what_is_a_page(content_type: str, body: bytes, *, html: bool) -> None:
    assert read(body, headers=(("content-type", content_type),)).is_html is html


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<title>Gr\u00fc\u00dfe</title>".encode(), "text/html; charset=utf-8"),
        ("<title>Gr\u00fc\u00dfe</title>".encode("cp1252"), "text/html; charset=iso-8859-1"),
        ("<meta charset='windows-1252'><title>Gr\u00fc\u00dfe</title>".encode("cp1252"), "text/html"),
        ("<title>Gr\u00fc\u00dfe</title>".encode("utf-8-sig"), "text/html; charset=iso-8859-1"),
        ("<title>Gr\u00fc\u00dfe</title>".encode("utf-16"), "text/html"),
        ("<title>Gr\u00fc\u00dfe</title>".encode("cp1252"), "text/html"),
        ("<title>Gr\u00fc\u00dfe</title>".encode(), "text/html; charset=utf-7"),
    ],
)
def test_the_encoding_is_found_by_bom_header_and_meta(body: bytes, content_type: str) -> None:
    assert read(body, headers=(("content-type", content_type),)).title == "Gr\u00fc\u00dfe"


@pytest.mark.parametrize(
    ("head", "headers", "lastmod"),
    [
        ('<script type="application/ld+json">{"dateModified": "2024-05-01"}</script>', (), ("2024-05-01", "json-ld")),
        ('<meta property="article:modified_time" content="2024-05-01">', (), ("2024-05-01", "meta")),
        ("", (("last-modified", "Wed, 01 May 2024 10:00:00 GMT"),), ("2024-05-01T10:00:00+00:00", "header")),
        ("", (("last-modified", "yesterday"),), ("", "")),
    ],
)  # fmt: skip
def test_a_declared_date_comes_in_w3c_form_with_its_source(
    head: str, headers: tuple[tuple[str, str], ...], lastmod: tuple[str, str]
) -> None:
    page = read(f"<html><head>{head}</head><body>x</body></html>", headers=(*HTML, *headers))
    assert (page.lastmod, page.lastmod_source) == lastmod


def test_the_fingerprint_ignores_boilerplate_dates_and_the_own_path_but_not_the_text() -> None:
    def print_of(text: str, nav: str = "one", url: str = URL) -> str:
        return read(f"<body><nav>{nav}</nav><main><p>{text}</p></main></body>", url).fingerprint

    assert print_of("Hello on 2024-01-02, 17 views") == print_of("Hello on 2025-03-04, 9000 views", nav="two")
    assert print_of("Hello there") != print_of("Hello you")
    assert print_of("No /dir/page.html here") == print_of("No /other here", url="http://site.test/other")
    assert read("<body><script>x</script></body>").fingerprint == ""


@pytest.mark.parametrize(
    "body",
    [
        b"<div>" * 50_000 + b'<a href="/deep">x</a>',
        b"<b><i><table><a>" * 10_000 + b'<a href="/deep">x</a>',
        b"<p " + b" ".join(b"a%d=1" % number for number in range(100_000)) + b'><a href="/deep">x</a>',
        b"<p x='" + b"y" * 3_000_000 + b"'></p><a href='/deep'>x</a>",
        b"&amp;\x00&#xD800;\xff" * 50_000 + b'<a href="/deep">x</a>',
    ],
    ids=["nested", "unclosed", "attributes", "long attribute", "entities"],
)
def test_monstrous_pages_are_read_in_time_and_their_link_is_found(body: bytes) -> None:
    started = time.process_time()
    assert links(read(body)) == ["http://site.test/deep"]
    assert time.process_time() - started < 10  # minutes, where something grows with the square


def test_a_meta_refresh_at_once_is_a_redirect() -> None:
    assert read('<meta http-equiv="refresh" content="0; url=/next">').refresh == "http://site.test/next"
    assert read('<meta http-equiv="Refresh" content="0;URL=\'/next\'">').refresh == "http://site.test/next"
    assert read('<meta http-equiv="refresh" content="600; url=/next">').refresh == ""
    assert read('<meta http-equiv="refresh" content="0">').refresh == ""
    assert read('<noscript><meta http-equiv="refresh" content="0; url=/no-js"></noscript>').refresh == ""


def test_alternates_are_read_in_their_usual_spelling() -> None:
    head = (
        '<link rel="alternate" hreflang="DE_at" href="/de"><link rel="alternate" hreflang="X-Default" href="/">'
        '<link rel="alternate" hreflang="klingon!" href="/k"><link rel="alternate" href="/rss">'
    )
    page = read(f"<html><head>{head}</head><body>x</body></html>")
    assert page.alternates == (("de-AT", "http://site.test/de"), ("x-default", "http://site.test/"))
