"""What the coordinator needs from the world, as protocols. Implementations promise the semantics, not just the shapes.

Not in charge of: choosing an implementation (only `crawls/runner.py` does).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from crawls.engine.errors import Failure
from crawls.engine.events import Snapshot
from crawls.engine.records import (
    Batch,
    Counters,
    Facts,
    Finding,
    Found,
    Response,
    Result,
    Ruling,
    State,
    Task,
)


class RobotsRules(Protocol):
    """The rules of one origin, picklable."""

    def allows(self, product_token: str, target: str) -> bool:
        """Whether path and query may be fetched."""
        ...


class Workers(Protocol):
    """Fetches and extracts, several addresses at a time. Used by one thread only."""

    @property
    def capacity(self) -> int:
        """How many tasks may be handed over before results are taken."""
        ...

    def submit(self, task: Task) -> None:
        """Hand a task over; never blocks for the network and never raises for what the network does."""
        ...

    def results(self, timeout_s: float) -> list[Result]:
        """Results that are ready, in the order they came; waits up to `timeout_s` for the first one.

        Each submitted task yields exactly one result; a worker that died yields `worker_died`.
        """
        ...

    def admit(self, origin: str, robots: RobotsRules) -> None:
        """From now on redirects into this origin may be followed where its robots.txt allows the target."""
        ...

    def close(self) -> None:
        """Let go of threads, processes and sockets at once; unfinished tasks are forgotten."""
        ...


class Documents(Protocol):
    """Fetches single documents (robots.txt, sitemaps) for the caller's own thread; thread-safe."""

    def get(
        self, url: str, *, max_bytes: int, deadline_s: float, max_redirects: int, keep_truncated: bool = False
    ) -> Response | Failure:
        """The document, or what went wrong. Paces itself by the policy; never raises for what the network does.

        With `keep_truncated` a body over `max_bytes` comes cut and marked instead of as `body_too_large`.
        A status of 400 and more is a response here, not a failure: its caller decides what it means.
        """
        ...

    def slow_down(self, interval_s: float) -> None:
        """From now on leave at least so many seconds between requests."""
        ...


class Store(Protocol):
    """The job's memory: frontier, outcomes and their order. Used by one thread only.

    Writing is all or nothing for each batch; what `write` returned from survives `kill -9` where the store is durable.
    """

    def write(self, batch: Batch) -> None:
        """Record a batch in one transaction. A `found` whose key the job has already is ignored."""
        ...

    def window(self, lane: int, after_order: int, limit: int) -> list[Found]:
        """The next pending URLs of a lane, by ascending order, with `order > after_order`."""
        ...

    def seen(self) -> Iterator[tuple[Found, State]]:
        """Every URL the job knows, by ascending order (for resuming), and where it stands; streamed."""
        ...

    def checkpoint(self) -> Counters | None:
        """The counters of the last batch written, None when there was none."""
        ...

    def done(self) -> int:
        """How many outcomes with a fetch behind them (`status` or `failure` set) the job has."""
        ...

    def counts(self) -> dict[str, int]:
        """Outcomes by reason; streamed or counted by the store."""
        ...

    def facts(self, keys: Iterable[int]) -> dict[int, Facts]:
        """What is known of these URLs; unknown keys are left out."""
        ...

    def canonicalized(self) -> Iterator[Facts]:
        """Every outcome whose reason is `canonicalized`, by ascending order; streamed, safe while ruling."""
        ...

    def rule(self, rulings: Sequence[Ruling]) -> None:
        """Overwrite verdict, reason and evidence of these outcomes, in one transaction."""
        ...

    def settle(self, reason_of_pending: str, evidence: str, lane: int | None = None) -> int:
        """Give every pending URL (of this lane) an outcome `out` with this reason, in one transaction; how many."""
        ...

    def merge_flags(self) -> dict[str, int]:
        """Set gap and stale on all outcomes; {'gap': n, 'stale': n, 'declared': n, 'reached': n}.

        gap: verdict `in`, reached (any source but sitemap) and not declared, on a site that declares sitemaps at all;
        stale: declared, and not reached or gone (an error, a failure or a redirect).
        """
        ...


class Observer(Protocol):
    """Whoever watches. Must not raise, must be quick; losing a notice is allowed."""

    def notice(self, snapshot: Snapshot) -> None:
        """The newest numbers; called at most a few times a second."""
        ...

    def finding(self, finding: Finding) -> None:
        """A finding, once, as it is made."""
        ...


class StopSignal(Protocol):
    """Whether the crawl should end now; may be set from another thread or a signal."""

    def is_set(self) -> bool:
        """True once somebody asked to stop."""
        ...

    def wait(self, timeout: float) -> bool:
        """Wait so many seconds, or until somebody asks to stop; whether somebody did."""
        ...


class Clock(Protocol):
    """Time as seen by the coordinator."""

    def monotonic(self) -> float:
        """Seconds that only go forward."""
        ...

    def wall(self) -> float:
        """Seconds since the epoch."""
        ...
