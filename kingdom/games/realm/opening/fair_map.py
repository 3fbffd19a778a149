"""A fair map: starts far from each other, the same land around each, wilderness between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from operator import attrgetter
from typing import NamedTuple

from kingdom.games.realm.hexmap import distance, label_of, neighbours
from kingdom.games.realm.opening.homeland import FEW, WIDEST, Chance, Names, homeland, rings_of
from kingdom.games.realm.state import Hex, replace

REACH = (
    3  # the distance in hexes that a kingdom will reach in its first turns; all starts must be worth the same within it
)
FAIR = 4  # starts should differ by at most so many points; with complete homelands they do not differ
MOST_UNFAIR = 12  # points, about a tenth of a start's worth: a map whose starts differ by more is not used
POINTS = {"plains": 4, "hills": 4, "forest": 3, "mountains": 2, "marsh": 2, "desert": 2, "water": 1}
# the terrains that wild land may become to even out two starts, from worst to best
BETTER = ("mountains", "forest", "plains")
WILD = (
    ("plains",) * 4
    + ("forest",) * 5
    + ("hills",) * 4
    + ("mountains",) * 3
    + ("marsh",) * 2
    + ("water",) * 2
    + ("desert",)
)
TRIES = 12  # so many choices of starts are drawn, and the best is taken
MAPS = 3  # so many maps are drawn before smaller homelands are tried
ROOM = 64  # hexes of a map for each kingdom, if no size is given
STRIP = 12  # the most columns of a map, so that it fits on a terminal
LEAST_ROWS = 12
LONGEST = 99  # the most columns and rows that labels can name


class FairMap(NamedTuple):
    """A drawn map. starts: the hexes of the capitals, in order of label. radius: the number of rings around each start that all
    starts have alike."""

    starts: list[str]
    hexes: dict[str, Hex]
    radius: int


class Worth(NamedTuple):
    """The land within reach of a start. points: the worth of its terrain and finds, by a rule of thumb that is not part of the
    game's rules."""

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
    """The worth of the land within reach of the start."""
    near = [hexes[label] for ring in rings_of(start, REACH) for label in ring if label in hexes]
    water = sum(hex.terrain == "water" for hex in near)
    return Worth(len(near) - water, water, sum(hex.resource for hex in near), sum(map(points, near)))


def points(hex: Hex) -> int:
    """The worth of holding the hex, in points."""
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
    """A map for so many kingdoms with equal starts: the same water and resources within reach, and land of the same worth.
    Raises ValueError, with a sentence, if the map has no room for them."""
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
    """The difference in points between the best start and the worst."""
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
    """So many starts far from each other, with homelands of that radius on the map and apart; [] if there is no room.

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
    """So many starts, for many kingdoms: one in each cell of a lattice, with room for their homelands; [] if there is no room.

    All land within reach of a start lies on the map.
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
        """A column or row, from 1, in the cell of that number, at least `radius` from both ends of the cell."""
        first, end = number * length // cells, (number + 1) * length // cells
        return edge + first + radius + chance.number("places", end - first - 2 * radius)

    return sorted(label_of(middle(column, across, wide), middle(row, down, high)) for column, row in places)


def _score(starts: Sequence[str], there: set[str]) -> tuple[int, ...]:
    """The rank of a choice of starts: first by how equal and how large the land is that only one start reaches, then by
    distances."""
    reach = [_within(start, REACH, there) for start in starts]
    own = [len(mine.difference(*(other for other in reach if other is not mine))) for mine in reach]
    nearest = _nearest(starts)
    return min(own) - max(own), min(own), min(nearest), -max(nearest)


def _within(start: str, radius: int, there: set[str]) -> set[str]:
    return {label for ring in rings_of(start, radius) for label in ring if label in there}


def _spread(count: int, centres: Sequence[str]) -> list[str]:
    """The first of the centres, then again and again the centre that is farthest from all chosen ones."""
    starts = [centres[0]]
    far = dict.fromkeys(centres, 99)
    while len(starts) < count:
        for label in centres:
            far[label] = min(far[label], distance(label, starts[-1]))
        starts.append(max(centres, key=far.__getitem__))
    return starts


def _moved(starts: Sequence[str], centres: Sequence[str], least: int) -> list[str]:
    """The starts, with each start nearer than `least` to another moved as far from all others as possible."""
    starts = list(starts)
    for index in range(len(starts)):
        if _nearest(starts)[index] < least:
            others = starts[:index] + starts[index + 1 :]
            starts[index] = max(centres, key=lambda label: min(distance(label, other) for other in others))
    return starts


def _nearest(starts: Sequence[str]) -> list[int]:
    """The distance of each start to its nearest rival."""
    return [min((distance(one, other) for other in starts if other != one), default=99) for one in starts]


# --- the land between them


def _wilderness(wild: Sequence[str], starts: Sequence[str], chance: Chance, names: Names) -> dict[str, Hex]:
    """Wild land in regions of one terrain each. Within reach of a start it has neither water nor anything to find."""
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
    """Label -> the nearest site as the crow flies, between equals the one with the first label."""
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
    """The hex, with something to find in it one time in three."""
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
    """Even out starts whose homelands lack rings: first give each start as many resources, then land of the same worth.

    Only wild land changes, and only hexes that the worst start reaches and the best does not, or the reverse.
    """
    reach = {start: _within(start, REACH, set(hexes)) for start in starts}
    who: dict[str, list[str]] = {}
    for start in starts:
        for label in reach[start]:
            who.setdefault(label, []).append(start)
    rarely = {label: place for place, label in enumerate(sorted(wild, key=lambda label: len(who.get(label, ()))))}
    for value, most, change in ((attrgetter("resources"), 0, _with_resource), (attrgetter("points"), FAIR, _turned)):
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


def _with_resource(label: str, hexes: dict[str, Hex], step: int) -> bool:
    """Give the hex a resource (step 1) or take it away (-1); return whether that was possible."""
    can = hexes[label].resource != (step > 0)
    if can:
        hexes[label] = replace(hexes[label], resource=step > 0)
    return can


def _turned(label: str, hexes: dict[str, Hex], step: int) -> bool:
    """Give the hex better terrain (step 1) or worse (-1); return whether that was possible."""
    value = POINTS[hexes[label].terrain]
    others = [terrain for terrain in BETTER[::step] if (POINTS[terrain] - value) * step > 0]
    if others:
        hexes[label] = replace(hexes[label], terrain=others[0])
    return bool(others)


def _with_coasts(hexes: dict[str, Hex], wild: Sequence[str]) -> dict[str, Hex]:
    """The hexes, with a coast on wild land beside water; homelands have theirs already."""
    for label in wild:
        wet = any(near in hexes and hexes[near].terrain == "water" for near in neighbours(label))
        if wet and hexes[label].terrain != "water":
            hexes[label] = replace(hexes[label], features=(*hexes[label].features, "coast"))
    return hexes
