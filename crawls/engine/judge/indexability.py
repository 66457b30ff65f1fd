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


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What only others know of the page's final address.

    `robots_rule` and `scope_rule`: what forbids it, "" for nothing; `canonical_in_scope`: whether the site reaches as
    far as the declared canonical, None: as far as its own host.
    """

    robots_rule: str = ""
    scope_rule: str = ""
    canonical_in_scope: bool | None = None


_NONE = Circumstances()


def judge(
    page: Page, url: str, policy: Policy, probe: Probe | None = None, circumstances: Circumstances = _NONE
) -> Judgement:
    """The verdict on `url`, for which `page` came back; the first reason found is the reason.

    A canonical to another page of the site is provisional: `judge/canonical.py` follows it to its end. `probe` is the
    site's "not found" page, None where it may not count (the start page is never dropped for it).
    """
    found = (
        _redirected(page, url)
        or _forbidden(page, circumstances)
        or _type(page, policy)
        or _whole(page, policy)
        or _directives(page)
        or _refresh(page)
        or _soft_404(page, probe)
        or _canonical(page, url, circumstances)
    )
    return found or Judgement(Verdict.IN, Reason.INDEXABLE, "; ".join(page.warnings), page.warnings)


def _out(reason: Reason, evidence: str, page: Page) -> Judgement:
    return Judgement(Verdict.OUT, reason, evidence, page.warnings)


def _redirected(page: Page, url: str) -> Judgement | None:
    if urls.key_of(page.url) == urls.key_of(url):
        return None
    return _out(Reason.REDIRECTED, page.url, page)


def _forbidden(page: Page, circumstances: Circumstances) -> Judgement | None:
    if circumstances.robots_rule:
        return _out(Reason.ROBOTS_DISALLOWED, circumstances.robots_rule, page)
    return _out(Reason.OUT_OF_SCOPE, circumstances.scope_rule, page) if circumstances.scope_rule else None


def _type(page: Page, policy: Policy) -> Judgement | None:
    if page.status != 200:
        return _out(Reason.HTTP_ERROR, f"HTTP status {page.status} carries no page", page)
    if page.attachment:
        return _out(Reason.NOT_HTML, "sent as a download (Content-Disposition: attachment)", page)
    if page.is_html:
        return None
    if page.content_type.endswith("html"):
        return _out(Reason.NOT_HTML, f"{page.content_type} by its header, but not by its first bytes", page)
    if page.content_type in policy.listed_types:
        return None
    return _out(Reason.NOT_HTML, page.content_type or "no Content-Type, and no HTML by its first bytes", page)


def _whole(page: Page, policy: Policy) -> Judgement | None:
    if not page.truncated:
        return None
    words = f"longer than {policy.fetching.max_body_bytes} bytes, or cut short; read up to there"
    return _out(Reason.FETCH_FAILED, words, page)


def _directives(page: Page) -> Judgement | None:
    return _out(Reason.NOINDEX, page.robots.evidence, page) if page.robots.noindex else None


def _refresh(page: Page) -> Judgement | None:
    return _out(Reason.REDIRECTED, f"meta refresh to {page.refresh}", page) if page.refresh else None


def _soft_404(page: Page, probe: Probe | None) -> Judgement | None:
    if probe is None or not probe.matches(page):
        return None
    return _out(
        Reason.SOFT_404, f"the same page as for an address that cannot exist, {probe.requested or probe.url}", page
    )


def _canonical(page: Page, url: str, circumstances: Circumstances) -> Judgement | None:
    if not page.canonical or urls.key_of(page.canonical) == urls.key_of(url):
        return None
    inside = circumstances.canonical_in_scope
    if inside is None:
        inside = urls.same_host(page.canonical, url)
    return _out(Reason.CANONICALIZED if inside else Reason.CANONICAL_OTHER_HOST, page.canonical, page)
