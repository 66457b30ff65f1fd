"""A store that lives and dies with the process: for tests, and for measuring the engine without a database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

from crawls.engine.records import (
    Batch,
    Counters,
    Facts,
    Finding,
    Found,
    Mark,
    Outcome,
    Reason,
    Ruling,
    Source,
    State,
    Verdict,
)

# How a URL was reached, as opposed to declared.
_REACHED = Source.SEED | Source.LINK | Source.REDIRECT | Source.CANONICAL | Source.HREFLANG
_GONE = frozenset({Reason.HTTP_ERROR, Reason.FETCH_FAILED, Reason.REDIRECTED, Reason.REDIRECTED_OFF_SITE})


@dataclass(slots=True)
class _Row:
    found: Found
    outcome: Outcome | None = None
    gap: bool = False
    stale: bool = False


class MemoryStore:
    """Port `Store` over one dictionary."""

    def __init__(self) -> None:
        self._rows: dict[int, _Row] = {}
        self._counters: Counters | None = None
        self.findings: list[Finding] = []

    def write(self, batch: Batch) -> None:
        """See the port."""
        for found in batch.found:
            self._rows.setdefault(found.key, _Row(replace(found)))
        for mark in batch.marks:
            self._mark(mark)
        for outcome in batch.outcomes:
            self._rows[outcome.key].outcome = outcome
        self._counters = deepcopy(batch.counters)
        self.findings.extend(batch.findings)

    def _mark(self, mark: Mark) -> None:
        found = self._rows[mark.key].found
        found.sources |= mark.sources
        found.depth = min(found.depth, mark.depth)
        found.declared_lastmod = found.declared_lastmod or mark.declared_lastmod

    def window(self, lane: int, after_order: int, limit: int) -> list[Found]:
        """See the port."""
        waiting = (row.found for row in self._in_order() if row.outcome is None and row.found.lane == lane)
        return [replace(found) for found in waiting if found.order > after_order][:limit]

    def seen(self) -> Iterator[tuple[Found, State]]:
        """See the port."""
        for row in self._in_order():
            yield replace(row.found), State.PENDING if row.outcome is None else State.DONE

    def checkpoint(self) -> Counters | None:
        """See the port."""
        return deepcopy(self._counters)

    def done(self) -> int:
        """See the port."""
        return sum(1 for row in self._rows.values() if row.outcome and (row.outcome.status or row.outcome.failure))

    def counts(self) -> dict[str, int]:
        """See the port."""
        return dict(Counter(row.outcome.reason.value for row in self._rows.values() if row.outcome))

    def facts(self, keys: Iterable[int]) -> dict[int, Facts]:
        """See the port."""
        return {key: _facts(self._rows[key]) for key in keys if key in self._rows}

    def canonicalized(self) -> Iterator[Facts]:
        """See the port."""
        for row in self._in_order():
            if row.outcome and row.outcome.reason is Reason.CANONICALIZED:
                yield _facts(row)

    def rule(self, rulings: Sequence[Ruling]) -> None:
        """See the port."""
        for ruling in rulings:
            row = self._rows[ruling.key]
            if row.outcome:
                row.outcome = replace(
                    row.outcome, verdict=ruling.verdict, reason=ruling.reason, evidence=ruling.evidence
                )

    def settle(self, reason_of_pending: str, evidence: str, lane: int | None = None) -> int:
        """See the port."""
        left = [row for row in self._rows.values() if row.outcome is None and lane in (None, row.found.lane)]
        for row in left:
            found = row.found
            row.outcome = Outcome(
                found.order, found.key, found.url, Verdict.OUT, Reason(reason_of_pending), evidence=evidence
            )
        return len(left)

    def merge_flags(self) -> dict[str, int]:
        """See the port."""
        declares = any(row.found.sources & Source.SITEMAP for row in self._rows.values())
        for row in self._rows.values():
            declared, reached = bool(row.found.sources & Source.SITEMAP), bool(row.found.sources & _REACHED)
            gone = row.outcome is not None and row.outcome.reason in _GONE
            listed = row.outcome is not None and row.outcome.verdict is Verdict.IN
            row.gap = declares and listed and reached and not declared
            row.stale = declared and (not reached or gone)
        rows = self._rows.values()
        return {
            "gap": sum(row.gap for row in rows),
            "stale": sum(row.stale for row in rows),
            "declared": sum(bool(row.found.sources & Source.SITEMAP) for row in rows),
            "reached": sum(bool(row.found.sources & _REACHED) for row in rows),
        }

    def outcomes(self) -> list[tuple[Found, Outcome]]:
        """Everything judged, by ascending order."""
        return [(row.found, row.outcome) for row in self._in_order() if row.outcome]

    def _in_order(self) -> list[_Row]:
        return sorted(self._rows.values(), key=lambda row: row.found.order)


def _facts(row: _Row) -> Facts:
    found, outcome = row.found, row.outcome
    known = {"verdict": None, "reason": None, "status": 0, "final_url": "", "canonical": ""}
    if outcome:
        names = (*known, "fingerprint", "lastmod", "lastmod_source", "alternates")
        known = {name: getattr(outcome, name) for name in names}
    return Facts(
        order=found.order,
        key=found.key,
        url=found.url,
        depth=found.depth,
        sources=found.sources,
        state=State.DONE if outcome else State.PENDING,
        declared_lastmod=found.declared_lastmod,
        **known,  # type: ignore[arg-type]  # the names above are fields of both
    )
