"""From judged URLs to what the sitemap says of them: the date that was declared, the alternates that close."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from crawls.engine import urls
from crawls.engine.records import Facts, Verdict

# Every address of a cluster is named by every member of it.
_key_of = lru_cache(maxsize=50_000)(urls.key_of)

_WHOLE_DATE_CHARS = 10

Alternates = tuple[tuple[str, str], ...]
LookUp = Callable[[Iterable[int]], dict[int, Facts]]


def close_alternates(rows: Sequence[Facts], look_up: LookUp) -> dict[int, Alternates]:
    """The hreflang cluster of each row, by key, where it closes; () where it does not.

    A cluster closes when every member is in the sitemap and names exactly the same members, itself among them. What
    is named but not listed, or does not name the page back, is left out first (Google: return links are required).
    """
    with_alternates = [row for row in rows if row.alternates]
    known = {row.key: row for row in with_alternates}
    known |= look_up(_missing(with_alternates, known))
    second = _missing([fact for fact in known.values() if fact.alternates], known)
    known |= look_up(second)
    return {row.key: _closed(row, known) for row in with_alternates}


def _missing(rows: Iterable[Facts], known: dict[int, Facts]) -> set[int]:
    return {_key_of(address) for row in rows for _, address in row.alternates} - known.keys()


def _closed(row: Facts, known: dict[int, Facts]) -> Alternates:
    members = _mutual(row, known)
    keys = {key for _, key in members}
    if row.key not in keys or len(members) < 2:
        return ()
    if any(_mutual(known[key], known) != members for key in keys):
        return ()
    return tuple((language, known[key].url) for language, key in sorted(members))


def _mutual(row: Facts, known: dict[int, Facts]) -> set[tuple[str, int]]:
    """The (language, key) pairs that the row names, are listed, and name the row back."""
    pairs = {(language, _key_of(address)) for language, address in row.alternates}
    return {(language, key) for language, key in pairs if _names_back(row.key, known.get(key))}


def _names_back(key: int, other: Facts | None) -> bool:
    if other is None or other.verdict is not Verdict.IN:
        return False
    return other.key == key or any(_key_of(address) == key for _, address in other.alternates)


def best_lastmod(row: Facts, today: str) -> tuple[str, str]:
    """The date to publish and where it comes from: the page's own word, then the site's sitemap, then the header.

    A date after `today` (an ISO date) or before the Web is not believed; a year or month alone is too little;
    """
    candidates = [(row.lastmod, row.lastmod_source), (row.declared_lastmod, "sitemap")]
    if row.lastmod_source == "header":
        candidates.reverse()
    for date, source in candidates:
        if len(date) >= _WHOLE_DATE_CHARS and date[:4] >= "1991" and date[:10] <= today:
            return date, source
    return "", ""
