"""The circuit breaker of each host: after failures in a row nothing is sent for a while, then one request tries.

closed --failures in a row--> open --open_s--> half-open --successes--> closed
                               ^------------------failure---'
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from crawls.engine.policy import Breaker as Limits


@dataclass(slots=True)
class _Circuit:
    failures: int = 0
    successes: int = 0
    openings: int = 0
    open_until: float = -inf
    half_open: bool = False
    trying: bool = False


class Breakers:
    """One circuit for each host. Time is given, never read."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._circuits: dict[str, _Circuit] = {}

    def allows(self, host: str, now: float) -> bool:
        """Whether a request may go out: always when closed, one at a time when half-open, never when open."""
        circuit = self._circuits.get(host)
        if circuit is None or not circuit.half_open:
            return True
        return now >= circuit.open_until and not circuit.trying

    def is_half_open(self, host: str) -> bool:
        """Whether the host must first prove itself."""
        circuit = self._circuits.get(host)
        return circuit is not None and circuit.half_open

    def sent(self, host: str) -> None:
        """A request went out; when half-open it is the one that tries."""
        circuit = self._circuits.get(host)
        if circuit is not None and circuit.half_open:
            circuit.trying = True

    def reopens_at(self, host: str, now: float) -> float:
        """The earliest moment for a request: `inf` while one is trying, `now` when closed."""
        circuit = self._circuits.get(host)
        if circuit is None or not circuit.half_open:
            return now
        return inf if circuit.trying else max(now, circuit.open_until)

    def succeeded(self, host: str) -> None:
        """The host answered."""
        circuit = self._circuits.get(host)
        if circuit is None:
            return
        circuit.failures = 0
        circuit.trying = False
        if circuit.half_open:
            circuit.successes += 1
            if circuit.successes >= self._limits.successes:
                self._circuits[host] = _Circuit()

    def failed(self, host: str, now: float) -> None:
        """The host did not answer, or with a server error."""
        circuit = self._circuits.setdefault(host, _Circuit())
        circuit.failures += 1
        if circuit.half_open and now < circuit.open_until:
            return  # was on its way when the circuit opened
        if circuit.half_open or circuit.failures >= self._limits.failures:
            self._open(circuit, now)

    def gave_up(self, host: str) -> bool:
        """Whether the circuit opened so often without a success between that the host counts as lost."""
        circuit = self._circuits.get(host)
        return circuit is not None and circuit.openings >= self._limits.max_openings

    def _open(self, circuit: _Circuit, now: float) -> None:
        circuit.openings += 1
        circuit.open_until = now + self._limits.open_s
        circuit.half_open = True
        circuit.trying = False
        circuit.successes = 0
