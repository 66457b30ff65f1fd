from __future__ import annotations

from dataclasses import replace

import pytest

from crawls.engine.judge.indexability import Circumstances, judge
from crawls.engine.judge.soft404 import Probe
from crawls.engine.policy import Policy
from crawls.engine.records import Page, Reason, Robots, Verdict

URL = "http://site.test/a"
PAGE = Page(URL, URL, 200, content_type="text/html", is_html=True, title="t", fingerprint="aa")
PDF = Page(URL, URL, 200, content_type="application/pdf")
NOINDEX = Robots(noindex=True, evidence="meta robots: noindex")


def test_a_plain_page_is_in() -> None:
    judgement = judge(PAGE, URL, Policy())
    assert (judgement.verdict, judgement.reason, judgement.evidence) == (Verdict.IN, Reason.INDEXABLE, "")


@pytest.mark.parametrize(
    ("page", "reason", "evidence"),
    [
        (replace(PAGE, status=204), Reason.HTTP_ERROR, "HTTP status 204"),
        (replace(PAGE, status=404), Reason.HTTP_ERROR, "HTTP status 404"),
        (replace(PAGE, status=503), Reason.HTTP_ERROR, "HTTP status 503"),
        (replace(PAGE, requested=URL, url="http://site.test/b"), Reason.REDIRECTED, "http://site.test/b"),
        (replace(PAGE, refresh="http://site.test/b"), Reason.REDIRECTED, "meta refresh to http://site.test/b"),
        (replace(PAGE, robots=NOINDEX), Reason.NOINDEX, "meta robots: noindex"),
        (replace(PAGE, canonical="http://site.test/b"), Reason.CANONICALIZED, "http://site.test/b"),
        (replace(PAGE, canonical="https://site.test/a"), Reason.CANONICALIZED, "https://site.test/a"),
        (replace(PAGE, canonical="http://site.test/A"), Reason.CANONICALIZED, "http://site.test/A"),
        (replace(PAGE, canonical="http://site.test/a/"), Reason.CANONICALIZED, "http://site.test/a/"),
        (replace(PAGE, canonical="https://other.test/a"), Reason.CANONICAL_OTHER_HOST, "https://other.test/a"),
        (replace(PAGE, canonical="http://site.test:8080/a"), Reason.CANONICAL_OTHER_HOST, "http://site.test:8080/a"),
        (replace(PAGE, truncated=True), Reason.FETCH_FAILED, "cut short"),
        (PDF, Reason.NOT_HTML, "application/pdf"),
        (replace(PDF, content_type=""), Reason.NOT_HTML, "no Content-Type"),
        (replace(PDF, content_type="text/html"), Reason.NOT_HTML, "text/html by its header"),
        (replace(PAGE, attachment=True), Reason.NOT_HTML, "attachment"),
        # the first reason is the reason
        (replace(PAGE, robots=NOINDEX, canonical="http://site.test/b"), Reason.NOINDEX, "noindex"),
        (replace(PDF, robots=NOINDEX), Reason.NOT_HTML, "application/pdf"),
        (replace(PAGE, status=404, robots=NOINDEX), Reason.HTTP_ERROR, "404"),
    ],
)
def test_what_is_out_is_out_for_one_reason_with_evidence(page: Page, reason: Reason, evidence: str) -> None:
    judgement = judge(page, URL, Policy())
    assert (judgement.verdict, judgement.reason) == (Verdict.OUT, reason)
    assert evidence in judgement.evidence


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        (URL, URL),
        ("http://site.test/q?a=1&b=2", "http://site.test/q?b=2&a=1"),
        ("http://site.test/%7Ea", "http://site.test/~a"),
        ("http://site.test/%e3%83%84", "http://site.test/%E3%83%84"),
        ("http://site.test/a", "http://site.test/a?utm_source=x"),
    ],
)
def test_a_page_is_canonical_to_itself_by_key_and_not_by_text(url: str, canonical: str) -> None:
    assert judge(replace(PAGE, requested=url, url=url, canonical=canonical), url, Policy()).verdict is Verdict.IN


def test_listed_types_are_in_when_sent_as_themselves() -> None:
    policy = Policy(listed_types=("text/html", "application/pdf"))
    assert judge(PDF, URL, policy).verdict is Verdict.IN
    assert judge(replace(PDF, canonical="http://site.test/b"), URL, policy).reason is Reason.CANONICALIZED
    assert judge(replace(PDF, content_type="text/html"), URL, policy).reason is Reason.NOT_HTML
    assert judge(replace(PDF, attachment=True), URL, policy).reason is Reason.NOT_HTML


@pytest.mark.parametrize(
    ("circumstances", "reason"),
    [
        (Circumstances(robots_rule="robots.txt:3 Disallow: /a"), Reason.ROBOTS_DISALLOWED),
        (Circumstances(scope_rule="another host"), Reason.OUT_OF_SCOPE),
        (Circumstances(robots_rule="r", scope_rule="s"), Reason.ROBOTS_DISALLOWED),
    ],
)
def test_what_others_know_of_the_address_counts(circumstances: Circumstances, reason: Reason) -> None:
    judgement = judge(replace(PAGE, robots=NOINDEX), URL, Policy(), None, circumstances)
    assert judgement.reason is reason
    assert judgement.evidence in (circumstances.robots_rule, circumstances.scope_rule)


def test_the_site_may_reach_as_far_as_another_host() -> None:
    page = replace(PAGE, canonical="http://www.site.test/a")
    assert judge(page, URL, Policy()).reason is Reason.CANONICAL_OTHER_HOST
    assert judge(page, URL, Policy(), None, Circumstances(canonical_in_scope=True)).reason is Reason.CANONICALIZED
    near = replace(PAGE, canonical="http://site.test/b")
    assert (
        judge(near, URL, Policy(), None, Circumstances(canonical_in_scope=False)).reason is Reason.CANONICAL_OTHER_HOST
    )


def test_warnings_go_along_and_do_not_decide() -> None:
    warned = replace(PAGE, warnings=("canonical '' is no address on the web; ignored",))
    assert judge(warned, URL, Policy()).verdict is Verdict.IN
    assert judge(warned, URL, Policy()).evidence == warned.warnings[0]
    assert judge(replace(warned, robots=NOINDEX), URL, Policy()).warnings == warned.warnings


def test_a_page_like_the_probe_is_a_soft_404() -> None:
    probe = Probe.of(replace(PAGE, requested="http://site.test/zzz", url="http://site.test/zzz"))
    judgement = judge(PAGE, URL, Policy(), probe)
    assert judgement.reason is Reason.SOFT_404
    assert "http://site.test/zzz" in judgement.evidence
    assert judge(PAGE, URL, Policy(), None).verdict is Verdict.IN
