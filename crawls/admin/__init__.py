"""The admin's view of sites, jobs, URLs and outcomes."""

from crawls.admin import job, site, url

__all__ = ["job", "site", "url"]
