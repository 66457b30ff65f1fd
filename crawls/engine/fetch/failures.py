"""The one door at which exceptions of requests, urllib3, http.client, ssl and sockets become failures."""

from __future__ import annotations

import errno
import http.client
import ssl

import requests
import urllib3

from crawls.engine.errors import Code, Failure
from crawls.engine.fetch.guard import Refused

# What those libraries may raise for what the network does. Anything else is a bug, and stays an exception.
EXPECTED = (
    requests.RequestException,
    urllib3.exceptions.HTTPError,
    http.client.HTTPException,
    OSError,
    Refused,
    ValueError,  # http.client: a chunk size or length that is no number
)

_BY_TYPE: tuple[tuple[type[BaseException], Code], ...] = (
    (ssl.SSLError, Code.TLS_FAILED),
    (ConnectionRefusedError, Code.CONNECTION_REFUSED),
    (http.client.LineTooLong, Code.HEADER_TOO_LARGE),
    (http.client.IncompleteRead, Code.TRUNCATED_BODY),
    (urllib3.exceptions.InvalidChunkLength, Code.INVALID_RESPONSE),
    (urllib3.exceptions.IncompleteRead, Code.TRUNCATED_BODY),
    (http.client.RemoteDisconnected, Code.CONNECTION_RESET),
    (ConnectionResetError, Code.CONNECTION_RESET),
    (ConnectionAbortedError, Code.CONNECTION_RESET),
    (BrokenPipeError, Code.CONNECTION_RESET),
    (http.client.BadStatusLine, Code.INVALID_RESPONSE),
    (http.client.UnknownProtocol, Code.INVALID_RESPONSE),
    (TimeoutError, Code.READ_TIMEOUT),
    (urllib3.exceptions.ConnectTimeoutError, Code.CONNECT_TIMEOUT),
    (urllib3.exceptions.ReadTimeoutError, Code.READ_TIMEOUT),
    (urllib3.exceptions.LocationParseError, Code.INVALID_URL),
    (requests.exceptions.InvalidURL, Code.INVALID_URL),
    (http.client.InvalidURL, Code.INVALID_URL),
    (http.client.HTTPException, Code.INVALID_RESPONSE),
    (ValueError, Code.INVALID_RESPONSE),
)
_WORDS = {
    Code.CONNECTION_REFUSED: "the connection was refused: nothing listens there",
    Code.CONNECTION_RESET: "the server closed the connection without an answer",
    Code.HEADER_TOO_LARGE: "the response headers are too many or too long",
    Code.TRUNCATED_BODY: "the connection ended before the whole page had come",
    Code.READ_TIMEOUT: "the server stopped sending",
    Code.CONNECT_TIMEOUT: "no connection could be made in time",
}


def failure_of(error: BaseException) -> Failure:
    """What an exception of the libraries below means, by its deepest cause that the table knows."""
    chain = _chain(error)
    for one in chain:
        if isinstance(one, Refused):
            return one.failure
    for one in reversed(chain):
        code = _code_of(one)
        if code is not None:
            return Failure(code, _words(code, one))
    return Failure(Code.NETWORK_ERROR, _plain(error))


def _code_of(error: BaseException) -> Code | None:
    if isinstance(error, http.client.HTTPException) and "headers" in str(error):
        return Code.HEADER_TOO_LARGE
    for kind, code in _BY_TYPE:
        if isinstance(error, kind):
            return code
    if isinstance(error, OSError) and error.errno in (errno.EHOSTUNREACH, errno.ENETUNREACH):
        return Code.NETWORK_ERROR
    return None


def _chain(error: BaseException) -> list[BaseException]:
    """The exception and what it was made from, outermost first; urllib3 hides causes in `args` and `reason`."""
    chain: list[BaseException] = []
    waiting: list[object] = [error]
    while waiting and len(chain) < 12:
        one = waiting.pop(0)
        if isinstance(one, BaseException) and one not in chain:
            chain.append(one)
            waiting += [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]
    return chain


def _words(code: Code, error: BaseException) -> str:
    if code is Code.TLS_FAILED:
        return f"no secure connection: {getattr(error, 'verify_message', '') or _plain(error)}"
    return _WORDS.get(code) or _plain(error)


def _plain(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:300]
