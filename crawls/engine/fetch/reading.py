"""One address in, one result out: fetch, read, and hand back small values. One `PageReader` for each thread."""

from __future__ import annotations

import logging

from crawls.engine.errors import Code, Failure, failure_of_status
from crawls.engine.extract.document import Extraction, Extractor
from crawls.engine.fetch.client import Client, Fetched
from crawls.engine.fetch.gate import Gate
from crawls.engine.fetch.guard import Guard
from crawls.engine.policy import Policy
from crawls.engine.records import Result, Task

log = logging.getLogger(__name__)


class PageReader:
    """Fetches and reads pages for one thread; never raises for what the network or a page does."""

    def __init__(self, policy: Policy, guard: Guard, gate: Gate) -> None:
        self._client = Client(policy.fetching, guard)
        self._gate = gate
        self._extractor = Extractor(Extraction.of(policy))

    def read(self, task: Task) -> Result:
        """The page at an address, or what went wrong on the way to it."""
        try:
            return self._read(task)
        except Exception as error:  # a bug on one page must cost that page, not the crawl; it is logged with its trace
            log.exception("reading %s failed", task.url)
            return Result(task.ticket, failure=Failure(Code.INTERNAL_ERROR, f"{type(error).__name__}: {error}"[:300]))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _read(self, task: Task) -> Result:
        fetched = self._client.fetch(task.url, may_follow=self._gate)
        response = fetched.response
        if response is None:
            return _failed(task, fetched, fetched.failure)
        wrong = failure_of_status(response.status, fetched.retry_after_s)
        if wrong is not None:
            return _failed(task, fetched, wrong, final_url=response.url)
        page = self._extractor.read(response)
        if isinstance(page, Failure):
            return _failed(task, fetched, page, final_url=response.url)
        return Result(
            task.ticket,
            page=page,
            hops=fetched.hops,
            elapsed_s=fetched.elapsed_s,
            wire_bytes=fetched.wire_bytes,
            requests=fetched.requests,
        )


def _failed(task: Task, fetched: Fetched, failure: Failure | None, final_url: str = "") -> Result:
    return Result(
        task.ticket,
        failure=failure or Failure(Code.INTERNAL_ERROR, "no response and no failure"),
        hops=fetched.hops,
        final_url=final_url,
        elapsed_s=fetched.elapsed_s,
        wire_bytes=fetched.wire_bytes,
        requests=fetched.requests,
    )
