"""Chains as told in one line: `a>b` a names b as canonical, `a-b` a redirects to b, `a!reason` what a was judged."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from crawls.engine import urls
from crawls.engine.judge.canonical import MAX_HOPS, resolve
from crawls.engine.records import Facts, Reason, Ruling, Source, State, Verdict

Known = dict[int, Facts]


def _url(name: str) -> str:
    return name if "://" in name else f"http://site.test/{name}"


def _facts(order: int, name: str, reason: Reason, *, final: str = "", canonical: str = "", status: int = 200) -> Facts:
    verdict = Verdict.IN if reason is Reason.INDEXABLE else Verdict.OUT
    key = urls.key_of(_url(name))
    return Facts(
        order, key, _url(name), 1, Source.LINK, State.DONE, verdict, reason, status, final or _url(name), canonical
    )  # fmt: skip


def _one(order: int, text: str) -> Facts:
    if ">" in text:
        name, target = text.split(">")
        far = not urls.same_host(_url(target), _url(name))
        reason = Reason.CANONICAL_OTHER_HOST if far else Reason.CANONICALIZED
        return _facts(order, name, reason, canonical=_url(target))
    if "-" in text:
        name, target = text.split("-")
        far = not urls.same_host(_url(target), _url(name))
        return _facts(
            order, name, Reason.REDIRECTED_OFF_SITE if far else Reason.REDIRECTED, final=_url(target), status=301
        )
    name, _, judged = text.partition("!")
    return _facts(order, name, Reason(judged or "indexable"), status=404 if judged == "http_error" else 200)


def _known(story: str) -> Known:
    return {facts.key: facts for facts in (_one(order, text) for order, text in enumerate(story.split()))}


def _ruled(known: Known, facts: Facts) -> Facts:
    """What the outcome is after the ruling on it, if there is one."""
    ruling = resolve(facts, known.get) if facts.reason is Reason.CANONICALIZED else None
    return facts if ruling is None else replace(facts, verdict=ruling.verdict, reason=ruling.reason)


def _outcomes(story: str) -> dict[str, str]:
    known = _known(story)
    return {facts.url.rpartition("/")[2]: str(_ruled(known, facts).reason) for facts in known.values()}


def _ruling(story: str) -> Ruling | None:
    """The ruling on the first URL of a story."""
    known = _known(story)
    return resolve(next(iter(known.values())), known.get)


STORIES = [
    # a good end
    ("a>b b", "a=canonicalized b=indexable"),
    ("a>b b>c c", "a=canonicalized b=canonicalized c=indexable"),
    ("a>b b-c c", "a=canonicalized b=redirected c=indexable"),
    ("a>b b-c c>d d-e e", "a=canonicalized b=redirected c=canonicalized d=redirected e=indexable"),
    ("a>b b!not_listed_by_rule", "a=canonicalized b=not_listed_by_rule"),
    # an end that cannot be listed: the hint is void
    ("a>b b!http_error", "a=indexable b=http_error"),
    ("a>b b!noindex", "a=indexable b=noindex"),
    ("a>b b!robots_disallowed", "a=indexable b=robots_disallowed"),
    ("a>b b!fetch_failed", "a=indexable b=fetch_failed"),
    ("a>b b!not_html", "a=indexable b=not_html"),
    ("a>b b!soft_404", "a=indexable b=soft_404"),
    ("a>b b!excluded", "a=indexable b=excluded"),
    ("a>b b!limit_reached", "a=indexable b=limit_reached"),
    ("a>b", "a=indexable"),
    ("a>b b-c c!http_error", "a=indexable b=redirected c=http_error"),
    ("a>b b-c", "a=indexable b=redirected"),
    # in a longer chain the last good page is the end
    ("a>b b>c c!http_error", "a=canonicalized b=indexable c=http_error"),
    ("a>b b>c", "a=canonicalized b=indexable"),
    # back over redirects: the page itself answers
    ("a>b b-a", "a=indexable b=redirected"),
    ("a>b b-c c-a", "a=indexable b=redirected c=redirected"),
    # circles: the first found is listed
    ("a>b b>a", "a=indexable b=canonical_loop"),
    ("b>a a>b", "b=indexable a=canonical_loop"),
    ("a>b b>c c>a", "a=indexable b=canonical_loop c=canonical_loop"),
    ("a>b b-c c>a", "a=indexable b=redirected c=canonical_loop"),
    ("x>a a>b b>a", "x=canonicalized a=indexable b=canonical_loop"),
    ("a>b b-c c-b", "a=indexable b=redirected c=redirected"),
    # other hosts
    ("a>http://o.test/x", "a=canonical_other_host"),
    ("a>b b>http://o.test/x", "a=canonical_other_host b=canonical_other_host"),
    ("a>b b-http://o.test/x", "a=canonical_other_host b=redirected_off_site"),
    ("a>b b>c c>http://o.test/x", "a=canonical_other_host b=canonical_other_host c=canonical_other_host"),
]  # fmt: skip


def _expected(text: str) -> dict[str, str]:
    return dict(one.split("=") for one in text.split())


@pytest.mark.parametrize(("story", "expected"), STORIES)
def test_a_chain_is_followed_to_its_end(story: str, expected: str) -> None:
    outcomes = _outcomes(story)
    assert {name: outcomes[name] for name in _expected(expected)} == _expected(expected)


@pytest.mark.parametrize(("story", "expected"), STORIES)
def test_rulings_do_not_depend_on_those_written_before(story: str, expected: str) -> None:
    names = list(_known(story))
    for turn in permutations(names):
        known = _known(story)
        for key in turn:
            known[key] = _ruled(known, known[key])
        found = {facts.url.rpartition("/")[2]: str(facts.reason) for facts in known.values()}
        assert {name: found[name] for name in _expected(expected)} == _expected(expected), turn


def _chain(length: int) -> str:
    return " ".join(f"p{number}>p{number + 1}" for number in range(length))


def test_a_chain_is_followed_for_so_many_steps_and_no_further() -> None:
    at_limit, beyond = MAX_HOPS, MAX_HOPS + 1
    assert _outcomes(f"{_chain(at_limit)} p{at_limit}")["p0"] == "canonicalized"
    ruling = _ruling(f"{_chain(beyond)} p{beyond}")
    assert ruling is not None
    assert (ruling.verdict, ruling.reason) == (Verdict.OUT, Reason.CANONICALIZED)
    assert "no end" in ruling.evidence


def test_an_endless_chain_ends() -> None:
    def look_up(key: int) -> Facts | None:
        asked.append(key)
        number = len(asked)
        return replace(_one(number, f"p{number}>p{number + 1}"), key=key)

    asked: list[int] = []
    ruling = resolve(_one(0, "p0>p1"), look_up)
    assert ruling is not None
    assert len(asked) <= MAX_HOPS


def test_in_a_large_circle_at_most_one_page_is_listed() -> None:
    story = f"{_chain(50)} p50>p0"
    assert list(_outcomes(story).values()).count("indexable") <= 1


def test_a_page_that_waits_or_was_never_met_is_no_end() -> None:
    known = _known("a>b b")
    page, target = known.values()
    waiting = replace(target, state=State.PENDING, verdict=None, reason=None)
    ruling = resolve(page, {page.key: page, waiting.key: waiting}.get)
    assert ruling is not None
    assert (ruling.verdict, ruling.reason) == (Verdict.IN, Reason.INDEXABLE)
    assert "was not read" in ruling.evidence


def test_a_page_that_refreshes_elsewhere_is_no_end() -> None:
    known = _known("a>b b!redirected")
    ruling = resolve(next(iter(known.values())), known.get)
    assert ruling is not None
    assert ruling.verdict is Verdict.IN


@pytest.mark.parametrize(
    ("story", "evidence"),
    [
        (
            "a>b b!http_error",
            "canonical http://site.test/b ignored: http://site.test/b cannot be listed (http_error, status 404)",
        ),
        ("a>b b-c c", "http://site.test/b leads to http://site.test/c"),
        ("a>b b-a", "canonical http://site.test/b ignored: it leads back here: http://site.test/a, http://site.test/b"),
        ("a>b b>http://o.test/x", "http://site.test/b leads to http://o.test/x"),
        ("a>b b-http://o.test/x", "http://site.test/b leads to http://o.test/x"),
    ],
)
def test_the_evidence_says_where_it_led(story: str, evidence: str) -> None:
    ruling = _ruling(story)
    assert ruling is not None
    assert ruling.evidence == evidence


def test_what_stands_already_needs_no_ruling() -> None:
    assert _ruling("a>b b") is None
    assert _ruling("a>b b>c c") is not None


def test_evidence_is_bounded() -> None:
    long = "x" * 2_000
    ruling = _ruling(f"a>{long} {long}!noindex")
    assert ruling is not None
    assert len(ruling.evidence) == 500
