"""How a crawl ends: what is left is settled, chains are followed to their end, and the end state is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from crawls.engine.errors import Code, Failure
from crawls.engine.frontier.breadth_first import DEEP_LANE
from crawls.engine.judge import canonical
from crawls.engine.ports import Store
from crawls.engine.records import EndState, Facts, Reason, Ruling

_RULINGS_AT_ONCE = 500


@dataclass(slots=True)
class Course:
    """What happened on the way that decides the end state."""

    stopped: bool = False
    host_lost: bool = False
    pages_limit: bool = False
    failure: Failure | None = None
    robots_failure: Failure | None = None


def settle(store: Store, course: Course) -> None:
    """Give every URL that still waits its reason."""
    store.settle(Reason.TOO_DEEP, "more links away from the start than this crawl goes", DEEP_LANE)
    if course.stopped:
        store.settle(Reason.STOPPED, "the crawl was stopped before this page's turn")
    elif course.host_lost:
        store.settle(Reason.FETCH_FAILED, "the host stopped answering before this page's turn")
    else:
        store.settle(Reason.LIMIT_REACHED, "the page limit was reached before this page's turn")


def resolve_canonicals(store: Store) -> None:
    """Follow every declared canonical to its end, over redirects and further canonicals."""
    rulings = _rulings(store)
    while batch := list(islice(rulings, _RULINGS_AT_ONCE)):
        store.rule(batch)


def _rulings(store: Store) -> Iterator[Ruling]:
    def look_up(key: int) -> Facts | None:
        return store.facts([key]).get(key)

    for facts in store.canonicalized():
        ruling = canonical.resolve(facts, look_up)
        if ruling is not None:
            yield ruling


def end_state(
    course: Course, reasons: dict[str, int], limits: dict[str, int], start: Facts | None
) -> tuple[EndState, str, str]:
    """End state, one sentence, and failure code."""
    if course.stopped:
        return EndState.STOPPED, "stopped on request; what was found is kept", ""
    if course.robots_failure is not None:
        return _robots_end(course.robots_failure)
    listed = reasons.get(Reason.INDEXABLE, 0)
    if not listed and start is not None:
        return _nothing_listed(start, reasons)
    if course.host_lost:
        return EndState.PARTIAL, "the site stopped answering; what was found until then is kept", Code.HOST_UNREACHABLE
    if limits:
        names = ", ".join(sorted(limits))
        return EndState.PARTIAL, f"a limit was met: {names}", ""
    return EndState.COMPLETE, "every page that could be found was read", ""


def _robots_end(failure: Failure) -> tuple[EndState, str, str]:
    if failure.status:
        why = f"robots.txt answered with HTTP status {failure.status}, so nothing may be fetched (RFC 9309 2.3.1.4)"
        return EndState.BLOCKED, why, Code.ROBOTS_UNREACHABLE
    return EndState.FAILED, f"the site cannot be reached: {failure.detail or failure.code}", failure.code


def _nothing_listed(start: Facts, reasons: dict[str, int]) -> tuple[EndState, str, str]:
    if start.reason is Reason.ROBOTS_DISALLOWED:
        return EndState.BLOCKED, "robots.txt forbids the start address, and nothing else may be listed", ""
    judged = sum(reasons.values())
    if start.reason in (Reason.HTTP_ERROR, Reason.FETCH_FAILED, Reason.RATE_LIMITED):
        return EndState.FAILED, f"the start address could not be read ({start.reason})", str(start.reason)
    if start.reason is Reason.NOT_HTML and judged == 1:
        return EndState.FAILED, "the start address is no web page, so there is nothing to crawl", str(start.reason)
    if start.reason is Reason.REDIRECTED_OFF_SITE:
        why = f"the start address redirects to another site, {start.final_url}: start there instead"
        return EndState.FAILED, why, str(start.reason)
    return EndState.COMPLETE, "every page was read, and none of them may be listed", ""
