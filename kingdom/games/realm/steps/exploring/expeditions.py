"""Expeditions into unclaimed land: sent, under way, back with their report. Ruling: exploration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.armies import army_named, with_army
from kingdom.games.realm.hexmap import finds, lie_of, neighbours, piers_of, step_cost
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Expedition, Kingdom, Sighting, World, counted, replace, with_kingdoms
from kingdom.games.realm.steps.exploring.adventurers import hired, wage_problem
from kingdom.games.realm.steps.exploring.hazards import escort_tries
from kingdom.games.realm.steps.exploring.journey import travel, why_turned
from kingdom.games.realm.steps.exploring.monsters import Land, after_all, lands
from kingdom.games.realm.steps.shared import affordable, book
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.steps.war.battle_aftermath import taught
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.sight import sees

if TYPE_CHECKING:
    from kingdom.games.realm.orders.special import SpecialExplore

CAUSES = {
    "exploration": "an expedition, paid in advance, or what it found",
}
REFUSALS = {
    "explore_from": "There is no settlement {name} (ruling exploration); expeditions start from one of yours: {names}.",
    "explore_nowhere": "An expedition needs to know where to go (ruling exploration): a `route` of hexes, or "
    "`toward` a direction or another hex.",
    "explore_gap": "{hex} does not lie beside {before} (ruling exploration); a route goes from a hex to one beside "
    "it, and begins beside {start}.",
    "explore_water": "{hex} can't be entered from {before} (ruling movement): there is no way, or it is water and "
    "{before} has no pier; go another way.",
    "explore_army": "There is no army {army} (ruling exploration); an escort is one of your armies ({names}), or BP "
    "for adventurers.",
    "explore_army_away": "{army} is in {hex}, not in {start} where the expedition starts (ruling exploration); move "
    "it there first.",
    "explore_army_reserve": "{army} is in reserve (ruling exploration); take it out of reserve first, or name "
    "another escort.",
    "explore_army_routed": "{army} was routed and begins no fight until it takes courage again (ruling exploration); "
    "name another escort.",
    "explore_army_mustered": "{army} was recruited or changed in this turn, so it stays where it is (ruling muster); send the "
    "expedition next turn, or name another escort.",
    "explore_army_escorts": "{army} escorts the expedition {key} until that is back (ruling exploration); name "
    "another escort.",
    "explore_cost": "The expedition costs {cost} BP and the treasury holds {treasury} (ruling exploration): "
    "{per_week} BP a week in advance, and once what adventurers are paid.",
}


# --- sent


def explore_problem(seat: str, kingdom: Kingdom, order: SpecialExplore, world: World, turn: Turn) -> Refusal | None:
    """Why that expedition can't be sent."""
    if turn.rules.exploration is None:
        return Refusal("special_edict_off", {"edict": order["edict"]})
    name = settlement_named(kingdom, order["from"])
    if not name:
        return Refusal(
            "explore_from", {"name": order["from"], "names": ", ".join(sorted(kingdom.settlements)) or "none"}
        )
    start = kingdom.settlements[name].hex
    refusal = _way_problem(seat, kingdom, start, order, world, turn.rules)
    refusal = refusal or _escort_problem(kingdom, start, order.get("escort"), turn.rules)
    if refusal:
        return refusal
    cost = price(order, turn.rules)
    if affordable(kingdom, cost):
        return None
    return Refusal(
        "explore_cost", {"cost": cost, "treasury": kingdom.treasury, "per_week": turn.rules.exploration.bp_per_week}
    )


def price(order: SpecialExplore, rules: Rules) -> int:
    """BP for the whole expedition, in advance: its weeks, and once the adventurers who escort it."""
    weeks: int = order["weeks"]
    escort = order.get("escort")
    return weeks * in_force(rules.exploration).bp_per_week + (escort if isinstance(escort, int) else 0)


