"""Whole crawls of small real sites: what is listed, what is explained, how they end."""

from __future__ import annotations

import threading
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import pytest

from crawls.engine.crawler import Crawler, Ports
from crawls.engine.fetch.documents import HttpDocuments
from crawls.engine.fetch.processes import ProcessWorkers
from crawls.engine.memory import MemoryStore
from crawls.engine.policy import Policy, Retry, Rules
from crawls.engine.records import EndState, Source
from tests.crawls.engine.crawling import QUICK, Clock, Crawled, Watching, crawl, with_fetching
from tests.servers import origin
from tests.servers.origin import Answer, Origin, behaving, page, redirect

TEXT = {"Content-Type": "text/plain"}
XML = {"Content-Type": "application/xml"}


def urlset(*paths: str, host: str = "") -> Answer:
    entries = "".join(f"<url><loc>{host}{path}</loc><lastmod>2024-01-02</lastmod></url>" for path in paths)
    return Answer(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode(), 200, XML)


def crawl_site(
    routes: dict[str, Any], start: str = "/", policy: Policy = QUICK, **changes: Any
) -> tuple[Crawled, Origin]:
    with Origin(routes) as server:
        return crawl(server.url + start, policy, **changes), server


def paths(addresses: set[str], server: Origin) -> set[str]:
    return {address.removeprefix(server.url) for address in addresses}


def test_a_small_site_is_listed_and_every_url_is_explained() -> None:
    routes = {
        "/": page("/a", "/b/", "/gone", "/moved", "/secret", "/hidden", "http://elsewhere.test/"),
        "/a": page("/", "/c?x=1"),
        "/b/": page("deep"),
        "/b/deep": page(),
        "/c?x=1": page(),
        "/moved": redirect("/a", 301),
        "/hidden": page(head='<meta name="robots" content="noindex">'),
        "/robots.txt": Answer(b"User-agent: *\nDisallow: /secret\n", 200, TEXT),
    }
    crawled, server = crawl_site(routes)
    assert crawled.report.state is EndState.COMPLETE
    assert paths(crawled.listed, server) == {"/", "/a", "/b/", "/b/deep", "/c?x=1"}
    assert crawled.reason(f"{server.url}/gone") == "http_error"
    assert crawled.reason(f"{server.url}/moved") == "redirected"
    assert crawled.reason(f"{server.url}/hidden") == "noindex"
    assert crawled.outcomes[f"{server.url}/secret"].evidence == "robots.txt:2 Disallow: /secret"
    assert "/secret" not in server.asked()
    assert crawled.report.counters.external_links == 1
    assert [crawled.found[f"{server.url}{path}"].depth for path in ("/", "/a", "/b/deep")] == [0, 1, 2]


def test_pages_that_only_the_sitemap_names_are_read_and_gap_and_stale_are_told() -> None:
    with Origin({}) as server:
        server.routes |= {
            "/": page("/linked"),
            "/linked": page(),
            "/alone": page(),
            "/robots.txt": Answer(f"Sitemap: {server.url}/map.xml".encode(), 200, TEXT),
            "/map.xml": urlset("/", "/alone", "/missing", host=server.url),
        }
        crawled = crawl(f"{server.url}/")
    assert paths(crawled.listed, server) == {"/", "/linked", "/alone"}
    assert crawled.report.flags == {"gap": 1, "stale": 2, "declared": 3, "reached": 2}
    assert crawled.found[f"{server.url}/"].sources == Source.SEED | Source.SITEMAP
    assert crawled.found[f"{server.url}/alone"].declared_lastmod == "2024-01-02"


def test_the_same_site_gives_the_same_ledger_whatever_comes_back_first() -> None:
    links = [f"/{number}" for number in range(30)]
    routes: dict[str, Any] = {"/": page(*links)}
    for number in range(30):
        routes[f"/{number}"] = page(f"/{number}/x", f"/{(number * 7) % 30}/y")
        routes[f"/{number}/x"] = routes[f"/{number}/y"] = page()
    with Origin(routes) as server:
        runs = [
            crawl(f"{server.url}/", replace(QUICK, politeness=replace(QUICK.politeness, concurrency=width)))
            for width in (1, 2, 8)
        ]
    ledgers = [
        [(found.order, found.url, found.depth, outcome.reason) for found, outcome in run.store.outcomes()]
        for run in runs
    ]
    assert ledgers[0] == ledgers[1] == ledgers[2]
    assert len(ledgers[0]) == 91


def test_processes_find_what_threads_find() -> None:
    routes: dict[str, Any] = {"/": page(*[f"/{number}" for number in range(20)])}
    routes |= {f"/{number}": page(f"/{number}/x") for number in range(20)}
    with Origin(routes) as server:
        policy = with_fetching(QUICK, allowed_private=(server.host,))
        threads = crawl(f"{server.url}/", policy)
        store = MemoryStore()
        ports = Ports(ProcessWorkers(policy, 2), HttpDocuments(policy), store, Watching(), threading.Event(), Clock())
        report = Crawler((f"{server.url}/",), policy, ports).run()
    assert report.reasons == threads.report.reasons
    assert [outcome.url for _, outcome in store.outcomes()] == [outcome.url for _, outcome in threads.store.outcomes()]


