"""Progress for a person at a terminal: one line that moves, or log lines where nobody looks."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

from crawls.engine.events import Phase, Snapshot
from crawls.engine.records import Finding

_DRAW_EVERY_S = 0.2
_LOG_EVERY_S = 10.0
_BAR_CELLS = 20


class Watcher:
    """Port `Observer`: a bar on a terminal, a line every ten seconds elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._moving = stream.isatty()
        self._drawn_at = 0.0
        self._phase: Phase | None = None

    def notice(self, snapshot: Snapshot) -> None:
        """See the port."""
        now = time.monotonic()
        every = _DRAW_EVERY_S if self._moving else _LOG_EVERY_S
        if snapshot.phase is self._phase and now - self._drawn_at < every:
            return
        self._phase, self._drawn_at = snapshot.phase, now
        line = _line(snapshot)
        if self._moving:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r{line[:width]:<{width}}")
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()

    def finding(self, finding: Finding) -> None:
        """See the port."""
        lead = "\r\x1b[K" if self._moving else ""
        where = f" ({finding.where})" if finding.where else ""
        self._stream.write(f"{lead}{finding.level}: {_printable(finding.message)}{_printable(where)}\n")

    def close(self) -> None:
        """Leave the moving line."""
        if self._moving:
            self._stream.write("\n")


def _line(snapshot: Snapshot) -> str:
    done, waiting = snapshot.done, snapshot.waiting
    share = done / (done + waiting) if done + waiting else 0.0
    bar = "#" * round(share * _BAR_CELLS)
    numbers = f"{done} read, {waiting} waiting, {snapshot.listed} listed, {snapshot.failed} failed"
    speed = f"{snapshot.rate_per_s:.1f}/s, p95 {snapshot.p95_ms} ms"
    return f"{snapshot.phase:<9} [{bar:<{_BAR_CELLS}}] {numbers}, {speed}  {_printable(snapshot.newest)}"


def _printable(text: str) -> str:
    """Text without control characters: what a site sends must not steer a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)