def _way_problem(
    seat: str, kingdom: Kingdom, start: str, order: SpecialExplore, world: World, rules: Rules
) -> Refusal | None:
    """What is wrong with where it is to go, as far as its kingdom can know: it finds out about the rest on its way."""
    route = order.get("route", ())
    if not route:
        nowhere = order.get("toward") in (None, start)
        return Refusal("explore_nowhere", {}) if nowhere else None
    seen, piers, before = (
        sees(world, seat, rules).union(kingdom.memory, kingdom.revealed),
        piers_of(kingdom, rules),
        start,
    )
    for label in route:
        if label not in neighbours(before):
            return Refusal("explore_gap", {"hex": label, "before": before, "start": start})
        if label in seen and label in world.hexes and step_cost(before, label, world, rules, piers) is None:
            return Refusal("explore_water", {"hex": label, "before": before})
        before = label
    return None


def _escort_problem(kingdom: Kingdom, start: str, escort: int | str | None, rules: Rules) -> Refusal | None:
    """What is wrong with the escort: an army's name, BP for adventurers, or none."""
    if escort is None:
        return None
    if isinstance(escort, int):
        return wage_problem(escort, rules)
    name = army_named(kingdom, escort)
    if not name:
        return Refusal("explore_army", {"army": escort, "names": ", ".join(sorted(kingdom.armies)) or "none"})
    army = kingdom.armies[name]
    if army.hex != start:
        return Refusal("explore_army_away", {"army": name, "hex": army.hex, "start": start})
    if army.reserve or army.routed:
        return Refusal("explore_army_reserve" if army.reserve else "explore_army_routed", {"army": name})
    if army.mustered:
        return Refusal("explore_army_mustered", {"army": name})
    key = next((key for key, expedition in kingdom.expeditions.items() if expedition.army == name), "")
    return Refusal("explore_army_escorts", {"army": name, "key": key}) if key else None


def explore(seat: str, kingdom: Kingdom, order: SpecialExplore, world: World, turn: Turn) -> Kingdom:
    """An expedition is paid for and sent; it sets out in the same turn."""
    kingdom, key = counted(kingdom, "explore")
    town, cost, escort = settlement_named(kingdom, order["from"]), price(order, turn.rules), order.get("escort")
    start = kingdom.settlements[town].hex
    expedition = Expedition(
        home=start,
        since=turn.number,
        at=start,
        left=order["weeks"],
        bp=cost,
        ahead=tuple(order.get("route", ())),
        toward=order.get("toward", ""),
        until=" ".join(order.get("until", ())),
        army=army_named(kingdom, escort) if isinstance(escort, str) else "",
        party=hired(seat, key, escort, start, "", turn) if isinstance(escort, int) else None,
    )
    kingdom = replace(kingdom, treasury=kingdom.treasury - cost, expeditions={**kingdom.expeditions, key: expedition})
    weeks = f"{order['weeks']} week{'s' if order['weeks'] > 1 else ''}"
    book(turn, seat, kingdom, world.hexes, "exploration", f"{key} from {town}, {weeks} in advance")
    return kingdom


# --- under way


def expeditions(world: World, turn: Turn) -> World:
    """Every expedition travels, looks around, meets what it meets; those whose time is over report.

    Nothing of it is foreseen: nobody hears of them before they are back.
    """
    if turn.foreseeing or turn.rules.exploration is None:
        return world
    land, changed = lands(world, turn), {}
    for seat, kingdom in world.kingdoms.items():
        if kingdom.expeditions and not kingdom.destroyed:
            for key in kingdom.expeditions:
                kingdom = _a_turn_of(key, seat, kingdom, land[seat])
            changed[seat] = kingdom
    world, first = after_all(land, world, turn)
    for seat, kingdom in changed.items():
        changed[seat] = _taught(seat, kingdom, land[seat], first, turn)
    return with_kingdoms(world, changed)


