"""What was learned since the last transaction, written as one batch: nothing half, nothing twice."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

from crawls.engine.policy import Policy
from crawls.engine.ports import Observer, Store
from crawls.engine.records import Batch, Counters, Finding, Found, Mark, Outcome, Verdict


class Journal:
    """Collects batches for the store, and the totals that go with them. One thread."""

    def __init__(self, store: Store, observer: Observer, policy: Policy, counters: Counters) -> None:
        self._store = store
        self._observer = observer
        self._batch_pages = policy.batch_pages
        self._interval_s = policy.batch_interval_s
        self._found: list[Found] = []
        self._marks: dict[int, Mark] = {}
        self._outcomes: dict[int, Outcome] = {}
        self._findings: list[Finding] = []
        self._reported: set[Finding] = set()
        self._written_at = 0.0
        self.counters = counters
        self.listed = 0

    def found(self, found: Found) -> None:
        """A new URL."""
        self._found.append(found)

    def mark(self, mark: Mark) -> None:
        """A further sighting of a known URL."""
        before = self._marks.get(mark.key)
        if before is not None:
            mark = replace(
                mark,
                sources=mark.sources | before.sources,
                depth=min(mark.depth, before.depth),
                declared_lastmod=before.declared_lastmod or mark.declared_lastmod,
            )
        self._marks[mark.key] = mark

    def outcome(self, outcome: Outcome) -> None:
        """A judged URL."""
        self._outcomes[outcome.key] = outcome
        self.listed += outcome.verdict is Verdict.IN

    def finding(self, finding: Finding) -> None:
        """Something the site's owner should know; the same thing is told once."""
        if finding in self._reported:
            return
        self._reported.add(finding)
        self._findings.append(finding)
        self._observer.finding(finding)

    @property
    def findings(self) -> set[Finding]:
        """Everything told by this run."""
        return self._reported

    def limit(self, name: str) -> None:
        """A limit kept something out."""
        self.counters.limits[name] = self.counters.limits.get(name, 0) + 1

    def due(self, now: float) -> bool:
        """Whether enough has gathered, or gathered long enough, to be written."""
        if len(self._outcomes) >= self._batch_pages or len(self._found) >= self._batch_pages * 10:
            return True
        return bool(self._outcomes or self._found) and now - self._written_at >= self._interval_s

    def flush(self, now: float) -> None:
        """Write what has gathered, in one transaction."""
        batch = Batch(
            tuple(self._found),
            tuple(self._marks.values()),
            tuple(self._outcomes.values()),
            deepcopy(self.counters),
            tuple(self._findings),
        )
        self._store.write(batch)
        self._found, self._marks, self._outcomes, self._findings = [], {}, {}, []
        self._written_at = now
