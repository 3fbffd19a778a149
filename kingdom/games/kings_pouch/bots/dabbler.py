"""Random play: whatever may be legal, one as likely as the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import CUBES, SHAPES, Table, count_of, each_of
from kingdom.games.kings_pouch.steps.land import within_reach

Chance = Callable[[str, int], int]
Thing = TypeVar("Thing")
SKIPS = 5  # one time in so many it leaves a citizen where it is


def wanted(known: Table, seat: str, rules: Rules, chance: Chance) -> dict[str, Any]:
    """Its orders for a round: citizens on slots that fit them, then wishes in any order."""
    lord = known.lords[seat]
    place = _placements(known, seat, rules, chance)
    manage: list[dict[str, Any]] = []
    if known.display and chance("build", 4) > 1:
        manage.append({"build": _some(list(dict.fromkeys(known.display)), chance, 3)})
    free = [who for who in known.characters if who not in known.claimed]
    if free and lord.markers and chance("claim", 3) > 1:
        manage.append({"claim": _some(free, chance, 2)})
    near = within_reach(known, seat, rules)
    for _ in range(chance("occupations", 3) - 1 if near else 0):
        manage.append({"occupy": _some([_target(known, place) for place in near], chance, 3)})
    tax = ("never", "if_needed", "always")[chance("tax", 3) - 1]
    rest = {"draw": [tuple(SHAPES)[chance("shape", 2) - 1]]}
    return {"place": place, "manage": _some(manage, chance, len(manage)), "tax": tax, "rest": rest}


def _placements(known: Table, seat: str, rules: Rules, chance: Chance) -> list[dict[str, Any]]:
    """Slots in any order, each with any citizen that fits and is still there."""
    lord = known.lords[seat]
    left = dict(each_of(lord.active))
    slots = [
        (building, number)
        for building in lord.buildings
        for number in range(1, len(rules.buildings[building].slots) + 1)
    ]
    found: list[dict[str, Any]] = []
    opened: dict[str, int] = {}
    for building, _ in _some(slots, chance, len(slots)) if count_of(lord.active) else ():
        slot = rules.buildings[building].slots[opened.get(building, 0)]
        kinds = [kind for kind in slot.accepts if left.get(kind)]
        if not kinds or chance("skip", SKIPS) == 1:
            continue
        kind = kinds[chance("citizen", len(kinds)) - 1]
        left[kind] -= 1
        opened[building] = opened.get(building, 0) + 1
        found.append({"citizen": kind, "at": building, **_choices(building, rules, chance)})
    return found


def _choices(building: str, rules: Rules, chance: Chance) -> dict[str, Any]:
    """What the effects of a building ask."""
    effects = {
        (effect.does, effect.what) for slot in rules.buildings[building].slots for line in slot.lines for effect in line
    }
    return {"gain": [CUBES[chance("gain", len(CUBES)) - 1]]} if ("gain", "any_cube") in effects else {}


def _target(known: Table, place: str) -> Any:
    """A territory as an order names it: a castle by its player."""
    return next(({"castle": seat} for seat, lord in known.lords.items() if lord.castle == place), place)


def _some(things: Sequence[Thing], chance: Chance, most: int) -> list[Thing]:
    """At most so many of them, in any order."""
    mixed = list(things)
    for last in range(len(mixed) - 1, max(len(mixed) - most, 1) - 1, -1):
        other = chance("shuffle", last + 1) - 1
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed[::-1][:most]
