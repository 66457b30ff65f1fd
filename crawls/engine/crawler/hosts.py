"""What each host allows: its robots.txt, our pace towards it, and whether it answers at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from crawls.engine import urls
from crawls.engine.discover import robots
from crawls.engine.discover.robots import Decision, RobotsFile
from crawls.engine.errors import Code, Failure
from crawls.engine.policy import Policy
from crawls.engine.ports import Documents, StopSignal
from crawls.engine.records import Finding, Level, Response

_ATTEMPTS = 3
_FIRST_WAIT_S = 1.0
_TIMEOUT_S = 15.0


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """The rules of one origin, or why there are none: then everything is disallowed (RFC 9309 section 2.3.1.4)."""

    file: RobotsFile | None
    failure: Failure | None = None


class RobotsShelf:
    """The robots.txt of each origin (scheme, host and port), read once, when first needed."""

    def __init__(
        self,
        policy: Policy,
        documents: Documents,
        stop: StopSignal,
        on_loaded: Callable[[str, RobotsFile], None],
        tell: Callable[[Finding], None],
    ) -> None:
        self._policy = policy
        self._token = policy.fetching.product_token
        self._documents = documents
        self._stop = stop
        self._on_loaded = on_loaded
        self._tell = tell
        self._answers: dict[str, RobotsAnswer] = {}

    def answer(self, origin: str) -> RobotsAnswer:
        """The robots.txt of an origin, fetched when it is not known yet."""
        known = self._answers.get(origin)
        if known is None:
            known = self._answers[origin] = self._load(origin)
            if known.file is not None:
                self._on_loaded(origin, known.file)
        return known

    def decide(self, url: str) -> Decision:
        """Whether an address may be fetched, by which rule and line."""
        answer = self.answer(urls.origin(url))
        if answer.file is None:
            return Decision(allowed=False, rule="robots.txt unreachable", line=0)
        return answer.file.decide(self._token, urls.target(url))

    def _load(self, origin: str) -> RobotsAnswer:
        url = f"{origin}/robots.txt"
        wait_s = _FIRST_WAIT_S
        for attempt in range(1, _ATTEMPTS + 1):
            got = self._documents.get(
                url, max_bytes=robots.MAX_BYTES + 1, deadline_s=_TIMEOUT_S, max_redirects=5, keep_truncated=True
            )
            answer, retry_after_s = self._understand(origin, got)
            if answer is not None and not (answer.failure and self._worth_retrying(answer.failure, attempt)):
                return answer
            if attempt == _ATTEMPTS or self._stop.wait(self._pause(retry_after_s, wait_s)):
                break
            wait_s *= self._policy.retry.factor
        if answer is None:
            answer = RobotsAnswer(None, Failure(Code.ROBOTS_UNREACHABLE, "robots.txt answered 429 each time", 429))
        return answer

    @staticmethod
    def _worth_retrying(failure: Failure, attempt: int) -> bool:
        # Refused or unknown hosts end at once: a person waits for the message. Server errors and cut lines may pass.
        return attempt < _ATTEMPTS and failure.code in (Code.ROBOTS_UNREACHABLE, Code.TRUNCATED_BODY)

    def _pause(self, retry_after_s: float | None, wait_s: float) -> float:
        if retry_after_s is None:
            return wait_s
        return min(retry_after_s, self._policy.politeness.max_retry_after_s)

    def _understand(self, origin: str, got: Response | Failure) -> tuple[RobotsAnswer | None, float | None]:
        where = f"{origin}/robots.txt"
        if isinstance(got, Failure):
            return self._of_failure(where, got), got.retry_after_s
        match robots.availability(got.status):
            case robots.Availability.WAIT:
                return None, _seconds(got.header("retry-after"))
            case robots.Availability.DISALLOW_ALL:
                return self._unreachable(
                    Failure(Code.ROBOTS_UNREACHABLE, f"HTTP status {got.status}", got.status)
                ), None
            case robots.Availability.ALLOW_ALL:
                return RobotsAnswer(robots.parse(b"", where)), None
        file = robots.parse(got.body, where)
        for finding in file.findings:
            self._tell(finding)
        return RobotsAnswer(file), None

    def _of_failure(self, where: str, failure: Failure) -> RobotsAnswer:
        if failure.code in (Code.TOO_MANY_REDIRECTS, Code.REDIRECT_LOOP, Code.REDIRECT_INVALID):
            # RFC 9309 section 2.3.1.2: after five hops it may be taken as unavailable, so everything is allowed.
            message = f"robots.txt redirects without end ({failure.detail}); taken as absent, so everything is allowed"
            self._tell(Finding("robots_redirects", message, where))
            return RobotsAnswer(robots.parse(b"", where))
        return self._unreachable(failure)

    def _unreachable(self, failure: Failure) -> RobotsAnswer:
        if not self._policy.ignore_robots_unreachable:
            return RobotsAnswer(None, failure)
        message = f"robots.txt is unreachable ({failure.detail}); ignored, as this site's settings ask"
        self._tell(Finding("robots_ignored", message, level=Level.WARNING))
        return RobotsAnswer(robots.parse(b"", "robots.txt"))


def _seconds(text: str) -> float | None:
    return float(text) if text.isdigit() else None
