"""GET by HTTP through requests: redirects by hand, every hop guarded, bodies capped, one deadline over all of it.

The pools of the adapter are used directly: a session costs more than parsing a page does, and its redirects, cookies
and environment look-ups are what is done by hand here.
"""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

import certifi
from requests import PreparedRequest
from urllib3 import Retry
from urllib3.util import Timeout

from crawls.engine import urls
from crawls.engine.errors import Code, Failure
from crawls.engine.fetch import body as bodies
from crawls.engine.fetch.connections import GuardedAdapter
from crawls.engine.fetch.failures import EXPECTED, failure_of
from crawls.engine.fetch.guard import Guard
from crawls.engine.fetch.watchdog import WATCHDOG
from crawls.engine.policy import Fetching
from crawls.engine.records import Hop, Response

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

_NO_RETRIES = Retry(0, read=False)
_MAX_POOLS = 50

MayFollow = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one fetch; see `policy.Fetching`. `pages` reads no more of what is surely no page than a glance."""

    max_bytes: int
    deadline_s: float
    max_redirects: int
    keep_truncated: bool = True
    pages: bool = True


@dataclass(slots=True)
class Fetched:
    """A response, or a failure, with what it took: hops (address asked and status), requests, bytes, seconds."""

    response: Response | None = None
    failure: Failure | None = None
    hops: tuple[Hop, ...] = ()
    requests: int = 0
    wire_bytes: int = 0
    elapsed_s: float = 0.0
    retry_after_s: float | None = None


@dataclass(slots=True)
class _Chain:
    """One fetch on its way: where it is, where it was, and the cookies of this chain only (RFC 6265)."""

    requested: str
    url: str
    hops: list[Hop] = field(default_factory=list)
    cookies: dict[str, dict[str, str]] = field(default_factory=dict)
    seen: set[tuple[str, str]] = field(default_factory=set)
    requests: int = 0
    wire_bytes: int = 0

    def cookie_header(self) -> str:
        jar = self.cookies.get(urls.split(self.url).host, {})
        return "; ".join(f"{name}={value}" for name, value in jar.items())

    def keep_cookies(self, lines: list[str]) -> None:
        jar = self.cookies.setdefault(urls.split(self.url).host, {})
        for line in lines[:100]:
            name, equals, value = line.split(";", 1)[0].partition("=")
            if equals and len(value) <= 4096:
                jar[name.strip()] = value.strip()


class Client:
    """Fetches addresses for one thread. Never raises for what the network does."""

    def __init__(self, fetching: Fetching, guard: Guard) -> None:
        self._fetching = fetching
        self._guard = guard
        self._slot = WATCHDOG.slot()
        self._adapter = GuardedAdapter(guard, self._slot, fetching.connect_timeout_s)
        self._timeout = Timeout(connect=fetching.connect_timeout_s, read=fetching.read_timeout_s)
        self._headers = {"User-Agent": fetching.user_agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip, deflate"}
        # What the site's owner gave goes to the host it was given for, and to no other that a redirect leads to.
        self._own_headers = {**self._headers, **dict(fetching.headers), **_authorization(fetching)}
        # urllib3's own classes, whose annotations lag behind what they do.
        self._pools: dict[str, Any] = {}
        self._proxies = {"http": fetching.proxy_url, "https": fetching.proxy_url} if fetching.proxy_url else {}
        self._page_limits = Limits(fetching.max_body_bytes, fetching.deadline_s, fetching.max_redirects)

    def close(self) -> None:
        """Close all connections."""
        WATCHDOG.drop(self._slot)
        self._adapter.close()

    def fetch(self, url: str, may_follow: MayFollow | None = None, limits: Limits | None = None) -> Fetched:
        """The answer at an address, after its redirects.

        A redirect that `may_follow` refuses ends the chain as `redirect_off_site`, its target in the detail, not asked.
        """
        limits = limits or self._page_limits
        chain = _Chain(url, url)
        started = time.monotonic()
        self._slot.begin(started + limits.deadline_s)
        try:
            fetched = self._walk(chain, may_follow, limits, started)
        finally:
            self._slot.end()
        fetched.hops = tuple(chain.hops)
        fetched.requests = chain.requests
        fetched.wire_bytes = chain.wire_bytes
        fetched.elapsed_s = time.monotonic() - started
        return fetched

    def _walk(self, chain: _Chain, may_follow: MayFollow | None, limits: Limits, started: float) -> Fetched:
        while True:
            answer = self._ask(chain)
            if isinstance(answer, Failure):
                return Fetched(failure=answer)
            headers = tuple((name.lower(), value) for name, value in answer.headers.iteritems())
            if answer.status not in _REDIRECTS:
                return self._finish(chain, answer, headers, limits, started)
            answer.close()
            failure = self._next_hop(chain, answer.status, headers, may_follow, limits)
            if failure is not None:
                return Fetched(failure=failure)

    def _ask(self, chain: _Chain) -> Any | Failure:
        for fresh in (False, True):
            chain.requests += 1
            try:
                self._check_proxied(chain.url)
                return self._send(chain)
            except EXPECTED as error:
                failure = failure_of(error)
                # A kept connection may have been closed meanwhile: once more on a new one (RFC 9112 section 9.3.1).
                if fresh or not self._slot.reused or failure.code is not Code.CONNECTION_RESET or self._slot.expired:
                    return self._or_deadline(failure)
        raise AssertionError("the second round always returns")

    def _send(self, chain: _Chain) -> Any:
        """One request on a pool of the adapter; past its `send`, which costs as much again as the request itself."""
        address = chain.url if self._proxies and chain.url.startswith("http://") else urls.target(chain.url)
        answer: Any = self._pool(chain.url).urlopen(
            "GET",
            address,
            headers=self._headers_of(chain),
            redirect=False,
            assert_same_host=False,
            preload_content=False,
            decode_content=False,
            retries=_NO_RETRIES,
            timeout=self._timeout,
        )
        return answer

    def _pool(self, url: str) -> Any:
        origin = urls.origin(url)
        pool = self._pools.get(origin)
        if pool is None:
            request = PreparedRequest()
            request.url = f"{origin}/"
            pool = self._adapter.get_connection_with_tls_context(request, verify=certifi.where(), proxies=self._proxies)
            self._adapter.cert_verify(pool, request.url, certifi.where(), None)  # type: ignore[no-untyped-call]  # requests
            if len(self._pools) >= _MAX_POOLS:
                self._pools.clear()
            self._pools[origin] = pool
        return pool

    def _check_proxied(self, url: str) -> None:
        if self._proxies:
            parts = urls.split(url)
            self._guard.check_unconnected(parts.host, parts.port)

    def _headers_of(self, chain: _Chain) -> dict[str, str]:
        if not chain.cookies and urls.origin(chain.url) == urls.origin(chain.requested):
            return self._own_headers
        own = urls.origin(chain.url) == urls.origin(chain.requested)
        headers = dict(self._own_headers if own else self._headers)
        cookies = chain.cookie_header()
        if cookies:
            headers["Cookie"] = cookies
        return headers

    def _next_hop(
        self,
        chain: _Chain,
        status: int,
        headers: tuple[tuple[str, str], ...],
        may_follow: MayFollow | None,
        limits: Limits,
    ) -> Failure | None:
        chain.hops.append(Hop(chain.url, status))
        location = next((value for name, value in headers if name == "location"), "")
        target = urls.resolve(_utf8(location), chain.url) if location else None
        if target is None:
            return Failure(Code.REDIRECT_INVALID, f"status {status} with the Location {location[:200]!r}", status)
        if len(chain.hops) > limits.max_redirects:
            return Failure(
                Code.TOO_MANY_REDIRECTS, f"more than {limits.max_redirects} redirects, last to {target}"[:300]
            )
        chain.seen.add((chain.url, chain.cookie_header()))
        chain.keep_cookies([value for name, value in headers if name == "set-cookie"])
        own = urls.origin(target) == urls.origin(chain.requested) and urls.key_of(target) == urls.key_of(chain.url)
        if may_follow is not None and not own and not may_follow(target):
            return Failure(Code.REDIRECT_OFF_SITE, target, status)
        chain.url = target
        if (target, chain.cookie_header()) in chain.seen:
            return Failure(Code.REDIRECT_LOOP, f"redirected back to {target}"[:300])
        return None

    def _finish(
        self,
        chain: _Chain,
        answer: Any,
        headers: tuple[tuple[str, str], ...],
        limits: Limits,
        started: float,
    ) -> Fetched:
        ttfb_s = time.monotonic() - started
        first = dict(reversed(headers))
        body = self._read_body(answer, first, limits)
        if isinstance(body, Failure):
            return Fetched(failure=body)
        chain.wire_bytes += body.wire_bytes
        if body.cut and not limits.keep_truncated:
            return Fetched(failure=Failure(Code.BODY_TOO_LARGE, f"more than {limits.max_bytes} bytes"))
        response = Response(
            requested=chain.requested,
            url=chain.url,
            status=answer.status,
            headers=headers,
            body=body.content,
            hops=tuple(chain.hops),
            truncated=body.cut or body.broken,
            elapsed_s=time.monotonic() - started,
            ttfb_s=ttfb_s,
            wire_bytes=body.wire_bytes,
            requests=chain.requests,
        )
        return Fetched(response, retry_after_s=retry_after_s(first.get("retry-after", "")))

    def _read_body(self, answer: Any, headers: dict[str, str], limits: Limits) -> bodies.Body | Failure:
        glance = limits.pages and (
            bodies.unwanted(headers.get("content-type", ""))
            or headers.get("content-disposition", "").lower().startswith("attachment")
        )
        cap = bodies.SNIFF_BYTES if glance else limits.max_bytes
        try:
            content, whole = bodies.read(answer, cap)
        except EXPECTED as error:
            return self._or_deadline(failure_of(error))
        finally:
            answer.close() if not answer._fp.isclosed() else answer.release_conn()  # noqa: SLF001 - urllib3 has no public "is it read to its end"
        if self._slot.expired:
            return self._or_deadline(Failure(Code.DEADLINE_EXCEEDED))
        coding = headers.get("content-encoding", "")
        if not coding:
            return bodies.Body(content[:cap], len(content), cut=not whole and not glance)
        return bodies.decode(content, coding, cap)

    def _or_deadline(self, failure: Failure) -> Failure:
        if not self._slot.expired:
            return failure
        return Failure(Code.DEADLINE_EXCEEDED, "the whole answer did not come within the time allowed for a page")


def _authorization(fetching: Fetching) -> dict[str, str]:
    if fetching.basic_auth is None:
        return {}
    return {"Authorization": f"Basic {b64encode(':'.join(fetching.basic_auth).encode()).decode()}"}


def retry_after_s(value: str) -> float | None:
    """Seconds that a Retry-After header asks to wait, as number or date (RFC 9110 section 10.2.3); None for neither."""
    text = value.strip()
    if not text:
        return None
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _utf8(header: str) -> str:
    """Header bytes as the text they spell: http.client reads them as Latin-1, servers write UTF-8."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return header
