"""What the ground of a hex offers and forbids, which hexes a kingdom may claim, what a claim costs, and which kingdoms touch.

Rulings: claim, free_city, water_hexes, no_hexes, caps_at_start, affordable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import features_of, limits
from kingdom.games.realm.state import Hex, Kingdom, World, in_service, owners, replace
from kingdom.games.realm.steps.events.words import how_it_ends
from kingdom.games.realm.steps.shared import affordable

REFUSALS = {
    "event_bars": "Nothing is built in {hex} while the event {event} stands there (table event_kinds). It ends {ends}.",
    "claim_given_up": "{hex} is neither land that you gave up nor beside it (ruling no_hexes); what you gave up: {given_up}.",
    "claim_not_adjacent": "{hex} touches no hex of yours (ruling claim); claim one beside your land first.",
    "claim_unknown_hex": "There is no hex {hex} on the map (Edict step 2); claim one that is.",
    "claim_held": "{hex} is held by another kingdom (Edict step 2); claim a hex that nobody holds.",
    "claim_own": "{hex} is yours already (Edict step 2); only a held hex with a free city in it is claimed again "
    "(ruling free_city).",
    "claim_twice": "{hex} is claimed already by an order before this one (ruling free_city: once a turn); "
    "leave one of them out.",
    "claim_water": "{hex} is water (ruling water_hexes); hold a coast hex beside it, "
    "or a settlement beside it with a {buildings}.",
    "claim_cap": "This turn's limit of claims is used up; it is {most} at size {size} (ruling caps_at_start). "
    "Claim {hex} next turn.",
    "claim_cost": "Claiming {hex} costs {cost} BP and the treasury holds {treasury} (ruling affordable); "
    "keep {cost} BP for it.",
    "claim_contested": "{hex} was contested this turn, or taken by a kingdom that could claim it from the first "
    "(ruling contested_claim); claim it next turn if nobody holds it then.",
}


def danger(label: str, kingdom: Kingdom, hexes: Mapping[str, Hex]) -> str:
    """What keeps the kingdom from building in its hex: a monster or hazard it knows of; "" for none. Ruling: claim."""
    hex = hexes[label]
    if label not in kingdom.revealed:
        return ""
    return f"a monster of ACR {hex.monsters}" if hex.monsters else hex.hazard


def touches_water(label: str, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> bool:
    """Whether borders of a settlement there may be water: river, lake, coast, canal in the hex, or water beside it."""
    if rules.terrain[hexes[label].terrain].as_adjacent:
        return True
    if any(name == "coast" or rules.features[name].water for name in features_of(label, kingdom, hexes, rules)):
        return True
    return any(rules.terrain[hexes[near].terrain].water for near in neighbours(label) if near in hexes)


def terrain_of(label: str, hexes: Mapping[str, Hex], rules: Rules) -> str:
    """The terrain whose figures hold in a hex: its own, or on coastline that of the land beside it which is the cheapest
    to prepare, then first in the table. Coastline without land beside it keeps its own."""
    own = hexes[label].terrain
    if not rules.terrain[own].as_adjacent:
        return own
    beside = {hexes[near].terrain for near in neighbours(label) if near in hexes}
    land = [name for name, row in rules.terrain.items() if name in beside and row.preparation_cost is not None]
    return min(land, key=lambda name: rules.terrain[name].preparation_cost or 0, default=own)


def preparation_cost(label: str, hexes: Mapping[str, Hex], rules: Rules) -> int | None:
    """BP that the ground costs to prepare; None where it can't be."""
    return rules.terrain[terrain_of(label, hexes, rules)].preparation_cost


def barring(label: str, kingdom: Kingdom, rules: Rules) -> Refusal | None:
    """The refusal where an event lets nothing be built in that hex, None where none does."""
    for event in kingdom.events.values() if kingdom.events else ():
        kind = rules.event_kinds.get(event.kind)
        if kind and kind.bars_building and event.hex == label and not event.done:
            return Refusal("event_bars", {"hex": label, "event": kind.name, "ends": how_it_ends(event, rules)})
    return None


# --- which hexes may be claimed ---------------------------------------------------------------------------------------


