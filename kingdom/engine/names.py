"""Names as people write them. When two are one: what a person wrote stays as it was written, only comparing is lenient. Pure."""

from __future__ import annotations

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
    """A snake_case word as a person writes it."""
    return name.replace("_", " ")


@lru_cache(maxsize=4096)
def compared(name: str) -> str:
    """What a name is compared by: small and capital letters, composed and decomposed ones, curly and straight quotes, any blanks,
    joiners that nobody sees and a full stop at the end make no other name."""
    if not name.isascii():
        import unicodedata

        name = unicodedata.normalize("NFC", name.translate(_UNSEEN).translate(_QUOTES))
    return " ".join(name.casefold().split()).rstrip(". ")


def find(name: str, known: Iterable[str]) -> str:
    """The known name that a person means, as it is spelt: the same one first, else the first that is compared alike; "" for none."""
    names = list(known)
    if name in names:
        return name
    same = next((one for one in names if one.casefold() == name.casefold()), "")
    return same or next((one for one in names if compared(one) == compared(name)), "")


@lru_cache(maxsize=4096)
def address(text: str) -> str:
    """What an address of mail is compared by: in small letters, its domain as the wire has it (`xn--...`)."""
    local, at, domain = text.lower().rpartition("@")
    try:
        return f"{local}{at}{domain.encode('idna').decode() if not domain.isascii() else domain}"
    except UnicodeError:
        return text.lower()
