"""The way out for progress: the newest numbers go to the job row, and to whoever watches in this process."""

from __future__ import annotations

import time
from dataclasses import asdict

from crawls.engine.events import Snapshot
from crawls.engine.ports import Observer
from crawls.engine.records import Finding
from crawls.models import CrawlJob
from crawls.services import jobs

_WRITE_EVERY_S = 5.0


class JobProgress:
    """Port `Observer`: keeps the lease alive with every snapshot that is written, and passes everything on."""

    def __init__(self, job: CrawlJob, watcher: Observer) -> None:
        self._job = job
        self._watcher = watcher
        self._written_at = time.monotonic()

    def notice(self, snapshot: Snapshot) -> None:
        """See the port."""
        self._watcher.notice(snapshot)
        now = time.monotonic()
        if now - self._written_at >= _WRITE_EVERY_S:
            self._written_at = now
            jobs.heartbeat(job=self._job, snapshot=asdict(snapshot))

    def finding(self, finding: Finding) -> None:
        """See the port."""
        self._watcher.finding(finding)
