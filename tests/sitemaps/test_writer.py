"""Writing sitemaps that every reader accepts, and reading them back."""

from __future__ import annotations

import gzip
import re
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import ada_url
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from sitemaps.protocol.entries import Entry
from sitemaps.protocol.reader import Reader
from sitemaps.protocol.validate import validate
from sitemaps.protocol.writer import UrlsetWriter
from sitemaps.publishing import WrittenSet, write_set
from tests.shared import SHARED, cases, needs_shared

BASE = "http://s.test/"


def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(SHARED / "xsd/all.xsd"))


def write(entries: list[Entry], directory: Path, **limits: int) -> WrittenSet:
    return write_set(directory, entries, BASE, **limits)


def read_back(path: Path) -> list[Entry]:
    return [entry for entry in Reader(path.read_bytes(), f"{BASE}{path.name}") if isinstance(entry, Entry)]


def test_one_file_is_the_sitemap_itself(tmp_path: Path) -> None:
    written = write([Entry("http://s.test/a", "2024-01-02")], tmp_path)
    assert written.index.name == "sitemap.xml"
    assert read_back(tmp_path / "sitemap.xml") == [Entry("http://s.test/a", "2024-01-02")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sitemap.xml", "sitemap.xml.gz"]


def test_more_than_one_file_stands_behind_an_index_of_absolute_addresses(tmp_path: Path) -> None:
    entries = [Entry(f"http://s.test/{number:03}", f"2024-01-{number % 28 + 1:02}") for number in range(25)]
    written = write(entries, tmp_path, max_urls=10)
    index = list(Reader((tmp_path / "sitemap.xml").read_bytes(), BASE))
    assert [entry.loc for entry in index] == [f"http://s.test/sitemap-{number}.xml" for number in (1, 2, 3)]
    assert [entry.lastmod for entry in index] == ["2024-01-10", "2024-01-20", "2024-01-25"]
    assert [file.url_count for file in written.files] == [10, 10, 5]
    read = [entry for number in (1, 2, 3) for entry in read_back(tmp_path / f"sitemap-{number}.xml")]
    assert read == entries


def test_the_packed_file_holds_the_same_bytes_and_both_are_the_same_each_time(tmp_path: Path) -> None:
    entries = [Entry(f"http://s.test/{number}") for number in range(100)]
    first, second = tmp_path / "one", tmp_path / "two"
    for folder in (first, second):
        folder.mkdir()
        write(entries, folder)
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    assert gzip.decompress((first / "sitemap.xml.gz").read_bytes()) == (first / "sitemap.xml").read_bytes()


def test_the_limit_of_bytes_is_kept_to_the_byte(tmp_path: Path) -> None:
    entries = [Entry(f"http://s.test/{number:04}") for number in range(200)]
    writer = UrlsetWriter(tmp_path, max_bytes=2_000)
    files = writer.write(entries)
    assert sum(file.url_count for file in files) == 200
    entry_bytes = len("<url><loc>http://s.test/0000</loc></url>\n")
    for file in files[:-1]:
        size = (tmp_path / file.name).stat().st_size
        assert file.size_bytes == size <= 2_000 < size + entry_bytes


def test_an_empty_site_gives_an_empty_valid_file(tmp_path: Path) -> None:
    assert write([], tmp_path).url_count == 0
    assert etree.parse(tmp_path / "sitemap.xml").getroot().tag.endswith("urlset")


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (Entry("ftp://s.test/x"), "bad_loc"),
        (Entry(""), "bad_loc"),
        (Entry("/relative"), "bad_loc"),
        (Entry("http://s.test/" + "x" * 2_040), "loc_too_long"),
        (Entry("http://s.test/x", images=("data:image/gif;base64,R0",)), "bad_image"),
        (Entry("http://s.test/x", "2024-05"), "bad_lastmod"),
        (Entry("http://s.test/x", "Wed, 01 May 2024 10:00:00 GMT"), "bad_lastmod"),
    ],
)
def test_what_may_not_stand_in_a_sitemap_is_left_out_and_told(entry: Entry, code: str, tmp_path: Path) -> None:
    written = write([entry, Entry("http://s.test/ok")], tmp_path)
    assert code in {problem.code for problem in written.problems}
    assert validate((tmp_path / "sitemap.xml").read_bytes()).valid


