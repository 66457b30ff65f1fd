"""Reading a finished job from end to end, in flat memory: the ledger in order, the listed pages by address."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.db.models import F
from django.db.models.functions import Collate

from crawls.engine.records import Facts, Source, Verdict
from crawls.engine.records import Reason as EngineReason
from crawls.engine.records import State as EngineState
from crawls.models import CrawlJob, Outcome

_CHUNK_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One line of the ledger, as it is shown and exported."""

    url: str
    verdict: str
    reason: str
    evidence: str
    status: int
    final_url: str
    canonical: str
    depth: int
    sources: str
    rendered: bool
    lastmod: str
    lastmod_source: str
    title: str


_LEDGER = (
    "discovered_url__url", "verdict", "reason", "evidence", "status", "final_url", "canonical", "depth", "sources",
    "rendered", "lastmod", "lastmod_source", "title",
)  # fmt: skip


def ledger(job: CrawlJob) -> Iterator[LedgerRow]:
    """Every URL of a job in the order it was found."""
    rows = Outcome.objects.filter(job=job).order_by("order").values_list(*_LEDGER)
    for row in rows.iterator(_CHUNK_ROWS):
        values = dict(zip(_LEDGER, row, strict=True))
        values["url"] = values.pop("discovered_url__url")
        values["sources"] = spell_sources(values["sources"])
        yield LedgerRow(**values)


def spell_sources(bits: int) -> str:
    """A source set in words: `link sitemap`."""
    return " ".join(source.name.lower() for source in Source if bits & source and source.name)


def listed(job: CrawlJob) -> Iterator[tuple[Facts, tuple[str, ...]]]:
    """Every page of the sitemap with its images, by address (byte order on every database)."""
    by_address = F("discovered_url__url")
    order = Collate(by_address, "C") if connection.vendor == "postgresql" else by_address
    outcomes = Outcome.objects.filter(job=job, verdict=Verdict.IN).select_related("discovered_url").order_by(order)
    for outcome in outcomes.iterator(_CHUNK_ROWS):
        yield _facts(outcome), tuple(outcome.images)


def _facts(outcome: Outcome) -> Facts:
    return Facts(
        order=outcome.order,
        key=outcome.discovered_url.key,
        url=outcome.discovered_url.url,
        depth=outcome.depth,
        sources=Source(outcome.sources),
        state=EngineState(outcome.state),
        verdict=Verdict(outcome.verdict),
        reason=EngineReason(outcome.reason),
        status=outcome.status,
        final_url=outcome.final_url,
        canonical=outcome.canonical,
        fingerprint=outcome.fingerprint,
        lastmod=outcome.lastmod,
        lastmod_source=outcome.lastmod_source,
        declared_lastmod=outcome.declared_lastmod,
        alternates=tuple((language, address) for language, address in outcome.alternates),
    )
