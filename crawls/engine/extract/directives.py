"""What a page tells robots: meta robots and X-Robots-Tag (Google's specification; the strictest wins)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from crawls.engine.records import Robots

_SEPARATORS = re.compile(r"[\s,;|/]+")
_AGENT = re.compile(r"\s*([A-Za-z0-9_.*-]+)\s*:(?!//)")
_EXPIRY = re.compile(r"unavailable_after\s*:?\s*", re.IGNORECASE)
# Directives that carry a colon themselves, so that what stands before it is no agent's name.
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_GOOGLE = "googlebot"


@dataclass(slots=True)
class DirectiveBag:
    """Collects directives that concern us: those for all, for our token, and (if asked) for googlebot.

    `product_token` in lower case; `now` (with a zone) is what `unavailable_after` is compared with, None: not at all.
    """

    product_token: str
    googlebot_counts: bool
    now: datetime | None = None
    _noindex: bool = False
    _nofollow: bool = False
    _noimageindex: bool = False
    _evidence: list[str] = field(default_factory=list)

    def add_meta(self, name: str, content: str) -> None:
        """A meta element whose name may be that of a crawler."""
        agent = name.strip().lower()
        if self._concerns(agent, "robots"):
            self._take(content, f"meta {agent}: {content}", agent)

    def add_headers(self, lines: Iterable[str]) -> None:
        """The X-Robots-Tag lines of a response; the name of a crawler holds for what follows it on its line."""
        for line in lines:
            for agent, content in _by_agent(line):
                if self._concerns(agent, "") or agent == "*":
                    self._take(content, f"X-Robots-Tag: {line}", agent)

    def robots(self) -> Robots:
        """What they come to."""
        return Robots(self._noindex, self._nofollow, self._noimageindex, "; ".join(self._evidence)[:300])

    def _concerns(self, agent: str, everybody: str) -> bool:
        return agent in (everybody, self.product_token) or (agent == _GOOGLE and self.googlebot_counts)

    def _take(self, content: str, evidence: str, agent: str) -> None:
        expired, content = self._without_expiry(content)
        words = set(_SEPARATORS.split(content.lower()))
        noindex = expired or bool(words & {"noindex", "none"})
        # A word for googlebot decides about the index; whom we follow is decided by words for us.
        nofollow = bool(words & {"nofollow", "none"}) and agent != _GOOGLE
        self._noindex |= noindex
        self._nofollow |= nofollow
        self._noimageindex |= "noimageindex" in words
        if noindex or nofollow:
            self._evidence.append(" ".join(evidence.split())[:150])

    def _without_expiry(self, content: str) -> tuple[bool, str]:
        match = _EXPIRY.search(content)
        if match is None:
            return False, content
        chunks = content[match.end() :].split(",")
        # The date may hold a comma of its own (RFC 9110 section 5.6.7), and directives may follow it.
        for count in (1, 2):
            moment = _moment(",".join(chunks[:count]))
            if moment is not None:
                expired = self.now is not None and moment <= self.now
                return expired, content[: match.start()] + ",".join(chunks[count:])
        return False, content[: match.start()] + ",".join(chunks)


def _by_agent(line: str) -> Iterator[tuple[str, str]]:
    """(agent, directives) of one line; the agent is "" up to the first name (RFC 9110 5.3: lines may be joined)."""
    agent, directives = "", ""
    for chunk in line.split(","):
        match = _AGENT.match(chunk)
        if match is not None and match.group(1).lower() not in _WITH_VALUE and not match.group(1).isdigit():
            if directives:
                yield agent, directives
            agent, directives = match.group(1).lower(), chunk[match.end() :]
        else:
            directives = f"{directives},{chunk}" if directives else chunk
    yield agent, directives


def _moment(text: str) -> datetime | None:
    """A date of RFC 822, RFC 850 or ISO 8601; without a zone it is UTC."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text.strip())
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return None


def moment_of(http_date: str) -> datetime | None:
    """The moment that a Date header names, None when it names none: the server's own "now"."""
    return _moment(http_date) if http_date else None
