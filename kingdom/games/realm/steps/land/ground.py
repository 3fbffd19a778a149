"""What the ground of a hex offers and forbids, and which kingdoms touch. Rulings: claim, water_hexes."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import features_of
from kingdom.games.realm.state import Hex, Kingdom, World, owners
from kingdom.games.realm.steps.events.words import how_it_ends

REFUSALS = {
    "event_bars": "Nothing is built in {hex} while the event {event} stands there (table event_kinds). It ends {ends}.",
}

# phrases that several orders and steps share
WHILE_IN_DANGER = "while {danger} is there (ruling claim)"
OPEN_AGAIN = "it may be built on (ruling claim)"


def danger(label: str, kingdom: Kingdom, hexes: Mapping[str, Hex]) -> str:
    """What keeps the kingdom from building in its hex: a monster or hazard it knows of; "" for none. Ruling: claim."""
    hex = hexes[label]
    if label not in kingdom.revealed:
        return ""
    return f"a monster of ACR {hex.monsters}" if hex.monsters else hex.hazard


def touches_water(label: str, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> bool:
    """Whether a settlement there may have water borders: the hex has a river, lake, coast or canal, or lies beside water."""
    if rules.terrain[hexes[label].terrain].as_adjacent:
        return True
    if any(name == "coast" or rules.features[name].water for name in features_of(label, kingdom, hexes, rules)):
        return True
    return any(rules.terrain[hexes[near].terrain].water for near in neighbours(label) if near in hexes)


def terrain_of(label: str, hexes: Mapping[str, Hex], rules: Rules) -> str:
    """The terrain whose figures apply to a hex: its own. Coastline uses the land terrain beside it that is cheapest to prepare,
    then the first in the table; without land beside it, its own."""
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
    """The refusal if an event forbids building in that hex, else None."""
    for event in kingdom.events.values() if kingdom.events else ():
        kind = rules.event_kinds.get(event.kind)
        if kind and kind.bars_building and event.hex == label and not event.done:
            return Refusal("event_bars", {"hex": label, "event": kind.name, "ends": how_it_ends(event, rules)})
    return None


def borders_of(world: World, seat: str) -> frozenset[str]:
    """The seats that hold a hex beside one of this seat's hexes."""
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
    """Seat -> the seats that hold a hex beside one of its hexes; every seat is a key."""
    return {seat: borders_of(world, seat) for seat in world.kingdoms}
