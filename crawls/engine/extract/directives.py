"""What a page tells robots: meta robots and X-Robots-Tag (Google's specification; the most restrictive wins)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from crawls.engine.records import Robots

_SEPARATORS = re.compile(r"[\s,;|]+")
_AGENT = re.compile(r"^\s*([A-Za-z0-9_-]+)\s*:(?!//)")
# Directives that carry a colon themselves, so that what stands before it is no agent's name.
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


@dataclass(slots=True)
class DirectiveBag:
    """Collects directives that concern us: those for all, for our token, and (if asked) for googlebot."""

    product_token: str
    googlebot_counts: bool
    _noindex: bool = False
    _nofollow: bool = False
    _noimageindex: bool = False
    _evidence: list[str] = field(default_factory=list)

    def add_meta(self, name: str, content: str) -> None:
        """A meta element whose name may be that of a crawler."""
        agent = name.strip().lower()
        if self._concerns(agent, "robots"):
            self._take(content, f"meta {agent}", agent)

    def add_headers(self, lines: Iterable[str]) -> None:
        """The X-Robots-Tag lines of a response; each may begin with the name of a crawler."""
        for line in lines:
            agent, rest = _agent_of(line)
            if self._concerns(agent, ""):
                self._take(rest, "X-Robots-Tag", agent)

    def robots(self) -> Robots:
        """What they come to."""
        return Robots(self._noindex, self._nofollow, self._noimageindex, "; ".join(self._evidence)[:300])

    def _concerns(self, agent: str, everybody: str) -> bool:
        return agent in (everybody, self.product_token) or (agent == "googlebot" and self.googlebot_counts)

    def _take(self, content: str, where: str, agent: str) -> None:
        words = set(_SEPARATORS.split(content.lower()))
        noindex = bool(words & {"noindex", "none"})
        # A word for googlebot decides about its index; whom we follow is decided by words for us.
        nofollow = bool(words & {"nofollow", "none"}) and agent != "googlebot"
        self._noindex |= noindex
        self._nofollow |= nofollow
        self._noimageindex |= "noimageindex" in words
        if noindex or nofollow:
            self._evidence.append(f"{where}: {content.strip()[:100]}")


def _agent_of(line: str) -> tuple[str, str]:
    match = _AGENT.match(line)
    if match is None or match.group(1).lower() in _WITH_VALUE:
        return "", line
    return match.group(1).lower(), line[match.end() :]
