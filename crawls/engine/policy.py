"""The limits of one crawl: every number the engine obeys, with its unit in its name.

A policy is made once (from settings, site and command line) and never changes during a crawl. Wrong values are
reported by `problems`, all at once, each naming the field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class RenderMode(StrEnum):
    """When pages go through a browser."""

    AUTO = "auto"
    NEVER = "never"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Politeness:
    """How hard one host may be asked. `rate_per_s` 0 means: no delay between requests."""

    rate_per_s: float = 3.0
    min_rate_per_s: float = 0.5
    max_rate_per_s: float = 8.0
    concurrency: int = 4
    max_crawl_delay_s: float = 10.0
    max_retry_after_s: float = 300.0


@dataclass(frozen=True, slots=True)
class Breaker:
    """The circuit breaker of one host: opens after failures in a row, lets one request try, closes after successes."""

    failures: int = 5
    open_s: float = 30.0
    successes: int = 2
    max_openings: int = 4


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and how late one URL is tried again; `attempts` counts the first try too."""

    attempts: int = 3
    first_delay_s: float = 1.0
    factor: float = 3.0
    max_delay_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Fetching:
    """Limits of one fetch. The deadline is wall-clock time over all redirects, headers and body included."""

    user_agent: str = "Surveyor/0.1"
    connect_timeout_s: float = 10.0
    read_timeout_s: float = 15.0
    deadline_s: float = 30.0
    max_body_bytes: int = 10 * 1024 * 1024
    max_redirects: int = 10
    headers: tuple[tuple[str, str], ...] = ()
    basic_auth: tuple[str, str] | None = None
    proxy_url: str = ""
    allowed_private: tuple[str, ...] = ()
    allowed_ports: tuple[int, ...] = (80, 443, 8080, 8443)

    @property
    def product_token(self) -> str:
        """The name that robots.txt groups are matched with (RFC 9309 section 2.2.1), e.g. `Surveyor`."""
        return self.user_agent.split("/")[0].split()[0]


@dataclass(frozen=True, slots=True)
class Rules:
    """The four kinds of rules, each a tuple of patterns on path and query (`*`, trailing `$`; prefix otherwise)."""

    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    no_list: tuple[str, ...] = ()
    no_fetch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything that one crawl obeys."""

    max_pages: int = 10_000
    max_depth: int = 10
    max_links_per_page: int = 10_000
    max_prefix_share: float = 0.25
    prefix_share_from_pages: int = 200
    max_known_urls: int = 2_000_000
    politeness: Politeness = field(default_factory=Politeness)
    breaker: Breaker = field(default_factory=Breaker)
    retry: Retry = field(default_factory=Retry)
    fetching: Fetching = field(default_factory=Fetching)
    rules: Rules = field(default_factory=Rules)
    render: RenderMode = RenderMode.AUTO
    include_subdomains: bool = False
    follow_nofollow: bool = False
    ignore_robots_unreachable: bool = False
    crawl_other_host_entries: bool = False
    googlebot_noindex_counts: bool = True
    listed_types: tuple[str, ...] = ("text/html", "application/xhtml+xml")
    max_sitemap_documents: int = 2_000
    max_sitemap_depth: int = 5
    sitemap_timeout_s: float = 15.0
    window: int = 2_000
    batch_pages: int = 200
    batch_interval_s: float = 2.0

    def problems(self) -> list[str]:
        """Every value that cannot be obeyed, in words that name the field; empty when all is well."""
        found = [
            f"{name} must be at least 1, not {value}"
            for name, value in (
                ("max_pages", self.max_pages),
                ("concurrency", self.politeness.concurrency),
                ("attempts", self.retry.attempts),
                ("max_body_bytes", self.fetching.max_body_bytes),
            )
            if value < 1
        ]
        if self.max_depth < 0:
            found.append(f"max_depth must not be negative, not {self.max_depth}")
        if self.politeness.rate_per_s < 0:
            found.append(f"rate_per_s must not be negative, not {self.politeness.rate_per_s}")
        if not 0 < self.max_prefix_share <= 1:
            found.append(f"max_prefix_share must lie above 0 and up to 1, not {self.max_prefix_share}")
        if any(ord(char) < 32 or ord(char) > 126 for char in self.fetching.user_agent) or not self.fetching.user_agent:
            found.append("user_agent must be one line of printable ASCII, and not empty")
        return found
