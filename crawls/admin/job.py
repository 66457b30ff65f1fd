"""Jobs in the admin: what ran, how it ended, in what numbers."""

from django.contrib import admin

from crawls.admin.lists import ReadOnlyAdmin
from crawls.models import CrawlJob


@admin.register(CrawlJob)
class CrawlJobAdmin(ReadOnlyAdmin):
    """The history of all crawls."""

    list_display = ("id", "site", "state", "end_words", "started_at", "finished_at", "worker", "attempt")
    list_select_related = ("site",)
    list_filter = ("state", "created_at")
    search_fields = ("start_url", "public_id", "worker")
