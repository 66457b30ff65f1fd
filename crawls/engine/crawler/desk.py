"""Where results come in: each becomes the outcome of its URL, and what the page names is offered to the intake."""

from __future__ import annotations

from crawls.engine import urls
from crawls.engine.crawler.hosts import RobotsShelf
from crawls.engine.crawler.intake import Intake
from crawls.engine.crawler.journal import Journal
from crawls.engine.errors import Code, Failure, caused_by_us
from crawls.engine.frontier.breadth_first import Frontier
from crawls.engine.frontier.scope import Scope
from crawls.engine.frontier.sequence import Flight
from crawls.engine.judge import indexability
from crawls.engine.judge.soft404 import Probe
from crawls.engine.policy import Policy
from crawls.engine.records import Found, Hop, Outcome, Page, Reason, Result, Source, Verdict

_EVIDENCE_CHARS = 500


class Desk:
    """Judges what workers hand back. One thread; touches nothing but intake, frontier and journal."""

    def __init__(
        self, policy: Policy, scope: Scope, robots: RobotsShelf, frontier: Frontier, intake: Intake, journal: Journal
    ) -> None:
        self._policy = policy
        self._scope = scope
        self._robots = robots
        self._frontier = frontier
        self._intake = intake
        self._journal = journal
        self.probe: Probe | None = None

    def take(self, flight: Flight) -> None:
        """Record the outcome of one flight that has its result."""
        result = flight.result
        if result is None:
            raise ValueError(f"flight {flight.ticket} has no result yet")
        self._count(result)
        if result.page is not None:
            self._take_page(flight, result, result.page)
        elif result.failure is not None:
            self._take_failure(flight, result, result.failure)

    def _count(self, result: Result) -> None:
        counters = self._journal.counters
        counters.pages += 1
        counters.requests += result.requests
        counters.wire_bytes += result.wire_bytes
        if result.page is not None:
            counters.body_bytes += result.page.body_bytes
            counters.rendered += result.page.rendered
        if result.failure is not None:
            code = result.failure.code
            counters.failures[code] = counters.failures.get(code, 0) + 1
            counters.own_load_failures += caused_by_us(code)

    # -- pages

    def _take_page(self, flight: Flight, result: Result, page: Page) -> None:
        found = self._settle_redirect(flight, page.url, result.hops)
        if found is None:
            return
        start = found.sources & Source.SEED
        if start and self.probe is not None and self.probe.matches(page):
            self.probe = None  # the site answers everything alike, as an app shell does: that tells nothing
        inside = self._scope.contains(page.canonical) if page.canonical else None
        judgement = indexability.judge(
            page,
            found.url,
            self._policy,
            None if start else self.probe,
            indexability.Circumstances(canonical_in_scope=inside),
        )
        verdict, reason, evidence = judgement.verdict, judgement.reason, judgement.evidence
        rule = self._scope.listing_rule(found.url)
        if verdict is Verdict.IN and rule:
            verdict, reason, evidence = Verdict.OUT, Reason.NOT_LISTED_BY_RULE, rule
        self._record(
            Outcome(
                found.order,
                found.key,
                found.url,
                verdict,
                reason,
                evidence=evidence[:_EVIDENCE_CHARS],
                status=page.status,
                final_url=page.url,
                canonical=page.canonical,
                title=page.title,
                content_type=page.content_type,
                fingerprint=page.fingerprint,
                lastmod=page.lastmod,
                lastmod_source=page.lastmod_source,
                images=page.images,
                alternates=page.alternates,
                warnings=judgement.warnings,
                rendered=page.rendered,
                attempts=flight.attempts,
                elapsed_ms=round(page.elapsed_s * 1000),
                ttfb_ms=round(page.ttfb_s * 1000),
                body_bytes=page.body_bytes,
            )
        )
        if reason is not Reason.SOFT_404:
            self._offer_what_it_names(found, page)

    def _offer_what_it_names(self, found: Found, page: Page) -> None:
        depth, order = found.depth + 1, found.order
        if page.canonical and page.canonical != page.url:
            self._intake.offer(page.canonical, Source.CANONICAL, depth, found_on=order)
        for _, address in page.alternates:
            if address == page.url:
                continue
            self._intake.offer(urls.clean(address), Source.HREFLANG, depth, found_on=order)
        if page.refresh:
            self._intake.offer(urls.clean(page.refresh), Source.REDIRECT, depth, found_on=order)
        if self._policy.follow_nofollow or not page.robots.nofollow:
            self._intake.offer_links(page.links, depth, order)

    # -- failures

    def _take_failure(self, flight: Flight, result: Result, failure: Failure) -> None:
        if failure.code is Code.REDIRECT_OFF_SITE:
            self._take_stopped_redirect(flight, result, failure)
            return
        found = self._settle_redirect(flight, result.final_url or flight.found.url, result.hops)
        if found is None:
            return
        reason = _reason_of(failure)
        self._record(
            Outcome(
                found.order,
                found.key,
                found.url,
                Verdict.OUT,
                reason,
                evidence=failure.detail[:_EVIDENCE_CHARS],
                status=failure.status,
                failure=failure.code,
                final_url=result.final_url,
                hops=result.hops if found is flight.found else (),
                attempts=flight.attempts,
                elapsed_ms=round(result.elapsed_s * 1000),
            )
        )

    def _take_stopped_redirect(self, flight: Flight, result: Result, failure: Failure) -> None:
        target = urls.clean(failure.detail)
        seed = flight.found.sources & Source.SEED
        if seed and urls.is_twin(flight.found.url, target):
            self._scope.move_to(target)
        inside = self._scope.contains(target)
        reason = Reason.REDIRECTED if inside else Reason.REDIRECTED_OFF_SITE
        self._record(self._redirect_outcome(flight.found, target, result.hops, reason, flight.attempts))
        self._intake.offer(target, Source.REDIRECT | seed, flight.found.depth, found_on=flight.found.order)

    # -- redirects

    def _settle_redirect(self, flight: Flight, final_url: str, hops: tuple[Hop, ...]) -> Found | None:
        """Whose outcome the answer is: the URL asked, or the end of its redirects; None when that has one already."""
        final_key = urls.key_of(final_url)
        if final_key == flight.found.key:
            return flight.found
        found = flight.found
        self._record(self._redirect_outcome(found, final_url, hops, Reason.REDIRECTED, flight.attempts))
        self._record_hops(found, hops, final_url)
        news = self._frontier.look(final_key, int(Source.REDIRECT), found.depth)
        if news is None:
            source = Source.REDIRECT | (found.sources & Source.SEED)
            return self._intake.reserve(final_url, source, found.depth, found_on=found.order)
        self._intake.offer(final_url, Source.REDIRECT, found.depth, found_on=found.order, key=final_key)
        # A known target that waits or is on its way has its own turn: its own row comes from its own answer.
        return None

    def _record_hops(self, found: Found, hops: tuple[Hop, ...], final_url: str) -> None:
        for position, hop in enumerate(hops[1:], start=1):
            address = urls.clean(hop.url)
            if self._frontier.look(urls.key_of(address), int(Source.REDIRECT), found.depth) is None:
                between = self._intake.reserve(address, Source.REDIRECT, found.depth, found_on=found.order)
                self._record(self._redirect_outcome(between, final_url, hops[position:], Reason.REDIRECTED, 1))

    @staticmethod
    def _redirect_outcome(found: Found, target: str, hops: tuple[Hop, ...], reason: Reason, attempts: int) -> Outcome:
        return Outcome(
            found.order,
            found.key,
            found.url,
            Verdict.OUT,
            reason,
            evidence=f"{' '.join(str(hop.status) for hop in hops)} to {target}"[:_EVIDENCE_CHARS].strip(),
            status=hops[0].status if hops else 0,
            final_url=target,
            hops=hops,
            attempts=attempts,
        )

    def _record(self, outcome: Outcome) -> None:
        self._frontier.done(outcome.key)
        self._journal.outcome(outcome)


def _reason_of(failure: Failure) -> Reason:
    if failure.code is Code.RATE_LIMITED or failure.retry_after_s is not None:
        return Reason.RATE_LIMITED
    return Reason.HTTP_ERROR if failure.status >= 400 else Reason.FETCH_FAILED
