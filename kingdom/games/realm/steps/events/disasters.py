"""Disasters and vandals: lots and hexes that are threatened, buildings that are destroyed or damaged.

Rulings: upgrade_unrest (Unrest for each lot destroyed), damaged_buildings.
"""

from __future__ import annotations

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules import event_tables as tables
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building, replace
from kingdom.games.realm.steps.events.checks import attempted
from kingdom.games.realm.steps.events.scene import Scene
from kingdom.games.realm.steps.events.setup import picked
from kingdom.games.realm.steps.land.improvements import PREPARED
from kingdom.games.realm.steps.shared import with_unrest
from kingdom.games.realm.steps.towns.demolition import destroy_building, in_order
from kingdom.games.realm.steps.towns.grid import grid_of, lot_name
from kingdom.games.realm.steps.towns.plan import covered_by, lots_under


def threaten_lots(scene: Scene, effect: tables.ThreatenLots) -> Scene:
    """A die of lots with buildings, the first picked by a roll, the others those nearest to it; a check for each lot."""
    count = _how_many(scene, effect.lots_die, effect.more_from, effect.more_die)
    if count is None:
        return scene
    for lot in _threatened(scene, count):
        building = next((each for each in _on_lots(scene) if lot in lots_under(each, scene.turn.rules)), None)
        if building and attempted(scene, effect.attribute, lot).success is False:
            scene = destroyed(scene, building)
    return scene


def _how_many(scene: Scene, die: int, more_from: int, more_die: int) -> int | None:
    count = scene.roll("lots", die)
    if count is None or count < more_from:
        return count
    return count + (scene.roll("more_lots", more_die) or 0)


def _on_lots(scene: Scene) -> list[Building]:
    """The settlement's buildings that have lots of their own, by their places."""
    rules, settlement = scene.turn.rules, scene.kingdom.settlements[scene.event.settlement]
    return in_order([each for each in settlement.buildings if rules.buildings[each.id].place == "lot"], rules)


def _threatened(scene: Scene, count: int) -> list[str]:
    """So many lots that carry buildings: one picked by a roll, then always one beside those that are threatened already,
    and where there is none the next of the settlement."""
    rules, there = scene.turn.rules, _on_lots(scene)
    lots = {lot: each for each in there for lot in lots_under(each, rules)}
    if not lots:
        return []
    chosen = [picked(scene, "lot", list(lots))]
    while len(chosen) < min(count, len(lots)):
        beside = {name for lot in chosen for name in _beside(lots[lot], rules)}
        left = [lot for lot in lots if lot not in chosen]
        chosen.append(next((lot for lot in left if lot in beside), left[0]))
    return chosen


def _beside(building: Building, rules: Rules) -> set[str]:
    """The lots under and beside a building."""
    covered, grid = covered_by(building, rules), grid_of(rules.lots.columns, rules.lots.rows)
    return {lot_name(lot, grid) for lot in (*covered.lots, *covered.beside)} if covered else set()


def destroyed(scene: Scene, building: Building) -> Scene:
    """The settlement without that building: rubble, and Unrest for each lot (ruling upgrade_unrest)."""
    rules, name = scene.turn.rules, scene.event.settlement
    kingdom = destroy_building(scene.kingdom, name, building, scene.turn.number, rules)
    what = f"{rules.buildings[building.id].name} at {building.lot} destroyed (ruling upgrade_unrest)"
    return scene.booked(kingdom, f"{scene.title}: {what}").told(what)


def destroy_buildings(scene: Scene, effect: tables.DestroyBuildings) -> Scene:
    """Buildings picked by a roll are destroyed."""
    for _ in range(effect.count):
        there = _on_lots(scene)
        scene = destroyed(scene, picked(scene, "destroyed", there)) if there else scene
    return scene


def damage_buildings(scene: Scene, effect: tables.DamageBuildings) -> Scene:
    """Buildings picked by a roll give nothing until they are repaired. Ruling: damaged_buildings."""
    count = scene.roll("damaged", effect.die) if effect.die else effect.count
    rules, name = scene.turn.rules, scene.event.settlement
    for _ in range(count or 0):
        lots = scene.kingdom.damaged.get(name, ())
        whole = [each for each in _on_lots(scene) if each.lot not in lots]
        if not whole:
            return scene
        building = picked(scene, "building", whole)
        damaged = {**scene.kingdom.damaged, name: (*lots, building.lot)}
        what = f"{rules.buildings[building.id].name} at {building.lot} damaged (ruling damaged_buildings)"
        scene = scene.booked(replace(scene.kingdom, damaged=damaged), f"{scene.title}: {what}").told(what)
    return scene


def threaten_hexes(scene: Scene, effect: tables.ThreatenHexes) -> Scene:
    """The improved hex, and by a die improved hexes beside it; a check for each, or one of its improvements is destroyed."""
    face = scene.roll("hexes", effect.die)
    if face is None:
        return scene
    more = (scene.roll("more_hexes", effect.more_die) or 0) if face >= effect.more_from else 0
    labels = [scene.event.hex]
    while len(labels) <= more:
        beside = [
            near for label in labels for near in neighbours(label) if near not in labels and _improved(scene, near)
        ]
        if not beside:
            break
        labels.append(beside[0])
    for label in labels:
        there = _improved(scene, label)
        if there and attempted(scene, effect.attribute, label, label).success is False:
            scene = _ruined(scene, label, picked(scene, f"improvement-{label}", there), effect.unrest)
    return scene


def _improved(scene: Scene, label: str) -> list[str]:
    """What the kingdom has built in that hex."""
    return [name for name in scene.kingdom.hexes.get(label, ()) if name != PREPARED]


def _ruined(scene: Scene, label: str, name: str, unrest: int) -> Scene:
    left = tuple(each for each in scene.kingdom.hexes[label] if each != name)
    kingdom = replace(scene.kingdom, hexes={**scene.kingdom.hexes, label: left})
    kingdom = with_unrest(kingdom, unrest, scene.turn.number, scene.turn.rules)
    what = f"{scene.turn.rules.improvements[name].name} in {label} destroyed"
    return scene.booked(kingdom, f"{scene.title}: {what}").told(what)
