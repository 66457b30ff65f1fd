"""Pace, breaker, retries: deciders that are given the time."""

from __future__ import annotations

from math import inf

import pytest

from crawls.engine.errors import Code, Failure, failure_of_status
from crawls.engine.frontier import retry
from crawls.engine.frontier.breaker import Breakers
from crawls.engine.frontier.politeness import Politeness
from crawls.engine.policy import Breaker, Retry
from crawls.engine.policy import Politeness as Limits

HOST = "site.test"


def send_for(pace: Politeness, seconds: float, answer_s: float = 0.01, failure: Failure | None = None) -> int:
    """How many requests go out in so many seconds when each is answered at once."""
    now, sent = 0.0, 0
    while True:
        now = max(now, pace.next_at(HOST, now))
        if now >= seconds:
            return sent
        pace.sent(HOST, now)
        sent += 1
        pace.answered(HOST, now, answer_s, failure)


def test_a_host_is_asked_at_the_start_rate_and_then_faster_up_to_the_bound() -> None:
    pace = Politeness(Limits(rate_per_s=3, max_rate_per_s=8))
    assert 3 <= send_for(pace, 1.0) <= 5
    send_for(pace, 120.0)
    assert pace.rate_per_s(HOST) == 8


def test_429_halves_the_rate_and_retry_after_pauses_the_host() -> None:
    pace = Politeness(Limits(rate_per_s=4))
    pace.sent(HOST, 10.0)
    pace.answered(HOST, 10.0, 0.1, Failure(Code.RATE_LIMITED, status=429, retry_after_s=7))
    assert pace.rate_per_s(HOST) == 2
    assert pace.next_at(HOST, 10.0) >= 17.0


def test_retry_after_is_honoured_up_to_its_bound() -> None:
    pace = Politeness(Limits(max_retry_after_s=300))
    pace.sent(HOST, 0.0)
    pace.answered(HOST, 0.0, 0.1, Failure(Code.RATE_LIMITED, status=429, retry_after_s=99_999))
    assert 300 <= pace.next_at(HOST, 0.0) < 302


def test_one_page_that_asks_for_a_year_does_not_stop_the_host() -> None:
    pace = Politeness(Limits(max_retry_after_s=300))
    pace.sent(HOST, 0.0)
    pace.answered(HOST, 0.0, 0.1, Failure(Code.SERVER_ERROR, status=503, retry_after_s=31_536_000))
    assert pace.next_at(HOST, 0.0) < 5


def test_no_more_requests_are_on_their_way_than_allowed() -> None:
    pace = Politeness(Limits(rate_per_s=100, concurrency=2))
    pace.sent(HOST, 0.0)
    pace.sent(HOST, 0.0)
    assert pace.next_at(HOST, 0.0) == inf
    pace.answered(HOST, 0.1, 0.1, None)
    assert pace.next_at(HOST, 0.1) == 0.1


def test_a_crawl_delay_is_obeyed_up_to_ten_seconds_one_request_at_a_time() -> None:
    pace = Politeness(Limits(rate_per_s=0))
    pace.crawl_delay(HOST, 60)
    pace.sent(HOST, 0.0)
    assert pace.next_at(HOST, 0.0) == inf
    pace.answered(HOST, 0.5, 0.5, None)
    assert pace.next_at(HOST, 0.5) >= 5.0
    assert send_for(pace, 100.0) <= 11


def test_a_crawl_without_delay_gets_a_rate_once_the_server_says_too_much() -> None:
    pace = Politeness(Limits(rate_per_s=0))
    pace.sent(HOST, 0.0)
    pace.answered(HOST, 0.0, 0.01, failure_of_status(429))
    assert 0 < pace.rate_per_s(HOST) <= 4


def test_a_crawl_without_delay_grows_out_of_one_overload() -> None:
    pace = Politeness(Limits(rate_per_s=0))
    pace.sent(HOST, 0.0)
    pace.answered(HOST, 0.0, 0.01, failure_of_status(429))
    now = 0.0
    while pace.rate_per_s(HOST) and now < 60:
        now = max(now, pace.next_at(HOST, now))
        pace.sent(HOST, now)
        pace.answered(HOST, now, 0.01, None)
    assert now < 30


def test_the_breaker_opens_after_five_failures_lets_one_try_and_closes_after_two_successes() -> None:
    breakers = Breakers(Breaker())
    for moment in range(5):
        assert breakers.allows(HOST, moment)
        breakers.failed(HOST, moment)
    assert not breakers.allows(HOST, 5.0)
    assert breakers.reopens_at(HOST, 5.0) == 34.0
    assert breakers.allows(HOST, 34.0)
    breakers.sent(HOST)
    assert not breakers.allows(HOST, 34.0)
    breakers.succeeded(HOST)
    assert breakers.allows(HOST, 35.0)
    breakers.sent(HOST)
    assert not breakers.allows(HOST, 35.0)
    breakers.succeeded(HOST)
    breakers.sent(HOST)
    assert breakers.allows(HOST, 36.0)


def test_a_failure_while_half_open_opens_it_again() -> None:
    breakers = Breakers(Breaker())
    for _ in range(5):
        breakers.failed(HOST, 0.0)
    breakers.sent(HOST)
    breakers.failed(HOST, 30.0)
    assert not breakers.allows(HOST, 59.0)
    assert breakers.allows(HOST, 60.0)


def test_four_failures_and_a_success_do_not_open_it() -> None:
    breakers = Breakers(Breaker())
    for _ in range(4):
        breakers.failed(HOST, 0.0)
    breakers.succeeded(HOST)
    for _ in range(4):
        breakers.failed(HOST, 0.0)
    assert breakers.allows(HOST, 0.0)


def test_a_host_that_never_recovers_is_given_up() -> None:
    breakers = Breakers(Breaker(max_openings=3))
    for _ in range(5):
        breakers.failed(HOST, 0.0)
    for opening in range(1, 3):
        assert not breakers.gave_up(HOST)
        breakers.sent(HOST)
        breakers.failed(HOST, 30.0 * opening)
    assert breakers.gave_up(HOST)


@pytest.mark.parametrize(
    ("failure", "attempts", "after_s"),
    [
        (Failure(Code.SERVER_ERROR, status=503), 1, 1.0),
        (Failure(Code.SERVER_ERROR, status=503), 2, 3.0),
        (Failure(Code.SERVER_ERROR, status=503), 3, None),
        (Failure(Code.NOT_FOUND, status=404), 1, None),
        (Failure(Code.ADDRESS_FORBIDDEN), 1, None),
        (Failure(Code.RATE_LIMITED, status=429, retry_after_s=20), 1, 20.0),
        (Failure(Code.RATE_LIMITED, status=429, retry_after_s=900), 1, None),
    ],
)
def test_only_passing_failures_are_tried_again_later_each_time(
    failure: Failure, attempts: int, after_s: float | None
) -> None:
    again = retry.decide(failure, attempts, Retry(), 0.0, 300.0)
    assert (again.after_s if again else None) == after_s


@pytest.mark.parametrize(
    ("status", "code"),
    [(200, None), (204, None), (304, None), (301, "unexpected_status"), (401, "auth_required"), (403, "client_error"),
     (404, "not_found"), (410, "gone"), (429, "rate_limited"), (500, "server_error"), (503, "server_error"),
     (999, "unexpected_status")],
)  # fmt: skip
def test_a_status_is_the_failure_it_stands_for(status: int, code: str | None) -> None:
    failure = failure_of_status(status)
    assert (failure.code if failure else None) == code
