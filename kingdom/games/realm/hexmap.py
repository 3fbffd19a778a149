"""The map: its labels CCRR, column then row from 01, where even columns stand half a hex lower; and ways over it.

What a hex costs, how far points reach, the cheapest way; what lies in a hex, in words. Ruling: movement.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush

from kingdom.engine.typed_dict import TypedDict
from kingdom.games.kit.memo import remember
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, World, in_service, owners

DIRECTIONS = ("n", "ne", "se", "s", "sw", "nw")


def label_of(column: int, row: int) -> str:
    """The label of a hex; columns and rows count from 1 to 99."""
    return f"{column:02d}{row:02d}"


def place_of(label: str) -> tuple[int, int]:
    """Column and row of a label."""
    return int(label[:2]), int(label[2:])


@cache
def neighbours(label: str) -> tuple[str, ...]:
    """The labels around a hex, clockwise from the north; those beyond the label range are left out."""
    return tuple(near for direction in DIRECTIONS if (near := beside(label, direction)))


def beside(label: str, direction: str) -> str | None:
    """The label next to a hex in one of the DIRECTIONS, None beyond the label range."""
    column, row = place_of(label)
    low = row + 1 if column % 2 == 0 else row
    c, r = {
        "n": (column, row - 1),
        "ne": (column + 1, low - 1),
        "se": (column + 1, low),
        "s": (column, row + 1),
        "sw": (column - 1, low),
        "nw": (column - 1, low - 1),
    }[direction]
    return label_of(c, r) if 1 <= c <= 99 and 1 <= r <= 99 else None


def distance(a: str, b: str) -> int:
    """Hexes from a to b as the crow flies."""
    (x_a, z_a), (x_b, z_b) = _cube(a), _cube(b)
    dx, dz = x_a - x_b, z_a - z_b
    return max(abs(dx), abs(dz), abs(dx - dz))


@cache
def _cube(label: str) -> tuple[int, int]:
    """Two of the cube coordinates of flat-top hexes with even columns pushed down."""
    column, row = place_of(label)
    return column, row - (column + (column & 1)) // 2 + column


def parts(labels: set[str] | frozenset[str]) -> list[set[str]]:
    """The connected parts of a set of hexes, each part once, in the order of their lowest labels."""
    left = set(labels)
    found = []
    for label in sorted(labels):
        if label not in left:
            continue
        part, edge = set(), [label]
        left.discard(label)
        while edge:
            here = edge.pop()
            part.add(here)
            for near in neighbours(here):
                if near in left:
                    left.discard(near)
                    edge.append(near)
        found.append(part)
    return found


# --- ways over the map ------------------------------------------------------------------------------------------------


Piers = Container[str] | None  # labels of hexes with a pier; None: water is no hindrance


class _Costs(dict[str, int | None]):
    """Label -> movement points to enter the hex, each worked out when it is first asked for."""

    def __init__(self, world: World, rules: Rules):
        self._world, self._rules, self._held = world, rules, owners(world)

    def __missing__(self, label: str) -> int | None:
        self[label] = points = _points(label, self._world, self._rules, self._held.get(label))
        return points


# of the worlds that are looked at in turn: as a turn found it, as it is by now, as a seat knows it
@remember(lambda world, rules: ((world.hexes, world.kingdoms, rules), ()), size=4)
def _costs_in(world: World, rules: Rules) -> _Costs:
    return _Costs(world, rules)


def cost(label: str, world: World, rules: Rules) -> int | None:
    """Movement points to enter a hex, whoever holds it; None for one that is not on the map.

    Where a road stands or a feature eases the way it costs no more than `movement.road`.
    """
    return _costs_in(world, rules)[label]


def step_cost(here: str, there: str, world: World, rules: Rules, piers: Piers = None) -> int | None:
    """Movement points from a hex to one beside it; None where that can't be entered from here."""
    points = cost(there, world, rules)
    if points is None or piers is None or not is_water(there, world, rules):
        return points
    return points if here in piers or is_water(here, world, rules) else None


def is_water(label: str, world: World, rules: Rules) -> bool:
    """Whether the hex is water; one that is not on the map is none."""
    hex = world.hexes.get(label)
    return hex is not None and rules.terrain[hex.terrain].water


def piers_of(kingdom: Kingdom, rules: Rules) -> frozenset[str]:
    """The hexes from which the kingdom puts out to sea: its settlements with a pier. Ruling: water_hexes."""
    return frozenset(
        settlement.hex
        for settlement in kingdom.settlements.values()
        if any(building.id in rules.water_hexes.buildings for building in in_service(settlement))
    )


def ways(
    starts: Mapping[str, int],
    budget: int,
    world: World,
    rules: Rules,
    barred: Container[str] = (),
    piers: Piers = None,
    goals: Container[str] = (),
) -> dict[str, int]:
    """Label -> fewest points spent on the way there, for every hex within the budget.

    starts: label -> points already spent there. barred: hexes that are not entered. goals: what is farther than the nearest
    of them is left out. The map is searched no farther than the budget reaches.
    """
    costs = _costs_in(world, rules)
    spent: dict[str, int] = {}
    edge: list[tuple[int, str]] = []
    for label, points in starts.items():
        if points <= budget:
            heappush(edge, (points, label))
    while edge:
        points, here = heappop(edge)
        if points > budget:
            break
        if here in spent:
            continue
        spent[here] = points
        if here in goals:
            budget = min(budget, points)
        for there, price in _around(here, costs, world, rules, piers):
            if points + price <= budget and there not in spent and there not in barred:
                heappush(edge, (points + price, there))
    return spent


