"""When the next request may go out: pace, breaker and retries of every host, in one place for the coordinator."""

from __future__ import annotations

import heapq
from collections import deque

from crawls.engine import urls
from crawls.engine.errors import Code, Failure
from crawls.engine.frontier import retry
from crawls.engine.frontier.breaker import Breakers
from crawls.engine.frontier.politeness import Politeness
from crawls.engine.frontier.sequence import Flight
from crawls.engine.policy import Policy
from crawls.engine.records import Result

# Failures that say the host is in trouble, not merely this page.
_TROUBLE = frozenset(
    {
        Code.SERVER_ERROR,
        Code.DNS_FAILED,
        Code.CONNECTION_REFUSED,
        Code.CONNECTION_RESET,
        Code.TLS_FAILED,
        Code.NETWORK_ERROR,
        Code.CONNECT_TIMEOUT,
        Code.READ_TIMEOUT,
        Code.DEADLINE_EXCEEDED,
    }
)


def host_of(url: str) -> str:
    """Host and port as they stand in an address: what pace and breaker are kept for."""
    return urls.origin(url).partition("://")[2]


class Traffic:
    """Flights that wait to be sent: first in, first out for each host, failed ones again when they are due."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.politeness = Politeness(policy.politeness)
        self._breakers = Breakers(policy.breaker)
        self._outbox: deque[Flight] = deque()
        self._again: list[tuple[float, int, Flight]] = []
        self._in_flight: dict[str, int] = {}

    @property
    def in_flight(self) -> int:
        """Requests on their way."""
        return sum(self._in_flight.values())

    @property
    def starved(self) -> bool:
        """Whether nothing waits to be sent now: more could be chosen if only older pages were taken."""
        return not self._outbox

    def enqueue(self, flight: Flight) -> None:
        """Let a flight wait for its turn."""
        self._outbox.append(flight)

    def next(self, now: float) -> Flight | None:
        """A flight that may be sent this moment; it counts as sent."""
        while self._again and self._again[0][0] <= now:
            self._outbox.append(heapq.heappop(self._again)[2])
        held: set[str] = set()
        for position, flight in enumerate(self._outbox):
            if flight.host in held:
                continue
            if self._may_go(flight.host, now):
                trying = self._breakers.is_half_open(flight.host)
                return self._send(self._most_promising(flight.host) if trying else position, now)
            held.add(flight.host)
        return None

    def wait_s(self, now: float, at_most_s: float) -> float:
        """How long to wait before asking `next` again, unless a result comes first."""
        moments = [self._again[0][0]] if self._again else []
        moments += [
            max(self.politeness.next_at(host, now), self._breakers.reopens_at(host, now))
            for host in {flight.host for flight in self._outbox}
        ]
        return max(0.0, min([at_most_s, *(moment - now for moment in moments)]))

    def arrived(self, flight: Flight, result: Result, now: float) -> None:
        """Learn from an answer how the host is doing."""
        self._in_flight[flight.host] -= 1
        failure = result.failure
        self.politeness.answered(flight.host, now, result.elapsed_s, failure)
        if failure is not None and failure.code in _TROUBLE:
            # A page that fails again says more about itself than about its host.
            if flight.attempts == 1 or self._breakers.is_half_open(flight.host):
                self._breakers.failed(flight.host, now)
        elif failure is None or failure.status:
            self._breakers.succeeded(flight.host)

    def try_again(self, flight: Flight, failure: Failure, now: float, chance: float) -> bool:
        """Put a failed flight back for later, when that makes sense; whether it does."""
        again = retry.decide(
            failure, flight.attempts, self._policy.retry, chance, self._policy.politeness.max_retry_after_s
        )
        if again is None:
            return False
        heapq.heappush(self._again, (now + again.after_s, flight.ticket, flight))
        return True

    def gave_up(self, host: str) -> bool:
        """Whether the host failed so long that waiting for it makes no sense."""
        return self._breakers.gave_up(host)

    def _most_promising(self, host: str) -> int:
        """Where in the outbox the flight with the fewest failures lies: what a failing host is tried with."""
        own = [place for place, flight in enumerate(self._outbox) if flight.host == host]
        return min(own, key=lambda place: self._outbox[place].attempts)

    def _may_go(self, host: str, now: float) -> bool:
        return self.politeness.next_at(host, now) <= now and self._breakers.allows(host, now)

    def _send(self, position: int, now: float) -> Flight:
        flight = self._outbox[position]
        del self._outbox[position]
        flight.attempts += 1
        flight.sent_at = now
        self._in_flight[flight.host] = self._in_flight.get(flight.host, 0) + 1
        self.politeness.sent(flight.host, now)
        self._breakers.sent(flight.host)
        return flight
