"""Connections of requests that go through the guard and are watched: the pools behind the adapter."""

from __future__ import annotations

import socket
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.poolmanager import PoolManager

from crawls.engine.errors import Code, Failure
from crawls.engine.fetch.failures import failure_of
from crawls.engine.fetch.guard import Guard, Refused, SocketAddress
from crawls.engine.fetch.watchdog import Slot


def connect(addresses: list[SocketAddress], timeout_s: float, slot: Slot) -> socket.socket:
    """A socket to the first address that answers; raises `Refused` with the last failure when none does."""
    failure = Failure(Code.DNS_FAILED, "the host has no address")
    for family, sockaddr in addresses:
        left_s = min(timeout_s, slot.left_s())
        if left_s <= 0:
            failure = Failure(Code.CONNECT_TIMEOUT, "no connection could be made in time")
            break
        sock = socket.socket(family, socket.SOCK_STREAM)
        slot.sock = sock
        try:
            sock.settimeout(left_s)
            sock.connect(sockaddr)
        except TimeoutError:
            failure = Failure(Code.CONNECT_TIMEOUT, f"no connection within {timeout_s:g} s")
        except OSError as error:
            failure = failure_of(error)
        else:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return sock
        sock.close()
    raise Refused(failure)


class _Watched(HTTPConnection):
    """What both kinds of connections share: guarded connecting, and telling the watchdog which socket is in use."""

    guard: Guard | None
    slot: Slot
    connect_timeout_s: float

    def _new_conn(self) -> socket.socket:
        host, port = self.host, self.port
        addresses = _plain_addresses(host, port) if self.guard is None else self.guard.addresses(host, port)
        return connect(addresses, self.connect_timeout_s, self.slot)

    def request(self, *args: Any, **kwargs: Any) -> None:
        """Send a request; the slot knows its socket from here on, and whether it had been used before."""
        self.slot.reused = self.sock is not None
        self.slot.sock = self.sock
        super().request(*args, **kwargs)
        self.slot.sock = self.sock


def _plain_addresses(host: str, port: int) -> list[SocketAddress]:
    """The addresses of the configured proxy, which is trusted as it was configured."""
    return [(int(found[0]), found[4]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]  # type: ignore[misc]  # as in guard.py


class _HTTP(_Watched):
    """A guarded connection in plain text."""


class _HTTPS(_Watched, HTTPSConnection):
    """A guarded connection under TLS."""


class GuardedAdapter(HTTPAdapter):
    """The adapter of requests with pools whose connections ask the guard. One for each thread."""

    def __init__(self, guard: Guard, slot: Slot, connect_timeout_s: float) -> None:
        self._settings = {"slot": slot, "connect_timeout_s": connect_timeout_s}
        self._guard = guard
        super().__init__(pool_connections=4, pool_maxsize=2, max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Pools of guarded connections."""
        super().init_poolmanager(*args, **kwargs)
        self._furnish(self.poolmanager, self._guard)

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> PoolManager:
        """Pools towards a configured proxy, which is trusted; the client checks the targets."""
        manager: PoolManager = super().proxy_manager_for(proxy, **kwargs)
        self._furnish(manager, None)
        return manager

    def _furnish(self, manager: PoolManager, guard: Guard | None) -> None:
        members = {**self._settings, "guard": guard}
        http = type("GuardedHTTPPool", (HTTPConnectionPool,), {"ConnectionCls": type("GuardedHTTP", (_HTTP,), members)})
        https = type(
            "GuardedHTTPSPool", (HTTPSConnectionPool,), {"ConnectionCls": type("GuardedHTTPS", (_HTTPS,), members)}
        )
        manager.pool_classes_by_scheme = {"http": http, "https": https}
