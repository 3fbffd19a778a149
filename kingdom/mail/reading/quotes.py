"""Curly quotes of phones and word processors -> the straight ones that YAML knows, without breaking a quoted value. Pure.

Inside a value in straight quotes curly ones of the same kind stay as they were typed: `"He said “no”"` is what was meant. A
value in curly quotes that holds others is written so that it can be read. Each pass over a text is linear.
"""

from __future__ import annotations

import re

from kingdom.mail.reading import limits

_DOUBLE, _SINGLE = "“”„‟«»＂", "‘’‚‛"
_DOUBLES, _SINGLES = str.maketrans(dict.fromkeys(_DOUBLE, '"')), str.maketrans(dict.fromkeys(_SINGLE, "'"))
# where a value may begin: behind a colon, a comma, a bracket, a list's mark, or first in its line
_OPENS = re.compile(rf"(?:(?:^|[:,\[{{])[ \t]*|^[ \t]*-[ \t]*)([\"'{_DOUBLE}{_SINGLE}])", re.MULTILINE)
_OF_KIND = {True: re.compile(f'["{_DOUBLE}]'), False: re.compile(f"['{_SINGLE}]")}
_END = re.compile(r"[ \t]*(?:[,\]}:#]|$)", re.MULTILINE)  # what follows a value


def straightened(text: str) -> str:
    """The text with straight quotes."""
    if not any(quote in text for quote in _DOUBLE + _SINGLE):
        return text
    if len(text) > limits.TEXT:
        return text.translate(_DOUBLES).translate(_SINGLES)
    pieces: list[str] = []
    done = 0
    hopeless: dict[tuple[bool, bool], int] = {}  # (double, straight) -> up to where no value of that kind is closed
    for opened in _OPENS.finditer(text):
        at, double, straight = opened.start(1), opened[1] in '"' + _DOUBLE, opened[1] in "\"'"
        if at < max(done, hopeless.get((double, straight), 0)):
            continue
        end, looked = _closing(text, at, double)
        if end < 0:
            hopeless[double, straight] = looked
            continue
        pieces += [text[done:at], _quoted(text[at + 1 : end], double, straight)]
        done = end + 1
    return "".join([*pieces, text[done:]])


def _closing(text: str, at: int, double: bool) -> tuple[int, int]:
    """(where the value that begins here ends, -1 if that can't be told; how far the search went). A value ends at the first quote of its
    kind with an end of a value behind it. A straight quote is closed by a straight quote, also in a later line; a curly one in its line."""
    straight = text[at] in "\"'"
    until = min(len(text), at + limits.VALUE)
    stop = text.find("\n\n" if straight else "\n", at, until)
    place = at + 1
    for _ in range(limits.QUOTES):
        found = _OF_KIND[double].search(text, place, until if stop < 0 else stop)
        if found is None:
            return -1, until if stop < 0 else stop
        place = found.end()
        if straight != (found[0] in "\"'"):
            continue
        if straight and (text[place - 2] == "\\" if double else text[place : place + 1] == "'"):
            place += not double  # it is written twice, or behind a backslash: part of the value
        elif _END.match(text, place):
            return found.start(), place
    return -1, place


def _quoted(inside: str, double: bool, straight: bool) -> str:
    """A value in straight quotes; what stands inside it stays as it was typed."""
    if double:
        return f'"{inside}"' if straight else '"' + inside.replace('"', '\\"') + '"'
    return f"'{inside}'" if straight else "'" + inside.replace("'", "''") + "'"
