"""One hex as a seat knows it, where all that it knows (known.py) would be too much to put together."""

from __future__ import annotations

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, World
from kingdom.games.realm.visibility.known import as_seen
from kingdom.games.realm.visibility.sight import levels, sees


def known_hex(label: str, world: World, seat: str, rules: Rules) -> Hex | None:
    """The hex as it stands in `known`: as it is seen, else as it is remembered, else as it was revealed; None where the seat
    knows nothing of it."""
    kingdom = world.kingdoms[seat]
    hex = world.hexes.get(label)
    if hex is None or rules.terrain[hex.terrain].unseen:
        return None
    if label in sees(world, seat, rules):
        return as_seen(label, hex, kingdom, levels(world, seat, rules))
    if label in kingdom.memory:
        return kingdom.memory[label].hex
    return hex if label in kingdom.revealed else None
