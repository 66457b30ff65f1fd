"""No path prefix may eat the crawl: how many pages each first folder has had."""

from __future__ import annotations

from crawls.engine import urls
from crawls.engine.policy import Policy

_MAX_PREFIXES = 50_000


class PrefixShare:
    """Pages chosen by prefix, against the share that one prefix may have of the page limit."""

    def __init__(self, policy: Policy) -> None:
        self._allowed = max(1, int(policy.max_pages * policy.max_prefix_share))
        self._from_pages = min(policy.prefix_share_from_pages, self._allowed)
        self._counts: dict[str, int] = {}

    def note(self, url: str) -> None:
        """A page was chosen."""
        prefix = prefix_of(url)
        if prefix in self._counts or len(self._counts) < _MAX_PREFIXES:
            self._counts[prefix] = self._counts.get(prefix, 0) + 1

    def over_share(self, url: str, chosen: int) -> bool:
        """Whether the page should wait until the others had their turn; never while the crawl is small."""
        if chosen < self._from_pages:
            return False
        return self._counts.get(prefix_of(url), 0) >= self._allowed


def prefix_of(url: str) -> str:
    """Host and first folder (`example.com/blog/`), or host and script for queries (`example.com/cal?`)."""
    parts = urls.split(url)
    folder, slash, _ = parts.path[1:].partition("/")
    if slash:
        return f"{parts.host}/{folder}/"
    return f"{parts.host}{parts.path}?" if parts.query else f"{parts.host}/"
