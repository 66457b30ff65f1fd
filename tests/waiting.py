"""Waiting for a condition, never for luck."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

_PAUSE = threading.Event()


def until(condition: Callable[[], bool], timeout_s: float = 20.0) -> None:
    """Return once the condition holds; AssertionError when it does not in time."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, f"not in {timeout_s} s"
        _PAUSE.wait(0.02)


def listens(port: int) -> bool:
    """Whether something accepts connections on a port of loopback."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
