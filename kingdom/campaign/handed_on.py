"""Since which turn a seat is its player's, as the mail's journal says: what goes to that player tells no words of the one before."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

INVITED = "invited"  # the event of the mail's journal by which a seat gets a player


class _Invited(Struct, frozen=True):
    event: str
    kingdom: str
    turn: int = 0


def own_from_in(journal: Path) -> dict[str, int]:
    """Return seat -> the first turn of who took it over; {} if the mail's journal is missing or can't be read."""
    try:
        lines = [line for line in journal.read_bytes().split(b"\n")[:-1] if b'"invited"' in line]
    except OSError:
        return {}
    found: dict[str, int] = {}
    for line in lines:
        with suppress(msgspec.MsgspecError):  # reading the whole journal reports what is wrong with it
            entry = msgspec.json.decode(line, type=_Invited)
            if entry.event == INVITED and entry.turn:
                found[entry.kingdom] = entry.turn
    return found
