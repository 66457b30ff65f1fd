"""Workers as threads: for a polite crawl, which waits on the network most of its time."""

from __future__ import annotations

import queue
import threading

from crawls.engine.fetch.gate import Gate
from crawls.engine.fetch.guard import Guard
from crawls.engine.fetch.reading import PageReader
from crawls.engine.policy import Policy
from crawls.engine.ports import RobotsRules
from crawls.engine.records import Result, Task


class ThreadWorkers:
    """`policy.politeness.concurrency` threads behind one queue (port `Workers`)."""

    def __init__(self, policy: Policy) -> None:
        self._gate = Gate(policy.fetching.product_token)
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self.capacity = policy.politeness.concurrency
        guard = Guard.of(policy.fetching)
        self._threads = [
            threading.Thread(
                target=self._work, args=(PageReader(policy, guard, self._gate),), name=f"fetch-{number}", daemon=True
            )
            for number in range(self.capacity)
        ]
        for thread in self._threads:
            thread.start()

    def admit(self, origin: str, robots: RobotsRules) -> None:
        """See the port."""
        self._gate.admit(origin, robots)

    def submit(self, task: Task) -> None:
        """See the port."""
        self._tasks.put(task)

    def results(self, timeout_s: float) -> list[Result]:
        """See the port."""
        ready: list[Result] = []
        try:
            ready.append(self._results.get(timeout=timeout_s) if timeout_s > 0 else self._results.get_nowait())
            while True:
                ready.append(self._results.get_nowait())
        except queue.Empty:
            return ready

    def close(self) -> None:
        """Tell every thread to end after what it is doing; none is waited for (each has its deadline)."""
        for _ in self._threads:
            self._tasks.put(None)

    def _work(self, reader: PageReader) -> None:
        while (task := self._tasks.get()) is not None:
            self._results.put(reader.read(task))
        reader.close()
