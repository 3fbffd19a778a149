"""What stands where, of all kingdoms at once: armies by hex, trade routes by the hexes that they pass and by their ends."""

from __future__ import annotations

from typing import NamedTuple

from kingdom.games.realm.state import Army, Kingdom, Route, World
from kingdom.games.shared.memo import Memo


class Whereabouts(NamedTuple):
    """armies: label -> (seat, name, army) of each that stands there. passing: label -> (founder, key) of each open route
    that leads through. leading_to: seat -> (founder, key, route) of each route that ends there, open or just arrived."""

    armies: dict[str, list[tuple[str, str, Army]]]
    passing: dict[str, list[tuple[str, str]]]
    leading_to: dict[str, list[tuple[str, str, Route]]]


_known: Memo[Whereabouts] = Memo(size=4)  # worlds that are looked at in turn: as a turn found it, and as it is by now


def whereabouts(world: World) -> Whereabouts:
    """Remembered while the kingdoms are the same: not to be changed by the caller."""
    found = _known.get(id(world.kingdoms))
    return found if found is not None else _known.put(id(world.kingdoms), world.kingdoms, _look(world.kingdoms))


def _look(kingdoms: dict[str, Kingdom]) -> Whereabouts:
    found = Whereabouts({}, {}, {})
    for seat, kingdom in kingdoms.items():
        for name, army in kingdom.armies.items():
            found.armies.setdefault(army.hex, []).append((seat, name, army))
        for key, route in kingdom.routes.items():
            if route.open or route.asked:
                found.leading_to.setdefault(route.to, []).append((seat, key, route))
            for label in route.path if route.open and not route.shares else ():
                found.passing.setdefault(label, []).append((seat, key))
    return found
