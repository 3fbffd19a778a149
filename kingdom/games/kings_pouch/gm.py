"""The GM's own orders, before everything else, in the order listed; what the GM tells, and what players write each other."""

from __future__ import annotations

import re
from typing import Any

from kingdom.dice import GM
from kingdom.games.kings_pouch.state import Table, replace
from kingdom.games.kings_pouch.steps import joined, listed, orders_of, passed, scored, tell
from kingdom.games.kings_pouch.turns import SET_UP, due
from kingdom.turn import Turn

CAUSES = {"grant": "prestige given or taken by the GM"}
REFUSALS = {
    "pouch_nothing_to_void": "{whose} filed no order {named} (GM orders); name one that it filed: {filed}.",
    "pouch_ended_already": "The campaign ends with this turn already (GM orders); leave the order out.",
    "pouch_not_your_turn": "This run plays the turn of {seats}, so `{key}` is not carried out (table paces); "
    "send it when your turn is next. The order is {round}.",
    "pouch_castles_first": "Castles are chosen first, so `{key}` is not carried out (ruling castle_choice); send it again for round 1.",
}
_PATH = re.compile(r"([a-z_]+)(?:\[(\d{1,3})\])?")
PLAYED = ("castle", "place", "manage", "tax", "rest")


def gm_orders(table: Table, turn: Turn) -> Table:
    """The GM's rulings, what the GM tells, and the messages of players."""
    given = turn.orders.get(GM, {})
    for path, ruling in listed(given, "gm"):
        act = next(act for word, act in _ACTS.items() if word in ruling)
        table = act(table, turn, path, ruling)
    for _, each in listed(given, "tell"):
        turn.tell(each["to"], "tell", text=each["text"])
    for seat in table.lords:
        for _, message in listed(orders_of(turn, seat), "messages"):
            turn.tell(message["to"], "message", sender=seat, text=message["text"])
    return table


def _grant(table: Table, turn: Turn, path: str, ruling: dict[str, Any]) -> Table:
    seat, by = ruling["grant"], ruling["prestige"]
    tell(turn, "", f"The GM: {by:+} prestige for {seat}: {ruling['reason']}.")
    return scored(turn, table, seat, by, "grant", ruling["reason"])


def _void(table: Table, turn: Turn, path: str, ruling: dict[str, Any]) -> Table:
    """Drop one order of a seat; the others keep their numbers."""
    seat, named = ruling["void"]["kingdom"], ruling["void"]["order"]
    shorter = _without(turn.orders.get(seat, {}), named)
    if shorter is None:
        filed = joined(key for key in turn.orders.get(seat, {}) if key in PLAYED)
        turn.refuse(GM, path, "pouch_nothing_to_void", whose=seat, named=named, filed=filed)
        return table
    turn.orders = {**turn.orders, seat: shorter}
    passed(turn, seat, named, f"The GM voids it: {ruling['reason']}.")
    return table


def _without(orders: dict[str, Any], path: str) -> dict[str, Any] | None:
    """The orders without the one at that path (`place[0]`, `tax`); None where there is none."""
    match = _PATH.fullmatch(path)
    key, index = match.groups() if match else ("", None)
    if key not in PLAYED or key not in orders:
        return None
    if index is None:
        return {other: each for other, each in orders.items() if other != key}
    inside = orders[key]
    if not isinstance(inside, list) or int(index) >= len(inside) or inside[int(index)] is None:
        return None
    return {**orders, key: [None if place == int(index) else each for place, each in enumerate(inside)]}


def _finish(table: Table, turn: Turn, path: str, ruling: dict[str, Any]) -> Table:
    """The campaign ends with this turn, which is played to its end, and scored as it stands then."""
    if table.ended:
        turn.refuse(GM, path, "pouch_ended_already")
        return table
    tell(turn, "", f"The GM ends the campaign with this turn: {ruling['reason']}.")
    return replace(table, ended=ruling["reason"])


_ACTS = {"grant": _grant, "void": _void, "finish": _finish}


def sort_orders(table: Table, turn: Turn) -> Table:
    """Refuse what this run does not play, so that nobody waits for it."""
    before: Table = turn.before
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
