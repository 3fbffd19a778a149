"""The island: what is connected to a castle, how far a territory is, what it costs to occupy it."""

from __future__ import annotations

from collections.abc import Container, Mapping

from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Purse, Table
from kingdom.games.kit.memo import remember

Ground = tuple[Mapping[str, tuple[str, ...]], dict[tuple[str, str], int]]


@remember(lambda rules, players: ((rules,), players), size=100)
def _ground(rules: Rules, players: int) -> Ground:
    """(the territories in use with their neighbours, the steps between any two): they never change in a game."""
    unused, near = board_for(rules, players).unused, rules.map.neighbours
    used = {
        place: tuple(other for other in near[place] if other not in unused) for place in near if place not in unused
    }
    steps = {(start, end): _steps(used, start, end, None) for start in used for end in used if start != end}
    return used, steps


def land(rules: Rules, players: int) -> Mapping[str, tuple[str, ...]]:
    """The territories in use -> their neighbours in use."""
    return _ground(rules, players)[0]


def castles(table: Table) -> dict[str, str]:
    """Territory -> the seat whose castle stands there."""
    return {lord.castle: seat for seat, lord in table.seats.items() if lord.castle}


def owner_of(table: Table, place: str) -> str:
    """The seat whose castle or markers are there, "" if nobody's are."""
    held = table.territories.get(place)
    return castles(table).get(place) or (held.owner if held else "")


def connected(table: Table, seat: str, rules: Rules) -> set[str]:
    """The castle of the seat and its territories that are connected to it. No connection leads through another player's castle."""
    castle = table.seats[seat].castle
    if not castle:
        return set()
    near, reached, edge = land(rules, len(table.seats)), {castle}, [castle]
    while edge:
        for place in near[edge.pop()]:
            if place not in reached and place in table.territories and table.territories[place].owner == seat:
                reached.add(place)
                edge.append(place)
    return reached


def within_reach(table: Table, seat: str, rules: Rules) -> list[str]:
    """The territories and castles of others beside connected land, in the order of the map."""
    mine, near, held = connected(table, seat, rules), land(rules, len(table.seats)), table.territories
    beside = {place for own in mine for place in near[own]} - mine
    return [place for place in near if place in beside and (place not in held or held[place].owner != seat)]


def distance(table: Table, seat: str, place: str, rules: Rules) -> int:
    """The steps from the seat's castle (ruling distance), 0 if no way leads there."""
    near, steps = _ground(rules, len(table.seats))
    castle = table.seats[seat].castle
    own = rules.distance.via == "own"
    return _steps(near, castle, place, connected(table, seat, rules)) if own else steps.get((castle, place), 0)


def _steps(near: Mapping[str, tuple[str, ...]], start: str, end: str, through: Container[str] | None) -> int:
    edge, seen, steps = [start], {start}, 0
    while edge:
        steps += 1
        further = []
        for here in edge:
            if through is not None and here not in through:
                continue
            for place in near.get(here, ()):
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
    if marked := table.territories.get(place):
        return steps + (marked.markers * rules.occupy.per_marker if marked.owner != seat else 0)
    attacked = any(lord.castle == place for other, lord in table.seats.items() if other != seat)
    return steps + (rules.castle_attack.army if attacked else 0)


def discounted(cost: int, kind: str, purse: Purse, rules: Rules) -> int:
    """A cost less the discounts of that kind of action (rulings discounts_add and discount_floor)."""
    discount = purse.discount.get(kind, 0)
    return max(cost - discount, min(cost, rules.discount_floor.least)) if discount else cost
