"""In the sitemap or not, and why: the verdict on one page that was read, as far as the page itself can tell."""

from __future__ import annotations

from dataclasses import dataclass

from crawls.engine import urls
from crawls.engine.judge.soft404 import Probe
from crawls.engine.policy import Policy
from crawls.engine.records import Page, Reason, Verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its one reason and the evidence for it; warnings do not decide."""

    verdict: Verdict
    reason: Reason
    evidence: str = ""
    warnings: tuple[str, ...] = ()


def judge(page: Page, url: str, policy: Policy, probe: Probe | None) -> Judgement:
    """The verdict on the page at `url` (its final address, in our form), status 200 to 299.

    A canonical to another page of the site is provisional: merging follows it to its end. `probe` is the site's "not
    found" page, None where it may not count (the start page).
    """
    for check in (_type, _whole, _directives, _refresh, _canonical):
        judgement = check(page, url, policy)
        if judgement is not None:
            return judgement
    if probe is not None and probe.matches(page):
        return Judgement(
            Verdict.OUT, Reason.SOFT_404, f"the same page as for an address that cannot exist, {probe.url}"
        )
    return Judgement(Verdict.IN, Reason.INDEXABLE, "; ".join(page.warnings), page.warnings)


def _out(reason: Reason, evidence: str, page: Page) -> Judgement:
    return Judgement(Verdict.OUT, reason, evidence, page.warnings)


def _type(page: Page, _url: str, policy: Policy) -> Judgement | None:
    if page.status != 200:
        return _out(Reason.HTTP_ERROR, f"HTTP status {page.status} carries no page", page)
    if page.attachment:
        return _out(Reason.NOT_HTML, "sent as a download (Content-Disposition: attachment)", page)
    if page.is_html:
        return None
    if page.content_type in policy.listed_types and not page.content_type.endswith("html"):
        return None
    return _out(Reason.NOT_HTML, page.content_type or "no Content-Type, and no HTML by its first bytes", page)


def _whole(page: Page, _url: str, policy: Policy) -> Judgement | None:
    if not page.truncated:
        return None
    words = f"longer than {policy.fetching.max_body_bytes} bytes, or cut short; read up to there"
    return _out(Reason.FETCH_FAILED, words, page)


def _directives(page: Page, _url: str, _policy: Policy) -> Judgement | None:
    return _out(Reason.NOINDEX, page.robots.evidence, page) if page.robots.noindex else None


def _refresh(page: Page, _url: str, _policy: Policy) -> Judgement | None:
    if not page.refresh:
        return None
    return _out(Reason.REDIRECTED, f"meta refresh to {page.refresh}", page)


def _canonical(page: Page, url: str, _policy: Policy) -> Judgement | None:
    if not page.canonical or urls.key_of(page.canonical) == urls.key_of(url):
        return None
    if not urls.same_host(page.canonical, url):
        return _out(Reason.CANONICAL_OTHER_HOST, page.canonical, page)
    return _out(Reason.CANONICALIZED, page.canonical, page)
