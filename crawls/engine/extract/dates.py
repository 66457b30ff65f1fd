"""The date that a page gives itself, in W3C form, and who said it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sitemaps.protocol import lastmod

# Before there was a web there were no pages: zero dates of databases, not declarations.
_FIRST_YEAR = "1991"
_JSON_LD_DATE = re.compile(r'"dateModified"\s*:\s*"([^"]{4,64})"')
META_NAMES = frozenset(
    {
        "article:modified_time",
        "og:updated_time",
        "last-modified",
        "dcterms.modified",
        "dc.date.modified",
        "datemodified",
    }
)


@dataclass(slots=True)
class Dates:
    """Declared dates of a page, the strongest word first: JSON-LD, meta elements, HTTP header."""

    _json_ld: str = ""
    _meta: str = ""

    def add_json_ld(self, text: str) -> None:
        """A script of structured data: its newest dateModified (schema.org CreativeWork)."""
        self._json_ld = max([self._json_ld, *map(_plausible, _JSON_LD_DATE.findall(text))])

    def add_meta(self, name: str, content: str) -> None:
        """A meta element, by its name, property, itemprop or http-equiv in lower case; the first date wins."""
        if name in META_NAMES:
            self._meta = self._meta or _plausible(content)

    def best(self, last_modified: str) -> tuple[str, str]:
        """Date (W3C) and source (`json-ld`, `meta`, `header`); ("", "") for none."""
        for date, source in ((self._json_ld, "json-ld"), (self._meta, "meta"), (_plausible(last_modified), "header")):
            if date:
                return date, source
        return "", ""


def _plausible(text: str) -> str:
    date = lastmod.normalize(text)
    return date if date >= _FIRST_YEAR else ""
