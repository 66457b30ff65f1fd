"""Whether a file is a sitemap that search engines accept: the protocol's rules, checked without its schema files.

Strict where the reader is lenient: what a reader would mend is a problem here, with the line it stands on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from lxml import etree

from sitemaps.protocol import codec, lastmod, limits
from sitemaps.protocol.entries import Kind, Problem, Severity
from sitemaps.protocol.locs import Addresses, serialize

_SITEMAP = f"{{{limits.NAMESPACE}}}"
_IMAGE = f"{{{limits.IMAGE_NAMESPACE}}}"
_IMAGE_LOC = f"{_IMAGE}loc"
_XHTML = f"{{{limits.XHTML_NAMESPACE}}}"
_URL_ORDER = ("loc", "lastmod", "changefreq", "priority")
_CHILD_ORDER = ("loc", "lastmod")
_IMAGE_ORDER = ("loc", "caption", "geo_location", "title", "license")
_LANGUAGE = re.compile(r"x-default|[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-[A-Za-z0-9]{5,8})*")
_ENCODING = re.compile(rb"<\?xml[^>]*encoding\s*=\s*[\"']([^\"']*)")
_MAX_PROBLEMS = 200
_WHOLE_DATE_CHARS = 10
# How much a file may inflate to and still be looked at, to say by how much it is too large.
_READ_LIMIT_BYTES = limits.MAX_BYTES + 1


@dataclass(slots=True)
class Report:
    """What was found in one file. `locs` of an index name its children."""

    kind: Kind = Kind.UNKNOWN
    count: int = 0
    size_bytes: int = 0
    problems: list[Problem] = field(default_factory=list)
    children: list[str] = field(default_factory=list)

    @property
    def valid(self) -> bool:
        """Whether no problem is an error."""
        return not any(problem.severity is Severity.ERROR for problem in self.problems)

    def tell(self, code: str, message: str, line: int = 0, severity: Severity = Severity.ERROR) -> None:
        """Note a problem; the first 200 are kept, but none less makes the file valid."""
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(Problem(code, message, line, severity))


def validate(body: bytes, url: str = "") -> Report:
    """Check one file, gzipped or not. With its address, the sitemaps.org location rule is checked too."""
    report = Report()
    plain, problems = codec.inflate(body, _READ_LIMIT_BYTES)
    report.problems += problems
    report.size_bytes = len(plain)
    if len(plain) > limits.MAX_BYTES:
        report.tell("too_large", f"more than {limits.MAX_BYTES:,} bytes uncompressed")
    if not _is_xml(plain):
        _validate_text(plain, report)
        return report
    _check_bytes(plain, report)
    _validate_xml(plain, url, report)
    return report


def count_entries(body: bytes) -> int:
    """How many entries a file of our own writing has; -1 when it is not well-formed. Quick: the rest is by design."""
    count = 0
    try:
        for _, element in etree.iterparse(BytesIO(body), tag=(f"{_SITEMAP}url", f"{_SITEMAP}sitemap"), huge_tree=True):
            count += 1
            element.clear()
    except etree.XMLSyntaxError:
        return -1
    return count


def _is_xml(plain: bytes) -> bool:
    return plain.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<" or plain[:2] in (b"\xff\xfe", b"\xfe\xff")


def _check_bytes(plain: bytes, report: Report) -> None:
    if plain.startswith((b"\xff\xfe", b"\xfe\xff")):
        report.tell("not_utf8", "the file is UTF-16; sitemaps must be UTF-8", 1)
        return
    try:
        plain.decode("utf-8")
    except UnicodeDecodeError as error:
        report.tell("not_utf8", f"byte {error.start} is not UTF-8", plain.count(b"\n", 0, error.start) + 1)
    match = _ENCODING.match(plain.lstrip(b"\xef\xbb\xbf"))
    if match is not None and match.group(1).lower() not in (b"utf-8", b"us-ascii"):
        report.tell(
            "not_utf8", f"declares the encoding {match.group(1).decode('latin-1')!r}; sitemaps must be UTF-8", 1
        )
    if plain.startswith(b"\xef\xbb\xbf"):
        report.tell("byte_order_mark", "a byte order mark stands before the XML declaration", 1, Severity.WARNING)


def _validate_text(plain: bytes, report: Report) -> None:
    try:
        lines = plain.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        report.tell("not_a_sitemap", "neither XML nor UTF-8 text")
        return
    report.kind = Kind.TEXT
    seen: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            report.count += 1
            _check_loc(line.strip(), number, seen, report)
    if not report.count:
        report.tell("empty", "the file names no address")
    _check_count(report)


def _validate_xml(plain: bytes, url: str, report: Report) -> None:
    checker = _Checker(report, url)
    context = etree.iterparse(
        BytesIO(plain),
        events=("end",),
        tag=("{*}url", "{*}sitemap"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
    )
    try:
        for _, element in context:
            checker.see(element)
    except etree.XMLSyntaxError as error:
        report.tell("not_well_formed", error.msg or "not well-formed", error.lineno or 0)
        return
    checker.finish(context.root)


class _Checker:
    """Sees every entry as it ends, and the root at last."""

    def __init__(self, report: Report, url: str) -> None:
        self._report = report
        self._folder = url[: url.rfind("/") + 1] if url.startswith("http") else ""
        self._seen: set[str] = set()
        self._root: Any = None
        self._namespace = ""
        self._addresses = Addresses()

    def see(self, element: Any) -> None:
        """An element named url or sitemap; only those directly below the root are entries."""
        parent = element.getparent()
        if self._root is None:
            self._begin(element.getroottree().getroot())
        if parent is self._root and self._report.kind in (Kind.URLSET, Kind.INDEX):
            self._entry(element)
            element.clear()

    def finish(self, root: Any) -> None:
        """What only the whole document shows."""
        if self._root is None:
            self._begin(root)
        if self._report.kind not in (Kind.URLSET, Kind.INDEX):
            return
        for child in root:
            if isinstance(child.tag, str) and child.tag not in self._entry_tags:
                name = child.tag.rpartition("}")[2]
                self._report.tell("unexpected_element", f"{name} does not belong here", child.sourceline)
        if not self._report.count:
            self._report.tell("empty", "the file has no entries", 0, Severity.WARNING)
        _check_count(self._report)

    def _begin(self, root: Any) -> None:
        self._root = root
        if root.getroottree().docinfo.doctype:
            self._report.tell("doctype", "a document type does not belong in a sitemap", 1)
        name = root.tag.rpartition("}")[2]
        if name not in ("urlset", "sitemapindex"):
            self._report.tell("root", f"the root element is {name}, not urlset or sitemapindex", root.sourceline)
            return
        self._report.kind = Kind.URLSET if name == "urlset" else Kind.INDEX
        self._namespace = root.tag.rpartition("}")[0]
        expected = "url" if name == "urlset" else "sitemap"
        self._entry_tags = {f"{self._namespace}}}{expected}" if self._namespace else expected}
        if not root.tag.startswith(_SITEMAP):
            said = self._namespace[1:] or "none"
            self._report.tell("namespace", f"the namespace is {said!r}; it must be {limits.NAMESPACE}", root.sourceline)

    def _entry(self, element: Any) -> None:
        if element.tag not in self._entry_tags:
            return  # told at the end, with everything else that does not belong
        expected = "url" if self._report.kind is Kind.URLSET else "sitemap"
        self._report.count += 1
        order = _URL_ORDER if expected == "url" else _CHILD_ORDER
        self._children(element, order)
        loc = _child_text(element, "loc")
        address = _check_loc(loc, element.sourceline, self._seen, self._report)
        if address and expected == "sitemap":
            self._report.children.append(address)
        elif address:
            self._location(address, element.sourceline)

    def _location(self, address: str, line: int) -> None:
        if self._folder and not address.startswith(self._folder):
            message = f"{address} lies outside of {self._folder}, where this file may speak for"
            self._report.tell("outside_location", message, line, Severity.WARNING)

    def _children(self, element: Any, order: tuple[str, ...]) -> None:
        position, images, extended = -1, 0, False
        for child in element:
            if not isinstance(child.tag, str):
                continue
            name = child.tag.rpartition("}")[2]
            if child.tag.startswith(_IMAGE):
                images += 1
                self._image(child)
            elif child.tag.startswith(_XHTML):
                self._alternate(child)
            elif name in order and (
                "}" not in child.tag or child.tag.rpartition("}")[0] == element.tag.rpartition("}")[0]
            ):
                position = self._in_order(child, order.index(name), position, extended=extended)
                continue
            elif child.tag.startswith(_SITEMAP) or "}" not in child.tag:
                self._report.tell("unexpected_element", f"{name} does not belong in an entry", child.sourceline)
            extended = True
        if images > limits.MAX_IMAGES:
            self._report.tell(
                "too_many_images", f"{images} images; at most {limits.MAX_IMAGES} count", element.sourceline
            )

    def _in_order(self, child: Any, place: int, position: int, *, extended: bool) -> int:
        name = child.tag.rpartition("}")[2]
        if place <= position or extended:
            self._report.tell("element_order", f"{name} stands twice or in the wrong place", child.sourceline)
        check = _VALUE_CHECKS.get(name)
        text = (child.text or "").strip()
        if check is not None and not check(text):
            self._report.tell(f"bad_{name}", f"{text[:60]!r} is no {name}", child.sourceline)
        elif name == "lastmod" and len(text) < _WHOLE_DATE_CHARS:
            message = f"{text!r} is no whole date; the schema takes days and times only"
            self._report.tell("short_lastmod", message, child.sourceline, Severity.WARNING)
        return max(place, position)

    def _image(self, element: Any) -> None:
        if len(element) == 1 and element[0].tag == _IMAGE_LOC and self._addresses.is_plain(element[0].text or ""):
            return
        names = [child.tag.rpartition("}")[2] for child in element if isinstance(child.tag, str)]
        places = [_IMAGE_ORDER.index(name) for name in names if name in _IMAGE_ORDER]
        if len(places) != len(names) or places != sorted(set(places)):
            self._report.tell(
                "image_order", f"elements of an image out of order: {', '.join(names)}", element.sourceline
            )
        loc = _child_text(element, "loc")
        if serialize(loc) is None:
            self._report.tell("bad_image", f"{loc[:200]!r} is no address of an image", element.sourceline)

    def _alternate(self, element: Any) -> None:
        language, address = element.get("hreflang") or "", element.get("href") or ""
        if element.get("rel") != "alternate":
            self._report.tell("bad_alternate", "xhtml:link without rel=alternate", element.sourceline)
        if not _LANGUAGE.fullmatch(language):
            self._report.tell("bad_alternate", f"{language[:40]!r} is no language tag", element.sourceline)
        if serialize(address) is None:
            self._report.tell("bad_alternate", f"{address[:200]!r} is no address", element.sourceline)


def _child_text(element: Any, name: str) -> str:
    for child in element:
        if isinstance(child.tag, str) and child.tag.rpartition("}")[2] == name:
            return "".join(child.itertext()).strip()
    return ""


def _check_loc(loc: str, line: int, seen: set[str], report: Report) -> str:
    if not loc:
        report.tell("empty_loc", "an entry without an address", line)
        return ""
    if len(loc) > limits.MAX_LOC_CHARS:
        report.tell("loc_too_long", f"{len(loc)} characters; fewer than {limits.MAX_LOC_CHARS + 1} are allowed", line)
    address = serialize(loc)
    if address is None:
        report.tell("bad_loc", f"{loc[:200]!r} is no absolute http(s) address", line)
        return ""
    if "#" in loc:
        report.tell("fragment", f"{loc[:200]} has a fragment, which search engines drop", line, Severity.WARNING)
    if address in seen:
        report.tell("duplicate_loc", f"{address[:200]} is named twice", line)
    elif len(seen) <= limits.MAX_URLS:
        seen.add(address)
    return address


def _check_count(report: Report) -> None:
    if report.count > limits.MAX_URLS:
        report.tell("too_many_urls", f"{report.count:,} entries; at most {limits.MAX_URLS:,} are allowed")


def _is_priority(text: str) -> bool:
    try:
        return 0.0 <= float(text) <= 1.0
    except ValueError:
        return False


_VALUE_CHECKS: dict[str, Callable[[str], bool]] = {
    "lastmod": lastmod.is_w3c,
    "changefreq": lambda text: text in limits.CHANGE_FREQUENCIES,
    "priority": _is_priority,
}
