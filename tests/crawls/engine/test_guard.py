"""Where the guard lets a crawl connect to (RFC 6890, CWE-918)."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest

from crawls.engine import urls
from crawls.engine.errors import Code
from crawls.engine.fetch.guard import Guard, Refused, is_public
from tests.shared import cases, needs_shared

PORTS = (80, 443)


def refusal(guard: Guard, url: str) -> Code | None:
    address = urls.parse(url)
    if address is None:
        return Code.INVALID_URL
    parts = urls.split(address)
    try:
        guard.addresses(parts.host, parts.port)
    except Refused as refused:
        return refused.failure.code
    return None


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "0.0.0.0", "10.0.0.5", "172.16.3.4",
        "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255",
        "192.0.2.1", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]",
        "[2002:7f00:1::]", "[::127.0.0.1]", "[fe80::1]", "[fc00::1]", "[fd12::1]", "[fec0::1]", "[ff02::1]",
        "[2001:db8::1]", "localhost", "LOCALHOST", "\uff11\uff12\uff17.0.0.1", "127\u30020\u30020\u30021",
    ],
)  # fmt: skip
def test_no_spelling_of_a_private_address_gets_through(host: str) -> None:
    assert refusal(Guard((), PORTS), f"http://{host}/") in (Code.ADDRESS_FORBIDDEN, Code.DNS_FAILED)


@needs_shared
@pytest.mark.acceptance
@pytest.mark.parametrize(
    "url", [url for case in cases("security", kind="list") for url in case.values[0]["expected"].get("deny", [])]
)
def test_the_handed_addresses_are_refused(url: str) -> None:
    assert refusal(Guard((), PORTS), url) is not None


@pytest.mark.parametrize("host", ["1.1.1.1", "8.8.8.8", "[2606:4700::1111]", "[64:ff9b::808:808]"])
def test_public_addresses_are_let_through(host: str) -> None:
    assert refusal(Guard((), PORTS), f"http://{host}/") is None


def test_public_addresses_are_asked_on_allowed_ports_only() -> None:
    assert refusal(Guard((), PORTS), "http://1.1.1.1:22/") is Code.PORT_FORBIDDEN


@pytest.mark.parametrize(
    ("entry", "url", "code"),
    [
        ("127.0.0.1:18001", "http://127.0.0.1:18001/", None),
        ("127.0.0.1:18001", "http://127.0.0.1:18002/", Code.ADDRESS_FORBIDDEN),
        ("127.0.0.1", "http://127.0.0.1:18002/", None),
        ("127.0.0.0/8", "http://127.9.9.9/", None),
        ("10.0.0.0/8", "http://127.0.0.1/", Code.ADDRESS_FORBIDDEN),
        ("localhost:80", "http://localhost/", None),
        ("localhost:80", "http://127.0.0.1/", Code.ADDRESS_FORBIDDEN),
        ("[::1]:8080", "http://[::1]:8080/", None),
        ("[::1]:8080", "http://[::1]:80/", Code.ADDRESS_FORBIDDEN),
    ],
)
def test_exceptions_are_exact(entry: str, url: str, code: Code | None) -> None:
    assert refusal(Guard((entry,), PORTS), url) is code


def test_one_private_address_among_public_ones_refuses_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(host: str, port: int, **kwargs: Any) -> Any:
        return [(socket.AF_INET, 1, 6, "", (ip, port)) for ip in ("1.1.1.1", "10.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert refusal(Guard((), PORTS), "http://mixed.test/") is Code.ADDRESS_FORBIDDEN


def test_the_checked_address_is_the_one_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that changes its address between two look-ups is looked up once."""
    answers = [["1.1.1.1"], ["127.0.0.1"]]

    def resolve(host: str, port: int, **kwargs: Any) -> Any:
        return [(socket.AF_INET, 1, 6, "", (ip, port)) for ip in answers.pop(0)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    guard = Guard((), PORTS)
    assert guard.addresses("rebind.test", 80) == [(int(socket.AF_INET), ("1.1.1.1", 80))]
    assert guard.addresses("rebind.test", 80) == [(int(socket.AF_INET), ("1.1.1.1", 80))]


@pytest.mark.parametrize(
    ("address", "public"), [("1.1.1.1", True), ("::ffff:1.1.1.1", True), ("::ffff:10.0.0.1", False)]
)
def test_embedded_addresses_are_judged_by_what_they_embed(address: str, *, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) is public
