"""The GM's own orders, before everything else, in the order listed; and what the GM tells."""

from __future__ import annotations

from kingdom.engine.step import Orders
from kingdom.games.cardinals_guards.state import Table, replace
from kingdom.games.cardinals_guards.steps import accounts
from kingdom.games.cardinals_guards.types import Turn
from kingdom.games.kit import rulings
from kingdom.games.kit.common_orders import ALL

CAUSES = {"grant": "points that the GM granted or took"}
REFUSALS = {
    "guards_void_nothing": "{whose} filed no order {named} (GM orders); name one that it filed, such as orders[0]; it filed: {filed}.",
    "guards_ended_already": "The campaign ends with this turn already (GM orders); leave the order out.",
}


def _grant(table: Table, turn: Turn, path: str, order: Orders) -> Table:
    """Points on top of the game's, or off them."""
    seat = order["grant"]
    of = table.seats[seat]
    table = replace(table, seats={**table.seats, seat: replace(of, granted=of.granted + order["by"])})
    turn.book(seat, accounts(table, seat, turn.rules), "grant", order["reason"])
    turn.tell(seat, "ruling", text=f"The GM: {order['by']:+} points: {order['reason']}.")
    return table


_ACTS = {
    "grant": _grant,
    "void": rulings.void(
        "guards_void_nothing",
        "voided",
        say=lambda keys: ", ".join(keys) or "nothing",
        text="The GM voids {order}: {reason}.",
    ),
    "finish": rulings.finish("guards_ended_already", lambda turn, text, reason: turn.tell(ALL, "ruling", text=text)),
}
gm_orders = rulings.step(_ACTS, lambda table: table.seats)
