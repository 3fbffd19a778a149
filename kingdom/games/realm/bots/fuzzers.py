"""Fuzzers: bots that order at random what is mostly allowed, so that simulated campaigns come to use every rule.

All have the same habits, one for each kind of order, in the rules' order of steps; a temper says how often a habit acts.
chance(name, sides) is a roll that nobody else makes, so the same turn comes out the same again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kingdom.games.realm.bots import court, home, war
from kingdom.games.realm.bots.bot_context import BUILDER, TRADER, WARLORD, Mind, Temper
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import World

HABITS: tuple[Callable[[Mind], None], ...] = (
    court.answer,
    court.lead,
    home.begin_anew,
    home.abandon,
    home.claim,
    home.improve,
    home.settle,
    court.watch,
    home.build,
    war.muster,
    war.march,
    court.set_edicts,
    court.issue,
    court.decide,
    court.calm,
    court.plan,
    court.write,
)


def orders(temper: Temper, known: World, seat: str, rules: Rules, chance: Callable[[str, int], int]) -> str:
    """Return the orders of a fuzzer of that temper for the turn after `known`, a text that can be filed."""
    sheet = accounts(known.kingdoms[seat], known.hexes, rules)
    mind = Mind(known, seat, rules, chance, temper, sheet)
    if mind.may_order():
        for habit in HABITS:
            habit(mind)
    return mind.text()


FUZZERS: dict[str, Callable[[World, str, Rules, Callable[[str, int], int]], str]] = {
    "builder": partial(orders, BUILDER),
    "trader": partial(orders, TRADER),
    "warlord": partial(orders, WARLORD),
}


def text(name: str, known: World, seat: str, rules: Rules, chance: Callable[[str, int], int]) -> str:
    """Return the orders of the fuzzer of that name."""
    return FUZZERS[name](known, seat, rules, chance)
