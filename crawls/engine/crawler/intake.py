"""Where URLs come in: each is known once, and either waits to be fetched or is judged on the spot."""

from __future__ import annotations

from array import array

from crawls.engine import urls
from crawls.engine.crawler.hosts import RobotsShelf
from crawls.engine.crawler.journal import Journal
from crawls.engine.frontier.breadth_first import DEEP_LANE, LINK_LANE, SITEMAP_LANE, Frontier
from crawls.engine.frontier.scope import Scope, ScopeVerdict
from crawls.engine.policy import Policy
from crawls.engine.records import Found, Links, Mark, Outcome, Reason, Source, Verdict

# So many outside links are remembered; beyond that they are merely counted again.
_MAX_OUTSIDE = 200_000
_MAX_FOREIGN = 10_000
_ALWAYS_KEPT = Source.SEED | Source.SITEMAP | Source.REDIRECT
# What is kept of an address that is too long to be one.
_SHOWN_CHARS = 2_000


class Intake:
    """Decides for every address it is offered: in or out of scope, allowed or not, now or later. One thread."""

    def __init__(self, policy: Policy, scope: Scope, robots: RobotsShelf, frontier: Frontier, journal: Journal) -> None:
        self._policy = policy
        self._scope = scope
        self._robots = robots
        self._frontier = frontier
        self._journal = journal
        self._deep: dict[int, Found] = {}
        self._outside: set[int] = set()
        self._foreign: set[str] = set()

    def offer(
        self, url: str, source: Source, depth: int, *, found_on: int = -1, lastmod: str = "", key: int | None = None
    ) -> None:
        """Take in one address; a known one only gains what is new about it."""
        if urls.origin(url) in self._foreign and not source & _ALWAYS_KEPT:
            return
        key = urls.key_of(url) if key is None else key
        news = self._frontier.look(key, int(source), depth)
        if news is None:
            self._first_sight(Found(0, key, url, depth, source, LINK_LANE, found_on, lastmod))
        elif news:
            self._sighted_again(key, source, depth, lastmod)

    def offer_links(self, links: Links, depth: int, found_on: int) -> None:
        """Take in the links of one page; nearly all of them are known, so that is what is quick."""
        look, outside, link = self._frontier.look, self._outside, int(Source.LINK)
        addresses: list[str] = []
        for position, key in enumerate(array("q", links.keys)):
            news = look(key, link, depth)
            if news is False or key in outside:
                continue
            if news:
                self._sighted_again(key, Source.LINK, depth, "")
                continue
            addresses = addresses or links.addresses.split("\n")
            self._first_sight(Found(0, key, addresses[position], depth, Source.LINK, LINK_LANE, found_on))

    def reserve(self, url: str, source: Source, depth: int, *, found_on: int = -1) -> Found:
        """Know an address whose outcome the caller records at once (the end of a redirect)."""
        found = Found(self._frontier.next_order, urls.key_of(url), url, depth, source, LINK_LANE, found_on)
        self._frontier.remember(found, done=True)
        self._journal.found(found)
        return found

    def restore_deep(self, found: Found) -> None:
        """Know an address that an earlier run of the job found too deep."""
        self._frontier.remember(found, done=False)
        self._deep[found.key] = found

    def _sighted_again(self, key: int, source: Source, depth: int, lastmod: str) -> None:
        self._frontier.sighted(key, source, depth)
        self._journal.mark(Mark(key, source, depth, lastmod))
        if key in self._deep and depth <= self._policy.max_depth:
            found = self._deep.pop(key)
            found.depth = depth
            self._frontier.admit_late(found)

    def _first_sight(self, found: Found) -> None:
        verdict = self._scope.judge(found.url)
        if verdict.reason is Reason.OUT_OF_SCOPE and not self._worth_a_row(found):
            self._count_outside(found)
            return
        if len(self._frontier) >= self._policy.max_known_urls:
            self._journal.limit("max_known_urls")
            return
        found.order = self._frontier.next_order
        self._place(found, verdict)

    def _worth_a_row(self, found: Found) -> bool:
        # Links out of the site are countless; what was declared, redirected to, or lies next door is asked for.
        return bool(found.sources & _ALWAYS_KEPT) or self._scope.is_neighbour(found.url)

    def _count_outside(self, found: Found) -> None:
        if len(self._outside) < _MAX_OUTSIDE:
            self._outside.add(found.key)
        if len(self._foreign) < _MAX_FOREIGN:
            self._foreign.add(urls.origin(found.url))
        counters = self._journal.counters
        counters.external_links += 1
        host = urls.split(found.url).host
        if host in counters.external_hosts or len(counters.external_hosts) < 1_000:
            counters.external_hosts[host] = counters.external_hosts.get(host, 0) + 1

    def _place(self, found: Found, verdict: ScopeVerdict) -> None:
        if found.sources & Source.SITEMAP:
            found.lane = SITEMAP_LANE
        if verdict.reason is Reason.URL_TOO_LONG:
            found.url = f"{found.url[:_SHOWN_CHARS]}…"
        if not verdict.admit:
            self._judged(found, Verdict.OUT, verdict.reason or Reason.OUT_OF_SCOPE, verdict.evidence)
        elif found.depth > self._policy.max_depth:
            self._too_deep(found)
        elif not verdict.fetch:
            self._judged(found, Verdict.IN, Reason.INDEXABLE, verdict.evidence)
        else:
            self._ask_robots(found)

    def _ask_robots(self, found: Found) -> None:
        decision = self._robots.decide(found.url)
        if not decision.allowed:
            where = f"robots.txt:{decision.line} {decision.rule}" if decision.line else decision.rule
            self._judged(found, Verdict.OUT, Reason.ROBOTS_DISALLOWED, where)
            return
        self._frontier.add(found)
        self._journal.found(found)

    def _too_deep(self, found: Found) -> None:
        found.lane = DEEP_LANE
        self._frontier.remember(found, done=False)
        self._journal.found(found)
        self._journal.limit("max_depth")
        self._deep[found.key] = found

    def _judged(self, found: Found, verdict: Verdict, reason: Reason, evidence: str) -> None:
        self._frontier.remember(found, done=True)
        self._journal.found(found)
        self._journal.outcome(Outcome(found.order, found.key, found.url, verdict, reason, evidence=evidence))
