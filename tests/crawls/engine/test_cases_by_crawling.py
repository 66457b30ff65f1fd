"""The handed cases that need a whole crawl, against their own origin over real connections."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from crawls.engine import urls
from crawls.engine.crawler.hosts import RobotsShelf
from crawls.engine.discover import robots
from crawls.engine.discover.declared import USUAL_NAMES, Bounds, DeclaredSitemaps
from crawls.engine.fetch.documents import HttpDocuments
from crawls.engine.policy import Retry
from crawls.engine.records import Finding
from tests.crawls.engine.crawling import QUICK, Crawled, crawl, with_fetching
from tests.shared import SHARED, cases, needs_shared, served
from tests.waiting import listens, until

pytestmark = [pytest.mark.slow, pytest.mark.acceptance, needs_shared]

# Addresses outside of the case hosts that a case must never reach are not in the map: they fail to resolve.
_TEST_HOST = ".test"


@pytest.fixture(scope="module")
def origin_port() -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    process = subprocess.Popen(  # noqa: S603 - the handed origin, our own interpreter
        [sys.executable, str(SHARED / "cases/origin.py"), str(port)], stdout=subprocess.DEVNULL
    )
    try:
        until(lambda: listens(port))
        yield port
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def case_hosts(origin_port: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Every case host resolves to the origin, whatever its port."""
    real = socket.getaddrinfo

    def resolve(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        if str(host).endswith(_TEST_HOST):
            return real("127.0.0.1", origin_port, *args, **kwargs)
        return real(host, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    _ask(origin_port, "/reset")
    return origin_port


def _ask(port: int, path: str) -> Any:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Host": "log.test"})
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


def _crawl(case: dict[str, Any], start: str) -> Crawled:
    hosts = {case["host"]} | {route["url"].split("/")[2].split(":")[0] for route in case["routes"]}
    policy = with_fetching(QUICK, allowed_private=tuple(sorted(hosts)), max_body_bytes=1_000_000)
    return crawl(start, policy, include_subdomains=case["id"] == 130)


@pytest.mark.parametrize(
    "case",
    [
        # 134 starts at a sitemap: see the test of children below.
        case
        for case in cases("redirect", "http", "security", kind="behaviour")
        if case.id != "134-sitemap-children-all-at-once"
    ],
)
def test_a_crawl_of_the_case_lists_what_it_should(case: dict[str, Any], case_hosts: int) -> None:
    expected = case["expected"]
    crawled = _crawl(case, expected["start"])
    if "listed" in expected:
        assert crawled.listed == set(expected["listed"])
    assert set(expected.get("listed_must", [])) <= crawled.listed
    for url in expected.get("errors", []):
        # An address that nothing links to is asked for on its own.
        judged = crawled if url in crawled.outcomes else _crawl(case, url)
        assert judged.outcomes[url].verdict == "out"
    fetched = set(_ask(case_hosts, "/"))
    assert not fetched & set(expected.get("must_not_fetch", []))
    assert len(fetched) <= expected.get("max_fetches", 1_000)


def _documents(case: dict[str, Any]) -> HttpDocuments:
    return HttpDocuments(with_fetching(QUICK, allowed_private=_hosts(case)))


@pytest.mark.parametrize(
    "case", [case for case in cases("sitemap") if case.values[0]["expected"]["type"] in ("index", "robots")]
)
def test_a_tree_of_sitemaps_gives_all_its_pages_and_ends(case: dict[str, Any], case_hosts: int) -> None:
    expected, findings = case["expected"], list[Finding]()
    bounds = Bounds(max_documents=100, max_depth=5, timeout_s=3.0, parallel=4)
    reading = DeclaredSitemaps(_documents(case), bounds, lambda _url: True, findings.append, threading.Event())
    origin = urls.origin(case["entry"])
    declared = [case["entry"]]
    if expected["type"] == "robots":
        declared = [
            url for _, url in robots.parse(served(case, f"{origin}/robots.txt").body, f"{origin}/robots.txt").sitemaps
        ]
    found = [entry.loc for _, entry in reading.read(declared, origin)]
    assert set(found) == set(expected["must"])
    if "max_fetches" in expected:
        fetched = [url for url in _ask(case_hosts, "/") if url.split("/", 3)[3] not in USUAL_NAMES]
        assert len(fetched) <= expected["max_fetches"]
    assert findings or not expected.get("warn")


def test_sitemap_children_are_fetched_a_few_at_a_time(case_hosts: int) -> None:
    case = next(case.values[0] for case in cases("http") if case.values[0]["id"] == 134)
    bounds = Bounds(max_documents=1_000, max_depth=5, timeout_s=2.0, parallel=4)
    findings = list[Finding]()
    reading = DeclaredSitemaps(_documents(case), bounds, lambda _url: True, findings.append, threading.Event())
    found = {entry.loc for _, entry in reading.read([case["expected"]["start"]], urls.origin(case["entry"]))}
    assert len(found) >= case["expected"]["count_min"]
    assert "sitemap_unreadable" in {finding.code for finding in findings}  # the one that takes 30 seconds


@pytest.mark.parametrize("case", cases("robots"))
def test_robots_txt_decides_as_the_case_says(case: dict[str, Any], case_hosts: int) -> None:
    del case_hosts
    findings = list[Finding]()
    expected = case["expected"]
    for check in [*expected["checks"], *expected.get("per_port", [])]:
        policy = with_fetching(
            replace(QUICK, retry=Retry(factor=0.0)), user_agent=f"{check['ua']}/1.0", allowed_private=_hosts(case)
        )
        shelf = RobotsShelf(policy, HttpDocuments(policy), _NoWaiting(), lambda _origin, _file: None, findings.append)
        address = urls.parse(check["url"])
        assert address is not None
        assert shelf.decide(address).allowed is check["allowed"], check
    assert findings or not expected.get("warn")


class _NoWaiting(threading.Event):
    """A stop signal that never comes, and on which nobody waits."""

    def wait(self, timeout: float | None = None) -> bool:
        return False


def _hosts(case: dict[str, Any]) -> tuple[str, ...]:
    return tuple(sorted({route["url"].split("/")[2].split(":")[0] for route in case["routes"]}))
