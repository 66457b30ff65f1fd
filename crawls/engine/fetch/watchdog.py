"""Deadlines on the wall clock: a socket that is due is shut down, whatever drips out of it.

A read timeout starts anew with every byte, so a server that sends one byte every two seconds could hold a worker for
ever. One daemon thread a process looks four times a second.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time

_LOOK_EVERY_S = 0.25


class Slot:
    """What one thread is waiting for: its socket, and until when. `expired` tells why the socket broke."""

    __slots__ = ("deadline", "expired", "reused", "sock")

    def __init__(self) -> None:
        self.deadline = 0.0
        self.sock: socket.socket | None = None
        self.expired = False
        self.reused = False

    def begin(self, deadline: float) -> None:
        """A fetch starts; it must be over by then (monotonic seconds)."""
        self.expired = False
        self.sock = None
        self.deadline = deadline

    def end(self) -> None:
        """The fetch is over."""
        self.deadline = 0.0
        self.sock = None

    def left_s(self) -> float:
        """How long is left."""
        return self.deadline - time.monotonic()


class Watchdog:
    """Keeps the slots of a process, and shuts the socket of each that is due."""

    def __init__(self) -> None:
        self._slots: list[Slot] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def slot(self) -> Slot:
        """A new slot, watched until `drop`."""
        slot = Slot()
        with self._lock:
            self._slots.append(slot)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
                self._thread.start()
        return slot

    def drop(self, slot: Slot) -> None:
        """The slot is no longer used."""
        with self._lock:
            if slot in self._slots:
                self._slots.remove(slot)

    def _watch(self) -> None:
        while True:
            time.sleep(_LOOK_EVERY_S)
            now = time.monotonic()
            with self._lock:
                due = [slot for slot in self._slots if 0 < slot.deadline < now]
            for slot in due:
                _shut(slot)


def _shut(slot: Slot) -> None:
    sock = slot.sock
    if sock is None:
        return
    slot.expired = True
    with contextlib.suppress(OSError):  # already closed by its owner
        sock.shutdown(socket.SHUT_RDWR)


WATCHDOG = Watchdog()