def test_an_address_given_twice_is_written_once(tmp_path: Path) -> None:
    entries = [Entry("http://s.test/a"), Entry("http://s.test/b"), Entry("HTTP://S.TEST/a"), Entry("http://s.test/a")]
    written = write(entries, tmp_path)
    assert [entry.loc for entry in read_back(tmp_path / "sitemap.xml")] == ["http://s.test/a", "http://s.test/b"]
    assert [problem.code for problem in written.problems] == ["duplicate_loc", "duplicate_loc"]


@needs_shared
@pytest.mark.acceptance
@pytest.mark.parametrize("case", [case for case in cases("writer") if "urls" in case.values[0]["expected"]])
def test_the_addresses_of_the_case_come_back_as_browsers_write_them(case: dict[str, Any], tmp_path: Path) -> None:
    addresses = case["expected"]["urls"]
    write([Entry(address) for address in addresses], tmp_path)
    found = [entry.loc for entry in read_back(tmp_path / "sitemap.xml")]
    assert found == [ada_url.normalize_url(address) for address in addresses]
    schema().assertValid(etree.parse(tmp_path / "sitemap.xml"))


def test_markup_in_addresses_stays_text(tmp_path: Path) -> None:
    nasty = [
        "http://s.test/--><script>",
        "http://s.test/]]><x>",
        "http://s.test/?a=\"'<>&",
        "http://s.test/\x00\x0b\ufffe",
    ]
    write([Entry(address, images=(address,)) for address in nasty], tmp_path)
    root = etree.parse(tmp_path / "sitemap.xml").getroot()
    assert len(root) == len(nasty)
    assert root[2][0].text == ada_url.normalize_url(nasty[2])


def test_bytes_are_utf8_without_a_mark_and_namespaces_are_exact(tmp_path: Path) -> None:
    write([Entry("http://s.test/")], tmp_path)
    body = (tmp_path / "sitemap.xml").read_bytes()
    assert body.startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
    assert set(etree.fromstring(body).nsmap.values()) == {
        "http://www.sitemaps.org/schemas/sitemap/0.9",
        "http://www.google.com/schemas/sitemap-image/1.1",
        "http://www.w3.org/1999/xhtml",
    }


_SEGMENT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
_ADDRESS = st.tuples(
    st.sampled_from(["http://s.test/", "https://s.test:8443/", "http://xn--nxasmq6b.test/"]), _SEGMENT, _SEGMENT
).map(lambda parts: f"{parts[0]}{parts[1]}?{parts[2]}")
_DATE = st.sampled_from(["", "2024-05-01", "2024-05-01T10:00:00+02:00"])
_LANGUAGE = st.sampled_from(["en", "de-AT", "zh-Hant", "x-default"])
_ENTRY = st.builds(
    Entry,
    _ADDRESS,
    _DATE,
    st.sampled_from(["", "daily", "never"]),
    st.sampled_from(["", "0.5", "1.0"]),
    st.lists(_ADDRESS, max_size=3).map(tuple),
    st.lists(st.tuples(_LANGUAGE, _ADDRESS), max_size=3).map(tuple),
)


def _serialized(address: str) -> str:
    """As the WHATWG parser writes it, with what RFC 3986 forbids escaped, by another way than the writer's."""
    url = ada_url.URL(address)
    origin = f"{url.protocol}//{url.host}"
    tail = quote(str(url.href).removeprefix(origin).partition("#")[0], safe="/?:@!$&'()*+,;=-._~%")
    return f"{origin}{re.sub('%(?![0-9A-Fa-f]{2})', '%25', tail)}"


@settings(max_examples=150, deadline=None)
@given(st.lists(_ENTRY, max_size=8))
def test_whatever_is_written_is_read_again_and_the_schema_accepts_it(entries: list[Entry]) -> None:
    expected: dict[str, Entry] = {}
    for entry in entries:
        loc = _serialized(entry.loc)
        images = tuple(_serialized(image) for image in entry.images)
        alternates = tuple((language, _serialized(href)) for language, href in entry.alternates)
        expected.setdefault(loc, entry._replace(loc=loc, images=images, alternates=alternates))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sitemap.xml"
        write(entries, Path(folder))
        assert read_back(path) == list(expected.values())
        report = validate(path.read_bytes())
        assert report.valid, report.problems
        # The schema asks for one entry at least; a site with none gets a file that says so all the same.
        if SHARED.is_dir() and entries:
            schema().assertValid(etree.parse(path))
