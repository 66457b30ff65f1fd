"""Pages nested deeper than the parser goes: read again as a flat list of elements, so that no link is lost."""

from __future__ import annotations

from typing import Any

from lxml import etree

# libxml2 stops at 2,048 open elements, on the branch that it was on.
_DEPTH_LIMIT = 2_000
_HEAD_TAGS = frozenset({"title", "meta", "link", "base", "script", "style"})
_FRAME_TAGS = frozenset({"html", "head", "body"})
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
    """A tree with every element directly below head or body; order, attributes and text are kept.

    What stands in a template is left out, unless it is a declarative shadow root (HTML 4.12.3).
    """
    # lxml-stubs ask for methods that the parser does without.
    parser = etree.HTMLParser(target=_Flat(), encoding="utf-8", huge_tree=True)  # type: ignore[arg-type]
    return etree.fromstring(body, parser)


class _Flat:
    """Parser target that ignores nesting."""

    def __init__(self) -> None:
        self._root = etree.Element("html")
        self._head = etree.SubElement(self._root, "head")
        self._body = etree.SubElement(self._root, "body")
        self._in_body = False
        self._last: Any = None
        self._open_last = False
        self._text: list[str] = []
        self._templates: list[bool] = []
        self._inert = 0
        self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self._flush()
        self._count += 1
        if tag == "template":
            self._templates.append("shadowrootmode" not in attributes)
            self._inert += self._templates[-1]
        if self._count > MAX_ELEMENTS or self._inert:
            return
        if tag in _FRAME_TAGS:
            self._in_body |= tag == "body"
            self._set(self._root, attributes if tag == "html" else {})
            return
        self._in_body |= tag not in _HEAD_TAGS
        self._last = etree.SubElement(self._body if self._in_body else self._head, tag)
        self._set(self._last, attributes)
        self._open_last = True

    def end(self, tag: str) -> None:
        """An element ends."""
        self._flush()
        self._open_last = False
        if tag == "template" and self._templates:
            self._inert -= self._templates.pop()

    def data(self, text: str) -> None:
        """Text, inside or behind the last element; it comes in many small pieces."""
        if self._last is not None and not self._inert:
            self._text.append(text)

    def close(self) -> Any:
        """The tree."""
        self._flush()
        return self._root

    def _flush(self) -> None:
        if not self._text:
            return
        text = "".join(self._text).replace("\x00", "")
        self._text.clear()
        if self._open_last:
            self._last.text = (self._last.text or "") + text
        else:
            self._last.tail = (self._last.tail or "") + text

    @staticmethod
    def _set(element: Any, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            # Names that no XML tree takes (`@click`, `:href`) mean nothing to us; xlink:href does.
            if name.replace("-", "").isalnum():
                element.set(name, value)
            elif name == "xlink:href" and "href" not in attributes:
                element.set("href", value)
