"""robots.txt by RFC 9309, able to name the rule that decided and the line it stands on.

Own parser and matcher, since no library tells the line. Where RFC and habit differ, the RFC wins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from crawls.engine import urls
from crawls.engine.patterns import Pattern, normal_form
from crawls.engine.records import Finding, Level

MAX_BYTES = 500 * 1024  # RFC 9309 section 2.5: at least 500 KiB must be read
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_NAMES = {
    "user-agent": "user-agent", "useragent": "user-agent", "user agent": "user-agent",
    "allow": "allow",
    "disallow": "disallow", "dissallow": "disallow", "dissalow": "disallow", "disalow": "disallow",
    "diasllow": "disallow", "disallaw": "disallow",
    "sitemap": "sitemap", "site-map": "sitemap",
    "crawl-delay": "crawl-delay", "crawldelay": "crawl-delay",
}  # fmt: skip
_PROPER = frozenset({"user-agent", "allow", "disallow", "sitemap", "crawl-delay"})
# Records of other crawlers' own making: known, and none of our business.
_FOREIGN = frozenset({"host", "clean-param", "request-rate", "visit-time", "noindex", "content-signal", "cache-delay"})
_TOKEN = re.compile(r"[A-Za-z_-]+")
_MAX_FINDINGS = 50


class Availability(StrEnum):
    """What the status of robots.txt means for the crawl (RFC 9309 section 2.3.1)."""

    PARSE = "parse"
    ALLOW_ALL = "allow_all"
    DISALLOW_ALL = "disallow_all"
    WAIT = "wait"


def availability(status: int) -> Availability:
    """2xx is read, 4xx means there are no rules, 429 asks to wait, everything else disallows all."""
    if 200 <= status < 300:
        return Availability.PARSE
    if status == 429:
        return Availability.WAIT
    return Availability.ALLOW_ALL if 400 <= status < 500 else Availability.DISALLOW_ALL


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether an address may be fetched; `rule` as written (`Disallow: /x`) and its line, or "" and 0 for no rule."""

    allowed: bool
    rule: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """One Allow or Disallow line."""

    allow: bool
    pattern: Pattern
    text: str
    line: int


class Ruleset:
    """The merged rules of one agent, found by the literal text they begin with, so that thousands cost no more."""

    def __init__(self, rules: list[Rule]) -> None:
        # The most specific first, Allow before Disallow: of all that match, the lowest rank decides.
        ranked = sorted(rules, key=lambda rule: (-rule.pattern.octets, not rule.allow, rule.line))
        self._by_start: dict[str, list[tuple[int, Rule]]] = {}
        for rank, rule in enumerate(ranked):
            self._by_start.setdefault(rule.pattern.pieces[0], []).append((rank, rule))
        self._lengths = sorted({len(start) for start in self._by_start})

    def find(self, target: str) -> Rule | None:
        """The deciding rule for a target in normal form."""
        best: tuple[int, Rule] | None = None
        for length in self._lengths:
            if length > len(target):
                break
            for rank, rule in self._by_start.get(target[:length], ()):
                if best is not None and rank > best[0]:
                    break
                if rule.pattern.matches(target):
                    best = (rank, rule)
                    break
        return best[1] if best else None


