"""The values that travel: small, frozen, picklable; no trees, no sockets, no exceptions.

Request -> Response | Failure -> Page | Failure -> Outcome -> (merge) -> Listed
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag, StrEnum

from crawls.engine.errors import Failure


class Source(IntFlag):
    """How a URL became known; a set, since one URL is often known in several ways."""

    SEED = 1
    LINK = 2
    SITEMAP = 4
    REDIRECT = 8
    CANONICAL = 16
    HREFLANG = 32


class State(StrEnum):
    """Where one URL of one job stands."""

    PENDING = "pending"
    DONE = "done"


class Verdict(StrEnum):
    """Whether a URL belongs in the sitemap."""

    IN = "in"
    OUT = "out"


class Reason(StrEnum):
    """Why: exactly one for each URL of a job. `indexable` is the only reason for `in`."""

    INDEXABLE = "indexable"
    ROBOTS_DISALLOWED = "robots_disallowed"
    NOINDEX = "noindex"
    CANONICALIZED = "canonicalized"
    CANONICAL_OTHER_HOST = "canonical_other_host"
    CANONICAL_LOOP = "canonical_loop"
    REDIRECTED = "redirected"
    REDIRECTED_OFF_SITE = "redirected_off_site"
    NOT_HTML = "not_html"
    SOFT_404 = "soft_404"
    HTTP_ERROR = "http_error"
    FETCH_FAILED = "fetch_failed"
    RATE_LIMITED = "rate_limited"
    OUT_OF_SCOPE = "out_of_scope"
    EXCLUDED = "excluded"
    NOT_LISTED_BY_RULE = "not_listed_by_rule"
    TRAP = "trap"
    TOO_DEEP = "too_deep"
    URL_TOO_LONG = "url_too_long"
    LIMIT_REACHED = "limit_reached"
    STOPPED = "stopped"
    NEEDS_RENDERING = "needs_rendering"


class EndState(StrEnum):
    """How a crawl ended."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    BLOCKED = "blocked"
    FAILED = "failed"
    STOPPED = "stopped"


class Level(StrEnum):
    """How much a finding matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a site's owner should know: a code, a sentence, and where (a URL, perhaps with `:line`)."""

    code: str
    message: str
    where: str = ""
    level: Level = Level.WARNING


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect: the address asked and the status that sent us on."""

    url: str
    status: int


@dataclass(frozen=True, slots=True)
class Response:
    """What came back for one address after all redirects; the same shape from HTTP and from a browser.

    `url` is the final address; `headers` are lower-case names with their values in order, one pair a header line;
    `body` is the content with all transport codings undone, at most `max_body_bytes`; `truncated` when the cap cut it
    or the connection ended early. `elapsed_s` is the time to the last byte, `ttfb_s` to the first header.
    """

    requested: str
    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    hops: tuple[Hop, ...] = ()
    truncated: bool = False
    elapsed_s: float = 0.0
    ttfb_s: float = 0.0
    wire_bytes: int = 0
    requests: int = 1
    rendered: bool = False

    def header(self, name: str) -> str:
        """The first value of a header, by its lower-case name; empty when absent."""
        for key, value in self.headers:
            if key == name:
                return value
        return ""

    def header_lines(self, name: str) -> list[str]:
        """All values of a header, by its lower-case name, in order."""
        return [value for key, value in self.headers if key == name]


@dataclass(frozen=True, slots=True)
class Robots:
    """What a page and its headers tell robots (robots meta tag and X-Robots-Tag).

    `evidence` quotes the deciding tag or header line, e.g. `meta robots: noindex`.
    """

    noindex: bool = False
    nofollow: bool = False
    noimageindex: bool = False
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Links:
    """The distinct http(s) links of one page, packed so that they cross a process border cheaply.

    `keys`: 8 bytes a link, native order, signed (`array('q')`), the `key_of` each; `addresses`: the cleaned addresses,
    one a line, in the same order. Neither holds links that nofollow forbids.
    """

    keys: bytes = b""
    addresses: str = ""

    def __len__(self) -> int:
        return len(self.keys) // 8


@dataclass(frozen=True, slots=True)
class Page:
    """What was read of one address: everything the judge and the ledger need, and nothing else.

    `alternates`: (hreflang, address) pairs; `images`: addresses; `canonical`: the declared address, or "" when none is
    usable (then `warnings` says why); `fingerprint`: 16 hex digits of the main content, "" when there is no text;
    `refresh`: the address of an immediate meta refresh, or "". `is_html` by content, not by name.
    `lastmod`: a declared date (W3C) with its source in `lastmod_source`, or "".
    """

    requested: str
    url: str
    status: int
    hops: tuple[Hop, ...] = ()
    content_type: str = ""
    is_html: bool = False
    truncated: bool = False
    title: str = ""
    language: str = ""
    canonical: str = ""
    robots: Robots = field(default_factory=Robots)
    links: Links = field(default_factory=Links)
    nofollow_links: int = 0
    images: tuple[str, ...] = ()
    alternates: tuple[tuple[str, str], ...] = ()
    refresh: str = ""
    fingerprint: str = ""
    lastmod: str = ""
    lastmod_source: str = ""
    warnings: tuple[str, ...] = ()
    attachment: bool = False
    rendered: bool = False
    elapsed_s: float = 0.0
    ttfb_s: float = 0.0
    body_bytes: int = 0
    wire_bytes: int = 0
    requests: int = 1


@dataclass(frozen=True, slots=True)
class Task:
    """One address to fetch, as handed to a worker; `ticket` comes back with the result."""

    ticket: int
    url: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a worker hands back: a page, or a failure with the hops and requests it took to meet it.

    `final_url` of a failure is the address that answered, where one did; for `redirect_off_site` the detail names the
    target that was not followed.
    """

    ticket: int
    page: Page | None = None
    failure: Failure | None = None
    hops: tuple[Hop, ...] = ()
    final_url: str = ""
    elapsed_s: float = 0.0
    wire_bytes: int = 0
    requests: int = 1


