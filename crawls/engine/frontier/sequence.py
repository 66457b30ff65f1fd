"""The order in which pages are taken: the order in which they were chosen, whatever came back first.

So a ledger does not depend on timing, threads or processes. At most `window` URLs are chosen ahead of the oldest page
not yet taken. A URL that must be tried again, or keeps everyone waiting, is passed: it is taken whenever it comes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from crawls.engine.records import Found, Result


@dataclass(slots=True)
class Flight:
    """One chosen URL on its way: its attempts so far, when it was sent, and its result once there is one."""

    ticket: int
    found: Found
    host: str
    attempts: int = 0
    sent_at: float = 0.0
    result: Result | None = None
    passed: bool = False


class Sequence:
    """Flights by ticket, oldest first."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._line: deque[Flight] = deque()
        self._flights: dict[int, Flight] = {}
        self._passed: dict[int, Flight] = {}
        self._next_ticket = 0

    def __len__(self) -> int:
        """How many chosen URLs are not taken yet."""
        return len(self._flights)

    @property
    def full(self) -> bool:
        """Whether nothing may be chosen before something is taken."""
        return len(self._line) >= self._window

    def choose(self, found: Found, host: str) -> Flight:
        """Number a URL and put it last in line."""
        flight = Flight(self._next_ticket, found, host)
        self._next_ticket += 1
        self._flights[flight.ticket] = flight
        self._line.append(flight)
        return flight

    def flight(self, ticket: int) -> Flight:
        """The flight of a ticket that is not taken yet."""
        return self._flights[ticket]

    def pass_by(self, flight: Flight) -> None:
        """Let the others go on; this one is taken whenever its result comes."""
        if not flight.passed:
            flight.passed = True
            self._passed[flight.ticket] = flight

    def lose_patience(self, sent_before: float) -> None:
        """Pass the oldest flight if it was sent before that moment and others already have their results."""
        if self._line and 0 < self._line[0].sent_at < sent_before:
            self.pass_by(self._line[0])

    def take(self) -> Iterator[Flight]:
        """The flights that are due now, in order; each is forgotten as it is given out."""
        for flight in [one for one in self._passed.values() if one.result]:
            del self._passed[flight.ticket]
            yield self._forget(flight)
        while self._line and (self._line[0].passed or self._line[0].result):
            flight = self._line.popleft()
            if not flight.passed:
                yield self._forget(flight)

    def _forget(self, flight: Flight) -> Flight:
        del self._flights[flight.ticket]
        return flight
