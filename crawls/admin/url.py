"""URLs and outcomes in the admin; both tables may hold millions of rows."""

from django.contrib import admin

from crawls.admin.lists import ReadOnlyAdmin
from crawls.models import DiscoveredUrl, Outcome
from crawls.store.inventory import spell_sources


@admin.register(DiscoveredUrl)
class DiscoveredUrlAdmin(ReadOnlyAdmin):
    """Every URL of every site."""

    list_display = ("url", "site", "first_seen_at", "last_seen_at")
    list_select_related = ("site",)
    list_filter = ("site",)
    search_fields = ("url",)


@admin.register(Outcome)
class OutcomeAdmin(ReadOnlyAdmin):
    """What each job learned of each URL."""

    list_display = ("discovered_url", "job", "verdict", "reason", "status", "depth", "known_by", "title")
    list_select_related = ("discovered_url", "job")
    list_filter = ("verdict", "reason", "state", "gap", "stale")
    search_fields = ("discovered_url__url", "title")

    @admin.display(description="sources")
    def known_by(self, outcome: Outcome) -> str:
        """The sources in words."""
        return spell_sources(outcome.sources)
