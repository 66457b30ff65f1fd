"""Following a declared canonical to its end, over redirects and further canonicals (RFC 6596; to Google, a hint)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crawls.engine import urls
from crawls.engine.records import Facts, Reason, Ruling, State, Verdict

MAX_HOPS = 10
_MAX_EVIDENCE_CHARS = 500

LookUp = Callable[[int], Facts | None]

# Pages that answered themselves, and whose canonical is what they say next. Those that an earlier ruling listed are
# followed as before it, so that no ruling depends on which others were written already.
_ANSWERING = frozenset({Reason.INDEXABLE, Reason.CANONICALIZED, Reason.CANONICAL_LOOP, Reason.CANONICAL_OTHER_HOST})


def resolve(page: Facts, look_up: LookUp) -> Ruling | None:
    """What becomes of a page that names another one as canonical; None when its outcome stands as it is.

    - the end can be listed: the page stays out, the evidence names the end where it is not the canonical itself;
    - the end is no page to list (an error, blocked, noindex, never read): the last good page of the chain is the end,
      and where that is the page itself, the hint is void and the page is listed;
    - the end lies on another host: the page is out for that;
    - the chain comes back over redirects only: the page answers 200 itself, so it is listed;
    - pages name each other in a circle: the one found first is listed, the others are `canonical_loop`;
    - more than `MAX_HOPS` steps, canonicals and redirects together: the page stays out.
    """
    chain = [page]
    while True:
        target = _next(chain[-1])
        if not target:
            return _ended(page, chain)
        if len(chain) > MAX_HOPS:
            return _out(page, Reason.CANONICALIZED, f"{page.canonical}: no end after {MAX_HOPS} steps")
        key = urls.key_of(target)
        keys = [one.key for one in chain]
        if key in keys:
            return _circle(page, chain, chain[keys.index(key) :])
        facts = look_up(key)
        if facts is None or facts.state is not State.DONE:
            return _void(page, chain, f"{target} was not read")
        chain.append(facts)


def _next(facts: Facts) -> str:
    """The address that a URL sends on to, "" where it is an end."""
    if facts.reason is Reason.REDIRECTED:
        return facts.final_url if facts.final_url and urls.key_of(facts.final_url) != facts.key else ""
    if facts.reason not in _ANSWERING or not facts.canonical or urls.key_of(facts.canonical) == facts.key:
        return ""
    # Another host is never read; one that an earlier ruling found further on lies behind a canonical of this host.
    if facts.reason is Reason.CANONICAL_OTHER_HOST and not urls.same_host(facts.canonical, facts.url):
        return ""
    return facts.canonical


def _ended(page: Facts, chain: Sequence[Facts]) -> Ruling | None:
    end = chain[-1]
    # An end outside the list by the owner's own rule is still the page's canonical.
    if end.verdict is Verdict.IN or end.reason is Reason.NOT_LISTED_BY_RULE:
        return _canonicalized(page, end)
    if end.reason in (Reason.CANONICAL_OTHER_HOST, Reason.REDIRECTED_OFF_SITE):
        elsewhere = end.canonical if end.reason is Reason.CANONICAL_OTHER_HOST else end.final_url
        return _out(page, Reason.CANONICAL_OTHER_HOST, f"{page.canonical} leads to {elsewhere}")
    return _void(page, chain, f"{end.url} cannot be listed ({end.reason}{_status(end)})")


def _status(end: Facts) -> str:
    return f", status {end.status}" if end.status >= 400 else ""


def _canonicalized(page: Facts, end: Facts) -> Ruling | None:
    if urls.key_of(page.canonical) == end.key and page.reason is Reason.CANONICALIZED:
        return None
    return _out(page, Reason.CANONICALIZED, f"{page.canonical} leads to {end.url}")


def _void(page: Facts, chain: Sequence[Facts], why: str) -> Ruling | None:
    last = [one for one in chain if one.reason in _ANSWERING][-1]
    return _listed(page, why) if last.key == page.key else _canonicalized(page, last)


def _circle(page: Facts, chain: Sequence[Facts], circle: Sequence[Facts]) -> Ruling | None:
    answering = [one for one in circle if one.reason in _ANSWERING]
    if not answering:
        return _void(page, chain, f"{circle[0].url} redirects in a circle")
    first = min(answering, key=lambda one: one.order)
    names = ", ".join(one.url for one in circle)
    if first.key == page.key:
        return _listed(page, f"it leads back here: {names}")
    if all(one.key != page.key for one in circle):
        return _canonicalized(page, first)
    return _out(page, Reason.CANONICAL_LOOP, f"listed instead: {first.url}; circle: {names}")


def _listed(page: Facts, why: str) -> Ruling:
    evidence = f"canonical {page.canonical} ignored: {why}"
    return Ruling(page.key, Verdict.IN, Reason.INDEXABLE, evidence[:_MAX_EVIDENCE_CHARS])


def _out(page: Facts, reason: Reason, evidence: str) -> Ruling:
    return Ruling(page.key, Verdict.OUT, reason, evidence[:_MAX_EVIDENCE_CHARS])
