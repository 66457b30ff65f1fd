"""Sites in the admin."""

from django.contrib import admin

from crawls.models import Site


@admin.register(Site)
class SiteAdmin(admin.ModelAdmin):
    """Whose sites there are."""

    list_display = ("__str__", "start_url", "owner", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "start_url", "owner__username")
    list_filter = ("created_at",)
    autocomplete_fields = ("owner",)
    readonly_fields = ("created_at",)
