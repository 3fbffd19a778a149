"""What comes before the play: the standing preferences, and what this turn is not for."""

from __future__ import annotations

from kingdom.games.royal_progress.orders import STANDING
from kingdom.games.royal_progress.state import DISCARD, Now, Table, Turn
from kingdom.games.royal_progress.steps import due

REFUSALS = {
    "discard_first": "This turn is for the card that you give back (ruling opening_discard); `plans` begin with the next turn.",
    "discard_over": "The dealt cards were given back in the first turn (ruling opening_discard); use action D in a plan.",
    "turn_of_another": "Now it is the turn of {seats} (ruling pace); `plans` of yours count when the report asks you.",
}


def sort_orders(table: Table, turn: Turn) -> Table:
    """Refuse what this turn is not for, and keep the standing preferences that were filed, key by key."""
    seats = due(table, turn.rules)
    for seat in table.seats:
        orders = turn.orders.get(seat, {})
        if "plans" in orders and table.phase == DISCARD:
            turn.refuse(seat, "plans", "discard_first")
        elif "plans" in orders and seat not in seats:
            turn.refuse(seat, "plans", "turn_of_another", seats=" and ".join(seats) or "nobody")
        if "discard" in orders and table.phase != DISCARD:
            turn.refuse(seat, "discard", "discard_over")
        table = STANDING.play(Now(table, seat, turn.rules, turn.foreseeing), turn)
    return table
