"""Settings that cannot work, said at start-up: each with an id, the value, and what to do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from crawls.conf import policy_for
from crawls.engine import urls

TAG = "crawls"


@register(TAG)
def check_data_dir(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """DATA_DIR must be a directory that can be written, or be made one."""
    path = Path(settings.DATA_DIR)
    place = next(parent for parent in (path, *path.parents) if parent.exists())
    if place.is_dir() and os.access(place, os.W_OK):
        return []
    return [Error(f"DATA_DIR {path} cannot be written", hint="set DATA_DIR to a writable directory", id="crawls.E001")]


@register(TAG)
def check_policy(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """The CRAWL_* settings must make a policy that can be obeyed."""
    try:
        found = policy_for({}).problems()
    except ValueError as error:
        found = [str(error)]
    hint = "see docs/settings.md, section Crawling"
    return [Error(f"the CRAWL_ settings: {problem}", hint=hint, id="crawls.E002") for problem in found]


@register(TAG)
def check_proxy(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """CRAWL_PROXY_URL must be an http address with a host, or empty."""
    proxy = settings.CRAWL["proxy_url"]
    if not proxy or (proxy.startswith("http://") and urls.parse(proxy)):
        return []
    hint = "write it as http://host:port"
    return [Error(f"CRAWL_PROXY_URL {proxy!r} is no address of a proxy", hint=hint, id="crawls.E003")]


@register(TAG)
def check_redis(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """REDIS_URL must be one that the client understands, or empty."""
    url = settings.REDIS_URL
    if not url or url.startswith(("redis://", "rediss://", "unix://")):
        return []
    return [
        Error(f"REDIS_URL {url!r} is no address of Redis", hint="write it as redis://host:port/0", id="crawls.E004")
    ]
