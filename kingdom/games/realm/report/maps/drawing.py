"""What all pictures of the realm share: their letters, colours, dashes, texts that may stand in markup, the shapes that a map uses,
and its lines as paths. A hex is 80 wide and 70 high."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from msgspec import Struct

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.report.maps.atlas import Atlas
from kingdom.render.charts import escaped as escaped

FONTS = "font-family=\"'Source Sans Pro','Source Sans 3','Segoe UI',Roboto,'DejaVu Sans',sans-serif\" font-size=\"13\" fill=\"#2a2622\""
SHEET, PAPER, INK = "#fbf8ef", "#fffdf6", "#2a2622"
INSET = 5  # of a border, from the edge of its land
COLOURS = (
    "#a3241d",
    "#14508f",
    "#5d2a86",
    "#00605a",
    "#8f4700",
    "#37373f",
    "#a0135c",
    "#42610a",
    "#3236a8",
)  # dark: they stand on light ground
_STYLES = (
    ("", ""),
    ("14 7", ""),
    ("0 7.5", ""),
    ("", "1.6"),
    ("18 6 1 6", ""),
    ("5 4", ""),
    ("24 7", "1.6"),
    ("16 5 5 5 5 5", ""),
)  # dashes, a light line within


class Picture(Struct, frozen=True):
    """A map that is being drawn. prefix: of all its ids. used: the shapes that it needs, as markup.

    colours: seat -> number of its colour and dashes, the same on the maps of all readers.
    light: shapes are drawn together, not each in its hex: of a large map that takes a tenth of the bytes.
    pressed: hexes can be pressed; a light map with as few elements as can be.
    """

    atlas: Atlas
    grid: Grid
    prefix: str
    used: dict[str, str]
    colours: Mapping[str, int]
    light: bool = False
    pressed: bool = False
    places: dict[str, list[Point]] = {}  # of a light map: where the shapes of each name are to be drawn

    def use(self, name: str, shape: str, x: int, y: int, more: str = "") -> str:
        """The shape of that name at a place; it is kept once for all that use it."""
        if name not in self.used:
            drawn = shape if self.pressed and not more else f'<g id="{self.prefix}{name}">{shape}</g>'
            at_corners = f'<marker id="{self.prefix}{name}-s" overflow="visible">{drawn}</marker>'
            self.used[name] = at_corners if self.light else drawn
        if self.light and not more:
            self.places.setdefault(name, []).append((x, y))
            return ""
        return f'<use href="#{self.prefix}{name}" x="{x}" y="{y}"{more}/>'

    def together(self) -> str:
        """The shapes that wait to be drawn: of each name one line without colour that has the shape at each of its points."""
        lines = []
        for name, places in self.places.items():
            steps = (f"{x - was_x} {y - was_y}" for (was_x, was_y), (x, y) in pairwise([(0, 0), *places]))
            one = "-start" * (len(places) == 1)  # a line needs two ends; the shape is drawn at the first alone
            line = f"m{' '.join(steps)}{'h0' * bool(one)}"
            lines.append(f'<path d="{line}" style="marker{one}:url(#{self.prefix}{name}-s)"/>')
        self.places.clear()
        return f'<g fill="none">{"".join(lines)}</g>' if lines else ""

    def of(self, seat: str) -> str:
        """The filling in a kingdom's colour, as an attribute."""
        return f' fill="{COLOURS[self.colours[seat] % len(COLOURS)]}"'


