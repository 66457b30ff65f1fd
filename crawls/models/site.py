"""A website of a user: where it starts, and what its owner wants of every crawl."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from crawls.models.owned import OwnedQuerySet


class Site(models.Model):
    """One website. `policy` holds what differs from the settings (`crawls/conf.py`); no owner: the command line's."""

    owner_path = "owner"

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="sites"
    )
    name = models.CharField(max_length=200, blank=True)
    start_url = models.CharField(max_length=2048)
    policy = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        """One row for each owner and start address."""

        ordering = ("name", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "start_url"), name="site_once_for_each_owner", nulls_distinct=False
            ),
        )

    def __str__(self) -> str:
        return self.name or self.start_url
