"""The one pass over a tree, and what it gathers."""

from __future__ import annotations

import re
from typing import Any

from crawls.engine import urls
from crawls.engine.extract import refresh
from crawls.engine.extract.dates import Dates
from crawls.engine.extract.directives import DirectiveBag
from crawls.engine.extract.images import ImageBag
from crawls.engine.extract.links import LinkBag, LinkMemo, Resolver
from crawls.engine.extract.metadata import MAX_LANGUAGE_CHARS, Alternates, Canonicals, title_of

_XLINK = "xlink:href"
# All that is looked for, in one pass: each further one over the tree would cost a tenth of reading the page.
_TAGS = (
    "a", "area", "link", "meta", "img", "source", "input", "image", "iframe", "frame", "script", "title", "main",
)  # fmt: skip
_BODIES = ("body", "frameset")
# With none of these on the page, no image is loaded lazily. Its case matters: without, the search is ten times slower.
_LAZY = re.compile(rb"data-(?:src|lazy|orig|echo)")
_STYLED = re.compile(rb"style\s*=[^>]{0,400}?url\(", re.IGNORECASE)


class Walk:
    """Reads one document. `resolver` is that of its own address; its base element may put another one in its place."""

    def __init__(self, resolver: Resolver, bag: DirectiveBag, max_links: int, *, follow_nofollow: bool) -> None:
        self._document = resolver
        self._directives = bag
        self._max_links, self._follow_nofollow = max_links, follow_nofollow
        self.title = ""
        self.language = ""
        self.refresh = ""
        self.main: Any = None
        self.dates = Dates()
        self.canonicals = Canonicals()
        self.alternates = Alternates()
        self._start_at(resolver)

    def _start_at(self, base: Resolver) -> None:
        self._base = base
        self.links = LinkBag(base, self._max_links, follow_nofollow=self._follow_nofollow)
        self.images = ImageBag(base)

    def read(self, tree: Any, utf8: bytes, memo: LinkMemo, query_codec: str) -> None:
        """Everything in the document but its text; `utf8` are the bytes that the tree was made of."""
        base = _base_of(tree, self._document.base)
        self._start_at(memo.resolver(base, query_codec))
        self.language = (tree.get("lang") or tree.get("xml:lang") or "").strip()[:MAX_LANGUAGE_CHARS]
        if b"url(" in utf8 and _STYLED.search(utf8):
            self._read_all(tree)
        else:
            self._read_some(tree, lazy=_LAZY.search(utf8) is not None)

    def _read_some(self, tree: Any, *, lazy: bool) -> None:
        add_link, visit = self.links.add, self._visit
        add_image = self.images.add_img if lazy else self.images.add_plain_img
        for element in tree.iter(*_TAGS):
            tag = element.tag
            if tag == "a":
                get = element.get
                add_link(get("href") or get(_XLINK), get("rel"))
            elif tag == "img":
                add_image(element)
            else:
                visit(tag, element)

    def _read_all(self, tree: Any) -> None:
        """As `_read_some`, on a page whose style attributes name images too."""
        wanted = frozenset(_TAGS)
        for element in tree.iter():
            style = element.get("style")
            if style:
                self.images.add_style(style)
            if element.tag in wanted:
                self._visit(element.tag, element)

    def _visit(self, tag: str, element: Any) -> None:
        get = element.get
        if tag == "link":
            self._link(element)
        elif tag == "meta":
            self._meta(element)
        elif tag in ("a", "area"):
            self.links.add(get("href") or get(_XLINK), get("rel"))
        elif tag == "source":
            self.images.add_source(element)
        elif tag == "image":
            # In SVG an element of its own, in HTML what parsers read as img (HTML 13.2.6.4.7).
            self.images.add(get("href") or get(_XLINK) or get("src") or "")
        elif tag == "img" or (tag == "input" and (get("type") or "").lower() == "image"):
            self.images.add_img(element)
        elif tag in ("iframe", "frame"):
            self.links.add(get("src"))
        else:
            self._visit_text(tag, element)

    def _visit_text(self, tag: str, element: Any) -> None:
        if tag == "script":
            if "ld+json" in (element.get("type") or "").lower() and element.text:
                self.dates.add_json_ld(element.text)
        elif tag == "title":
            # The title of the document is the first one that is none of a drawing (HTML 3.1.5).
            if not self.title and next(element.iterancestors("svg"), None) is None:
                self.title = title_of(element.text)
        elif tag == "main" and self.main is None:
            self.main = element

    def _link(self, element: Any) -> None:
        rel = (element.get("rel") or "").lower().split()
        if "canonical" in rel:
            # Elsewhere it counts for nothing (Google: rel=canonical must be in the head).
            if _in_head(element):
                self.canonicals.add(element.get("href") or "", self._base)
        elif "alternate" in rel and element.get("hreflang") and _in_head(element):
            self.alternates.add(element.get("hreflang"), element.get("href") or "", self._base)

    def _meta(self, element: Any) -> None:
        get = element.get
        name = get("name")
        content = get("content") or ""
        pragma = (get("http-equiv") or "").strip().lower()
        self.dates.add_meta((get("property") or name or get("itemprop") or pragma).lower(), content)
        if (name or pragma == "refresh") and not _in_noscript(element):
            if name:
                self._directives.add_meta(name, content)
            if pragma == "refresh":
                self.take_refresh(content, self._base)

    def take_refresh(self, content: str, base: Resolver) -> None:
        """A refresh, of meta or header; the first that leads elsewhere at once counts."""
        reference = refresh.reference(content)
        address = base.address(reference) if reference else None
        if address is not None and not self.refresh and urls.key_of(address) != urls.key_of(self._document.base):
            self.refresh = address


def _base_of(tree: Any, document: str) -> str:
    """The address that references are relative to (HTML 2.4.1): the first base with href, if it is one of the web."""
    for element in tree.iter("base"):
        href = element.get("href")
        if href is not None:
            return urls.resolve(href, document) or document
    return document


def _in_head(element: Any) -> bool:
    """Whether an element belongs to the head: in it, or before any body (HTML 13.2.6.4.6, "after head")."""
    parent = element.getparent()
    while parent is not None and (above := parent.getparent()) is not None:
        element, parent = parent, above
    if element.tag in _BODIES:
        return False
    return next(element.itersiblings(*_BODIES, preceding=True), None) is None


def _in_noscript(element: Any) -> bool:
    return next(element.iterancestors("noscript"), None) is not None
