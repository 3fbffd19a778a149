"""What people write around orders out of courtesy: the greeting above and the closing below, which are none. Pure."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from kingdom.mail.incoming import phrases
from kingdom.mail.incoming.reply import key_of
from kingdom.mail.records import Headers

_CLOSING = frozenset(phrases.CLOSING)
_MOST_GREETING = 6  # lines


def trimmed(text: str, headers: Headers, turn: int | None, keys: Container[str]) -> str:
    """The text with the greeting above the orders and the closing below them left blank, so that lines keep their numbers.

    A greeting is a few lines above the first key that hold no colon but at a line's end, no word of an order and no digits
    but those of the turn. A closing begins with a formula (`Cheers`), or is the sender's name alone. What is neither stays,
    and the reader says that it is wrong.
    """
    lines = text.split("\n")
    first = next((index for index, line in enumerate(lines) if _begins_orders(line, keys)), len(lines))
    above = [line for line in lines[:first] if line.strip()]
    if len(above) <= _MOST_GREETING and not any(_may_be_order(line, turn, keys) for line in above):
        lines[:first] = [""] * first
    last = _closing(lines, first, headers, keys)
    if not any(_may_be_order(line.lstrip("-/~ "), turn, keys) for line in lines[last : last + 1]) and not any(
        _may_be_more(line, keys) for line in lines[last + 1 :]
    ):
        lines[last:] = [""] * (len(lines) - last)
    return "\n".join(lines)


def _begins_orders(line: str, keys: Container[str]) -> bool:
    """Whether a line begins like orders: with a key, also a misspelt one, a list's mark or a comment."""
    key = key_of(line)
    prose = line.rstrip().endswith(":") and len(line.split()) > 2 and key not in keys
    return bool(key) and not prose or line.lstrip().startswith(("- ", "#", "{", "---"))


def _may_be_order(line: str, turn: int | None, keys: Container[str]) -> bool:
    """Whether a line of a greeting or a closing may be meant as an order: it has a word of one, or digits (a hex)."""
    head = ("gm", "turn", "kingdom", "to", "final") if len(line.split()) > 2 else ("gm",)
    plain = re.sub(rf"\bturn {turn}\b", "", line, flags=re.IGNORECASE) if turn is not None else line
    return (
        _has_word(line, keys, head)
        or line.startswith((" ", "-", "{"))
        or any(character.isdigit() for character in plain)
    )


def _may_be_more(line: str, keys: Container[str]) -> bool:
    """Whether a line below a closing may be an order after all: it has a word of one, is a postscript or an item of a list,
    or has what could be a hex and is nobody's telephone number or address."""
    hexes = re.search(r"(?<!\d)\d{4}(?!\d)", line) and not re.search(
        r"@|www|http|tel|fon|phone|mob|fax|cell|\+\d", line, re.IGNORECASE
    )
    return (
        bool(hexes)
        or _has_word(line, keys, ("gm", "to", "turn", "kingdom"))
        or re.match(r"\s*(?:- |\{|p\.? ?s\b)", line, re.IGNORECASE) is not None
    )


def _has_word(line: str, keys: Container[str], but: Sequence[str]) -> bool:
    return any(word in keys and word not in but for word in re.findall(r"[^\W\d_]+", line.lower()))


def _closing(lines: Sequence[str], first: int, headers: Headers, keys: Container[str]) -> int:
    """The line at which the closing begins, below an order; the number of lines where there is none."""
    names = set(re.findall(r"\w+", f"{headers.name} {headers.sender.partition('@')[0]}".lower()))
    for index in range(first + 1, len(lines)):
        plain = lines[index].strip(" \t,.!;-/~*_").lower()
        if not plain or lines[index].startswith(" "):
            continue
        begun = plain in _CLOSING or "," in lines[index] and plain.partition(",")[0].strip() in _CLOSING
        signed = set(re.findall(r"\w+", plain)) <= names and not any(line.strip() for line in lines[index + 1 :])
        if begun or signed and not any(character in lines[index] for character in ":{["):
            return index
    return len(lines)
