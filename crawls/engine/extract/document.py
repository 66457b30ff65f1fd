"""One response in, one page out: decoded, parsed once, walked once.

bytes -> charset -> UTF-8 -> lxml tree -> one pass over some tags -> text of what is left -> Page
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crawls.engine.errors import Code, Failure
from crawls.engine.extract import charsets, sniff
from crawls.engine.extract.directives import DirectiveBag, moment_of
from crawls.engine.extract.fingerprint import fingerprint
from crawls.engine.extract.headers import link_header
from crawls.engine.extract.links import LinkMemo
from crawls.engine.extract.metadata import from_link_header
from crawls.engine.extract.parsing import new_parser, parse
from crawls.engine.extract.walk import Walk
from crawls.engine.policy import Policy
from crawls.engine.records import Page, Response


@dataclass(frozen=True, slots=True)
class Extraction:
    """What of the policy concerns reading pages; `product_token` in lower case."""

    product_token: str = "surveyor"
    googlebot_counts: bool = True
    max_links: int = 10_000
    follow_nofollow: bool = False

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
        self._parser = new_parser()

    def read(self, response: Response) -> Page | Failure:
        """The page that a response carries; `parse_failed` when it says to be HTML and holds no element at all."""
        kind, charset = sniff.content_type(response.header("content-type"))
        html = sniff.is_html(kind, response.body)
        walk, bag = self._begin(response)
        mark = ""
        if html:
            text = charsets.to_utf8(response.body, charset)
            tree = parse(text.utf8, self._parser)
            if tree is None:
                return Failure(Code.PARSE_FAILED, "the page is empty or no HTML", response.status)
            mark = self._read_tree(walk, tree, text, response.url)
        return _page(response, kind, walk, bag, mark, html=html)

    def _begin(self, response: Response) -> tuple[Walk, DirectiveBag]:
        """Everything that headers say, for every kind of document."""
        options = self._options
        bag = DirectiveBag(options.product_token, options.googlebot_counts, moment_of(response.header("date")))
        bag.add_headers(response.header_lines("x-robots-tag"))
        document = self._memo.resolver(response.url)
        walk = Walk(document, bag, options.max_links, follow_nofollow=options.follow_nofollow)
        links = response.header_lines("link")
        if links:
            from_link_header(link_header(links), document, walk.canonicals, walk.alternates)
        walk.take_refresh(response.header("refresh"), document)
        return walk, bag

    def _read_tree(self, walk: Walk, tree: Any, text: charsets.Text, address: str) -> str:
        walk.read(tree, text.utf8, self._memo, text.query_codec)
        # Last, since it empties parts of the tree.
        return fingerprint(tree, walk.main, address)


def _page(response: Response, kind: str, walk: Walk, bag: DirectiveBag, mark: str, *, html: bool) -> Page:
    warnings: list[str] = []
    canonical = walk.canonicals.usable(warnings)
    robots = bag.robots()
    date, source = walk.dates.best(response.header("last-modified"))
    return Page(
        requested=response.requested,
        url=response.url,
        status=response.status,
        hops=response.hops,
        content_type=kind,
        is_html=html,
        truncated=response.truncated,
        title=walk.title,
        language=walk.language,
        canonical=canonical,
        robots=robots,
        links=walk.links.pack(),
        nofollow_links=walk.links.nofollow,
        images=() if robots.noimageindex else walk.images.pack(),
        alternates=walk.alternates.pack(),
        refresh=walk.refresh,
        fingerprint=mark,
        lastmod=date,
        lastmod_source=source,
        warnings=tuple(warnings),
        attachment=response.header("content-disposition").strip().lower().startswith("attachment"),
        rendered=response.rendered,
        elapsed_s=response.elapsed_s,
        ttfb_s=response.ttfb_s,
        body_bytes=len(response.body),
        wire_bytes=response.wire_bytes,
        requests=response.requests,
    )
