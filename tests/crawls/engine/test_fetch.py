"""Fetching from a real server that behaves well or badly."""

from __future__ import annotations

import gzip
import resource
import threading
import zlib
from typing import Any

import pytest

from crawls.engine import urls
from crawls.engine.errors import Code
from crawls.engine.fetch.client import Client, Fetched
from crawls.engine.fetch.guard import Guard
from crawls.engine.policy import Fetching
from tests.servers import origin
from tests.servers.origin import Answer, Behaviour, Origin, behaving, page, redirect


def fetch(
    routes: dict[str, Any], path: str, *, also_allowed: tuple[str, ...] = (), **limits: Any
) -> tuple[Fetched, Origin]:
    with Origin(routes) as server:
        limits = {"deadline_s": 1.0, "read_timeout_s": 0.5, "connect_timeout_s": 1.0, **limits}
        fetching = Fetching(allowed_private=(server.host, *also_allowed), **limits)
        client = Client(fetching, Guard.of(fetching))
        try:
            return client.fetch(server.url + path), server
        finally:
            client.close()


def code_of(fetched: Fetched) -> Code | None:
    return fetched.failure.code if fetched.failure else None


def test_a_page_comes_with_status_headers_and_body() -> None:
    fetched, server = fetch({"/x": page("/y", title="Hello")}, "/x")
    assert fetched.response is not None
    assert fetched.response.status == 200
    assert b"Hello" in fetched.response.body
    assert fetched.response.header("content-type") == "text/html; charset=utf-8"
    assert "referer" not in server.requests[0][1]


@pytest.mark.parametrize("behaviour", [origin.drip_body, origin.drip_headers], ids=["body", "headers"])
def test_a_drip_ends_at_the_deadline_though_every_byte_resets_the_read_timeout(behaviour: Behaviour) -> None:
    fetched, _ = fetch({"/x": behaving(behaviour)}, "/x")
    assert code_of(fetched) is Code.DEADLINE_EXCEEDED
    assert fetched.elapsed_s < 2.0


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (origin.reset, Code.CONNECTION_RESET),
        (origin.silent, Code.READ_TIMEOUT),
        (origin.banner, Code.INVALID_RESPONSE),
        (origin.cut_short, Code.TRUNCATED_BODY),
        (origin.bad_chunk, Code.INVALID_RESPONSE),
        (origin.endless_headers, Code.HEADER_TOO_LARGE),
    ],
)
def test_every_misbehaviour_ends_as_a_failure_of_its_own_kind(behaviour: Behaviour, code: Code) -> None:
    fetched, _ = fetch({"/x": behaving(behaviour)}, "/x")
    assert code_of(fetched) is code


def test_an_endless_body_is_cut_at_the_cap() -> None:
    fetched, _ = fetch({"/x": behaving(origin.endless_body)}, "/x", max_body_bytes=100_000)
    assert fetched.response is not None
    assert len(fetched.response.body) == 100_000
    assert fetched.response.truncated


def test_a_gzip_bomb_is_cut_while_it_inflates() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fetched, _ = fetch({"/x": behaving(origin.gzip_bomb)}, "/x", max_body_bytes=1_000_000, deadline_s=10.0)
    assert fetched.response is not None
    assert fetched.response.truncated
    assert len(fetched.response.body) == 1_000_000
    # The server, in the same process, makes 64 MB; the client may not double that.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 140_000


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(b"<p>text")),
        ("gzip", gzip.compress(b"<p>") + gzip.compress(b"text") + b"\0\0"),
        ("gzip", b"<p>text"),
        ("gzip, gzip", gzip.compress(gzip.compress(b"<p>text"))),
        ("deflate", zlib.compress(b"<p>text")),
        ("deflate", zlib.compress(b"<p>text")[2:-4]),
        ("identity", b"<p>text"),
    ],
)
def test_content_codings_are_undone_whatever_servers_make_of_them(coding: str, body: bytes) -> None:
    headers = {"Content-Type": "text/html", "Content-Encoding": coding}
    fetched, _ = fetch({"/x": Answer(body, 200, headers)}, "/x")
    assert fetched.response is not None
    assert fetched.response.body == b"<p>text"


def test_an_unknown_coding_is_said_to_be_one() -> None:
    headers = {"Content-Type": "text/html", "Content-Encoding": "x-odd"}
    assert code_of(fetch({"/x": Answer(b"x", 200, headers)}, "/x")[0]) is Code.UNKNOWN_ENCODING


def test_what_is_surely_no_page_is_not_downloaded() -> None:
    fetched, _ = fetch({"/x": Answer(b"\0" * 1_000_000, 200, {"Content-Type": "video/mp4"})}, "/x")
    assert fetched.response is not None
    assert len(fetched.response.body) <= 2_048
    assert not fetched.response.truncated


