"""What response headers say about a page: Link (RFC 8288) and X-Robots-Tag."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_TARGET = re.compile(r"\s*,?\s*<([^>]*)>")
_PARAMETER = re.compile(r"\s*;\s*([A-Za-z0-9!#$&+.^_`|~*-]+)\s*(?:=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;,\"]*)))?")


@dataclass(frozen=True, slots=True)
class HeaderLink:
    """One link of a Link header: its target as written, its relation types, its other parameters (lower-case names)."""

    target: str
    rel: frozenset[str]
    parameters: dict[str, str]


def link_header(lines: Iterable[str]) -> Iterator[HeaderLink]:
    """The links of all Link header lines, in order; what is malformed ends its line."""
    for line in lines:
        position = 0
        while match := _TARGET.match(line, position):
            parameters: dict[str, str] = {}
            position = match.end()
            while parameter := _PARAMETER.match(line, position):
                name, quoted, plain = parameter.groups()
                # RFC 8288 section 3.3: only the first rel counts; the same is sane for the others.
                parameters.setdefault(
                    name.lower(), re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else plain or ""
                )
                position = parameter.end()
            rel = frozenset(parameters.pop("rel", "").lower().split())
            yield HeaderLink(match.group(1).strip(), rel, parameters)
