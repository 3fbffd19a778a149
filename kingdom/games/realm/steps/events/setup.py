"""The details settled when an event is announced: the choices for each detail, and the pick. With no choices the event
can't happen there.

Each record of `set_up` has two functions: one lists the choices, one applies the pick. Ruling: event_substitutes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules import event_tables as tables
from kingdom.games.realm.rules.event_tables import HUNDRED, EventKind
from kingdom.games.realm.rules.land_tables import Improvement
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Event, Hex, Kingdom, owners, replace
from kingdom.games.realm.steps.events.scene import Scene
from kingdom.games.realm.steps.land.improvements import PREPARED, possible
from kingdom.games.realm.steps.shared import with_revealed
from kingdom.games.realm.steps.towns.lots import find
from kingdom.games.realm.steps.towns.plan import Plan


def can_happen(scene: Scene) -> bool:
    """Whether every detail to settle has something to choose from."""
    return all(_SETTLED[type(each)][0](scene, each) for each in scene.kind.set_up)


def set_up(scene: Scene) -> Scene:
    """The scene with every detail settled that the announcement needs. The event must be able to happen."""
    for each in scene.kind.set_up:
        choices, settle = _SETTLED[type(each)]
        scene = settle(scene, each, choices(scene, each))
    return scene


def places(kind: EventKind, scope: str, kingdom: Kingdom) -> list[tuple[str, str]]:
    """(hex, settlement) of each place that an event of that scope may strike, in the order of labels or names."""
    if scope == "settlement":
        return [(each.hex, name) for name, each in sorted(kingdom.settlements.items())]
    if scope == "hex":
        return [(label, "") for label in sorted(kingdom.hexes)]
    return [("", "")]


def plan_of(kingdom: Kingdom, name: str, rules: Rules) -> Plan:
    """The ground plan of a settlement, blocked lots included."""
    settlement = kingdom.settlements[name]
    return Plan(settlement.districts, settlement.buildings, rules, kingdom.blocked.get(name, ()))


Choice = TypeVar("Choice")


def picked(scene: Scene, what: str, choices: Sequence[Choice]) -> Choice:
    """One of the choices, by a die with as many faces; a single choice needs no roll."""
    if len(choices) == 1:
        return choices[0]
    return choices[(scene.roll(what, len(choices)) or 1) - 1]


def by_percent(scene: Scene, what: str, upto: Mapping[str, int]) -> str:
    """A percentile roll picks the word: each word has its own range of faces."""
    face = scene.roll(what, HUNDRED) or 1
    return next((word for word, most in upto.items() if face <= most), list(upto)[-1])


# --- what there is to choose from, and what becomes of it ------------------------------------------------------------------


def _needed_buildings(scene: Scene, setup: tables.NeedsBuilding) -> list[str]:
    kinds, there = scene.turn.rules.buildings, scene.kingdom.settlements[scene.event.settlement].buildings
    if setup.any_of:
        return [each.id for each in there if each.id in setup.any_of]
    return [each.id for each in there if kinds[each.id].place == "lot"]


def improved(scene: Scene, label: str) -> list[str]:
    """What the kingdom has built in that hex."""
    return [name for name in scene.kingdom.hexes.get(label, ()) if name != PREPARED]


def _buildable(scene: Scene, setup: tables.PicksFreeBuilding) -> list[str]:
    plan = plan_of(scene.kingdom, scene.event.settlement, scene.turn.rules)
    return [kind for kind in setup.upto if not plan.lacks(kind) and find(plan, kind)[0]]


def _with_building(scene: Scene, setup: tables.PicksFreeBuilding, choices: list[str]) -> Scene:
    kind = by_percent(scene, "building", setup.upto)
    return scene.fact(building=kind if kind in choices else choices[0])


def _outside(scene: Scene, setup: tables.PicksOutside) -> list[tuple[str, str]]:
    kingdom, rules, held = scene.kingdom, scene.turn.rules, owners(scene.world)
    beside = {near for label in kingdom.hexes for near in neighbours(label)} - set(held)
    empty = [(label, scene.hex(label)) for label in sorted(beside)]
    free = [
        (label, hex) for label, hex in empty if hex and not (hex.left or hex.free_city or hex.monsters or hex.hazard)
    ]
    return [
        (label, name) for label, hex in free for name in setup.any_of if grows(hex, rules.improvements[name], rules)
    ]


def grows(hex: Hex, improvement: Improvement, rules: Rules) -> bool:
    """Whether the ground of a hex allows an improvement."""
    terrain = rules.terrain[hex.terrain]
    if (
        terrain.water
        or terrain.unseen
        or (improvement.cost_of and getattr(terrain, f"{improvement.cost_of}_cost") is None)
    ):
        return False
    if (
        improvement.ground
        and hex.terrain not in improvement.ground
        and not set(improvement.ground).intersection(hex.features)
    ):
        return False
    wet = improvement.own_water.get(hex.terrain)
    return wet is None or not set(wet).isdisjoint(hex.features)


def _with_outside(scene: Scene, setup: tables.PicksOutside, choices: list[tuple[str, str]]) -> Scene:
    label, name = picked(scene, "place", choices)
    return scene.fact(at=label, what=name)


def _demands(scene: Scene, setup: tables.PicksDemand) -> list[tuple[str, str]]:
    kingdom, rules, event = scene.kingdom, scene.turn.rules, scene.event
    if setup.of == "building":
        plan, there = plan_of(kingdom, event.settlement, rules), kingdom.settlements[event.settlement].buildings
        build = [kind for kind in rules.buildings if not plan.lacks(kind) and find(plan, kind)[0]]
        stand = list(dict.fromkeys(each.id for each in there))
    else:
        build = [name for name, _ in possible(kingdom, event.hex, scene.world, rules) if name in rules.improvements]
        stand = [name for name in kingdom.hexes[event.hex] if rules.improvements[name].order]
    return [*(("build", each) for each in build), *(("tear_down", each) for each in stand)]


def _with_demand(scene: Scene, setup: tables.PicksDemand, choices: list[tuple[str, str]]) -> Scene:
    wanted = "build" if (scene.roll("demand", HUNDRED) or 1) <= setup.build_upto else "tear_down"
    demand, what = picked(scene, "what", [each for each in choices if each[0] == wanted] or choices)
    scene = scene.fact(demand=demand, what=what)
    return scene.fact(had=how_many(scene.event, scene.kingdom))


def how_many(event: Event, kingdom: Kingdom) -> int:
    """How many of the demanded improvement or building stand where the event demands it."""
    if event.facts["what"] in kingdom.hexes.get(event.hex, ()):
        return 1
    settlement = kingdom.settlements.get(event.settlement)
    return sum(each.id == event.facts["what"] for each in settlement.buildings) if settlement else 0


def is_met(event: Event, kingdom: Kingdom) -> bool:
    """Whether an event's demand was met."""
    now, had = how_many(event, kingdom), int(event.facts["had"])
    return now > had if event.facts["demand"] == "build" else now < had


