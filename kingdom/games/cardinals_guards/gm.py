"""The GM's own orders, before everything else, in the order listed; and what the GM tells."""

from __future__ import annotations

import re
from typing import Any

from kingdom.dice import GM
from kingdom.games.cardinals_guards.scoring import accounts
from kingdom.games.cardinals_guards.state import Table, replace
from kingdom.turn import Turn

CAUSES = {"grant": "points that the GM granted or took"}
REFUSALS = {
    "guards_void_nothing": "{kingdom} filed no order {named} (GM orders); name one that it filed, such as orders[0]; it filed: {filed}.",
    "guards_ended_already": "The campaign ends with this turn already (GM orders); leave the order out.",
}
_PATH = re.compile(r"([a-z_]+)(?:\[(\d{1,3})\])?")
ALL = "all"


def gm_orders(table: Table, turn: Turn) -> Table:
    """The GM's rulings one after the other, then what the GM tells and what players write each other."""
    given = turn.orders.get(GM, {})
    for index, order in enumerate(given.get("gm", ())):
        word = next(word for word in _ACTS if word in order)
        table = _ACTS[word](table, turn, f"gm[{index}]", order)
    for order in given.get("tell", ()):
        turn.tell(order["to"], "tell", text=order["text"])
    for seat in table.seats:
        for message in turn.orders.get(seat, {}).get("messages", ()):
            turn.tell(message["to"], "message", sender=seat, text=message["text"])
    return table


def _grant(table: Table, turn: Turn, path: str, order: dict[str, Any]) -> Table:
    """Points on top of the game's, or off them."""
    seat = order["grant"]
    of = table.seats[seat]
    table = replace(table, seats={**table.seats, seat: replace(of, granted=of.granted + order["by"])})
    turn.book(seat, accounts(table, seat, turn.rules), "grant", order["reason"])
    turn.tell(seat, "ruling", text=f"The GM: {order['by']:+} points: {order['reason']}.")
    return table


def _void(table: Table, turn: Turn, path: str, order: dict[str, Any]) -> Table:
    """Drop one order of a seat; the others keep their numbers."""
    seat, named = order["void"]["kingdom"], order["void"]["order"]
    filed = turn.orders.get(seat, {})
    match = _PATH.fullmatch(named)
    key, index = match.groups() if match else ("", None)
    there = key in filed and (index is None or (isinstance(filed[key], (list, tuple)) and int(index) < len(filed[key])))
    if not there:
        turn.refuse(GM, path, "guards_void_nothing", kingdom=seat, named=named, filed=", ".join(filed) or "nothing")
        return table
    if index is None:
        left = {other: value for other, value in filed.items() if other != key}
    else:
        left = {**filed, key: [None if place == int(index) else each for place, each in enumerate(filed[key])]}
    turn.orders = {**turn.orders, seat: left}
    turn.tell(seat, "voided", order=named, text=f"The GM voids {named}: {order['reason']}.")
    return table


def _finish(table: Table, turn: Turn, path: str, order: dict[str, Any]) -> Table:
    """The campaign ends with this turn, which is played to its end."""
    if table.ended:
        turn.refuse(GM, path, "guards_ended_already")
        return table
    turn.tell(ALL, "ruling", text=f"The GM ends the campaign with this turn: {order['reason']}.")
    return replace(table, ended=order["reason"])


_ACTS = {"grant": _grant, "void": _void, "finish": _finish}
