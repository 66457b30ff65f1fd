"""URLs: one row for each URL of a site, for ever, and one for what each job learned of it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from crawls.models.job import CrawlJob
from crawls.models.owned import OwnedQuerySet
from crawls.models.site import Site


class DiscoveredUrl(models.Model):
    """One URL of one site. `key` is `engine.urls.key_of`; jobs are numbers, since jobs go and URLs stay.

    `content_changed_at` and `missing_since` carry what is known across runs: the earned date of the last change, and
    since when complete runs have not met the URL.
    """

    owner_path = "site__owner"

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="urls")
    key = models.BigIntegerField()
    url = models.CharField(max_length=4096)
    first_job_id = models.BigIntegerField()
    last_job_id = models.BigIntegerField()
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    content_changed_at = models.DateTimeField(null=True, blank=True)
    missing_since = models.DateTimeField(null=True, blank=True)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        """Known once for each site."""

        constraints = (models.UniqueConstraint(fields=("site", "key"), name="url_once_a_site"),)

    def __str__(self) -> str:
        return self.url


class Outcome(models.Model):
    """What one job learned of one URL. Columns are those of `engine.records.Found` and `Outcome`.

    `order` numbers the URLs of the job as found; `lane` is the queue it waits in while pending; `sources` is a bit set
    (`engine.records.Source`); `found_on` is the order of the page it was first seen on.
    """

    owner_path = "job__site__owner"

    class State(models.TextChoices):
        """Waiting, or judged."""

        PENDING = "pending"
        DONE = "done"

    job = models.ForeignKey(CrawlJob, on_delete=models.CASCADE, related_name="outcomes", db_index=False)
    discovered_url = models.ForeignKey(DiscoveredUrl, on_delete=models.CASCADE, related_name="outcomes")
    order = models.PositiveIntegerField()
    lane = models.PositiveSmallIntegerField(default=0)
    depth = models.PositiveSmallIntegerField(default=0)
    sources = models.PositiveSmallIntegerField(default=0)
    found_on = models.IntegerField(default=-1)
    state = models.CharField(max_length=7, choices=State, default=State.PENDING)
    verdict = models.CharField(max_length=3, default="")
    reason = models.CharField(max_length=24, default="")
    evidence = models.CharField(max_length=500, default="")
    status = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=24, default="")
    final_url = models.CharField(max_length=4096, default="")
    hops = models.JSONField(default=list)
    canonical = models.CharField(max_length=4096, default="")
    title = models.CharField(max_length=300, default="")
    content_type = models.CharField(max_length=100, default="")
    fingerprint = models.CharField(max_length=16, default="")
    lastmod = models.CharField(max_length=32, default="")
    lastmod_source = models.CharField(max_length=10, default="")
    declared_lastmod = models.CharField(max_length=32, default="")
    images = models.JSONField(default=list)
    alternates = models.JSONField(default=list)
    warnings = models.JSONField(default=list)
    rendered = models.BooleanField(default=False)
    rendering = models.JSONField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    elapsed_ms = models.PositiveIntegerField(default=0)
    ttfb_ms = models.PositiveIntegerField(default=0)
    body_bytes = models.PositiveIntegerField(default=0)
    gap = models.BooleanField(default=False)
    stale = models.BooleanField(default=False)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        """Four ways in: by order (the ledger), by URL in a job (diff), by URL (history), waiting by lane (frontier)."""

        constraints = (
            models.UniqueConstraint(fields=("job", "order"), name="outcome_order"),
            models.UniqueConstraint(fields=("job", "discovered_url"), name="outcome_once_a_job"),
        )
        indexes = (
            models.Index(fields=("job", "lane", "order"), condition=Q(state="pending"), name="outcome_frontier"),
        )

    def __str__(self) -> str:
        return f"{self.reason or self.state} (job {self.job_id})"
