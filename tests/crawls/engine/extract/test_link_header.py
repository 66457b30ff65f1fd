from __future__ import annotations

import time

import pytest

from crawls.engine.extract.headers import MAX_HEADER_LINKS, link_header
from tests.crawls.engine.extract.pages import read


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('</a>; rel="canonical"', [("/a", {"canonical"})]),
        ("</a>;rel=canonical", [("/a", {"canonical"})]),
        ("</a> ; REL = Canonical", [("/a", {"canonical"})]),
        ('</a>; rel="prev canonical"', [("/a", {"prev", "canonical"})]),
        ("</a>; rel=next, </b>; rel=canonical", [("/a", {"next"}), ("/b", {"canonical"})]),
        (
            '</a>; title="x, </no>; rel=canonical"; rel=next, </b>; rel=canonical',
            [("/a", {"next"}), ("/b", {"canonical"})],
        ),
        ('</a>; title="say \\"hi\\""; rel=next', [("/a", {"next"})]),
        ('</a>; rel=next; rel="canonical"', [("/a", {"next"})]),
        ("</a,b;c>; rel=canonical", [("/a,b;c", {"canonical"})]),
        ("</a>", [("/a", set())]),
        ("</a>; rel", [("/a", set())]),
        ("</a>;; ;rel=canonical", [("/a", {"canonical"})]),
        ("</a>; as=x junk here, </b>; rel=canonical", [("/a", set()), ("/b", {"canonical"})]),
        ("garbage", []),
        ("<", []),
        ("", []),
        ("/a; rel=canonical", []),
        ("<>; rel=canonical", [("", {"canonical"})]),
    ],
)
def test_a_link_header_is_read_by_its_rfc(line: str, found: list[tuple[str, set[str]]]) -> None:
    assert [(link.target, set(link.rel)) for link in link_header([line])] == found


def test_parameters_have_lower_case_names_and_plain_values() -> None:
    (link,) = link_header(['</a>; HrefLang="de"; Title="a \\"b\\""; flag'])
    assert link.parameters == {"hreflang": "de", "title": 'a "b"', "flag": ""}


def test_several_lines_are_one_list() -> None:
    assert [link.target for link in link_header(["</a>; rel=x", "</b>; rel=y"])] == ["/a", "/b"]


def test_an_endless_header_is_cut() -> None:
    assert len(list(link_header(["</a>; rel=x," * 2_000]))) == MAX_HEADER_LINKS


@pytest.mark.parametrize(
    "line", ["<" * 200_000, '</a>; x="' + "y\\" * 100_000, "</a>" + ";" * 200_000, "</a>; a=" * 50_000]
)
def test_a_malicious_header_costs_no_time(line: str) -> None:
    started = time.process_time()
    assert len(list(link_header([line]))) <= MAX_HEADER_LINKS
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ('</c>; rel="canonical"; anchor="/other"', ""),
        ('</c>; rel="canonical"; anchor="/dir/page.html"', "http://site.test/c"),
        ('</c>; rel="alternate"', ""),
    ],
)
def test_a_link_about_another_document_is_not_ours(line: str, canonical: str) -> None:
    assert read("<p>x", ("link", line)).canonical == canonical
