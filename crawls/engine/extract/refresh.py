"""The refresh that sends a visitor on at once (HTML 4.2.5.3, "shared declarative refresh steps")."""

from __future__ import annotations

import re

# Up to here a page is on its way elsewhere; what waits longer wants to be read, or reloads itself now and then.
AT_ONCE_S = 5.0
_TIME = re.compile(r"\s*([0-9]*)[0-9.]*(?:\s*[;,]\s*|\s+|$)")
_URL = re.compile(r"url\s*=\s*", re.IGNORECASE)


def reference(content: str) -> str:
    """The reference that an immediate refresh names, "" for a slow one, one without an address, or none at all."""
    time = _TIME.match(content)
    if time is None or not content.strip() or not (time.group(1) or content.lstrip()[:1] == "."):
        return ""
    if len(time.group(1)) > 6 or float(time.group(1) or 0) > AT_ONCE_S:
        return ""
    rest = content[time.end() :]
    name = _URL.match(rest)
    rest = rest[name.end() :] if name else rest
    if rest[:1] in ("'", '"'):
        rest = rest[1:].partition(rest[0])[0]
    return rest.strip()
