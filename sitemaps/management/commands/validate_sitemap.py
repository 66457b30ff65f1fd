"""`manage.py validate_sitemap FILE|URL`: is this a sitemap that search engines accept?"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import deque
from dataclasses import asdict
from pathlib import Path
from typing import Any

import requests
from django.core.management.base import BaseCommand, CommandError

from sitemaps.protocol import limits
from sitemaps.protocol.validate import Report, validate

_MAX_FILES = 1_000
_TIMEOUT_S = 15.0
_CHUNK_BYTES = 65_536
_USAGE = 2


class Command(BaseCommand):
    """Checks one file or address, and the children of an index."""

    help = "Check a sitemap, gzipped or not, and the children of an index. Exit codes: 0 valid, 1 not, 2 unreadable."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("where", metavar="FILE|URL", help="a file, or an http(s) address")
        parser.add_argument("--json", action="store_true", help="print the findings as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        reports = _check_all(options["where"])
        valid = all(report.valid for report in reports.values())
        if options["json"]:
            files = [{"where": where, "valid": report.valid, **asdict(report)} for where, report in reports.items()]
            self.stdout.write(json.dumps({"valid": valid, "files": files}, indent=2))
        else:
            self._print(reports)
        if not valid:
            sys.exit(1)

    def _print(self, reports: dict[str, Report]) -> None:
        for where, report in reports.items():
            verdict = "valid" if report.valid else "not valid"
            self.stdout.write(f"{where}: {verdict}, {report.kind}, {report.count} entries, {report.size_bytes} bytes")
            for problem in report.problems:
                line = f" line {problem.line}" if problem.line else ""
                self.stdout.write(f"  {problem.severity}{line}: {problem.message} [{problem.code}]")


def _check_all(where: str) -> dict[str, Report]:
    reports: dict[str, Report] = {}
    waiting = deque([where])
    while waiting and len(reports) < _MAX_FILES:
        place = waiting.popleft()
        if place in reports:
            continue
        report = reports[place] = validate(_read(place), place)
        waiting.extend(_beside(place, child) for child in report.children)
    return reports


def _beside(index: str, child: str) -> str:
    """Where a child of an index is read: at its address, or by its name beside a local file."""
    if _is_address(index):
        return child
    return str(Path(index).parent / child.rsplit("/", 1)[1])


def _read(where: str) -> bytes:
    try:
        return _download(where) if _is_address(where) else Path(where).read_bytes()
    except (OSError, requests.RequestException) as error:
        raise CommandError(f"{where} cannot be read: {error}", returncode=_USAGE) from error


def _is_address(where: str) -> bool:
    return where.startswith(("http://", "https://"))


def _download(url: str) -> bytes:
    """The body of an address, at most what a sitemap may have; one byte more shows that it has more."""
    with requests.get(url, timeout=_TIMEOUT_S, stream=True) as answer:
        answer.raise_for_status()
        body = bytearray()
        for chunk in answer.iter_content(_CHUNK_BYTES):
            body += chunk
            if len(body) > limits.MAX_BYTES:
                break
    return bytes(body)
