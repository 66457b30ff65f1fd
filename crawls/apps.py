"""The application of sites, jobs and URLs."""

from django.apps import AppConfig


class CrawlsConfig(AppConfig):
    """Registers the system checks of the settings."""

    name = "crawls"
    verbose_name = "Crawls"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Import the checks, which register themselves."""
        from crawls import checks  # noqa: F401, PLC0415 - Django's place for it: apps must be loaded first
