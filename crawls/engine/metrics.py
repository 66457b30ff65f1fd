"""Counters and durations of one crawl; kept by the coordinator, read by the observer and the report."""

from __future__ import annotations

from collections import deque
from math import ceil

WINDOW = 100
RATE_WINDOW_S = 10.0


class Durations:
    """The last 100 durations in seconds, and their 95th percentile (nearest rank)."""

    def __init__(self) -> None:
        self._last: deque[float] = deque(maxlen=WINDOW)

    def add(self, seconds: float) -> None:
        """Take one duration into account."""
        self._last.append(seconds)

    def p95_s(self) -> float:
        """The 95th percentile of the last 100, 0.0 when there is none yet."""
        if not self._last:
            return 0.0
        ranked = sorted(self._last)
        return ranked[ceil(0.95 * len(ranked)) - 1]


class Rate:
    """How many things a second over the last ten seconds, for showing."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque()

    def mark(self, now: float, total: int) -> None:
        """Note the running total at a moment (seconds, monotonic)."""
        self._marks.append((now, total))
        while now - self._marks[0][0] > RATE_WINDOW_S:
            self._marks.popleft()

    def per_s(self) -> float:
        """Things a second between the oldest and the newest mark kept."""
        if len(self._marks) < 2:
            return 0.0
        (first, before), (last, after) = self._marks[0], self._marks[-1]
        return (after - before) / (last - first) if last > first else 0.0
