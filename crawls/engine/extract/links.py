"""Addresses on a page: resolved as a browser would (WHATWG URL section 4.4), remembered, packed."""

from __future__ import annotations

import re
from array import array
from urllib.parse import quote

from crawls.engine import urls
from crawls.engine.records import Links

# Longer ones are reported as too long by the scope; beyond this they are not even kept.
MAX_REFERENCE_CHARS = 8_192
# What template engines and broken scripts leave behind; WHATWG would take it, no site means it.
_GARBAGE = re.compile(
    r"""[<>"]|\{\{|\}\}|\{%|%\}|\$\{|\#\{|\[\[|\]\]|\{[A-Za-z_][\w.]*\}|^'|'$|'\s*\+|\+\s*'|%7B%7B|%3C%|%24%7B""",
    re.IGNORECASE,
)
# A look for one character first: nearly every reference has none of these.
_SUSPICIOUS = re.compile(r"[<>\"'{}\[\]%$#+]")
# Paths whose resolving is certain without asking: no dots but one before the ending, nothing to encode.
_PLAIN_PATH = re.compile(r"(?:/[A-Za-z0-9_~-]+)+(?:/|\.[A-Za-z0-9]+)?")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_C0_AND_SPACE = "".join(map(chr, range(33)))
_BY_ORIGIN = ("/", "http://", "https://")

Target = tuple[int, str]


class LinkMemo:
    """What references meant, kept over the pages of one worker: the same navigation stands on every page.

    Holds up to `max_entries` references and forgets all of them when it is full. Not thread-safe.
    """

    def __init__(self, max_entries: int = 20_000) -> None:
        self._max_entries = max_entries
        self._by_base: dict[str, dict[str, Target | None]] = {}
        self._entries = 0

    def __len__(self) -> int:
        return self._entries

    def resolver(self, base: str, query_codec: str = "utf-8") -> Resolver:
        """A resolver for the references of a page whose base address is `base`."""
        if self._entries > self._max_entries:
            self._by_base.clear()
            self._entries = 0
        return Resolver(self, base, query_codec)

    def known(self, base: str) -> dict[str, Target | None]:
        """The memory for one base."""
        known = self._by_base.get(base)
        if known is None:
            known = self._by_base[base] = {}
            self._entries += 1
        return known

    def grew(self) -> None:
        """One reference more is remembered."""
        self._entries += 1


class Resolver:
    """Turns references of one page into (key, cleaned address).

    `query_codec` is the page's encoding: other than paths, queries are percent-encoded in it (WHATWG URL section 5.1).
    """

    def __init__(self, memo: LinkMemo, base: str, query_codec: str = "utf-8") -> None:
        self.base = base
        self._memo = memo
        self._codec = "" if query_codec == "utf-8" else query_codec
        self._origin = urls.origin(base)
        path = base.partition("?")[0]
        self.for_origin = memo.known(f"{self._codec} {self._origin}")
        self._for_folder = memo.known(f"{self._codec} {path[: path.rfind('/') + 1]}")

    def target(self, reference: str) -> Target | None:
        """Key and address of a link, or None when it is no link to fetch."""
        if reference.startswith(_BY_ORIGIN):
            known = self.for_origin
        elif reference[:1] <= " " or reference[:1] == "?" or ":" in reference:
            return self._unusual(reference)
        else:
            known = self._for_folder
        try:
            return known[reference]
        except KeyError:
            target = self._resolve(reference)
            if len(reference) <= MAX_REFERENCE_CHARS:
                known[reference] = target
                self._memo.grew()
            return target

    def address(self, reference: str) -> str | None:
        """The address of an image or other resource, as it is; None when it is not on the web."""
        if _PLAIN_PATH.fullmatch(reference):
            return self._origin + reference
        if reference.startswith(self._origin) and _PLAIN_PATH.fullmatch(reference, len(self._origin)):
            return reference
        return self._by_the_book(reference.strip(_C0_AND_SPACE))

    def _unusual(self, reference: str) -> Target | None:
        # References in blanks, with a scheme, or relative to the page itself: none of them may be remembered by folder.
        stripped = reference.strip(_C0_AND_SPACE)
        if stripped != reference:
            return self.target(stripped) if stripped and stripped[0] != "#" else None
        return self._resolve(reference)

    def _resolve(self, reference: str) -> Target | None:
        if len(reference) <= MAX_REFERENCE_CHARS and _PLAIN_PATH.fullmatch(reference):
            address = urls.clean(self._origin + reference)
            return urls.key_of(address), address
        resolved = self._by_the_book(reference)
        if resolved is None:
            return None
        address = urls.clean(resolved)
        return urls.key_of(address), address

    def _by_the_book(self, reference: str) -> str | None:
        if len(reference) > MAX_REFERENCE_CHARS or (_SUSPICIOUS.search(reference) and _GARBAGE.search(reference)):
            return None
        if self._codec and not reference.isascii():
            reference = _encode_query(reference, self._codec)
        address = urls.resolve(reference, self.base)
        return address if address is None else _plain_host(address)


def _encode_query(reference: str, codec: str) -> str:
    """The query in the page's own encoding; what that cannot say becomes a character reference (URL section 5.1)."""

    def encode(match: re.Match[str]) -> str:
        return quote(match.group().encode(codec, "xmlcharrefreplace"), safe="@[\\]^_`{|}~")

    rest, mark, fragment = reference.partition("#")
    path, question, query = rest.partition("?")
    return path + question + _NOT_ASCII.sub(encode, query) + mark + fragment


def _plain_host(address: str) -> str:
    """The address without the dot that may end a host: `example.com.` is `example.com` (RFC 3986 section 3.2.2)."""
    origin = urls.origin(address)
    scheme, _, host = origin.partition("://")
    name, colon, port = host.rpartition(":") if not host.endswith((".", "]")) else (host, "", "")
    name = name or host
    if not name.endswith("."):
        return address
    return f"{scheme}://{name[:-1]}{colon}{port}{address[len(origin) :]}"


class LinkBag:
    """The distinct links of one page, up to a limit."""

    def __init__(self, resolver: Resolver, limit: int, *, follow_nofollow: bool) -> None:
        self._target = resolver.target
        self._known = resolver.for_origin
        self._limit = limit
        self._follow_nofollow = follow_nofollow
        self._found: dict[int, str] = {}
        self.nofollow = 0

    def add(self, reference: str | None, rel: str | None = None) -> None:
        """Take in one reference with its rel tokens; fragments of the page itself are no links."""
        if not reference or len(self._found) >= self._limit:
            return
        if rel and not self._follow_nofollow and "nofollow" in rel.lower().split():
            self.nofollow += 1
            return
        # Nearly every link is one that the site's other pages have too.
        target = self._known.get(reference)
        if target is None and reference[0] != "#":
            target = self._target(reference)
        if target is not None:
            # The first spelling wins: it is the one that the page's reader would click first.
            self._found.setdefault(*target)

    def pack(self) -> Links:
        """Keys and addresses, in the order of the page."""
        return Links(array("q", self._found).tobytes(), "\n".join(self._found.values()))
