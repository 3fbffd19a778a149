"""Readers of arguments: each turns a typed word into the value that a command takes.

All raise argparse.ArgumentTypeError, whose text says what to type instead.
"""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from functools import partial


def size(text: str) -> tuple[int, int]:
    """Read COLUMNSxROWS."""
    columns, _, rows = text.lower().partition("x")
    if not (columns.isdigit() and rows.isdigit() and 1 <= int(columns) <= 99 and 1 <= int(rows) <= 99):
        raise ArgumentTypeError(f"{text} is no size; write columns and rows from 1 to 99, such as 12x10")
    return int(columns), int(rows)


def turn(text: str) -> int:
    """Read the number of a turn."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ArgumentTypeError(f"{text} is no turn; write its number, such as 3")
    return int(text)


def moment(text: str) -> str:
    """Read a day and a time, as deadlines are written."""
    from kingdom.campaign.calendar import is_moment

    if not is_moment(text):
        raise ArgumentTypeError(f"{text} is no time; write the day and the time, such as 2026-12-04T18:00")
    return text


def turns(text: str) -> tuple[int, int]:
    """Read N or N-M."""
    first, dash, last = text.partition("-")
    earlier, later = turn(first), turn(last if dash else first)
    if earlier > later:
        raise ArgumentTypeError(f"{text} runs backwards; write the earlier turn first, such as {later}-{earlier}")
    return earlier, later


def count(text: str) -> int:
    """Read a whole number, at least 0."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ArgumentTypeError(f"{text} is no number")
    return int(text)


def _from_one(text: str, most: int = 1_000_000) -> int:
    """Read a whole number from 1 to `most`."""
    number = count(text)
    if not 1 <= number <= most:
        raise ArgumentTypeError(f"{text} is not possible; write a number from 1 to {most}")
    return number


# a number of turns ahead; a number of processes
ahead, workers = partial(_from_one, most=200), partial(_from_one, most=256)
newest = samples = _from_one  # a number of the newest turns; a number of samples


def columns(text: str) -> list[str]:
    """Read COLUMN,...: the columns by which a review sums, each once."""
    from kingdom.books.review import GROUPS

    words = [word.strip().lower() for word in text.split(",")]
    for word in words:
        if word not in GROUPS:
            raise ArgumentTypeError(f"`{word}` is nothing to sum by; these are: {', '.join(GROUPS)}")
    return list(dict.fromkeys(words))


def two(text: str) -> tuple[str, str]:
    """Read K1,K2: two kingdoms."""
    first, _, second = (part.strip().lower() for part in text.partition(","))
    if not first or not second or "," in second or first == second:
        raise ArgumentTypeError(f"{text} names no two kingdoms; write them with a comma, such as examplia,borderia")
    return first, second


def ruling(text: str) -> str:
    """Read the name of a ruling, with blanks, dashes or underscores between its words."""
    word = text.strip().lower().replace(" ", "_").replace("-", "_")
    if word and not word.isidentifier():
        raise ArgumentTypeError(f"{text} is no name of a ruling; write it as details do, such as caps_at_start")
    return word


def export(text: str) -> str:
    """Read the name of a file whose ending is a format of `kingdom export`."""
    from kingdom.books.exports import FORMATS

    if os.path.splitext(text)[1].lower() not in FORMATS:
        raise ArgumentTypeError(f"{text} has none of the endings that say what to write: {', '.join(FORMATS)}")
    return text


def roll(text: str) -> tuple[str, int, int]:
    """Read NAME:COUNT:SIDES."""
    from kingdom.cli.commands.proof import roll as parsed

    try:
        return parsed(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is no roll; write NAME:COUNT:SIDES, such as economy:1:20") from None


def hex(text: str) -> str:
    """Read 64 hexadecimal digits."""
    if len(text) != 64 or set(text.lower()) - set("0123456789abcdef"):
        raise ArgumentTypeError("it has 64 digits, 0 to 9 and a to f")
    return text
