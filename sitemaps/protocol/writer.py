"""Writing urlsets: as escaped text, not through a tree, into .xml and .xml.gz at the same time, split by both limits.

The same entries give the same bytes: gzip carries neither time nor name. XML 1.0 sections 2.2 and 2.4; sitemaps.org.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from sitemaps.protocol import lastmod, limits
from sitemaps.protocol.entries import Entry, IndexEntry, Problem
from sitemaps.protocol.locs import Addresses, serialize

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_URLSET_END = "</urlset>\n"
# RFC 1952 header: no name, no time, unknown system; so the bytes depend on the content only.
_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_GZIP_LEVEL = 6
_BUFFER_BYTES = 262_144
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9/:._~?=%#@!$()*+,;\[\]-]")
_PRIORITY = re.compile(r"0(?:\.\d{1,3})?|1(?:\.0{1,3})?")
_MAX_PROBLEMS = 1_000
_MAX_DATES = 100_000


def escape(text: str) -> str:
    """Text as it may stand in an element or a quoted attribute: five characters escaped, forbidden ones dropped."""
    if _NOT_PLAIN.search(text) is None:
        return text
    text = _FORBIDDEN.sub("", text)
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&apos;")
    )


_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """One finished file: name and CRC-32 of the .xml, entries, sizes in bytes, newest lastmod ("" for none)."""

    name: str
    url_count: int
    size_bytes: int
    gzip_bytes: int
    crc: int
    lastmod: str = ""


@dataclass(slots=True)
class _Output:
    """A file being written, in both forms."""

    name: str
    plain: BinaryIO
    gzipped: BinaryIO
    buffer: list[str] = field(default_factory=list)
    buffered: int = 0
    size: int = 0
    count: int = 0
    newest: str = ""
    crc: int = 0
    packer: Any = field(default_factory=lambda: zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS))

    def add(self, text: str, size: int) -> None:
        self.buffer.append(text)
        self.buffered += size
        self.size += size
        self.count += 1
        if self.buffered >= _BUFFER_BYTES:
            self.flush()

    def flush(self) -> None:
        content = "".join(self.buffer).encode()
        self.buffer.clear()
        self.buffered = 0
        self.plain.write(content)
        self.gzipped.write(self.packer.compress(content))
        self.crc = zlib.crc32(content, self.crc)

    def finish(self) -> WrittenFile:
        self.flush()
        self.gzipped.write(self.packer.flush())
        self.gzipped.write(self.crc.to_bytes(4, "little") + (self.size & 0xFFFFFFFF).to_bytes(4, "little"))
        gzip_bytes = self.gzipped.tell()
        self.close()
        return WrittenFile(self.name, self.count, self.size, gzip_bytes, self.crc, self.newest)

    def close(self) -> None:
        self.plain.close()
        self.gzipped.close()


def open_output(directory: Path, name: str) -> _Output:
    """Begin a file in both forms."""
    output = _Output(name, (directory / name).open("wb"), (directory / f"{name}.gz").open("wb"))
    output.gzipped.write(_GZIP_HEADER)
    return output


class UrlsetWriter:
    """Writes entries into numbered urlsets of a directory. `names` gives the name of the n-th file, from 1.

    An entry that may not stand in a sitemap is left out and reported in `problems`: no address, too long, twice.
    """

    def __init__(self, directory: Path, *, max_urls: int = limits.MAX_URLS, max_bytes: int = limits.MAX_BYTES) -> None:
        self._directory = directory
        self._max_urls = max_urls
        self._max_bytes = max_bytes - len(_URLSET_END)
        self._head = _urlset_head()
        self._output: _Output | None = None
        self._in_file: set[str] = set()
        self._last = ""
        self._addresses = Addresses()
        self._good_dates = {""}
        self.files: list[WrittenFile] = []
        self.problems: list[Problem] = []

    def write(self, entries: Iterable[Entry]) -> list[WrittenFile]:
        """Write all entries; the finished files, in order. At least one file comes out, empty if need be.

        A repeated address is found when it stands next to its first, or in the same file: sort for certainty.
        """
        output = self._open()
        try:
            for entry in entries:
                text = self._quickly(entry) or self._carefully(entry)
                if not text:
                    continue
                size = len(text)  # one byte a character: addresses and dates are ASCII
                if output.count >= self._max_urls or output.size + size > self._max_bytes:
                    self._close()
                    output = self._open()
                output.add(text, size)
                output.newest = max(output.newest, entry[1])
            self._close()
        finally:
            if self._output is not None:
                self._output.close()
        return self.files

    def _quickly(self, entry: Entry) -> str:
        """The text of an entry with nothing to mend, as nearly all are; "" for any other."""
        loc, date, frequency, priority, images, alternates = entry
        if frequency or priority or alternates or len(images) > limits.MAX_IMAGES or date not in self._good_dates:
            return ""
        plain = self._addresses.is_plain
        if not plain(loc) or len(loc) > limits.MAX_LOC_CHARS or loc in self._in_file:
            return ""
        self._in_file.add(loc)
        middle = f"<lastmod>{date}</lastmod>" if date else ""
        for image in images:
            if not plain(image):
                self._in_file.discard(loc)
                return ""
            middle += f"<image:image><image:loc>{image}</image:loc></image:image>"
        return f"<url><loc>{loc}</loc>{middle}</url>\n"

    def _carefully(self, entry: Entry) -> str:
        loc = serialize(entry.loc)
        if loc is None:
            self._tell("bad_loc", f"{entry.loc[:200]!r} is no http(s) address")
            return ""
        if len(loc) > limits.MAX_LOC_CHARS:
            self._tell("loc_too_long", f"{loc[:200]}… has {len(loc)} characters")
            return ""
        if loc in self._in_file or loc == self._last:
            self._tell("duplicate_loc", f"{loc} was given twice")
            return ""
        self._in_file.add(loc)
        self._last = loc
        return self._spell(entry, loc)

    def _spell(self, entry: Entry, loc: str) -> str:
        parts = ["<url><loc>", escape(loc), "</loc>"]
        if entry.lastmod:
            if entry.lastmod in self._good_dates or lastmod.fits_schema(entry.lastmod):
                if len(self._good_dates) < _MAX_DATES:
                    self._good_dates.add(entry.lastmod)
                parts += ("<lastmod>", entry.lastmod, "</lastmod>")
            else:
                self._tell("bad_lastmod", f"{entry.lastmod[:60]!r} of {loc} is no date of the sitemap schema")
        if entry.changefreq in limits.CHANGE_FREQUENCIES:
            parts += ("<changefreq>", entry.changefreq, "</changefreq>")
        if entry.priority and _PRIORITY.fullmatch(entry.priority):
            parts += ("<priority>", entry.priority, "</priority>")
        if entry.alternates:
            parts += [self._alternate(language, href) for language, href in entry.alternates]
        if entry.images:
            parts += [self._image(image) for image in entry.images[: limits.MAX_IMAGES]]
        parts.append("</url>\n")
        return "".join(parts)

    def _alternate(self, language: str, href: str) -> str:
        address = serialize(href)
        if address is None:
            return ""
        return f'<xhtml:link rel="alternate" hreflang="{escape(language)}" href="{escape(address)}"/>'

    def _image(self, image: str) -> str:
        address = serialize(image)
        if address is None:
            self._tell("bad_image", f"{image[:200]!r} is no http(s) address")
            return ""
        return f"<image:image><image:loc>{escape(address)}</image:loc></image:image>"

    def _open(self) -> _Output:
        output = self._output = open_output(self._directory, f"sitemap-{len(self.files) + 1}.xml")
        self._in_file.clear()
        output.add(self._head, len(self._head))
        output.count = 0
        return output

    def _close(self) -> None:
        output = self._output
        if output is None:
            return
        output.add(_URLSET_END, len(_URLSET_END))
        output.count -= 1
        self.files.append(output.finish())
        self._output = None

    def _tell(self, code: str, message: str) -> None:
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(Problem(code, message))


def _urlset_head() -> str:
    # All three namespaces in every file: whether an extension is used is known only at the end of a streamed file.
    return (
        f'{_DECLARATION}<urlset xmlns="{limits.NAMESPACE}" xmlns:xhtml="{limits.XHTML_NAMESPACE}"'
        f' xmlns:image="{limits.IMAGE_NAMESPACE}">\n'
    )


def write_index(directory: Path, name: str, children: Iterable[IndexEntry]) -> WrittenFile:
    """Write a sitemap index in both forms; `children` have absolute addresses under the site's host."""
    output = open_output(directory, name)
    head = f'{_DECLARATION}<sitemapindex xmlns="{limits.NAMESPACE}">\n'
    output.add(head, len(head))
    output.count = 0
    for child in children:
        date = f"<lastmod>{child.lastmod}</lastmod>" if child.lastmod else ""
        text = f"<sitemap><loc>{escape(child.loc)}</loc>{date}</sitemap>\n"
        output.add(text, len(text.encode()))
        output.newest = max(output.newest, child.lastmod)
    output.add("</sitemapindex>\n", len("</sitemapindex>\n"))
    output.count -= 1
    return output.finish()
