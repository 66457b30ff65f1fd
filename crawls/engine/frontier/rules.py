"""The four kinds of rules of a site: patterns on path and query, written as in robots.txt."""

from __future__ import annotations

from collections.abc import Iterable

from crawls.engine import urls
from crawls.engine.patterns import Pattern, normal_form


class Rulebook:
    """Patterns of one kind; a pattern may also be a whole address. The first that matches, in the order given, counts.

    Raises ValueError naming the pattern that cannot be one.
    """

    def __init__(self, kind: str, patterns: Iterable[str]) -> None:
        self.kind = kind
        self._patterns = [(text, _compile(kind, text)) for text in patterns]

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def match(self, url: str) -> str:
        """The evidence of the first rule that matches (`exclude /x*`), or ""."""
        if not self._patterns:
            return ""
        target = normal_form(urls.target(url))
        for text, pattern in self._patterns:
            if pattern.matches(target):
                return f"{self.kind} {text}"
        return ""


def _compile(kind: str, text: str) -> Pattern:
    pattern = text.strip()
    if pattern.startswith(("http://", "https://")):
        pattern = urls.target(pattern)
    if not pattern.startswith(("/", "*")):
        raise ValueError(f"{kind} pattern {text!r} must begin with / or * (for example /blog/ or *?print=)")
    return Pattern.of(pattern)
