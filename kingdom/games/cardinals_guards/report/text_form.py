"""The order form of the next turn, line by line: valid orders as it stands, with what can be ordered as comments."""

from __future__ import annotations

from typing import Any

from kingdom.games.cardinals_guards.offers.outlook import legal
from kingdom.games.cardinals_guards.state import Table
from kingdom.games.cardinals_guards.steps import moves

_MOST = 8  # examples of orders


def form_of(table: Table, seat: str, rules: Any) -> list[str]:
    """The form behind its head (`kingdom`, `turn`)."""
    of = table.seats[seat]
    if table.over or of.board.finished:
        return ["# This game is over; there is nothing to order."]
    orders = [moves.short(order) for order in legal(of.board, table.deal, rules)]
    step = max(1, len(orders) // _MOST)
    return [
        f"continue_from: {of.board.orders:<11}# orders carried out so far: keep this line",
        "# As many orders as you like, from the top until one is not allowed.",
        "#orders:                   # allowed right now are, for example:",
        *(f"#  - {order}" for order in orders[::step][:_MOST]),
        "# Forms: move C E, move C N recruit, move A E exit e5 defeat a2, lure A a2",
        "#finish: true              # the game is over behind these orders",
        "#final: true               # I am done",
        "#messages: [{to: all, text: Well met.}]",
    ]
