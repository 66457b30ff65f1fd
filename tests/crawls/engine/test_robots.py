"""robots.txt by RFC 9309: who may fetch what, by which rule and line."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from crawls.engine.discover import robots
from crawls.engine.discover.robots import Availability

URL = "http://site.test/robots.txt"
STAR = "User-agent: *\n"


def allowed(text: str | bytes, target: str, agent: str = "MyBot") -> bool:
    body = text.encode() if isinstance(text, str) else text
    return robots.parse(body, URL).decide(agent, target).allowed


@pytest.mark.parametrize(
    ("rules", "target", "expected"),
    [
        ("Disallow: /", "/x", False),
        ("Disallow:", "/x", True),
        ("Disallow: /a", "/abc", False),
        ("Disallow: /a", "/b", True),
        ("Disallow: /a/\nAllow: /a/b", "/a/b/c", True),
        ("Allow: /p\nDisallow: /p", "/p", True),
        ("Disallow: /*.php$", "/x.php", False),
        ("Disallow: /*.php$", "/x.php5", True),
        ("Disallow: /*.php", "/x.php5", False),
        ("Disallow: /a*b*c", "/a--b--c--", False),
        ("Disallow: /a*b*c", "/a--c--b", True),
        ("Disallow: /a$", "/a", False),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: *", "/x", False),
        ("Disallow: /fish*", "/fish.html?x", False),
        ("Disallow: /*?", "/x?y", False),
        ("Disallow: /x?a=", "/x?a=1", False),
        ("Disallow: /%7Ejoe", "/~joe", False),
        ("Disallow: /~joe", "/%7ejoe", False),
        ("Disallow: /a%2Fb", "/a/b", True),
        ("Disallow: /a%2fb", "/a%2Fb", False),
        ("Disallow: /ü", "/%C3%BC", False),
        ("Disallow: /%C3%BC", "/%c3%bc", False),
        ("Disallow: /robots.txt", "/robots.txt", True),
        ("Disallow: x", "/x", False),
        ("Disallow : /x  # no", "/x", False),
        ("disallow /x", "/x", False),
        ("Disalow: /x", "/x", False),
    ],
)
def test_the_longest_matching_rule_decides(rules: str, target: str, *, expected: bool) -> None:
    assert allowed(f"{STAR}{rules}\n", target) is expected


@pytest.mark.parametrize(
    ("text", "agent", "expected"),
    [
        ("User-agent: MyBot\nDisallow: /x\n\nUser-agent: *\nDisallow: /", "MyBot", False),
        ("User-agent: MyBot\nDisallow:\n\nUser-agent: *\nDisallow: /", "MyBot", True),
        ("User-agent: mybot/2.1 (+http://b.test)\nDisallow: /x", "MyBot", False),
        ("User-agent: bot\nDisallow: /x", "MyBot", True),
        ("User-agent: MyBotExtra\nDisallow: /x", "MyBot", True),
        ("User-agent: a\nUser-agent: MyBot\nDisallow: /x", "MyBot", False),
        ("User-agent: MyBot\nCrawl-delay: 1\nUser-agent: b\nDisallow: /x", "MyBot", False),
        ("User-agent: MyBot\nAllow: /y\nUser-agent: b\nDisallow: /x", "MyBot", True),
        (
            "User-agent: MyBot\nAllow: /y\n\nUser-agent: *\nDisallow: /\n\nUser-agent: MyBot\nDisallow: /x",
            "MyBot",
            False,
        ),
        ("Disallow: /x\nUser-agent: *\nAllow: /", "MyBot", True),
        ("User-agent: *\n\n\nDisallow: /x", "MyBot", False),
        ("User-agent: *\nWhatever: 1\nDisallow: /x", "MyBot", False),
    ],
)
def test_the_own_group_replaces_that_of_everybody(text: str, agent: str, *, expected: bool) -> None:
    assert allowed(text, "/x", agent) is expected


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_line_ends_and_encodings_do_not_matter(line_end: str, encoding: str) -> None:
    text = line_end.join(["User-agent: *", "Disallow: /x", ""])
    assert not allowed(text.encode(encoding), "/x")


def test_the_deciding_rule_and_its_line_are_named() -> None:
    file = robots.parse(b"# hello\nUser-agent: *\nDisallow: /a\nAllow: /a/b\n", URL)
    assert (file.decide("X", "/a/c").rule, file.decide("X", "/a/c").line) == ("Disallow: /a", 3)
    assert (file.decide("X", "/a/b").rule, file.decide("X", "/a/b").line) == ("Allow: /a/b", 4)
    assert file.decide("X", "/z").line == 0


def test_sitemaps_are_resolved_and_told_with_their_line() -> None:
    file = robots.parse(b"Sitemap: /a.xml\nSITEMAP: http://b.test/c.xml\nSitemap: mailto:x\n", URL)
    assert file.sitemaps == [(1, "http://site.test/a.xml"), (2, "http://b.test/c.xml")]
    assert {finding.where for finding in file.findings} == {f"{URL}:1", f"{URL}:3"}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"<!doctype html><p>User-agent: *\nDisallow: /", "robots_is_html"),
        (b"Disallow: /", "robots_rule_without_group"),
        (b"User-agent: *\nDisallow: x", "robots_path_without_slash"),
        (b"User-agent: *\nDisalow: /x", "robots_misspelled"),
        (b"User-agent: *\nNonsense: /x", "robots_unknown_line"),
        (b"User-agent: *\nCrawl-delay: soon", "robots_bad_crawl_delay"),
        (b"User-agent: *\nDisallow: /x\n" + b"#" * robots.MAX_BYTES, "robots_too_large"),
    ],
)
def test_what_is_odd_is_told(body: bytes, code: str) -> None:
    assert code in {finding.code for finding in robots.parse(body, URL).findings}


def test_rules_within_the_first_500_kib_count_and_those_behind_do_not() -> None:
    body = b"User-agent: *\nDisallow: /early\n" + b"# filler\n" * 60_000 + b"Disallow: /late\n"
    assert not allowed(body, "/early")
    assert allowed(body, "/late")


def test_the_crawl_delay_is_that_of_the_own_group() -> None:
    file = robots.parse(b"User-agent: *\nCrawl-delay: 9\n\nUser-agent: MyBot\nCrawl-delay: 2,5\n", URL)
    assert file.crawl_delay("MyBot") == 2.5
    assert file.crawl_delay("Other") == 9
    assert robots.parse(b"", URL).crawl_delay("MyBot") is None


@pytest.mark.parametrize(
    ("status", "meaning"),
    [(200, "parse"), (404, "allow_all"), (403, "allow_all"), (410, "allow_all"), (429, "wait"), (500, "disallow_all"),
     (503, "disallow_all")],
)  # fmt: skip
def test_a_status_means_what_the_rfc_says(status: int, meaning: str) -> None:
    assert robots.availability(status) is Availability(meaning)


def test_many_stars_take_no_longer_than_the_text_is() -> None:
    file = robots.parse(b"User-agent: *\nDisallow: /" + b"*a" * 500 + b"*b$", URL)
    assert file.decide("X", "/" + "a" * 20_000).allowed


@given(st.binary(max_size=300), st.text(max_size=40))
def test_no_bytes_make_it_fail(body: bytes, target: str) -> None:
    file = robots.parse(body, URL)
    assert isinstance(file.decide("MyBot", f"/{target}").allowed, bool)


_PIECES = st.lists(st.sampled_from(["a", "b", "/", "*", "?", "=", "~", "%7E", "ab", "."]), max_size=6)
_RULES = st.lists(st.tuples(st.sampled_from(["Allow", "Disallow"]), _PIECES, st.booleans()), max_size=5)


@given(_RULES, st.lists(st.sampled_from(["a", "b", "/", "?", "=", "~", "ab", "."]), max_size=8))
def test_a_second_implementation_agrees(rules: list[tuple[str, list[str], bool]], pieces: list[str]) -> None:
    """Protego, except where RFC 9309 says otherwise.

    - section 2.2.2: the most octets win, where Protego ranks a pattern with stars by its length without trailing ones;
      so only rules of which no two have the same length, and none ends in a star, are compared.
    - section 2.2.3: `$` only means the end where it stands last; patterns hold none elsewhere.
    """
    patterns = [(kind, "/" + "".join(parts).rstrip("*") + ("$" if end else "")) for kind, parts, end in rules]
    written = [re.sub("%7E", "~", pattern) for _, pattern in patterns]
    if len({len(pattern) for pattern in written}) < len(written):
        return
    text = STAR + "".join(f"{kind}: {pattern}\n" for kind, pattern in patterns)
    target = "/" + "".join(pieces)
    assert allowed(text, target) == Protego.parse(text).can_fetch(f"http://site.test{target}", "MyBot")
