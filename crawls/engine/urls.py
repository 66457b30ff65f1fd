"""URLs: parsed as browsers do (WHATWG URL), one written form, and one key to tell them apart.

Three forms, never mixed:
- *address*: what the WHATWG parser serialises, fragment dropped; this is requested and published (`resolve`, `parse`);
- *normalized*: percent-encoding in normal form (RFC 3986 section 6.2.2), session and tracking parameters dropped;
- *key*: 64 bits of the normalized form with its parameters sorted; this is what "seen before" means.

Trailing slash, path case and the order of parameters are kept in the address: what answered 200 is what is published.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import NamedTuple

import ada_url

MAX_URL_CHARS = 2047  # sitemaps.org: loc must be under 2,048 characters

_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?;]*", re.IGNORECASE)
_SESSION_NAMES = frozenset(
    {"phpsessid", "jsessionid", "sessionid", "session_id", "sid", "aspsessionid", "cfid", "cftoken", "zenid", "oscsid"}
)
# `sid` may also be a story's number: only a value that looks drawn at random counts as a session.
_RANDOM_VALUE = re.compile(r"^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_\-]{8,}$|^[0-9]{16,}$|^[A-Za-z0-9_\-]{24,}$")
_TRACKING_NAMES = frozenset(
    {
        "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid", "ttclid", "igshid",
        "mc_cid", "mc_eid", "_ga", "_gl", "_hsenc", "_hsmi", "mkt_tok", "vero_id", "oly_enc_id", "oly_anon_id",
    }
)  # fmt: skip
_TRACKING_PREFIXES = ("utm_", "pk_", "piwik_", "mtm_", "matomo_")


class Parts(NamedTuple):
    """An address in pieces, all in the WHATWG serialisation; `port` is the effective one; `query` without `?`."""

    scheme: str
    host: str
    port: int
    path: str
    query: str


def resolve(reference: str, base: str) -> str | None:
    """The http(s) address that `reference` means on a page at `base`, without fragment and credentials.

    None when it is no URL or of another scheme. WHATWG URL section 4.4 (leading and trailing blanks dropped, tab and
    line ends removed, backslashes as slashes, default port dropped, host lower-cased and to ASCII).
    """
    try:
        url = ada_url.join_url(base, reference)
    except (ValueError, UnicodeEncodeError):
        return None
    return _http_only(url)


def parse(text: str) -> str | None:
    """The http(s) address that an absolute URL spells, or None; as `resolve`, without a base."""
    try:
        url = ada_url.normalize_url(text)
    except (ValueError, UnicodeEncodeError):
        return None
    return _http_only(url)


def _http_only(url: str) -> str | None:
    if not url.startswith(("http://", "https://")):
        return None
    cut = url.find("#")
    if cut >= 0:
        url = url[:cut]
    if "@" in url:
        url = _without_credentials(url)
    return url


def _without_credentials(url: str) -> str:
    scheme, rest = url.split("://", 1)
    end = len(rest)
    for mark in "/?":
        found = rest.find(mark)
        if found >= 0:
            end = min(end, found)
    return f"{scheme}://{rest[:end].rsplit('@', 1)[-1]}{rest[end:]}"


def split(address: str) -> Parts:
    """The pieces of an address made by `resolve` or `parse`."""
    scheme, rest = address.split("://", 1)
    slash = rest.find("/")
    authority, tail = (rest, "/") if slash < 0 else (rest[:slash], rest[slash:])
    path, _, query = tail.partition("?")
    host, port = authority, 443 if scheme == "https" else 80
    colon = authority.rfind(":")
    if colon > authority.rfind("]"):
        host, port = authority[:colon], int(authority[colon + 1 :])
    return Parts(scheme, host, port, path, query)


def origin(address: str) -> str:
    """Scheme, host and port as they stand in the address: `https://example.com:8443` (RFC 6454)."""
    slash = address.find("/", 8)
    return address if slash < 0 else address[:slash]


def target(address: str) -> str:
    """Path and query of an address, at least `/`: what robots.txt rules are matched with."""
    slash = address.find("/", 8)
    return "/" if slash < 0 else address[slash:]


def decode_unreserved(text: str) -> str:
    """Percent-encoding in normal form: unreserved characters decoded, hex in upper case (RFC 3986 section 6.2.2)."""
    if "%" not in text:
        return text
    return _PERCENT.sub(_normal_escape, text)


def _normal_escape(match: re.Match[str]) -> str:
    char = chr(int(match.group(1), 16))
    return char if char in _UNRESERVED else match.group(0).upper()


def is_tracking(name: str) -> bool:
    """Whether a parameter of this name only says where a visitor came from."""
    lower = name.lower()
    return lower in _TRACKING_NAMES or lower.startswith(_TRACKING_PREFIXES)


def is_session(name: str, value: str) -> bool:
    """Whether a parameter carries a visitor's session: a usual name with a value that looks drawn at random."""
    lower = name.lower()
    if lower.startswith("aspsessionid"):
        return True
    return lower in _SESSION_NAMES and _RANDOM_VALUE.match(value) is not None


def clean(address: str) -> str:
    """The address without tracking and session parameters, all else to the letter as it was."""
    if ";" in address:
        head, mark, query = address.partition("?")
        address = _PATH_SESSION.sub("", head) + mark + query
    head, mark, query = address.partition("?")
    if not mark:
        return address
    kept = [part for part in query.split("&") if not _is_noise(part)]
    if len(kept) == query.count("&") + 1:
        return address
    return f"{head}?{'&'.join(kept)}" if kept else head


def _is_noise(part: str) -> bool:
    name, _, value = part.partition("=")
    return is_tracking(name) or is_session(name, value)


def normalize(address: str) -> str:
    """Our one written form of an address; idempotent, and the WHATWG parser leaves it as it is."""
    return decode_unreserved(clean(address))


def key_of(address: str) -> int:
    """What makes two addresses one page for us: 64 bits, equal for spellings and parameter orders of one address.

    Signed, so that it fits a BIGINT column. The order of parameters is ignored (first seen wins).
    """
    text = normalize(address)
    head, mark, query = text.partition("?")
    if "&" in query:
        text = head + mark + "&".join(sorted(query.split("&")))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)


def same_host(one: str, other: str) -> bool:
    """Whether two addresses have host and port in common; http and https on their default ports count as one."""
    a, b = split(one), split(other)
    return a.host == b.host and (a.port == b.port or {a.port, b.port} == {80, 443})


def is_twin(one: str, other: str) -> bool:
    """Whether two hosts are www and apex of each other (or the same), on equal or default ports."""
    a, b = split(one), split(other)
    if a.host.removeprefix("www.") != b.host.removeprefix("www."):
        return False
    return a.port == b.port or {a.port, b.port} <= {80, 443}