@dataclass(slots=True)
class Group:
    """The rules of some user agents; groups of one agent are merged (RFC 9309 section 2.2.1)."""

    agents: list[str]
    rules: list[Rule] = field(default_factory=list)
    delays_s: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class RobotsFile:
    """A parsed robots.txt. `sitemaps`: (line, absolute address) as declared, for whoever it may concern."""

    url: str
    groups: list[Group] = field(default_factory=list)
    sitemaps: list[tuple[int, str]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    _merged: dict[str, tuple[Ruleset, float | None]] = field(default_factory=dict, repr=False)

    def decide(self, product_token: str, target: str) -> Decision:
        """The verdict on path and query: most octets win, Allow wins ties (RFC 9309 section 2.2.2)."""
        if target == "/robots.txt":
            return Decision(allowed=True)
        rule = self._of(product_token)[0].find(normal_form(target))
        return Decision(allowed=True) if rule is None else Decision(rule.allow, rule.text, rule.line)

    def allows(self, product_token: str, target: str) -> bool:
        """Whether path and query may be fetched (port `RobotsRules`)."""
        return self.decide(product_token, target).allowed

    def crawl_delay(self, product_token: str) -> float | None:
        """The delay in seconds that the group asks for, or None."""
        return self._of(product_token)[1]

    def _of(self, product_token: str) -> tuple[Ruleset, float | None]:
        token = product_token.lower()
        if token not in self._merged:
            self._merged[token] = self._merge(token)
        return self._merged[token]

    def _merge(self, token: str) -> tuple[Ruleset, float | None]:
        own = [group for group in self.groups if token in group.agents]
        chosen = own or [group for group in self.groups if "*" in group.agents]
        name = token if own else "*"
        delays = [group.delays_s[name] for group in chosen if name in group.delays_s]
        return Ruleset([rule for group in chosen for rule in group.rules]), max(delays, default=None)


def parse(body: bytes, url: str) -> RobotsFile:
    """Read a robots.txt found at `url`. Never raises; what could not be used is a finding with its line."""
    return _Parser(url).read(body)


class _Parser:
    def __init__(self, url: str) -> None:
        self._file = RobotsFile(url)
        self._group: Group | None = None
        self._in_agents = False

    def read(self, body: bytes) -> RobotsFile:
        text = _decode(self._cap(body))
        if text.lstrip()[:200].lower().startswith(("<!doctype", "<html", "<?xml", "<head")):
            self._tell(1, "robots_is_html", "this is a web page, not a robots.txt; it has no rules")
            return self._file
        for number, line in enumerate(_LINE_ENDS.split(text), start=1):
            self._line(number, line)
        return self._file

    def _cap(self, body: bytes) -> bytes:
        if len(body) <= MAX_BYTES:
            return body
        self._tell(0, "robots_too_large", f"only the first {MAX_BYTES} bytes were read")
        cut = max(body.rfind(b"\n", 0, MAX_BYTES), body.rfind(b"\r", 0, MAX_BYTES))
        return body[: cut if cut > 0 else MAX_BYTES]

    def _line(self, number: int, line: str) -> None:
        line = line.split("#", 1)[0].strip(" \t\x00\u00a0\ufeff")
        if not line:
            return
        name, colon, value = line.partition(":")
        if not colon:
            name, _, value = line.partition(" ")
        written = name.strip().lower()
        meant = _NAMES.get(written)
        if meant is None or (not colon and not value):
            self._unknown(number, written, line)
            return
        if not colon:
            self._tell(number, "robots_missing_colon", f"a colon is missing after {name!r}; read as if it were there")
        elif written not in _PROPER:
            self._tell(number, "robots_misspelled", f"{name.strip()!r} was read as {meant!r}")
        self._record(number, meant, value.strip(" \t\u00a0"))

    def _record(self, number: int, name: str, value: str) -> None:
        if name == "user-agent":
            self._agent(number, value)
        elif name == "sitemap":
            self._sitemap(number, value)
        elif name == "crawl-delay":
            self._delay(number, value)
        else:
            self._rule(number, name, value)

    def _agent(self, number: int, value: str) -> None:
        if self._group is None or not self._in_agents:
            self._group = Group([])
            self._file.groups.append(self._group)
            self._in_agents = True
        if value.startswith("*"):
            self._group.agents.append("*")
            return
        match = _TOKEN.match(value)
        if match is None:
            self._tell(number, "robots_bad_agent", f"{value!r} names no user agent")
            return
        # `Bot/1.2 (+http…)` means the product `Bot`; anything glued on otherwise makes it another name.
        rest = value[match.end() :]
        token = match.group() if not rest or rest[0] in "/ \t(" else value.split("/", maxsplit=1)[0].strip()
        self._group.agents.append(token.lower())

    def _rule(self, number: int, name: str, value: str) -> None:
        if self._group is None:
            self._tell(number, "robots_rule_without_group", "a rule before any User-agent line applies to nobody")
            return
        self._in_agents = False
        if not value:
            return  # RFC 9309 section 2.2.2: an empty pattern matches nothing
        if not value.startswith(("/", "*", "$")):
            self._tell(number, "robots_path_without_slash", f"{value!r} should start with a slash; read as /{value}")
            value = f"/{value}"
        text = f"{name.capitalize()}: {value}"
        self._group.rules.append(Rule(name == "allow", Pattern.of(value), text[:300], number))

    def _sitemap(self, number: int, value: str) -> None:
        address = urls.resolve(value, self._file.url)
        if not value or address is None:
            self._tell(number, "robots_bad_sitemap", f"{value!r} is no address of a sitemap")
            return
        if urls.parse(value) is None:
            self._tell(number, "robots_relative_sitemap", f"{value!r} should be a full address; read as {address}")
        self._file.sitemaps.append((number, address))

    def _delay(self, number: int, value: str) -> None:
        try:
            seconds = float(value.replace(",", "."))
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds < 1e6:
            self._tell(number, "robots_bad_crawl_delay", f"{value!r} is no number of seconds")
        elif self._group is not None:
            # No rule by RFC 9309: it must not end a run of User-agent lines (section 2.2.4). Yet it is meant for the
            # agents named just before it, not for those that follow in the same run.
            for agent in self._group.agents:
                self._group.delays_s.setdefault(agent, seconds)

    def _unknown(self, number: int, name: str, line: str) -> None:
        if name not in _FOREIGN:
            self._tell(number, "robots_unknown_line", f"{line[:80]!r} is no line that RFC 9309 knows; ignored")

    def _tell(self, line: int, code: str, message: str) -> None:
        where = f"{self._file.url}:{line}" if line else self._file.url
        if len(self._file.findings) < _MAX_FINDINGS:
            self._file.findings.append(Finding(code, message, where, Level.WARNING))


def _decode(body: bytes) -> str:
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    if body[1:2] == b"\x00" and body[3:4] == b"\x00":
        return body.decode("utf-16-le", "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        # Bytes that are no UTF-8 must still match the addresses that carry them: they become their escapes.
        return body.decode("utf-8", "surrogateescape")
