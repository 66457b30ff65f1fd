from __future__ import annotations

import pytest

from crawls.engine.extract.refresh import reference
from tests.crawls.engine.extract.pages import body, head, read


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/new", "/new"),
        ("0; URL=/new", "/new"),
        ("0,url=/new", "/new"),
        ("0 url=/new", "/new"),
        (" 3 ; url = /new ", "/new"),
        ("0.5;url=/new", "/new"),
        (".5;url=/new", "/new"),
        ("5;url=/new", "/new"),
        ("0;url='/new'", "/new"),
        ('0;url="/new" junk', "/new"),
        ("0;'/new'", "/new"),
        ("0;/new", "/new"),
        ("0;url=/new?a=1;b=2", "/new?a=1;b=2"),
        ("0; urls", "urls"),
        # slow ones, reloads, and nonsense
        ("6;url=/new", ""),
        ("600;url=/new", ""),
        ("99999999999999999999;url=/new", ""),
        ("0", ""),
        ("0;", ""),
        ("0;url=", ""),
        ("url=/new", ""),
        ("-1;url=/new", ""),
        ("0x;url=/new", ""),
        ("", ""),
        ("  ", ""),
        (";url=/new", ""),
    ],
)
def test_a_refresh_is_read_by_the_steps_of_html(content: str, target: str) -> None:
    assert reference(content) == target


def _meta(content: str) -> str:
    return f'<meta http-equiv="Refresh" content="{content}">'


@pytest.mark.parametrize(
    ("page", "target"),
    [
        (head(_meta("0;url=new")), "http://site.test/dir/new"),
        (head('<base href="/b/">' + _meta("0;url=new")), "http://site.test/b/new"),
        (head(_meta("0;url=http://other.test/")), "http://other.test/"),
        (body(_meta("0;url=/in-body")), "http://site.test/in-body"),
        (head(_meta("0;url=/a") + _meta("0;url=/b")), "http://site.test/a"),
        (head('<meta name="x" http-equiv="refresh" content="0;url=/named">'), "http://site.test/named"),
        # not followed by a browser with scripts (HTML 4.12.2)
        (head(f"<noscript>{_meta('0;url=/need-js')}</noscript>"), ""),
        (body(f"<noscript>{_meta('0;url=/need-js')}</noscript>"), ""),
        (head(f"<template>{_meta('0;url=/inert')}</template>"), ""),
        # to itself: a reload, no redirect
        (head(_meta("0")), ""),
        (head(_meta("0;url=page.html")), ""),
        (head(_meta("0;url=#part")), ""),
        (head(_meta("0;url=?utm_source=x")), ""),
        (head(_meta("0;url=javascript:alert(1)")), ""),
        (head(_meta("0;url={{ target }}")), ""),
    ],
)
def test_an_immediate_refresh_to_another_page_is_its_target(page: str, target: str) -> None:
    assert read(page).refresh == target


def test_a_refresh_may_come_as_a_header() -> None:
    assert read(body("x"), ("refresh", "0; url=/new")).refresh == "http://site.test/new"
    assert read(body("x"), ("refresh", "300")).refresh == ""
