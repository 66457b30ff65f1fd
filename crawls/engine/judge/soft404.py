"""Pages that say "not found" with status 200: known by the answer to an address that cannot exist."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crawls.engine import urls
from crawls.engine.records import Page

_SAYS_SO = re.compile(
    r"404|not[-_ ]?found|nicht[-_ ]gefunden|introuvable|no[-_ ]encontrad|error|missing", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Probe:
    """What the site answers to an address that cannot exist.

    `requested` is that address, and `url` where the answer came from: another one when the site sends unknown
    addresses on to a page of their own.
    """

    url: str
    status: int
    fingerprint: str
    title: str = ""
    requested: str = ""
    rendered: bool = False

    @classmethod
    def of(cls, page: Page) -> Probe | None:
        """The probe's page, where it can serve as one: HTML with text (an app shell has none).

        A probe that was redirected serves only where the target says what it is: else it may be the home page.
        """
        if not page.is_html or not page.fingerprint:
            return None
        says_so = _SAYS_SO.search(urls.target(page.url)) or _SAYS_SO.search(page.title)
        if (page.hops or urls.key_of(page.requested) != urls.key_of(page.url)) and not says_so:
            return None
        return cls(page.url, page.status, page.fingerprint, page.title, page.requested, page.rendered)

    def matches(self, page: Page) -> bool:
        """Whether a page is the same "not found" page: its own address, or same status, title and text.

        The text is compared without path and changing words; so the title must agree to the letter, or pages that
        differ in a number only would be one. A page from the browser is never compared with one from plain HTML.
        A site whose start page matches is an app shell that answers everything alike: its probe is worth nothing.
        """
        if page.status != self.status or page.rendered != self.rendered:
            return False
        if self.requested and urls.key_of(self.requested) != urls.key_of(self.url):
            return urls.key_of(page.url) == urls.key_of(self.url)
        return (page.fingerprint, page.title) == (self.fingerprint, self.title)
