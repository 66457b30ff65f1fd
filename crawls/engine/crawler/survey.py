"""The site's own word: entries of its declared sitemaps, offered to the intake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from crawls.engine import urls
from crawls.engine.crawler.intake import Intake
from crawls.engine.crawler.journal import Journal
from crawls.engine.discover.declared import Bounds, DeclaredSitemaps
from crawls.engine.discover.robots import RobotsFile
from crawls.engine.frontier.scope import Scope
from crawls.engine.policy import Policy
from crawls.engine.ports import Documents, StopSignal
from crawls.engine.records import Finding, Source

_PARALLEL = 4
# Entries count as one link away from the start.
_ENTRY_DEPTH = 1


class Survey:
    """Reads all declared sitemaps of one site. One thread; the sitemaps are fetched by a few others."""

    def __init__(
        self, policy: Policy, documents: Documents, stop: StopSignal, journal: Journal, intake: Intake, scope: Scope
    ) -> None:
        self._policy = policy
        self._documents = documents
        self._stop = stop
        self._journal = journal
        self._intake = intake
        self._scope = scope

    def read(self, origin: str, robots: RobotsFile, after_entry: Callable[[], None]) -> None:
        """Offer every entry to the intake; `after_entry` is called now and then, to write what has gathered."""
        token = self._policy.fetching.product_token
        bounds = Bounds(
            self._policy.max_sitemap_documents,
            self._policy.max_sitemap_depth,
            self._policy.sitemap_timeout_s,
            min(_PARALLEL, self._policy.politeness.concurrency),
        )

        def may_fetch(url: str) -> bool:
            if urls.origin(url) != origin:
                return True  # a sitemap may lie on another host (sitemaps.org: cross submits); the guard has its say
            return robots.decide(token, urls.target(url)).allowed

        declared = DeclaredSitemaps(self._documents, bounds, may_fetch, self._journal.finding, self._stop)
        outside: Counter[str] = Counter()
        total = 0
        for sitemap, entry in declared.read([url for _, url in robots.sitemaps], origin):
            total += 1
            if not self._scope.contains(entry.loc):
                outside[sitemap] += 1
            self._intake.offer(urls.clean(entry.loc), Source.SITEMAP, _ENTRY_DEPTH, lastmod=entry.lastmod)
            after_entry()
        self._report(declared, total, outside)

    def _report(self, declared: DeclaredSitemaps, total: int, outside: Counter[str]) -> None:
        counters = self._journal.counters
        counters.sitemap_documents = declared.documents
        counters.declared = total
        for sitemap, count in outside.items():
            message = f"{count} of the entries are on another host than this site; they are not used for it"
            self._journal.finding(Finding("sitemap_other_host", message, sitemap))
        if declared.over_budget:
            self._journal.limit("max_sitemap_documents")
        if not declared.sitemaps:
            self._journal.finding(
                Finding("sitemap_none", "the site declares no sitemap, and none lies at the usual places")
            )