def test_redirects_are_followed_and_told_hop_by_hop() -> None:
    routes = {"/a": redirect("/b", 301), "/b": redirect("c", 307), "/c": page()}
    fetched, server = fetch(routes, "/a")
    assert fetched.response is not None
    assert fetched.response.url == f"{server.url}/c"
    assert [(urls.target(hop.url), hop.status) for hop in fetched.hops] == [("/a", 301), ("/b", 307)]


@pytest.mark.parametrize(
    ("routes", "code"),
    [
        ({"/a": redirect("/a")}, Code.REDIRECT_LOOP),
        ({"/a": redirect("/b"), "/b": redirect("/a")}, Code.REDIRECT_LOOP),
        ({"/a": Answer(b"", 302, {})}, Code.REDIRECT_INVALID),
        ({"/a": redirect("http://[bad:::host/")}, Code.REDIRECT_INVALID),
        ({"/a": redirect("mailto:x@y.test")}, Code.REDIRECT_INVALID),
        ({"/a": redirect("?1"), **{f"/a?{n}": redirect(f"?{n + 1}") for n in range(1, 20)}}, Code.TOO_MANY_REDIRECTS),
    ],
)
def test_redirects_to_nowhere_end(routes: dict[str, Answer], code: Code) -> None:
    assert code_of(fetch(routes, "/a")[0]) is code


def test_a_cookie_wall_that_leads_to_itself_lets_us_in() -> None:
    routes = {"/a": [redirect("/a", Set_Cookie="seen=yes; Path=/"), page()]}
    fetched, server = fetch(routes, "/a")
    assert fetched.response is not None
    assert server.requests[1][1]["cookie"] == "seen=yes"


def test_location_bytes_in_utf8_are_read_as_such() -> None:
    location = "/caf\u00e9".encode().decode("latin-1")
    fetched, server = fetch({"/a": redirect(location), "/caf%C3%A9": page()}, "/a")
    assert fetched.response is not None
    assert fetched.response.url == f"{server.url}/caf%C3%A9"


def test_credentials_go_to_their_own_host_only() -> None:
    with Origin({"/": page()}) as other:
        routes = {"/a": redirect(f"{other.url}/"), "/b": page()}
        settings: dict[str, Any] = {"basic_auth": ("me", "secret"), "headers": (("X-Key", "k"),)}
        _, server = fetch(routes, "/a", also_allowed=(other.host,), **settings)
        assert server.requests[0][1]["authorization"].startswith("Basic ")
        assert server.requests[0][1]["x-key"] == "k"
        assert not {"authorization", "x-key"} & other.requests[0][1].keys()


def test_a_redirect_that_may_not_be_followed_is_told_and_not_asked_for() -> None:
    with Origin({"/": page()}) as other, Origin({"/a": redirect(f"{other.url}/")}) as server:
        fetching = Fetching(allowed_private=(server.host, other.host))
        client = Client(fetching, Guard.of(fetching))
        fetched = client.fetch(f"{server.url}/a", may_follow=lambda url: url.startswith(server.url))
        client.close()
        assert code_of(fetched) is Code.REDIRECT_OFF_SITE
        assert fetched.failure is not None
        assert fetched.failure.detail == f"{other.url}/"
        assert other.requests == []


def test_a_redirect_to_a_private_address_is_refused_at_the_connection() -> None:
    with Origin({"/": page()}) as other:
        fetched, _ = fetch({"/a": redirect(f"{other.url}/")}, "/a")
        assert code_of(fetched) is Code.ADDRESS_FORBIDDEN
        assert other.requests == []


def test_a_kept_connection_that_the_server_closed_is_replaced_without_a_failure() -> None:
    with Origin({"/x": page()}) as server:
        fetching = Fetching(allowed_private=(server.host,))
        client = Client(fetching, Guard.of(fetching))
        closing = behaving(origin.reset)
        assert client.fetch(f"{server.url}/x").response is not None
        server.routes["/x"] = [closing, page()]
        assert client.fetch(f"{server.url}/x").response is not None
        client.close()


def test_a_port_where_nothing_listens_is_refused() -> None:
    with Origin({}) as server:
        host = server.host
    fetching = Fetching(allowed_private=(host,))
    client = Client(fetching, Guard.of(fetching))
    assert code_of(client.fetch(f"http://{host}/")) is Code.CONNECTION_REFUSED
    client.close()


def test_clients_in_many_threads_do_not_disturb_each_other() -> None:
    with Origin({f"/{number}": page(title=f"page {number}") for number in range(40)}) as server:
        fetching = Fetching(allowed_private=(server.host,))
        guard = Guard.of(fetching)
        wrong: list[int] = []

        def work(start: int) -> None:
            client = Client(fetching, guard)
            for number in range(start, 40, 4):
                response = client.fetch(f"{server.url}/{number}").response
                if response is None or f"page {number}<".encode() not in response.body:
                    wrong.append(number)
            client.close()

        threads = [threading.Thread(target=work, args=(start,)) for start in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
