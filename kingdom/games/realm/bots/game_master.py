"""The GM of a simulated campaign: helps who is about to fall, lets the fallen begin anew, and stirs the world a little."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kingdom.games.realm.bots.draw import Draw
from kingdom.games.realm.bots.muddle import muddled_ruling
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.orders import orders_file as filing

NEEDY = 25  # BP in the treasury, under which it helps
RESTLESS = 5  # Unrest, from which on it helps
HELP, CALM = 40, 0  # BP that it grants; the Unrest that it sets
GRUMBLES = 30  # points of Loyalty that a kingdom lacks as long as an army of it is routed, so that it is not soon over
ROUT = "what soldiers say of a rout"
DOWRY = 8  # points that each attribute of each kingdom gets in the first turn, so that it grows far enough to use every rule
WHIMS = 60  # percent of turns in which it stirs something
FIRST, NO_HOUSE = (
    ["house", "inn", "shrine", "pier"],
    ["mansion", "shop", "smithy", "pier"],
)  # what stands in its capital
HOSTS = ("Red Host", "White Host", "Black Host")  # armies of a kingdom that begins anew
START = {"attributes": {"economy": 9, "loyalty": 8, "stability": 9}, "treasury": 60, "government": "autocracy"}


def gm_orders(world: World, rules: Rules, chance: Callable[[str, int], int]) -> str:
    """The GM's orders for the turn after `world`, a text that can be filed."""
    draw = Draw(world, "", rules, chance)
    rulings = [*(_dowry(world) if not world.turn else ()), *_help(world, draw), *_begun_anew(world, rules, draw)]
    if draw.happens(WHIMS):
        rulings += [_whim(world, rules, draw), muddled_ruling(world, rules, chance), *_slip(world, rules, draw)]
    orders: dict[str, Any] = {"turn": world.turn + 1, "gm": rulings}
    if draw.happens(10):
        orders["tell"] = [_told(world, draw)]
    return filing.write(orders)


def _dowry(world: World) -> Iterator[dict[str, Any]]:
    for seat in world.kingdoms:
        for attribute in ATTRIBUTES:
            yield {"grant": seat, "account": attribute, "by": DOWRY, "reason": "a good king's heritage"}


def _help(world: World, draw: Draw) -> Iterator[dict[str, Any]]:
    for seat, kingdom in world.kingdoms.items():
        if kingdom.destroyed or kingdom.anarchy > world.turn:
            continue
        if kingdom.captives and draw.happens(50):
            yield {"set": seat, "account": "treasury", "to": 0, "reason": "the ransom is stolen"}
        elif kingdom.treasury < NEEDY and draw.happens(70):
            yield {"grant": seat, "account": "treasury", "by": HELP, "reason": "merchants lend"}
        if kingdom.unrest >= RESTLESS and draw.happens(60):
            yield {"set": seat, "account": "unrest", "to": CALM, "reason": "a good harvest"}
        routed = any(army.routed for army in kingdom.armies.values())
        low = sum(modifier.by for modifier in kingdom.modifiers if modifier.text == ROUT) < 0
        if routed is not low and draw.happens(80):
            yield {"grant": seat, "account": "loyalty", "by": -GRUMBLES if routed else GRUMBLES, "reason": ROUT}
        for key in list(kingdom.events)[:1] if len(kingdom.events) > 2 and draw.happens(50) else ():
            yield {"end": key, "of": seat, "reason": "it had gone on for long enough"}


def _begun_anew(world: World, rules: Rules, draw: Draw) -> Iterator[dict[str, Any]]:
    """A destroyed kingdom, and one that has a place but has not joined yet, may start from a free hex."""
    held = owners(world)
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed or not draw.happens(50):
            continue
        free = [
            label
            for label, hex in sorted(world.hexes.items())
            if label not in held and not hex.free_city and not rules.terrain[hex.terrain].water and not hex.monsters
        ]
        if free:
            shore = [label for label in free if "coast" in world.hexes[label].features]
            label = draw.pick(shore or free)
            yield {
                "add": seat,
                "start": _start(kingdom, seat, label, rules, draw),
                "reason": "settlers came over the hills",
            }


