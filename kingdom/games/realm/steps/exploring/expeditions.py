"""Expeditions into unclaimed land: under way, back with their report; orders/explore.py sends them. Ruling: exploration."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.games.realm.armies import with_army
from kingdom.games.realm.hexmap import finds, lie_of
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Expedition, Kingdom, Sighting, World, replace, with_kingdoms
from kingdom.games.realm.steps.exploring.hazards import escort_tries
from kingdom.games.realm.steps.exploring.journey import travel, why_turned
from kingdom.games.realm.steps.exploring.monsters import Land, after_all, lands
from kingdom.games.realm.steps.shared import book
from kingdom.games.realm.steps.war.battle_aftermath import taught
from kingdom.games.realm.types import Turn

# --- under way


def expeditions(world: World, turn: Turn) -> World:
    """Every expedition travels, explores and meets monsters; those whose time is over report.

    A forecast leaves it out: nobody hears of an expedition before it is back.
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
    """The kingdom after its escorts learned from their victories; an escort learns only if no other kingdom wounded the
    monsters more.

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
    """The expedition comes home and tells what it saw. If its home has fallen, it comes to the capital; without a
    capital it is lost."""
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
    """The newest sighting of each hex."""
    newer = {label: each for label, each in noted.items() if label not in memory or memory[label].turn <= each.turn}
    return {**memory, **newer}


def _told(label: str, sighting: Sighting, expedition: Expedition, rules: Rules) -> dict[str, object]:
    """A hex of the report: its terrain and features, its holder, what stands there, what the expedition found, and how
    it fared."""
    lie = lie_of(label, replace(sighting.hex, left=()), rules)
    return {
        **lie,
        "holder": sighting.holder,
        "built": [rules.improvements[name].name for name in sighting.built],
        "met": expedition.met.get(label, ""),
    }
