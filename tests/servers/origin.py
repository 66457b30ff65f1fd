"""A real HTTP server on loopback, with pages from a table and bad behaviours by name."""

from __future__ import annotations

import gzip
import socket
import socketserver
import struct
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

Behaviour = Callable[[socket.socket], None]
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"


@dataclass
class Answer:
    """A plain answer; `behaviour` takes over the socket instead."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})
    behaviour: Behaviour | None = None


def page(*links: str, title: str = "A page", head: str = "", text: str = "") -> Answer:
    """A page with links and some text of its own."""
    anchors = "".join(f'<a href="{link}">to {link}</a>' for link in links)
    start = f"<!doctype html><html><head><title>{title}</title>{head}</head>"
    body = f"{start}<body><p>{text or title}</p>{anchors}</body></html>"
    return Answer(body.encode())


def redirect(target: str, status: int = 302, **headers: str) -> Answer:
    """A redirect."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(b"", status, {"Location": target, **named})


def behaving(behaviour: Behaviour) -> Answer:
    """An answer that a behaviour gives."""
    return Answer(behaviour=behaviour)


class Origin:
    """Serves `routes` (path with query -> Answer or a list of answers to give in turn, the last one for ever)."""

    def __init__(self, routes: Mapping[str, Answer | list[Answer]]) -> None:
        self.routes: dict[str, Any] = dict(routes)
        self.requests: list[tuple[str, dict[str, str]]] = []
        self._lock = threading.Lock()
        self.ending = threading.Event()
        outer = self

        class _Connection(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                outer._serve(self.request)

        class _Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True
            request_queue_size = 64

        self._server = _Server(("127.0.0.1", 0), _Connection)
        self.port: int = self._server.server_address[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ending.set()
        self._server.shutdown()
        self._server.server_close()

    def asked(self) -> list[str]:
        """The paths asked for, in order."""
        with self._lock:
            return [path for path, _ in self.requests]

    def _serve(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader = sock.makefile("rb")
        while (line := reader.readline()) and not self.ending.is_set():
            path = line.split()[1].decode("latin-1")
            headers = dict(_header(raw) for raw in iter(reader.readline, b"\r\n") if b":" in raw)
            answer = self._answer(path, headers)
            if answer.behaviour is not None:
                answer.behaviour(sock)
                return
            sock.sendall(_plain(answer))

    def _answer(self, path: str, headers: dict[str, str]) -> Answer:
        with self._lock:
            self.requests.append((path, headers))
            found: Answer | list[Answer] | None = self.routes.get(path)
            if isinstance(found, list):
                found = found.pop(0) if len(found) > 1 else found[0]
        return found or Answer(b"<title>404</title>nothing here", 404)


def _header(raw: bytes) -> tuple[str, str]:
    name, _, value = raw.decode("latin-1").partition(":")
    return name.strip().lower(), value.strip()


def _plain(answer: Answer) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} Status"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    lines.append(f"Content-Length: {len(answer.body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + answer.body


# -- bad behaviours; each ends when its client leaves


def drip_body(sock: socket.socket) -> None:
    """Headers at once, then a byte now and then, for ever."""
    sock.sendall(_HEAD + b"\r\n")
    _drip(sock)


def drip_headers(sock: socket.socket) -> None:
    """One header that never ends, a byte now and then."""
    sock.sendall(_HEAD + b"X-Long: ")
    _drip(sock)


def _drip(sock: socket.socket) -> None:
    try:
        while True:
            sock.sendall(b"x")
            time.sleep(0.05)
    except OSError:
        return


def endless_body(sock: socket.socket) -> None:
    """A body without end, as fast as it is taken."""
    try:
        sock.sendall(_HEAD + b"\r\n<html>")
        while True:
            sock.sendall(b"<p>more</p>" * 1000)
    except OSError:
        return


def endless_headers(sock: socket.socket) -> None:
    """Header after header."""
    try:
        sock.sendall(_HEAD)
        while True:
            sock.sendall(b"X-More: header\r\n" * 100)
    except OSError:
        return


def reset(sock: socket.socket) -> None:
    """TCP reset instead of an answer."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def silent(sock: socket.socket) -> None:
    """Not a byte, until the client gives up."""
    sock.settimeout(30)
    sock.recv(1)


def banner(sock: socket.socket) -> None:
    """Another protocol."""
    sock.sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n")


def cut_short(sock: socket.socket) -> None:
    """Fewer bytes than announced, then the end."""
    sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<html>short")


def bad_chunk(sock: socket.socket) -> None:
    """A chunk size that is no number."""
    sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n<html>")


def gzip_bomb(sock: socket.socket) -> None:
    """A megabyte on the wire, a gigabyte inside; the client may leave early."""
    packed = gzip.compress(b"\0" * (64 * 1024 * 1024), 9)
    head = _HEAD + f"Content-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n".encode()
    try:
        sock.sendall(head + packed)
    except OSError:
        return
