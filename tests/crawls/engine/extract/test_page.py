from __future__ import annotations

from crawls.engine.extract.document import Extraction, Extractor
from crawls.engine.policy import Fetching, Policy
from crawls.engine.records import Hop, Page, Response


def test_what_the_fetch_learned_goes_through() -> None:
    hops = (Hop("http://site.test/old", 301),)
    response = Response(
        "http://site.test/old", "http://site.test/new/", 203, (("content-type", "text/html"),),
        b"<p><a href=x>x</a>", hops,
        truncated=True, elapsed_s=1.5, ttfb_s=0.5, wire_bytes=77, requests=2, rendered=True,
    )  # fmt: skip
    page = Extractor(Extraction()).read(response)
    assert isinstance(page, Page)
    assert (page.requested, page.url, page.status, page.hops) == (
        "http://site.test/old",
        "http://site.test/new/",
        203,
        hops,
    )
    assert (page.truncated, page.rendered, page.elapsed_s, page.ttfb_s) == (True, True, 1.5, 0.5)
    assert (page.body_bytes, page.wire_bytes, page.requests) == (18, 77, 2)
    # Links are relative to the address that answered, not to the one asked for (HTML 2.4.1).
    assert page.links.addresses == "http://site.test/new/x"


def test_options_come_from_the_policy() -> None:
    policy = Policy(
        fetching=Fetching(user_agent="MyBot/2.0 (+http://my.test)"),
        max_links_per_page=5,
        follow_nofollow=True,
        googlebot_noindex_counts=False,
    )
    assert Extraction.of(policy) == Extraction("mybot", googlebot_counts=False, max_links=5, follow_nofollow=True)
