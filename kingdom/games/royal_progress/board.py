"""The map: which places lie side by side, and how far each is from a castle."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.games.kit.memo import Memo
from kingdom.games.royal_progress.rules import Rules

_BESIDE: Memo[Mapping[str, tuple[str, ...]]] = Memo(100)


def beside(rules: Rules) -> Mapping[str, tuple[str, ...]]:
    """Place -> the places one step away, by name."""
    known = _BESIDE.get(id(rules))
    return known if known is not None else _BESIDE.put(id(rules), rules, _beside(rules.roads))


def _beside(roads: tuple[tuple[str, ...], ...]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for one, other in roads:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return {place: tuple(sorted(others)) for place, others in found.items()}


_DISTANCES: Memo[dict[str, int]] = Memo(100)


def distances(castle: str, rules: Rules) -> Mapping[str, int]:
    """Place -> steps to that castle, for every place from which it can be reached. Other castles are no way (ruling other_castles)."""
    key = (id(rules), castle)
    known = _DISTANCES.get(key)
    return known if known is not None else _DISTANCES.put(key, rules, _distances(castle, rules))


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


_ONWARD: Memo[list[str]] = Memo(2000)


def onward(castle: str, here: str, rules: Rules, farther: int = 0) -> list[str]:
    """The places one step from there, for who goes to that castle. farther: that many steps more than from there to it."""
    key = (id(rules), castle, here, farther)
    known = _ONWARD.get(key)
    return known if known is not None else _ONWARD.put(key, rules, _onward(castle, here, rules, farther))


def _onward(castle: str, here: str, rules: Rules, farther: int) -> list[str]:
    far = distances(castle, rules)
    most = far[here] + farther
    if not farther and not rules.equal_moves.allowed:
        most -= 1
    return [place for place in beside(rules).get(here, ()) if place in far and far[place] <= most]
