from __future__ import annotations

import pytest

from crawls.engine.errors import Code
from crawls.engine.extract.sniff import content_type
from tests.crawls.engine.extract.pages import fail, read

PAGE = b"<!doctype html><title>t</title><p>x"
XHTML = b'<?xml version="1.0"?>\n<!-- c --><html xmlns="http://www.w3.org/1999/xhtml"><head/><body>x</body></html>'
RSS = b'<?xml version="1.0"?><rss version="2.0"><channel><title>t</title></channel></rss>'


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("text/html", PAGE),
        ("TEXT/HTML;charset=utf-8", PAGE),
        ("text/html, text/html", PAGE),
        ("application/xhtml+xml", XHTML),
        ("text/xml", XHTML),
        ("application/xml", b"<!DOCTYPE html>\n<html>x</html>"),
        ("text/html", b"just words"),
        ("text/html", b"\n\n  <p>x"),
        ("text/html", b"<html>\x00\x00\x00</html>"),
        (None, PAGE),
        (None, b"  \n<HTML><body>x"),
        (None, b"<!-- c --><p>x"),
        (None, b"\xef\xbb\xbf<!DOCTYPE HTML>x"),
        (None, "<!doctype html><p>x".encode("utf-16")),
        (None, b"<b>x</b>"),
        ("", PAGE),
        ("*/*", PAGE),
        ("unknown/unknown", PAGE),
    ],
)
def test_what_is_html_by_its_content_is_read_as_html(kind: str | None, content: bytes) -> None:
    assert read(content, kind=kind).is_html


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("application/pdf", b"%PDF-1.4\n"),
        ("text/plain", PAGE),
        ("application/octet-stream", PAGE),
        ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'><a href='/x'/></svg>"),
        ("application/json", b"{}"),
        ("text/html", b"PK\x03\x04" + bytes(60)),
        ("text/html", b"%PDF-1.7\n"),
        ("text/html", b"\x1f\x8b\x08" + bytes(20)),
        ("text/html", b"\xff\xd8\xff\xe0JFIF"),
        ("text/html", b"\x89PNG\r\n\x1a\n"),
        ("text/html", b"SQLite format 3\x00" + bytes(100)),
        ("text/html", bytes(range(256)) * 4),
        ("text/html", RSS),
        ("text/html", b"<urlset><url><loc>http://site.test/</loc></url></urlset>"),
        ("text/xml", RSS),
        ("application/xml", RSS.replace(b"t</title>", b"&lt;html xmlns=x> <!doctype html></title>")),
        (None, b"%PDF-1.4"),
        (None, b"PK\x03\x04"),
        (None, b"plain words"),
        (None, b"<htmlx>"),
        (None, bytes(100)),
        (None, b""),
        (None, b"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'/>"),
    ],
)
def test_what_is_no_html_by_its_content_is_not(kind: str | None, content: bytes) -> None:
    page = read(content, kind=kind)
    assert not page.is_html
    assert len(page.links) == 0
    assert page.fingerprint == ""


@pytest.mark.parametrize(
    "content", [b"", b"   \n", b"<!-- only a comment -->", b"<!--", b"<?php", b"<![CDATA[", b"<!doctype html>"]
)
def test_html_without_any_element_is_a_failure_as_a_value(content: bytes) -> None:
    failure = fail(content)
    assert failure.code is Code.PARSE_FAILED
    assert failure.status == 200


@pytest.mark.parametrize(
    ("header", "kind", "charset"),
    [
        ("text/html", "text/html", ""),
        ("Text/HTML; Charset=UTF-8", "text/html", "utf-8"),
        ('text/html; charset="utf-8"', "text/html", "utf-8"),
        ("text/html;charset='utf-8';x=y", "text/html", "utf-8"),
        ("text/html; charset=a; charset=b", "text/html", "a"),
        ("text/html; x; charset=utf-8, text/html", "text/html", "utf-8"),
        ("", "", ""),
        (";", "", ""),
    ],
)
def test_a_content_type_header_has_a_type_and_perhaps_a_charset(header: str, kind: str, charset: str) -> None:
    assert content_type(header) == (kind, charset)


ATTACHED = ["attachment", ' ATTACHMENT; filename="a.html"']


@pytest.mark.parametrize("value", [*ATTACHED, "inline", 'inline; filename="attachment"', ""])
def test_content_disposition_tells_downloads(value: str) -> None:
    assert read(PAGE, ("content-disposition", value)).attachment is (value in ATTACHED)
