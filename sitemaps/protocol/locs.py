"""Addresses in sitemaps: as the WHATWG URL standard writes them, resolved where they are relative."""

from __future__ import annotations

import re

import ada_url

# Paths that the parser would leave as they are: nothing to encode, no dot segments.
_PLAIN = re.compile(
    r"(?:/(?!\.)[A-Za-z0-9_~!$&()*+,;=:@%-]*(?:\.(?![./])[A-Za-z0-9_~!$&()*+,;=:@%-]++)*+)++(?:\?[A-Za-z0-9_~!$&()*+,;=:@%/?.-]*)?"
)
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]+)?")
_PLAIN_TAIL = re.compile(r"[A-Za-z0-9/_~=?!$*()+,;:@.-]+").fullmatch
# What WHATWG lets stand bare behind the host and RFC 3986 does not; sitemaps.org asks for the latter.
_NOT_RFC_3986 = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~:/?@!$&'()*+,;=%-]")
_MAX_ORIGINS = 10_000


class Locator:
    """Resolves the references of one document. `relative` counts those that were not absolute."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._origins: dict[str, bool] = {}
        self.relative = 0

    def resolve(self, reference: str) -> str | None:
        """The http(s) address that a reference means, without fragment; None when it means none."""
        origin = reference[: reference.find("/", 8)]
        known = self._origins.get(origin)
        if known is None:
            known = self._learn(origin)
        if known and _PLAIN.fullmatch(reference, len(origin)):
            return reference
        return self._by_the_book(reference)

    def _learn(self, origin: str) -> bool:
        canonical = _ORIGIN.fullmatch(origin) is not None and _normal(f"{origin}/") == f"{origin}/"
        if len(self._origins) < _MAX_ORIGINS:
            self._origins[origin] = canonical
        return canonical

    def _by_the_book(self, reference: str) -> str | None:
        if not reference:
            return None
        address = _normal(reference)
        if address is None:
            try:
                address = ada_url.join_url(self._base, reference)
            except (ValueError, UnicodeEncodeError):
                return None
            self.relative += 1
        return address.partition("#")[0] if address.startswith(("http://", "https://")) else None


def _normal(text: str) -> str | None:
    try:
        return ada_url.normalize_url(text)
    except (ValueError, UnicodeEncodeError):
        return None


def serialize(address: str) -> str | None:
    """An absolute http(s) address as it may stand in a loc (RFC 3986), or None."""
    url = _normal(address)
    if url is None or not url.startswith(("http://", "https://")):
        return None
    url = url.partition("#")[0]
    start = url.find("/", 8)
    return url[:start] + _NOT_RFC_3986.sub(_escape, url[start:])


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{octet:02X}" for octet in match.group().encode())


class Addresses:
    """Tells, quickly, addresses that are for certain as the WHATWG parser would write them, with nothing to escape."""

    def __init__(self) -> None:
        self._origins: set[str] = set()

    def is_plain(self, address: str) -> bool:
        """Whether nothing need be done to an address; False may also mean: not known."""
        start = address.find("/", 8)
        origin = address[:start]
        if origin not in self._origins and not self._learn(origin):
            return False
        return _PLAIN_TAIL(address, start) is not None and "/." not in address

    def _learn(self, origin: str) -> bool:
        if _ORIGIN.fullmatch(origin) is None or _normal(f"{origin}/") != f"{origin}/":
            return False
        if len(self._origins) < _MAX_ORIGINS:
            self._origins.add(origin)
        return True
