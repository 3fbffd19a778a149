"""Bytes of any charset, named rightly, wrongly or not at all -> text. Nothing here raises."""

from __future__ import annotations

import codecs
import re

# codecs that Python counts among the text encodings, and that are none that mail is written in
NO_CHARSETS = frozenset(
    ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "palmos")
)
# what programs write beyond a charset, or call by a name of their own
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932",
    "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "big5": "cp950", "x-big5": "cp950", "iso-8859-1": "cp1252", "latin-1": "cp1252",
    "latin1": "cp1252", "iso-8859-9": "cp1254", "tis-620": "cp874", "iso-8859-11": "cp874", "windows-874": "cp874", "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8", "unicode-1-1-utf-7": "utf-7", "x-mac-roman": "mac-roman", "iso-2022-jp": "iso2022_jp_2004",
    "x-windows-949": "cp949", "unicode": "utf-16", "x-cp1252": "cp1252", "ansi": "cp1252",
}  # fmt: skip
_OWN_FORM = re.compile(r"utf|gb|big5|iso-?2022|shift|sjis|euc|cp93|cp94|cp95|hz|ks_c|johab")  # not one byte a character
_LAST = ("utf-8", "cp1252")  # what text turns out to be whose charset is not the one that it names


def text_of(data: bytes, charset: str) -> str:
    """The text. Where the charset is unknown or wrong: UTF-8 if it is that, else what Windows writes in the west.

    Text of one byte a character that happens to be good UTF-8 is UTF-8: by chance that does not come about.
    """
    named = charset.strip().strip("\"'").lower()
    first = () if _OWN_FORM.match(named) else ("utf-8",)
    for name in (*first, *dict.fromkeys((_WIDER.get(named, named), named)), *_LAST):
        if not _is_charset(name):
            continue
        try:
            return _without_mark(data.decode(name))
        except (UnicodeError, ValueError):
            continue
    return data.decode("latin-1")


def _without_mark(text: str) -> str:
    return text.removeprefix("\ufeff").encode("utf-8", "replace").decode()  # lone surrogates of UTF-16 are no text


def _is_charset(name: str) -> bool:
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):  # ValueError: a name with a NUL in it
        return False
    return getattr(found, "_is_text_encoding", True) and found.name.replace("-", "_") not in NO_CHARSETS
