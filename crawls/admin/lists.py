"""What the lists of large, crawl-written tables have in common."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.functional import cached_property

# Beyond this the number of pages is of no use to anybody; filters and search are.
MAX_COUNTED = 100_000


class BoundedPaginator(Paginator):
    """Counts no further than a bound, so that a list of millions opens at once."""

    @cached_property
    def count(self) -> int:
        """Rows, at most MAX_COUNTED."""
        rows: Any = self.object_list  # the admin passes querysets, which the base class does not know
        return int(rows.order_by()[:MAX_COUNTED].count())


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that only crawls write; nobody adds to them or edits history."""

    paginator = BoundedPaginator
    show_full_result_count = False
    ordering = ("-id",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody types such rows in."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody edits them."""
        return False
