"""Endless spaces: repeated segments, calendars, facets. Each is named with samples and a rule that would end it.

Counters are bounded: a site with more shapes than are kept loses the oldest counts, not its pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from crawls.engine import urls
from crawls.engine.records import Finding, Level

MAX_SEGMENTS = 40
MAX_REPEATS = 3  # one segment, or one run of segments, so many times in all is the most that counts as sane
MAX_PARAMETERS = 12
MAX_COMBINATIONS = 40
MAX_DATED_URLS = 1_000
_MAX_SHAPES = 20_000
_SAMPLES = 5
_TEMPLATE_MARKS = re.compile(r"\{\{|\}\}|%7B%7B|%7D%7D|<%|%3C%25?=?%20|\$\{|\$%7B|%3C\?", re.IGNORECASE)
_YEAR = re.compile(r"(?:^|[/=_.-])((?:1[0-9]|2[0-9]|[3-9][0-9])[0-9]{2})(?:[/_.-]?(?:0?[1-9]|1[0-2]))(?![0-9])")
_CALENDAR_WORD = re.compile(r"\bcal\b|calend|kalend|event|agenda|month|monat|week|day|date|termin", re.IGNORECASE)
_FIRST_YEAR, _YEARS_AHEAD = 1900, 3


@dataclass(slots=True)
class Trap:
    """One endless space: how many URLs were kept out, and some of them."""

    kind: str
    pattern: str
    count: int = 0
    samples: list[str] = field(default_factory=list)


class Traps:
    """Judges addresses one after the other; remembers shapes. `this_year` bounds what a calendar may plausibly show."""

    def __init__(self, this_year: int) -> None:
        self._last_year = this_year + _YEARS_AHEAD
        self._combinations: dict[str, set[str]] = {}
        self._dated: dict[str, int] = {}
        self._traps: dict[str, Trap] = {}

    def catch(self, url: str) -> str:
        """What makes this address part of an endless space, in words; "" when nothing does."""
        parts = urls.split(url)
        evidence = _repeats(parts.path) or self._calendar(parts) or (self._facets(parts) if parts.query else "")
        if not evidence and _TEMPLATE_MARKS.search(url):
            evidence = "template marks: the address was never filled in"
        if evidence:
            self._note(evidence.split(":")[0], parts, url)
        return evidence

    def findings(self) -> list[Finding]:
        """One finding for each trap, with samples and the rule that would keep it out."""
        return [
            Finding(
                "trap",
                f"{trap.kind}: {trap.count} addresses not fetched; exclude {trap.pattern}; "
                f"e.g. {', '.join(trap.samples)}",
                trap.pattern,
                Level.WARNING,
            )
            for trap in self._traps.values()
        ]

    def _note(self, kind: str, parts: urls.Parts, url: str) -> None:
        pattern = _suggested_rule(kind, parts)
        if pattern not in self._traps and len(self._traps) >= 200:
            return
        trap = self._traps.setdefault(pattern, Trap(kind, pattern))
        trap.count += 1
        if len(trap.samples) < _SAMPLES:
            trap.samples.append(url[:200])

    def _calendar(self, parts: urls.Parts) -> str:
        text = f"{parts.path}?{parts.query}" if parts.query else parts.path
        match = _YEAR.search(text)
        if match is None:
            return ""
        year = int(match.group(1))
        if not _CALENDAR_WORD.search(text):
            return ""
        if not _FIRST_YEAR <= year <= self._last_year:
            return f"endless calendar: the year {year}"
        return self._too_many_dates(text)

    def _too_many_dates(self, text: str) -> str:
        shape = re.sub(r"[0-9]+", "0", text)[:200]
        if shape not in self._dated and len(self._dated) >= _MAX_SHAPES:
            return ""
        self._dated[shape] = self._dated.get(shape, 0) + 1
        if self._dated[shape] > MAX_DATED_URLS:
            return f"endless calendar: more than {MAX_DATED_URLS} dates of the shape {shape}"
        return ""

    def _facets(self, parts: urls.Parts) -> str:
        names = [part.partition("=")[0] for part in parts.query.split("&") if part]
        if len(names) > MAX_PARAMETERS:
            return f"facets: {len(names)} parameters"
        for name in set(names):
            if names.count(name) > MAX_REPEATS and not name.endswith("[]") and not name.upper().endswith("%5B%5D"):
                return f"facets: the parameter {name} {names.count(name)} times"
        return self._combined(parts.path, names)

    def _combined(self, path: str, names: list[str]) -> str:
        if path not in self._combinations and len(self._combinations) >= _MAX_SHAPES:
            return ""
        known = self._combinations.setdefault(path, set())
        combination = "&".join(sorted(set(names)))
        if combination in known:
            return ""
        if len(known) >= MAX_COMBINATIONS:
            return f"facets: more than {MAX_COMBINATIONS} combinations of parameters for {path}"
        known.add(combination)
        return ""


def _repeats(path: str) -> str:
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) > MAX_SEGMENTS:
        return f"repeated path: {len(segments)} segments"
    if len(segments) < MAX_REPEATS + 1:
        return ""
    for length in range(1, len(segments) // (MAX_REPEATS + 1) + 1):
        run = _longest_run(segments, length)
        if run > MAX_REPEATS:
            return f"repeated path: the same {length} segment{'s' if length > 1 else ''} {run} times in a row"
    return ""


def _longest_run(segments: list[str], length: int) -> int:
    best = run = 1
    for position in range(length, len(segments)):
        if segments[position] == segments[position - length]:
            run += 1
        else:
            run = 1
        best = max(best, 1 + (run - 1) // length)
    return best


def _suggested_rule(kind: str, parts: urls.Parts) -> str:
    segments = parts.path.split("/")
    if kind == "facets":
        return f"{parts.path}?*"
    if kind == "repeated path":
        first = next((segment for segment in segments if segments.count(segment) > 1 and segment), segments[1])
        return f"*/{first}/*/{first}/*"
    folder = "/".join(segments[:2])
    return f"{folder}*" if kind.endswith("calendar") else "*"
