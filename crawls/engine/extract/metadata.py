"""What a page says of itself: title, language, canonical, alternates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from crawls.engine import urls
from crawls.engine.extract.headers import HeaderLink
from crawls.engine.extract.links import Resolver

MAX_TITLE_CHARS = 300
MAX_LANGUAGE_CHARS = 35  # RFC 5646 section 4.4.1
MAX_ALTERNATES = 500
_MAX_WARNED = 3
_LANGUAGE = re.compile(
    r"x-default|[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*",
    re.IGNORECASE,
)
# References that resolve by the letter of the standard and are never meant: marks, and words for "nothing".
_NO_ADDRESS = re.compile(r"#|\[|\{|\(|(?:undefined|null|none|nil|false|true|nan|unknown)\s*$", re.IGNORECASE)


@dataclass(slots=True)
class Canonicals:
    """All canonicals of a page, from head and header together; usable when they agree (RFC 6596: one target only).

    A contradiction between head and header counts like one within the head: neither is more trustworthy.
    """

    _written: list[str] = field(default_factory=list)
    _bad: list[str] = field(default_factory=list)

    def add(self, reference: str, resolver: Resolver) -> None:
        """One declared canonical; relative ones are resolved, the fragment is dropped."""
        reference = reference.strip()
        address = None if not reference or _NO_ADDRESS.match(reference) else resolver.address(reference)
        if address is None:
            self._bad.append(reference)
        elif (address := urls.clean(address)) not in self._written:
            self._written.append(address)

    def usable(self, warnings: list[str]) -> str:
        """The canonical, or "" where none can be used; what is wrong is added to `warnings`."""
        warnings += [f"canonical {bad[:200]!r} is no address on the web; ignored" for bad in self._bad[:_MAX_WARNED]]
        if len({urls.key_of(address) for address in self._written}) > 1:
            warnings.append(f"contradicting canonicals, ignored: {', '.join(self._written)[:300]}")
            return ""
        return self._written[0] if self._written else ""


@dataclass(slots=True)
class Alternates:
    """The hreflang alternates of a page, in order; the first one for each language."""

    _found: dict[str, str] = field(default_factory=dict)

    def add(self, language: str, reference: str, resolver: Resolver) -> None:
        """One alternate; what is no language tag (BCP 47) or no address is left out."""
        reference, written = reference.strip(), spell_language(language)
        address = resolver.address(reference) if reference and reference[0] != "#" else None
        if written and address is not None and len(self._found) < MAX_ALTERNATES:
            self._found.setdefault(written, address)

    def pack(self) -> tuple[tuple[str, str], ...]:
        """(language, address) pairs."""
        return tuple(self._found.items())


def spell_language(language: str) -> str:
    """A language tag in its usual spelling (en, en-GB, zh-Hant; RFC 5646 section 2.1.1), "" for what is none."""
    text = language.strip().replace("_", "-")
    if not _LANGUAGE.fullmatch(text):
        return ""
    first, *others = text.lower().split("-")
    return "-".join([first, *(_spell_part(part) for part in others)])


def _spell_part(part: str) -> str:
    if len(part) == 4 and part.isalpha():
        return part.title()
    return part.upper() if len(part) == 2 else part


def from_link_header(
    links: Iterable[HeaderLink], resolver: Resolver, canonicals: Canonicals, alternates: Alternates
) -> None:
    """Canonical and alternates of the Link header, relative to the document's own address (RFC 8288 section 3.2)."""
    for link in links:
        anchor = link.parameters.get("anchor")
        # A link about another document is not ours (RFC 8288 section 3.2).
        if anchor is not None and resolver.address(anchor) != resolver.base:
            continue
        if "canonical" in link.rel:
            canonicals.add(link.target, resolver)
        if "alternate" in link.rel and "hreflang" in link.parameters:
            alternates.add(link.parameters["hreflang"], link.target, resolver)


def title_of(text: str | None) -> str:
    """A title with its white space folded, cut to what is shown anywhere."""
    return " ".join(text.split())[:MAX_TITLE_CHARS] if text else ""
