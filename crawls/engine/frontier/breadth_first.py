"""The frontier: which URLs are known, which wait, and which is next.

Two lanes, each first in, first out: URLs found by links (so breadth first), and entries of declared sitemaps. They take
turns, so that neither a long sitemap nor an endless site can starve the other. Memory holds one small number for each
known URL and a bounded window of each lane; the rest waits in the store and is read back when the window is empty.

A URL whose path prefix has had its share of the crawl is passed over, not dropped: once both lanes are empty, and no
page is on its way that could fill them, the passed-over ones are read back. What is found meanwhile goes before them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from crawls.engine.records import Found, Source

LINK_LANE = 0
SITEMAP_LANE = 1
DEEP_LANE = 2  # too deep to fetch: waits in the store only, in case a shorter way is found
_LANES = (LINK_LANE, SITEMAP_LANE)

_DONE = 1 << 6
_SENT = 1 << 7
_DEPTH_SHIFT = 8

ReadWindow = Callable[[int, int, int], list[Found]]


class Frontier:
    """The URLs of one job. Touches nothing but its own memory and, through `read_window`, the store.

    `read_window(lane, after_order, limit)` must return what is pending in the store; whoever passes it makes sure that
    what was added before is written by then. `over_share(url)` says whether a URL should wait for the second pass.
    """

    def __init__(self, read_window: ReadWindow, over_share: Callable[[str], bool], window: int) -> None:
        self._read_window = read_window
        self._over_share = over_share
        self._window = window
        self._seen: dict[int, int] = {}
        self._shared: dict[int, int] = {}
        self._queues: tuple[deque[Found], deque[Found]] = (deque(), deque())
        self._spilled = [0, 0]
        self._last_order = [-1, -1]
        self._passed_over = 0
        self._late: deque[Found] = deque()
        self._late_order = [-1, -1]
        self._late_begun = False
        self._turn = LINK_LANE
        self.next_order = 0

    def __len__(self) -> int:
        """How many URLs are known."""
        return len(self._seen)

    @property
    def waiting(self) -> int:
        """How many URLs wait, in memory or in the store."""
        return len(self._queues[0]) + len(self._queues[1]) + sum(self._spilled) + self._passed_over

    def look(self, key: int, source: int, depth: int) -> bool | None:
        """Whether a sighting of a known URL tells something new; None when the URL is not known.

        Asked for every link of every page: `source` is a plain integer, since flags are slow.
        """
        value = self._seen.get(key)
        if value is None:
            return None
        return not value & source or value >> _DEPTH_SHIFT > depth

    def sighted(self, key: int, source: Source, depth: int) -> None:
        """Keep a further source and the smaller depth of a known URL."""
        value = self._seen[key]
        depth = min(depth, value >> _DEPTH_SHIFT)
        self._put(key, value & 0xFF | int(source) | depth << _DEPTH_SHIFT)

    def remember(self, found: Found, *, done: bool) -> None:
        """Know a URL that shall not wait: it is judged already, or was when an earlier run of the job knew it."""
        self._put(found.key, int(found.sources) | (_DONE if done else 0) | found.depth << _DEPTH_SHIFT)
        self.next_order = max(self.next_order, found.order + 1)

    def add(self, found: Found) -> None:
        """Know a URL that is to be fetched, and let it wait in its lane."""
        self.remember(found, done=False)
        lane = found.lane
        if not self._spilled[lane] and len(self._queues[lane]) < self._window:
            self._queues[lane].append(found)
            self._last_order[lane] = found.order
        else:
            self._spilled[lane] += 1

    def admit_late(self, found: Found) -> None:
        """Let a URL wait that was known, but too deep until now."""
        self._put(found.key, self._seen[found.key] & 0xFF | found.depth << _DEPTH_SHIFT)
        self._queues[LINK_LANE].append(found)

    def restore(self, found: Found) -> None:
        """Know a URL that waits in the store since an earlier run of the job."""
        self.remember(found, done=False)
        self._spilled[found.lane] += 1

    def next(self, *, idle: bool) -> Found | None:
        """The next URL to fetch, or None when none may go now; marks it as sent.

        `idle`: no page is on its way, so that nothing new can be found but by what is given out now.
        """
        found = self._take()
        if found is None and self._passed_over and (idle or self._late_begun):
            found = self._take_late()
        if found is not None:
            self._put(found.key, self._seen[found.key] | _SENT)
        return found

    def give_back(self, found: Found) -> None:
        """Put a URL that `next` gave at the head of its lane again."""
        self._put(found.key, self._seen[found.key] & ~_SENT)
        self._queues[found.lane].appendleft(found)

    def done(self, key: int) -> None:
        """The URL is judged."""
        self._put(key, self._seen[key] | _DONE)

    def _take(self) -> Found | None:
        for lane in (self._turn, 1 - self._turn):
            found = self._head(lane)
            if found is not None:
                self._turn = 1 - lane
                return found
        return None

    def _head(self, lane: int) -> Found | None:
        while self._queues[lane] or self._refill(lane):
            found = self._queues[lane].popleft()
            if self._seen[found.key] & (_DONE | _SENT):
                continue
            if self._over_share(found.url):
                self._passed_over += 1
                continue
            return found
        return None

    def _refill(self, lane: int) -> bool:
        if not self._spilled[lane]:
            return False
        batch = self._read_window(lane, self._last_order[lane], self._window)
        if not batch:
            self._spilled[lane] = 0
            return False
        self._queues[lane].extend(batch)
        self._last_order[lane] = batch[-1].order
        self._spilled[lane] = max(0, self._spilled[lane] - len(batch))
        if len(batch) == self._window and not self._spilled[lane]:
            self._spilled[lane] = 1  # there may be more than was counted; the next read tells
        return True

    def _take_late(self) -> Found | None:
        self._late_begun = True
        while self._late or self._refill_late():
            found = self._late.popleft()
            if not self._seen[found.key] & (_DONE | _SENT):
                self._passed_over -= 1
                return found
        self._passed_over = 0
        return None

    def _refill_late(self) -> bool:
        # Both lanes are empty: whatever still waits in the store was passed over.
        for lane in _LANES:
            batch = self._read_window(lane, self._late_order[lane], self._window)
            if batch:
                self._late_order[lane] = batch[-1].order
                self._late.extend(batch)
                return True
        return False

    def _put(self, key: int, value: int) -> None:
        # One object for each distinct value: a few hundred instead of one for each URL.
        self._seen[key] = self._shared.setdefault(value, value)
