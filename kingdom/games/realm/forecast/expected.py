"""What a turn was expected to bring a kingdom with its orders: changes of treasury and Unrest by cause, and chances of checks.

It is worked out from the state before the turn as the seat knew it; results of dice count on average. Events, trade, battles
and the acts of others are left out, so a report shows them as unforeseen. Rulings: income, stability, consumption.
"""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.engine.dice import NoDice
from kingdom.engine.step import Facts, Orders
from kingdom.engine.turn import resolve
from kingdom.games.realm.forecast.courses import Standing, upkeep
from kingdom.games.realm.forecast.exact import MAKES, Trouble, Troubles, paid, rolled_of, success
from kingdom.games.realm.forecast.terms import Terms, faces_of, taxes, terms_of
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World
from kingdom.games.realm.turn import FORESEEN_TO, PLAY
from kingdom.games.realm.visibility.known import company, known

_DIGITS = 2


def expected(world: World, seat: str, rules: Rules, orders: Orders) -> Facts | None:
    """Return what the turn after `world` brings on average with these orders, in the long form, as far as the seat knows.

    treasury, unrest: cause -> its average change; checks: attribute -> its chance, 0 to 1.

    None in edition 1 of the rules, whose reports do not show it, and for a kingdom that is out of play.
    """
    if not rules.event_going_on or world.kingdoms[seat].destroyed:
        return None
    seen = company(known(world, seat, rules), seat, orders)
    result = resolve(PLAY, seen, {seat: orders}, NoDice(), rules, FORESEEN_TO)
    standing = Standing(seat, result.after.kingdoms[seat], result.after.hexes, result.number)
    moved = Moved()
    for entry in result.entries:
        if entry.kingdom == seat:
            moved.add(entry.account, entry.cause, entry.delta)
    terms, loyalty = terms_of(standing.kingdom, standing.hexes, standing.turn, rules), orders.get("loyalty") or {}
    if terms.in_play:
        _income_and_upkeep(moved, standing, terms, rules, next(iter(loyalty), ""))
    rolled = rolled_of(standing, rules)
    chances = {name: round(success(each), _DIGITS) for name, each in rolled.items() if name != "loyalty" or loyalty}
    return {"treasury": moved.rounded("treasury"), "unrest": moved.rounded("unrest"), "checks": chances}


class Moved:
    """Account -> cause -> the change."""

    def __init__(self) -> None:
        self.by: dict[str, dict[str, float]] = {}

    def add(self, account: str, cause: str, by: float) -> None:
        """Add to the change by a cause."""
        causes = self.by.setdefault(account, {})
        causes[cause] = causes.get(cause, 0) + by

    def rounded(self, account: str) -> dict[str, float]:
        """Return cause -> change of that account, rounded, without zeros."""
        return {cause: round(by, _DIGITS) for cause, by in self.by.get(account, {}).items() if round(by, _DIGITS)}


def _income_and_upkeep(moved: Moved, standing: Standing, terms: Terms, rules: Rules, loyalty: str) -> None:
    """Add the average changes by checks and Consumption. loyalty: the ordered Loyalty check."""
    kingdom = standing.kingdom
    faces = faces_of("economy", kingdom.unrest, terms, rules) if terms.checked else []
    pays = [(taxes(face, terms, rules), 1) for face in faces] or [(0, 1)]
    works = _mean((terms.works * face.success, 1) for face in faces) if faces else 0
    moved.add("treasury", "taxes", _mean(pays) - works)
    moved.add("treasury", "works", works)
    troubles: Troubles = {Trouble(kingdom.unrest, kingdom.anarchy == standing.turn + 1, kingdom.loses_hex): 1}
    causes = {"modify_unrest": "negative_attribute", "stability_check": "stability", "loyalty_check": loyalty}
    for step in upkeep()[0]:
        before = _mean((trouble.unrest, ways) for trouble, ways in troubles.items())
        troubles = MAKES[step](troubles, terms, rules, loyalty)
        moved.add("unrest", causes[step], _mean((trouble.unrest, ways) for trouble, ways in troubles.items()) - before)
    moved.add("treasury", "stability", _mean((trouble.bp, ways) for trouble, ways in troubles.items()))
    purses = [
        (kingdom.treasury + bp + trouble.bp, ways * others) for bp, ways in pays for trouble, others in troubles.items()
    ]
    left = [(paid(purse, kingdom.stores, terms)[0], ways) for purse, ways in purses]
    moved.add("treasury", "consumption", _mean(left) - _mean(purses))
    moved.add("unrest", "consumption", _mean((rules.consumption.unpaid_unrest * (end < 0), ways) for end, ways in left))


def _mean(weighted: Iterable[tuple[float, int]]) -> float:
    """The average of numbers, each weighted by its ways."""
    rows = list(weighted)
    return sum(number * ways for number, ways in rows) / sum(ways for _, ways in rows)
