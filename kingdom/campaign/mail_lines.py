"""Single lines of the mail's journal, for who does not read the mail: of a few events, each of its type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from kingdom.campaign import store
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex

T = TypeVar("T")


def lines_in(journal: Path, events: tuple[str, ...], kind: type[T]) -> Iterator[T]:
    """Yield the whole lines of these events; none of a journal that is missing or can't be read. A line that is not of this type is passed
    over: reading the whole journal reports what is wrong with it."""
    try:
        lines = store.plain(journal).split(b"\n")[:-1]
    except Faults:
        return
    named = regex(rf'"event" ?: ?"(?:{"|".join(events)})"'.encode())
    for line in lines:
        if named.search(line):
            with suppress(*store.BROKEN):
                yield msgspec.json.decode(line, type=kind)