def _taught(seat: str, kingdom: Kingdom, land: Land, first: Mapping[str, str], turn: Turn) -> Kingdom:
    """The kingdom whose escorts learned from their victories, where no other's wounded the monsters more.

    Ruling: nobody_first.
    """
    for label, name in land.won:
        if name in kingdom.armies and first[label] == seat:
            kingdom = taught(name, seat, kingdom, label, land.world.hexes, turn)
        elif name in kingdom.armies:
            text = f"Others had the greater part in the victory in {label}: {name} learns nothing by it (ruling nobody_first)."
            turn.tell(seat, "news", text=text)
    return kingdom


def _a_turn_of(key: str, seat: str, kingdom: Kingdom, land: Land) -> Kingdom:
    expedition = kingdom.expeditions[key]
    army = kingdom.armies.get(expedition.army)
    if army is None or army.hex != expedition.at:  # destroyed, or driven off by another army
        expedition = replace(expedition, army="")
    kingdom, after = travel(key, expedition, seat, kingdom, land)
    if after:
        after = escort_tries(key, after, seat, kingdom, land)
    others = {other: each for other, each in kingdom.expeditions.items() if other != key}
    if after is None:
        return replace(kingdom, expeditions=others)
    after = replace(after, left=after.left - 1)
    if after.left > 0:
        return replace(kingdom, expeditions={**kingdom.expeditions, key: after})
    return _back(key, after, seat, replace(kingdom, expeditions=others), land)


# --- back


def _back(key: str, expedition: Expedition, seat: str, kingdom: Kingdom, land: Land) -> Kingdom:
    """The expedition is home and tells what it saw; where its home has fallen it comes to the capital, else it is lost."""
    turn, rules = land.turn, land.turn.rules
    towns = {settlement.hex: name for name, settlement in kingdom.settlements.items()}
    town = towns.get(expedition.home, kingdom.capital)
    if not town:
        text = f"The expedition {key} found no settlement to return to and is lost, with its {expedition.bp} BP"
        turn.tell(seat, "news", text=f"{text} (ruling exploration).")
        return kingdom
    if expedition.army:
        army = replace(kingdom.armies[expedition.army], hex=kingdom.settlements[town].hex)
        kingdom = with_army(kingdom, expedition.army, army)
    if expedition.fights:  # nobody fights on, and the monsters recover
        land.changed[expedition.at] = replace(land.hex(expedition.at), wounds=0)
        land.holding.discard(expedition.at)
    new = [label for label in expedition.found if label not in kingdom.revealed and finds(land.hex(label), rules)]
    kingdom = replace(kingdom, revealed=(*kingdom.revealed, *new), memory=_remembered(kingdom.memory, expedition.noted))
    book(turn, seat, kingdom, land.world.hexes, "exploration", f"{key} found what lies in {', '.join(new)}")
    noted = {label: sighting for label, sighting in expedition.noted.items() if sighting.holder != seat}
    turn.tell(
        seat, "expedition", key=key, hexes=[_told(label, each, expedition, rules) for label, each in noted.items()],
        text=f"The expedition {key} is back in {town} (ruling exploration).{why_turned(expedition, land)}",
    )  # fmt: skip
    return kingdom


def _remembered(memory: dict[str, Sighting], noted: dict[str, Sighting]) -> dict[str, Sighting]:
    """What was seen last of each hex."""
    newer = {label: each for label, each in noted.items() if label not in memory or memory[label].turn <= each.turn}
    return {**memory, **newer}


def _told(label: str, sighting: Sighting, expedition: Expedition, rules: Rules) -> dict[str, object]:
    """A hex of the report: terrain, what lies there, who holds it, what stands there, what was found, how it fared there."""
    lie = lie_of(label, replace(sighting.hex, left=()), rules)
    return {
        **lie,
        "holder": sighting.holder,
        "built": [rules.improvements[name].name for name in sighting.built],
        "met": expedition.met.get(label, ""),
    }
