"""The parts of simulated campaigns besides bots: a muddler's orders, a GM, and a count of the closed vocabularies' words that
happened.

The muddler's orders are drawn at random from the declaration of orders: anything that can be typed may come up, and most of it
can't be carried out. The GM helps kingdoms that are about to fall, lets destroyed ones begin anew, and stirs the world a
little.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from kingdom.engine.step import Facts
from kingdom.games.kit import drawn
from kingdom.games.realm.bots.draw import Draw
from kingdom.games.realm.effects import has
from kingdom.games.realm.files import Start, StartArmy, StartPoints, StartTown
from kingdom.games.realm.orders.declaration import CLAIM, ORDERS
from kingdom.games.realm.orders.rulings import GM_ORDERS, Tell
from kingdom.games.realm.rules.building_tables import HalvesPromotion, HalvesTaxPenalty
from kingdom.games.realm.rules.rules import ATTRIBUTES, TABLES, Rules
from kingdom.games.realm.sheet import final_size
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.steps.exploring.monsters import AGAINST
from kingdom.games.realm.steps.war.battle_sides import OUTCOMES
from kingdom.games.realm.types import Order, Result
from kingdom.orders import orders_file as filing
from kingdom.orders.schema import cases_of

# --- a muddler --------------------------------------------------------------------------------------------------------


NOT_DRAWN = ("add", "finish")  # rulings of the GM that are too complex to draw, or would end the simulation


def muddled(known: World, seat: str, rules: Rules, chance: Callable[[str, int], int]) -> str:
    """A wrong filing, to be merged into the seat's orders (`amend`): some keys drawn at random."""
    return drawn.filing(ORDERS, {"kingdom": seat, "turn": known.turn + 1}, Draw(known, seat, rules, chance))


def muddled_ruling(world: World, rules: Rules, chance: Callable[[str, int], int]) -> dict[str, object]:
    """A GM's ruling drawn at random."""
    draw = Draw(world, "", rules, chance)
    cases = {word: record for word, record in cases_of(GM_ORDERS.keys["gm"]).items() if word not in NOT_DRAWN}
    return draw.record(cases[draw.one(list(cases))])


# --- the GM -----------------------------------------------------------------------------------------------------------


NEEDY = 25  # the GM helps a kingdom with less BP in its treasury
RESTLESS = 5  # the GM helps a kingdom from this Unrest on
HELP, CALM = 40, 0  # the BP that the GM grants; the Unrest that it sets
GRUMBLES = 30  # the GM takes off so much Loyalty while a kingdom has a routed army, so that the rout lasts
ROUT = "what soldiers say of a rout"
DOWRY = 8  # points that each attribute gets in the first turn, so that kingdoms grow large enough to use every rule
WHIMS = 60  # the percentage of turns in which the GM stirs something
# buildings in the capital of a kingdom that begins anew
FIRST, NO_HOUSE = (["house", "inn", "shrine", "pier"], ["mansion", "shop", "smithy", "pier"])
HOSTS = ("Red Host", "White Host", "Black Host")  # armies of a kingdom that begins anew
BEGINS: StartPoints = {"economy": 9, "loyalty": 8, "stability": 9}  # its starting attributes
PURSE = 60  # its starting BP


def gm_orders(world: World, rules: Rules, chance: Callable[[str, int], int]) -> str:
    """The GM's orders for the turn after `world`, a text that can be filed."""
    draw = Draw(world, "", rules, chance)
    rulings: list[Mapping[str, object]] = [
        *(_dowry(world) if not world.turn else ()),
        *_help(world, draw),
        *_begun_anew(world, rules, draw),
    ]
    if draw.happens(WHIMS):
        rulings += [_whim(world, rules, draw), muddled_ruling(world, rules, chance)]
    orders: dict[str, object] = {"turn": world.turn + 1, "gm": rulings}
    if draw.happens(10):
        orders["tell"] = [_told(world, draw)]
    return filing.write(orders)


def _dowry(world: World) -> Iterator[Order]:
    for seat in world.kingdoms:
        for attribute in ATTRIBUTES:
            yield {"grant": seat, "account": attribute, "by": DOWRY, "reason": "a good king's heritage"}


