from __future__ import annotations

import pytest

from crawls.engine.extract.labels import CODECS, codec_of
from tests.crawls.engine.extract.pages import links_of, read

WORD = "Gr\u00f6\u00dfe"
# "Hello world, this is a page"
RUSSIAN = (
    "\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440, \u044d\u0442\u043e "
    "\u0441\u0442\u0440\u0430\u043d\u0438\u0446\u0430"
)
# "This is a Japanese page. List of goods"
JAPANESE = (
    "\u3053\u308c\u306f\u65e5\u672c\u8a9e\u306e\u30da\u30fc\u30b8\u3067\u3059\u3002\u5546\u54c1\u306e\u4e00\u89a7"
)


def _title(body: bytes, kind: str = "text/html") -> str:
    return read(body, kind=kind).title


def _page(title: str, codec: str, head: str = "") -> bytes:
    return f"<html><head>{head}<title>{title}</title></head><body><p>{title}</p></body></html>".encode(codec)


@pytest.mark.parametrize(
    ("title", "codec", "head", "kind"),
    [
        (WORD, "utf-8", "", "text/html; charset=utf-8"),
        (WORD, "utf-8", "", "text/html"),
        (WORD, "latin-1", "", "text/html; charset=ISO-8859-1"),
        ("\u20ac\u201c", "cp1252", "", "text/html; charset=iso-8859-1"),  # iso-8859-1 means windows-1252
        ("\u20ac\u201c", "cp1252", "", "text/html; charset=us-ascii"),
        (WORD, "cp1252", "", "text/html"),
        (WORD, "cp1252", '<meta charset="windows-1252">', "text/html"),
        (WORD, "cp1252", '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15">', "text/html"),
        (RUSSIAN, "cp1251", "<meta charset=windows-1251>", "text/html"),
        (RUSSIAN, "koi8-r", "", 'text/html; charset="KOI8-R"'),
        (RUSSIAN, "koi8-r", "", "text/html"),
        (JAPANESE, "cp932", "<meta charset=x-sjis>", "text/html"),
        (JAPANESE, "cp932", "", "text/html"),
        (JAPANESE, "euc_jp", "", "text/html; charset=euc-jp"),
        (WORD, "utf-16", "", "text/html"),  # with BOM
        (WORD, "utf-16-le", "", "text/html; charset=utf-16le"),
        # HTTP wins over the page, and the page over a guess
        (WORD, "utf-8", "<meta charset=iso-8859-1>", "text/html; charset=utf-8"),
        (WORD, "latin-1", "<meta charset=utf-8>", "text/html; charset=latin1"),
        # UTF-16 said in ASCII bytes is a slip for UTF-8
        (WORD, "utf-8", "<meta charset=utf-16>", "text/html"),
        # no encodings of the web: the next word counts
        (WORD, "utf-8", "", "text/html; charset=utf-7"),
        (WORD, "utf-8", "", "text/html; charset=rot13"),
        (WORD, "utf-8", "", "text/html; charset=base64"),
        (WORD, "utf-8", "", "text/html; charset=unicode_escape"),
        (WORD, "cp1252", "<meta charset=rot13>", "text/html; charset=none"),
        (WORD, "cp1252", "<meta charset=windows-1252>", "text/html; charset=nonsense"),
        # a declaration in a comment is none
        (WORD, "utf-8", "<!-- <meta charset=koi8-r> -->", "text/html"),
    ],
)
def test_a_page_is_read_in_its_encoding(title: str, codec: str, head: str, kind: str) -> None:
    assert _title(_page(title, codec, head), kind) == title


@pytest.mark.parametrize(
    ("mark", "codec"), [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]
)
def test_a_byte_order_mark_wins_over_everything(mark: bytes, codec: str) -> None:
    content = mark + _page(WORD, codec, "<meta charset=koi8-r>")
    assert _title(content, "text/html; charset=iso-8859-2") == WORD


def test_a_declaration_behind_the_first_kilobyte_is_not_looked_for() -> None:
    assert _title(_page(WORD, "utf-8", f"<meta name=x content='{'y' * 1_100}'><meta charset=koi8-r>")) == WORD


def test_one_wrong_byte_costs_one_character() -> None:
    assert _title(b"<title>a\xffb\xc3\xa9</title>", "text/html; charset=utf-8") == "a\ufffdb\u00e9"


def test_a_page_that_ends_within_a_character_is_still_utf_8() -> None:
    assert _title(_page(WORD, "utf-8") + "\u00e9".encode()[:1]) == WORD


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("UTF8", "utf-8"), (" utf-8\n", "utf-8"), ("unicode-1-1-utf-8", "utf-8"), ("latin1", "cp1252"),
        ("ascii", "cp1252"), ("cp819", "cp1252"), ("x-cp1251", "cp1251"), ("iso-8859-9", "cp1254"),
        ("iso-8859-11", "cp874"), ("gb2312", "gb18030"), ("gbk", "gb18030"), ("ks_c_5601-1987", "cp949"),
        ("windows-31j", "cp932"), ("big5-hkscs", "big5hkscs"), ("iso8859-5", "iso8859-5"),
        ("iso-8859-8-i", "iso8859-8"), ("utf-16", "utf-16-le"), ("x-user-defined", "cp1252"),
        # Python knows these, the web does not
        ("utf-7", ""), ("rot13", ""), ("rot_13", ""), ("hex", ""), ("zip", ""), ("idna", ""), ("punycode", ""),
        ("cp037", ""), ("utf-32", ""), ("raw_unicode_escape", ""), ("mbcs", ""), ("cp437", ""), ("", ""), ("\x00", ""),
        ("../x", ""),
    ],
)  # fmt: skip
def test_labels_mean_what_the_encoding_standard_says(label: str, codec: str) -> None:
    assert codec_of(label) == codec


@pytest.mark.parametrize("codec", sorted(set(CODECS.values())))
def test_every_codec_of_the_table_reads_text(codec: str) -> None:
    assert "Text".encode(codec).decode(codec, "replace") == "Text"


def test_queries_are_encoded_as_the_page_is_and_paths_always_as_utf_8() -> None:
    content = '<a href="/\u00fc?q=\u00fc&r=\u20ac#\u00fc">x</a>'
    legacy = read(content.encode("cp1252"), kind="text/html; charset=windows-1252")
    assert links_of(legacy) == ["http://site.test/%C3%BC?q=%FC&r=%80"]
    wide = read(content.encode("utf-16"), kind="text/html")
    assert links_of(wide) == ["http://site.test/%C3%BC?q=%C3%BC&r=%E2%82%AC"]


def test_what_a_pages_encoding_cannot_say_becomes_a_character_reference() -> None:
    page = read('<a href="/?q=&#8364;">x</a>'.encode("iso8859-2"), kind="text/html; charset=iso-8859-2")
    assert links_of(page) == ["http://site.test/?q=%26%238364%3B"]
