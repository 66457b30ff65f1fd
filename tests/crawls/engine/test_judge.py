"""Verdicts: on one page, and over chains of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crawls.engine import merge, urls
from crawls.engine.judge import canonical, indexability
from crawls.engine.judge.soft404 import Probe
from crawls.engine.policy import Policy
from crawls.engine.records import Facts, Hop, Page, Reason, Robots, Source, State, Verdict

URL = "http://s.test/a"
PAGE = Page(URL, URL, 200, content_type="text/html", is_html=True, fingerprint="f1")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "indexable"),
        ({"robots": Robots(noindex=True)}, "noindex"),
        ({"canonical": URL}, "indexable"),
        ({"canonical": "http://s.test/%61"}, "indexable"),
        ({"canonical": "http://s.test/b"}, "canonicalized"),
        ({"canonical": "https://s.test/a"}, "canonicalized"),
        ({"canonical": "http://other.test/a"}, "canonical_other_host"),
        ({"refresh": "http://s.test/b"}, "redirected"),
        ({"is_html": False, "content_type": "application/pdf"}, "not_html"),
        ({"attachment": True}, "not_html"),
        ({"status": 204}, "http_error"),
        ({"truncated": True}, "fetch_failed"),
        ({"fingerprint": "gone"}, "soft_404"),
    ],
)
def test_a_page_has_one_reason(changes: dict[str, object], reason: str) -> None:
    page = replace(PAGE, **changes)  # type: ignore[arg-type]  # fields of Page
    judgement = indexability.judge(page, URL, Policy(), Probe("http://s.test/no", 200, "gone", ""))
    assert judgement.reason == reason
    assert (judgement.verdict is Verdict.IN) is (reason == "indexable")


def test_a_listed_document_type_is_listed() -> None:
    page = replace(PAGE, is_html=False, content_type="application/pdf")
    policy = Policy(listed_types=("text/html", "application/pdf"))
    assert indexability.judge(page, URL, policy, None).verdict is Verdict.IN


def test_a_page_with_a_title_of_its_own_is_no_soft_404() -> None:
    probe = Probe("http://s.test/no", 200, "f1", "Not found")
    assert not probe.matches(replace(PAGE, title="Page 17"))
    assert probe.matches(replace(PAGE, title="Not found"))


def test_an_app_shell_or_a_redirect_is_no_probe() -> None:
    assert Probe.of(replace(PAGE, fingerprint="")) is None
    assert Probe.of(replace(PAGE, hops=(Hop(URL, 302),))) is None
    assert Probe.of(PAGE) is not None


def fact(path: str, reason: Reason, *, order: int = 0, canonical_to: str = "", final: str = "") -> Facts:
    url = f"http://s.test{path}"
    verdict = Verdict.IN if reason is Reason.INDEXABLE else Verdict.OUT
    return Facts(
        order, urls.key_of(url), url, 1, Source.LINK, State.DONE, verdict, reason, 200,
        final and f"http://s.test{final}", canonical_to and f"http://s.test{canonical_to}",
    )  # fmt: skip


def resolve(*facts: Facts) -> tuple[str, str]:
    """Verdict and reason of the first page among these."""
    known = {one.key: one for one in facts}
    ruling = canonical.resolve(facts[0], known.get)
    return (ruling.verdict, ruling.reason) if ruling else ("out", "canonicalized")


OUT, LOOP = ("out", "canonicalized"), ("out", "canonical_loop")
C, R, IN = Reason.CANONICALIZED, Reason.REDIRECTED, Reason.INDEXABLE


@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        ([fact("/a", C, canonical_to="/b"), fact("/b", IN)], ("out", "canonicalized")),
        ([fact("/a", C, canonical_to="/b"), fact("/b", R, final="/c"), fact("/c", IN)], ("out", "canonicalized")),
        ([fact("/a", C, canonical_to="/b"), fact("/b", C, canonical_to="/c"), fact("/c", IN)], OUT),
        ([fact("/a", C, canonical_to="/b"), fact("/b", Reason.HTTP_ERROR)], ("in", "indexable")),
        ([fact("/a", C, canonical_to="/b"), fact("/b", Reason.NOINDEX)], ("in", "indexable")),
        ([fact("/a", C, canonical_to="/b"), fact("/b", Reason.ROBOTS_DISALLOWED)], ("in", "indexable")),
        ([fact("/a", C, canonical_to="/b")], ("in", "indexable")),
        ([fact("/a", C, canonical_to="/b"), fact("/b", R, final="/a")], ("in", "indexable")),
        ([fact("/a", C, canonical_to="/b"), fact("/b", C, order=1, canonical_to="/a")], ("in", "indexable")),
        ([fact("/a", C, order=2, canonical_to="/b"), fact("/b", C, order=1, canonical_to="/a")], LOOP),
        ([fact("/a", C, canonical_to="/b"), fact("/b", Reason.CANONICAL_OTHER_HOST)], ("out", "canonical_other_host")),
    ],
)  # fmt: skip
def test_a_canonical_is_followed_to_its_end(facts: list[Facts], outcome: tuple[str, str]) -> None:
    assert resolve(*facts) == outcome


def test_a_chain_too_long_to_follow_ends_and_its_pages_stay_out() -> None:
    """Each names another page that exists; listing all of a long circle would be the greater error."""
    chain = [fact(f"/{number}", C, order=number, canonical_to=f"/{number + 1}") for number in range(50)]
    assert resolve(*chain) == ("out", "canonicalized")


def cluster(path: str, *members: tuple[str, str], reason: Reason = IN) -> Facts:
    alternates = tuple((language, f"http://s.test{target}") for language, target in members)
    return replace(fact(path, reason), alternates=alternates)


def closed(*rows: Facts) -> list[tuple[tuple[str, str], ...]]:
    known = {row.key: row for row in rows}
    found = merge.close_alternates(rows, lambda keys: {key: known[key] for key in keys if key in known})
    return [found[row.key] for row in rows if row.key in found]


PAIR = (("de", "/de"), ("en", "/en"))
WRITTEN = (("de", "http://s.test/de"), ("en", "http://s.test/en"))


def test_a_cluster_whose_members_all_name_each_other_is_written() -> None:
    assert closed(cluster("/en", *PAIR), cluster("/de", *PAIR)) == [WRITTEN, WRITTEN]


def test_a_member_that_is_not_listed_or_does_not_name_back_is_left_out() -> None:
    three = (*PAIR, ("fr", "/fr"))
    assert closed(cluster("/en", *three), cluster("/de", *three)) == [WRITTEN, WRITTEN]
    gone = cluster("/fr", *three, reason=Reason.HTTP_ERROR)
    assert closed(cluster("/en", *three), cluster("/de", *three), gone)[:2] == [WRITTEN, WRITTEN]
    silent = cluster("/fr", ("fr", "/fr"))
    assert closed(cluster("/en", *three), cluster("/de", *three), silent)[:2] == [WRITTEN, WRITTEN]


def test_a_cluster_that_does_not_close_is_not_written() -> None:
    assert closed(cluster("/en", *PAIR), cluster("/de")) == [()]
    assert closed(cluster("/en", ("de", "/de")), cluster("/de", *PAIR)) == [(), ()]


@pytest.mark.parametrize(
    ("own", "source", "declared", "expected"),
    [
        ("2024-05-01", "meta", "2024-01-01", ("2024-05-01", "meta")),
        ("2024-05-01", "header", "2024-01-01", ("2024-01-01", "sitemap")),
        ("2024-05-01", "header", "", ("2024-05-01", "header")),
        ("2030-05-01", "meta", "2024-01-01", ("2024-01-01", "sitemap")),
        ("1970-01-01", "header", "", ("", "")),
        ("", "", "", ("", "")),
    ],
)
def test_the_best_plausible_date_is_published(own: str, source: str, declared: str, expected: tuple[str, str]) -> None:
    row = replace(fact("/a", IN), lastmod=own, lastmod_source=source, declared_lastmod=declared)
    assert merge.best_lastmod(row, "2026-12-01") == expected
