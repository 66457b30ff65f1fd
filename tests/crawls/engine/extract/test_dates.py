from __future__ import annotations

import pytest

from tests.crawls.engine.extract.pages import head, read

HEADER = ("last-modified", "Wed, 21 Oct 2015 07:28:00 GMT")
FROM_HEADER = "2015-10-21T07:28:00+00:00"


def _json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def _meta(name: str, date: str, kind: str = "property") -> str:
    return f'<meta {kind}="{name}" content="{date}">'


@pytest.mark.parametrize(
    ("content", "date", "source"),
    [
        (_json_ld('{"dateModified":"2024-03-05T10:00:00+01:00"}'), "2024-03-05T10:00:00+01:00", "json-ld"),
        (_json_ld('{"dateModified" : "2024-03-05"}, {"dateModified":"2024-04-01"}'), "2024-04-01", "json-ld"),
        (_meta("article:modified_time", "2024-03-05T10:00:00Z"), "2024-03-05T10:00:00+00:00", "meta"),
        (_meta("og:updated_time", "2024-03-05"), "2024-03-05", "meta"),
        (_meta("Last-Modified", "Tue, 05 Mar 2024 10:00:00 GMT", "name"), "2024-03-05T10:00:00+00:00", "meta"),
        (_meta("last-modified", "2024-03-05", "http-equiv"), "2024-03-05", "meta"),
        (_meta("dateModified", "2024-03-05", "itemprop"), "2024-03-05", "meta"),
        # the strongest word first
        (_meta("og:updated_time", "2024-09-09") + _json_ld('{"dateModified":"2024-03-05"}'), "2024-03-05", "json-ld"),
        # bad dates are none, and the next word counts
        (_json_ld('{"dateModified":"yesterday"}') + _meta("og:updated_time", "2024-03-05"), "2024-03-05", "meta"),
        (_meta("og:updated_time", "0001-01-01T00:00:00"), FROM_HEADER, "header"),
        (_meta("og:updated_time", "1970-01-01T00:00:00Z"), FROM_HEADER, "header"),
        (_meta("og:updated_time", "2024-02-31"), FROM_HEADER, "header"),
        (_json_ld('{"dateModified":""}'), FROM_HEADER, "header"),
        (_json_ld("not json"), FROM_HEADER, "header"),
        ('<script>var x = {"dateModified":"2024-03-05"}</script>', FROM_HEADER, "header"),
        (_meta("article:published_time", "2024-03-05"), FROM_HEADER, "header"),
        ("", FROM_HEADER, "header"),
    ],
)  # fmt: skip
def test_the_strongest_declared_date_comes_out_in_w3c_form(content: str, date: str, source: str) -> None:
    page = read(head(content), HEADER)
    assert (page.lastmod, page.lastmod_source) == (date, source)


@pytest.mark.parametrize(
    "value", ["", "0", "-1", "yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "the day before", "x" * 9_999]
)
def test_a_header_that_is_no_date_is_none(value: str) -> None:
    page = read(head(""), ("last-modified", value))
    assert (page.lastmod, page.lastmod_source) == ("", "")


def test_a_document_has_the_date_of_its_header() -> None:
    page = read(b"%PDF-", HEADER, kind="application/pdf")
    assert (page.lastmod, page.lastmod_source) == (FROM_HEADER, "header")
