"""Whether and when a failed URL is tried again."""

from __future__ import annotations

from dataclasses import dataclass

from crawls.engine.errors import Failure
from crawls.engine.policy import Retry


@dataclass(frozen=True, slots=True)
class Again:
    """Try again after so many seconds."""

    after_s: float


def decide(failure: Failure, attempts: int, limits: Retry, chance: float, max_retry_after_s: float) -> Again | None:
    """When to try again after `attempts` tries, or None when the failure stands.

    A server's Retry-After counts (RFC 9110 section 10.2.3) unless it asks for more than the bound: then the failure
    stands. `chance` (0 to 1) spreads the retries of many URLs over a quarter of the delay.
    """
    if not failure.retryable or attempts >= limits.attempts:
        return None
    if failure.retry_after_s is not None:
        return None if failure.retry_after_s > max_retry_after_s else Again(failure.retry_after_s + chance)
    delay_s = min(limits.first_delay_s * limits.factor ** (attempts - 1), limits.max_delay_s)
    return Again(delay_s * (1 + chance / 4))