@dataclass(slots=True)
class Found:
    """A URL as the frontier holds it: known, not yet judged.

    `order` numbers the URLs of a job as found, from 0; `lane` is the queue it waits in (`frontier/breadth_first.py`);
    `depth` counts links from the start URL (entries of declared sitemaps count as one link away); `found_on` is the
    `order` of the page it was first seen on, -1 for none.
    """

    order: int
    key: int
    url: str
    depth: int
    sources: Source
    lane: int = 0
    found_on: int = -1
    declared_lastmod: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one job learned of one URL. `order` and `key` are those of the URL's `Found`."""

    order: int
    key: int
    url: str
    verdict: Verdict
    reason: Reason
    evidence: str = ""
    status: int = 0
    failure: str = ""
    final_url: str = ""
    hops: tuple[Hop, ...] = ()
    canonical: str = ""
    title: str = ""
    content_type: str = ""
    fingerprint: str = ""
    lastmod: str = ""
    lastmod_source: str = ""
    images: tuple[str, ...] = ()
    alternates: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    rendered: bool = False
    attempts: int = 1
    elapsed_ms: int = 0
    ttfb_ms: int = 0
    body_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """What merging must know of one URL of the job, read back from the store."""

    order: int
    key: int
    url: str
    depth: int
    sources: Source
    state: State
    verdict: Verdict | None
    reason: Reason | None
    status: int
    final_url: str
    canonical: str
    fingerprint: str = ""
    lastmod: str = ""
    lastmod_source: str = ""
    declared_lastmod: str = ""
    alternates: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """A judgement that merging changed: the outcome of `key` gets these columns."""

    key: int
    verdict: Verdict
    reason: Reason
    evidence: str


@dataclass(slots=True)
class Counters:
    """Running totals of one crawl; plain numbers, added up by the coordinator only."""

    phase: str = ""
    pages: int = 0
    requests: int = 0
    wire_bytes: int = 0
    body_bytes: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    own_load_failures: int = 0
    retries: int = 0
    rendered: int = 0
    external_links: int = 0
    external_hosts: dict[str, int] = field(default_factory=dict)
    known: int = 0
    sitemap_documents: int = 0
    declared: int = 0
    limits: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """A later sighting of a known URL: further sources, a smaller depth, or a declared date."""

    key: int
    sources: Source
    depth: int
    declared_lastmod: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """What one transaction writes: new URLs first, then marks, then outcomes, then checkpoint and counters."""

    found: tuple[Found, ...]
    marks: tuple[Mark, ...]
    outcomes: tuple[Outcome, ...]
    counters: Counters
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a crawl came to. `why` is one sentence for the end state; `code` its failure, "" for none."""

    state: EndState
    why: str
    code: str = ""
    start_url: str = ""
    counters: Counters = field(default_factory=Counters)
    findings: tuple[Finding, ...] = ()
    reasons: dict[str, int] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)
    duration_s: float = 0.0
    p95_ms: int = 0
    rate_per_s: float = 0.0
