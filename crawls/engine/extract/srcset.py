"""The srcset attribute (HTML 4.8.4.2.2, "parse a srcset attribute")."""

from __future__ import annotations

import re

MAX_SRCSET_CHARS = 100_000
_BLANK = " \t\n\r\f"
# What nearly every srcset consists of; anything else goes the long way.
_USUAL = re.compile(r"\s*([^\s,]\S*[^\s,])\s+[1-9][0-9.]*[wx]\s*(?:,|$)")
_NOT_BLANK_OR_COMMA = re.compile(r"[^ \t\n\r\f,]")
_BLANK_FOUND = re.compile(r"[ \t\n\r\f]")
_DESCRIPTOR = re.compile(r"[0-9]+w|[0-9]+h|-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?x")


def srcset(text: str) -> list[str]:
    """The addresses in the order written: a comma ends one only behind white space, descriptors or at its very end."""
    quick: list[str] = []
    position = 0
    while match := _USUAL.match(text, position):
        quick.append(match.group(1))
        position = match.end()
    return quick if quick and position == len(text) else _by_the_book(text[:MAX_SRCSET_CHARS])


def _by_the_book(text: str) -> list[str]:
    found: list[str] = []
    position = 0
    while match := _NOT_BLANK_OR_COMMA.search(text, position):
        start = match.start()
        blank = _BLANK_FOUND.search(text, start)
        position = blank.start() if blank else len(text)
        address = text[start:position]
        if address.endswith(","):
            found.append(address.rstrip(","))
            continue
        descriptors, position = _descriptors(text, position)
        if all(_DESCRIPTOR.fullmatch(one) for one in descriptors):
            found.append(address)
    return found


def _descriptors(text: str, position: int) -> tuple[list[str], int]:
    """What stands up to the next comma outside parentheses, in words, and where to go on."""
    depth, start = 0, position
    while position < len(text):
        char = text[position]
        if char == "(":
            depth += 1
        elif char == ")" and depth:
            depth -= 1
        elif char == "," and not depth:
            return text[start:position].split(), position + 1
        position += 1
    return text[start:].split(), position