def way(
    start: str, goal: str, world: World, rules: Rules, allowed: Callable[[str], bool] | None = None, piers: Piers = None
) -> list[str] | None:
    """The cheapest way from start to goal, both included; None where there is none.

    allowed: whether a hex may be entered; the goal is asked, too. Of ways that cost the same the one with fewer hexes,
    then the one whose hexes have the lower labels, seen from the goal.
    """
    costs = _costs_in(world, rules)
    before: dict[str, str] = {}
    edge: list[tuple[int, int, str, str]] = [(0, 0, start, "")]
    while edge:
        points, steps, here, came_from = heappop(edge)
        if here in before:
            continue
        before[here] = came_from
        if here == goal:
            path = [goal]
            while before[path[-1]]:
                path.append(before[path[-1]])
            return path[::-1]
        for there, price in _around(here, costs, world, rules, piers):
            if there not in before and (allowed is None or allowed(there)):
                heappush(edge, (points + price, steps + 1, there, here))
    return None


def step_along(path: Sequence[str], at: int, points: int, world: World, rules: Rules) -> int:
    """The place along the path that is reached from place `at` with these points: always one hex farther at least.

    What is left of the points is lost. A hex that is not on the map stops it.
    """
    reached, first = at, True
    while reached + 1 < len(path):
        price = cost(path[reached + 1], world, rules)
        if price is None or (price > points and not first):
            break
        points, reached, first = points - price, reached + 1, False
    return reached


def points_along(path: Sequence[str], world: World, rules: Rules) -> int:
    """Points that the whole path costs, its first hex not counted."""
    return sum(cost(label, world, rules) or 0 for label in path[1:])


def _points(label: str, world: World, rules: Rules, seat: str | None) -> int | None:
    """The cost of a hex; seat: who holds it."""
    hex = world.hexes.get(label)
    if hex is None:
        return None
    points = rules.terrain[hex.terrain].movement
    built = world.kingdoms[seat].hexes[label] if seat else hex.left
    road = any(rules.improvements[name].is_road for name in built)
    eased = road or any(rules.features[name].eases for name in hex.features)
    return min(points, rules.movement.road) if eased and rules.movement else points


def _around(here: str, costs: _Costs, world: World, rules: Rules, piers: Piers) -> Iterator[tuple[str, int]]:
    ashore = piers is not None and here not in piers and not is_water(here, world, rules)  # no ship leaves from there
    for there in neighbours(here):
        price = costs[there]
        if price is not None and not (ashore and is_water(there, world, rules)):
            yield there, price


# --- what lies in a hex


class Lie(TypedDict):
    """What lies in a hex: terrain and features (`lies`), and whatever else should be known."""

    hex: str
    terrain: str
    lies: str
    notes: list[str]


class PricedLie(Lie):
    """A hex that is to be had for so many BP."""

    price: int


def lie_of(label: str, hex: Hex, rules: Rules) -> Lie:
    """What lies in a hex, as far as `hex` holds it: terrain and features (`lies`), and whatever else should be known."""
    lies = [rules.features[name].name for name in hex.features]
    lies += [rules.features[name].name for name in ("resource", "lair") if getattr(hex, name)]
    notes = [f"ruin: {rules.buildings[hex.ruin].name}"] if hex.ruin else []
    notes += [f"stands: {rules.buildings[hex.building].name}"] if hex.building else []
    notes += [f"free city {hex.free_city.name}"] if hex.free_city else []
    notes += [f"monsters, ACR {hex.monsters}"] if hex.monsters else []
    notes += [text for text in (hex.hazard, hex.secret) if text]
    notes += ["left: " + ", ".join(rules.improvements[name].name for name in hex.left)] if hex.left else []
    return {"hex": label, "terrain": rules.terrain[hex.terrain].name, "lies": ", ".join(lies), "notes": notes}


def hex_in_words(label: str, hex: Hex, rules: Rules) -> str:
    """A hex with what lies there, for a person."""
    lie = lie_of(label, hex, rules)
    parts = [lie["terrain"].lower(), *([lie["lies"].lower()] if lie["lies"] else []), *lie["notes"]]
    return f"{label}, {', '.join(parts)}"


def finds(hex: Hex, rules: Rules) -> list[str]:
    """What a hex hides until it is revealed, each in a few words."""
    found = [rules.features[name].name.lower() for name in ("resource", "lair") if getattr(hex, name)]
    found += [f"ruin ({rules.buildings[hex.ruin].name})"] if hex.ruin else []
    found += [f"building ({rules.buildings[hex.building].name})"] if hex.building else []
    found += [text for text in (hex.secret, hex.hazard) if text]
    return found + ([f"monsters of ACR {hex.monsters}"] if hex.monsters else [])