def _hosts(scene: Scene, setup: tables.PicksHost) -> list[str]:
    held = owners(scene.world)
    touching = sorted(
        {
            held[near]
            for label in scene.kingdom.hexes
            for near in neighbours(label)
            if held.get(near, scene.seat) != scene.seat
        }
    )
    if scene.turn.rules.nobody_first:
        touching.sort(key=lambda seat: min(scene.world.kingdoms[seat].hexes))
    return touching or ["an unnamed realm"]


def _with_host(scene: Scene, setup: tables.PicksHost, choices: list[str]) -> Scene:
    host = picked(scene, "host", choices)
    return scene.fact(host=host, cost=scene.roll("cost", setup.cost_die) or 1)


def _monster_places(scene: Scene, setup: tables.PlacesMonster) -> list[str]:
    hex = scene.hex(scene.event.hex)
    return [scene.event.hex] if hex and not hex.monsters else []


def _with_monster(scene: Scene, setup: tables.PlacesMonster, choices: list[str]) -> Scene:
    label, hex = choices[0], scene.hex(choices[0])
    acr = scene.roll("acr", in_force(scene.turn.rules.event_substitutes).monster_die) or 1
    if hex:
        scene.land[label] = replace(hex, monsters=acr, wounds=0)
    known = f"{scene.title}: what the hex holds is known"
    return scene.booked(with_revealed(scene.kingdom, label), known).fact(acr=acr)


_SETTLED: Mapping[type, tuple[Callable[..., Sequence[object]], Callable[..., Scene]]] = {
    tables.NeedsBuilding: (_needed_buildings, lambda scene, setup, choices: scene),
    tables.NeedsImprovement: (
        lambda scene, setup: improved(scene, scene.event.hex),
        lambda scene, setup, choices: scene,
    ),
    tables.PicksEmptyLot: (
        lambda scene, setup: plan_of(scene.kingdom, scene.event.settlement, scene.turn.rules).empty(),
        lambda scene, setup, choices: scene.fact(lot=picked(scene, "lot", choices)),
    ),
    tables.PicksFreeBuilding: (_buildable, _with_building),
    tables.PicksOutside: (_outside, _with_outside),
    tables.PicksDemand: (_demands, _with_demand),
    tables.PicksOffer: (
        lambda scene, setup: list(setup.upto),
        lambda scene, setup, choices: scene.fact(offer=by_percent(scene, "offer", setup.upto)),
    ),
    tables.PicksHost: (_hosts, _with_host),
    tables.PlacesMonster: (_monster_places, _with_monster),
}
