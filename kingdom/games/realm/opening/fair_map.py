"""A fair map: starts far from each other, the same land around each, wilderness between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from kingdom.games.realm.hexmap import distance, label_of, neighbours
from kingdom.games.realm.opening.homeland import FEW, WIDEST, Chance, Names, homeland, rings_of
from kingdom.games.realm.state import Hex, replace

REACH = (
    3  # hexes from a start that its kingdom will reach in its first turns: within it every start must be worth the same
)
FAIR = 4  # points by which two starts should differ at most; where homelands have all their rings they do not differ
MOST_UNFAIR = 12  # points, about one part in ten: a map on which two starts differ by more is not used
POINTS = {"plains": 4, "hills": 4, "forest": 3, "mountains": 2, "marsh": 2, "desert": 2, "water": 1}
BETTER = (
    "mountains",
    "forest",
    "plains",
)  # what wild land may be made of to even out two starts, from the worst to the best
WILD = (
    ("plains",) * 4
    + ("forest",) * 5
    + ("hills",) * 4
    + ("mountains",) * 3
    + ("marsh",) * 2
    + ("water",) * 2
    + ("desert",)
)
TRIES = 12  # choices of starts, of which the best is taken
MAPS = 3  # with homelands of one radius, before smaller ones are tried
ROOM = 64  # hexes of a map for each kingdom, where no size is asked for
STRIP = 12  # columns: what a terminal shows side by side
LEAST_ROWS = 12
LONGEST = 99  # columns and rows that labels can name


class FairMap(NamedTuple):
    """starts: the hexes of the capitals, in the order of their labels. radius: how many rings all starts have alike."""

    starts: list[str]
    hexes: dict[str, Hex]
    radius: int


class Worth(NamedTuple):
    """What lies within reach of a start. `points` sum up terrain and finds by a rule of thumb that is no rule of the game."""

    land: int
    water: int
    resources: int
    points: int


def size_for(kingdoms: int) -> tuple[int, int]:
    """(columns, rows) of a map on which that many kingdoms have room."""
    columns = STRIP * next((strips for strips in range(1, 9) if strips * strips * 3 >= kingdoms), 9)
    rows = max(LEAST_ROWS, -(-kingdoms * ROOM // columns))
    return (columns, rows) if rows <= LONGEST else (min(LONGEST, -(-kingdoms * ROOM // LONGEST)), LONGEST)


def worth(start: str, hexes: Mapping[str, Hex]) -> Worth:
    """What lies within reach of the start."""
    near = [hexes[label] for ring in rings_of(start, REACH) for label in ring if label in hexes]
    water = sum(hex.terrain == "water" for hex in near)
    return Worth(len(near) - water, water, sum(hex.resource for hex in near), sum(map(points, near)))


def points(hex: Hex) -> int:
    """How good it is to hold the hex."""
    finds = (
        3 * hex.resource
        + bool(hex.building)
        + bool(hex.ruin)
        + 2 * bool(hex.free_city)
        - bool(hex.hazard)
        - bool(hex.monsters)
    )
    return POINTS[hex.terrain] + len(hex.features) + finds


def fair_map(kingdoms: int, columns: int, rows: int, chance: Chance, names: Names) -> FairMap:
    """A map for that many kingdoms, on which no start is better than another: the same water and resources within reach,
    land worth the same. Raises ValueError, with a sentence, where there is no room for that."""
    labels = [label_of(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    for radius, _ in product(range(WIDEST, 0, -1), range(MAPS)):
        starts = (
            _starts(kingdoms, labels, radius, chance)
            if kingdoms <= FEW
            else _in_order(kingdoms, columns, rows, radius, chance)
        )
        if starts:
            drawn = FairMap(starts, _land(starts, labels, radius, chance, names), radius)
            if unfairness(drawn) <= MOST_UNFAIR:
                return drawn
    wide, high = size_for(kingdoms)
    raise ValueError(f"A map of {columns}x{rows} has no room for {kingdoms} equal starts; {wide}x{high} has.")


def unfairness(drawn: FairMap) -> int:
    """By how many points the best start is better than the worst."""
    values = [worth(start, drawn.hexes).points for start in drawn.starts]
    return max(values) - min(values)


def _land(starts: Sequence[str], labels: Sequence[str], radius: int, chance: Chance, names: Names) -> dict[str, Hex]:
    hexes: dict[str, Hex] = {}
    for start in starts:
        hexes.update(homeland(start, radius, chance, names))
    wild = [label for label in labels if label not in hexes]
    hexes.update(_wilderness(wild, starts, chance, names))
    _even_out(starts, wild, hexes)
    return dict(sorted(_with_coasts(hexes, wild).items()))


# --- where the starts lie


def _starts(count: int, labels: Sequence[str], radius: int, chance: Chance) -> list[str]:
    """That many hexes far from each other, whose homelands of that radius lie on the map and apart; [] if there are none.

    The best of several tries is taken.
    """
    there, whole = set(labels), 1 + 3 * radius * (radius + 1)
    centres = [label for label in labels if len(_within(label, radius, there)) == whole]
    best: tuple[tuple[int, ...], list[str]] = ((), [])
    for _ in range(TRIES if count <= len(centres) else 0):
        starts = _spread(count, chance.shuffled("starts", centres))
        starts = _moved(starts, centres, 2 * radius + 1)
        if min(_nearest(starts)) > 2 * radius:
            best = max(best, (_score(starts, there), sorted(starts)))
    return best[1]


def _in_order(count: int, columns: int, rows: int, radius: int, chance: Chance) -> list[str]:
    """That many hexes for many kingdoms, one in each cell of a lattice, with room for their homelands; [] where there is none.

    No edge of the map cuts off what a start has within reach.
    """
    least, edge = 2 * radius + 1, REACH - radius
    wide, high = columns - 2 * edge, rows - 2 * edge
    cells = [
        (across, down)
        for across in range(1, wide // least + 1)
        for down in [-(-count // across)]
        if high // down >= least
    ]
    if not cells:
        return []
    across, down = min(cells, key=lambda cell: (abs(wide / cell[0] - high / cell[1]), cell))
    places = chance.shuffled("starts", [*product(range(across), range(down))])[:count]

    def middle(number: int, cells: int, length: int) -> int:
        """A column or row, from 1, in one of the cells that share a length, with `radius` of the same cell on both sides."""
        first, end = number * length // cells, (number + 1) * length // cells
        return edge + first + radius + chance.number("places", end - first - 2 * radius)

    return sorted(label_of(middle(column, across, wide), middle(row, down, high)) for column, row in places)


def _score(starts: Sequence[str], there: set[str]) -> tuple[int, ...]:
    """How good and how even a choice of starts is: the land that each has within reach and no other has, then distances."""
    reach = [_within(start, REACH, there) for start in starts]
    own = [len(mine.difference(*(other for other in reach if other is not mine))) for mine in reach]
    nearest = _nearest(starts)
    return min(own) - max(own), min(own), min(nearest), -max(nearest)


def _within(start: str, radius: int, there: set[str]) -> set[str]:
    return {label for ring in rings_of(start, radius) for label in ring if label in there}


def _spread(count: int, centres: Sequence[str]) -> list[str]:
    """The first of the centres, then each time the one that is farthest from all that are chosen."""
    starts = [centres[0]]
    far = dict.fromkeys(centres, 99)
    while len(starts) < count:
        for label in centres:
            far[label] = min(far[label], distance(label, starts[-1]))
        starts.append(max(centres, key=far.__getitem__))
    return starts


def _moved(starts: Sequence[str], centres: Sequence[str], least: int) -> list[str]:
    """Each start that is nearer than that to another once more as far from all others as it can be."""
    starts = list(starts)
    for index in range(len(starts)):
        if _nearest(starts)[index] < least:
            others = starts[:index] + starts[index + 1 :]
            starts[index] = max(centres, key=lambda label: min(distance(label, other) for other in others))
    return starts


def _nearest(starts: Sequence[str]) -> list[int]:
    """How far the nearest rival of each start is."""
    return [min((distance(one, other) for other in starts if other != one), default=99) for one in starts]


# --- the land between them


def _wilderness(wild: Sequence[str], starts: Sequence[str], chance: Chance, names: Names) -> dict[str, Hex]:
    """Regions of one terrain each. Within reach of a start there is neither water nor anything to find."""
    sites = {label: chance.pick("terrain", WILD) for label in chance.shuffled("regions", wild)[: 1 + len(wild) // 5]}
    hexes = {}
    nearest = _nearest_of(sites)
    around = {label for start in starts for ring in rings_of(start, REACH + 1) for label in ring}
    for label in wild:
        near = label in around
        terrain = sites[nearest[label]]
        if near and terrain == "water":
            terrain = "marsh"
        hexes[label] = Hex(terrain) if near or terrain == "water" else _found(Hex(terrain), chance, names)
    return hexes


def _nearest_of(sites: Iterable[str]) -> dict[str, str]:
    """Label -> the nearest site as the crow flies, of several the one with the first label."""
    found = {site: site for site in sites}
    edge = sorted(found)
    while edge:
        further: dict[str, str] = {}
        for label in edge:
            for near in neighbours(label):
                if near not in found and (near not in further or found[label] < further[near]):
                    further[near] = found[label]
        found |= further
        edge = [*further]
    return found


def _found(hex: Hex, chance: Chance, names: Names) -> Hex:
    """The hex with something in it, one time in three."""
    what = chance.number("finds", 24)
    if what <= 2:
        return replace(hex, resource=True)
    if what <= 4:
        return replace(hex, lair=True, secret=names.text("lair"), monsters=1 + chance.number("monsters", 6))
    finds: dict[int, dict[str, object]] = {
        5: {"features": ("landmark",)}, 6: {"ruin": "castle"}, 7: {"hazard": names.text("hazard")}, 8: {"secret": names.text("secret")},
    }  # fmt: skip
    return replace(hex, **finds.get(what, {}))


def _even_out(starts: Sequence[str], wild: Sequence[str], hexes: dict[str, Hex]) -> None:
    """Where homelands have not all their rings: first give each start as many resources, then land of the same worth.

    Only wild land is changed, and what the worst start reaches and the best one does not, or the reverse.
    """
    reach = {start: _within(start, REACH, set(hexes)) for start in starts}
    who: dict[str, list[str]] = {}
    for start in starts:
        for label in reach[start]:
            who.setdefault(label, []).append(start)
    rarely = {label: place for place, label in enumerate(sorted(wild, key=lambda label: len(who.get(label, ()))))}
    for value, most, change in ((_resources, 0, _with_resource), (_points, FAIR, _turned)):
        values = {start: value(worth(start, hexes)) for start in starts}
        for _ in range(4 * len(wild)):
            worst, best = min(starts, key=values.__getitem__), max(starts, key=values.__getitem__)
            if values[best] - values[worst] <= most:
                break
            ours = sorted((reach[worst] - reach[best]) & rarely.keys(), key=rarely.__getitem__)
            theirs = sorted((reach[best] - reach[worst]) & rarely.keys(), key=rarely.__getitem__)
            changed = next((label for label in ours if change(label, hexes, 1)), "")
            changed = changed or next((label for label in theirs if change(label, hexes, -1)), "")
            if not changed:
                break
            values |= {start: value(worth(start, hexes)) for start in who[changed]}


def _resources(what: Worth) -> int:
    return what.resources


def _points(what: Worth) -> int:
    return what.points


def _with_resource(label: str, hexes: dict[str, Hex], step: int) -> bool:
    """Whether the hex could be given a resource (step 1) or lose it (-1); then it has."""
    can = hexes[label].resource != (step > 0)
    if can:
        hexes[label] = replace(hexes[label], resource=step > 0)
    return can


def _turned(label: str, hexes: dict[str, Hex], step: int) -> bool:
    """Whether the hex could be made of better terrain (step 1) or of worse (-1); then it is."""
    value = POINTS[hexes[label].terrain]
    others = [terrain for terrain in BETTER[::step] if (POINTS[terrain] - value) * step > 0]
    if others:
        hexes[label] = replace(hexes[label], terrain=others[0])
    return bool(others)


def _with_coasts(hexes: dict[str, Hex], wild: Sequence[str]) -> dict[str, Hex]:
    """Wild land beside water has a coast; a homeland has its own."""
    for label in wild:
        wet = any(near in hexes and hexes[near].terrain == "water" for near in neighbours(label))
        if wet and hexes[label].terrain != "water":
            hexes[label] = replace(hexes[label], features=(*hexes[label].features, "coast"))
    return hexes
