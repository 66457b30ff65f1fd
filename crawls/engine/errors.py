"""What can go wrong with one URL or one crawl, as values.

A failure is a value that travels; nothing here is raised across a thread or process border.

    Code ─┬─ address      invalid_url · url_too_long · address_forbidden · port_forbidden
          ├─ network      dns_failed · connection_refused · connection_reset · tls_failed · network_error
          ├─ time         connect_timeout · read_timeout · deadline_exceeded
          ├─ protocol     invalid_response · header_too_large · truncated_body · decoding_failed · unknown_encoding
          ├─ size         body_too_large
          ├─ redirect     too_many_redirects · redirect_loop · redirect_invalid · redirect_off_site
          ├─ status       rate_limited · server_error · client_error · auth_required · not_found · gone ·
          │               unexpected_status
          ├─ content      parse_failed · extraction_failed
          ├─ host         robots_unreachable · circuit_open · host_unreachable
          └─ ours         internal_error · worker_died

Severity says how much of the crawl is touched: `page` (this URL only), `host` (all URLs of the host), `crawl`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How far the damage of a failure reaches."""

    PAGE = "page"
    HOST = "host"
    CRAWL = "crawl"


class Code(StrEnum):
    """Every kind of failure, one word each; the words for people live in `crawls/messages.py`."""

    INVALID_URL = "invalid_url"
    URL_TOO_LONG = "url_too_long"
    ADDRESS_FORBIDDEN = "address_forbidden"
    PORT_FORBIDDEN = "port_forbidden"
    DNS_FAILED = "dns_failed"
    CONNECTION_REFUSED = "connection_refused"
    CONNECTION_RESET = "connection_reset"
    TLS_FAILED = "tls_failed"
    NETWORK_ERROR = "network_error"
    CONNECT_TIMEOUT = "connect_timeout"
    READ_TIMEOUT = "read_timeout"
    DEADLINE_EXCEEDED = "deadline_exceeded"
    INVALID_RESPONSE = "invalid_response"
    HEADER_TOO_LARGE = "header_too_large"
    TRUNCATED_BODY = "truncated_body"
    DECODING_FAILED = "decoding_failed"
    UNKNOWN_ENCODING = "unknown_encoding"
    BODY_TOO_LARGE = "body_too_large"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    REDIRECT_LOOP = "redirect_loop"
    REDIRECT_INVALID = "redirect_invalid"
    REDIRECT_OFF_SITE = "redirect_off_site"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    CLIENT_ERROR = "client_error"
    AUTH_REQUIRED = "auth_required"
    NOT_FOUND = "not_found"
    GONE = "gone"
    UNEXPECTED_STATUS = "unexpected_status"
    PARSE_FAILED = "parse_failed"
    EXTRACTION_FAILED = "extraction_failed"
    ROBOTS_UNREACHABLE = "robots_unreachable"
    CIRCUIT_OPEN = "circuit_open"
    HOST_UNREACHABLE = "host_unreachable"
    INTERNAL_ERROR = "internal_error"
    WORKER_DIED = "worker_died"


_RETRYABLE = frozenset(
    {
        Code.DNS_FAILED,
        Code.CONNECTION_REFUSED,
        Code.CONNECTION_RESET,
        Code.NETWORK_ERROR,
        Code.CONNECT_TIMEOUT,
        Code.READ_TIMEOUT,
        Code.TRUNCATED_BODY,
        Code.RATE_LIMITED,
        Code.SERVER_ERROR,
        Code.WORKER_DIED,
    }
)
_HOST_WIDE = frozenset(
    {
        Code.DNS_FAILED,
        Code.CONNECTION_REFUSED,
        Code.CONNECT_TIMEOUT,
        Code.TLS_FAILED,
        Code.CIRCUIT_OPEN,
        Code.HOST_UNREACHABLE,
    }
)
_CRAWL_WIDE = frozenset({Code.ROBOTS_UNREACHABLE})
# What our own pace may have caused; kept apart from the site's faults.
_OWN_LOAD = frozenset({Code.RATE_LIMITED, Code.CIRCUIT_OPEN})


def severity(code: Code) -> Severity:
    """How far a failure of this kind reaches."""
    if code in _CRAWL_WIDE:
        return Severity.CRAWL
    return Severity.HOST if code in _HOST_WIDE else Severity.PAGE


def retryable(code: Code) -> bool:
    """Whether the same request may succeed later without anybody changing anything."""
    return code in _RETRYABLE


def caused_by_us(code: Code) -> bool:
    """Whether our own load is the likely cause (RFC 6585 section 4 for 429)."""
    return code in _OWN_LOAD


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that went wrong: what, where, and what the caller must decide on.

    `detail` is for people and logs, at most 300 characters, with no bodies and no credentials.
    `status` is the HTTP status where one came (0: none); `retry_after_s` is the server's wish in seconds.
    """

    code: Code
    detail: str = ""
    status: int = 0
    retry_after_s: float | None = None

    @property
    def retryable(self) -> bool:
        """Whether trying again later makes sense."""
        return retryable(self.code)

    @property
    def severity(self) -> Severity:
        """How far the damage reaches."""
        return severity(self.code)


def failure_of_status(status: int, retry_after_s: float | None = None) -> Failure | None:
    """The failure that an HTTP status stands for (RFC 9110 section 15), or None for 200-299 and 304."""
    if 200 <= status < 300 or status == 304:
        return None
    code = _CODE_OF_STATUS.get(status)
    if code is None:
        code = _code_of_class(status)
    return Failure(code, f"HTTP status {status}", status, retry_after_s)


_CODE_OF_STATUS = {
    401: Code.AUTH_REQUIRED,
    404: Code.NOT_FOUND,
    407: Code.AUTH_REQUIRED,
    410: Code.GONE,
    429: Code.RATE_LIMITED,
}


def _code_of_class(status: int) -> Code:
    if 400 <= status < 500:
        return Code.CLIENT_ERROR
    if 500 <= status < 600:
        return Code.SERVER_ERROR
    return Code.UNEXPECTED_STATUS
