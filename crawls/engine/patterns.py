"""Matching a path with a robots.txt pattern: `*` for anything, a trailing `$` for the end (RFC 9309 section 2.2.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_RAW = re.compile(r"[^\x21-\x7e]|%(?![0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def normal_form(text: str) -> str:
    """Percent-encoding as both sides must have it before they are compared (RFC 9309 section 2.2.2).

    Octets outside ASCII are encoded, unreserved ones decoded, hex written in upper case; reserved escapes stay.
    """
    if not text.isascii() or " " in text:
        text = _RAW.sub(_encode, text)
    return _ESCAPE.sub(_one, text) if "%" in text else text


def _encode(match: re.Match[str]) -> str:
    char = match.group()
    if char == "%":
        return char
    return "".join(f"%{octet:02X}" for octet in char.encode("utf-8", "surrogateescape"))


def _one(match: re.Match[str]) -> str:
    char = chr(int(match.group(1), 16))
    return char if char in _UNRESERVED else match.group().upper()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern cut at its stars: the first piece stands at the start, the others follow in order.

    `octets` is the length that decides which rule is the most specific.
    """

    pieces: tuple[str, ...]
    anchored: bool
    octets: int

    @classmethod
    def of(cls, text: str) -> Pattern:
        """Compile a pattern as it stands in the file."""
        written = normal_form(text)
        anchored = written.endswith("$")
        body = written[:-1] if anchored else written
        return cls(tuple(re.split(r"\*+", body)), anchored, len(written))

    def matches(self, target: str) -> bool:
        """Whether a target (path and query in normal form) matches; time grows with its length, never faster."""
        first = self.pieces[0]
        if not target.startswith(first):
            return False
        if len(self.pieces) == 1:
            return not self.anchored or len(target) == len(first)
        position = len(first)
        for piece in self.pieces[1:-1]:
            found = target.find(piece, position)
            if found < 0:
                return False
            position = found + len(piece)
        last = self.pieces[-1]
        if self.anchored:
            return len(target) - len(last) >= position and target.endswith(last)
        return target.find(last, position) >= 0
