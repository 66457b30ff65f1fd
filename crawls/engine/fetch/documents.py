"""Single documents (robots.txt, sitemaps) for whoever needs them, from any thread, at the crawl's own pace."""

from __future__ import annotations

import threading
import time

from crawls.engine.errors import Code, Failure
from crawls.engine.fetch.client import Client, Limits
from crawls.engine.fetch.guard import Guard
from crawls.engine.policy import Policy
from crawls.engine.records import Response


class HttpDocuments:
    """Port `Documents`: a client for each thread that asks, and one pace for all of them."""

    def __init__(self, policy: Policy) -> None:
        self._fetching = policy.fetching
        self._guard = Guard.of(policy.fetching)
        self._local = threading.local()
        self._lock = threading.Lock()
        rate = policy.politeness.rate_per_s
        self._interval_s = 1 / rate if rate else 0.0
        self._next_at = 0.0

    def slow_down(self, interval_s: float) -> None:
        """See the port."""
        self._interval_s = max(self._interval_s, interval_s)

    def get(
        self, url: str, *, max_bytes: int, deadline_s: float, max_redirects: int, keep_truncated: bool = False
    ) -> Response | Failure:
        """See the port."""
        self._wait_for_turn()
        limits = Limits(max_bytes, deadline_s, max_redirects, keep_truncated=keep_truncated, pages=False)
        fetched = self._client().fetch(url, limits=limits)
        if fetched.response is not None:
            return fetched.response
        return fetched.failure or Failure(Code.INTERNAL_ERROR, "no response and no failure")

    def _client(self) -> Client:
        client: Client | None = getattr(self._local, "client", None)
        if client is None:
            client = self._local.client = Client(self._fetching, self._guard)
        return client

    def _wait_for_turn(self) -> None:
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next_at)
            self._next_at = turn + self._interval_s
        if turn > now:
            time.sleep(turn - now)
