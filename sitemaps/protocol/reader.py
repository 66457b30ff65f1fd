"""Reading sitemaps of every shape met in the wild: XML, RSS, Atom, text; gzip around any of them.

Entries come one by one while the document is parsed, so that a crawl need not hold 50,000 of them. No entity, DTD or
network access: the document type is cut off before the parser sees it (CWE-611, CWE-776).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from lxml import etree

from sitemaps.protocol import codec, lastmod, limits, sniff
from sitemaps.protocol.entries import Entry, IndexEntry, Kind, Problem, Severity
from sitemaps.protocol.locs import Locator

_BLANK = " \t\r\n\u00a0\ufeff"
_EDGES = frozenset(_BLANK)
_XML_KINDS = frozenset({Kind.URLSET, Kind.INDEX, Kind.RSS, Kind.ATOM})
_EVENT_TAGS = ("{*}url", "{*}sitemap", "{*}item", "{*}entry")
_TAG_NAME = re.compile(rb"</?[A-Za-z][A-Za-z0-9_.:-]*")
# An ampersand that XML does not know; CDATA sections are matched first, to be left alone.
_AMPERSAND = re.compile(
    rb"<!\[CDATA\[.*?\]\]>|&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#[xX][0-9A-Fa-f]+);)(?:([A-Za-z][A-Za-z0-9]*);)?",
    re.DOTALL,
)
_CONTROL = bytes([*range(9), 11, 12, *range(14, 32)])
_LAST_ENTRY = re.compile(rb"</(?:[A-Za-z0-9_.-]+:)?(?:url|sitemap|item|entry)\s*>")
_ROOT_END = re.compile(rb"</(?:[A-Za-z0-9_.-]+:)?(?:urlset|sitemapindex|rss|rdf|feed)\s*>", re.IGNORECASE)
_ROOT_TAG = re.compile(rb"<(?:[A-Za-z0-9_.-]+:)?(?:urlset|sitemapindex)\b([^>]*)", re.IGNORECASE)
_NAMESPACES = re.compile(rb"xmlns(?::[A-Za-z0-9_.-]+)?\s*=\s*[\"']([^\"']*)")
_NESTING = frozenset({"url", "image", "video", "news", "item", "entry", "sitemap"})
# Where none of these stands in a urlset, no element called url can stand in another entry.
_NESTING_MARKS = (
    b":url",
    b":sitemap",
    b"<image>",
    b"<image ",
    b"<video>",
    b"<video ",
    b"<news>",
    b"<item",
    b"<entry",
    b"<sitemap",
)
_PLAIN_ENTRY = re.compile(
    rb"\s*<url>\s*<loc>([^<]*)</loc>(?:\s*<lastmod>([^<]*)</lastmod>)?(?:\s*<changefreq>([^<]*)</changefreq>)?"
    rb"(?:\s*<priority>([^<]*)</priority>)?"
    rb"((?:\s*<image:image>\s*<image:loc>[^<]*</image:loc>\s*</image:image>)*)\s*</url>"
).match
_PLAIN_IMAGE = re.compile(rb"<image:loc>([^<]*)<").findall
_MAX_PROBLEMS = 100


class Reader:
    """One document. Iterate to get its entries; `kind` is known from the start, `problems` grow while reading.

    `url` is the address the document came from, after redirects: relative addresses are resolved against it.
    """

    def __init__(
        self, body: bytes, url: str, *, max_urls: int = limits.MAX_URLS, max_bytes: int = limits.MAX_BYTES
    ) -> None:
        body, self.problems = codec.inflate(body, max_bytes)
        self._body = sniff.to_utf8(body, self.problems)
        self.kind, self._start = sniff.kind_of(self._body)
        self._locator = Locator(url)
        self._max_urls = max_urls
        self._dates: dict[str, str] = {}
        self._has_doctype = False
        self._may_nest = True
        self.count = 0

    @property
    def is_sitemap(self) -> bool:
        """Whether this is a document to take URLs from."""
        return self.kind in _XML_KINDS or self.kind is Kind.TEXT

    @property
    def complete(self) -> bool:
        """Whether everything that the document held was read; final once it has been iterated."""
        return not any(problem.severity is Severity.ERROR for problem in self.problems)

    def __iter__(self) -> Iterator[Entry | IndexEntry]:
        """The entries, in order; at most `max_urls`."""
        source = self._xml() if self.kind in _XML_KINDS else self._text() if self.kind is Kind.TEXT else iter(())
        for entry in source:
            if self.count >= self._max_urls:
                self._tell("too_many_urls", f"more than {self._max_urls:,} entries; the rest is ignored", error=True)
                break
            self.count += 1
            yield entry
        if self._locator.relative:
            self._tell(
                "relative_loc", f"{self._locator.relative} addresses are not absolute; resolved against the sitemap's"
            )

    # -- XML

    def _xml(self) -> Iterator[Entry | IndexEntry]:
        body = self._prepared()
        position = 0
        if self.kind is Kind.URLSET and b"<!" not in body and b"<?" not in body:
            start = position = body.find(b">") + 1
            # The plainest entries, read without a tree; from the first one that is not, the parser takes over.
            while match := _PLAIN_ENTRY(body, position):
                position = match.end()
                entry = self._plain(match)
                if entry is not None:
                    yield entry
            body = body[:start] + body[position:]
        yield from self._parsed(body)

    def _plain(self, match: re.Match[bytes]) -> Entry | None:
        loc, date, frequency, priority, images = match.groups(b"")
        reference = _unescaped(loc)
        address = self._locator.resolve(reference) if reference else None
        if address is None:
            self._no_loc(reference, match.string.count(b"\n", 0, match.start()) + 1)
            return None
        if date:
            written = date.decode()
            date_form = self._dates.get(written) or self._date(written.strip(_BLANK))
        else:
            date_form = ""
        return Entry(
            address,
            date_form,
            frequency.decode().strip(_BLANK).lower(),
            priority.decode().strip(_BLANK),
            self._plain_images(images) if images else (),
        )

    def _plain_images(self, images: bytes) -> tuple[str, ...]:
        found = (self._locator.resolve(_unescaped(reference)) for reference in _PLAIN_IMAGE(images))
        return tuple(address for address in found if address is not None)

    def _parsed(self, body: bytes) -> Iterator[Entry | IndexEntry]:
        context = etree.iterparse(
            BytesIO(body),
            events=("end",),
            tag=_EVENT_TAGS,
            recover=True,
            huge_tree=True,
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            remove_comments=True,
            remove_pis=True,
            encoding="utf-8",
        )
        try:
            for _, element in context:
                entry = self._entry(element)
                if entry is not None:
                    yield entry
                    element.clear()
        except etree.XMLSyntaxError as error:
            self._tell("not_well_formed", f"reading ended early: {error.msg}", error=True)

    def _prepared(self) -> bytes:
        """The body from its root element on, with what would stop the parser mended or cut."""
        body = self._body
        self._check_before_root(body[: self._start])
        body = body[self._start :]
        self._body = b""
        if not _ROOT_END.search(body, max(0, len(body) - 2_000)):
            body = self._without_open_tail(body)
        root = body[1:40].partition(b" ")[0]
        if root != root.lower() and self.kind in (Kind.URLSET, Kind.INDEX):
            body = _TAG_NAME.sub(lambda match: match.group().lower(), body)
            self._tell("upper_case_tags", "element names are not in lower case")
        if self.kind in (Kind.URLSET, Kind.INDEX):
            self._check_namespace(body)
        if b"&" in body:
            body = _AMPERSAND.sub(self._mend_ampersand, body)
        self._may_nest = self.kind is not Kind.URLSET or any(mark in body for mark in _NESTING_MARKS)
        # Deleting by table is quicker than looking for something to delete.
        return body.translate(None, _CONTROL)

    def _check_before_root(self, head: bytes) -> None:
        self._has_doctype = b"<!DOCTYPE" in head or b"<!ENTITY" in head
        if self._has_doctype:
            self._tell("doctype", "a document type was ignored; sitemaps need none, and its entities are not expanded")
        declaration = head.find(b"<?xml")
        if head[: max(declaration, 0)].strip() or (declaration < 0 and head.strip() and b"<!DOCTYPE" not in head):
            self._tell("leading_bytes", "something stands before the XML declaration; ignored")
        elif declaration > 0:
            self._tell("leading_blanks", "blanks before the XML declaration")

    def _without_open_tail(self, body: bytes) -> bytes:
        self._tell("truncated", "the file ends before its root element does; complete entries were kept", error=True)
        end = max((match.end() for match in _LAST_ENTRY.finditer(body)), default=0)
        return body[:end] if end else body[: body.find(b">") + 1]

    def _check_namespace(self, body: bytes) -> None:
        match = _ROOT_TAG.match(body)
        names = _NAMESPACES.findall(match.group(1)) if match else []
        if limits.NAMESPACE.encode() not in names:
            said = names[0].decode("utf-8", "replace") if names else "none"
            self._tell("namespace", f"the namespace is {said!r}; it must be {limits.NAMESPACE}")

    def _mend_ampersand(self, match: re.Match[bytes]) -> bytes:
        text = match.group()
        if text.startswith(b"<"):
            return text
        name = match.group(1)
        if name is None:
            self._tell_once("bare_ampersand", "an ampersand is not escaped")
            return b"&amp;"
        self._tell_once("html_entity", f"&{name.decode()}; is no entity of XML")
        meaning = html.unescape(text.decode())
        if meaning != text.decode():
            return html.escape(meaning).encode()
        # Declared in a document type that was cut off, perhaps; otherwise it can only be text.
        return b"" if self._has_doctype else b"&amp;" + text[1:]

    def _entry(self, element: Any) -> Entry | IndexEntry | None:
        name = _local(element.tag)
        if self._may_nest:
            parent = element.getparent()
            if parent is not None and _local(parent.tag) in _NESTING:
                return None
        if name == "url":
            return self._url(element)
        if name == "sitemap":
            return self._child(element)
        if self.kind is Kind.RSS and name == "item":
            return self._item(element)
        return self._feed_entry(element) if self.kind is Kind.ATOM and name == "entry" else None

    def _url(self, element: Any) -> Entry | None:
        loc = date = frequency = priority = ""
        images: list[str] = []
        alternates: list[tuple[str, str]] = []
        local, text_of = _local, _text
        for child in element:
            name = local(child.tag)
            if name == "loc":
                loc = loc or text_of(child)
            elif name == "lastmod":
                date = text_of(child)
            elif name == "image":
                images += self._image(child)
            elif name == "link":
                alternates += self._alternate(child)
            elif name == "changefreq":
                frequency = text_of(child).lower()
            elif name == "priority":
                priority = text_of(child)
        address = self._locator.resolve(loc) if loc else None
        if address is None:
            self._no_loc(loc, element.sourceline or 0)
            return None
        if date:
            date = self._dates.get(date) or self._date(date)
        return Entry(address, date, frequency, priority, tuple(images), tuple(alternates))

    def _image(self, element: Any) -> list[str]:
        found = []
        for child in element:
            if _local(child.tag) == "loc":
                address = self._locator.resolve(_text(child))
                if address is not None:
                    found.append(address)
        return found

    def _alternate(self, element: Any) -> list[tuple[str, str]]:
        language, reference = element.get("hreflang"), element.get("href")
        if not language or not reference:
            return []
        address = self._locator.resolve(reference.strip(_BLANK))
        return [(language.strip(), address)] if address is not None else []

    def _child(self, element: Any) -> IndexEntry | None:
        loc = date = ""
        for child in element:
            name = _local(child.tag)
            if name == "loc":
                loc = loc or _text(child)
            elif name == "lastmod":
                date = _text(child)
        address = self._loc(loc, element)
        return IndexEntry(address, self._date(date)) if address is not None else None

    def _item(self, element: Any) -> Entry | None:
        link = guid = date = ""
        for child in element:
            name = _local(child.tag)
            if name == "link":
                link = link or _text(child) or (child.get("href") or "").strip(_BLANK)
            elif name == "guid" and (child.get("isPermaLink") or "true").lower() != "false":
                guid = _text(child)
            elif name in ("pubDate", "date", "updated"):
                date = date or _text(child)
        address = self._loc(link or guid, element)
        return Entry(address, self._date(date)) if address is not None else None

    def _feed_entry(self, element: Any) -> Entry | None:
        link = updated = published = ""
        for child in element:
            name = _local(child.tag)
            if name == "link" and (child.get("rel") or "alternate") == "alternate":
                link = link or (child.get("href") or "").strip(_BLANK) or _text(child)
            elif name in ("updated", "modified"):
                updated = _text(child)
            elif name in ("published", "issued"):
                published = _text(child)
        address = self._loc(link, element)
        return Entry(address, self._date(updated or published)) if address is not None else None

    # -- text

    def _text(self) -> Iterator[Entry]:
        for number, raw in enumerate(re.split(r"\r\n|\r|\n", self._body.decode()), start=1):
            line = raw.strip(_BLANK)
            if not line:
                continue
            if not line.lower().startswith(("http://", "https://")):
                self._tell("not_a_url", f"{line[:80]!r} is no address", line=number)
                continue
            address = self._locator.resolve(line)
            if address is not None:
                yield Entry(address)

    # -- pieces

    def _loc(self, reference: str, element: Any) -> str | None:
        address = self._locator.resolve(reference) if reference else None
        if address is None:
            self._no_loc(reference, element.sourceline or 0)
        return address

    def _no_loc(self, reference: str, line: int) -> None:
        if reference:
            self._tell("bad_loc", f"{reference[:200]!r} is no address on the web; left out", line=line)
        else:
            self._tell("empty_loc", "an entry without an address was left out", line=line)

    def _date(self, text: str) -> str:
        if not text:
            return ""
        known = self._dates.get(text)
        if known is None:
            known = lastmod.normalize(text)
            if not known:
                self._tell("bad_lastmod", f"{text[:60]!r} is no date; ignored")
            if len(self._dates) < 10_000:
                self._dates[text] = known
        return known

    def _tell(self, code: str, message: str, *, line: int = 0, error: bool = False) -> None:
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(Problem(code, message, line, Severity.ERROR if error else Severity.WARNING))

    def _tell_once(self, code: str, message: str) -> None:
        if not any(problem.code == code for problem in self.problems):
            self._tell(code, message)


def _unescaped(text: bytes) -> str:
    """Text of an element without nested ones, its references decoded once, without blanks around it."""
    decoded = text.decode()
    if "&" in decoded:
        decoded = html.unescape(decoded)
    return decoded.strip(_BLANK) if decoded[:1] in _EDGES or decoded[-1:] in _EDGES else decoded


class _LocalNames(dict[Any, str]):
    """Local names by tag, worked out once for each of the few tags that documents have."""

    def __missing__(self, tag: Any) -> str:
        name = tag.rpartition("}")[2] if isinstance(tag, str) else ""
        if len(self) < 1_000:
            self[tag] = name
        return name


_local = _LocalNames().__getitem__


def _text(element: Any) -> str:
    """All text of an element, CDATA and nested elements included, without blanks around it."""
    text: str | None = element.text
    if len(element):
        text = "".join(element.itertext())
    if text is None:
        return ""
    # Most texts stand bare; looking at both ends is quicker than stripping.
    return text.strip(_BLANK) if text[:1] in _EDGES or text[-1:] in _EDGES else text
