"""What events do apart from moving accounts: one function for each effect code of the tables (rules/event_tables.py).

Rulings: upgrade_unrest (Unrest for each lot destroyed), damaged_buildings, event_substitutes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules import event_tables as tables
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Building, in_service, replace, with_settlement
from kingdom.games.realm.steps.events.scene import Scene, answered, attempted, helps
from kingdom.games.realm.steps.events.setup import improved, picked, plan_of
from kingdom.games.realm.steps.shared import with_unrest
from kingdom.games.realm.steps.towns.buildings import destroy_building, in_order
from kingdom.games.realm.steps.towns.grid import grid_of, lot_name
from kingdom.games.realm.steps.towns.lots import find
from kingdom.games.realm.steps.towns.plan import covered_by, lots_under


def come_to(scene: Scene, outcome: tables.EventOutcome, detail: str) -> Scene:
    """The scene after an outcome of the tables. When the turn is only foreseen, nothing that depends on a die
    happens."""
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
    """The picked building stands for free, if there is still room for it; its one-off Unrest counts."""
    kingdom, rules, name = scene.kingdom, scene.turn.rules, scene.event.settlement
    kind = str(scene.event.facts["building"])
    place = find(plan_of(kingdom, name, rules), kind)[0]
    if place is None:
        return scene.told(f"there is no room for a {rules.buildings[kind].name} any more")
    kingdom = with_settlement(kingdom, name, buildings=(*kingdom.settlements[name].buildings, place))
    kingdom = with_unrest(kingdom, rules.buildings[kind].unrest, scene.turn.number, rules)
    what = f"{rules.buildings[kind].name} at {place.lot}, at no cost"
    return scene.booked(kingdom, f"{scene.title}: {what}").told(what)


def settle_outside(scene: Scene, effect: tables.SettleOutside) -> Scene:
    """The improvement stands in its hex without benefit. The event notes how many such improvements the kingdom has beside that
    hex, for the check at the end of the turn."""
    label, what = str(scene.event.facts["at"]), str(scene.event.facts["what"])
    hex = scene.hex(label)
    if hex and what not in hex.left:
        scene.land[label] = replace(hex, left=(*hex.left, what))
    return scene.fact(had=built_beside(scene, label, what))


def built_beside(scene: Scene, label: str, what: str) -> int:
    """The number of the kingdom's hexes beside `label` that have this improvement."""
    return sum(what in scene.kingdom.hexes.get(near, ()) for near in neighbours(label))


def attend(scene: Scene, effect: tables.Attend) -> Scene:
    """If the kingdom chose to attend and can pay: points for a year, and a bonus in rolls of aid to the host."""
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
    rules, there = scene.turn.rules, in_service(scene.kingdom.settlements[scene.event.settlement])
    counts = [each for each in there if each.id in effect.any_of] if effect.any_of else [
        each for each in there if getattr(rules.buildings[each.id].kingdom, effect.attribute) > 0
    ]  # fmt: skip
    by = effect.by * len(counts)
    return (
        scene.passing(
            {effect.attribute: by}, f"{len(counts)} buildings count" if len(counts) > 1 else "1 building counts"
        )
        if by
        else scene
    )


def in_calm(scene: Scene, effect: tables.InCalm) -> Scene:
    """Points for a kingdom that had no Unrest and no ongoing event when this event acted."""
    goes_on = any(
        scene.turn.rules.event_kinds[each.kind].goes_on and not each.done for each in scene.before.events.values()
    )
    return scene if scene.before.unrest or goes_on else scene.moved(effect.by, "no Unrest and no trouble")


def block_lot(scene: Scene, effect: tables.BlockLot) -> Scene:
    """Block the picked lot against building, unless something stands there by now."""
    name, lot = scene.event.settlement, str(scene.event.facts["lot"])
    taken = scene.kingdom.blocked.get(name, ())
    if lot in taken or lot not in plan_of(scene.kingdom, name, scene.turn.rules).empty():
        return scene
    return replace(scene, kingdom=replace(scene.kingdom, blocked={**scene.kingdom.blocked, name: (*taken, lot)}))


