"""What response headers say of links to other documents: Link (RFC 8288)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_HEADER_LINKS = 500
_TARGET = re.compile(r"<([^<>]*)>")
_PARAMETER = re.compile(r"\s*;\s*(?:([A-Za-z0-9!#$&+.^_`|~*-]+)\s*(?:=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;,\"]*)))?)?")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class HeaderLink:
    """One link of a Link header: its target as written, its relation types, its other parameters (lower-case names)."""

    target: str
    rel: frozenset[str]
    parameters: dict[str, str]


def link_header(lines: Iterable[str]) -> Iterator[HeaderLink]:
    """The links of all Link header lines, in order; what is malformed between two links is passed over."""
    count = 0
    for line in lines:
        position = 0
        while (match := _TARGET.search(line, position)) and count < MAX_HEADER_LINKS:
            parameters, position = _parameters(line, match.end())
            count += 1
            rel = frozenset(parameters.pop("rel", "").lower().split())
            yield HeaderLink(match.group(1).strip(), rel, parameters)


def _parameters(line: str, position: int) -> tuple[dict[str, str], int]:
    found: dict[str, str] = {}
    while match := _PARAMETER.match(line, position):
        name, quoted, plain = match.groups()
        if name is not None:
            # RFC 8288 section 3.3: only the first rel counts; the same is sane for the others.
            value = _ESCAPED.sub(r"\1", quoted) if quoted is not None else plain or ""
            found.setdefault(name.lower(), value)
        position = match.end()
    return found, position
