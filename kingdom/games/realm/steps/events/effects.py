"""What events do beside moving accounts: one function for each effect code of the tables (rules/event_tables.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules import event_tables as tables
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import replace
from kingdom.games.realm.steps.events.answers import answered
from kingdom.games.realm.steps.events.disasters import (
    damage_buildings,
    destroy_buildings,
    threaten_hexes,
    threaten_lots,
)
from kingdom.games.realm.steps.events.scene import Scene
from kingdom.games.realm.steps.events.setup import plan_of
from kingdom.games.realm.steps.shared import with_unrest
from kingdom.games.realm.steps.towns.lots import find


def come_to(scene: Scene, outcome: tables.EventOutcome, detail: str) -> Scene:
    """What an outcome of the tables does. What hangs on a die does not happen where the turn is only foreseen."""
    by: dict[str, int] = dict(outcome.by.items())
    for account, die in outcome.die.items():
        _add(by, account, scene.points(account, die, outcome.explodes))
    for account, die in outcome.each_settlement.items():
        for _ in scene.kingdom.settlements:
            _add(by, account, scene.points(account, die))
    scene = scene.moved(by, detail).passing(outcome.until_next, detail)
    for effect in outcome.do:
        scene = EFFECTS[type(effect)](scene, effect)
    return scene


def _add(by: dict[str, int], account: str, points: int | None) -> None:
    if points is not None:
        by[account] = by.get(account, 0) + points


def free_building(scene: Scene, effect: tables.FreeBuilding) -> Scene:
    """The building that was picked stands, where there is still room for it; its one-off Unrest counts."""
    kingdom, rules, name, kind = (
        scene.kingdom,
        scene.turn.rules,
        scene.event.settlement,
        str(scene.event.facts["building"]),
    )
    place = find(plan_of(kingdom, name, rules), kind)[0]
    if place is None:
        return scene.told(f"there is no room for a {rules.buildings[kind].name} any more")
    settlement = kingdom.settlements[name]
    settlement = replace(settlement, buildings=(*settlement.buildings, place))
    kingdom = replace(kingdom, settlements={**kingdom.settlements, name: settlement})
    kingdom = with_unrest(kingdom, rules.buildings[kind].unrest, scene.turn.number, rules)
    what = f"{rules.buildings[kind].name} at {place.lot}, at no cost"
    return scene.booked(kingdom, f"{scene.title}: {what}").told(what)


def settle_outside(scene: Scene, effect: tables.SettleOutside) -> Scene:
    """The improvement stands in its hex without benefit; how many the kingdom has beside it is kept, for the end of the turn."""
    label, what = str(scene.event.facts["at"]), str(scene.event.facts["what"])
    hex = scene.hex(label)
    if hex and what not in hex.left:
        scene.land[label] = replace(hex, left=(*hex.left, what))
    return scene.fact(had=built_beside(scene, label, what))


def built_beside(scene: Scene, label: str, what: str) -> int:
    """How many hexes beside that one the kingdom has with this improvement."""
    return sum(what in scene.kingdom.hexes.get(near, ()) for near in neighbours(label))


def attend(scene: Scene, effect: tables.Attend) -> Scene:
    """Where it is answered so and can be paid: points for a year, and in rolls of aid to the host."""
    cost, host = int(scene.event.facts["cost"]), str(scene.event.facts["host"])
    if answered(scene)[0] != "attend":
        return scene.told("the ruler does not go")
    kingdom = replace(scene.kingdom, treasury=scene.kingdom.treasury - cost)
    until = scene.turn.number + in_force(scene.turn.rules.event_substitutes).year_turns
    new = [scene.modifier(account, by, ends=until) for account, by in effect.by.items()]
    if host in scene.world.kingdoms:
        new.append(scene.modifier("edict_checks", effect.edict_checks, ends=until, partner=host))
    kingdom = replace(kingdom, modifiers=(*kingdom.modifiers, *new))
    return scene.booked(kingdom, f"{scene.title}: attended at {cost} BP").fact(until=until).told("the ruler was there")


def treasure(scene: Scene, effect: tables.Treasure) -> Scene:
    """A treasure without figures is a die of BP. Ruling: event_substitutes."""
    bp = scene.roll("treasure", in_force(scene.turn.rules.event_substitutes).treasure_die)
    return scene if bp is None else scene.moved({"treasury": bp}, "a treasure (ruling event_substitutes)")


def per_building(scene: Scene, effect: tables.PerBuilding) -> Scene:
    """Points until the next Event phase, by the buildings of the settlement that count."""
    rules, there = scene.turn.rules, scene.kingdom.settlements[scene.event.settlement].buildings
    counts = [each for each in there if each.id in effect.any_of] if effect.any_of else [
        each for each in there if getattr(rules.buildings[each.id].kingdom, effect.attribute) > 0
    ]  # fmt: skip
    by = effect.by * len(counts)
    return scene.passing({effect.attribute: by}, f"{len(counts)} buildings count") if by else scene


def in_calm(scene: Scene, effect: tables.InCalm) -> Scene:
    """Points for a kingdom that the event found without Unrest and without an event that goes on."""
    goes_on = any(
        scene.turn.rules.event_kinds[each.kind].goes_on and not each.done for each in scene.before.events.values()
    )
    return scene if scene.before.unrest or goes_on else scene.moved(effect.by, "no Unrest and no trouble")


def block_lot(scene: Scene, effect: tables.BlockLot) -> Scene:
    """Nothing can be built on the lot that was picked, unless something stands there by now."""
    name, lot = scene.event.settlement, str(scene.event.facts["lot"])
    taken = scene.kingdom.blocked.get(name, ())
    if lot in taken or lot not in plan_of(scene.kingdom, name, scene.turn.rules).empty():
        return scene
    return scene._replace(kingdom=replace(scene.kingdom, blocked={**scene.kingdom.blocked, name: (*taken, lot)}))


def wants_building(scene: Scene, effect: tables.WantsBuilding) -> Scene:
    """The event waits, with nothing done, for one of these buildings."""
    rules, there = scene.turn.rules, scene.kingdom.settlements[scene.event.settlement].buildings
    wanted = " or ".join(rules.buildings[kind].name for kind in effect.any_of)
    had = sum(each.id in effect.any_of for each in there)
    by = scene.turn.number + effect.turns
    return scene.fact(wanted=wanted, wanted_by=by, had=had).told(
        f"they leave; build a {wanted} by the end of turn {by}"
    )


def spread(scene: Scene, effect: tables.Spread) -> Scene:
    """It is kept that the event spreads; where to is rolled when the turn closes (draw.py)."""
    return scene.fact(spread=1)


def another(scene: Scene, effect: tables.Another) -> Scene:
    """It is kept that another one begins; where is rolled when the turn closes (draw.py)."""
    return scene.fact(another=effect.here_upto)


def monster_leaves(scene: Scene, effect: tables.MonsterLeaves) -> Scene:
    """The monsters are gone from the hex."""
    hex = scene.hex(scene.event.hex)
    if hex and hex.monsters:
        scene.land[scene.event.hex] = replace(hex, monsters=0, wounds=0)
    return scene.told("the monsters leave")


EFFECTS: Mapping[type, Callable[[Scene, Any], Scene]] = {
    tables.FreeBuilding: free_building,
    tables.SettleOutside: settle_outside,
    tables.Attend: attend,
    tables.Treasure: treasure,
    tables.PerBuilding: per_building,
    tables.InCalm: in_calm,
    tables.ThreatenLots: threaten_lots,
    tables.ThreatenHexes: threaten_hexes,
    tables.DestroyBuildings: destroy_buildings,
    tables.DamageBuildings: damage_buildings,
    tables.BlockLot: block_lot,
    tables.WantsBuilding: wants_building,
    tables.Spread: spread,
    tables.Another: another,
    tables.MonsterLeaves: monster_leaves,
}