def wants_building(scene: Scene, effect: tables.WantsBuilding) -> Scene:
    """The event does nothing yet: it waits for one of these buildings."""
    rules, there = scene.turn.rules, scene.kingdom.settlements[scene.event.settlement].buildings
    wanted = " or ".join(rules.buildings[kind].name for kind in effect.any_of)
    had = sum(each.id in effect.any_of for each in there)
    by = scene.turn.number + effect.turns
    return scene.fact(wanted=wanted, wanted_by=by, had=had).told(
        f"they leave; build a {wanted} by the end of turn {by}"
    )


def spread(scene: Scene, effect: tables.Spread) -> Scene:
    """Note that the event spreads; a roll says where when the turn closes (draw.py)."""
    return scene.fact(spread=1)


def another(scene: Scene, effect: tables.Another) -> Scene:
    """Note that another event of this kind begins; a roll says where when the turn closes (draw.py)."""
    return scene.fact(another=effect.here_upto)


def monster_leaves(scene: Scene, effect: tables.MonsterLeaves) -> Scene:
    """The monsters are gone from the hex."""
    hex = scene.hex(scene.event.hex)
    if hex and hex.monsters:
        scene.land[scene.event.hex] = replace(hex, monsters=0, wounds=0)
    return scene.told("the monsters leave")


# --- disasters and vandals: threatened lots and hexes, destroyed and damaged buildings ------------------------------------


def threaten_lots(scene: Scene, effect: tables.ThreatenLots) -> Scene:
    """A die says how many lots with buildings are threatened: the first picked by a roll, then the nearest to it. Each
    makes a check."""
    count = scene.roll("lots", effect.lots_die)
    if count is None:
        return scene
    if count >= effect.more_from:
        count += scene.roll("more_lots", effect.more_die) or 0
    checks = 0
    for lot in _threatened(scene, count):
        building = next((each for each in _on_lots(scene) if lot in lots_under(each, scene.turn.rules)), None)
        if building:
            helped = helps(checks, scene.turn.rules)
            checks += 1
            if attempted(scene, effect.attribute, lot, helped=helped).success is False:
                scene = destroyed(scene, building)
    return scene


def _on_lots(scene: Scene) -> list[Building]:
    """The settlement's buildings that have lots of their own, by their places."""
    rules, settlement = scene.turn.rules, scene.kingdom.settlements[scene.event.settlement]
    return in_order([each for each in settlement.buildings if rules.buildings[each.id].place == "lot"], rules)


def _threatened(scene: Scene, count: int) -> list[str]:
    """So many lots with buildings: the first picked by a roll, each further one beside those already threatened, or the
    settlement's next lot if none is beside them."""
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
    """Threaten the improved hex and, as many as a die says, improved hexes beside it. Each makes a check or loses an
    improvement."""
    face = scene.roll("hexes", effect.die)
    if face is None:
        return scene
    more = (scene.roll("more_hexes", effect.more_die) or 0) if face >= effect.more_from else 0
    labels = [scene.event.hex]
    while len(labels) <= more:
        beside = [
            near for label in labels for near in neighbours(label) if near not in labels and improved(scene, near)
        ]
        if not beside:
            break
        labels.append(beside[0])
    for number, label in enumerate(labels):
        there, helped = improved(scene, label), helps(number, scene.turn.rules)
        if there and attempted(scene, effect.attribute, label, label, helped).success is False:
            name = picked(scene, f"improvement-{label}", there)
            left = tuple(each for each in scene.kingdom.hexes[label] if each != name)
            kingdom = replace(scene.kingdom, hexes={**scene.kingdom.hexes, label: left})
            kingdom = with_unrest(kingdom, effect.unrest, scene.turn.number, scene.turn.rules)
            what = f"{scene.turn.rules.improvements[name].name} in {label} destroyed"
            scene = scene.booked(kingdom, f"{scene.title}: {what}").told(what)
    return scene


EFFECTS: Mapping[type, Callable[..., Scene]] = {
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
