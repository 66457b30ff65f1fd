"""Running the engine on a memory store against a real server."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from typing import Any

from crawls.engine import urls
from crawls.engine.crawler import Crawler, Ports
from crawls.engine.events import Snapshot
from crawls.engine.fetch.documents import HttpDocuments
from crawls.engine.fetch.threads import ThreadWorkers
from crawls.engine.memory import MemoryStore
from crawls.engine.policy import Breaker, Fetching, Policy, Politeness, Retry
from crawls.engine.records import Finding, Found, Outcome, Report

QUICK = Policy(
    politeness=Politeness(rate_per_s=0, concurrency=4),
    retry=Retry(attempts=2, first_delay_s=0.05),
    breaker=Breaker(open_s=0.3),
    fetching=Fetching(user_agent="MyBot/1.0", deadline_s=3.0, read_timeout_s=1.0, connect_timeout_s=2.0),
    sitemap_timeout_s=3.0,
)


@dataclass
class Watching:
    """Port `Observer` that keeps what it is told."""

    snapshots: list[Snapshot] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def notice(self, snapshot: Snapshot) -> None:
        self.snapshots.append(snapshot)

    def finding(self, finding: Finding) -> None:
        self.findings.append(finding)


class Clock:
    """Port `Clock`."""

    monotonic = staticmethod(time.monotonic)
    wall = staticmethod(time.time)


@dataclass
class Crawled:
    """What came of a crawl."""

    report: Report
    store: MemoryStore
    watching: Watching

    @property
    def outcomes(self) -> dict[str, Outcome]:
        return {outcome.url: outcome for _, outcome in self.store.outcomes()}

    @property
    def found(self) -> dict[str, Found]:
        return {found.url: found for found, _ in self.store.outcomes()}

    @property
    def listed(self) -> set[str]:
        return {url for url, outcome in self.outcomes.items() if outcome.verdict == "in"}

    def reason(self, url: str) -> str:
        return str(self.outcomes[url].reason)

    def codes(self) -> set[str]:
        return {finding.code for finding in self.watching.findings}


def crawl(
    start: str,
    policy: Policy = QUICK,
    *,
    stop: threading.Event | None = None,
    store: MemoryStore | None = None,
    **changes: Any,
) -> Crawled:
    """Crawl from an address on loopback; only its own host and port are allowed."""
    policy = replace(policy, **changes)
    if not policy.fetching.allowed_private:
        parts = urls.split(start)
        policy = with_fetching(policy, allowed_private=(f"{parts.host}:{parts.port}",))
    store, watching = store or MemoryStore(), Watching()
    ports = Ports(ThreadWorkers(policy), HttpDocuments(policy), store, watching, stop or threading.Event(), Clock())
    return Crawled(Crawler((start,), policy, ports).run(), store, watching)


def with_fetching(policy: Policy, **changes: Any) -> Policy:
    """A policy with other fetch limits."""
    return replace(policy, fetching=replace(policy.fetching, **changes))


def with_politeness(policy: Policy, **changes: Any) -> Policy:
    """A policy with another pace."""
    return replace(policy, politeness=replace(policy.politeness, **changes))


__all__ = ["QUICK", "Crawled", "crawl", "with_fetching", "with_politeness"]
