from __future__ import annotations

import pytest

from tests.crawls.engine.extract.pages import read


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("<title>One</title>", "One"),
        ("<title>\n  One\t two \n</title>", "One two"),
        ("<title>A &amp; B &#8212; C</title>", "A & B \u2014 C"),
        ("<title>a <b>bold</b></title>", "a <b>bold</b>"),
        ("<title>One</title><title>Two</title>", "One"),
        ("<svg><title>Icon</title></svg><title>One</title>", "One"),
        ("<head></head><body><svg><title>Icon</title></svg>", ""),
        ("<template><title>No</title></template><title>One</title>", "One"),
        ("<title></title>", ""),
        ("<p>x", ""),
        (f"<title>{'x' * 400}</title>", "x" * 300),
        ("<head></head><title>Late</title><body>", "Late"),
    ],
)
def test_the_title_is_that_of_the_document(content: str, title: str) -> None:
    assert read(f"<!doctype html>{content}").title == title


@pytest.mark.parametrize(
    ("attributes", "language"),
    [
        ('lang="de"', "de"),
        ('LANG=" en-GB "', "en-GB"),
        ('xml:lang="fr"', "fr"),
        ("", ""),
        (f'lang="{"x" * 99}"', "x" * 35),
    ],
)
def test_the_language_is_that_of_the_root(attributes: str, language: str) -> None:
    assert read(f"<!doctype html><html {attributes}><body>x").language == language
