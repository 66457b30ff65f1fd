"""Encoding labels of the web and the Python codec that each means (WHATWG Encoding, section 4.2: names and labels).

What is no label here is no encoding of the web: utf-7, rot13 and whatever else Python could decode are refused.
"""

from __future__ import annotations

# Codec -> labels. `{n}` families are written out below; gbk is read as gb18030, and big5 with Hong Kong's characters,
# since the standard's decoders are these supersets.
_LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "cp866": "866 cp866 csibm866 ibm866",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "mac-roman": "csmacintosh mac macintosh x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "cp1252": "ansi_x3.4-1968 ascii cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "
    "iso_8859-1:1987 l1 latin1 us-ascii x-user-defined",
    "cp1254": "csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5",
    "gb18030": "chinese csgb2312 csiso58gb231280 gb18030 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc_jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso2022_jp": "csiso2022jp iso-2022-jp",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "cp949": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
    "windows-949",
    "utf-16-be": "unicodefffe utf-16be",
    "utf-16-le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "iso8859-2": "csisolatin2 iso-ir-101 iso_8859-2:1987 l2 latin2",
    "iso8859-3": "csisolatin3 iso-ir-109 iso_8859-3:1988 l3 latin3",
    "iso8859-4": "csisolatin4 iso-ir-110 iso_8859-4:1988 l4 latin4",
    "iso8859-5": "csisolatincyrillic cyrillic iso-ir-144 iso_8859-5:1988",
    "iso8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i "
    "iso-ir-127 iso_8859-6:1987",
    "iso8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso_8859-7:1987 sun_eu_greek",
    "iso8859-8": "csiso88598e csiso88598i csisolatinhebrew hebrew iso-8859-8-e iso-8859-8-i iso-ir-138 "
    "iso_8859-8:1988 logical visual",
    "iso8859-10": "csisolatin6 iso-ir-157 l6 latin6",
    "iso8859-15": "csisolatin9 l9",
}


def _all_labels() -> dict[str, str]:
    codecs = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}
    for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16):
        for label in (f"iso-8859-{part}", f"iso8859-{part}", f"iso8859{part}", f"iso_8859-{part}"):
            codecs[label] = f"iso8859-{part}"
    for part in range(1250, 1259):
        for label in (f"windows-{part}", f"cp{part}", f"x-cp{part}"):
            codecs[label] = f"cp{part}"
    return codecs


CODECS = _all_labels()


def codec_of(label: str) -> str:
    """The Python codec for a label (any case, blanks around it allowed), or "" for what is no encoding of the web."""
    return CODECS.get(label.strip(" \t\r\n\f\"'").lower(), "")
