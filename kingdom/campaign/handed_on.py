"""Since which turn a seat is its player's, as the mail's journal says: what goes to that player tells no words of the one before."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from kingdom.campaign.mail_lines import lines_in

INVITED = "invited"  # the event of the mail's journal by which a seat gets a player


class _Invited(Struct, frozen=True):
    event: str
    kingdom: str
    turn: int = 0


def own_from_in(journal: Path) -> dict[str, int]:
    """Return seat -> the first turn of who took it over; {} if the mail's journal is missing or can't be read."""
    entries = lines_in(journal, (INVITED,), _Invited)
    return {entry.kingdom: entry.turn for entry in entries if entry.event == INVITED and entry.turn}
