"""One run of one site."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from crawls.models.owned import OwnedQuerySet
from crawls.models.site import Site


class CrawlJob(models.Model):
    """One crawl: who runs it until when (lease), how far it is (counters), and how it ended.

    `policy` is what was in force, whole; `checkpoint` what the last batch wrote; `snapshot` what watchers see.
    """

    owner_path = "site__owner"

    class State(models.TextChoices):
        """Where a job stands. The first four are alive."""

        QUEUED = "queued"
        DISPATCHED = "dispatched"
        RUNNING = "running"
        PAUSED = "paused"
        COMPLETE = "complete"
        PARTIAL = "partial"
        BLOCKED = "blocked"
        FAILED = "failed"
        STOPPED = "stopped"

    LIVE = (State.QUEUED, State.DISPATCHED, State.RUNNING, State.PAUSED)

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="jobs")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    end_code = models.CharField(max_length=40, blank=True)
    end_words = models.TextField(blank=True)
    start_url = models.CharField(max_length=2048)
    policy = models.JSONField(default=dict)
    checkpoint = models.JSONField(null=True, blank=True)
    findings = models.JSONField(default=list, blank=True)
    snapshot = models.JSONField(default=dict, blank=True)
    reasons = models.JSONField(default=dict, blank=True)
    flags = models.JSONField(default=dict, blank=True)
    output_dir = models.CharField(max_length=1024, blank=True)
    worker = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        """A site has one live job at most."""

        ordering = ("-id",)
        indexes = (
            models.Index(fields=("state", "lease_until"), name="job_by_lease"),
            models.Index(fields=("site", "-id"), name="job_history_of_site"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("site",),
                condition=Q(state__in=("queued", "dispatched", "running", "paused")),
                name="one_live_job_a_site",
            ),
        )

    def __str__(self) -> str:
        return f"job {self.pk} of {self.start_url}"
