"""Comparing names as people write them: a name is kept as it was written, and only the comparison is lenient. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
    }
)
_UNSEEN = str.maketrans(dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""))


def words(name: str) -> str:
    """Return a snake_case word with spaces, as a person writes it."""
    return name.replace("_", " ")


@lru_cache(maxsize=4096)
def compared(name: str) -> str:
    """Return the form in which names are compared: capitals, composed letters, curly quotes, the number of blanks,
    invisible joiners and a full stop at the end make no difference."""
    if not name.isascii():
        name = unicodedata.normalize("NFC", name.translate(_UNSEEN).translate(_QUOTES))
    return " ".join(name.casefold().split()).rstrip(". ")


def find(name: str, known: Iterable[str]) -> str:
    """Return the known name that a person means: the one with the same spelling, else the first that compares equal; "" for
    none."""
    names = list(known)
    if name in names:
        return name
    alike = next((known_name for known_name in names if known_name.casefold() == name.casefold()), "")
    return alike or next((known_name for known_name in names if compared(known_name) == compared(name)), "")


@lru_cache(maxsize=4096)
def address(text: str) -> str:
    """Return the form in which mail addresses are compared: small letters, and the domain as mail servers write it (`xn--...`)."""
    local, at, domain = text.lower().rpartition("@")
    try:
        return f"{local}{at}{domain.encode('idna').decode() if not domain.isascii() else domain}"
    except UnicodeError:
        return text.lower()
