"""Pages nested deeper than the parser goes: read again as a flat list of elements, so that no link is lost."""

from __future__ import annotations

from typing import Any

from lxml import etree

# libxml2 stops at 2,048 open elements, on the branch that it was on.
_DEPTH_LIMIT = 2_000
_HEAD_TAGS = frozenset({"title", "meta", "link", "base"})
MAX_ELEMENTS = 500_000


def is_cut_short(tree: Any) -> bool:
    """Whether the parser gave up on this document because it nests too deep."""
    depth, element = 0, tree
    while len(element):
        element = element[-1]
        depth += 1
        if depth >= _DEPTH_LIMIT:
            return True
    return False


def flat_tree(body: bytes) -> Any:
    """A tree with every element directly below head or body; order, attributes and text are kept."""
    # lxml-stubs ask for methods that the parser does without.
    parser = etree.HTMLParser(target=_Flat(), encoding="utf-8", huge_tree=True)  # type: ignore[arg-type]
    return etree.fromstring(body, parser)


class _Flat:
    """Parser target that ignores nesting."""

    def __init__(self) -> None:
        self._root = etree.Element("html")
        self._head = etree.SubElement(self._root, "head")
        self._body = etree.SubElement(self._root, "body")
        self._last: Any = None
        self._open_last = False
        self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self._count += 1
        if self._count > MAX_ELEMENTS or tag in ("html", "head", "body"):
            return
        parent = self._head if tag in _HEAD_TAGS else self._body
        self._last = etree.SubElement(parent, tag)
        for name, value in attributes.items():
            if name.isidentifier() or name.replace("-", "").isalnum():
                self._last.set(name, value)
        self._open_last = True

    def end(self, tag: str) -> None:
        """An element ends."""
        self._open_last = False

    def data(self, text: str) -> None:
        """Text, inside or behind the last element."""
        if self._last is None or "\x00" in text:
            return
        if self._open_last:
            self._last.text = (self._last.text or "") + text
        else:
            self._last.tail = (self._last.tail or "") + text

    def close(self) -> Any:
        """The tree."""
        return self._root
