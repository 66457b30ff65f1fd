"""Which redirects a worker may follow by itself: into origins whose robots.txt is known, and allows the target."""

from __future__ import annotations

from crawls.engine import urls
from crawls.engine.ports import RobotsRules


class Gate:
    """Asked before each redirect; a target it refuses goes back to the coordinator, which decides.

    `admit` and `__call__` may run in different threads: one dictionary, whole entries only.
    """

    def __init__(self, product_token: str) -> None:
        self._product_token = product_token
        self._robots: dict[str, RobotsRules] = {}

    def admit(self, origin: str, robots: RobotsRules) -> None:
        """Follow redirects into this origin from now on, as far as its robots.txt allows."""
        self._robots[origin] = robots

    def __call__(self, url: str) -> bool:
        """Whether a redirect to this address may be followed."""
        robots = self._robots.get(urls.origin(url))
        return robots is not None and robots.allows(self._product_token, urls.target(url))
