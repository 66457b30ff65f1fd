"""The main content of a page as 64 bits that stay the same while only dates, counters and boilerplate change."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any
from urllib.parse import unquote_to_bytes

from lxml import etree

from crawls.engine import urls

MAX_TEXT_BYTES = 500_000
# Never content, wherever it stands. Forms are kept but for their controls: some frameworks put whole pages into one.
_NEVER_CONTENT = (
    "script", "style", "noscript", "nav", "aside", "svg", "select", "textarea", "button",
)  # fmt: skip
# A page's own header and footer; inside main or an article they belong to the content (HTML 4.3.8, 4.3.9).
_PAGE_FRAME = ("header", "footer")
# Every blank a space, every digit a nought: what is then looked for is one byte, which is ten times quicker.
_FOLDED = bytes.maketrans(b"\t\r\n\f\v123456789", b"     000000000")
_ASCII = bytes(range(128))
_MAX_WORD_BYTES = 256
_CALENDAR = frozenset(
    b"jan feb mar apr may jun june jul july aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun "
    b"january february march april august september october november december "
    b"monday tuesday wednesday thursday friday saturday sunday "
    b"januar februar juni juli oktober dezember januari februari maart mei augustus "
    b"janvier mars avril mai juin juillet septembre octobre novembre "
    b"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre "
    b"gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre "
    b"second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months year years "
    b"am pm utc gmt".split()
)
_MAX_CALENDAR_BYTES = 12


def fingerprint(tree: Any, main: Any | None, address: str) -> str:
    """16 hex digits for the text of a page at `address`, "" when it has none. Takes boilerplate out of the tree.

    `main` is the tree's first main element, where it has one: then its text is what counts.

    The page's own path is left out: a "not found" page that quotes it is one page, whatever was asked for.
    """
    content = _main_content(tree, main)
    if content is None:
        return ""
    text: bytes = etree.tostring(content, method="text", encoding="utf-8", with_tail=False)[:MAX_TEXT_BYTES]
    kept = _without_changing(_without_path(text, address).translate(_FOLDED)).replace(b" ", b"")
    return blake2b(kept, digest_size=8).hexdigest() if kept else ""


def _main_content(tree: Any, main: Any | None) -> Any | None:
    """The main element, else the only article, else the body; without what is never content."""
    content = main
    if content is None:
        articles = tree.iter("article")
        content = next(articles, None)
        # Several articles are a list of teasers: the page is all of them.
        content = content if next(articles, None) is None else None
    if content is not None:
        etree.strip_elements(content, *_NEVER_CONTENT, with_tail=False)
        return content
    content = tree.find("body")
    if content is not None:
        etree.strip_elements(content, *_NEVER_CONTENT, *_PAGE_FRAME, with_tail=False)
        role = content.find('.//*[@role="main"]')
        content = content if role is None else role
    return content


def _without_path(text: bytes, address: str) -> bytes:
    target = urls.target(address).encode()
    for path in (target, target.partition(b"?")[0]):
        if len(path) > 1:
            text = text.replace(path, b"")
            if b"%" in path:
                text = text.replace(unquote_to_bytes(path), b"")
    return text


def _without_changing(text: bytes) -> bytes:
    """The text without words that have a digit in them (dates, times, counters, tokens) and calendar words beside them.

    A word ends at a blank, and at any byte beyond ASCII where no blanks are used (Chinese, Japanese).
    """
    pieces: list[bytes] = []
    position = 0
    digit = text.find(b"0")
    while digit >= 0:
        start = text.rfind(b" ", position, digit) + 1 or position
        before = text[start:digit]
        if not before.isascii():
            start += len(before.rstrip(_ASCII))
        pieces.append(text[position : _start_of_date(text, position, start)])
        position = _end_of_date(text, digit)
        digit = text.find(b"0", position)
    pieces.append(text[position:])
    return b"".join(pieces)


def _start_of_date(text: bytes, position: int, start: int) -> int:
    """Where calendar words that lead up to a number begin: `Tuesday, December 1`."""
    end = start
    while text[end - 1 : end] == b" " and end > position:
        word_start = text.rfind(b" ", max(position, end - 1 - _MAX_CALENDAR_BYTES), end - 1) + 1
        if not word_start or text[word_start : end - 1].rstrip(b".,").lower() not in _CALENDAR:
            return end
        end = word_start
    return end


def _end_of_date(text: bytes, digit: int) -> int:
    """Where the word of a digit ends, with calendar words behind it: `1 December`, `3 hours`."""
    end = text.find(b" ", digit, digit + _MAX_WORD_BYTES)
    end = min(digit + _MAX_WORD_BYTES, len(text)) if end < 0 else end
    word = text[digit:end]
    if not word.isascii():
        return digit + len(word) - len(word.lstrip(_ASCII))
    while text[end : end + 1] == b" ":
        word_end = text.find(b" ", end + 1, end + 1 + _MAX_CALENDAR_BYTES)
        if word_end < 0:
            word_end = min(end + 1 + _MAX_CALENDAR_BYTES, len(text))
        if text[end + 1 : word_end].rstrip(b".,").lower() not in _CALENDAR:
            return end
        end = word_end
    return end
