from __future__ import annotations

import time

import pytest

from crawls.engine.extract.srcset import srcset


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a.jpg", ["a.jpg"]),
        ("a.jpg 1x, b.jpg 2x", ["a.jpg", "b.jpg"]),
        ("a.jpg 300w,b.jpg 600w", ["a.jpg", "b.jpg"]),
        ("a.jpg, b.jpg 2x", ["a.jpg", "b.jpg"]),
        ("a.jpg,b.jpg 2x", ["a.jpg,b.jpg"]),
        ("a.jpg 1x,", ["a.jpg"]),
        (",, a.jpg 1x ,, b.jpg,,, c.jpg", ["a.jpg", "b.jpg", "c.jpg"]),
        ("/w_300,h_200/a.jpg 300w, /b,c.jpg 2x,/d.jpg 3x", ["/w_300,h_200/a.jpg", "/b,c.jpg", "/d.jpg"]),
        ("data:image/gif;base64,R0lG 1x, /g.jpg 2x", ["data:image/gif;base64,R0lG", "/g.jpg"]),
        ("data:image/gif;base64,R0lG, /g.jpg", ["data:image/gif;base64,R0lG", "/g.jpg"]),
        ("\n\t a.jpg\n 1.5x ,\n b.jpg\t200w\n", ["a.jpg", "b.jpg"]),
        ("a.jpg 1e3x, b.jpg .5x", ["a.jpg", "b.jpg"]),
        ("a.jpg 300w 200h", ["a.jpg"]),
        ("a.jpg 1x (future, thing), b.jpg 2x", ["b.jpg"]),
        ("a.jpg 2q, b.jpg 2x", ["b.jpg"]),
        ("a 1x", ["a"]),
        ("", []),
        (" , ", []),
        (",,,,", []),
    ],
)
def test_a_srcset_is_split_by_the_algorithm_of_html(text: str, found: list[str]) -> None:
    assert srcset(text) == found


@pytest.mark.parametrize(
    "text", ["," * 2_000_000, "a," * 1_000_000, "a (" * 500_000, "a 1x," * 500_000 + " b", "a" * 3_000_000]
)
def test_an_endless_srcset_is_read_in_bounded_time(text: str) -> None:
    started = time.process_time()
    srcset(text)
    assert time.process_time() - started < 5
