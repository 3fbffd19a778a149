"""Monsters in hexes: placed, moved in, beaten; and what each kingdom then knows of it. Rulings: claim, wilderness.

A hex holds the ACR of its monsters. What a kingdom has seen of a hex is out of date when monsters come to it.
"""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Expedition, Hex, Kingdom, Sighting, World, owners, replace
from kingdom.games.realm.types import Turn


def cleared(world: World, label: str) -> World:
    """The world without the monsters of that hex."""
    return replace(world, hexes={**world.hexes, label: without_monsters(world.hexes[label])})


def without_monsters(hex: Hex) -> Hex:
    """The hex when its monsters are beaten or gone."""
    return replace(hex, monsters=0, wounds=0)


def tell_cleared(turn: Turn, world: World, label: str) -> None:
    """News for the holder of a hex whose monsters are gone: nothing keeps it from building there now. Ruling: claim."""
    holder = owners(world).get(label)
    if holder and label in world.kingdoms[holder].revealed:
        turn.tell(
            holder, "news", hex=label, text=f"{label} is cleared of its monsters; it may be built on (ruling claim)."
        )


def monsters_come(world: World, monsters: dict[str, int], rules: Rules) -> World:
    """The world with monsters (label -> ACR) that come to hexes: nobody who had seen those hexes knows of them,
    save who holds one, for they come to his land."""
    hexes = {label: replace(world.hexes[label], monsters=acr, wounds=0) for label, acr in monsters.items()}
    kingdoms = {seat: hidden_from(kingdom, monsters, world, rules) for seat, kingdom in world.kingdoms.items()}
    return replace(world, hexes={**world.hexes, **hexes}, kingdoms=kingdoms)


def hidden_from(kingdom: Kingdom, labels: Iterable[str], world: World, rules: Rules) -> Kingdom:
    """The kingdom that does not know what came to those hexes; what its expeditions found there is out of date, too.

    What it had seen there it remembers. world: before they came.
    """
    new = set(labels).difference(kingdom.hexes)
    old = new.intersection(kingdom.revealed)
    if old:
        kingdom = replace(kingdom, revealed=tuple(label for label in kingdom.revealed if label not in old))
    if old and rules.vision is not None:
        known = {label: Sighting(world.turn, without_monsters(world.hexes[label])) for label in sorted(old)}
        kingdom = replace(kingdom, memory={**known, **kingdom.memory})
    if any(not new.isdisjoint(expedition.found) for expedition in kingdom.expeditions.values()):
        kingdom = replace(
            kingdom, expeditions={key: _overtaken(each, new) for key, each in kingdom.expeditions.items()}
        )
    return kingdom


def _overtaken(expedition: Expedition, new: set[str]) -> Expedition:
    return replace(expedition, found=tuple(label for label in expedition.found if label not in new))
