"""The GM's grant of prestige, and what is not for this run: told before anything is decided."""

from __future__ import annotations

from kingdom.games.kings_pouch.state import Table, Turn
from kingdom.games.kings_pouch.steps import joined, orders_of, scored, tell
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.games.kit.rulings import Ruling

REFUSALS = {
    "pouch_not_your_turn": "This run plays the turn of {seats}, so `{key}` is not carried out (table paces); "
    "send it when your turn is next. The order is {round}.",
    "pouch_castles_first": "Castles are chosen first, so `{key}` is not carried out (ruling castle_choice); send it again for round 1.",
}
PLAYED = ("castle", "place", "manage", "tax", "rest")


def grant(table: Table, turn: Turn, path: str, ruling: Ruling) -> Table:
    """Prestige given or taken; a debt is possible."""
    seat, by = ruling["grant"], ruling["prestige"]
    tell(turn, "", f"The GM: {by:+} prestige for {seat}: {ruling['reason']}.")
    return scored(turn, table, seat, by, "grant", ruling["reason"])


def sort_orders(table: Table, turn: Turn) -> Table:
    """Refuse what this run does not play, so that nobody waits for it."""
    before = turn.before
    now = due(before, turn.rules)
    for seat in table.seats:
        for key in PLAYED:
            if key not in orders_of(turn, seat):
                continue
            if before.round == SET_UP and key != "castle":
                turn.refuse(seat, key, "pouch_castles_first", key=key)
            elif seat not in now:
                turn.refuse(seat, key, "pouch_not_your_turn", key=key, seats=joined(now), round=joined(before.order))
    return table
