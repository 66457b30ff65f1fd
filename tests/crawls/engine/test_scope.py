"""In or out: hosts, rules, traps, shares."""

from __future__ import annotations

import pytest

from crawls.engine.frontier.prefix import PrefixShare
from crawls.engine.frontier.scope import Scope
from crawls.engine.frontier.traps import MAX_COMBINATIONS, Traps
from crawls.engine.policy import Policy, Rules
from crawls.engine.records import Reason

START = "http://site.test/"


def scope(**changes: object) -> Scope:
    return Scope(START, Policy(**changes), 2026)  # type: ignore[arg-type]  # fields of the policy


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("http://site.test/x", True),
        ("https://site.test/x", True),
        ("http://site.test:8080/x", False),
        ("http://www.site.test/", False),
        ("http://blog.site.test/", False),
        ("http://evilsite.test/", False),
    ],
)
def test_a_site_is_one_host_and_port(url: str, *, inside: bool) -> None:
    assert scope().contains(url) is inside


def test_subdomains_belong_to_it_when_asked_for() -> None:
    wide = scope(include_subdomains=True)
    assert wide.contains("http://blog.site.test/")
    assert not wide.contains("http://evilsite.test/")


def test_the_four_kinds_of_rules() -> None:
    rules = Rules(exclude=("/private/",), no_list=("*?print=",), no_fetch=("/downloads/*.html$",))
    ruled = scope(rules=rules)
    assert ruled.judge("http://site.test/private/x").reason is Reason.EXCLUDED
    assert ruled.judge("http://site.test/private/x").evidence == "exclude /private/"
    assert ruled.judge("http://site.test/a").admit
    assert ruled.listing_rule("http://site.test/a?print=1") == "no-list *?print="
    unread = ruled.judge("http://site.test/downloads/a.html")
    assert unread.admit
    assert not unread.fetch
    only = scope(rules=Rules(only=("/docs/",)))
    assert only.judge("http://site.test/docs/x").admit
    assert only.judge("http://site.test/blog/").reason is Reason.EXCLUDED
    assert only.judge(START).admit
    assert only.listing_rule(START)


def test_a_pattern_that_cannot_be_one_is_named() -> None:
    with pytest.raises(ValueError, match="'docs/'"):
        scope(rules=Rules(exclude=("docs/",)))


def test_an_address_over_the_limit_of_sitemaps_is_out() -> None:
    assert scope().judge(START + "x" * 2_047).reason is Reason.URL_TOO_LONG


@pytest.mark.parametrize(
    "url",
    [
        "http://s.test/dir/products/products/products/products/",
        "http://s.test/a/b/a/b/a/b/a/b/",
        "http://s.test/x/%7B%7Burl%7D%7D",
        "http://s.test/calendar/2150/03/",
        "http://s.test/f?c=1&c=2&c=3&c=4",
        "http://s.test/f?" + "&".join(f"p{number}=1" for number in range(13)),
    ],
)
def test_endless_spaces_are_caught(url: str) -> None:
    assert Traps(2026).catch(url)


def test_more_combinations_of_parameters_than_a_page_can_mean_are_caught() -> None:
    traps = Traps(2026)
    caught = [traps.catch(f"http://s.test/shop?{'&'.join(f'f{bit}=1' for bit in range(8) if number >> bit & 1)}")
              for number in range(1, 200)]  # fmt: skip
    assert not any(caught[:MAX_COMBINATIONS])
    assert all(caught[MAX_COMBINATIONS:])
    finding = traps.findings()[0]
    assert finding.where == "/shop?*"
    assert "exclude /shop?*" in finding.message


def test_ordinary_sites_are_not_taken_for_traps() -> None:
    traps = Traps(2026)
    addresses = [f"http://s.test/index.php?id={number}" for number in range(5_000)]
    addresses += [f"http://s.test/blog?page={number}" for number in range(300)]
    addresses += [f"http://s.test/2{year:03}/{month:02}/a-title-{year}" for year in range(27) for month in range(1, 13)]
    addresses += [
        "http://s.test/img/img/logo",
        "http://s.test/2024/2024-01/x",
        "http://s.test/en/en-US/",
        "http://s.test/v1/v2/",
    ]
    addresses += [f"http://s.test/api/a/b/c/d/e/f/g/{number}.html" for number in range(20_000)]
    assert not [url for url in addresses if traps.catch(url)]


def test_a_prefix_waits_once_it_had_its_share_of_a_large_crawl() -> None:
    share = PrefixShare(Policy(max_pages=1_000))
    for number in range(250):
        assert not share.over_share(f"http://s.test/cal/{number}", number)
        share.note(f"http://s.test/cal/{number}")
    assert share.over_share("http://s.test/cal/x", 250)
    assert not share.over_share("http://s.test/real/1", 250)
