"""Pages made to break parsers: nothing raises, nothing takes more than seconds, and the links are still found.

The budget is generous (CPU seconds on a slow machine); what it catches is time that grows with a square.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from crawls.engine.errors import Failure
from crawls.engine.extract.document import Extraction, Extractor
from crawls.engine.records import Page
from tests.crawls.engine.extract.pages import links_of, read, respond

BUDGET_S = 10.0
END = b"<a href=/end>x</a>"

WITH_LINK: dict[str, Callable[[], bytes]] = {
    "50,000 nested divs": lambda: b"<div>" * 50_000 + END,
    "50,000 nested mixed": lambda: b"<div><span><ul><li><b>" * 10_000 + END,
    "nested divs with text": lambda: b"<div>x &amp; y" * 50_000 + END,
    "nesting behind a page": lambda: b"<html><head><title>t</title></head><body>" + b"<div>" * 5_000 + END,
    "30,000 unclosed b": lambda: b"<b>" * 30_000 + END,
    "30,000 unclosed i in p": lambda: b"<p><i>" * 30_000 + END,
    "30,000 unclosed tables": lambda: b"<table>" * 30_000 + END,
    "30,000 unclosed table cells": lambda: b"<table><tr><td>" * 30_000 + END,
    "30,000 unclosed a": lambda: b"<a href=/x>" * 30_000 + END,
    "30,000 unclosed fonts": lambda: b"<font><p>" * 30_000 + END,
    "all of them": lambda: b"<b><i><table><a href=/x>" * 30_000 + END,
    "nested shadow roots": lambda: b"<template shadowrootmode=open>" * 20_000 + END,
    "200,000 attributes": lambda: b"<div " + b" ".join(b"a%d=1" % one for one in range(200_000)) + b">" + END,
    "200,000 bare attributes": lambda: b"<div " + b" ".join(b"a%d" % one for one in range(200_000)) + b">" + END,
    "200,000 quoted attributes": lambda: b"<p " + b"".join(b'a%d="<>" ' % one for one in range(200_000)) + b">" + END,
    "200,000 attributes unspaced": lambda: b"<p " + b"".join(b"a%d='>'" % one for one in range(200_000)) + b">" + END,
    "many tags of 900": lambda: (b"<p " + b" ".join(b"a%d=1" % one for one in range(900)) + b">") * 500 + END,
    "an attribute of 5 MB": lambda: b'<div title="' + b"x " * 2_500_000 + b'">' + END,
    "an attribute of 5 MB entities": lambda: b'<div title="' + b"&amp;" * 1_000_000 + b'">' + END,
    "a link of 5 MB": lambda: b'<a href="/' + b"x" * 5_000_000 + b'">y</a>' + END,
    "a srcset of 5 MB": lambda: b'<img srcset="' + b"a (b" * 1_250_000 + b'">' + END,
    "a style of 5 MB": lambda: b'<p style="background:' + b"url(" * 1_250_000 + b'">' + END,
    "a title of 5 MB": lambda: b"<title>" + b"x " * 2_500_000 + b"</title>" + END,
    "entity soup": lambda: b"&amp;&lt;&#x41;&nope;&#1114112;&#xD800;&" * 40_000 + END,
    "nested entity soup": lambda: b"<div>" * 3_000 + b"&amp;&lt;&#x41;&nope;" * 40_000 + END,
    "NULs": lambda: b"<p>" + b"\0a" * 500_000 + END,
    "NULs in nested divs": lambda: b"<div>\0a" * 5_000 + END,
    "lone surrogates": lambda: b"<p>" + b"\xed\xa0\x80" * 300_000 + END,
    "invalid UTF-8": lambda: b"<p>" + b"\xff\xfe\xfd" * 300_000 + END,
    "open brackets": lambda: b"<" * 1_000_000 + END,
    "open tags with quotes": lambda: b'<a "' * 250_000 + b">" + END,
    "closing tags": lambda: b"</p></div>" * 300_000 + END,
    "closing the document": lambda: b"</html>" * 100_000 + END,
    "documents behind documents": lambda: b"<html><body><p>x</p></body></html>" * 30_000 + END,
    "digits": lambda: b"<p>" + b"1 " * 1_000_000 + END,
    "digits without blanks": lambda: b"<p>" + b"x1" * 1_000_000 + END,
    "digits in Chinese": lambda: b"<p>" + "\u65e51".encode() * 200_000 + END,
    "weekdays": lambda: b"<p>" + b"mon " * 500_000 + b"1" + END,
}

WITHOUT_LINK: dict[str, Callable[[], bytes]] = {
    "open comments": lambda: b"<p>x" + b"<!--" * 500_000,
    "open comments and dashes": lambda: b"<p>x" + b"<!-- -" * 500_000,
    "open scripts": lambda: b"<script>" * 300_000,
    "open scripts in comments": lambda: b"<script><!--" * 300_000,
    "open titles": lambda: b"<title>" * 300_000,
    "half text areas": lambda: b"<textarea></textarea" * 100_000,
    "declarations": lambda: b"<p>x" + b"<![CDATA[" * 300_000,
    "prologue": lambda: b"<?x ?>" * 300_000,
    "open prologue": lambda: b"<?x " * 300_000,
    "meta without end": lambda: b"<meta charset" * 100_000,
    "only blanks": lambda: b" " * 1_000_000,
}


@pytest.mark.parametrize("name", WITH_LINK)
def test_the_link_at_the_end_is_found_in_bounded_time(name: str) -> None:
    content = WITH_LINK[name]()
    started = time.process_time()
    page = read(content)
    assert time.process_time() - started < BUDGET_S
    assert "http://site.test/end" in links_of(page)


@pytest.mark.parametrize("name", WITHOUT_LINK)
@pytest.mark.parametrize("kind", ["text/html", None])
def test_nothing_raises_and_nothing_takes_long(name: str, kind: str | None) -> None:
    content = WITHOUT_LINK[name]()
    started = time.process_time()
    assert isinstance(Extractor(Extraction()).read(respond(content, kind=kind)), Page | Failure)
    assert time.process_time() - started < BUDGET_S


@pytest.mark.parametrize("kind", ["text/html", None, "text/html; charset=utf-16le", "text/html; charset=gb18030"])
def test_no_encoding_makes_it_slow(kind: str | None) -> None:
    content = b"<!-- x --><p>" + b"\xe4\xa0\x80<meta charset=" * 150_000
    started = time.process_time()
    assert isinstance(Extractor(Extraction()).read(respond(content, kind=kind)), Page | Failure)
    assert time.process_time() - started < BUDGET_S


def test_a_page_of_200_000_links_is_cut_at_the_limit() -> None:
    content = b"".join(b'<p><a href="/l%d">%s</a>' % (one, b"x" * 70) for one in range(200_000))
    started = time.process_time()
    page = read(content)
    assert time.process_time() - started < BUDGET_S
    assert len(page.links) == Extraction().max_links


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_by_its_mark_is_read(codec: str) -> None:
    content = "\ufeff<!doctype html><title>t</title><a href='/\u00fc'>x</a>"
    assert links_of(read(content.encode(codec), kind="text/html")) == ["http://site.test/%C3%BC"]


def test_a_page_nested_too_deep_keeps_what_it_says() -> None:
    head = '<title>Deep</title><link rel="canonical" href="/c"><meta name="robots" content="nofollow">'
    early = "<svg><a xlink:href=/svg>x</a></svg><template><a href=/inert>x</a></template><div>Text."
    late = "<img src=/i.png><p @click=x>More.</p><link rel=canonical href=/body>"
    page = read(f'<html lang="de"><head>{head}</head><body>{early}{"<div>" * 3_000}{late}')
    assert (page.title, page.language, page.canonical) == ("Deep", "de", "http://site.test/c")
    assert page.robots.nofollow
    assert links_of(page) == ["http://site.test/svg"]
    assert page.images == ("http://site.test/i.png",)
    assert page.fingerprint
