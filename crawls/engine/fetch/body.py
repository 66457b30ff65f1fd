"""Reading a body: capped on the wire and while it is inflated, whatever the headers claim (RFC 9110 section 8.4)."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from urllib3.response import HTTPResponse

from crawls.engine.errors import Code, Failure

_CHUNK_BYTES = 65_536
SNIFF_BYTES = 2_048
_MAX_LAYERS = 3
_GZIP_MAGIC = b"\x1f\x8b"
# Types that are never a page: their body is not worth the transfer beyond a look at its first bytes.
_UNWANTED = ("audio/", "video/", "image/", "font/", "application/octet-stream", "application/zip", "application/x-")
_WANTED = ("image/svg+xml", "application/xhtml+xml", "application/x-httpd", "application/x-gzip")


@dataclass(frozen=True, slots=True)
class Body:
    """The bytes of a body with all codings undone; `cut`: the cap ended it; `broken`: the sender or its coding did."""

    content: bytes
    wire_bytes: int
    cut: bool = False
    broken: bool = False


def unwanted(content_type: str) -> bool:
    """Whether a body of this type is surely no page."""
    kind = content_type.split(";", 1)[0].strip().lower()
    return kind.startswith(_UNWANTED) and not kind.startswith(_WANTED)


def read(raw: HTTPResponse, max_bytes: int) -> tuple[bytes, bool]:
    """What comes over the wire, up to `max_bytes` + 1, and whether that was all. Raises what urllib3 raises."""
    pieces: list[bytes] = []
    size = 0
    while size <= max_bytes:
        piece = raw.read(min(_CHUNK_BYTES, max_bytes + 1 - size), decode_content=False)
        if not piece:
            return b"".join(pieces), True
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces), False


def decode(content: bytes, codings: str, max_bytes: int) -> Body | Failure:
    """Undo the Content-Encoding, last coding first, never holding more than `max_bytes` of what comes out."""
    names = [name.strip().lower() for name in codings.split(",") if name.strip() and name.strip().lower() != "identity"]
    if len(names) > _MAX_LAYERS:
        return Failure(Code.DECODING_FAILED, f"{len(names)} content codings on top of each other")
    wire_bytes, cut, broken = len(content), False, False
    for name in reversed(names):
        if name not in ("gzip", "x-gzip", "deflate"):
            return Failure(Code.UNKNOWN_ENCODING, f"the content coding {name[:60]!r} was not asked for")
        content, layer_cut, layer_broken = _inflate(content, name, max_bytes)
        cut, broken = cut or layer_cut, broken or layer_broken
    return Body(content, wire_bytes, cut, broken)


def _inflate(content: bytes, name: str, max_bytes: int) -> tuple[bytes, bool, bool]:
    if name.endswith("gzip"):
        # Some servers say gzip and send plain text; some send gzip twice over.
        return _gunzip(content, max_bytes) if content.startswith(_GZIP_MAGIC) else (content, False, False)
    for window_bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        inflater = zlib.decompressobj(window_bits)
        try:
            plain = inflater.decompress(content, max_bytes + 1)
        except zlib.error:
            continue
        return plain[:max_bytes], len(plain) > max_bytes, not inflater.eof and len(plain) <= max_bytes
    return content, False, False


def _gunzip(content: bytes, max_bytes: int) -> tuple[bytes, bool, bool]:
    """Every member of a gzip body (RFC 1952 section 2.2); what stands behind the last one is dropped."""
    pieces: list[bytes] = []
    size = 0
    while content.startswith(_GZIP_MAGIC):
        inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            plain = inflater.decompress(content, max_bytes + 1 - size)
        except zlib.error:
            return b"".join(pieces), False, True
        pieces.append(plain)
        size += len(plain)
        if size > max_bytes:
            return b"".join(pieces)[:max_bytes], True, False
        if not inflater.eof:
            return b"".join(pieces), False, True
        content = inflater.unused_data
    return b"".join(pieces), False, False
