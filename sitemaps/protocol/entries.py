"""What a sitemap says: entries for pages, entries for further sitemaps, and problems met while reading or writing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Entry(NamedTuple):
    """One page. `lastmod` in W3C form or ""; `images`: addresses; `alternates`: (hreflang, address) pairs."""

    loc: str
    lastmod: str = ""
    changefreq: str = ""
    priority: str = ""
    images: tuple[str, ...] = ()
    alternates: tuple[tuple[str, str], ...] = ()


class IndexEntry(NamedTuple):
    """One further sitemap, as an index names it."""

    loc: str
    lastmod: str = ""


class Kind(StrEnum):
    """What a document turned out to be, by its content."""

    URLSET = "urlset"
    INDEX = "index"
    RSS = "rss"
    ATOM = "atom"
    TEXT = "text"
    ROBOTS = "robots"
    HTML = "html"
    UNKNOWN = "unknown"


class Severity(StrEnum):
    """Whether a search engine would refuse the file for it."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a file: a code, a sentence, and the line it stands on (0: none)."""

    code: str
    message: str
    line: int = 0
    severity: Severity = Severity.WARNING
