"""The island: what is connected to a castle, how far a territory is, what it costs to occupy it."""

from __future__ import annotations

from functools import lru_cache
from typing import Container, Mapping

from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Purse, Table

CASTLE = "castle"


@lru_cache(maxsize=64)
def _in_use(neighbours: tuple[tuple[str, tuple[str, ...]], ...], unused: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {place: tuple(other for other in near if other not in unused) for place, near in neighbours if place not in unused}


def land(rules: Rules, players: int) -> Mapping[str, tuple[str, ...]]:
    """The territories in use -> their neighbours in use."""
    board = board_for(rules, players)
    return _in_use(tuple(rules.map.neighbours.items()), board.unused if board else ())


def castles(table: Table) -> dict[str, str]:
    """Territory -> the seat whose castle stands there."""
    return {lord.castle: seat for seat, lord in table.lords.items() if lord.castle}


def connected(table: Table, seat: str, rules: Rules) -> set[str]:
    """The castle of the seat and its territories that are connected to it; none leads through another's castle."""
    castle = table.lords[seat].castle
    if not castle:
        return set()
    near, found, edge = land(rules, len(table.lords)), {castle}, [castle]
    while edge:
        for place in near[edge.pop()]:
            if place not in found and place in table.territories and table.territories[place].owner == seat:
                found.add(place)
                edge.append(place)
    return found


def within_reach(table: Table, seat: str, rules: Rules) -> list[str]:
    """The territories and castles of others beside connected land, in the order of the map."""
    mine, near, held = connected(table, seat, rules), land(rules, len(table.lords)), table.territories
    beside = {place for each in mine for place in near[each]} - mine
    return [place for place in near if place in beside and (place not in held or held[place].owner != seat)]


def distance(table: Table, seat: str, place: str, rules: Rules) -> int:
    """The steps from the seat's castle (ruling distance), 0 where no way leads there."""
    through = connected(table, seat, rules) if rules.distance.via == "own" else None
    return _steps(land(rules, len(table.lords)), table.lords[seat].castle, place, through)


def _steps(near: Mapping[str, tuple[str, ...]], start: str, end: str, through: Container[str] | None) -> int:
    edge, seen, steps = [start], {start}, 0
    while edge:
        steps += 1
        further = []
        for each in edge:
            if through is not None and each not in through:
                continue
            for place in near.get(each, ()):
                if place == end:
                    return steps
                if place not in seen:
                    seen.add(place)
                    further.append(place)
        edge = further
    return 0


def army_for(table: Table, seat: str, place: str, rules: Rules) -> int:
    """What it takes to occupy the territory, or to attack the castle there, before discounts."""
    steps = distance(table, seat, place, rules)
    if castles(table).get(place, seat) != seat:
        return steps + rules.castle_attack.army
    there = table.territories.get(place)
    return steps + (there.markers * rules.occupy.per_marker if there and there.owner != seat else 0)


def discounted(cost: int, kind: str, purse: Purse, rules: Rules) -> int:
    """A cost less the discounts of that kind of action (rulings discounts_add and discount_floor)."""
    discount = purse.discount.get(kind, 0)
    return max(cost - discount, min(cost, rules.discount_floor.least)) if discount else cost
