"""The sitemaps that a site declares, and those that lie at the usual places: read to the last child, each once.

A few are fetched at a time, taken in the order they were named, so that results do not depend on timing and no child
can starve the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from crawls.engine import urls
from crawls.engine.errors import Failure
from crawls.engine.ports import Documents, StopSignal
from crawls.engine.records import Finding, Level, Response
from sitemaps.protocol import limits
from sitemaps.protocol.entries import Entry, IndexEntry, Kind, Severity
from sitemaps.protocol.reader import Reader

USUAL_NAMES = (
    "sitemap.xml",
    "sitemap_index.xml",
    "sitemap-index.xml",
    "wp-sitemap.xml",
    "sitemapindex.xml",
    "sitemap.txt",
)
_ATTEMPTS = 2
_MAX_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far to go: documents in all, levels of indexes, seconds for one, how many at a time."""

    max_documents: int
    max_depth: int
    timeout_s: float
    parallel: int


@dataclass(frozen=True, slots=True)
class _Wanted:
    url: str
    depth: int
    guessed: bool
    named_by: str


class DeclaredSitemaps:
    """One reading of all of them. Iterate to get (sitemap address, entry); `documents` counts those that were fetched.

    `may_fetch` decides on the address of a sitemap before it is asked for; `tell` takes findings.
    """

    def __init__(
        self,
        documents: Documents,
        bounds: Bounds,
        may_fetch: Callable[[str], bool],
        tell: Callable[[Finding], None],
        stop: StopSignal,
    ) -> None:
        self._documents = documents
        self._bounds = bounds
        self._may_fetch = may_fetch
        self._tell = tell
        self._stop = stop
        self._asked: set[int] = set()
        self._waiting: deque[_Wanted] = deque()
        self.documents = 0
        self.sitemaps = 0
        self.over_budget = 0

    def read(self, declared: list[str], origin: str) -> Iterator[tuple[str, Entry]]:
        """Entries of the declared sitemaps, then of the first of the usual places that has one."""
        for url in declared:
            self._want(_Wanted(url, 0, guessed=False, named_by=f"{origin}/robots.txt"))
        yield from self._drain()
        for name in USUAL_NAMES:
            before = self.sitemaps
            self._want(_Wanted(f"{origin}/{name}", 0, guessed=True, named_by=""))
            yield from self._drain()
            if self.sitemaps > before or (declared and before):
                break
        if self.over_budget:
            message = f"{self.over_budget} sitemaps were not read: more than {self._bounds.max_documents} are named"
            self._tell(Finding("sitemap_budget", message, origin))

    def _want(self, wanted: _Wanted) -> None:
        key = urls.key_of(wanted.url)
        if key in self._asked:
            return
        if wanted.depth > self._bounds.max_depth:
            message = f"sitemap indexes nest deeper than {self._bounds.max_depth} levels; not followed further"
            self._tell(Finding("sitemap_depth", message, wanted.named_by))
            return
        if len(self._asked) >= self._bounds.max_documents:
            self.over_budget += 1
            return
        self._asked.add(key)
        if self._may_fetch(wanted.url):
            self._waiting.append(wanted)
        elif not wanted.guessed:
            message = f"{wanted.url} is not read: robots.txt or the limits of this site forbid it"
            self._tell(Finding("sitemap_not_allowed", message, wanted.named_by))

    def _drain(self) -> Iterator[tuple[str, Entry]]:
        with ThreadPoolExecutor(self._bounds.parallel, thread_name_prefix="sitemap") as pool:
            under_way: deque[tuple[_Wanted, Future[Response | Failure]]] = deque()
            while (self._waiting or under_way) and not self._stop.is_set():
                while self._waiting and len(under_way) < self._bounds.parallel:
                    wanted = self._waiting.popleft()
                    under_way.append((wanted, pool.submit(self._fetch, wanted.url)))
                wanted, future = under_way.popleft()
                yield from self._take(wanted, future.result())
            self._waiting.clear()

    def _fetch(self, url: str) -> Response | Failure:
        got: Response | Failure
        for attempt in range(1, _ATTEMPTS + 1):
            got = self._documents.get(
                url,
                max_bytes=limits.MAX_BYTES,
                deadline_s=self._bounds.timeout_s,
                max_redirects=_MAX_REDIRECTS,
                keep_truncated=True,
            )
            passing = (isinstance(got, Failure) and got.retryable) or (isinstance(got, Response) and got.status >= 500)
            if not passing or attempt == _ATTEMPTS or self._stop.is_set():
                break
        return got

    def _take(self, wanted: _Wanted, got: Response | Failure) -> Iterator[tuple[str, Entry]]:
        self.documents += 1
        if isinstance(got, Failure) or got.status != 200:
            self._tell_missing(wanted, got)
            return
        if got.url != wanted.url:
            key = urls.key_of(got.url)
            if key in self._asked:
                return  # redirected to one that is read already, or its own index
            self._asked.add(key)
        yield from self._entries(wanted, got)

    def _tell_missing(self, wanted: _Wanted, got: Response | Failure) -> None:
        if wanted.guessed:
            return
        why = got.detail or got.code if isinstance(got, Failure) else f"HTTP status {got.status}"
        message = f"the sitemap {wanted.url} could not be read: {why}"
        self._tell(Finding("sitemap_unreadable", message, wanted.named_by or wanted.url, Level.ERROR))

    def _entries(self, wanted: _Wanted, got: Response) -> Iterator[tuple[str, Entry]]:
        reader = Reader(got.body, got.url)
        if not reader.is_sitemap:
            self._tell_no_sitemap(wanted, reader.kind)
            return
        self.sitemaps += 1
        for entry in reader:
            if isinstance(entry, IndexEntry):
                self._want(_Wanted(entry.loc, wanted.depth + 1, guessed=False, named_by=got.url))
            else:
                yield got.url, entry
        for problem in reader.problems:
            where = f"{got.url}:{problem.line}" if problem.line else got.url
            level = Level.ERROR if problem.severity is Severity.ERROR else Level.WARNING
            self._tell(Finding(f"sitemap_{problem.code}", problem.message, where, level))
        if got.truncated:
            self._tell(Finding("sitemap_cut", "the download ended early or was cut at 50 MiB", got.url, Level.ERROR))

    def _tell_no_sitemap(self, wanted: _Wanted, kind: Kind) -> None:
        if not wanted.guessed:
            message = f"{wanted.url} is no sitemap but {'a web page' if kind is Kind.HTML else kind}"
            self._tell(Finding("sitemap_is_no_sitemap", message, wanted.named_by or wanted.url, Level.ERROR))
