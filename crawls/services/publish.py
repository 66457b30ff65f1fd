"""From a judged job to its files: sitemap set, ledger, report; all at once."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from datetime import UTC, datetime
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from crawls.engine import merge, urls
from crawls.engine.records import Facts, Report
from crawls.models import CrawlJob
from crawls.store import inventory
from crawls.store.orm import OrmStore
from sitemaps.protocol.entries import Entry
from sitemaps.publishing import WrittenSet, staged, write_set

_ROWS_AT_ONCE = 500
# What a spreadsheet takes for a formula, also behind blanks and in full width (CWE-1236; OWASP CSV injection).
_FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_TEXT_COLUMNS = frozenset({"url", "evidence", "final_url", "canonical", "title", "lastmod", "lastmod_source"})


def write_files(*, job: CrawlJob, report: Report, directory: Path, version: str) -> WrittenSet:
    """Write sitemap set, ledger.csv and report.json of a finished crawl into a reserved directory.

    Raises sitemaps.publishing.PublishError; then what was there before is untouched.
    """
    with staged(directory) as staging:
        written = write_set(staging, entries(job=job), f"{urls.origin(report.start_url)}/")
        _write_ledger(staging / "ledger.csv", inventory.ledger(job))
        summary = summarize(job=job, report=report, written=written, version=version)
        (staging / "report.json").write_text(f"{json.dumps(summary, indent=2, ensure_ascii=False)}\n", encoding="utf-8")
    return written


def entries(*, job: CrawlJob) -> Iterator[Entry]:
    """The entries of a job's sitemap, by address: with images, the best date, and alternates where they close."""
    store, today = OrmStore(job), f"{datetime.now(UTC):%Y-%m-%d}"
    rows = inventory.listed(job)
    while batch := list(islice(rows, _ROWS_AT_ONCE)):
        closed = merge.close_alternates([facts for facts, _ in batch], store.facts)
        for facts, images in batch:
            yield _entry(facts, images, closed.get(facts.key, ()), today)


def _entry(facts: Facts, images: tuple[str, ...], alternates: tuple[tuple[str, str], ...], today: str) -> Entry:
    lastmod, _ = merge.best_lastmod(facts, today)
    return Entry(facts.url, lastmod, images=images, alternates=alternates)


def _write_ledger(path: Path, rows: Iterable[inventory.LedgerRow]) -> None:
    names = [field.name for field in fields(inventory.LedgerRow)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for row in rows:
            values = zip(names, attrgetter(*names)(row), strict=True)
            writer.writerow([neutral(str(value)) if name in _TEXT_COLUMNS else _spell(value) for name, value in values])


def _spell(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def neutral(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; text that starts like one gets an apostrophe before it."""
    if cell[:1] in ("\t", "\r", "\n") or cell.lstrip().startswith(_FORMULA_STARTS):
        return f"'{cell}"
    return cell


def summarize(*, job: CrawlJob, report: Report, written: WrittenSet, version: str) -> dict[str, Any]:
    """What report.json holds."""
    counters = report.counters
    listed = report.reasons.get("indexable", 0)
    return {
        "tool": f"Surveyor {version}",
        "start_url": report.start_url,
        "job": str(job.public_id),
        "end_state": report.state,
        "why": report.why,
        "code": report.code,
        "verdicts": {"in": listed, "out": sum(report.reasons.values()) - listed},
        "reasons": dict(sorted(report.reasons.items())),
        "gap": report.flags.get("gap", 0),
        "stale": report.flags.get("stale", 0),
        "declared": report.flags.get("declared", 0),
        "reached": report.flags.get("reached", 0),
        "findings": [asdict(finding) for finding in report.findings],
        "limits_met": dict(sorted(counters.limits.items())),
        "pages": counters.pages,
        "requests": counters.requests,
        "retries": counters.retries,
        "bytes": {"wire": counters.wire_bytes, "decoded": counters.body_bytes},
        "failures": dict(sorted(counters.failures.items())),
        "own_load_failures": counters.own_load_failures,
        "external_links": {"first_sightings": counters.external_links, "hosts": _most(counters.external_hosts)},
        "sitemaps_read": {"documents": counters.sitemap_documents, "entries": counters.declared},
        "seconds": round(report.duration_s, 3),
        "pages_per_s": round(report.rate_per_s, 2),
        "p95_ms": report.p95_ms,
        "files": [
            {"name": file.name, "urls": file.url_count, "bytes": file.size_bytes, "gzip_bytes": file.gzip_bytes}
            for file in written.files
        ],
        "left_out_when_writing": [asdict(problem) for problem in written.problems],
        "policy": job.policy,
    }


def _most(hosts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(hosts.items(), key=lambda item: (-item[1], item[0]))[:50])
