"""One response in, one page out: decoded, parsed once, walked once.

bytes -> charset -> UTF-8 -> lxml tree -> one pass over some tags -> text of what is left -> Page
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lxml import etree

from crawls.engine import urls
from crawls.engine.errors import Code, Failure
from crawls.engine.extract import charsets, sniff
from crawls.engine.extract.directives import DirectiveBag
from crawls.engine.extract.fingerprint import fingerprint
from crawls.engine.extract.flat import flat_tree, is_cut_short
from crawls.engine.extract.headers import link_header
from crawls.engine.extract.images import ImageBag
from crawls.engine.extract.links import LinkBag, LinkMemo, Resolver
from crawls.engine.extract.metadata import Alternates, Canonicals, Dates, from_link_header, title_of
from crawls.engine.policy import Policy
from crawls.engine.records import Page, Response, Robots

_XLINK = "xlink:href"
_IMAGE_TAGS = frozenset({"img", "source"})
_TAGS = ("a", "area", "link", "meta", "img", "source", "input", "image", "iframe", "frame")
_BOILERPLATE = ("script", "style", "noscript", "header", "nav", "footer", "aside", "svg", "template")
_HEAD_NOSCRIPT = re.compile(rb"<noscript\b.*?</noscript\s*>", re.IGNORECASE | re.DOTALL)
_REFRESH = re.compile(
    r"\s*([0-9]+(?:\.[0-9]*)?)?\s*[;,]?\s*(?:url\s*=\s*)?(['\"]?)(.*?)\2\s*$", re.IGNORECASE | re.DOTALL
)
_REFRESH_AT_ONCE_S = 5.0


# A tag with tens of thousands of attributes costs the parser time with their square; no page means one.
_LARGE_BYTES = 131_072
_MAX_TAG_BYTES = 65_536
_MONSTROUS_TAG = re.compile(rb"<[A-Za-z](?:[^<>]{65536,}+|(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+'){8000,}+)", re.DOTALL)


def _cut_tag(match: re.Match[bytes]) -> bytes:
    start = match.group()[:_MAX_TAG_BYTES]
    return start[: max(start.rfind(b" "), 2)]


@dataclass(frozen=True, slots=True)
class Extraction:
    """What of the policy concerns reading pages."""

    product_token: str
    googlebot_counts: bool
    max_links: int
    follow_nofollow: bool

    @classmethod
    def of(cls, policy: Policy) -> Extraction:
        """The part of a policy."""
        return cls(
            policy.fetching.product_token.lower(),
            policy.googlebot_noindex_counts,
            policy.max_links_per_page,
            policy.follow_nofollow,
        )


class Extractor:
    """Reads pages for one thread: keeps its parser and what references meant."""

    def __init__(self, options: Extraction) -> None:
        self._options = options
        self._memo = LinkMemo()
        self._parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)

    def read(self, response: Response) -> Page | Failure:
        """The page that a response carries; `parse_failed` when its HTML cannot be read at all."""
        kind, charset = sniff.content_type(response.header("content-type"))
        html = sniff.is_html(kind, response.body)
        walk = _Walk(response, self._memo.resolver(response.url), self._options)
        walk.read_headers()
        if html:
            body, codec = charsets.to_utf8(response.body, charset)
            walk.encoded_in(codec)
            tree = self._parse(body)
            if tree is None:
                return Failure(Code.PARSE_FAILED, "the page is empty or no HTML", response.status)
            walk.read_tree(tree, self._memo)
        return walk.page(kind, html=html)

    def _parse(self, body: bytes) -> Any | None:
        if len(body) > _LARGE_BYTES:
            body = _MONSTROUS_TAG.sub(_cut_tag, body)
        body_at = body.find(b"<body")
        if 0 <= body.find(b"<noscript") < body_at:
            # With scripts on, as everybody has them, noscript in the head is text; parsed, it could end the head.
            body = _HEAD_NOSCRIPT.sub(b"", body[:body_at]) + body[body_at:]
        try:
            tree = etree.fromstring(body, self._parser)
        except (etree.XMLSyntaxError, ValueError):
            return None
        if tree is None:
            return None  # nothing but comments or blanks
        return flat_tree(body) if is_cut_short(tree) else tree


class _Walk:
    """The one pass over a tree, and what it gathers."""

    def __init__(self, response: Response, resolver: Resolver, options: Extraction) -> None:
        self._response = response
        self._options = options
        self._warnings: list[str] = []
        self._title = ""
        self._language = ""
        self._refresh = ""
        self._fingerprint = ""
        self._dates = Dates()
        self._directives = DirectiveBag(options.product_token, options.googlebot_counts)
        self._rebase(resolver)

    def _rebase(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._links = LinkBag(resolver, self._options.max_links)
        self._images = ImageBag(resolver)
        self._canonicals = Canonicals(resolver)
        self._alternates = Alternates(resolver)

    def encoded_in(self, codec: str) -> None:
        """The page's encoding: queries of its links are written in it (WHATWG URL section 4.4, query state)."""
        self._resolver.query_codec = "" if codec.startswith("utf") else codec

    def read_headers(self) -> None:
        """Link and X-Robots-Tag, for every kind of document."""
        self._directives.add_headers(self._response.header_lines("x-robots-tag"))
        self._header_links = list(link_header(self._response.header_lines("link")))

    def read_tree(self, tree: Any, memo: LinkMemo) -> None:
        """Everything in the document."""
        if tree.find(".//template") is not None:
            _drop_inert_templates(tree)
        base = tree.find(".//base[@href]")
        if base is not None:
            address = urls.resolve(base.get("href"), self._response.url)
            if address is not None:
                codec = self._resolver.query_codec
                self._rebase(memo.resolver(address))
                self._resolver.query_codec = codec
        self._language = (tree.get("lang") or "")[:35]
        self._title = title_of(tree.findtext("head/title"))
        self._walk(tree)
        if b"ld+json" in self._response.body:
            self._read_json_ld(tree)
        self._read_text(tree)

    def _walk(self, tree: Any) -> None:
        add_link, visit, images = self._links.add, self._visit, self._images
        follow_all = self._options.follow_nofollow
        add_image = images.add_lazy if b"data-" in self._response.body else images.add_plain
        for element in tree.iter(*_TAGS):
            tag = element.tag
            if tag == "a":
                get = element.get
                add_link(get("href") or get(_XLINK), None if follow_all else get("rel"))
            elif tag in _IMAGE_TAGS:
                add_image(element)
            else:
                visit(tag, element)

    def _visit(self, tag: str, element: Any) -> None:
        if tag == "link":
            self._link(element)
        elif tag == "meta":
            self._meta(element)
        elif tag == "area":
            self._links.add(element.get("href"), element.get("rel"))
        elif tag == "image":
            self._images.add(element.get("href") or element.get(_XLINK) or "")
        elif tag == "input":
            if element.get("type", "").lower() == "image":
                self._images.add_plain(element)
        else:
            self._links.add(element.get("src"))

    def _read_json_ld(self, tree: Any) -> None:
        for script in tree.iter("script"):
            if "ld+json" in (script.get("type") or "") and script.text:
                self._dates.add_json_ld(script.text)

    def _read_text(self, tree: Any) -> None:
        content = tree.find(".//main")
        if content is None:
            content = tree.find(".//article")
        if content is None:
            content = tree.find("body")
        if content is not None:
            etree.strip_elements(content, *_BOILERPLATE, with_tail=False)
            self._fingerprint = fingerprint(content, urls.split(self._response.url).path)

    def _link(self, element: Any) -> None:
        rel = (element.get("rel") or "").lower().split()
        if "canonical" not in rel and "alternate" not in rel:
            return
        if not _in_head(element):
            return
        if "canonical" in rel:
            self._canonicals.add(element.get("href") or "")
        elif element.get("hreflang"):
            self._alternates.add(element.get("hreflang"), element.get("href") or "")

    def _meta(self, element: Any) -> None:
        name = (element.get("name") or element.get("property") or "").lower()
        content = element.get("content") or ""
        if name:
            self._directives.add_meta(name, content)
            self._dates.add_meta(name, content)
        elif (element.get("http-equiv") or "").lower() == "refresh" and not self._refresh and _with_scripts(element):
            self._refresh = self._refresh_target(content)

    def _refresh_target(self, content: str) -> str:
        match = _REFRESH.match(content)
        if match is None or not match.group(3) or float(match.group(1) or 0) > _REFRESH_AT_ONCE_S:
            return ""
        target = urls.resolve(match.group(3), self._resolver.base)
        return target if target and urls.key_of(target) != urls.key_of(self._response.url) else ""

    def page(self, kind: str, *, html: bool) -> Page:
        """What was gathered."""
        response = self._response
        from_link_header(self._header_links, self._canonicals, self._alternates)
        canonical = self._canonicals.usable(self._warnings)
        date, source = self._dates.best(response.header("last-modified"))
        robots: Robots = self._directives.robots()
        return Page(
            requested=response.requested,
            url=response.url,
            status=response.status,
            hops=response.hops,
            content_type=kind,
            is_html=html,
            truncated=response.truncated,
            title=self._title,
            language=self._language,
            canonical=canonical,
            robots=robots,
            links=self._links.pack(),
            nofollow_links=self._links.nofollow,
            images=() if robots.noimageindex else self._images.pack(),
            alternates=self._alternates.pack(),
            refresh=self._refresh,
            fingerprint=self._fingerprint,
            lastmod=date,
            lastmod_source=source,
            warnings=tuple(self._warnings),
            attachment=response.header("content-disposition").strip().lower().startswith("attachment"),
            rendered=response.rendered,
            elapsed_s=response.elapsed_s,
            ttfb_s=response.ttfb_s,
            body_bytes=len(response.body),
            wire_bytes=response.wire_bytes,
            requests=response.requests,
        )


def _in_head(element: Any) -> bool:
    return bool(next(element.iterancestors("body", "head"), element).tag == "head")


def _with_scripts(element: Any) -> bool:
    """Whether a browser that runs scripts sees the element: none inside noscript."""
    return next(element.iterancestors("noscript"), None) is None


def _drop_inert_templates(tree: Any) -> None:
    """Empty every template that is no declarative shadow root: its content is no part of the page (HTML 4.12.3)."""
    for template in list(tree.iter("template")):
        if template.get("shadowrootmode") is None:
            template.clear(keep_tail=True)
