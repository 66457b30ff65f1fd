"""Images of a page: every address that a browser might load for them."""

from __future__ import annotations

import re
from typing import Any

from crawls.engine.extract.links import Resolver

MAX_IMAGES = 1_000
_PLACEHOLDERS = ("data:", "blob:", "about:", "javascript:")
_LAZY = (
    "data-src", "data-lazy-src", "data-original", "data-lazy", "data-url", "data-echo", "data-image",
    "data-hi-res-src", "data-full-src",
)  # fmt: skip
_LAZY_SETS = ("data-srcset", "data-lazy-srcset", "data-original-set")
_ONE, _SET = "one", "set"
_ATTRIBUTES = {**dict.fromkeys(("src", *_LAZY), _ONE), **dict.fromkeys(("srcset", *_LAZY_SETS), _SET)}
_BLANK = " \t\n\r\f"
# What nearly every srcset consists of; anything else goes the long way.
_CANDIDATE = re.compile(r"\s*([^\s,]\S*[^\s,])\s+[0-9.]+[wx]\s*(?:,|$)")


def srcset(text: str) -> list[str]:
    """The addresses of a srcset attribute (HTML 4.8.4.3.10): commas inside an address belong to it."""
    quick: list[str] = []
    position = 0
    while match := _CANDIDATE.match(text, position):
        quick.append(match.group(1))
        position = match.end()
    return quick if quick and position == len(text) else _srcset_by_the_book(text)


def _srcset_by_the_book(text: str) -> list[str]:
    found: list[str] = []
    position, end = 0, len(text)
    while position < end:
        while position < end and text[position] in _BLANK + ",":
            position += 1
        start = position
        while position < end and text[position] not in _BLANK:
            position += 1
        address = text[start:position]
        if address.endswith(","):
            address = address.rstrip(",")
        else:
            position = _after_descriptors(text, position)
        if address:
            found.append(address)
    return found


def _after_descriptors(text: str, position: int) -> int:
    depth = 0
    while position < len(text):
        char = text[position]
        if char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif char == "," and not depth:
            return position + 1
        position += 1
    return position


class ImageBag:
    """The distinct images of one page, in order."""

    def __init__(self, resolver: Resolver) -> None:
        self._address = resolver.address
        self._found: dict[str, None] = {}

    def add_plain(self, element: Any) -> None:
        """An img, source of a picture, or image input: src and srcset."""
        source, candidates = element.get("src"), element.get("srcset")
        if source:
            self.add(source)
        if candidates:
            for reference in srcset(candidates):
                self.add(reference)

    def add_lazy(self, element: Any) -> None:
        """The same, with the attributes from which scripts load images later."""
        for name, value in element.items():
            kind = _ATTRIBUTES.get(name)
            if kind == _ONE:
                self.add(value)
            elif kind == _SET:
                for reference in srcset(value):
                    self.add(reference)

    def add(self, reference: str) -> None:
        """One reference; placeholders inside the page are none."""
        if len(self._found) >= MAX_IMAGES:
            return
        if reference[:1] != "/":
            reference = reference.strip()
            if not reference or reference[:11].lower().startswith(_PLACEHOLDERS):
                return
        address = self._address(reference)
        if address is not None:
            self._found[address] = None

    def pack(self) -> tuple[str, ...]:
        """The addresses in the order of the page."""
        return tuple(self._found)
