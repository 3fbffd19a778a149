"""The terrain improvements that a hex allows, including its preparation for a settlement, and what each costs there. Edict step
3.

Rulings: improvements_sharing, bridge, canal, farm_water, roads, prepare, claim.
"""

from __future__ import annotations

from collections.abc import Container

from kingdom.engine.refusal import Refusal
from kingdom.games.kit.memo import Grounds, remember
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules.land_tables import Improvement, Terrain
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import features_of
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.steps.land.ground import WHILE_IN_DANGER, barring, danger, terrain_of
from kingdom.games.realm.steps.land.losing import BRIDGE, settlement_in
from kingdom.games.realm.steps.trade.towers import is_for_route, tower_problem

PREPARE, PREPARED = "prepare", "prepared"  # the word of the order; the name of what then stands
FARM = "farm"

REFUSALS = {
    "improve_not_held": "{hex} is no hex of yours (Edict step 3); claim it first.",
    "improve_danger": f"Nothing is built in {{hex}} {WHILE_IN_DANGER}; clear the hex first.",
    "improve_already": "There is {standing} in {hex} already (ruling improvements_sharing); "
    "build something else, or elsewhere.",
    "improve_ground": "{improvement} is not built on {terrain}, as {hex} is (Edict step 3); it needs {ground}.",
    "improve_unseen": "What {hex} is like is not known before it is claimed (Edict step 3); the order stands, and is decided "
    "when the turn runs.",
    "improve_own_water": "{improvement} on {terrain} needs a {water} in {hex} itself (ruling farm_water); "
    "build it in a hex that has one.",
    "improve_farm_water": "A farm needs a river, lake, marsh or canal in or beside {hex}, or {farms} farms of yours "
    "beside it (ruling farm_water); dig a canal or farm elsewhere.",
    "improve_upgrade_only": "{improvement} is made of {old}, and {hex} has none (Edict step 3); "
    "build {old} there first.",
    "improve_size": "{improvement} needs a kingdom of size {least}, yours is {size} (Edict step 3); "
    "claim more hexes first.",
    "improve_prepared": "{hex} is prepared for a settlement (ruling prepare); until one is founded there only "
    "{allowed} may be built in it.",
    "improve_occupied": "{hex} holds {occupant}, and {improvement} does not share a hex (ruling improvements_sharing); "
    "build it elsewhere.",
    "prepare_occupied": "{hex} holds {occupant} and can't be prepared (ruling prepare); prepare another hex.",
}


def price(kingdom: Kingdom, label: str, improvement: str, world: World, rules: Rules) -> int | None:
    """BP of an improvement in a hex of the kingdom, None where the terrain has no price for it.

    An upgrade pays the difference; where a river must be crossed, the price of a road is multiplied. Ruling: roads.
    """
    if is_for_route(kingdom, label, improvement, world):
        return in_force(rules.trade_route).tower_cost
    kind, terrain = rules.improvements[improvement], rules.terrain[terrain_of(label, world.hexes, rules)]
    cost = _list_price(kind, terrain)
    if cost is None:
        return None
    if kind.upgrade_of in kingdom.hexes[label]:
        cost = max(0, cost - (_list_price(rules.improvements[kind.upgrade_of], terrain) or 0))
    return cost * rules.roads.river_factor if needs_bridge(kingdom, label, improvement, world, rules) else cost


def possible(
    kingdom: Kingdom, label: str, world: World, rules: Rules, among: Container[str] | None = None
) -> list[tuple[str, int]]:
    """(word of the order, BP) of each improvement that the kingdom's hex allows now, limit and treasury aside.

    among: the words that are asked about, None for all.
    """
    if _hex_problem(kingdom, label, world, rules):
        return []
    asked = [name for name in _grounded(kingdom, label, world, rules) if among is None or _word(name) in among]
    return [
        (_word(name), price(kingdom, label, name, world, rules) or 0)
        for name in asked
        if not (
            _standing_problem(kingdom, label, name, world, rules) or _rest_problem(kingdom, label, name, world, rules)
        )
    ]


def _word(name: str) -> str:
    """The word of the order that builds it."""
    return PREPARE if name == PREPARED else name


