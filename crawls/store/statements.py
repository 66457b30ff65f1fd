"""The SQL of the store, for SQLite and PostgreSQL alike; placeholders as Django's cursors take them."""

from __future__ import annotations

from crawls.engine.records import Reason, Source

# Columns that a waiting URL does not fill yet, with what stands there until its outcome comes.
_EMPTY = {
    "verdict": "''", "reason": "''", "evidence": "''", "status": "0", "failure": "''", "final_url": "''",
    "hops": "'[]'", "canonical": "''", "title": "''", "content_type": "''", "fingerprint": "''", "lastmod": "''",
    "lastmod_source": "''", "images": "'[]'", "alternates": "'[]'", "warnings": "'[]'", "rendered": "FALSE",
    "attempts": "0", "elapsed_ms": "0", "ttfb_ms": "0", "body_bytes": "0", "gap": "FALSE", "stale": "FALSE",
}  # fmt: skip
_OUTCOME = (
    "verdict", "reason", "evidence", "status", "failure", "final_url", "hops", "canonical", "title", "content_type",
    "fingerprint", "lastmod", "lastmod_source", "images", "alternates", "warnings", "rendered", "attempts",
    "elapsed_ms", "ttfb_ms", "body_bytes",
)  # fmt: skip

ADD_URL = """
    INSERT INTO crawls_discoveredurl (site_id, key, url, first_job_id, last_job_id, first_seen_at, last_seen_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (site_id, key) DO UPDATE SET last_job_id = excluded.last_job_id, last_seen_at = excluded.last_seen_at
"""
ADD_WAITING = f"""
    INSERT INTO crawls_outcome (job_id, discovered_url_id, "order", lane, depth, sources, found_on, declared_lastmod,
                                state, {", ".join(_EMPTY)})
    SELECT %s, id, %s, %s, %s, %s, %s, %s, 'pending', {", ".join(_EMPTY.values())}
    FROM crawls_discoveredurl WHERE site_id = %s AND key = %s
    ON CONFLICT (job_id, discovered_url_id) DO NOTHING
"""  # noqa: S608 - constant column names
MARK = """
    UPDATE crawls_outcome
    SET sources = sources | %s,
        depth = CASE WHEN depth > %s THEN %s ELSE depth END,
        declared_lastmod = CASE WHEN declared_lastmod = '' THEN %s ELSE declared_lastmod END
    WHERE job_id = %s
      AND discovered_url_id = (SELECT id FROM crawls_discoveredurl WHERE site_id = %s AND key = %s)
"""
JUDGE = f"""
    UPDATE crawls_outcome SET state = 'done', {", ".join(f"{name} = %s" for name in _OUTCOME)}
    WHERE job_id = %s AND "order" = %s
"""  # noqa: S608 - constant column names
RULE = """
    UPDATE crawls_outcome SET verdict = %s, reason = %s, evidence = %s
    WHERE job_id = %s
      AND discovered_url_id = (SELECT id FROM crawls_discoveredurl WHERE site_id = %s AND key = %s)
"""
SETTLE = """
    UPDATE crawls_outcome SET state = 'done', verdict = 'out', reason = %s, evidence = %s
    WHERE job_id = %s AND state = 'pending'
"""
WINDOW = """
    SELECT o."order", u.key, u.url, o.depth, o.sources, o.lane, o.found_on, o.declared_lastmod
    FROM crawls_outcome o JOIN crawls_discoveredurl u ON u.id = o.discovered_url_id
    WHERE o.job_id = %s AND o.state = 'pending' AND o.lane = %s AND o."order" > %s
    ORDER BY o."order" LIMIT %s
"""
SEEN = """
    SELECT o."order", u.key, u.url, o.depth, o.sources, o.lane, o.found_on, o.declared_lastmod, o.state
    FROM crawls_outcome o JOIN crawls_discoveredurl u ON u.id = o.discovered_url_id
    WHERE o.job_id = %s AND o."order" > %s
    ORDER BY o."order" LIMIT %s
"""
FACTS = """
    SELECT o."order", u.key, u.url, o.depth, o.sources, o.state, o.verdict, o.reason, o.status, o.final_url,
           o.canonical, o.fingerprint, o.lastmod, o.lastmod_source, o.declared_lastmod, o.alternates
    FROM crawls_outcome o JOIN crawls_discoveredurl u ON u.id = o.discovered_url_id
    WHERE o.job_id = %s AND {}
"""
DONE = "SELECT count(*) FROM crawls_outcome WHERE job_id = %s AND state = 'done' AND (status > 0 OR failure <> '')"
COUNTS = "SELECT reason, count(*) FROM crawls_outcome WHERE job_id = %s AND state = 'done' GROUP BY reason"

_DECLARED = f"(sources & {int(Source.SITEMAP)}) <> 0"
_REACHED_BITS = Source.SEED | Source.LINK | Source.REDIRECT | Source.CANONICAL | Source.HREFLANG
_REACHED = f"(sources & {int(_REACHED_BITS)}) <> 0"
_GONE = ", ".join(
    f"'{reason}'" for reason in (Reason.HTTP_ERROR, Reason.FETCH_FAILED, Reason.REDIRECTED, Reason.REDIRECTED_OFF_SITE)
)
CLEAR_FLAGS = "UPDATE crawls_outcome SET gap = FALSE, stale = FALSE WHERE job_id = %s AND (gap OR stale)"
SET_STALE = f"""
    UPDATE crawls_outcome SET stale = TRUE WHERE job_id = %s AND {_DECLARED} AND (NOT {_REACHED} OR reason IN ({_GONE}))
"""  # noqa: S608 - constants
SET_GAP = f"""
    UPDATE crawls_outcome SET gap = TRUE WHERE job_id = %s AND verdict = 'in' AND {_REACHED} AND NOT {_DECLARED}
"""  # noqa: S608 - constants
FLAG_TOTALS = f"""
    SELECT coalesce(sum(CASE WHEN gap THEN 1 ELSE 0 END), 0), coalesce(sum(CASE WHEN stale THEN 1 ELSE 0 END), 0),
           coalesce(sum(CASE WHEN {_DECLARED} THEN 1 ELSE 0 END), 0),
           coalesce(sum(CASE WHEN {_REACHED} THEN 1 ELSE 0 END), 0)
    FROM crawls_outcome WHERE job_id = %s
"""  # noqa: S608 - constants
