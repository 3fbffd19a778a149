"""The GM's own orders, before everything else, in the order listed; what the GM tells, and what players write each other."""

from __future__ import annotations

from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.steps import joined, orders_of, scored, tell
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.games.kings_pouch.types import Turn
from kingdom.games.kit import rulings

CAUSES = {"grant": "prestige given or taken by the GM"}
REFUSALS = {
    "pouch_nothing_to_void": "{whose} filed no order {named} (GM orders); name one that it filed: {filed}.",
    "pouch_ended_already": "The campaign ends with this turn already (GM orders); leave the order out.",
    "pouch_not_your_turn": "This run plays the turn of {seats}, so `{key}` is not carried out (table paces); "
    "send it when your turn is next. The order is {round}.",
    "pouch_castles_first": "Castles are chosen first, so `{key}` is not carried out (ruling castle_choice); send it again for round 1.",
}
PLAYED = ("castle", "place", "manage", "tax", "rest")


def _grant(table: Table, turn: Turn, path: str, ruling: Orders) -> Table:
    seat, by = ruling["grant"], ruling["prestige"]
    tell(turn, "", f"The GM: {by:+} prestige for {seat}: {ruling['reason']}.")
    return scored(turn, table, seat, by, "grant", ruling["reason"])


_ACTS = {
    "grant": _grant,
    "void": rulings.void("pouch_nothing_to_void", "passed", PLAYED, joined),
    "finish": rulings.finish("pouch_ended_already", lambda turn, text, reason: tell(turn, "", text)),
}
gm_orders = rulings.step(_ACTS, lambda table: table.lords)


def sort_orders(table: Table, turn: Turn) -> Table:
    """Refuse what this run does not play, so that nobody waits for it."""
    before = turn.before
    now = due(before, turn.rules)
    for seat in table.lords:
        for key in PLAYED:
            if key not in orders_of(turn, seat):
                continue
            if before.round == SET_UP and key != "castle":
                turn.refuse(seat, key, "pouch_castles_first", key=key)
            elif seat not in now:
                turn.refuse(seat, key, "pouch_not_your_turn", key=key, seats=joined(now), round=joined(before.order))
    return table
