"""What kind of document some bytes are: content decides, never name or Content-Type."""

from __future__ import annotations

import codecs
import re

from sitemaps.protocol.entries import Kind, Problem

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WITHOUT_BOM = ((b"<\x00", "utf-16-le"), (b"\x00<", "utf-16-be"))
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']\s*([A-Za-z0-9._-]+)", re.IGNORECASE)
_START_BYTES = 65_536
_ROOT = re.compile(rb"<(?:[A-Za-z0-9_.-]+:)?(urlset|sitemapindex|rss|rdf|feed)(?=[\s>/])", re.IGNORECASE)
_ANY_ENTRY = re.compile(
    rb"<(?:[A-Za-z0-9_.-]+:)?(url|sitemap)\s*>\s*(?:<!--.*?-->\s*)*<(?:[A-Za-z0-9_.-]+:)?loc", re.IGNORECASE
)
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]|<body[\s>]", re.IGNORECASE)
_DIRECTIVE = re.compile(r"\s*(?:user-?agent|disallow|allow|sitemap|crawl-delay|host)\s*:", re.IGNORECASE)
_KINDS = {b"urlset": Kind.URLSET, b"sitemapindex": Kind.INDEX, b"rss": Kind.RSS, b"rdf": Kind.RSS, b"feed": Kind.ATOM}


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    damaged = error.object[error.start : error.end]
    return damaged.decode("cp1252", "replace"), error.end


codecs.register_error("surveyor-windows-1252", _as_windows_1252)


def to_utf8(body: bytes, problems: list[Problem]) -> bytes:
    """The document in UTF-8 without a BOM: by BOM, then declaration (XML 1.0 section 4.3.3 and appendix F).

    Bytes that are not of the encoding are read as Windows-1252 and reported; every other entry stays as it was.
    """
    encoding = "utf-8"
    for mark, name in (*_BOMS, *_WITHOUT_BOM):
        if body.startswith(mark):
            encoding = name
            body = body[len(mark) :] if (mark, name) in _BOMS else body
            break
    else:
        encoding = _declared(body, problems)
    if encoding == "utf-8" and _is_utf8(body):
        return body
    if encoding == "utf-8":
        problems.append(Problem("bad_bytes", "some bytes are not UTF-8; they were read as Windows-1252"))
        return body.decode("utf-8", "surveyor-windows-1252").encode()
    return body.decode(encoding, "replace").encode()


def _declared(body: bytes, problems: list[Problem]) -> str:
    match = _DECLARED.search(body, 0, 1024)
    if match is None:
        return "utf-8"
    label = match.group(1).decode("ascii")
    try:
        name = codecs.lookup(label).name
        "".encode(name)
    except LookupError:
        problems.append(Problem("unknown_encoding", f"the declared encoding {label!r} is unknown; read as UTF-8"))
        return "utf-8"
    if name.startswith(("utf-16", "utf-32")):
        # Said in bytes that can be read one by one, so it is not true.
        problems.append(Problem("false_encoding", f"declares {label}, but is not"))
        return "utf-8"
    if name not in ("utf-8", "ascii") and not body.isascii() and _is_utf8(body):
        problems.append(Problem("false_encoding", f"declares {label}, but the bytes are UTF-8"))
        return "utf-8"
    return "utf-8" if name == "ascii" else name


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def kind_of(body: bytes) -> tuple[Kind, int]:
    """The kind of a document in UTF-8, and where its root element begins (XML kinds; 0 otherwise)."""
    start = body[:_START_BYTES]
    root = _ROOT.search(start)
    html = _HTML.search(start)
    if root is not None and (html is None or root.start() < html.start()):
        return _KINDS[root.group(1).lower()], root.start()
    if html is not None:
        return Kind.HTML, 0
    entry = _ANY_ENTRY.search(start)
    if entry is not None:
        first = start.find(b"<", 0)
        while start[first : first + 2] in (b"<?", b"<!"):
            first = start.find(b"<", first + 1)
        return (Kind.URLSET if entry.group(1).lower() == b"url" else Kind.INDEX), first
    return _text_kind(start), 0


def _text_kind(start: bytes) -> Kind:
    if b"\x00" in start:
        return Kind.UNKNOWN
    lines = [line for line in start.decode("utf-8", "replace").splitlines() if line.strip()]
    if any(_DIRECTIVE.match(line) for line in lines[:50]):
        return Kind.ROBOTS
    if any(line.strip().lower().startswith(("http://", "https://")) for line in lines):
        return Kind.TEXT
    return Kind.UNKNOWN
