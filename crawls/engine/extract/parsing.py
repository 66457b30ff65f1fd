"""Bytes to a tree, in bounded time and whatever the bytes are."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from crawls.engine.extract.flat import flat_tree, is_cut_short

# The parser's time grows with the square of the attributes of one tag: 0.3 s for what fits into so many bytes.
_LARGE_BYTES = 65_536
_MAX_ATTRIBUTES = 1_000
# A tag of so many attributes, quoted values included; possessive, so that no byte is looked at twice.
_MONSTROUS_TAG = re.compile(rb"<[A-Za-z](?:[\s/]*+[^\s\"'<>/]++(?:\"[^\"]*+\"|'[^']*+')?+){%d,}+" % _MAX_ATTRIBUTES)
_FIRST_ATTRIBUTES = re.compile(rb"<[^\s/>]*(?:[\s/]*+[^\s\"'<>/]++(?:\"[^\"]*+\"|'[^']*+')?+){0,100}")


def new_parser() -> Any:
    """A parser to be kept by one thread: lenient, without comments, deep and long text allowed."""
    return etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)


def parse(utf8: bytes, parser: Any) -> Any | None:
    """The root of the document, None for one without any element; never raises for what the bytes are."""
    if len(utf8) > _LARGE_BYTES:
        utf8 = _MONSTROUS_TAG.sub(_first_attributes, utf8)
    try:
        tree = _whole(etree.fromstring(utf8, parser))
        if tree is not None and is_cut_short(tree):
            tree = flat_tree(utf8)
    except (etree.LxmlError, ValueError):
        return None
    if tree is not None:
        _drop_inert(tree)
    return tree


def _whole(tree: Any | None) -> Any | None:
    """The tree with what follows `</html>`; libxml2 begins a second root there, HTML goes on (13.2.6.4.20)."""
    if tree is not None and tree.getnext() is not None:
        tree.extend(list(tree.itersiblings(etree.Element)))
    return tree


def _first_attributes(match: re.Match[bytes]) -> bytes:
    kept = _FIRST_ATTRIBUTES.match(match.group())
    return kept.group() if kept else b""


def _drop_inert(tree: Any) -> None:
    """Empty what a browser with scripts would not read: templates that are no shadow roots, and noscript in the head.

    (HTML 4.12.3 and 4.12.2. In the body noscript is kept: what it holds is meant for readers like us.)
    """
    for element in list(tree.iter("template", "noscript")):
        if element.tag == "template":
            inert = element.get("shadowrootmode") is None
        else:
            parent = element.getparent()
            inert = parent is not None and parent.tag == "head"
        if inert:
            element.clear(keep_tail=True)
