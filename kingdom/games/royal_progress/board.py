"""The map: which places lie side by side, and how far each is from a castle."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from kingdom.games.royal_progress.rules import Rules
from kingdom.games.shared.memo import Memo


@lru_cache(maxsize=8)
def _beside(roads: tuple[tuple[str, ...], ...]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for one, other in roads:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return {place: tuple(sorted(others)) for place, others in found.items()}


def beside(rules: Rules) -> Mapping[str, tuple[str, ...]]:
    """Place -> the places one step away, by name."""
    return _beside(rules.roads)


_DISTANCES: Memo[dict[str, int]] = Memo(100)


def distances(castle: str, rules: Rules) -> Mapping[str, int]:
    """Place -> steps to that castle, for every place from which it can be reached. Other castles are no way (ruling other_castles)."""
    key = (id(rules), castle)
    steps: Mapping[str, int] | None = _DISTANCES.get(key)
    if steps is None:
        steps = _distances(castle, rules)
        _DISTANCES.put(key, rules, steps)
    return steps


def _distances(castle: str, rules: Rules) -> dict[str, int]:
    open_castles = rules.other_castles.enterable
    ways, found, edge = beside(rules), {castle: 0}, [castle]
    while edge:
        here = edge.pop(0)
        for place in ways.get(here, ()):
            if place not in found and (open_castles or rules.places[place].kind != "castle"):
                found[place] = found[here] + 1
                edge.append(place)
    return found
