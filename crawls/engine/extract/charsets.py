"""Which encoding a page is in: BOM, HTTP, the page's own word, its bytes (WHATWG Encoding; HTML 13.2.3)."""

from __future__ import annotations

import codecs

from bs4.dammit import EncodingDetector

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# Python codec -> the codec that the WHATWG standard means by that label. What is not here is not a web encoding.
_WEB = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "cp1252": "cp1252", "utf-8": "utf-8", "utf_8_sig": "utf-8",
    "gb2312": "gb18030", "gbk": "gb18030", "gb18030": "gb18030", "big5": "big5hkscs", "big5hkscs": "big5hkscs",
    "euc_jp": "euc_jp", "shift_jis": "cp932", "cp932": "cp932", "iso2022_jp": "iso2022_jp", "euc_kr": "cp949",
    "cp949": "cp949", "koi8-r": "koi8-r", "koi8-u": "koi8-u", "mac-roman": "mac-roman", "mac-cyrillic": "mac-cyrillic",
    "cp866": "cp866", "tis-620": "cp874", "cp874": "cp874", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "utf-16": "utf-16-le", "utf-16-le": "utf-16-le", "utf-16-be": "utf-16-be",
    **{f"iso8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"cp125{part}": f"cp125{part}" for part in (0, 1, 3, 4, 5, 6, 7, 8)},
}  # fmt: skip


def to_utf8(body: bytes, http_charset: str) -> tuple[bytes, str]:
    """The page as UTF-8, and the codec it came in.

    Bytes that its encoding does not know come as U+FFFD, so nothing is lost for one bad byte.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return _recode(body[len(mark) :], encoding), encoding
    encoding = _known(http_charset) or _declared(body)
    if not encoding:
        encoding = "utf-8" if _is_utf8(body) else "cp1252"
    if encoding == "utf-8" and (body.isascii() or _is_utf8(body)):
        return body, encoding
    return _recode(body, encoding), encoding


def _declared(body: bytes) -> str:
    """The encoding that the first 1,024 bytes declare; UTF-16 said in ASCII bytes can only be a slip for UTF-8."""
    found = _known(EncodingDetector.find_declared_encoding(body[:1024], is_html=True) or "")
    return "utf-8" if found.startswith("utf-16") else found


def _known(label: str) -> str:
    try:
        return _WEB.get(codecs.lookup(label.strip().strip("\"'")).name.replace("_", "-"), "") or _WEB.get(
            codecs.lookup(label.strip().strip("\"'")).name, ""
        )
    except (LookupError, ValueError):
        return ""


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _recode(body: bytes, encoding: str) -> bytes:
    return body.decode(encoding, "replace").encode("utf-8", "replace")