def _ground(kingdom: Kingdom, label: str, world: World, rules: Rules) -> Grounds:
    lies = frozenset(_features(kingdom, label, world, rules))
    return (rules,), (terrain_of(label, world.hexes, rules), world.hexes[label].terrain, lies)


@remember(_ground)
def _grounded(kingdom: Kingdom, label: str, world: World, rules: Rules) -> list[str]:
    """The improvements that can be ordered and that the ground of the kingdom's hex allows; cached, as much ground is alike."""
    ordered = [name for name, kind in rules.improvements.items() if kind.order or name == PREPARED]
    return [name for name in ordered if not _ground_problem(kingdom, label, name, world, rules)]


def needs_bridge(kingdom: Kingdom, label: str, improvement: str, world: World, rules: Rules) -> bool:
    """Whether the improvement is a road over a river without a bridge: it costs more and builds a bridge. Rulings: roads,
    canal."""
    if not rules.improvements[improvement].doubled_by_river:
        return False
    lies = _features(kingdom, label, world, rules)
    return BRIDGE not in lies and any(rules.features[name].doubles_roads for name in lies)


def improvement_problem(kingdom: Kingdom, label: str, name: str, world: World, rules: Rules) -> Refusal | None:
    """Why the hex does not allow that improvement. `name`: what would then stand there."""
    if is_for_route(kingdom, label, name, world):
        return tower_problem(kingdom, label, world, rules)
    return (
        _hex_problem(kingdom, label, world, rules)
        or _standing_problem(kingdom, label, name, world, rules)
        or _ground_problem(kingdom, label, name, world, rules)
        or _rest_problem(kingdom, label, name, world, rules)
    )


def _hex_problem(kingdom: Kingdom, label: str, world: World, rules: Rules) -> Refusal | None:
    """Why nothing can be built in the hex."""
    if label not in kingdom.hexes:
        return Refusal("improve_not_held", {"hex": label})
    if found := danger(label, kingdom, world.hexes):
        return Refusal("improve_danger", {"hex": label, "danger": found})
    return barring(label, kingdom, rules)


def _standing_problem(kingdom: Kingdom, label: str, name: str, world: World, rules: Rules) -> Refusal | None:
    built = kingdom.hexes[label]
    standing = (
        next((other for other in built if name in (other, rules.improvements[other].upgrade_of)), "") if built else ""
    )
    if not standing and rules.improvements[name].feature in world.hexes[label].features:
        standing = name  # the map already has this feature
    return (
        Refusal("improve_already", {"hex": label, "standing": _a(rules.improvements[standing].name)})
        if standing
        else None
    )


def _rest_problem(kingdom: Kingdom, label: str, name: str, world: World, rules: Rules) -> Refusal | None:
    return (
        _upgrade_problem(kingdom, label, name, rules)
        or _sharing_problem(kingdom, label, name, world, rules)
        or _farm_problem(kingdom, label, name, world, rules)
    )


def standing_name(word: str) -> str:
    """The name of what stands after an order of that word."""
    return PREPARED if word == PREPARE else word


def _list_price(kind: Improvement, terrain: Terrain) -> int | None:
    if not kind.cost_of:
        return kind.cost
    cost = getattr(terrain, f"{kind.cost_of}_cost")
    return None if cost is None else cost * kind.times


def _features(kingdom: Kingdom, label: str, world: World, rules: Rules) -> set[str]:
    """The features that count in the hex; a canal also counts as a river (ruling canal), and coastline has a coast."""
    lies = set(features_of(label, kingdom, world.hexes, rules))
    if "canal" in lies:
        lies.add("river")
    if rules.terrain[world.hexes[label].terrain].as_adjacent:
        lies.add("coast")
    return lies


def _ground_problem(kingdom: Kingdom, label: str, name: str, world: World, rules: Rules) -> Refusal | None:
    kind, terrain = rules.improvements[name], terrain_of(label, world.hexes, rules)
    row, lies = rules.terrain[terrain], _features(kingdom, label, world, rules)
    if row.unseen:
        return Refusal("improve_unseen", {"hex": label})
    grounds = {terrain, world.hexes[label].terrain, *lies}
    fits = not grounds.isdisjoint(kind.ground) if kind.ground else not row.water
    facts = {"improvement": kind.name, "hex": label, "terrain": row.name.lower()}
    if not fits or _list_price(kind, row) is None:
        return Refusal("improve_ground", {**facts, "ground": _any_of(kind.ground, rules) or "land"})
    waters = kind.own_water.get(terrain, ())
    if waters and lies.isdisjoint(waters):
        return Refusal("improve_own_water", {**facts, "water": _any_of(waters, rules)})
    return None


