#!/usr/bin/env python3
"""How memory grows with the number of known URLs: a crawl whose pages are made up on the spot, on a real SQLite store.

bench/growth.py PAGES LINKS_A_PAGE      prints JSON: known URLs and resident MB, as the crawl goes on
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from array import array
from pathlib import Path
from typing import Any

os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="surveyor-growth-")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import django

django.setup()

from django.core.management import call_command  # noqa: E402 - the applications must be loaded first

from crawls.engine import urls  # noqa: E402
from crawls.engine.crawler import Crawler, Ports  # noqa: E402
from crawls.engine.errors import Code, Failure  # noqa: E402
from crawls.engine.events import Snapshot  # noqa: E402
from crawls.engine.policy import Policy, Politeness  # noqa: E402
from crawls.engine.records import Links, Page, Response, Result, Task  # noqa: E402
from crawls.runner import SystemClock  # noqa: E402
from crawls.services import jobs  # noqa: E402
from crawls.store.orm import OrmStore  # noqa: E402

START = "http://growth.test/"


class MadeUp:
    """Workers and documents without a network: every page names pages that nobody named before."""

    capacity = 8

    def __init__(self, links_a_page: int) -> None:
        self._links = links_a_page
        self._next = 0
        self._ready: list[Result] = []

    def submit(self, task: Task) -> None:
        """Make the page up."""
        addresses = [f"{START}folder-{(self._next + n) % 97}/page-{self._next + n}.html" for n in range(self._links)]
        self._next += self._links
        keys = array("q", [urls.key_of(address) for address in addresses]).tobytes()
        links = Links(keys, "\n".join(addresses))
        page = Page(task.url, task.url, 200, content_type="text/html", is_html=True, title="A page", links=links)
        self._ready.append(Result(task.ticket, page=page, elapsed_s=0.001))

    def results(self, timeout_s: float) -> list[Result]:
        """All that was asked for."""
        ready, self._ready = self._ready, []
        return ready

    def admit(self, origin: str, robots: Any) -> None:
        """Nothing redirects here."""

    def close(self) -> None:
        """Nothing is open."""

    def get(self, url: str, **limits: Any) -> Response | Failure:
        """No robots.txt, no sitemap."""
        return Response(url, url, 404, (), b"") if limits else Failure(Code.NOT_FOUND)

    def slow_down(self, interval_s: float) -> None:
        """There is no pace."""


class Watch:
    """Notes the process's size as URLs become known."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, float]] = []

    def notice(self, snapshot: Snapshot) -> None:
        """One more point."""
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        self.sizes.append((snapshot.done + snapshot.waiting, pages * os.sysconf("SC_PAGE_SIZE") / 2**20))

    def finding(self, finding: Any) -> None:
        """Of no interest here."""


def main() -> None:
    """Crawl and print."""
    pages, links = int(sys.argv[1]), int(sys.argv[2])
    call_command("migrate", verbosity=0)
    policy = Policy(max_pages=pages, politeness=Politeness(rate_per_s=0, concurrency=8), max_depth=1_000)
    job = jobs.begin(start_url=START, policy=policy, output_dir="")
    made, watch = MadeUp(links), Watch()
    started = time.process_time()
    Crawler((START,), policy, Ports(made, made, OrmStore(job), watch, threading.Event(), SystemClock())).run()
    known, size = watch.sizes[-1]
    first = next(point for point in watch.sizes if point[0] >= known / 5)
    growth = (size - first[1]) / (known - first[0]) * 100_000
    cpu = time.process_time() - started
    told = {
        "known": known,
        "resident_mb": size,
        "growth_mb_per_100k": growth,
        "cpu_s_per_1000_pages": cpu / pages * 1e3,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
