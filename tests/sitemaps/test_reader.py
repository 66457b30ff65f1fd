"""Reading sitemaps of every shape."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from sitemaps.protocol.entries import Entry, IndexEntry, Kind
from sitemaps.protocol.lastmod import normalize
from sitemaps.protocol.reader import Reader
from tests.shared import cases, needs_shared, served

URL = "http://s.test/maps/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
A, B = "http://s.test/a", "http://s.test/b"
TWO = f"<url><loc>{A}</loc></url><url><loc>{B}</loc></url>"
PLAIN = f"{DECLARATION}<urlset {NS}>{TWO}</urlset>"
_BY_TREE = ("index", "robots")


def read(body: str | bytes, url: str = URL, **limits: int) -> tuple[Reader, list[Entry | IndexEntry]]:
    reader = Reader(body.encode() if isinstance(body, str) else body, url, **limits)
    return reader, list(reader)


def locs(body: str | bytes, url: str = URL) -> list[str]:
    return [entry.loc for entry in read(body, url)[1]]


def codes(reader: Reader) -> set[str]:
    return {problem.code for problem in reader.problems}


@needs_shared
@pytest.mark.acceptance
@pytest.mark.parametrize(
    "case", [case for case in cases("sitemap") if case.values[0]["expected"]["type"] not in _BY_TREE]
)
def test_the_document_of_the_case_is_read_as_it_says(case: dict[str, Any]) -> None:
    expected, answer = case["expected"], served(case, case["entry"])
    reader, entries = read(answer.body, answer.url)
    found = [entry.loc for entry in entries]
    if case["id"] == 42:  # entries of other hosts are the crawl's to keep apart
        assert set(expected["raw_must"]) <= set(found)
        return
    assert set(expected.get("must", [])) <= set(found)
    if "count_min" in expected:
        assert expected["count_min"] <= len(found) <= expected["count_max"]
    else:
        assert set(found) <= set(expected["must"]) | set(expected.get("may", []))
    assert len(found) == len(set(found))
    assert bool(reader.problems) >= bool(expected.get("warn"))
    pages = {entry.loc: entry for entry in entries if isinstance(entry, Entry)}
    for loc, date in expected.get("lastmod", {}).items():
        assert pages[loc].lastmod == date
    for loc, images in expected.get("images", {}).items():
        assert list(pages[loc].images) == images
    for loc, alternates in expected.get("alternates", {}).items():
        assert dict(pages[loc].alternates) == alternates


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("layers", range(4))
def test_any_encoding_and_any_nesting_of_gzip_is_undone(encoding: str, layers: int) -> None:
    body = PLAIN.replace("UTF-8", encoding.removesuffix("-sig")).encode(encoding)
    for _ in range(layers):
        body = gzip.compress(body)
    assert locs(body) == [A, B]


@pytest.mark.parametrize(
    "body",
    [
        f"\n\n  {PLAIN}",
        f"Warning: something in index.php\n{PLAIN}",
        f"{DECLARATION}{DECLARATION}<urlset {NS}>{TWO}</urlset>",
        f"<urlset>{TWO}</urlset>",
        f'<urlset xmlns="http://www.google.com/schemas/sitemap/0.84">{TWO}</urlset>',
        f"<s:urlset xmlns:s='x'>{TWO.replace('<', '<s:').replace('<s:/', '</s:')}</s:urlset>",
        f"<URLSET {NS}>{TWO.upper().replace('HTTP://S.TEST/A', A).replace('HTTP://S.TEST/B', B)}</URLSET>",
        f"<urlset {NS}><url><loc><![CDATA[ {A} ]]></loc></url><url><loc>\n{B}\t</loc></url></urlset>",
        f"<urlset {NS}><url><x>x</x><loc>{A}</loc></url><url><loc>{B}</loc><a><loc>no</loc></a></url></urlset>",
        f"<urlset><!-- c --><url><loc>http://s.<!-- d -->test/a</loc></url><?pi x?><url><loc>{B}</loc></url></urlset>",
        f"<envelope><urlset {NS}>{TWO}</urlset></envelope>",
        f"<urlset {NS}>{TWO}</urlset>\n<script>trailing()</script>",
        f"<!DOCTYPE urlset [<!ENTITY x 'y'>]><urlset {NS}>{TWO}</urlset>",
        f"\ufeff{A}\r\n\r\nnot an address\r\n  {B}\r\n",
        f"<rss><channel><item><link>{A}</link></item><item><guid>{B}</guid></item></channel></rss>",
        f'<feed><entry><link rel="edit" href="/e"/><link href="{A}"/></entry><entry><link href="{B}"/></entry></feed>',
        f"<r:RDF xmlns:r='x'><item><link>{A}</link></item><item><link>{B}</link></item></r:RDF>",
    ],
)  # fmt: skip
def test_both_pages_are_found_in_every_shape(body: str) -> None:
    assert locs(body) == [A, B]


@pytest.mark.parametrize(
    ("loc", "address"),
    [
        ("HTTP://S.TEST:80/%7Ebob/ä b", "http://s.test/%7Ebob/%C3%A4%20b"),
        ("/x", "http://s.test/x"),
        ("x", "http://s.test/maps/x"),
        ("//cdn.test/x", "http://cdn.test/x"),
        ("http://s.test/e?x=1&amp;y=2", "http://s.test/e?x=1&y=2"),
        ("http://s.test/e?x=1&y=2", "http://s.test/e?x=1&y=2"),
        ("http://s.test/q?a=%27&amp;amp;b=1", "http://s.test/q?a=%27&amp;b=1"),
        ("http://s.test/caf&eacute;", "http://s.test/caf%C3%A9"),
        ("http://s.test/caf&#233;", "http://s.test/caf%C3%A9"),
        ("http://s.test/caf&#xE9;#top", "http://s.test/caf%C3%A9"),
        ("http://s.test/a/../b", "http://s.test/b"),
        ("http://s.test", "http://s.test/"),
    ],
)
def test_an_address_is_decoded_once_and_written_as_browsers_do(loc: str, address: str) -> None:
    assert locs(f"<urlset {NS}><url><loc>{loc}</loc></url></urlset>") == [address]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<!doctype html><html><body>http://s.test/a <url><loc>http://s.test/a</loc></url>", Kind.HTML),
        ("User-agent: *\nDisallow: /x\nSitemap: http://s.test/robots.txt", Kind.ROBOTS),
        ("just some words", Kind.UNKNOWN),
        ("", Kind.UNKNOWN),
        (b"\x00\x01\x02", Kind.UNKNOWN),
    ],
)
def test_what_is_no_sitemap_gives_nothing(body: str | bytes, kind: Kind) -> None:
    reader, entries = read(body)
    assert reader.kind is kind
    assert not reader.is_sitemap
    assert entries == []


def test_an_index_names_its_children_with_their_dates() -> None:
    body = f"<sitemapindex {NS}><sitemap><loc>/one.xml</loc><lastmod>2024-01-02</lastmod></sitemap></sitemapindex>"
    reader, entries = read(body)
    assert reader.kind is Kind.INDEX
    assert entries == [IndexEntry("http://s.test/one.xml", "2024-01-02")]


def test_images_and_alternates_stay_with_their_page() -> None:
    body = (
        f'<urlset {NS} xmlns:i="http://www.google.com/schemas/sitemap-image/1.1" xmlns:x="http://www.w3.org/1999/xhtml">'
        f'<url><loc>{A}</loc><x:link rel="alternate" hreflang="de" href="http://de.s.test/a"/>'
        "<i:image><i:loc>http://cdn.test/1.jpg</i:loc></i:image></url></urlset>"
    )
    entry = read(body)[1][0]
    assert entry == Entry(A, "", "", "", ("http://cdn.test/1.jpg",), (("de", "http://de.s.test/a"),))


def test_a_file_that_ends_early_keeps_its_complete_entries_and_says_so() -> None:
    reader, entries = read(f"<urlset {NS}>{TWO}<url><loc>http://s.test/c")
    assert [entry.loc for entry in entries] == [A, B]
    assert "truncated" in codes(reader)
    assert not reader.complete


def test_a_damaged_gzip_keeps_what_came_before_the_damage() -> None:
    many = "".join(f"<url><loc>http://s.test/{number}</loc></url>" for number in range(5_000))
    packed = gzip.compress(f"<urlset {NS}>{many}</urlset>".encode())
    reader, entries = read(packed[: len(packed) // 2])
    assert 1_000 < len(entries) < 5_000
    assert not reader.complete


def test_one_damaged_byte_costs_one_address_at_most() -> None:
    body = f"{DECLARATION}<urlset {NS}>{TWO}<url><loc>http://s.test/caf\xe9</loc></url></urlset>".encode("latin-1")
    reader, entries = read(body)
    assert [entry.loc for entry in entries] == [A, B, "http://s.test/caf%C3%A9"]
    assert "bad_bytes" in codes(reader)


def test_entries_beyond_the_limit_are_left_and_told() -> None:
    reader, entries = read(f"<urlset {NS}>{TWO}</urlset>", max_urls=1)
    assert len(entries) == 1
    assert "too_many_urls" in codes(reader)


def test_bytes_beyond_the_limit_are_left_and_told() -> None:
    reader, entries = read(f"<urlset {NS}>{TWO}</urlset>", max_bytes=110)
    assert [entry.loc for entry in entries] == [A]
    assert {"too_large", "truncated"} <= codes(reader)


def test_entities_are_neither_expanded_nor_fetched() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    head = f'<!DOCTYPE urlset [<!ENTITY l0 "lol">{laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    body = (
        f"{head}<urlset {NS}><url><loc>http://s.test/&l9;</loc></url><url><loc>http://s.test/&f;</loc></url></urlset>"
    )
    reader, entries = read(body)
    assert all(entry.loc == "http://s.test/" for entry in entries)
    assert "doctype" in codes(reader)


def test_an_empty_address_is_dropped_and_told() -> None:
    reader, entries = read(f"<urlset {NS}><url><loc/></url><url><loc>  </loc></url><url/>{TWO}</urlset>")
    assert [entry.loc for entry in entries] == [A, B]
    assert "empty_loc" in codes(reader)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("2024", "2024"), ("2024-05", "2024-05"), ("2024-05-01", "2024-05-01"), ("2024-5-1", "2024-05-01"),
        ("2024-05-01T10:00Z", "2024-05-01T10:00:00+00:00"), ("2024-05-01 10:00:00", "2024-05-01T10:00:00+00:00"),
        ("2024-05-01T10:00:00.5+02:00", "2024-05-01T10:00:00+02:00"),
        ("2024-05-01T10:00:00+0200", "2024-05-01T10:00:00+02:00"),
        ("Wed, 01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00+00:00"),
        ("Wed, 1 May 2024 10:00:00 +0200", "2024-05-01T10:00:00+02:00"),
        ("20240501", "2024-05-01"), (" 2024-05-01\n", "2024-05-01"),
        ("2024-13-01", ""), ("2024-02-30", ""), ("0000-00-00", ""), ("yesterday", ""), ("", ""), ("1", ""),
    ],
)  # fmt: skip
def test_dates_of_all_shapes_come_in_one_form_or_not_at_all(text: str, form: str) -> None:
    assert normalize(text) == form
