"""Who controls a courtier, and who has minor control: both change only when their holder is exceeded (ruling tied_control)."""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.games.royal_progress.state import Courtier, Table, clockwise, replace, value, with_courtier
from kingdom.games.royal_progress.steps.shared import ALL, booked, tell
from kingdom.games.royal_progress.types import Turn

CAUSES = {
    "control": "control of a courtier changed",
}


def with_pile(table: Table, name: str, seat: str, pile: tuple[int, ...]) -> Table:
    """The table with that pile on the courtier; an empty pile is none. Control is not looked at."""
    piles = {**table.courtiers[name].piles, seat: pile}
    return with_courtier(table, name, piles={other: cards for other, cards in piles.items() if cards})


def check(table: Table, turn: Turn, *names: str) -> Table:
    """Look who controls these courtiers now; at court nothing changes before the scoring."""
    for name in names:
        if not table.courtiers[name].arrived:
            table = settle(table, turn, name)
    return table


def settle(table: Table, turn: Turn, name: str) -> Table:
    """Look who controls the courtier now, wherever he is."""
    courtier = table.courtiers[name]
    control, minor = holders(courtier, clockwise(table, table.king_card or next(iter(table.seats))))
    if (control, minor) == (courtier.control, courtier.minor):
        return table
    used = courtier.used and control == courtier.control
    table = replace(
        table, courtiers={**table.courtiers, name: replace(courtier, control=control, minor=minor, used=used)}
    )
    if control != courtier.control:
        tell(
            turn,
            ALL,
            f"{control or 'Nobody'} controls the {name} now"
            + (f", no longer {courtier.control}." if courtier.control else "."),
            control,
        )
    touched = {courtier.control, courtier.minor, control, minor} - {""}
    return booked(table, turn, "control", f"control of the {name} (ruling tied_control)", *sorted(touched))


def holders(courtier: Courtier, seats: Sequence[str]) -> tuple[str, str]:
    """(control, minor control) by the piles as they lie. seats: all, from the King card on, for ties."""
    worth = {seat: value(courtier.piles[seat]) for seat in seats if seat in courtier.piles}
    order = sorted(worth, key=lambda seat: (-worth[seat], seat != courtier.minor))
    control = _held(courtier.control, order, worth)
    order = [seat for seat in order if seat != control]
    return control, _held(courtier.minor if courtier.minor != control else "", order, worth)


def _held(holder: str, order: list[str], worth: dict[str, int]) -> str:
    """The holder, unless somebody exceeds it; then who has most."""
    if not order:
        return ""
    return holder if holder in order and worth[order[0]] <= worth[holder] else order[0]
