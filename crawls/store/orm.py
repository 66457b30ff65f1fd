"""A job's memory in the database: frontier and recorder on the tables of `crawls/models/url.py`, in batches.

Written as SQL for many rows at a time: the ORM's own bulk calls cost two to four times as much for each row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from crawls.engine.records import Batch, Counters, Facts, Found, Outcome, Ruling, Source, State, Verdict
from crawls.engine.records import Reason as EngineReason
from crawls.models import CrawlJob
from crawls.store import statements as sql

_PAGE_ROWS = 2_000
_KEYS_AT_ONCE = 500
_URL_CHARS = 4_096


class OrmStore:
    """Port `Store` for one job. Durable: a batch is one transaction."""

    def __init__(self, job: CrawlJob) -> None:
        self._job_id = job.pk
        self._site_id = job.site_id
        self._findings: list[dict[str, Any]] = list(job.findings)

    def write(self, batch: Batch) -> None:
        """See the port."""
        self._findings += [asdict(finding) for finding in batch.findings]
        with transaction.atomic(), connection.cursor() as cursor:
            if batch.found:
                self._add(cursor, batch.found)
            if batch.marks:
                cursor.executemany(sql.MARK, [self._mark_row(mark) for mark in batch.marks])
            if batch.outcomes:
                cursor.executemany(sql.JUDGE, [(*_columns(one), self._job_id, one.order) for one in batch.outcomes])
            self._save_checkpoint(batch)

    def _add(self, cursor: Any, found: Sequence[Found]) -> None:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        site, job = self._site_id, self._job_id
        cursor.executemany(sql.ADD_URL, [(site, one.key, one.url, job, job, now, now) for one in found])
        cursor.executemany(
            sql.ADD_WAITING,
            [
                (
                    job,
                    one.order,
                    one.lane,
                    one.depth,
                    int(one.sources),
                    one.found_on,
                    one.declared_lastmod,
                    site,
                    one.key,
                )
                for one in found
            ],
        )

    def _mark_row(self, mark: Any) -> tuple[Any, ...]:
        depth, ours = mark.depth, (self._job_id, self._site_id, mark.key)
        return (int(mark.sources), depth, depth, mark.declared_lastmod, *ours)

    def _save_checkpoint(self, batch: Batch) -> None:
        changes: dict[str, Any] = {"checkpoint": asdict(batch.counters)}
        if batch.findings:
            changes["findings"] = self._findings
        CrawlJob.objects.filter(pk=self._job_id).update(**changes)

    def window(self, lane: int, after_order: int, limit: int) -> list[Found]:
        """See the port."""
        return [_found(row) for row in self._rows(sql.WINDOW, self._job_id, lane, after_order, limit)]

    def seen(self) -> Iterator[tuple[Found, State]]:
        """See the port."""
        last = -1
        while rows := self._rows(sql.SEEN, self._job_id, last, _PAGE_ROWS):
            for row in rows:
                yield _found(row), State(row[8])
            last = rows[-1][0]

    def checkpoint(self) -> Counters | None:
        """See the port."""
        kept = CrawlJob.objects.values_list("checkpoint", flat=True).get(pk=self._job_id)
        return Counters(**kept) if kept else None

    def done(self) -> int:
        """See the port."""
        return int(self._rows(sql.DONE, self._job_id)[0][0])

    def counts(self) -> dict[str, int]:
        """See the port."""
        return dict(self._rows(sql.COUNTS, self._job_id))

    def facts(self, keys: Iterable[int]) -> dict[int, Facts]:
        """See the port."""
        found: dict[int, Facts] = {}
        waiting = iter(keys)
        while chunk := list(islice(waiting, _KEYS_AT_ONCE)):
            places = ", ".join(["%s"] * len(chunk))
            statement = sql.FACTS.format(f"u.site_id = %s AND u.key IN ({places})")
            for row in self._rows(statement, self._job_id, self._site_id, *chunk):
                found[row[1]] = facts_of(row)
        return found

    def canonicalized(self) -> Iterator[Facts]:
        """See the port."""
        last = -1
        statement = sql.FACTS.format('o.reason = \'canonicalized\' AND o."order" > %s ORDER BY o."order" LIMIT %s')
        while rows := self._rows(statement, self._job_id, last, _PAGE_ROWS):
            for row in rows:
                yield facts_of(row)
            last = rows[-1][0]

    def rule(self, rulings: Sequence[Ruling]) -> None:
        """See the port."""
        rows = [(one.verdict, one.reason, one.evidence, self._job_id, self._site_id, one.key) for one in rulings]
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(sql.RULE, rows)

    def settle(self, reason_of_pending: str, evidence: str, lane: int | None = None) -> int:
        """See the port."""
        with transaction.atomic(), connection.cursor() as cursor:
            if lane is None:
                cursor.execute(sql.SETTLE, (reason_of_pending, evidence, self._job_id))
            else:
                cursor.execute(f"{sql.SETTLE} AND lane = %s", (reason_of_pending, evidence, self._job_id, lane))
            return int(cursor.rowcount)

    def merge_flags(self) -> dict[str, int]:
        """See the port."""
        with transaction.atomic(), connection.cursor() as cursor:
            # A job that was stopped has flags already, set when less was known.
            cursor.execute(sql.CLEAR_FLAGS, (self._job_id,))
            cursor.execute(sql.SET_STALE, (self._job_id,))
            cursor.execute(sql.FLAG_TOTALS, (self._job_id,))
            if cursor.fetchone()[2]:
                cursor.execute(sql.SET_GAP, (self._job_id,))
            cursor.execute(sql.FLAG_TOTALS, (self._job_id,))
            return dict(zip(("gap", "stale", "declared", "reached"), map(int, cursor.fetchone()), strict=True))

    @staticmethod
    def _rows(statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(statement, parameters)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows


# Neither PostgreSQL (NUL) nor UTF-8 (lone surrogates) can keep these; pages and headers may hold them.
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")


def _columns(one: Outcome) -> tuple[Any, ...]:
    """The values of `statements._OUTCOME`, in its order, with what no database keeps as U+FFFD."""
    return tuple(_UNKEEPABLE.sub("\ufffd", value) if isinstance(value, str) else value for value in _values(one))


def _values(one: Outcome) -> tuple[Any, ...]:
    return (
        one.verdict.value,
        one.reason.value,
        one.evidence[:500],
        one.status,
        one.failure,
        one.final_url[:_URL_CHARS],
        json.dumps([[hop.url, hop.status] for hop in one.hops]) if one.hops else "[]",
        one.canonical[:_URL_CHARS],
        one.title[:300],
        one.content_type[:100],
        one.fingerprint,
        one.lastmod,
        one.lastmod_source,
        json.dumps(one.images) if one.images else "[]",
        json.dumps(one.alternates) if one.alternates else "[]",
        json.dumps(one.warnings) if one.warnings else "[]",
        one.rendered,
        one.attempts,
        one.elapsed_ms,
        one.ttfb_ms,
        one.body_bytes,
    )


def _found(row: tuple[Any, ...]) -> Found:
    order, key, url, depth, sources, lane, found_on, lastmod = row[:8]
    return Found(order, key, url, depth, Source(sources), lane, found_on, lastmod)


def facts_of(row: tuple[Any, ...]) -> Facts:
    """The facts in a row of `statements.FACTS`."""
    alternates = json.loads(row[15]) if isinstance(row[15], str) else row[15]
    return Facts(
        order=row[0],
        key=row[1],
        url=row[2],
        depth=row[3],
        sources=Source(row[4]),
        state=State(row[5]),
        verdict=Verdict(row[6]) if row[6] else None,
        reason=EngineReason(row[7]) if row[7] else None,
        status=row[8],
        final_url=row[9],
        canonical=row[10],
        fingerprint=row[11],
        lastmod=row[12],
        lastmod_source=row[13],
        declared_lastmod=row[14],
        alternates=tuple((language, address) for language, address in alternates),
    )
