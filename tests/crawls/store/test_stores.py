"""One suite for every store: memory and database keep the same promises."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from crawls.engine import urls
from crawls.engine.memory import MemoryStore
from crawls.engine.records import (
    Batch,
    Counters,
    Finding,
    Found,
    Hop,
    Mark,
    Outcome,
    Reason,
    Ruling,
    Source,
    State,
    Verdict,
)
from crawls.models import CrawlJob, DiscoveredUrl, Site
from crawls.store import inventory
from crawls.store import statements as sql
from crawls.store.orm import OrmStore

pytestmark = pytest.mark.django_db


def new_job() -> CrawlJob:
    site, _ = Site.objects.get_or_create(owner=None, start_url="http://s.test/")
    site.jobs.update(state=CrawlJob.State.COMPLETE)
    job: CrawlJob = CrawlJob.objects.create(site=site, start_url="http://s.test/", state=CrawlJob.State.RUNNING)
    return job


@pytest.fixture(params=["memory", "database"])
def store(request: pytest.FixtureRequest) -> Any:
    return MemoryStore() if request.param == "memory" else OrmStore(new_job())


def found(order: int, path: str = "", **changes: Any) -> Found:
    url = f"http://s.test/{path or order}"
    return Found(order, urls.key_of(url), url, changes.pop("depth", 1), changes.pop("sources", Source.LINK), **changes)


def outcome(of: Found, reason: Reason = Reason.INDEXABLE, **changes: Any) -> Outcome:
    verdict = Verdict.IN if reason is Reason.INDEXABLE else Verdict.OUT
    return Outcome(of.order, of.key, of.url, verdict, reason, status=changes.pop("status", 200), **changes)


def write(store: Any, *pieces: Any, counters: Counters | None = None) -> None:
    def of(kind: type) -> tuple[Any, ...]:
        return tuple(piece for piece in pieces if isinstance(piece, kind))

    store.write(Batch(of(Found), of(Mark), of(Outcome), counters or Counters(), of(Finding)))


def test_what_was_found_waits_in_its_lane_in_order(store: Any) -> None:
    write(store, *[found(order, lane=order % 2) for order in range(10)])
    assert [one.order for one in store.window(0, -1, 100)] == [0, 2, 4, 6, 8]
    assert [one.order for one in store.window(1, 3, 2)] == [5, 7]
    assert store.window(0, 8, 10) == []


def test_a_url_found_twice_is_kept_once(store: Any) -> None:
    write(store, found(0, "x"))
    write(store, Found(5, found(0, "x").key, "http://s.test/x", 1, Source.LINK))
    assert [(one.order, state) for one, state in store.seen()] == [(0, State.PENDING)]


def test_a_judged_url_no_longer_waits_and_is_seen_as_done(store: Any) -> None:
    first, second = found(0), found(1)
    write(store, first, second, outcome(first))
    assert store.window(0, -1, 10) == [second]
    assert [(one, state) for one, state in store.seen()] == [(first, State.DONE), (second, State.PENDING)]
    assert store.done() == 1
    assert store.counts() == {"indexable": 1}


def test_marks_add_sources_and_lower_the_depth(store: Any) -> None:
    one = found(0, depth=5)
    write(store, one)
    write(store, Mark(one.key, Source.SITEMAP, 7, "2024-01-02"), Mark(one.key, Source.CANONICAL, 2, "2030-01-01"))
    kept = store.window(0, -1, 1)[0]
    assert kept.sources == Source.LINK | Source.SITEMAP | Source.CANONICAL
    assert (kept.depth, kept.declared_lastmod) == (2, "2024-01-02")


def test_facts_tell_what_is_known(store: Any) -> None:
    one, other = found(0, declared_lastmod="2024-01-02"), found(1)
    alternates = (("de", "http://s.test/de"),)
    write(
        store,
        one,
        other,
        outcome(one, canonical="http://s.test/c", final_url=one.url, alternates=alternates, fingerprint="f" * 16),
    )
    facts = store.facts([one.key, other.key, 12345])
    assert set(facts) == {one.key, other.key}
    assert facts[one.key].canonical == "http://s.test/c"
    assert facts[one.key].alternates == alternates
    assert facts[one.key].declared_lastmod == "2024-01-02"
    assert facts[one.key].verdict is Verdict.IN
    assert facts[other.key].state is State.PENDING
    assert facts[other.key].verdict is None


def test_rulings_replace_a_verdict(store: Any) -> None:
    one, other = found(0), found(1)
    write(store, one, other, outcome(one, Reason.CANONICALIZED), outcome(other))
    assert [fact.key for fact in store.canonicalized()] == [one.key]
    store.rule([Ruling(one.key, Verdict.IN, Reason.INDEXABLE, "why")])
    assert list(store.canonicalized()) == []
    assert store.counts() == {"indexable": 2}


def test_settling_gives_every_waiting_url_a_reason(store: Any) -> None:
    rows = [found(0), found(1, lane=2), found(2)]
    write(store, *rows, outcome(rows[0]))
    assert store.settle("too_deep", "why", 2) == 1
    assert store.settle("limit_reached", "why") == 1
    assert store.counts() == {"indexable": 1, "too_deep": 1, "limit_reached": 1}
    assert store.done() == 1


def test_gap_and_stale_follow_from_sources_and_reasons(store: Any) -> None:
    both, gap = found(0, sources=Source.LINK | Source.SITEMAP), found(1)
    alone, gone = found(2, sources=Source.SITEMAP), found(3, sources=Source.SITEMAP | Source.LINK)
    write(
        store,
        both,
        gap,
        alone,
        gone,
        outcome(both),
        outcome(gap),
        outcome(alone),
        outcome(gone, Reason.HTTP_ERROR, status=404),
    )
    assert store.merge_flags() == {"gap": 1, "stale": 2, "declared": 3, "reached": 3}


def test_flags_of_a_stopped_run_do_not_outlive_what_the_resumed_one_finds(store: Any) -> None:
    declared, linked = found(0, sources=Source.SITEMAP), found(1)
    write(store, declared, linked, outcome(declared), outcome(linked))
    assert store.merge_flags() == {"gap": 1, "stale": 1, "declared": 1, "reached": 1}
    write(store, Mark(declared.key, Source.LINK, 1), Mark(linked.key, Source.SITEMAP, 1))
    assert store.merge_flags() == {"gap": 0, "stale": 0, "declared": 2, "reached": 2}


def test_what_no_database_keeps_fails_no_batch(store: Any) -> None:
    one = found(0)
    write(
        store, one, outcome(one, title="a\x00b\ud800c" * 200, evidence="\x00", canonical="http://s.test/" + "x" * 9_000)
    )
    assert store.counts() == {"indexable": 1}


def test_a_site_without_sitemaps_has_no_gap(store: Any) -> None:
    one = found(0)
    write(store, one, outcome(one))
    assert store.merge_flags() == {"gap": 0, "stale": 0, "declared": 0, "reached": 1}


def test_the_checkpoint_is_that_of_the_last_batch(store: Any) -> None:
    assert store.checkpoint() is None
    write(store, counters=Counters(phase="crawling", pages=7, failures={"not_found": 2}))
    assert store.checkpoint() == Counters(phase="crawling", pages=7, failures={"not_found": 2})


def test_a_batch_that_fails_leaves_nothing_behind() -> None:
    job = new_job()
    store = OrmStore(job)
    one = found(0)
    broken: Any = outcome(one, hops=(Hop("x", 1),))
    object.__setattr__(broken, "status", object())
    with pytest.raises(Exception, match="object"):
        write(store, one, broken)
    assert list(store.seen()) == []
    assert not DiscoveredUrl.objects.exists()


def test_a_url_is_one_row_over_all_jobs_of_its_site() -> None:
    first, second = new_job(), new_job()
    write(OrmStore(first), found(0))
    write(OrmStore(second), found(0), found(1))
    kept = {row.url: (row.first_job_id, row.last_job_id) for row in DiscoveredUrl.objects.all()}
    assert kept == {"http://s.test/0": (first.pk, second.pk), "http://s.test/1": (second.pk, second.pk)}


def test_the_ledger_comes_in_order_and_the_listed_by_address() -> None:
    job = new_job()
    rows = [found(0, "b", sources=Source.SEED | Source.LINK), found(1, "a"), found(2, "c")]
    write(
        OrmStore(job),
        *rows,
        outcome(rows[0], images=("http://s.test/i",)),
        outcome(rows[1]),
        outcome(rows[2], Reason.NOINDEX),
    )
    assert [(row.url[-1], row.sources) for row in inventory.ledger(job)] == [
        ("b", "seed link"),
        ("a", "link"),
        ("c", "link"),
    ]
    assert [(facts.url[-1], images) for facts, images in inventory.listed(job)] == [
        ("a", ()),
        ("b", ("http://s.test/i",)),
    ]


def _plan(statement: str, parameters: tuple[Any, ...]) -> str:
    explain = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Small tables are quicker read whole; what is asked here is whether the index serves.
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off")
        cursor.execute(explain + statement, parameters)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def test_every_way_into_the_outcomes_has_its_index() -> None:
    rows = [found(order) for order in range(2_000)]
    for _ in range(3):
        job = new_job()
        write(OrmStore(job), *rows, *[outcome(row) for row in rows[:1_500]])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    window = _plan(sql.WINDOW, (job.pk, 0, -1, 100))
    assert "outcome_frontier" in window
    # SQLite names the index of a constraint after its place.
    by_order = _plan(sql.SEEN, (job.pk, -1, 100))
    assert "outcome_order" in by_order or "(job_id=? AND order>?)" in by_order
    history = "SELECT * FROM crawls_outcome WHERE discovered_url_id = %s ORDER BY job_id"
    by_url = _plan(history, (1,))
    assert "crawls_outcome_discovered_url" in by_url
    diff = (
        "SELECT a.verdict, b.verdict FROM crawls_outcome a "
        "JOIN crawls_outcome b ON b.discovered_url_id = a.discovered_url_id AND b.job_id = %s WHERE a.job_id = %s"
    )
    joined = _plan(diff, (job.pk, job.pk))
    assert "outcome_once_a_job" in joined or "(job_id=? AND discovered_url_id=?)" in joined
