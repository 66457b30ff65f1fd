"""The handed cases of the areas links, images and canonical, on their own bytes and headers, up to the verdict."""

from __future__ import annotations

from typing import Any

import pytest

from crawls.engine import urls
from crawls.engine.extract.document import Extraction, Extractor
from crawls.engine.judge import canonical, indexability
from crawls.engine.policy import Policy
from crawls.engine.records import Facts, Page, Reason, Response, Source, State, Verdict
from tests.crawls.engine.extract.pages import links_of
from tests.shared import cases, needs_shared, served

pytestmark = [needs_shared, pytest.mark.acceptance]


def _response(case: dict[str, Any], url: str) -> Response:
    answer = served(case, url)
    return Response(answer.url, answer.url, answer.status, answer.headers, answer.body)


def _page(response: Response) -> Page:
    page = Extractor(Extraction.of(Policy())).read(response)
    assert isinstance(page, Page), page
    return page


def _facts(order: int, response: Response) -> Facts:
    given = (order, urls.key_of(response.url), response.url, 0, Source.LINK, State.DONE)
    if 300 <= response.status < 400:
        target = urls.resolve(response.header("location"), response.url) or ""
        return Facts(*given, Verdict.OUT, Reason.REDIRECTED, response.status, target, "")
    page = _page(response)
    judgement = indexability.judge(page, response.url, Policy())
    return Facts(*given, judgement.verdict, judgement.reason, response.status, response.url, page.canonical)


def _listed(case: dict[str, Any]) -> tuple[list[str], list[str]]:
    """What of the case's addresses is listed in the end, and the evidence of the rulings."""
    answers = [_response(case, route["url"]) for route in case["routes"]]
    known = {facts.key: facts for facts in (_facts(order, answer) for order, answer in enumerate(answers))}
    listed, evidence = [], []
    for facts in known.values():
        ruling = canonical.resolve(facts, known.get) if facts.reason is Reason.CANONICALIZED else None
        evidence += [ruling.evidence] if ruling else []
        if (ruling.verdict if ruling else facts.verdict) is Verdict.IN:
            listed.append(facts.url)
    return listed, evidence


@pytest.mark.parametrize("case", cases("links", "images", "canonical", kind="file"))
def test_a_handed_case_comes_out_as_told(case: dict[str, Any]) -> None:
    expected, page = case["expected"], _page(_response(case, case["expected"]["page"]))
    found = links_of(page)
    if "links" in expected:
        assert set(expected["links"]) <= set(found)
        assert set(found) <= {*expected["links"], *expected.get("may", ())}
    assert not set(expected.get("must_not", ())) & set(found)
    for one, other in expected.get("same_key", ()):
        assert urls.key_of(one) == urls.key_of(other)
    if "canonical" in expected:
        assert page.canonical == (expected["canonical"] or "")
    if "robots" in expected:
        assert {name: getattr(page.robots, name) for name in expected["robots"]} == expected["robots"]
    if "meta_refresh" in expected:
        assert page.refresh == (expected["meta_refresh"] or "")
    _check_hosts(expected, found)
    _check_images(expected, page)
    _check_listing(expected, case, page)


def _check_hosts(expected: dict[str, Any], found: list[str]) -> None:
    if "internal" in expected:
        assert sorted(one for one in found if urls.same_host(one, expected["page"])) == sorted(expected["internal"])
    if "external" in expected:
        assert sorted(one for one in found if not urls.same_host(one, expected["page"])) == sorted(expected["external"])


def _check_images(expected: dict[str, Any], page: Page) -> None:
    if "images" in expected:
        assert set(expected["images"]) <= set(page.images)
        assert set(page.images) <= {*expected["images"], *expected.get("images_may", ())}
    prefix = expected.get("images_must_not_prefix")
    assert prefix is None or not any(image.startswith(prefix) for image in page.images)


def _check_listing(expected: dict[str, Any], case: dict[str, Any], page: Page) -> None:
    evidence = list(page.warnings)
    if "listed" in expected:
        listed, rulings = _listed(case)
        assert listed == expected["listed"]
        evidence += rulings
    assert not expected.get("warn") or evidence
