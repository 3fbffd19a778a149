"""Where a caravan may go, by what its kingdom knows: where it starts, and the cheapest way. Ruling: trade_route."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.travel import piers_of, points_along, way
from kingdom.games.realm.visibility.known import known


def known_to(world: World, seat: str, rules: Rules) -> World:
    """The world as the seat knows it, the hexes of unknown terrain left out: whatever is weighed in it gives nothing away."""
    return without_unseen(known(world, seat, rules), rules)


def without_unseen(seen: World, rules: Rules) -> World:
    """What a seat knows without the hexes of unknown terrain."""
    hexes = {label: hex for label, hex in seen.hexes.items() if not rules.terrain[hex.terrain].unseen}
    return World(seen.turn, hexes, seen.kingdoms)


def is_free(seen: World, seat: str, label: str) -> bool:
    """Whether a caravan of the seat may be sent over the hex: known, without known monsters, and no other kingdom's."""
    return label in seen.hexes and not seen.hexes[label].monsters and _holder(seen, seat, label) in ("", seat)


def beside_land_of(seen: World, seat: str, other: str) -> list[str]:
    """The free hexes beside known land of the other kingdom: where a caravan to it may end."""
    remembered = {label for label, sighting in seen.kingdoms[seat].memory.items() if sighting.holder == other}
    land = remembered.union(seen.kingdoms[other].hexes)
    near = {label for held in land if _holder(seen, seat, held) == other for label in neighbours(held)}
    return sorted(label for label in near if is_free(seen, seat, label))


def _holder(seen: World, seat: str, label: str) -> str:
    """Who holds the hex as far as the seat knows: by what it sees, and where it sees nothing by what it remembers."""
    sighting = seen.kingdoms[seat].memory.get(label)
    return owners(seen).get(label) or (sighting.holder if sighting else "")


def best_path(seen: World, seat: str, kingdom: Kingdom, goals: Iterable[str], rules: Rules) -> tuple[str, ...] | None:
    """The cheapest way from any settlement of the kingdom to any of these hexes: then by the settlement's name, then by label."""
    piers = piers_of(kingdom, rules)
    found = []
    for name, settlement in kingdom.settlements.items():
        for goal in goals:
            path = way(settlement.hex, goal, seen, rules, lambda label: is_free(seen, seat, label), piers)
            if path:
                found.append((points_along(path, seen, rules), name, goal, path))
    return tuple(min(found)[3]) if found else None
