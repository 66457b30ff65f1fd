"""Workers as processes: for a crawl without delay, which is bound by CPU; only processes use the second core.

Each child is a bare interpreter that imports the engine and nothing else. It gets tasks over a socket pair and ends by
itself when its parent is gone.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from crawls.engine.errors import Code, Failure
from crawls.engine.fetch.gate import Gate
from crawls.engine.fetch.guard import Guard
from crawls.engine.fetch.reading import PageReader
from crawls.engine.policy import Policy
from crawls.engine.ports import RobotsRules
from crawls.engine.records import Result, Task

# About what a page costs a child; waiting shorter than this is not worth another thread.
_PAGE_CPU_S = 0.003
_ELAPSED_WEIGHT = 0.1
# Tasks and results cross to a child so many at a time where pages come quicker than processes wake each other.
_BATCH = 8
# A slow page in a batch does not keep the others' results for longer.
_HOLD_S = 0.05
_ROOT = Path(__file__).resolve().parents[3]


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    connection: Connection
    waiting: set[int] = field(default_factory=set)
    unsent: list[tuple[int, str]] = field(default_factory=list)


class ProcessWorkers:
    """`processes` children with the crawl's concurrency shared among them (port `Workers`).

    A child that dies yields `worker_died` for what it had, and is replaced.
    """

    def __init__(self, policy: Policy, processes: int) -> None:
        self._policy = policy
        self._threads = -(-policy.politeness.concurrency // processes)
        self._elapsed_s = 0.0
        self._robots: dict[str, RobotsRules] = {}
        self._selector = selectors.DefaultSelector()
        self._children = [self._launch() for _ in range(processes)]

    @property
    def capacity(self) -> int:
        """See the port. As many threads of each child as hide the wait for the network, and no more.

        Where answers come at once, a second thread would only contend for the interpreter. One task more than threads
        lies ready in each child, so that none waits for the coordinator's turn.
        """
        if self._quick:
            return len(self._children) * 2 * _BATCH
        useful = min(self._threads, 1 + int(self._elapsed_s / _PAGE_CPU_S))
        return len(self._children) * (useful + 1)

    @property
    def _quick(self) -> bool:
        """Whether answers come so fast that tasks are better handed over several at a time."""
        return self._elapsed_s < _PAGE_CPU_S

    def admit(self, origin: str, robots: RobotsRules) -> None:
        """See the port."""
        self._robots[origin] = robots
        for child in self._children:
            child.connection.send((origin, robots))

    def submit(self, task: Task) -> None:
        """See the port."""
        child = min(self._children, key=lambda one: len(one.waiting))
        child.waiting.add(task.ticket)
        child.unsent.append((task.ticket, task.url))
        if not self._quick:
            self._send(child)

    def results(self, timeout_s: float) -> list[Result]:
        """See the port."""
        ready: list[Result] = []
        for child in self._children:
            # A child with a batch still to read is given the next one when that is full.
            if child.unsent and (len(child.unsent) >= _BATCH or len(child.waiting) <= _BATCH or not self._quick):
                self._send(child)
        for key, _ in self._selector.select(max(0.0, timeout_s)):
            ready.extend(self._receive(key.data))
        return ready

    def close(self) -> None:
        """Kill the children: each holds nothing but half a page."""
        for child in self._children:
            self._end(child)
        self._selector.close()

    def _receive(self, child: _Child) -> list[Result]:
        try:
            results: list[Result] = child.connection.recv()
        except (EOFError, OSError):
            return self._replace(child)
        for result in results:
            child.waiting.discard(result.ticket)
            self._elapsed_s += (min(result.elapsed_s, 1.0) - self._elapsed_s) * _ELAPSED_WEIGHT
        return results

    @staticmethod
    def _send(child: _Child) -> None:
        tasks, child.unsent = child.unsent, []
        try:
            child.connection.send(tasks)
        except OSError:
            return  # the child is dead: its socket is at its end, so `results` finds out and accounts for the tasks

    def _replace(self, child: _Child) -> list[Result]:
        self._selector.unregister(child.connection)
        self._end(child)
        self._children[self._children.index(child)] = self._launch()
        died = Failure(Code.WORKER_DIED, f"worker process ended with status {child.process.returncode}")
        return [Result(ticket, failure=died) for ticket in sorted(child.waiting)]

    def _launch(self) -> _Child:
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
            [sys.executable, "-m", "crawls.engine.fetch.child", str(theirs.fileno())],
            pass_fds=(theirs.fileno(),),
            env={**os.environ, "PYTHONPATH": str(_ROOT)},
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        child = _Child(process, Connection(ours.detach()))
        child.connection.send((self._policy, self._threads))
        for origin, robots in self._robots.items():
            child.connection.send((origin, robots))
        self._selector.register(child.connection, selectors.EVENT_READ, child)
        return child

    @staticmethod
    def _end(child: _Child) -> None:
        child.process.kill()
        child.process.wait()
        child.connection.close()


def _read_all(reader: PageReader, tasks: list[tuple[int, str]]) -> Iterator[list[Result]]:
    """The results of a batch, in few portions."""
    ready: list[Result] = []
    since = time.monotonic()
    for ticket, url in tasks:
        ready.append(reader.read(Task(ticket, url)))
        if time.monotonic() - since > _HOLD_S:
            yield ready
            ready, since = [], time.monotonic()
    if ready:
        yield ready


def serve(descriptor: int) -> None:
    """The life of one child: read the policy, then tasks, until the parent closes the connection."""
    # Ctrl-C reaches the whole terminal group; the parent decides when a child ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Pages make many short-lived objects and no cycles; looking for those often is a tenth of the CPU.
    gc.set_threshold(50_000, 20, 20)
    connection = Connection(descriptor)
    policy, threads = connection.recv()
    gate, guard = Gate(policy.fetching.product_token), Guard.of(policy.fetching)
    receiving, sending = threading.Lock(), threading.Lock()

    def work() -> None:
        reader = PageReader(policy, guard, gate)
        try:
            while True:
                with receiving:
                    message = connection.recv()
                if isinstance(message, tuple):
                    gate.admit(*message)
                    continue
                for results in _read_all(reader, message):
                    with sending:
                        connection.send(results)
        except (EOFError, OSError):
            return  # the parent is gone, or has closed the crawl

    others = [threading.Thread(target=work, daemon=True) for _ in range(threads - 1)]
    for thread in others:
        thread.start()
    work()
