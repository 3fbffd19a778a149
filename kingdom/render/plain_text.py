"""Text for a terminal or a mail: cleaning it, measuring it, fitting it to columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeVar, cast

import msgspec

from kingdom.engine.regex import regex

T = TypeVar("T")

COLUMNS = 78
# a unit stays on the line of its number
UNIT = regex(r"(?<=\d) (?=(?:[A-Z]{2,3}|%|days?|hours?|minutes?|turns?)(?!\w))")
_COMMAND = regex(r"`[^`\n]+`")
_COPIED = 400  # columns; a command or an address up to this width is not broken
_HELD = "\ue000"  # stands for a blank at which lines must not break
_MARK = "\N{REPLACEMENT CHARACTER}"
_LEFT_OUT = frozenset("\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}\N{WORD JOINER}\ufeff")
_JOINERS = frozenset("\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")  # part of words in some scripts, and of emoji
# JSON in which nothing is escaped but quotes and backslashes, and no DEL is
_PLAIN = regex(rb'(?:[^\\\x7f]++|\\["\\])*+').fullmatch
_REMEMBERED = 1000  # characters; the width of a longer text is not cached
_MARKS_ON_A_LETTER = 2  # combining marks; more of them would reach into the lines above


def clean(text: str) -> str:
    """Return a text as one line, without anything that could move or hide other text.

    Controls, line breaks among them, and the marks that turn the direction of writing become a visible mark or a
    space; invisible characters are left out, except joiners inside words of some scripts. Plain text stays as it is, in any script.
    """
    if text.isascii() and text.isprintable():
        return text
    return _remembered_clean(text) if len(text) <= _REMEMBERED else _cleaned(text)


@lru_cache(maxsize=4096)
def _remembered_clean(text: str) -> str:
    return _cleaned(text)


def _cleaned(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for letter in text:
        if letter in _JOINERS:
            if kept and not kept[-1].isascii() and kept[-1] not in _JOINERS:
                kept.append(letter)
            continue
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > _MARKS_ON_A_LETTER or letter in _LEFT_OUT:
            continue
        if kind[0] == "Z" or letter in "\n\r\t":
            kept.append(" ")
        else:
            kept.append(letter if letter.isprintable() else _MARK)
    return "".join(kept)


def cleaned(data: T) -> T:
    """Return plain data with every text in it cleaned; keys are the program's own words and stay. Clean data is returned
    unchanged, and so is a text of a class of its own (charts.py), which nobody typed."""
    json = msgspec.json.encode(data, enc_hook=_of_its_own_kind)
    if json.isascii() and _PLAIN(json):
        return data
    clean = {key: cleaned(value) for key, value in data.items()} if isinstance(data, dict) else _all_cleaned(data)
    return cast("T", clean)  # the data has the same type, only its texts changed


def _of_its_own_kind(data: object) -> str:
    if isinstance(data, str):
        return ""
    raise TypeError(f"a view is plain data, and this is none: {type(data).__name__}")


def _all_cleaned(data: object) -> object:
    if isinstance(data, str):
        return data if type(data) is not str else clean(data)
    if isinstance(data, dict):
        return {key: _all_cleaned(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_all_cleaned(value) for value in data]
    return data


def width(text: str) -> int:
    """Return the columns that a clean text takes on a terminal: wide letters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return _remembered_width(text) if len(text) <= _REMEMBERED else _width(text)


@lru_cache(maxsize=4096)
def _remembered_width(text: str) -> int:
    return _width(text)


def _width(text: str) -> int:
    return sum(map(_columns_of, text))


def _columns_of(letter: str) -> int:
    if unicodedata.east_asian_width(letter) in "WF":
        return 2
    return 0 if unicodedata.category(letter) in ("Mn", "Me") else 1


def shortened(text: str, columns: int) -> str:
    """The text, cut with an ellipsis if it is wider than `columns`."""
    if width(text) <= columns:
        return text
    head, used = next(_pieces(text, columns - 1))
    return head + "…" if used < columns else "…"


def left(value: object, columns: int, filled: bool = True) -> str:
    """The value at the left of a column, cut if it is too wide; `filled` up with spaces if more follows."""
    text = str(value)
    if text.isascii() and len(text) <= columns:
        return text.ljust(columns) if filled else text
    used = width(text)
    if used > columns:
        text = shortened(text, columns)
        used = width(text)
    return text + " " * (columns - used) if filled else text


def right(value: object, columns: int) -> str:
    """The value at the right of a column; a number is never cut."""
    text = str(value)
    return text.rjust(columns) if text.isascii() else " " * (columns - width(text)) + text


def wrap(text: str, indent: int = 0, columns: int = COLUMNS, first: str = "", kept: int = 0) -> str:
    """The words of a text in lines at most `columns` wide, each indented; the first line begins with `first`.

    A word that is wider than a line is broken, unless it is at most `kept` wide, and so is such a `first`. An empty text gives
    only `first`.
    """
    used, words, of = width(first) if first else 0, text.split(), len if text.isascii() else width
    if used > columns:
        *above, first = wrap(first, used - width(first.lstrip()), columns).split("\n")
        return "\n".join([*above, wrap(text, indent, columns, first, kept)])
    start, used = first + " " * (indent - used), max(indent, used)
    whole = " " * (used > indent) + " ".join(words)
    if used + of(whole) <= columns:
        return (start + whole).rstrip()
    lines, line, room = [], start, columns - indent  # one long loop, as functions for its parts would need all of these
    for word in words:
        size = of(word)
        space = 1 if used > indent else 0
        if used + space + size > columns and used > indent:
            lines.append(line)
            line, used, space = " " * indent, indent, 0
        if size > max(room, kept):
            *broken, (word, size) = _pieces(word, room)
            for piece, _ in broken:
                lines.append(line + piece)
                line, used = " " * indent, indent
        line += " " * space + word
        used += space + size
    lines.append(line)
    return "\n".join(part.rstrip() for part in lines)


def wrap_said(text: str, indent: int = 0, columns: int = COLUMNS, first: str = "") -> str:
    """Wrap a sentence that may name a command or an address: these stay on one line, to be copied whole.

    A number and its unit stay on one line too.
    """
    held = _COMMAND.sub(lambda code: code[0].replace(" ", _HELD), UNIT.sub(_HELD, text))
    return wrap(held, indent, columns, first, _COPIED).replace(_HELD, " ")


def _pieces(word: str, columns: int) -> Iterator[tuple[str, int]]:
    """The word in pieces that fit into `columns`, each of at least one letter, with the columns that each takes."""
    begin = used = 0
    for index, letter in enumerate(word):
        size = _columns_of(letter)
        if used + size > columns and index > begin:
            yield word[begin:index], used
            begin, used = index, 0
        used += size
    yield word[begin:], used


def counted(count: int, one: str, many: str = "") -> str:
    """A number of things: 1 hex, 3 hexes. many: the plural, if it is not made with an s."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def joined(words: Iterable[object], none: str = "none", by: str = "and") -> str:
    """Words or values for a sentence: "0, 2 and 5"; `none` of none. by: the word before the last one."""
    texts = [str(word) for word in words]
    return f" {by} ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or none


def signed(number: int) -> str:
    """A change with its sign: +3, -2, and 0 without one."""
    return f"{number:+d}" if number else "0"