def _start(kingdom: Kingdom, seat: str, label: str, rules: Rules, draw: Draw) -> dict[str, Any]:
    capital = f"New {seat.capitalize()}"
    towns = {
        capital: {
            "hex": label,
            "districts": 1,
            "buildings": draw.pick((FIRST, NO_HOUSE)) + [draw.pick(list(rules.buildings)) for _ in range(5)],
        }
    }
    start = {
        "name": kingdom.name or seat.capitalize(),
        **START,
        "capital": capital,
        "hexes": {label: []},
        "settlements": towns,
    }
    return {**start, "armies": [_host(name, rules, draw) for name in HOSTS]} if rules.units else start


def _host(name: str, rules: Rules, draw: Draw) -> dict[str, Any]:
    """An army of any kind that knows any two tactics."""
    units = [unit for unit, row in rules.units.items() if row.recruit]
    return {
        "name": name,
        "unit": draw.pick(units),
        "size": draw.pick(list(rules.army_sizes)),
        "tactics": [draw.pick(list(rules.tactics)) for _ in range(2)],
        "resources": [draw.pick(list(rules.army_resources))],
    }


def _whim(world: World, rules: Rules, draw: Draw) -> dict[str, Any]:
    """An event forced, mostly; else monsters placed, or a ruling on one of the orders, or land given."""
    seats = [seat for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed] or list(world.kingdoms)
    seat, what = draw.pick(seats), draw.pick(("event", "event", "event", "monsters", "monsters", "void", "give"))
    if what == "event" and rules.event_kinds:
        return {"event": draw.pick(list(rules.event_kinds)), "to": seat, "reason": "the stars say so"}
    if what == "monsters":
        return {"monsters": draw.pick(sorted(world.hexes)), "acr": draw.below(6), "reason": "beasts roam"}
    if what == "give":
        return {"give": draw.pick(sorted(world.hexes)), "to": seat, "reason": "an old treaty"}
    return {
        "void": {"kingdom": seat, "order": draw.pick(("claim[0]", "build[0]", "edicts.taxation", "special"))},
        "reason": "it came too late",
    }


def _slip(world: World, rules: Rules, draw: Draw) -> list[dict[str, Any]]:
    """What a GM gets wrong: a ruling given twice, names that are taken, a kingdom added that plays, or so that it can't start."""
    seat = draw.pick(list(world.kingdoms))
    kingdom, why = world.kingdoms[seat], {"reason": "a slip of the pen"}
    kind = draw.pick(list(rules.event_kinds) or ["plague"])
    names = [*kingdom.settlements, *kingdom.armies]
    slips: tuple[list[dict[str, Any]], ...] = (
        [{"ban": kind, **why}, {"ban": kind, **why}, {"allow": kind, **why}, {"allow": kind, **why}],
        [{"rename": names[0], "of": seat, "to": names[1], **why}] if len(kingdom.settlements) > 1 else [],
        [{"add": seat, "start": _start(kingdom, seat, draw.pick(sorted(world.hexes)), rules, draw), **why}],
        [{"add": seat, "start": {"name": "Nobody", "hexes": {"9999": []}}, **why}],
        [{"event": kind, "to": seat, "hex": draw.label(), **why}],
        [{"set": seat, "account": "stores", "to": 999, **why}, {"set": seat, "account": "treasury", "to": 1, **why}],
        [{"reveal": label, "to": seat, **why} for label in list(kingdom.hexes)[:1]],
    )
    return draw.pick(slips)


def _told(world: World, draw: Draw) -> dict[str, Any]:
    seat = draw.pick([*world.kingdoms, "all"])
    asked = seat != "all" and world.kingdoms[seat].requests
    return {"to": seat, **({"answers": 1} if asked or draw.happens(20) else {}), "text": "Winter comes early."}
