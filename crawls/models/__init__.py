"""What is kept: sites, the jobs that crawled them, their URLs for ever, and what each job learned of each URL."""

from crawls.models.job import CrawlJob
from crawls.models.site import Site
from crawls.models.url import DiscoveredUrl, Outcome

__all__ = ["CrawlJob", "DiscoveredUrl", "Outcome", "Site"]
