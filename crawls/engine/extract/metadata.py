"""What a page says of itself: title, canonical, alternates, dates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from crawls.engine import urls
from crawls.engine.extract.headers import HeaderLink
from crawls.engine.extract.links import Resolver
from sitemaps.protocol import lastmod

MAX_TITLE_CHARS = 300
MAX_ALTERNATES = 500
_LANGUAGE = re.compile(r"x-default|[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-[A-Za-z0-9]{5,8})*")
_JSON_LD_DATE = re.compile(r'"dateModified"\s*:\s*"([^"]{4,64})"')
_META_DATES = frozenset({"article:modified_time", "og:updated_time", "last-modified", "dcterms.modified", "lastmod"})


@dataclass(slots=True)
class Canonicals:
    """All canonical links of a page; usable when they agree."""

    resolver: Resolver
    _written: list[str] = field(default_factory=list)
    _bad: list[str] = field(default_factory=list)

    def add(self, reference: str) -> None:
        """One declared canonical, in head or header."""
        address = self.resolver.address(reference.strip()) if reference.strip() else None
        if address is None:
            self._bad.append(reference.strip())
        elif address not in self._written:
            self._written.append(address)

    def usable(self, warnings: list[str]) -> str:
        """The canonical, or "" with a warning when it cannot be used (RFC 6596: one target only)."""
        warnings += [f"canonical {reference[:200]!r} is no address on the web; ignored" for reference in self._bad]
        if len({urls.key_of(address) for address in self._written}) > 1:
            warnings.append(f"contradicting canonicals, ignored: {', '.join(self._written)[:300]}")
            return ""
        return self._written[0] if self._written else ""


@dataclass(slots=True)
class Alternates:
    """The hreflang alternates of a page, in order; one for each language."""

    resolver: Resolver
    _found: dict[str, str] = field(default_factory=dict)

    def add(self, language: str, reference: str) -> None:
        """One alternate; what is no language tag (BCP 47) or no address is left out."""
        written = _spell(language.strip())
        address = self.resolver.address(reference.strip()) if reference.strip() else None
        if written and address is not None and len(self._found) < MAX_ALTERNATES:
            self._found.setdefault(written, address)

    def pack(self) -> tuple[tuple[str, str], ...]:
        """(language, address) pairs."""
        return tuple(self._found.items())


def _spell(language: str) -> str:
    """A language tag in its usual spelling (en, en-GB, zh-Hant), "" for what is none."""
    text = language.replace("_", "-")
    if text.lower() == "x-default":
        return "x-default"
    if not _LANGUAGE.fullmatch(text):
        return ""
    first, *others = text.split("-")
    return "-".join([first.lower(), *(_spell_part(part) for part in others)])


def _spell_part(part: str) -> str:
    if len(part) == 4:
        return part.title()
    return part.upper() if len(part) == 2 else part


def from_link_header(links: Iterable[HeaderLink], canonicals: Canonicals, alternates: Alternates) -> None:
    """Canonical and alternates of the Link header; a link about another page (`anchor`) is not ours."""
    for link in links:
        if "anchor" in link.parameters:
            continue
        if "canonical" in link.rel:
            canonicals.add(link.target)
        if "alternate" in link.rel and "hreflang" in link.parameters:
            alternates.add(link.parameters["hreflang"], link.target)


@dataclass(slots=True)
class Dates:
    """Declared dates of a page, the strongest word first: JSON-LD, meta elements, HTTP header."""

    _json_ld: str = ""
    _meta: str = ""

    def add_json_ld(self, text: str) -> None:
        """A script of structured data: its newest dateModified."""
        found = [lastmod.normalize(value) for value in _JSON_LD_DATE.findall(text)]
        self._json_ld = max([self._json_ld, *found])

    def add_meta(self, name: str, content: str) -> None:
        """A meta element, by its name or property in lower case."""
        if name in _META_DATES:
            self._meta = self._meta or lastmod.normalize(content)

    def best(self, last_modified: str) -> tuple[str, str]:
        """Date (W3C) and source; ("", "") for none."""
        header = lastmod.normalize(last_modified)
        for date, source in ((self._json_ld, "json-ld"), (self._meta, "meta"), (header, "header")):
            if date:
                return date, source
        return "", ""


def title_of(text: str | None) -> str:
    """A title with its white space folded, cut to what is shown anywhere."""
    return " ".join(text.split())[:MAX_TITLE_CHARS] if text else ""
