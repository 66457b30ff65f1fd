"""Undoing gzip by its magic bytes, at any nesting that servers make of it, never beyond a bound."""

from __future__ import annotations

import zlib

from sitemaps.protocol.entries import Problem, Severity

MAX_LAYERS = 3
_MAGIC = b"\x1f\x8b"


def inflate(body: bytes, max_bytes: int) -> tuple[bytes, list[Problem]]:
    """The bytes without gzip around them, at most `max_bytes`, and what was wrong with the layers.

    A file may be several members with padding behind (RFC 1952 section 2.2); a damaged tail costs the tail only.
    """
    problems: list[Problem] = []
    for _ in range(MAX_LAYERS):
        if not body.startswith(_MAGIC):
            break
        body = _members(body, max_bytes, problems)
    if len(body) > max_bytes:
        problems.append(too_large(max_bytes))
        body = body[:max_bytes]
    return body, problems


def too_large(max_bytes: int) -> Problem:
    """The problem of a file over the size limit."""
    return Problem("too_large", f"more than {max_bytes:,} bytes uncompressed; read up to there", 0, Severity.ERROR)


def _members(body: bytes, max_bytes: int, problems: list[Problem]) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while body.startswith(_MAGIC) and size <= max_bytes:
        inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            piece = inflater.decompress(body, max_bytes + 1 - size)
        except zlib.error as error:
            problems.append(Problem("gzip_damaged", f"damaged gzip: {error}", 0, Severity.ERROR))
            piece = _until_damage(body, max_bytes - size)
            return b"".join([*pieces, piece])
        pieces.append(piece)
        size += len(piece)
        if not inflater.eof:
            if size <= max_bytes:
                problems.append(Problem("gzip_truncated", "the gzip stream ends early", 0, Severity.ERROR))
            break
        body = inflater.unused_data
    else:
        if body.strip(b"\x00") and size <= max_bytes:
            problems.append(Problem("gzip_trailing_bytes", "bytes behind the gzip stream were ignored"))
    return b"".join(pieces)


def _until_damage(body: bytes, max_bytes: int) -> bytes:
    """What a damaged stream yields before the damage, fed in small pieces."""
    inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
    pieces: list[bytes] = []
    size = 0
    for start in range(0, len(body), 512):
        try:
            piece = inflater.decompress(body[start : start + 512], max(1, max_bytes - size))
        except zlib.error:
            break
        pieces.append(piece)
        size += len(piece)
        if size >= max_bytes:
            break
    return b"".join(pieces)
