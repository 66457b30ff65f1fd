"""Following a declared canonical to its end, over redirects and further canonicals (RFC 6596; Google: it is a hint)."""

from __future__ import annotations

from collections.abc import Callable

from crawls.engine import urls
from crawls.engine.records import Facts, Reason, Ruling, State, Verdict

MAX_HOPS = 10

LookUp = Callable[[int], Facts | None]


def resolve(page: Facts, look_up: LookUp) -> Ruling | None:
    """What becomes of a page that names another one as canonical; None when the first verdict stands.

    - the end is in the sitemap: the page stays out, the evidence names the end where it differs;
    - the end is no page to list (an error, blocked, noindex, never read): the hint is void, the page is listed;
    - the chain comes back over a redirect: the page answers 200 itself, so it is listed;
    - pages name each other in a circle: the one found first is listed, the others are `canonical_loop`.
    """
    steps = [page]
    target = page.canonical
    while len(steps) <= MAX_HOPS:
        facts = look_up(urls.key_of(target))
        if facts is None or facts.state is not State.DONE:
            return _listed(page, f"its canonical {target} was not read")
        if facts in steps:
            return _loop(page, steps[steps.index(facts) :])
        steps.append(facts)
        following = _next(facts)
        if not following:
            return _end(page, facts)
        target = following
    return _listed(page, f"its canonical leads over more than {MAX_HOPS} pages")


def _next(facts: Facts) -> str:
    if facts.reason is Reason.REDIRECTED:
        return facts.final_url
    return facts.canonical if facts.reason in (Reason.CANONICALIZED, Reason.CANONICAL_LOOP) else ""


def _end(page: Facts, end: Facts) -> Ruling | None:
    # An end outside the list by the owner's own rule is still the page's canonical.
    if end.verdict is Verdict.IN or end.reason is Reason.NOT_LISTED_BY_RULE:
        return None if end.url == page.canonical else _out(page, Reason.CANONICALIZED, f"{page.canonical} -> {end.url}")
    if end.reason in (Reason.CANONICAL_OTHER_HOST, Reason.REDIRECTED_OFF_SITE):
        return _out(page, Reason.CANONICAL_OTHER_HOST, f"{page.canonical} leads to {end.canonical or end.final_url}")
    return _listed(page, f"its canonical {end.url} cannot be listed ({end.reason})")


def _loop(page: Facts, circle: list[Facts]) -> Ruling:
    names = ", ".join(one.url for one in circle)
    if page not in circle:
        first = min(_answering(circle), key=lambda one: one.order, default=circle[0])
        return _out(page, Reason.CANONICALIZED, f"{page.canonical} -> {first.url}")
    first = min(_answering(circle), key=lambda one: one.order)
    if first == page:
        return _listed(page, f"pages name each other as canonical in a circle: {names}")
    return _out(page, Reason.CANONICAL_LOOP, f"listed instead: {first.url}; circle: {names}")


def _answering(circle: list[Facts]) -> list[Facts]:
    return [one for one in circle if one.reason is not Reason.REDIRECTED]


def _listed(page: Facts, why: str) -> Ruling:
    return Ruling(page.key, Verdict.IN, Reason.INDEXABLE, f"canonical ignored: {why}"[:500])


def _out(page: Facts, reason: Reason, evidence: str) -> Ruling:
    return Ruling(page.key, Verdict.OUT, reason, evidence[:500])
