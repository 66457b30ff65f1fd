"""In or out: host, rules, traps. What is out is out with a reason and the rule that said so."""

from __future__ import annotations

from dataclasses import dataclass

from crawls.engine import urls
from crawls.engine.frontier.rules import Rulebook
from crawls.engine.frontier.traps import Traps
from crawls.engine.policy import Policy
from crawls.engine.records import Finding, Reason


@dataclass(frozen=True, slots=True)
class ScopeVerdict:
    """`admit`: part of this site's crawl; `fetch`: to be read (else listed unread, by a rule)."""

    admit: bool
    fetch: bool = True
    reason: Reason | None = None
    evidence: str = ""


_ADMITTED = ScopeVerdict(admit=True)


class Scope:
    """The site of a start URL: one host and port (http and https on default ports are one), and the site's rules.

    Raises ValueError for a pattern that cannot be one. `this_year` is for judging calendars.
    """

    def __init__(self, start_url: str, policy: Policy, this_year: int) -> None:
        self.start_url = start_url
        self._subdomains = policy.include_subdomains
        rules = policy.rules
        self._only = Rulebook("only", rules.only)
        self._exclude = Rulebook("exclude", rules.exclude)
        self._no_list = Rulebook("no-list", rules.no_list)
        self._no_fetch = Rulebook("no-fetch", rules.no_fetch)
        self._traps = Traps(this_year)
        self._start_key = urls.key_of(start_url)
        self._site = urls.split(start_url)

    def move_to(self, url: str) -> None:
        """The site lives at the twin host that the start URL redirects to."""
        self.start_url = url
        self._start_key = urls.key_of(url)
        self._site = urls.split(url)

    def contains(self, url: str) -> bool:
        """Whether the address lies on this site's host."""
        parts = urls.split(url)
        same_port = parts.port == self._site.port or {parts.port, self._site.port} == {80, 443}
        if parts.host == self._site.host:
            return same_port
        return self._subdomains and same_port and parts.host.endswith(f".{self._apex}")

    def is_neighbour(self, url: str) -> bool:
        """Whether the host is a sister of this site's: www and apex, or a subdomain of the same name."""
        host = urls.split(url).host
        return host == self._apex or host.endswith(f".{self._apex}")

    def judge(self, url: str) -> ScopeVerdict:
        """Whether an address found by this crawl belongs to it, and what the rules say."""
        if len(url) > urls.MAX_URL_CHARS:
            return _out(Reason.URL_TOO_LONG, f"{len(url)} characters; sitemaps allow {urls.MAX_URL_CHARS}")
        if not self.contains(url):
            return _out(Reason.OUT_OF_SCOPE, f"another host than {self._site.host}:{self._site.port}")
        excluded = self._exclude.match(url)
        if excluded:
            return _out(Reason.EXCLUDED, excluded)
        if self._only and not self._only.match(url) and urls.key_of(url) != self._start_key:
            return _out(Reason.EXCLUDED, "matches none of the only-these rules")
        trap = self._traps.catch(url)
        if trap:
            return _out(Reason.TRAP, trap)
        unread = self._no_fetch.match(url)
        return ScopeVerdict(admit=True, fetch=False, evidence=f"{unread}: listed unread") if unread else _ADMITTED

    def listing_rule(self, url: str) -> str:
        """The rule that keeps a fetched page out of the sitemap, or "" (the start page of an only-these crawl too)."""
        if self._only and not self._only.match(url):
            return "matches none of the only-these rules"
        return self._no_list.match(url)

    def trap_findings(self) -> list[Finding]:
        """The endless spaces met so far."""
        return self._traps.findings()

    @property
    def _apex(self) -> str:
        return self._site.host.removeprefix("www.")


def _out(reason: Reason, evidence: str) -> ScopeVerdict:
    return ScopeVerdict(admit=False, fetch=False, reason=reason, evidence=evidence)
