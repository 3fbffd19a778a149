"""What orders leave of danger: what may befall the kingdom within the next turns for all that they do, or because of them.

It loads neither a planner nor a report's pages: who files orders by mail is told it in the answer.
"""

from __future__ import annotations

from kingdom.engine.step import Orders
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.forecast.threats import TURNS, threats
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World


class Left(TypedDict):
    """A danger and its chance, 0 to 1, without these orders and with them."""

    what: str
    before: float
    after: float


class Threatened(TypedDict):
    """Dangers of the next so many `turns`."""

    dangers: list[Left]
    turns: int


def threatened(known: World, seat: str, rules: Rules, orders: Orders, above: float) -> Threatened:
    """Return the dangers whose chance is above that with these orders, in the long form, for the turn after `known`, which is what the
    seat knows. How likely each was without them is worked out only if there is one."""
    likely = {name: chance for name, chance in threats(known, seat, rules, orders).chances.items() if chance > above}
    if not likely:
        return {"dangers": [], "turns": TURNS}
    before = threats(known, seat, rules, {}).chances
    dangers: list[Left] = [{"what": name, "before": before[name], "after": chance} for name, chance in likely.items()]
    return {"dangers": dangers, "turns": TURNS}
