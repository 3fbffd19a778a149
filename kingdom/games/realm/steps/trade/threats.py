"""Who blockades and who raids a trade route. Rulings: blockade, raid, patrol.

An army that patrols strikes in the battles before; here counts who is left on the path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kingdom.games.realm.state import Route, World

BLOCKADE, RAID = "blockade", "raid"  # deeds of an army


class Raider(NamedTuple):
    """An army that raids."""

    seat: str
    army: str
    hex: str


class Threats(NamedTuple):
    """Hexes with armies that blockade, and with those that raid: label -> the armies, in the order of seats."""

    blockading: dict[str, tuple[Raider, ...]]
    raiding: dict[str, tuple[Raider, ...]]


def threats_in(world: World) -> Threats:
    """All armies that blockade or raid where they stand; one that was routed does neither."""
    found: dict[str, dict[str, tuple[Raider, ...]]] = {BLOCKADE: {}, RAID: {}}
    for seat, kingdom in world.kingdoms.items():
        for name, army in kingdom.armies.items():
            if army.deed in found and not army.routed:
                there = found[army.deed]
                there[army.hex] = (*there.get(army.hex, ()), Raider(seat, name, army.hex))
    return Threats(found[BLOCKADE], found[RAID])


def is_blockaded(route: Route, threats: Threats, world: World) -> bool:
    """Whether an army or monsters stand on the path to stop its trade."""
    return any(
        label in threats.blockading or label in world.hexes and world.hexes[label].monsters for label in route.path
    )


def raiders_of(route: Route, threats: Threats) -> tuple[Raider, ...]:
    """The armies that raid the route, in the order of their seats."""
    if not threats.raiding:
        return ()
    return tuple(sorted(raider for label in route.path for raider in threats.raiding.get(label, ())))


def parties_to(founder: str, route: Route) -> Sequence[str]:
    """The seats that have to do with a route of that founder: itself, the host, those who share it."""
    return tuple(dict.fromkeys((founder, route.to, *route.sharers)))
