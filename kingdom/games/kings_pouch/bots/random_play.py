"""Random play: whatever may be legal, one as likely as the other; and orders and a GM's most of which can't be carried out, for simulations alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from kingdom.engine.game import Chance
from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.orders import ORDERS, names
from kingdom.games.kings_pouch.orders.managing import on_show, unclaimed
from kingdom.games.kings_pouch.orders.occupying import target_at
from kingdom.games.kings_pouch.orders.placing import ANY
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import CUBES, KINDS, SHAPES, Table, count_of, each_of
from kingdom.games.kings_pouch.steps.land import within_reach
from kingdom.games.kit.drawn import Draw, filing, gm_filing

Thing = TypeVar("Thing")
SKIPS = 5  # one time in 5 it leaves a citizen where it is


def wanted(known: Table, seat: str, rules: Rules, chance: Chance) -> Orders:
    """Its orders for a round: citizens on slots that fit them, then wishes in any order."""
    lord = known.lords[seat]
    place = _placements(known, seat, rules, chance)
    manage: list[Orders] = []
    if known.display and chance("build", 4) > 1:
        manage.append({"build": _some(on_show(known), chance, 3)})
    free = unclaimed(known)
    if free and lord.markers and chance("claim", 3) > 1:
        manage.append({"claim": _some(free, chance, 2)})
    near = within_reach(known, seat, rules)
    for _ in range(chance("occupations", 3) - 1 if near else 0):
        manage.append({"occupy": _some([target_at(known, place) for place in near], chance, 3)})
    tax = ("never", "if_needed", "always")[chance("tax", 3) - 1]
    rest = {"draw": [tuple(SHAPES)[chance("shape", 2) - 1]]}
    return {"place": place, "manage": _some(manage, chance, len(manage)), "tax": tax, "rest": rest}


def _placements(known: Table, seat: str, rules: Rules, chance: Chance) -> list[Orders]:
    """Slots in any order, each with any citizen that fits and is still there."""
    lord = known.lords[seat]
    left = dict(each_of(lord.active))
    slots = [
        (building, number)
        for building in lord.buildings
        for number in range(1, len(rules.buildings[building].slots) + 1)
    ]
    placements: list[Orders] = []
    opened: dict[str, int] = {}
    for building, _ in _some(slots, chance, len(slots)) if count_of(lord.active) else ():
        slot = rules.buildings[building].slots[opened.get(building, 0)]
        kinds = [kind for kind in slot.accepts if left.get(kind)]
        if not kinds or chance("skip", SKIPS) == 1:
            continue
        kind = kinds[chance("citizen", len(kinds)) - 1]
        left[kind] -= 1
        opened[building] = opened.get(building, 0) + 1
        placements.append({"citizen": kind, "at": building, **_choices(building, rules, chance)})
    return placements


def _choices(building: str, rules: Rules, chance: Chance) -> Orders:
    """What the effects of a building ask."""
    effects = {
        (effect.does, effect.what) for slot in rules.buildings[building].slots for line in slot.lines for effect in line
    }
    return {"gain": [CUBES[chance("gain", len(CUBES)) - 1]]} if ("gain", "any_cube") in effects else {}


def _some(things: Sequence[Thing], chance: Chance, most: int) -> list[Thing]:
    """At most that many of them, in any order."""
    mixed = list(things)
    for last in range(len(mixed) - 1, max(len(mixed) - most, 1) - 1, -1):
        other = chance("shuffle", last + 1) - 1
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed[::-1][:most]


def muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """A filing with some of the declared keys, to be merged into what the seat filed; most of it is not allowed."""
    lists = {**names(rules), "seats": list(known.lords)}
    own, free = known.lords[seat].buildings, [place for place in lists["territories"] if place not in known.territories]
    slotless = [
        card for card in (*own, *known.display) if rules.buildings[card].once_per_round
    ]  # few: named more often
    castles = [{"castle": other} for other in known.lords]
    likely: dict[str, Sequence[object]] = {
        "citizen": [*KINDS, ANY, ANY],
        "at": [*own, *own, *slotless * 15, ANY],
        "slot": (1, 1, 2),
        "lines": ([1], [2], [2, 1]),
        "build": [[card] for card in (*known.display, *slotless * 4)],
        "claim": [[who] for who in lists["characters"]],
        "occupy": [[place] for place in (*free, *castles, *castles)],
    }
    return filing(ORDERS, {"kingdom": seat, "turn": known.turn + 1}, Draw(chance, lists, likely), but=("messages",))


def gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    """A GM's orders: now and then prestige given or taken, and an order voided that may not be there."""
    draw = Draw(chance, {"seats": list(table.lords)})
    return gm_filing(table.turn + 1, draw, "prestige", (-3, -1, 1, 3), ("place[0]", "manage[1]", "tax", "castle[9]"))
