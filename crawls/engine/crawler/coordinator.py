"""The loop: choose, send, receive, take, write; and the phases around it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from time import gmtime

from crawls.engine import urls
from crawls.engine.crawler import ending
from crawls.engine.crawler.desk import Desk
from crawls.engine.crawler.ending import Course
from crawls.engine.crawler.hosts import RobotsAnswer, RobotsShelf
from crawls.engine.crawler.intake import Intake
from crawls.engine.crawler.journal import Journal
from crawls.engine.crawler.survey import Survey
from crawls.engine.crawler.traffic import Traffic, host_of
from crawls.engine.discover.robots import RobotsFile
from crawls.engine.events import Phase, Snapshot
from crawls.engine.frontier.breadth_first import DEEP_LANE, Frontier
from crawls.engine.frontier.prefix import PrefixShare
from crawls.engine.frontier.scope import Scope
from crawls.engine.frontier.sequence import Flight, Sequence
from crawls.engine.judge.soft404 import Probe
from crawls.engine.metrics import Durations, Rate
from crawls.engine.policy import Policy
from crawls.engine.ports import Clock, Documents, Observer, StopSignal, Store, Workers
from crawls.engine.records import Counters, Found, Report, Result, Source, State, Task

# So many URLs may be chosen ahead of the oldest page not yet taken; see frontier/sequence.py.
_SEQUENCE_WINDOW = 256
# With nothing else to do, the oldest page is waited for so long before others are taken first.
_PATIENCE_S = 5.0
_TICK_S = 0.25
_NOTICE_EVERY_S = 0.25
_PROBE_TICKET = -1


@dataclass(frozen=True, slots=True)
class Ports:
    """The world as the coordinator knows it."""

    workers: Workers
    documents: Documents
    store: Store
    observer: Observer
    stop: StopSignal
    clock: Clock


class Crawler:
    """One crawl of one site, from its start URL (or from where an earlier run of the same job stopped)."""

    def __init__(self, start_urls: tuple[str, ...], policy: Policy, ports: Ports) -> None:
        """`start_urls`: the address to start from; several when it came without a scheme, to be tried in turn."""
        self._policy = policy
        self._ports = ports
        self._start_urls = start_urls
        self._start_url = start_urls[0]
        self._started = ports.clock.monotonic()
        self._course = Course()
        self._resumed = ports.store.checkpoint()
        counters = self._resumed or Counters()
        self._journal = Journal(ports.store, ports.observer, policy, counters)
        self._share = PrefixShare(policy)
        self._frontier = Frontier(self._read_window, self._over_share, policy.window)
        self._sequence = Sequence(_SEQUENCE_WINDOW)
        self._traffic = Traffic(policy)
        self._robots = RobotsShelf(policy, ports.documents, ports.stop, ports.workers.admit, self._journal.finding)
        self._chosen = 0
        self._durations, self._rate = Durations(), Rate()
        self._noticed_at = 0.0
        self._newest = ""
        self._phase = Phase.STARTING

    def run(self) -> Report:
        """Crawl to the end, and say how it ended. Raises only for bugs and for a store that fails."""
        try:
            self._begin()
            if self._course.robots_failure is None:
                self._loop()
        finally:
            self._ports.workers.close()
        return self._end()

    # -- phases

    def _begin(self) -> None:
        self._enter(Phase.ROBOTS)
        answer = self._choose_start()
        scope = self._scope = Scope(self._start_url, self._policy, gmtime(self._ports.clock.wall()).tm_year)
        self._intake = Intake(self._policy, scope, self._robots, self._frontier, self._journal)
        self._desk = Desk(self._policy, scope, self._robots, self._frontier, self._intake, self._journal)
        if self._resumed:
            self._restore()
        self._intake.offer(urls.clean(self._start_url), Source.SEED, 0)
        if answer.file is None:
            self._course.robots_failure = answer.failure
            return
        self._obey_crawl_delay(answer.file)
        if self._resumed is None or self._resumed.phase in (Phase.STARTING, Phase.ROBOTS, Phase.SITEMAPS):
            self._read_sitemaps(answer.file)
        self._probe()
        self._enter(Phase.CRAWLING)
        self._flush()

    def _choose_start(self) -> RobotsAnswer:
        for url in self._start_urls:
            self._start_url = url
            answer = self._robots.answer(urls.origin(url))
            if answer.failure is None or answer.failure.status:
                break
        return answer

    def _read_sitemaps(self, robots: RobotsFile) -> None:
        self._enter(Phase.SITEMAPS)
        ports = self._ports
        survey = Survey(self._policy, ports.documents, ports.stop, self._journal, self._intake, self._scope)
        survey.read(urls.origin(self._start_url), robots, self._flush_if_due)
        self._flush()

    def _obey_crawl_delay(self, robots: RobotsFile) -> None:
        delay_s = robots.crawl_delay(self._policy.fetching.product_token)
        if delay_s is None:
            return
        self._traffic.politeness.crawl_delay(host_of(self._start_url), delay_s)
        self._ports.documents.slow_down(min(delay_s, self._policy.politeness.max_crawl_delay_s))

    def _restore(self) -> None:
        for found, state in self._ports.store.seen():
            if state is State.DONE:
                self._frontier.remember(found, done=True)
            elif found.lane == DEEP_LANE:
                self._intake.restore_deep(found)
            else:
                self._frontier.restore(found)
        self._chosen = self._ports.store.done()
        key = urls.key_of(self._start_url)
        start = self._ports.store.facts([key]).get(key)
        if start and start.final_url and urls.is_twin(start.url, start.final_url):
            self._scope.move_to(start.final_url)

    def _probe(self) -> None:
        """Ask for a page that cannot exist, to know the site's "not found" page when it comes with status 200."""
        origin = urls.origin(self._start_url)
        url = f"{origin}/{blake2b(origin.encode(), digest_size=8).hexdigest()}-not-here"
        if not self._robots.decide(url).allowed:
            return
        self._ports.workers.submit(Task(_PROBE_TICKET, url))
        deadline = self._ports.clock.monotonic() + self._policy.fetching.deadline_s
        while self._ports.clock.monotonic() < deadline and not self._ports.stop.is_set():
            for result in self._ports.workers.results(_TICK_S):
                self._journal.counters.requests += result.requests
                self._desk.probe = Probe.of(result.page) if result.page is not None else None
                return

    # -- the loop

    def _loop(self) -> None:
        while not self._ports.stop.is_set():
            now = self._ports.clock.monotonic()
            self._choose()
            self._send(now)
            if not len(self._sequence):
                break
            for result in self._ports.workers.results(self._wait_s(now)):
                self._receive(result, self._ports.clock.monotonic())
            self._take()
            self._flush_if_due()
            self._notice()
            if self._traffic.gave_up(host_of(self._start_url)):
                self._course.host_lost = True
                break
        self._course.stopped = self._ports.stop.is_set()

    def _wait_s(self, now: float) -> float:
        if self._traffic.in_flight >= self._ports.workers.capacity:
            return _TICK_S  # only a result can change anything
        return self._traffic.wait_s(now, _TICK_S)

    def _choose(self) -> None:
        while not self._sequence.full:
            if self._chosen >= self._policy.max_pages:
                if self._frontier.waiting and not self._course.pages_limit:
                    self._course.pages_limit = True
                    self._journal.limit("max_pages")
                return
            found = self._frontier.next(idle=not len(self._sequence))
            if found is None:
                return
            self._chosen += 1
            self._share.note(found.url)
            self._traffic.enqueue(self._sequence.choose(found, host_of(found.url)))

    def _send(self, now: float) -> None:
        while self._traffic.in_flight < self._ports.workers.capacity:
            flight = self._traffic.next(now)
            if flight is None:
                return
            self._ports.workers.submit(Task(flight.ticket, flight.found.url))

    def _receive(self, result: Result, now: float) -> None:
        if result.ticket == _PROBE_TICKET:
            return  # came after we stopped waiting for it
        flight = self._sequence.flight(result.ticket)
        self._traffic.arrived(flight, result, now)
        self._durations.add(result.elapsed_s)
        failure = result.failure
        if failure is not None and self._traffic.try_again(flight, failure, now, _chance(flight)):
            self._journal.counters.retries += 1
            self._journal.counters.requests += result.requests
            self._sequence.pass_by(flight)
            return
        flight.result = result

    def _take(self) -> None:
        took = 0
        for flight in self._sequence.take():
            self._desk.take(flight)
            self._newest = flight.found.url
            took += 1
        if not took and self._traffic.starved:
            self._sequence.lose_patience(self._ports.clock.monotonic() - _PATIENCE_S)

    # -- the store and the watcher

    def _read_window(self, lane: int, after_order: int, limit: int) -> list[Found]:
        self._flush()
        return self._ports.store.window(lane, after_order, limit)

    def _over_share(self, url: str) -> bool:
        return self._share.over_share(url, self._chosen)

    def _flush(self) -> None:
        self._journal.flush(self._ports.clock.monotonic())

    def _flush_if_due(self) -> None:
        if self._journal.due(self._ports.clock.monotonic()):
            self._flush()

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        self._journal.counters.phase = phase
        self._notice(at_once=True)

    def _notice(self, *, at_once: bool = False) -> None:
        now = self._ports.clock.monotonic()
        if not at_once and now - self._noticed_at < _NOTICE_EVERY_S:
            return
        self._noticed_at = now
        self._rate.mark(now, self._journal.counters.pages)
        self._ports.observer.notice(self._snapshot())

    def _snapshot(self) -> Snapshot:
        counters = self._journal.counters
        return Snapshot(
            phase=self._phase,
            done=counters.pages,
            waiting=self._frontier.waiting + len(self._sequence),
            in_flight=self._traffic.in_flight,
            listed=self._journal.listed,
            failed=sum(counters.failures.values()),
            rendered=counters.rendered,
            rate_per_s=self._rate.per_s(),
            p95_ms=round(self._durations.p95_s() * 1000),
            newest=self._newest,
            failures=dict(counters.failures),
        )

    # -- the end

    def _end(self) -> Report:
        self._enter(Phase.MERGING)
        for finding in self._scope.trap_findings():
            self._journal.finding(finding)
        self._flush()
        store, counters = self._ports.store, self._journal.counters
        ending.settle(store, self._course)
        ending.resolve_canonicals(store)
        flags = store.merge_flags()
        reasons = store.counts()
        key = urls.key_of(self._start_url)
        start = store.facts([key]).get(key)
        state, why, code = ending.end_state(self._course, reasons, counters.limits, start)
        self._enter(Phase.ENDED)
        now = self._ports.clock.monotonic()
        return Report(
            state=state,
            why=why,
            code=code,
            start_url=self._scope.start_url,
            counters=counters,
            findings=tuple(sorted(self._journal.findings, key=lambda one: (one.code, one.where))),
            reasons=reasons,
            flags=flags,
            duration_s=now - self._started,
            p95_ms=round(self._durations.p95_s() * 1000),
            rate_per_s=counters.pages / max(now - self._started, 1e-9),
        )


def _chance(flight: Flight) -> float:
    """A number in 0..1 that differs from flight to flight, for spreading retries; no true chance is needed."""
    return (flight.ticket * 0.618034 + flight.attempts * 0.414214) % 1.0
