"""What a kingdom won and lost in a turn: its capital, towns, hexes, armies and trade routes, by its record before and after."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from kingdom.games.realm.state import Kingdom

NAMED = 6  # of more hexes the number alone is said


def only_in(one: Kingdom, other: Kingdom, names: Mapping[str, str]) -> Iterator[str]:
    """Yield what it has in the one record and not in the other. names: of the kingdoms that it knows."""
    for town in one.settlements.keys() - other.settlements.keys() & {one.capital}:
        yield f"the capital {town}"
    for town in sorted(one.settlements.keys() - other.settlements.keys() - {one.capital}):
        yield f"the town {town}"
    yield from _hexes(sorted(one.hexes.keys() - other.hexes.keys()))
    for army in sorted(one.armies.keys() - other.armies.keys()):
        yield f"the army {army}"
    opened = [key for key, route in one.routes.items() if route.open]
    for key in opened:
        if key not in other.routes or not other.routes[key].open:
            to = one.routes[key].to
            yield f"the trade route to {names.get(to, to)}"


def _hexes(labels: Collection[str]) -> Iterator[str]:
    if len(labels) > NAMED:
        yield f"{len(labels)} hexes"
    elif labels:
        yield f"{'hex' if len(labels) == 1 else 'the hexes'} {', '.join(labels)}"
