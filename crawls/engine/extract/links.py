"""Addresses on a page: resolved as a browser would, remembered, packed."""

from __future__ import annotations

import re
from array import array

from crawls.engine import urls
from crawls.engine.records import Links

# What template engines and broken scripts leave behind; WHATWG would take it, no site means it.
_GARBAGE = re.compile(r"\{\{|\}\}|\$\{|<|>|[\"]|%7B%7B|%3C%25", re.IGNORECASE)
# Paths whose resolving is certain without asking: no dots but one before the ending, nothing to encode.
_PLAIN_PATH = re.compile(r"(?:/[A-Za-z0-9_~-]+)+(?:/|\.[A-Za-z0-9]+)?")
_MEMO_SIZE = 20_000

Target = tuple[int, str]


class LinkMemo:
    """What references meant, kept over the pages of one worker: the same navigation stands on every page."""

    def __init__(self) -> None:
        self._by_base: dict[str, dict[str, Target | None]] = {}
        self._size = 0

    def resolver(self, base: str) -> Resolver:
        """A resolver for the references of a page whose base address is `base`."""
        if self._size > _MEMO_SIZE:
            self._by_base.clear()
            self._size = 0
        return Resolver(self, base)

    def known(self, base: str) -> dict[str, Target | None]:
        """The memory for one base."""
        return self._by_base.setdefault(base, {})

    def grew(self, by: int) -> None:
        """So many references more are remembered."""
        self._size += by


class Resolver:
    """Turns references of one page into (key, cleaned address)."""

    def __init__(self, memo: LinkMemo, base: str) -> None:
        self.base = base
        self.query_codec = ""
        self._memo = memo
        self._origin = urls.origin(base)
        path = base.partition("?")[0]
        self.for_origin = memo.known(self._origin)
        self._for_folder = memo.known(path[: path.rfind("/") + 1])

    def target(self, reference: str) -> Target | None:
        """Key and address of a link, or None when it is no link to fetch."""
        if self.query_codec and not reference.isascii():
            return self._resolve(self._with_query_encoded(reference))
        first = reference[:1]
        if first == "/" or reference.startswith(("http://", "https://")):
            known = self.for_origin
        elif first in ("?", ""):
            return self._resolve(reference)
        else:
            known = self._for_folder
        try:
            return known[reference]
        except KeyError:
            target = known[reference] = self._resolve(reference)
            self._memo.grew(1)
            return target

    def address(self, reference: str) -> str | None:
        """The address of an image or other resource, as it is; None when it is not on the web."""
        if _PLAIN_PATH.fullmatch(reference):
            return self._origin + reference
        if reference.startswith(self._origin) and _PLAIN_PATH.fullmatch(reference, len(self._origin)):
            return reference
        return urls.resolve(reference, self.base)

    def _with_query_encoded(self, reference: str) -> str:
        """The reference with its query in the page's own encoding; the rest is UTF-8 as everywhere."""
        rest, mark, fragment = reference.partition("#")
        head, asks, query = rest.partition("?")
        return f"{head}{asks}{''.join(map(self._in_query, query))}{mark}{fragment}"

    def _in_query(self, char: str) -> str:
        if char.isascii():
            return char
        try:
            return "".join(f"%{octet:02X}" for octet in char.encode(self.query_codec))
        except UnicodeEncodeError:
            return f"%26%23{ord(char)}%3B"  # WHATWG Encoding section 4.3: as a character reference, escaped

    def _resolve(self, reference: str) -> Target | None:
        if _PLAIN_PATH.fullmatch(reference):
            address = urls.clean(self._origin + reference)
            return urls.key_of(address), address
        if _GARBAGE.search(reference.strip()):
            return None
        resolved = urls.resolve(reference, self.base)
        if resolved is None:
            return None
        address = urls.clean(resolved)
        return urls.key_of(address), address


class LinkBag:
    """The distinct links of one page, up to a limit."""

    def __init__(self, resolver: Resolver, limit: int) -> None:
        self._target = resolver.target
        self._known = resolver.for_origin
        self._limit = limit
        self._found: dict[int, str] = {}
        self.nofollow = 0

    def add(self, reference: str | None, rel: str | None = None) -> None:
        """Take in one reference with its rel tokens; fragments of the page itself are no links."""
        if not reference or reference[0] == "#":
            return
        if rel and "nofollow" in rel.lower().split():
            self.nofollow += 1
            return
        # Nearly every link is one that the site's other pages have too.
        target = self._known.get(reference) or self._target(reference)
        if target is not None and len(self._found) < self._limit:
            self._found.setdefault(*target)

    def pack(self) -> Links:
        """Keys and addresses, in the order of the page."""
        return Links(array("q", self._found).tobytes(), "\n".join(self._found.values()))
