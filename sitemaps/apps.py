"""The application of sitemap files."""

from django.apps import AppConfig


class SitemapsConfig(AppConfig):
    """Written and published sitemap sets."""

    name = "sitemaps"
    verbose_name = "Sitemaps"
    default_auto_field = "django.db.models.BigAutoField"
