"""Dates of the wild in the one form that sitemaps take (W3C Datetime, https://www.w3.org/TR/NOTE-datetime)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

_W3C = re.compile(
    r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})"
    r"(?:[Tt ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?)?)?\s*"
)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?Z?)?")


def normalize(text: str) -> str:
    """`2024-01-02`, `2024-01-02T10:00:00+00:00`, or "" for what is no date.

    Takes W3C forms (a year or a month alone stays as it is), RFC 822 dates of RSS and HTTP, and compact ISO 8601.
    A time without a zone is taken as UTC: a sitemap may not leave it out.
    """
    text = text.strip()
    if not text or len(text) > 64:
        return ""
    match = _W3C.fullmatch(text)
    try:
        if match is not None:
            return _from_w3c(match)
        match = _COMPACT.fullmatch(text)
        if match is not None:
            return _from_compact(match)
        return _spell(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def is_w3c(text: str) -> bool:
    """Whether a text is a date as sitemaps allow it, to the letter."""
    return bool(text) and (normalize(text) == text or (_STRICT.fullmatch(text) is not None and normalize(text) != ""))


_STRICT = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?)?)?")


def fits_schema(text: str) -> bool:
    """Whether the sitemap schema takes a date: a whole day, or a time to the second with its zone.

    Narrower than W3C Datetime, which also knows years and months: what is written must please both.
    """
    return len(text) >= 10 and normalize(text) == text


def _from_w3c(match: re.Match[str]) -> str:
    year, month, day, hour, minute, second, zone = match.groups()
    if month is None:
        return year if int(year) >= 1000 else ""
    if day is None:
        return f"{datetime(int(year), int(month), 1, tzinfo=UTC):%Y-%m}"
    if hour is None:
        return f"{datetime(int(year), int(month), int(day), tzinfo=UTC):%Y-%m-%d}"
    moment = datetime(int(year), int(month), int(day), int(hour), int(minute), int(second or 0), tzinfo=_zone(zone))
    return _spell(moment)


def _from_compact(match: re.Match[str]) -> str:
    year, month, day, hour, minute, second = match.groups()
    moment = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=UTC)
    return _spell(moment) if hour else f"{moment:%Y-%m-%d}"


def _zone(text: str | None) -> timezone:
    if text is None or text.upper() in ("Z", "UTC", "GMT"):
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)


def _spell(moment: datetime) -> str:
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.replace(microsecond=0).isoformat()
