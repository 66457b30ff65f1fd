"""The address guard: a host is resolved, every address is checked, and a checked address is the one connected to.

No second look-up stands between check and connection, so a name that changes its address in between (DNS rebinding)
gains nothing. CWE-918; IANA special-purpose address registries (RFC 6890).
"""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Iterable

from crawls.engine.errors import Code, Failure
from crawls.engine.policy import Fetching

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network
SocketAddress = tuple[int, tuple[str, int] | tuple[str, int, int, int]]  # address family, and what connect() takes

_CACHE_S = 60.0
_CACHE_SIZE = 1_000
# Beyond what `is_global` already refuses: relays that carry an IPv4 address inside, and what must not be a destination.
_REFUSED = [
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4",
        "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10",
        "fec0::/10", "ff00::/8",
    )
]  # fmt: skip
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")


class Refused(Exception):  # noqa: N818 - not an error of the program: the guard's "no"
    """Raised inside the connection; carries the failure that the client hands on."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.detail)
        self.failure = failure


def is_public(address: Address) -> bool:
    """Whether an address may be connected to by anybody: global, and no disguise of one that is not."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = _embedded(address)
        if inner is not None:
            return is_public(inner)
        if address.scope_id:
            return False
    return address.is_global and not address.is_multicast and not any(address in network for network in _REFUSED)


def _embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


class Guard:
    """Answers for one crawl where it may connect to. Thread-safe: checked answers are kept for a minute.

    `allowed_private`: exact exceptions, each `host`, `address` or network in CIDR form, with `:port` for one port only.
    """

    def __init__(self, allowed_private: Iterable[str], allowed_ports: Iterable[int]) -> None:
        self._exceptions = [_Exception.of(text) for text in allowed_private]
        self._ports = frozenset(allowed_ports)
        self._lock = threading.Lock()
        self._known: dict[tuple[str, int], tuple[float, list[SocketAddress]]] = {}

    @classmethod
    def of(cls, fetching: Fetching) -> Guard:
        """The guard that a policy asks for."""
        return cls(fetching.allowed_private, fetching.allowed_ports)

    def addresses(self, host: str, port: int) -> list[SocketAddress]:
        """The checked socket addresses of a host; raises `Refused` when there is none, or any is forbidden."""
        key = (host, port)
        with self._lock:
            known = self._known.get(key)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        checked = self._check(host, port, _resolve(host, port))
        with self._lock:
            if len(self._known) >= _CACHE_SIZE:
                self._known.clear()
            self._known[key] = (time.monotonic() + _CACHE_S, checked)
        return checked

    def check_unconnected(self, host: str, port: int) -> None:
        """For requests through a proxy: refuse what can be seen to be forbidden; the proxy answers for the rest."""
        try:
            self.addresses(host, port)
        except Refused as refused:
            if refused.failure.code is not Code.DNS_FAILED:
                raise

    def _check(self, host: str, port: int, found: list[SocketAddress]) -> list[SocketAddress]:
        for _, sockaddr in found:
            address = ipaddress.ip_address(sockaddr[0])
            if any(one.permits(host, address, port) for one in self._exceptions):
                continue
            if not is_public(address) or _is_local_name(host):
                raise Refused(Failure(Code.ADDRESS_FORBIDDEN, f"{host} is {address}, which is no public address"))
            if port not in self._ports:
                raise Refused(Failure(Code.PORT_FORBIDDEN, f"port {port} of {host} is not one of the allowed ports"))
        return found


def _is_local_name(host: str) -> bool:
    name = host.rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost")


def _resolve(host: str, port: int) -> list[SocketAddress]:
    try:
        answers = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise Refused(Failure(Code.DNS_FAILED, f"no address found for the host {host} ({error})")) from error
    # getaddrinfo's type allows for families without ports; SOCK_STREAM over IP has them.
    return [(int(family), sockaddr) for family, _, _, _, sockaddr in answers]  # type: ignore[misc]


class _Exception:
    """One entry of `allowed_private`."""

    def __init__(self, name: str, network: _Network | None, port: int | None) -> None:
        self._name = name
        self._network = network
        self._port = port

    @classmethod
    def of(cls, text: str) -> _Exception:
        host, port = _split_port(text.strip().lower())
        try:
            return cls(host, ipaddress.ip_network(host.strip("[]"), strict=False), port)
        except ValueError:
            return cls(host, None, port)

    def permits(self, host: str, address: Address, port: int) -> bool:
        if self._port is not None and self._port != port:
            return False
        return address in self._network if self._network is not None else host.lower() == self._name


def _split_port(text: str) -> tuple[str, int | None]:
    head, colon, tail = text.rpartition(":")
    if colon and tail.isdigit() and (head.count(":") == 0 or head.endswith("]")):
        return head, int(tail)
    return text, None
