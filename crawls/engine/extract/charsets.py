"""Which encoding a page is in: BOM, HTTP, the page's own word, its bytes (WHATWG Encoding; HTML 13.2.3)."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from bs4.dammit import EncodingDetector, UnicodeDammit

from crawls.engine.extract.labels import codec_of

PRESCAN_BYTES = 1_024
_SAMPLE_BYTES = 16_384
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
# Python's names for guesses that are worth something: bytes of these scripts look like no other, while a guess between
# the Latin encodings is a coin tossed.
_TELLING = {
    "cp932": "cp932", "shift_jis": "cp932", "euc_jp": "euc_jp", "euc_jis_2004": "euc_jp", "gb18030": "gb18030",
    "gbk": "gb18030", "gb2312": "gb18030", "big5": "big5hkscs", "big5hkscs": "big5hkscs", "cp949": "cp949",
    "euc_kr": "cp949", "windows-1251": "cp1251", "cp1251": "cp1251", "koi8-r": "koi8-r", "koi8_r": "koi8-r",
    "windows-1253": "cp1253", "cp1253": "cp1253", "windows-1255": "cp1255", "cp1255": "cp1255",
    "windows-1256": "cp1256", "cp1256": "cp1256",
}  # fmt: skip


class Text(NamedTuple):
    """A page as UTF-8, and the codec that queries of its links are to be written in (WHATWG Encoding section 4.3)."""

    utf8: bytes
    query_codec: str


def to_utf8(body: bytes, http_charset: str) -> Text:
    """The page as UTF-8; bytes that its encoding does not know come as U+FFFD, so nothing is lost for one bad byte."""
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return Text(_recode(body[len(mark) :], codec), "utf-8")
    codec = codec_of(http_charset) or _declared(body[:PRESCAN_BYTES]) or _detected(body)
    if codec == "utf-8":
        return Text(body if _is_utf8(body) else _recode(body, codec), codec)
    return Text(_recode(body, codec), "utf-8" if codec.startswith("utf-16") else codec)


def _declared(start: bytes) -> str:
    """The encoding that the page names itself; UTF-16 said in ASCII bytes can only be a slip for UTF-8."""
    if b"<!--" in start:
        start = _COMMENT.sub(b"", start)
    codec = codec_of(EncodingDetector.find_declared_encoding(start, is_html=True) or "")
    return "utf-8" if codec.startswith("utf-16") else codec


def _detected(body: bytes) -> str:
    """An encoding by the bytes alone: UTF-8 is never met by chance, the rest is a guess with windows-1252 behind it."""
    if _is_utf8(body):
        return "utf-8"
    guess = UnicodeDammit(body[:_SAMPLE_BYTES], is_html=True).original_encoding or ""
    return _TELLING.get(guess.lower(), "cp1252")


def _is_utf8(body: bytes) -> bool:
    """Whether all bytes are UTF-8; the last character may be cut off, as in a page that ended early."""
    if body.isascii():
        return True
    try:
        codecs.utf_8_decode(body, "strict", False)  # noqa: FBT003 - the codec's own signature, positional only
    except UnicodeDecodeError:
        return False
    return True


def _recode(body: bytes, codec: str) -> bytes:
    return body.decode(codec, "replace").encode("utf-8", "replace")
