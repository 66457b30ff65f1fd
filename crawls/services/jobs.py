"""The life of a job. Nobody else writes `CrawlJob.state`."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from crawls.conf import to_json
from crawls.engine.policy import Policy
from crawls.engine.records import EndState, Reason, Report
from crawls.models import CrawlJob, Outcome, Site

LEASE_S = 60
_STATE_OF_END = {
    EndState.COMPLETE: CrawlJob.State.COMPLETE,
    EndState.PARTIAL: CrawlJob.State.PARTIAL,
    EndState.BLOCKED: CrawlJob.State.BLOCKED,
    EndState.FAILED: CrawlJob.State.FAILED,
    EndState.STOPPED: CrawlJob.State.STOPPED,
}


class JobError(Exception):
    """The job cannot be started; the message says why and what to do."""


def worker_name() -> str:
    """Who we are: host and process."""
    return f"{socket.gethostname()}:{os.getpid()}"


@transaction.atomic
def begin(*, start_url: str, policy: Policy, output_dir: str) -> CrawlJob:
    """A new running job of the command line's own site for this address.

    A job that was left behind by a killed process is closed; one that is being run by another raises JobError.
    """
    site, _ = Site.objects.get_or_create(owner=None, start_url=start_url)
    for live in site.jobs.select_for_update().filter(state__in=CrawlJob.LIVE):
        if _is_run_by_another(live):
            raise JobError(f"{start_url} is being crawled already, by {live.worker}; wait for it, or stop it")
        live.state = CrawlJob.State.FAILED
        live.end_code = "abandoned"
        live.end_words = "the process that ran this crawl was killed; it can no longer be resumed"
        live.finished_at = timezone.now()
        live.save(update_fields=("state", "end_code", "end_words", "finished_at"))
    job: CrawlJob = CrawlJob.objects.create(
        site=site,
        state=CrawlJob.State.RUNNING,
        start_url=start_url,
        policy=to_json(policy),
        output_dir=output_dir,
        worker=worker_name(),
        lease_until=timezone.now() + timedelta(seconds=LEASE_S),
        attempt=1,
        started_at=timezone.now(),
    )
    return job


@transaction.atomic
def resume(*, start_url: str) -> CrawlJob:
    """The newest job of the command line for this address that was killed or stopped, running again.

    Raises JobError when there is none, or when it is still being run.
    """
    unfinished = CrawlJob.objects.select_for_update().filter(site__owner=None, start_url=start_url)
    job: CrawlJob | None = unfinished.order_by("-id").first()
    if job is None or job.state not in (*CrawlJob.LIVE, CrawlJob.State.STOPPED):
        raise JobError(f"there is no unfinished crawl of {start_url} to resume; leave --resume away to start one")
    if _is_run_by_another(job):
        raise JobError(f"{start_url} is being crawled right now, by {job.worker}")
    Outcome.objects.filter(job=job, reason=Reason.STOPPED).update(
        state=Outcome.State.PENDING, verdict="", reason="", evidence=""
    )
    job.state = CrawlJob.State.RUNNING
    job.worker = worker_name()
    job.lease_until = timezone.now() + timedelta(seconds=LEASE_S)
    job.attempt += 1
    job.finished_at = None
    job.save(update_fields=("state", "worker", "lease_until", "attempt", "finished_at"))
    return job


def heartbeat(*, job: CrawlJob, snapshot: dict[str, object]) -> None:
    """Extend the lease and show the newest numbers."""
    until = timezone.now() + timedelta(seconds=LEASE_S)
    CrawlJob.objects.filter(pk=job.pk).update(lease_until=until, snapshot=snapshot)


def finish(*, job: CrawlJob, report: Report) -> None:
    """Record how a job ended."""
    job.state = _STATE_OF_END[report.state]
    job.end_code = report.code
    job.end_words = report.why
    job.reasons = report.reasons
    job.flags = report.flags
    job.finished_at = timezone.now()
    job.lease_until = None
    job.save(update_fields=("state", "end_code", "end_words", "reasons", "flags", "finished_at", "lease_until"))


def _is_run_by_another(job: CrawlJob) -> bool:
    host, _, pid = job.worker.rpartition(":")
    if host == socket.gethostname() and pid.isdigit():
        return int(pid) != os.getpid() and _is_alive(int(pid))
    return job.lease_until is not None and job.lease_until > timezone.now()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
