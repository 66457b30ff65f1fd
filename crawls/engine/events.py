"""What an observer is told while a crawl runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Phase(StrEnum):
    """What the crawl is doing."""

    STARTING = "starting"
    ROBOTS = "robots"
    SITEMAPS = "sitemaps"
    CRAWLING = "crawling"
    MERGING = "merging"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The numbers of this moment. `rate_per_s` over the last seconds; `p95_ms` of the last 100 fetches."""

    phase: Phase
    done: int = 0
    waiting: int = 0
    in_flight: int = 0
    listed: int = 0
    failed: int = 0
    rendered: int = 0
    rate_per_s: float = 0.0
    p95_ms: int = 0
    newest: str = ""
    failures: dict[str, int] = field(default_factory=dict)
