"""How fast one host may be asked: an adaptive rate, pauses the server asked for, and a cap on requests at once.

Additive increase while answers are quick and good, halved on 429 and 503: the rate settles below what the host bears.
A crawl that began without delay gets a rate at its first 429 or 503, and grows out of it again by multiplying.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from crawls.engine.errors import Code, Failure
from crawls.engine.policy import Politeness as Limits

_RAISE_AFTER = 10  # good answers in a row
_SLOW_ANSWER_S = 2.0
# After a 429 on a crawl without delay: from here the rate adapts as on any other crawl.
_RATE_AFTER_OVERLOAD = 4.0
_GROWTH = 1.5
_AS_GOOD_AS_NO_DELAY = 100.0
# So long after the last overload the rate may rise to its old bound again.
_FORGIVEN_AFTER_S = 60.0
_OVERLOAD = frozenset({429, 503})


@dataclass(slots=True)
class _Host:
    rate_per_s: float
    ceiling_per_s: float
    in_flight: int = 0
    next_at: float = -inf
    good: int = 0
    slowed_at: float = -inf
    delay_s: float = 0.0


class Politeness:
    """Decides when a host may be asked next. Time is given, never read; `inf` means: not before an answer came."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._hosts: dict[str, _Host] = {}

    def crawl_delay(self, host: str, seconds: float) -> None:
        """Obey a Crawl-delay of robots.txt, up to the policy's bound: one request at a time, so far apart."""
        state = self._host(host)
        state.delay_s = min(seconds, self._limits.max_crawl_delay_s)

    def next_at(self, host: str, now: float) -> float:
        """The earliest moment for the next request to a host."""
        state = self._host(host)
        if state.in_flight >= self._cap(state):
            return inf
        return max(state.next_at, now) if state.next_at > now else now

    def sent(self, host: str, now: float) -> None:
        """A request went out."""
        state = self._host(host)
        state.in_flight += 1
        interval_s = max(state.delay_s, 1 / state.rate_per_s if state.rate_per_s else 0.0)
        # Counted from when it might have gone, so that a late loop does not lower the rate; but no bursts are saved up.
        state.next_at = max(state.next_at + interval_s, now + interval_s / 2, now if not interval_s else -inf)

    def answered(self, host: str, now: float, duration_s: float, failure: Failure | None) -> None:
        """An answer came, or none will."""
        state = self._host(host)
        state.in_flight -= 1
        if failure is not None and failure.status in _OVERLOAD:
            self._slow_down(state, now, failure)
        elif failure is not None and failure.code in (Code.CONNECT_TIMEOUT, Code.READ_TIMEOUT):
            state.good = 0
        elif state.rate_per_s:
            self._speed_up(state, now, duration_s)

    def _cap(self, state: _Host) -> float:
        if state.delay_s:
            return 1
        # Without delay the workers' own number is the bound; some of what they hold may wait there, not at the host.
        return self._limits.concurrency if state.rate_per_s else inf

    def rate_per_s(self, host: str) -> float:
        """The present rate; 0 for no delay."""
        return self._host(host).rate_per_s

    def _host(self, host: str) -> _Host:
        state = self._hosts.get(host)
        if state is None:
            rate = self._limits.rate_per_s
            state = self._hosts[host] = _Host(rate, max(rate, self._limits.max_rate_per_s))
        return state

    def _slow_down(self, state: _Host, now: float, failure: Failure) -> None:
        state.next_at = max(state.next_at, now + self._pause_s(failure))
        # Answers to requests that were on their way already say nothing new.
        if now - state.slowed_at < 1.0:
            return
        state.slowed_at = now
        before = state.rate_per_s or _RATE_AFTER_OVERLOAD * 2
        state.rate_per_s = max(self._limits.min_rate_per_s, before / 2)
        state.ceiling_per_s = max(self._limits.min_rate_per_s, min(state.ceiling_per_s, before * 0.8))
        state.good = 0

    def _pause_s(self, failure: Failure) -> float:
        """How long the whole host is left alone.

        Up to the bound as the server wishes. A longer wish with 429 counts as the bound; with 503, which may be one
        page's, it pauses nothing: if the host is down, the breaker will know.
        """
        wish_s, bound_s = failure.retry_after_s or 0.0, self._limits.max_retry_after_s
        if wish_s <= bound_s:
            return wish_s
        return bound_s if failure.status == 429 else 0.0

    def _speed_up(self, state: _Host, now: float, duration_s: float) -> None:
        if duration_s > _SLOW_ANSWER_S:
            state.good = 0
            state.rate_per_s = max(self._limits.min_rate_per_s, state.rate_per_s * 0.9)
            return
        state.good += 1
        if state.good < _RAISE_AFTER:
            return
        state.good = 0
        if not self._limits.rate_per_s:
            faster = state.rate_per_s * _GROWTH
            state.rate_per_s = faster if faster < _AS_GOOD_AS_NO_DELAY else 0.0
            return
        if now - state.slowed_at > _FORGIVEN_AFTER_S:
            state.ceiling_per_s = max(self._limits.rate_per_s, self._limits.max_rate_per_s)
        state.rate_per_s = min(state.ceiling_per_s, state.rate_per_s + 0.5)