def _help(world: World, draw: Draw) -> Iterator[Order]:
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


def _begun_anew(world: World, rules: Rules, draw: Draw) -> Iterator[Order]:
    """Let a destroyed kingdom, or one that has not joined yet, start from a free hex."""
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
            label = draw.one(shore or free)
            yield {
                "add": seat,
                "start": _start(kingdom, seat, label, rules, draw),
                "reason": "settlers came over the hills",
            }


def _start(kingdom: Kingdom, seat: str, label: str, rules: Rules, draw: Draw) -> Start:
    capital = f"New {seat.capitalize()}"
    towns: dict[str, StartTown] = {
        capital: {
            "hex": label,
            "districts": 1,
            "buildings": draw.one((FIRST, NO_HOUSE)) + [draw.one(list(rules.buildings)) for _ in range(5)],
        }
    }
    start: Start = {
        "name": kingdom.name or seat.capitalize(),
        "attributes": BEGINS,
        "treasury": PURSE,
        "government": "autocracy",
        "capital": capital,
        "hexes": {label: []},
        "settlements": towns,
    }
    if rules.units:
        start["armies"] = [_host(name, rules, draw) for name in HOSTS]
    return start


def _host(name: str, rules: Rules, draw: Draw) -> StartArmy:
    """An army of any kind that knows any two tactics."""
    units = [unit for unit, row in rules.units.items() if row.recruit]
    return {
        "name": name,
        "unit": draw.one(units),
        "size": draw.one(list(rules.army_sizes)),
        "tactics": [draw.one(list(rules.tactics)) for _ in range(2)],
        "resources": [draw.one(list(rules.army_resources))],
    }


def _whim(world: World, rules: Rules, draw: Draw) -> Order:
    """Mostly force an event; else place monsters, void an order, or give land."""
    seats = [seat for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed] or list(world.kingdoms)
    seat, what = draw.one(seats), draw.one(("event", "event", "event", "monsters", "monsters", "void", "give"))
    if what == "event" and rules.event_kinds:
        return {"event": draw.one(list(rules.event_kinds)), "to": seat, "reason": "the stars say so"}
    if what == "monsters":
        return {"monsters": draw.one(sorted(world.hexes)), "acr": draw.below(6), "reason": "beasts roam"}
    if what == "give":
        return {"give": draw.one(sorted(world.hexes)), "to": seat, "reason": "an old treaty"}
    return {
        "void": {"kingdom": seat, "order": draw.one((f"{CLAIM.key}[0]", "build[0]", "edicts.taxation", "special"))},
        "reason": "it came too late",
    }


def _told(world: World, draw: Draw) -> Tell:
    seat = draw.one([*world.kingdoms, "all"])
    asked = seat != "all" and world.kingdoms[seat].requests
    if asked or draw.happens(20):
        return {"to": seat, "answers": 1, "text": "Winter comes early."}
    return {"to": seat, "text": "Winter comes early."}


# --- what happened ----------------------------------------------------------------------------------------------------


_RULING = re.compile(r"\(rulings? ([a-z_0-9]+)")
_SAID = ("text", "reason", "why")

# Most rulings are named when they decide something. For those that are not named, these signs show that they did:
EVERY_TURN = ("attribute", "unrest_floor", "step_by_step", "aqueduct")  # at work in every number
BY_CAUSE = {  # ruling -> causes of its entries
    "taxes": ("income",),
    "stability": ("stability",),
    "negative_attribute": ("negative_attribute",),
    "consumption": ("consumption",),
    "slavers": ("slavers",),
    "assassination_attempt": ("leader_events",),
    "public_scandal": ("leader_events",),
}
BY_ACCOUNT = dict.fromkeys(("vigilance", "debauchery", "opulence"), "secondary_attributes")
BY_NOTICE = {
    "check": ("check", "control_dc"),
    "refusal": ("refused_is_free",),
    "battle": ("damage_cap",),
}