def test_a_page_limit_ends_the_crawl_as_partial_and_says_what_was_left() -> None:
    crawled, _ = crawl_site({"/": page("/1", "/2", "/3", "/4")}, max_pages=2)
    assert crawled.report.state is EndState.PARTIAL
    assert crawled.report.counters.limits == {"max_pages": 1}
    assert crawled.report.reasons["limit_reached"] == 3


def test_a_depth_limit_ends_as_partial() -> None:
    crawled, server = crawl_site({"/": page("/1"), "/1": page("/2"), "/2": page("/3")}, max_depth=1)
    assert crawled.report.state is EndState.PARTIAL
    assert crawled.reason(f"{server.url}/2") == "too_deep"


def test_a_too_deep_page_is_read_after_all_when_a_shorter_way_is_found() -> None:
    routes = {"/": page("/slow", "/1"), "/1": page("/2"), "/2": page("/deep"), "/deep": page()}
    routes["/slow"] = page("/short")
    routes["/short"] = page("/deep")
    crawled, server = crawl_site(routes, max_depth=3)
    assert f"{server.url}/deep" in crawled.listed


def test_the_four_rules_hold_in_a_crawl() -> None:
    rules = Rules(exclude=("/x",), no_list=("/quiet",), no_fetch=("/unread",))
    routes = {"/": page("/x", "/quiet", "/unread"), "/quiet": page("/found"), "/found": page()}
    crawled, server = crawl_site(routes, rules=rules)
    assert paths(crawled.listed, server) == {"/", "/found", "/unread"}
    assert "/unread" not in server.asked()
    assert crawled.reason(f"{server.url}/x") == "excluded"
    assert crawled.reason(f"{server.url}/quiet") == "not_listed_by_rule"


def test_links_of_a_noindex_page_are_followed_and_those_of_a_nofollow_page_are_not() -> None:
    routes = {
        "/": page("/noindex", "/nofollow"),
        "/noindex": page("/yes", head='<meta name="robots" content="noindex">'),
        "/nofollow": page("/no", head='<meta name="robots" content="nofollow">'),
        "/yes": page(),
        "/no": page(),
    }
    crawled, server = crawl_site(routes)
    assert paths(crawled.listed, server) == {"/", "/yes", "/nofollow"}


def test_canonicals_are_followed_to_their_end() -> None:
    routes = {
        "/": page("/print", "/odd"),
        "/print": page(head='<link rel="canonical" href="/article">'),
        "/article": page(text="the article"),
        "/odd": page(head='<link rel="canonical" href="/missing">', text="odd"),
    }
    crawled, server = crawl_site(routes)
    assert paths(crawled.listed, server) == {"/", "/article", "/odd"}
    assert "http_error" in crawled.outcomes[f"{server.url}/odd"].evidence


def test_a_flapping_page_is_found_by_trying_again() -> None:
    crawled, server = crawl_site({"/": page("/flap"), "/flap": [Answer(b"", 500), page()]})
    assert f"{server.url}/flap" in crawled.listed
    assert crawled.report.counters.retries == 1


def test_retry_after_is_honoured_and_the_page_found() -> None:
    busy = Answer(b"", 429, {"Retry-After": "1"})
    crawled, server = crawl_site({"/": page("/busy"), "/busy": [busy, page()]})
    assert f"{server.url}/busy" in crawled.listed


def test_a_page_that_always_fails_is_told_with_its_failure() -> None:
    crawled, server = crawl_site({"/": page("/bad", "/good"), "/bad": behaving(origin.reset), "/good": page()})
    outcome = crawled.outcomes[f"{server.url}/bad"]
    assert (outcome.reason, outcome.failure, outcome.attempts) == ("fetch_failed", "connection_reset", 2)
    assert f"{server.url}/good" in crawled.listed


def test_an_outage_is_waited_out() -> None:
    outage = [*[Answer(b"", 503)] * 7, page()]
    routes: dict[str, Any] = {"/": page(*[f"/{number}" for number in range(12)])}
    routes |= {f"/{number}": outage for number in range(12)}
    crawled, _ = crawl_site(routes, retry=Retry(attempts=6, first_delay_s=0.05))
    assert len(crawled.listed) == 13


def test_a_host_that_never_recovers_ends_the_crawl() -> None:
    routes: dict[str, Any] = {"/": page(*[f"/{number}" for number in range(60)])}
    routes |= {f"/{number}": behaving(origin.reset) for number in range(60)}
    crawled, _ = crawl_site(routes)
    assert crawled.report.state is EndState.PARTIAL
    assert crawled.report.code == "host_unreachable"
    assert sum(crawled.report.reasons.values()) == 61