def claimable(kingdom: Kingdom, world: World, rules: Rules) -> list[str]:
    """The labels that the kingdom could claim next, whatever its treasury: unheld ones in reach, and held ones with a
    free city inside. `world` may be what a seat knows."""
    kingdom = replace(kingdom, edict_size=len(kingdom.hexes))
    reach: Iterable[str] = {near for label in kingdom.hexes for near in neighbours(label)} or world.hexes
    found = {label for label in reach if not place_problem(kingdom, label, world, rules)}
    return sorted(found | {label for label in kingdom.hexes if world.hexes[label].free_city})


def claim_problem(kingdom: Kingdom, label: str, world: World, rules: Rules) -> Refusal | None:
    """Why the kingdom, as it stands now, can't claim that hex."""
    again = label in kingdom.hexes
    if again and not world.hexes[label].free_city:
        return Refusal("claim_own", {"hex": label})
    refusal = None if again else place_problem(kingdom, label, world, rules)
    if refusal:
        return refusal
    most = limits(kingdom, rules).claims
    if kingdom.used.get("claims", 0) >= most:
        return Refusal("claim_cap", {"hex": label, "most": most, "size": kingdom.edict_size})
    cost = claim_cost(again, rules)
    if not affordable(kingdom, cost):
        return Refusal("claim_cost", {"hex": label, "cost": cost, "treasury": kingdom.treasury})
    return None


def claim_cost(again: bool, rules: Rules) -> int:
    """BP of a claim; `again`: for the free city in a hex that is held."""
    return rules.free_city.again_cost if again else rules.claim.cost


def place_problem(kingdom: Kingdom, label: str, world: World, rules: Rules) -> Refusal | None:
    """Why the kingdom can't claim a hex that it does not hold, whatever its treasury and limits."""
    anywhere = not kingdom.hexes and kingdom.edict_size == 0  # ruling no_hexes
    if not anywhere and not any(near in kingdom.hexes for near in neighbours(label)):
        return Refusal("claim_not_adjacent", {"hex": label})
    if anywhere and kingdom.given_up and not {label, *neighbours(label)} & {*kingdom.given_up}:
        return Refusal("claim_given_up", {"hex": label, "given_up": ", ".join(kingdom.given_up)})
    if label not in world.hexes:
        return Refusal("claim_unknown_hex", {"hex": label})
    if label in owners(world):
        return Refusal("claim_held", {"hex": label})
    if rules.terrain[world.hexes[label].terrain].water and not _from_shore(kingdom, label, world, rules):
        names = [rules.buildings[each].name for each in rules.water_hexes.buildings]
        return Refusal("claim_water", {"hex": label, "buildings": " or ".join(names)})
    return None


def _from_shore(kingdom: Kingdom, label: str, world: World, rules: Rules) -> bool:
    """Whether an own coast hex, or an own settlement with a pier, lies beside the water hex. Ruling: water_hexes."""
    beside = [near for near in neighbours(label) if near in kingdom.hexes]
    for near in beside:
        hex = world.hexes.get(near)
        if hex and (rules.terrain[hex.terrain].as_adjacent or "coast" in hex.features):
            return True
    return any(
        settlement.hex in beside and building.id in rules.water_hexes.buildings
        for settlement in kingdom.settlements.values()
        for building in in_service(settlement)
    )


def borders_of(world: World, seat: str) -> frozenset[str]:
    """The seats of which a hex lies beside one of this seat's own."""
    held = owners(world)
    beside = {held.get(near, seat) for label in world.kingdoms[seat].hexes for near in neighbours(label)}
    return frozenset(beside - {seat})


def hexes_beside(world: World, seat: str, other: str) -> list[str]:
    """The seat's hexes that lie beside land of the other seat, by label."""
    held = owners(world)
    return [
        label
        for label in sorted(world.kingdoms[seat].hexes)
        if any(held.get(near) == other for near in neighbours(label))
    ]


def borders(world: World) -> dict[str, frozenset[str]]:
    """Seat -> the seats of which a hex lies beside one of its own; every seat is a key."""
    held = owners(world)
    touching: dict[str, set[str]] = {seat: set() for seat in world.kingdoms}
    for label, seat in held.items():
        for near in neighbours(label):
            other = held.get(near, seat)
            if other != seat:
                touching[seat].add(other)
    return {seat: frozenset(others) for seat, others in touching.items()}
