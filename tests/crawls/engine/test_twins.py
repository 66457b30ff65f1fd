"""A start that redirects to its www, apex or https twin moves the site there."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from crawls.engine.records import EndState
from tests.crawls.engine.crawling import QUICK, crawl, with_fetching
from tests.servers.origin import Answer, Origin, page, redirect

HOSTS = ("site.test", "www.site.test", "other.test")


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets the names above lead to an origin, whatever the port."""
    real = socket.getaddrinfo

    def lead_to(server: Origin) -> None:
        def resolve(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
            if host in HOSTS:
                return real("127.0.0.1", server.port, *args, **kwargs)
            return real(host, port, *args, **kwargs)

        monkeypatch.setattr(socket, "getaddrinfo", resolve)

    return lead_to


def test_the_scope_moves_to_the_twin(named: Any) -> None:
    answers = [redirect("http://www.site.test/", 301), page("/a", "http://site.test/old")]
    routes: dict[str, Any] = {"/": answers, "/a": page()}
    with Origin(routes) as server:
        named(server)
        crawled = crawl("http://site.test/", with_fetching(QUICK, allowed_private=HOSTS))
    assert crawled.listed == {"http://www.site.test/", "http://www.site.test/a"}
    assert crawled.reason("http://site.test/") == "redirected"
    assert crawled.reason("http://site.test/old") == "out_of_scope"
    assert crawled.report.start_url == "http://www.site.test/"
    assert crawled.report.state is EndState.COMPLETE


def test_the_twins_own_robots_txt_counts(named: Any) -> None:
    rules = Answer(b"User-agent: *\nDisallow: /a", 200, {"Content-Type": "text/plain"})
    routes: dict[str, Any] = {
        "/": [redirect("http://www.site.test/", 301), page("/a", "/b")],
        "/robots.txt": [Answer(b"", 404), rules],
        "/a": page(),
        "/b": page(),
    }
    with Origin(routes) as server:
        named(server)
        crawled = crawl("http://site.test/", with_fetching(QUICK, allowed_private=HOSTS))
    assert crawled.listed == {"http://www.site.test/", "http://www.site.test/b"}
    assert crawled.reason("http://www.site.test/a") == "robots_disallowed"


def test_a_start_that_leads_to_another_site_fails_and_names_it(named: Any) -> None:
    with Origin({"/": redirect("http://other.test/")}) as server:
        named(server)
        crawled = crawl("http://site.test/", with_fetching(QUICK, allowed_private=HOSTS))
    assert crawled.report.state is EndState.FAILED
    assert "http://other.test/" in crawled.report.why
    assert not crawled.listed
