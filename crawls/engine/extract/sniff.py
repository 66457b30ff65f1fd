"""Whether bytes are a web page: by content where the header is missing or lies (WHATWG MIME Sniffing)."""

from __future__ import annotations

import re

SNIFF_BYTES = 1445
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
# Types that servers send for anything, so that only the bytes can tell.
_VAGUE = frozenset(
    {
        "",
        "text",
        "*/*",
        "unknown/unknown",
        "application/unknown",
        "application/x-httpd-php",
        "text/xml",
        "application/xml",
    }
)
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
    rb"<(?:!doctype html|html|head|body|title|script|iframe|h1|div|font|table|a|style|b|br|p|meta|link|!--)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_XHTML = re.compile(rb"<html[^>]+xmlns=|<!doctype html", re.IGNORECASE)
_BINARY_START = (
    b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"RIFF", b"OggS", b"ID3", b"Rar!",
    b"7z\xbc\xaf", b"\x7fELF", b"MZ",
)  # fmt: skip
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BINARY_KINDS = 6
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def content_type(header: str) -> tuple[str, str]:
    """Media type and charset of a Content-Type header, both in lower case (RFC 9110 section 8.3.1)."""
    kind, *parameters = header.split(";")
    charset = ""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and not charset:
            charset = value.strip().strip("\"'").lower()
    return kind.strip().lower(), charset


def is_html(kind: str, body: bytes) -> bool:
    """Whether to read the body as a web page."""
    start = body[:SNIFF_BYTES]
    if kind in _HTML_TYPES:
        return not _is_binary(start)
    if kind not in _VAGUE:
        return False
    if kind.endswith("/xml"):
        return _XHTML.search(start) is not None
    return not _is_binary(start) and _HTML_START.match(start.removeprefix(b"\xef\xbb\xbf")) is not None


def _is_binary(start: bytes) -> bool:
    if start.startswith(_UTF16_BOMS) or start.lstrip()[:1] == b"<":
        return False
    if start.startswith(_BINARY_START):
        return True
    # One stray control character, even often, is dirt; many different ones are no text.
    found = _CONTROL.findall(start)
    return len(found) > len(start) // 50 and len(set(found)) >= _BINARY_KINDS
