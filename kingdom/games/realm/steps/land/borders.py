"""Which kingdoms touch, reckoned for the whole world at once, in time linear in the hexes that are held."""

from __future__ import annotations

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.state import World, owners


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
