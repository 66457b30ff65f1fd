from __future__ import annotations

import pytest

from tests.crawls.engine.extract.pages import body, read

TEXT = "<h1>Blue widgets</h1><p>All about widgets that are blue, and why.</p>"


def _mark(content: str, url: str = "http://site.test/dir/page.html") -> str:
    return read(body(content), url=url).fingerprint


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p>Posted on 2024-03-05 at 10:15. Text.</p>", "<p>Posted on 2025-11-30 at 9:01. Text.</p>"),
        ("<p>Today is Tuesday, 1 December 2026. Text.</p>", "<p>Today is Friday, 24 March 2028. Text.</p>"),
        ("<p>Updated March 5, 2024. Text.</p>", "<p>Updated September 12, 2025. Text.</p>"),
        ("<p>Text, 3 hours ago</p>", "<p>Text, 12 minutes ago</p>"),
        ("<p>Text 1,024 views</p>", "<p>Text 7 views</p>"),
        ("<p>Text token a8f3bc99d01e</p>", "<p>Text token 77ab0e2213cd</p>"),
        # a date in Chinese
        ("<p>2024\u5e743\u67085\u65e5 \u672c\u6587</p>", "<p>2026\u5e7412\u67081\u65e5 \u672c\u6587</p>"),
        (TEXT, "\n\n  <h1>Blue\n widgets</h1>\t<p>All about widgets that are blue,   and why.</p>"),
        (TEXT, TEXT.replace("<p>", '<p class="x"><b>').replace("</p>", "</b></p>")),
        (TEXT, f"<header>Menu</header><nav>A B</nav>{TEXT}<aside>Ad</aside><footer>Foot</footer>"),
        (TEXT, f"<script>var a = 'x';</script><style>b {{}}</style><noscript>Please enable</noscript>{TEXT}"),
        (TEXT, f"<template>inert</template><svg><text>icon</text></svg><form><select><option>a</select></form>{TEXT}"),
        (f"<div>Menu</div><main>{TEXT}</main>", f"<main>{TEXT}</main><div>Other things</div>"),
        (f'<div role="main">{TEXT}</div><div>x</div>', f'<div>y</div><div role="main">{TEXT}</div>'),
        (f"<p>Teaser</p><article>{TEXT}</article>", f"<article>{TEXT}</article><p>Another teaser</p>"),
    ],
)
def test_what_changes_without_meaning_leaves_the_fingerprint(one: str, other: str) -> None:
    assert _mark(one) == _mark(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TEXT, TEXT.replace("Blue", "Red")),
        (TEXT, TEXT + "<p>One sentence more.</p>"),
        ("<main><header><h1>A</h1></header>x</main>", "<main><header><h1>B</h1></header>x</main>"),
        ("<article>First</article><article>Second</article>", "<article>First</article><article>Third</article>"),
        ('<form id="whole-page"><p>One</p></form>', '<form id="whole-page"><p>Two</p></form>'),
        # no blanks in Japanese: a digit must not take the sentence with it
        ("<p>\u5546\u54c11\u306e\u8a73\u7d30\u3067\u3059</p>", "<p>\u88fd\u54c11\u306e\u8a73\u7d30\u3067\u3059</p>"),
        ("<p>\u5546\u54c11\u306e\u8a73\u7d30\u3067\u3059</p>", "<p>\u5546\u54c11\u306e\u6982\u8981\u3067\u3059</p>"),
        ("<p>market days</p>", "<p>market hours</p>"),
    ],
)
def test_what_changes_the_content_changes_the_fingerprint(one: str, other: str) -> None:
    assert _mark(one) != _mark(other)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "<div id=root></div>",
        "<main></main>",
        "<script>x()</script><noscript>Enable scripts</noscript>",
        "<p> \n </p>",
        "<p>2024</p>",
    ],
)
def test_without_text_there_is_no_fingerprint(content: str) -> None:
    assert _mark(content) == ""


def _not_found(path: str, quoted: str = "") -> str:
    text = f"<p>Sorry, {quoted or path} was not found here. Really, http://site.test{quoted or path}.</p>"
    return _mark(text, f"http://site.test{path}")


def test_the_pages_own_path_is_left_out() -> None:
    assert _not_found("/a/typo") == _not_found("/other") == _not_found("/x?q=y&z=")
    assert _not_found("/gr%C3%B6%C3%9Fe", "/gr\u00f6\u00dfe") == _not_found("/other")


def test_it_is_sixteen_hex_digits() -> None:
    mark = _mark(TEXT)
    assert len(mark) == 16
    assert int(mark, 16) >= 0


def test_the_start_page_keeps_its_slashes() -> None:
    assert _mark("<p>and/or</p>", "http://site.test/") != _mark("<p>andor</p>", "http://site.test/")


def test_reading_the_text_loses_no_link_and_no_image() -> None:
    page = read(body("<nav><a href=/n>x</a></nav><footer><a href=/f><img src=/i.png></a></footer><p>Text.</p>"))
    assert page.links.addresses == "http://site.test/n\nhttp://site.test/f"
    assert page.images == ("http://site.test/i.png",)
