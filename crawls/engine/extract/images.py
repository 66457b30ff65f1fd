"""Images of a page: every address that a browser might load for them, lazily or at once."""

from __future__ import annotations

import re
from typing import Any

from crawls.engine.extract.links import Resolver
from crawls.engine.extract.srcset import srcset

MAX_IMAGES = 1_000  # image sitemaps: at most so many for one page
MAX_ADDRESS_CHARS = 2_047
_NOT_ON_THE_WEB = ("data:", "blob:", "about:", "javascript:")
_SRC, _LAZY, _SET, _SIZE = "src", "lazy", "set", "size"
# Where scripts for lazy loading keep the true address (lazysizes, WP Rocket, jQuery Lazyload, a3, Jetpack, lozad).
_ATTRIBUTES = {
    "src": _SRC,
    **dict.fromkeys(("data-src", "data-lazy-src", "data-lazy", "data-original", "data-orig-src", "data-echo"), _LAZY),
    **dict.fromkeys(("srcset", "data-srcset", "data-lazy-srcset", "data-original-set"), _SET),
    **dict.fromkeys(("width", "height"), _SIZE),
}
# Counters of visitors, not pictures.
_TINY = frozenset({"0", "1", "0px", "1px"})
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|trans|lazy|loading|loader|1x1|1px|empty|grey|dummy)"
    r"[^/]*\.(?:gif|png|svg|jpe?g|webp)(?:\?|$)",
    re.IGNORECASE,
)
_STYLE_URL = re.compile(r"url\(\s*(['\"]?)([^'\"()]+)\1\s*\)", re.IGNORECASE)
_STYLE_IMAGE = re.compile(
    r"(?:background|background-image|list-style-image|border-image|mask-image|content)\s*:[^;]*url\(", re.IGNORECASE
)


class ImageBag:
    """The distinct images of one page, in order."""

    def __init__(self, resolver: Resolver) -> None:
        self._address = resolver.address
        self._found: dict[str, None] = {}

    def add_plain_img(self, element: Any) -> None:
        """An img of a page without attributes for lazy loading: src and srcset."""
        get = element.get
        if get("width") in _TINY and get("height") in _TINY:
            return
        src, candidates = get("src"), get("srcset")
        if src:
            self.add(src)
        if candidates:
            for reference in srcset(candidates):
                self.add(reference)

    def add_img(self, element: Any) -> None:
        """An img or image input: every address among its attributes, lazy ones included."""
        src, others, tiny = "", [], 0
        for name, value in element.items():
            kind = _ATTRIBUTES.get(name)
            if kind == _SRC:
                src = value
            elif kind == _SET:
                others.extend(srcset(value))
            elif kind == _SIZE:
                tiny += value in _TINY
            elif kind == _LAZY and ("/" in value or "." in value):
                others.append(value)
        if tiny < 2:
            self._add_all(src, others)

    def _add_all(self, src: str, others: list[str]) -> None:
        # Where something better is named, a picture called "spacer" is one.
        if src and not (others and _PLACEHOLDER.search(src)):
            self.add(src)
        for reference in others:
            self.add(reference)

    def add_source(self, element: Any) -> None:
        """A source of a picture; one of a video or a sound has no srcset (HTML 4.8.2)."""
        for name in ("srcset", "data-srcset", "data-lazy-srcset"):
            value = element.get(name)
            if value:
                for reference in srcset(value):
                    self.add(reference)

    def add_style(self, style: str) -> None:
        """Images that a style attribute puts behind or beside the text."""
        if _STYLE_IMAGE.search(style):
            for match in _STYLE_URL.finditer(style):
                self.add(match.group(2))

    def add(self, reference: str) -> None:
        """One reference; placeholders inside the page are none."""
        if len(self._found) >= MAX_IMAGES:
            return
        if reference[:1] != "/":
            reference = reference.strip()
            if not reference or reference[0] == "#" or reference[:11].lower().startswith(_NOT_ON_THE_WEB):
                return
        address = self._address(reference)
        if address is not None and len(address) <= MAX_ADDRESS_CHARS:
            self._found[address] = None

    def pack(self) -> tuple[str, ...]:
        """The addresses in the order of the page."""
        return tuple(self._found)
