"""Pages that say "not found" with status 200: known by the answer to an address that cannot exist."""

from __future__ import annotations

from dataclasses import dataclass

from crawls.engine.records import Page


@dataclass(frozen=True, slots=True)
class Probe:
    """What the site answers to an address that cannot exist."""

    url: str
    status: int
    fingerprint: str
    title: str

    @classmethod
    def of(cls, page: Page) -> Probe | None:
        """The probe's page, where it can serve as one: no redirect, and with text (an app shell has none)."""
        if page.hops or not page.is_html or not page.fingerprint:
            return None
        return cls(page.url, page.status, page.fingerprint, page.title)

    def matches(self, page: Page) -> bool:
        """Whether a page is the same "not found" page: same status, title, and text (path and changing words aside).

        The title must agree to the letter: pages that differ in a number only are pages of their own.
        """
        return (page.status, page.title, page.fingerprint) == (self.status, self.title, self.fingerprint)
