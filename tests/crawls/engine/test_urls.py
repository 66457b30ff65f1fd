"""Addresses, their one written form, and what makes two of them one page."""

from __future__ import annotations

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawls.engine import urls

BASE = "http://site.test/dir/page.html"


@pytest.mark.parametrize(
    ("reference", "address"),
    [
        ("x", "http://site.test/dir/x"),
        ("/x/", "http://site.test/x/"),
        ("?a=1", "http://site.test/dir/page.html?a=1"),
        ("//other.test/y", "http://other.test/y"),
        ("  \n/on\te ", "http://site.test/one"),
        ("\\news\\today", "http://site.test/news/today"),
        ("HTTP://SITE.TEST:80/A", "http://site.test/A"),
        ("https://site.test:443/", "https://site.test/"),
        ("http://site.test:8080/", "http://site.test:8080/"),
        ("/a b?c d#e", "http://site.test/a%20b?c%20d"),
        ("/ü", "http://site.test/%C3%BC"),
        ("http://u:p@site.test/x?y=a@b", "http://site.test/x?y=a@b"),
        ("/./a/../b", "http://site.test/b"),
        ("mailto:a@b.test", None),
        ("javascript:void(0)", None),
        ("http://[bad", None),
        ("http://", None),
    ],
)
def test_a_reference_means_what_a_browser_takes_it_for(reference: str, address: str | None) -> None:
    assert urls.resolve(reference, BASE) == address


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://a.test/%7Eme", "http://a.test/~me", True),
        ("http://a.test/%e3%83%84", "http://a.test/%E3%83%84", True),
        ("http://a.test/?a=1&b=2", "http://a.test/?b=2&a=1", True),
        ("http://a.test/?utm_source=x&p=1", "http://a.test/?p=1", True),
        ("http://a.test/?PHPSESSID=3f9a8b7c6d", "http://a.test/", True),
        ("http://a.test/x;jsessionid=AB12?p=1", "http://a.test/x?p=1", True),
        ("http://a.test/?sid=12", "http://a.test/", False),
        ("http://a.test/x", "http://a.test/x/", False),
        ("http://a.test/x", "http://a.test/X", False),
        ("http://a.test/a%2Fb", "http://a.test/a/b", False),
        ("http://a.test/?p=1", "http://a.test/?p=2", False),
        ("http://a.test/", "https://a.test/", False),
    ],
)
def test_two_addresses_are_one_page_when_only_their_spelling_differs(one: str, other: str, *, same: bool) -> None:
    assert (urls.key_of(one) == urls.key_of(other)) is same


@pytest.mark.parametrize(
    ("one", "other", "twin"),
    [
        ("http://a.test/", "https://www.a.test/", True),
        ("http://www.a.test/", "http://a.test/", True),
        ("http://a.test/", "http://b.test/", False),
        ("http://a.test/", "http://blog.a.test/", False),
        ("http://a.test:8080/", "http://a.test:8081/", False),
    ],
)
def test_www_and_apex_are_twins(one: str, other: str, *, twin: bool) -> None:
    assert urls.is_twin(one, other) is twin


_PATHS = st.text(alphabet="abAB019-._~!$&'()*+,;=:@%/ üツ\\\t[]{}|^`<>\"", max_size=40)
_QUERIES = st.text(alphabet="abAB019-._~!$&'()*+,;=:@%/?ü []", max_size=40)


@given(_PATHS, _QUERIES)
def test_normalizing_is_idempotent_and_leaves_what_the_parser_resolves_to(path: str, query: str) -> None:
    address = urls.resolve(f"/{path}?{query}", BASE)
    if address is None:
        return
    normal = urls.normalize(address)
    assert urls.normalize(normal) == normal
    assert ada_url.URL(normal).href == normal
    assert urls.origin(normal) == urls.origin(address)
    assert urls.key_of(normal) == urls.key_of(address)


@given(_PATHS, _QUERIES)
def test_a_clean_address_without_noise_is_untouched(path: str, query: str) -> None:
    address = urls.resolve(f"/{path}?{query}", BASE)
    if address is None or any(mark in address.lower() for mark in ("sid", "utm", "session", ";")):
        return
    assert urls.clean(address) == address


def test_an_address_is_split_into_its_pieces() -> None:
    assert urls.split("https://[::1]:8443/a/b?c=d") == ("https", "[::1]", 8443, "/a/b", "c=d")
    assert urls.split("http://a.test/") == ("http", "a.test", 80, "/", "")
    assert urls.target("http://a.test/x?y") == "/x?y"
    assert urls.origin("http://a.test:81/x") == "http://a.test:81"