def border_lines(number: int, shape: str) -> str:
    """A kingdom's border along a shape (`<use ...` or `<path ...`, left open): its tint, its colour, its dashes."""
    colour, (dashes, within) = COLOURS[number % len(COLOURS)], _STYLES[number % len(_STYLES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = ' stroke-linecap="round"' if dashes.startswith("0 ") else ""
    tint = f'fill="{colour}" fill-opacity=".1"'
    lines = f'{shape} {tint} stroke="{colour}" stroke-width="{5 if within or ends else 4.2}"{dashed}{ends}/>'
    return lines + (f'{shape} fill="none" stroke="{PAPER}" stroke-width="{within}"{dashed}/>' if within else "")


def labelled(x: int, y: int, text: str, more: str = "") -> str:
    """A line of text; it is escaped here. The blank parts it from the next text, for programs that show the words alone."""
    return f'<text x="{x}" y="{y}"{more}>{escaped(text)}</text> '


def haloed(id: str, texts: Iterable[str], wide: float, more: str = "") -> str:
    """Lines of text with a light edge, `wide` in the picture's pixels, so that they can be read on any ground.

    The edge is an element of its own below the text, since not every program that draws SVG knows `paint-order`.
    id: of the texts, unlike any other of the page. more: attributes of the texts.
    """
    edge = f'fill="none" stroke="{PAPER}" stroke-width="{wide}" stroke-linejoin="round"'
    return f'<use href="#{id}" {edge}/><g id="{id}"{more}>{"".join(texts)}</g>'


# --- lines as paths: borders, roads, rivers, canals, routes


Point = tuple[int, int]
ACROSS, DOWN = 60, 70  # from the middle of a hex to that of the next one
# clockwise, from the corner in the northwest and from the neighbour in the north
_CORNERS: tuple[Point, ...] = ((-20, -35), (20, -35), (40, 0), (20, 35), (-20, 35), (-40, 0))
_SIDES = ((0, -DOWN), (ACROSS, -35), (ACROSS, 35), (0, DOWN), (-ACROSS, 35), (-ACROSS, -35))
_INWARD = ((0.0, 1.0), (-0.868, 0.496), (-0.868, -0.496), (0.0, -1.0), (0.868, -0.496), (0.868, 0.496))


class Grid(Struct, frozen=True):
    """Where the middle of each hex is in the picture."""

    middles: Mapping[str, Point]


def border(labels: Iterable[str], grid: Grid, inset: int) -> str:
    """The outline of these hexes, drawn so far inside them; holes run the other way round."""
    middles = {grid.middles[label] for label in labels}
    sides: dict[Point, tuple[Point, int]] = {}  # corner -> (the next one, which side of a hex lies between)
    for x, y in middles:
        for side, (dx, dy) in enumerate(_SIDES):
            if (x + dx, y + dy) not in middles:
                start, end = _CORNERS[side], _CORNERS[(side + 1) % 6]
                sides[x + start[0], y + start[1]] = (x + end[0], y + end[1]), side
    found = []
    while sides:
        first = corner = next(iter(sides))
        line: list[tuple[Point, int]] = []
        while not line or corner != first:
            corner, side = sides.pop(corner)
            line.append((corner, side))
        found.append(_inside(line, inset))
    return "".join(found)


def _inside(line: list[tuple[Point, int]], inset: int) -> str:
    """A closed line of corners, each with the side that leads to it, moved to the inside."""
    points = []
    for index, ((x, y), side) in enumerate(line):
        after = line[(index + 1) % len(line)][1]
        (ax, ay), (bx, by) = _INWARD[side], _INWARD[after]
        by_much = inset / (1 + ax * bx + ay * by)
        points.append(f"{round(x + (ax + bx) * by_much)} {round(y + (ay + by) * by_much)}")
    return f"M{points[0]}L{' '.join(points[1:])}z"


def pairs(labels: Iterable[str], joined: Callable[[str, str], bool] = lambda here, near: True) -> list[tuple[str, str]]:
    """The hexes of these that lie beside each other, each two once."""
    inside = dict.fromkeys(labels)
    return [
        (here, near)
        for here in inside
        for near in neighbours(here)
        if here < near and near in inside and joined(here, near)
    ]


def straight(joined: Iterable[tuple[str, str]], grid: Grid) -> str:
    """From middle to middle."""
    middles = grid.middles
    return "".join(f"M{middles[a][0]} {middles[a][1]}L{middles[b][0]} {middles[b][1]}" for a, b in joined)


def winding(joined: Iterable[tuple[str, str]], grid: Grid) -> str:
    """From middle to middle, as a river runs: to one side and then to the other."""
    found = []
    for a, b in joined:
        (x, y), (to_x, to_y) = grid.middles[a], grid.middles[b]
        dx, dy = to_x - x, to_y - y
        side_x, side_y = -dy * 2 // 7, dx * 2 // 7
        found.append(
            f"M{x} {y}c{dx // 3 + side_x} {dy // 3 + side_y} {dx * 2 // 3 - side_x} {dy * 2 // 3 - side_y} {dx} {dy}"
        )
    return "".join(found)


def ends(labels: Iterable[str], to: Iterable[tuple[str, str]], grid: Grid) -> str:
    """Short lines: in each of these hexes a stub, and from the first to the edge of the second hex of each two."""
    found = [f"M{x - 14} {y}h28" for x, y in (grid.middles[label] for label in labels)]
    for a, b in to:
        (x, y), (to_x, to_y) = grid.middles[a], grid.middles[b]
        found.append(f"M{x} {y}l{(to_x - x) * 3 // 5} {(to_y - y) * 3 // 5}")
    return "".join(found)


def way(path: Iterable[str], grid: Grid) -> str:
    """From middle to middle of a path, as far as it is on the map and unbroken."""
    found, before = [], ""
    for label in path:
        if label in grid.middles:
            x, y = grid.middles[label]
            found.append(f"{'L' if before and label in neighbours(before) else 'M'}{x} {y}")
        before = label if label in grid.middles else ""
    return "".join(found)
