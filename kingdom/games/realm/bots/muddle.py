"""Orders drawn at random from their own declaration: whatever may be typed comes up, and most of it can't be carried out.

For simulations alone: this is how every refusal is come by, in texts that have no problem.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kingdom.games.realm.bots.draw import Draw
from kingdom.games.realm.bots.pranks import prank
from kingdom.games.realm.orders import GM_ORDERS, ORDERS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World
from kingdom.orders import orders_file as filing
from kingdom.orders.schema import cases_of

NOT_DRAWN = ("add", "finish")  # rulings that say too much to be drawn, or would end the simulation
LEFT_OUT = ("kingdom", "turn", "token", "amend", "final")  # what stands at the head, or is not for a draw
PRANKS = 60  # percent of the filings that are one
KEYS = 3  # keys of a filing at most


def muddled(known: World, seat: str, rules: Rules, chance: Callable[[str, int], int]) -> str:
    """A filing that is wrong, to be merged into what the seat filed (`amend`): a prank, or some keys drawn at random."""
    draw = Draw(known, seat, rules, chance)
    orders = prank(draw) if draw.happens(PRANKS) else _at_random(draw)
    return filing.write({"kingdom": seat, "turn": known.turn + 1, **orders, "amend": True})


def _at_random(draw: Draw) -> dict[str, Any]:
    keys, orders = [key for key in ORDERS.keys if key not in LEFT_OUT], {}
    for _ in range(1 + draw.below(KEYS)):
        key = draw.pick(keys)
        value = draw.of(ORDERS.keys[key], key)
        if value not in ([], {}, None):
            orders[key] = value
    return orders


def muddled_ruling(world: World, rules: Rules, chance: Callable[[str, int], int]) -> dict[str, Any]:
    """A GM's ruling drawn at random."""
    draw = Draw(world, "", rules, chance)
    cases = {word: record for word, record in cases_of(GM_ORDERS.keys["gm"]).items() if word not in NOT_DRAWN}
    return draw.record(cases[draw.pick(list(cases))])