def could_happen(rules: Rules) -> dict[str, list[str]]:
    """Vocabulary -> its words that could happen."""
    return {
        "event": list(rules.event_kinds),
        "ruling": [name for name in rules.__struct_fields__ if name not in TABLES and getattr(rules, name) is not None],
        "tactic": list(rules.tactics),
        "strategy": list(rules.strategies),
        "battle result": list(OUTCOMES),
    }


def happened(result: Result, rules: Rules) -> Iterator[tuple[str, str]]:
    """(vocabulary, word) for each time that a word occurred in the turn."""
    for kingdom in result.after.kingdoms.values():
        yield from (("event", event.kind) for event in kingdom.events.values() if event.begins == result.number + 1)
    for notice in result.notices:
        if notice.kind == "battle":
            yield from _of_battle(notice.facts["left"], notice.facts["rounds"])
    yield from (
        ("ruling", name)
        for name in (*_named(result), *EVERY_TURN, *_by_books(result, rules), *_by_state(result, rules))
    )


def _of_battle(left: Iterable[Mapping[str, str]], rounds: Iterable[Facts]) -> Iterator[tuple[str, str]]:
    yield from (("battle result", left["outcome"]) for left in left)
    for row in rounds:
        for side in row["sides"]:
            yield "tactic", side["tactic"]
            yield "strategy", side["strategy"]


def _named(result: Result) -> Iterator[str]:
    """The rulings that the turn's texts name."""
    texts: Iterable[str] = (str(notice.facts.get(key, "")) for notice in result.notices for key in _SAID)
    for text in (*texts, *(entry.detail for entry in result.entries)):
        yield from _RULING.findall(text)


def _by_books(result: Result, rules: Rules) -> Iterator[str]:
    """The rulings that entries, rolls and notices show to have been at work."""
    for notice in result.notices:
        yield from BY_NOTICE.get(notice.kind, ())
        if notice.kind == "plan":
            yield "work_plan"
    yield from ("nobody_first" for roll in result.rolls if roll.name.startswith(AGAINST))
    for entry in result.entries:
        yield from BY_CAUSE.get(entry.cause, ())
        if entry.account in BY_ACCOUNT:
            yield BY_ACCOUNT[entry.account]
        if entry.cause in rules.event_kinds:
            yield from ("events", "event_timing")
        if entry.cause == "improve":
            yield from (name for name in ("canal", "bridge") if name in entry.detail)


def _by_state(result: Result, rules: Rules) -> Iterator[str]:
    """The rulings whose effect shows in the state after the turn."""
    for seat, kingdom in result.after.kingdoms.items():
        before = result.before.kingdoms.get(seat, kingdom)
        yield from (name for name, holds in _holds(kingdom, before, rules) if holds)
        foreign = {label for other, each in result.after.kingdoms.items() if other != seat for label in each.hexes}
        yield from ("crossing" for army in kingdom.armies.values() if army.hex in foreign)
        wet = [
            label
            for label in kingdom.hexes
            if label not in before.hexes and rules.terrain[result.after.hexes[label].terrain].water
        ]
        yield from ("water_hexes" for _ in wet)


def _holds(kingdom: Kingdom, before: Kingdom, rules: Rules) -> Iterator[tuple[str, bool]]:
    new = [town for name, town in kingdom.settlements.items() if name not in before.settlements]
    standing = {building.id for town in kingdom.settlements.values() for building in town.buildings}
    yield "government", bool(kingdom.government)
    yield "not_played", any(rules.buildings[kind].not_played for kind in standing)
    yield "halved_edicts", has(kingdom, rules, HalvesPromotion) or has(kingdom, rules, HalvesTaxPenalty)
    yield (
        "event_lasting",
        any(modifier.lasting and modifier.cause in rules.event_kinds for modifier in kingdom.modifiers),
    )
    yield "step_4", any(town.buildings for town in new)
    yield "vision", bool(kingdom.memory)
    yield "safe_turns", kingdom.unsafe and not before.unsafe
    yield "final_size", rules.final_size is not None and final_size(kingdom, rules) < len(kingdom.hexes)
