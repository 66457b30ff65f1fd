"""Whether bytes are a web page: by content where the header is missing or lies (WHATWG MIME Sniffing section 7)."""

from __future__ import annotations

import re

SNIFF_BYTES = 1_445
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_XML_TYPES = frozenset({"text/xml", "application/xml"})
# What servers send when they do not know either, so that only the bytes can tell.
_VAGUE = frozenset({"", "text", "*/*", "unknown/unknown", "application/unknown", "application/x-httpd-php"})
# Atomic, so that no byte is tried twice.
_PROLOGUE = r"(?>\s+|<\?.*?\?>|<!--.*?-->)*+"
_HTML_START = re.compile(
    (
        _PROLOGUE
        + r"<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|!--)[\s>/]"
    ).encode(),
    re.IGNORECASE | re.DOTALL,
)
_XHTML_START = re.compile((_PROLOGUE + r"(?:<!doctype html[^>]*>\s*)?<html[\s>]").encode(), re.IGNORECASE | re.DOTALL)
# Feeds and sitemaps are sent as text/html often enough.
_OTHER_XML = re.compile(
    (_PROLOGUE + r"<(?:rss|feed|rdf:rdf|urlset|sitemapindex)[\s>]").encode(), re.IGNORECASE | re.DOTALL
)
_BINARY_START = (
    b"%PDF-", b"%!PS", b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"RIFF", b"OggS", b"ID3",
    b"Rar!", b"7z\xbc\xaf", b"BZh", b"\x7fELF", b"MZ\x90", b"wOFF", b"wOF2", b"\xd0\xcf\x11\xe0",
    b"SQLite format 3\x00",
)  # fmt: skip
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BINARY_KINDS = 6
_UTF16_BOMS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def content_type(header: str) -> tuple[str, str]:
    """Media type and charset of a Content-Type header, both in lower case (RFC 9110 section 8.3.1)."""
    kind, *parameters = header.split(";")
    charset = ""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and not charset:
            charset = value.partition(",")[0].strip().strip("\"'").lower()
    return kind.partition(",")[0].strip().lower(), charset


def is_html(kind: str, body: bytes) -> bool:
    """Whether to read the body as a web page."""
    start = _as_bytes_of_text(body[:SNIFF_BYTES])
    if kind in _HTML_TYPES:
        return not _is_binary(start) and _OTHER_XML.match(start) is None
    if kind in _XML_TYPES:
        return _XHTML_START.match(start) is not None
    return kind in _VAGUE and not _is_binary(start) and _HTML_START.match(start) is not None


def _as_bytes_of_text(start: bytes) -> bytes:
    codec = _UTF16_BOMS.get(start[:2])
    if codec is not None:
        return start[2:].decode(codec, "replace").encode()
    return start.removeprefix(b"\xef\xbb\xbf")


def _is_binary(start: bytes) -> bool:
    if start.lstrip()[:1] == b"<":
        return False
    if start.startswith(_BINARY_START):
        return True
    # One stray control character, even often, is dirt; many different ones are no text.
    found = _CONTROL.findall(start)
    return len(found) > len(start) // 50 and len(set(found)) >= _BINARY_KINDS