def _upgrade_problem(kingdom: Kingdom, label: str, name: str, rules: Rules) -> Refusal | None:
    kind = rules.improvements[name]
    facts = {"improvement": kind.name, "hex": label}
    if kind.only_upgrade and kind.upgrade_of not in kingdom.hexes[label]:
        return Refusal("improve_upgrade_only", {**facts, "old": _a(rules.improvements[kind.upgrade_of].name)})
    if len(kingdom.hexes) < kind.min_size:
        return Refusal("improve_size", {**facts, "least": kind.min_size, "size": len(kingdom.hexes)})
    return None


def _sharing_problem(kingdom: Kingdom, label: str, name: str, world: World, rules: Rules) -> Refusal | None:
    """Refuse a second improvement or settlement in a hex, and on prepared ground all that a settlement could not take over."""
    kind, built = rules.improvements[name], kingdom.hexes[label]
    if kind.shares_hex and kind.occupies:
        return None
    if PREPARED in built and not kind.becomes:
        allowed = [
            other.name for other in rules.improvements.values() if other.occupies and shares_with_settlement(other)
        ]
        return Refusal("improve_prepared", {"hex": label, "allowed": ", ".join(allowed).lower()})
    city = world.hexes[label].free_city
    there = [settlement_in(kingdom, label) or (city.name if city else "")]
    if built:
        there += [
            _a(other.name) for other in map(rules.improvements.__getitem__, built) if _keeps_out(kind, other, rules)
        ]
    occupant = next(filter(None, there), "")
    if not occupant:
        return None
    code = "prepare_occupied" if name == PREPARED else "improve_occupied"
    return Refusal(code, {"hex": label, "occupant": occupant, "improvement": kind.name})


def _keeps_out(kind: Improvement, other: Improvement, rules: Rules) -> bool:
    """Whether `kind` can't come where `other` stands. Rulings: improvements_sharing, prepare."""
    if not kind.occupies:
        return not shares_with_settlement(other)
    return not other.shares_hex and other is not rules.improvements.get(kind.upgrade_of)


def shares_with_settlement(kind: Improvement) -> bool:
    """Whether a settlement may be founded where it stands: it shares the hex, or becomes buildings of the settlement."""
    return kind.shares_hex or bool(kind.becomes)


def _farm_problem(kingdom: Kingdom, label: str, name: str, world: World, rules: Rules) -> Refusal | None:
    """Ruling: farm_water, which can be switched off."""
    ruling = rules.farm_water
    if name != FARM or not ruling.required:
        return None
    around = [near for near in neighbours(label) if near in world.hexes]
    if any(_waters_farms(near, kingdom, world, rules) for near in (label, *around)):
        return None
    if sum(FARM in kingdom.hexes.get(near, ()) for near in around) >= ruling.farms_beside:
        return None
    return Refusal("improve_farm_water", {"hex": label, "farms": ruling.farms_beside})


def _waters_farms(label: str, kingdom: Kingdom, world: World, rules: Rules) -> bool:
    """Whether the hex has a river, lake, marsh or canal, whoever holds it: the kingdom's own canals as dug so far in this step."""
    hex, seat = world.hexes[label], owners(world).get(label)
    built = kingdom.hexes.get(label, world.kingdoms[seat].hexes[label] if seat else ())
    names = (*hex.features, *(rules.improvements[name].feature for name in built))
    return rules.terrain[hex.terrain].waters_farms or any(rules.features[name].water for name in names if name)


def _any_of(names: tuple[str, ...], rules: Rules) -> str:
    """The names of terrains and features, as a person reads them: "hills, plains or desert"."""
    words = [(rules.terrain.get(name) or rules.features[name]).name.lower() for name in names]
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _a(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name.lower()}"
