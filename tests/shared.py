"""The handed material (cases, schemas), where it is at hand."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(os.environ.get("SURVEYOR_SHARED") or Path(__file__).resolve().parents[2] / "shared")
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=f"the handed material is not at {SHARED}")


@dataclass(frozen=True)
class Served:
    """One answer of a case: what the client sees after transport decoding."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def cases(*areas: str, kind: str | None = None) -> list[Any]:
    """The handed cases of some areas, as pytest parameters; empty without the material."""
    if not SHARED.is_dir():
        return []
    listed = json.loads((SHARED / "cases/cases.json").read_text())
    chosen = [case for case in listed if case["area"] in areas and (kind is None or case["kind"] == kind)]
    return [pytest.param(case, id=f"{case['id']:03d}-{case['name']}") for case in chosen]


def served(case: dict[str, Any], url: str) -> Served:
    """What the case's origin answers for one of its addresses, content coding undone."""
    route = next(route for route in case["routes"] if route["url"] == url)
    folder = SHARED / "cases/inputs" / f"{case['id']:03d}-{case['name']}"
    body = (folder / route["body_file"]).read_bytes() if route.get("body_file") else b""
    if route["headers"].get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    pairs = route["headers"].items()
    headers = tuple(
        (name.lower(), one) for name, value in pairs for one in (value if isinstance(value, list) else [value])
    )
    return Served(url, route["status"], headers, body)