@pytest.mark.parametrize(
    ("robots", "state", "code"),
    [
        (Answer(b"", 503), EndState.BLOCKED, "robots_unreachable"),
        (Answer(b"User-agent: *\nDisallow: /", 200, TEXT), EndState.BLOCKED, ""),
        (behaving(origin.silent), EndState.FAILED, "read_timeout"),
        (behaving(origin.reset), EndState.FAILED, "connection_reset"),
        (Answer(b"", 403), EndState.COMPLETE, ""),
        (redirect("/robots.txt"), EndState.COMPLETE, ""),
    ],
    ids=["503", "forbids all", "silent", "reset", "403", "loop"],
)
def test_robots_txt_decides_whether_anything_is_fetched(robots: Answer, state: EndState, code: str) -> None:
    with Origin({"/": page("/a"), "/a": page(), "/robots.txt": robots}) as server:
        store, watching, stop = MemoryStore(), Watching(), _NoWaiting()
        policy = with_fetching(QUICK, allowed_private=(server.host,))
        ports = Ports(ProcessWorkers(policy, 1), HttpDocuments(policy), store, watching, stop, Clock())
        report = Crawler((f"{server.url}/",), policy, ports).run()
    assert (report.state, report.code) == (state, code)
    assert ("/" in server.asked()) is (state is EndState.COMPLETE)
    assert len(store.outcomes()) >= 1


class _NoWaiting(threading.Event):
    """A stop signal that never comes, and on which nobody waits."""

    def wait(self, timeout: float | None = None) -> bool:
        return False


def test_stopping_keeps_what_was_found() -> None:
    stop = threading.Event()

    class Stopping(Watching):
        def notice(self, snapshot: Any) -> None:
            if snapshot.done:
                stop.set()

    with Origin({"/": page(*[f"/{number}" for number in range(4_000)])}) as server:
        server.routes |= {f"/{number}": page() for number in range(4_000)}
        policy = with_fetching(QUICK, allowed_private=(server.host,))
        store = MemoryStore()
        ports = Ports(ProcessWorkers(policy, 1), HttpDocuments(policy), store, Stopping(), stop, Clock())
        report = Crawler((f"{server.url}/",), policy, ports).run()
    assert report.state is EndState.STOPPED
    assert sum(report.reasons.values()) == 4_001
    assert report.reasons["stopped"] > 0


def test_a_crawl_that_was_cut_off_goes_on_without_loss_or_doubles() -> None:
    """The same store twice: as after kill -9, what was not written is done again, and nothing else."""
    routes: dict[str, Any] = {"/": page(*[f"/{number}" for number in range(60)])}
    routes |= {f"/{number}": page(f"/{number}/x") for number in range(60)}
    routes |= {f"/{number}/x": page() for number in range(60)}
    with Origin(routes) as server:
        whole = crawl(f"{server.url}/")
        store = _Cut(after_batches=3)
        with pytest.raises(_CutOff):
            crawl(f"{server.url}/", store=store, batch_pages=20)
        asked_before = len(server.asked())
        resumed = crawl(f"{server.url}/", store=store, batch_pages=20)
    assert resumed.report.reasons == whole.report.reasons
    ledger = [outcome.url for _, outcome in resumed.store.outcomes()]
    assert len(ledger) == len(set(ledger)) == 121
    assert len(server.asked()) - asked_before < 121


class _CutOff(Exception):  # noqa: N818 - stands for the end of a process
    pass


class _Cut(MemoryStore):
    def __init__(self, after_batches: int) -> None:
        super().__init__()
        self._left = after_batches

    def write(self, batch: Any) -> None:
        if self._left == 0:
            self._left = -1
            raise _CutOff
        self._left -= 1
        super().write(batch)


def test_a_redirect_of_the_start_within_the_site_is_followed() -> None:
    crawled, server = crawl_site({"/": redirect("/en/", 301), "/en/": page("/en/a"), "/en/a": page()})
    assert paths(crawled.listed, server) == {"/en/", "/en/a"}
    assert crawled.report.state is EndState.COMPLETE


def test_a_start_that_looks_like_the_not_found_page_takes_no_other_page_with_it() -> None:
    shell = page("/a", title="Shop", text="the same for everything")
    with Origin({"/": redirect("/home"), "/home": shell, "/a": shell}) as server:
        name = blake2b(server.url.encode(), digest_size=8).hexdigest()
        server.routes[f"/{name}-not-here"] = shell
        crawled = crawl(f"{server.url}/")
    assert paths(crawled.listed, server) == {"/home", "/a"}


def test_a_start_that_is_no_page_fails_with_words() -> None:
    crawled, _ = crawl_site({"/": Answer(b"%PDF-1.7", 200, {"Content-Type": "application/pdf"})})
    assert crawled.report.state is EndState.FAILED
    assert crawled.report.code == "not_html"


def test_a_start_that_answers_404_fails_with_words() -> None:
    crawled, _ = crawl_site({"/x": page()}, "/missing")
    assert crawled.report.state is EndState.FAILED
    assert crawled.report.code == "http_error"
