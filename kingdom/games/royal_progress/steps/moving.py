"""Moving courtiers, and their arrival at court."""

from __future__ import annotations

from kingdom.games.royal_progress.state import Table, castle, replace, with_courtier, with_seat
from kingdom.games.royal_progress.steps.cards import discard_open
from kingdom.games.royal_progress.steps.preferences import pair_for
from kingdom.games.royal_progress.steps.shared import ALL, booked, named, tell
from kingdom.games.royal_progress.types import Turn

CAUSES = {
    "arrival": "a courtier brought to court: the King card",
    "pair": "a pair of gifts for who controls a courtier that arrives",
}


def move(table: Table, turn: Turn, seat: str, name: str, to: str) -> Table:
    """The courtier goes there, which was found legal; at the castle he arrives."""
    here = table.courtiers[name].place
    tell(turn, ALL, f"{seat} moves the {name} from {named(here, turn.rules)} to {named(to, turn.rules)}.", seat)
    table = with_courtier(table, name, place=to)
    return arrive(table, turn, seat, name) if to == castle(table) else table


def arrive(table: Table, turn: Turn, seat: str, name: str) -> Table:
    """He takes the next place at court; the mover the King card; who controls him a pair, for an open card."""
    position = 1 + sum(1 for courtier in table.courtiers.values() if courtier.arrived)
    table = replace(with_courtier(table, name, arrived=position), king_card=seat)
    holder = table.courtiers[name].control
    tell(turn, ALL, f"The {name} is number {position} at court; {seat} has the King card.", seat)
    table = booked(table, turn, "arrival", f"{name} brought to court")
    if not holder or not table.pairs:  # (ruling no_controller)
        return table
    at = pair_for(table, holder, turn.rules)
    pair = table.pairs[at]
    table = replace(table, pairs=(*table.pairs[:at], *table.pairs[at + 1 :]))
    table = with_seat(table, holder, gifts=tuple(sorted((*table.seats[holder].gifts, *pair))))
    tell(turn, ALL, f"{holder} takes the pair {' and '.join(pair)}.", holder)
    table = booked(table, turn, "pair", f"{' and '.join(pair)} for the {name}", holder)
    return (
        discard_open(table, turn, holder, name, "pair", " for the pair")
        if holder in table.courtiers[name].piles
        else table
    )
