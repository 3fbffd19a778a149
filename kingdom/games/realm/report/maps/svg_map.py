"""The map as a picture: one SVG that needs nothing else, for a page or a file of its own.

Each hex is a `<g data-hex="0304">` with a `<title>` that says all that is known of it; above them lie, for the eye alone, the
lines, the marks and the labels. Nothing in it is told by colour only: grounds have shapes, borders have dashes, marks have
forms. Its ids begin with a prefix of its reader, so the maps of all seats may stand in one page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Facts
from kingdom.games.realm.hexmap import neighbours, place_of
from kingdom.games.realm.report.maps import icons
from kingdom.games.realm.report.maps.atlas import FREE_CITY, MORE, Atlas, atlas, heading, remarks, words
from kingdom.games.realm.report.maps.drawing import (
    ACROSS,
    DOWN,
    FONTS,
    INK,
    INSET,
    PAPER,
    SHEET,
    Grid,
    Picture,
    border,
    border_lines,
    ends,
    escaped,
    haloed,
    labelled,
    pairs,
    straight,
    way,
    winding,
)
from kingdom.games.realm.report.maps.icons import legend
from kingdom.games.realm.report.maps.text_map import around, drawn
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.render.charts import Drawing
from kingdom.render.plain_text import COLUMNS, clean, shortened, width, wrap

MARGIN, HEAD, LEAST = 12, 34, 470  # around the map, above it for its heading, and how wide the picture is at least
NAME = 15  # letters of a town's name that are drawn
FLOWS = ("river", "canal")  # features that are lines, not marks
_WITHOUT_TOWN = {1: ((0, 14),), 2: ((-14, 14), (14, 14)), 3: ((-25, 10), (0, 16), (25, 10))}
_BESIDE_TOWN = {1: ((27, 9),), 2: ((-27, 9), (27, 9))}
EDGE = 3  # of letters: how wide the light line around them is
RINGS = (
    "claimable",
    "claimed",
    "focus",
)  # around a hex that the form picks out; templates/form/map.css has their colours
FINGER = 44  # pixels that a finger needs: as high is a hex at least where it can be pressed


def picture(world: World, seat: str | None, rules: Rules) -> str:
    """The map as the seat knows it, everything for the GM (None), as one `<svg>`."""
    return _alone(_drawn(atlas(world, seat, rules)))


def pressed(seen: World, seat: str, rules: Rules) -> str:
    """The map of the order form: each hex is one path, which can be pressed; all else is for the eye alone.

    A browser lays each element out, those behind a `<use>` too, so the page would be ready later with a map that has all of them.
    """
    made = _drawn(atlas(seen, seat, rules), light=True, pressed=True)
    return _framed(
        made.width, made.high, made.title, made.land + made.legend, made.shapes, -(-FINGER * made.width // DOWN)
    )


class Drawn(NamedTuple):
    """A map that is drawn, with nothing around it. prefix: of its ids; shapes: what it uses; high: of the picture with its legend."""

    title: str
    prefix: str
    land: str
    legend: str
    shapes: str
    width: int
    high: int
    middles: Mapping[str, tuple[int, int]]


def _drawn(atlas: Atlas, light: bool = False, pressed: bool = False) -> Drawn:
    """light: for the eye alone, in a fraction of the bytes: no hex has an element of its own, and none says in words what is there.

    pressed: hexes have one over it.
    """
    prefix = f"m{atlas.places[atlas.seat]}-" if atlas.seat else "m-"
    title = clean(heading(atlas))
    if not atlas.world.hexes:
        nothing = labelled(MARGIN, 60, "Nothing of the map is known.")
        return Drawn(title, prefix, nothing, "", "", LEAST, HEAD + 40, {})
    grid, width, height = _grid(atlas)
    drawing = Picture(atlas, grid, prefix, {}, atlas.places, light, pressed)
    layers = [_hexes(drawing), '<g pointer-events="none">', *_lines(drawing), _marks(drawing)]
    layers.append(_labels_in_halves(drawing) if pressed else _light_labels(drawing) if light else _labels(drawing))
    layers += [_town_names(drawing), "</g>"]
    below, high = legend(drawing, MARGIN, height + 14, width - 2 * MARGIN)
    shapes = "".join(drawing.used.values())
    return Drawn(title, prefix, "".join(layers), below, shapes, width, height + 14 + high, grid.middles)


def _framed(width: int, height: int, title: str, drawn: str, shapes: str, least: int = 0) -> str:
    """The picture around what is drawn, on a sheet of paper of its own: it is light on a dark page too. least: how many pixels wide it is at least."""
    room = f' style="min-width:{least}px"' if least else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" role="img"{room} viewBox="0 0 {width} {height}" {FONTS}>'
        f'<title>{escaped(title)}</title><defs>{shapes}</defs><rect width="{width}" height="{height}" rx="8" fill="{SHEET}"/>'
        f'<text x="{MARGIN}" y="23" font-size="16" font-weight="600">{escaped(shortened(title, (width - 2 * MARGIN) // 10))}</text> {drawn}</svg>\n'
    )


def _grid(atlas: Atlas) -> tuple[Grid, int, int]:
    """Where each hex is, and how wide and high the picture is down to the end of the map."""
    places = {label: place_of(label) for label in atlas.world.hexes}
    left, right = min(column for column, _ in places.values()), max(column for column, _ in places.values())
    top = min(2 * row + (column % 2 == 0) for column, row in places.values())  # counted in halves of a hex
    width = max((right - left) * ACROSS + 80 + 2 * MARGIN, LEAST)
    x, y = (width - (right - left) * ACROSS) // 2, HEAD + 35
    middles = {
        label: (x + (column - left) * ACROSS, y + (2 * row + (column % 2 == 0) - top) * DOWN // 2)
        for label, (column, row) in places.items()
    }
    return Grid(middles), width, max(y for _, y in middles.values()) + 35


# --- the layers, from the lowest


def _hexes(drawing: Picture) -> str:
    """The ground of each hex, which can be pressed and says in words what is there; in the form by a path above it, which begins in
    its middle, where the page draws a ring around one that it picks out."""
    atlas, pressed, found = drawing.atlas, drawing.pressed, []
    for label, (x, y) in drawing.grid.middles.items():
        terrain = atlas.world.hexes[label].terrain
        name = f"t-{terrain}"
        letter = escaped(atlas.rules.terrain[terrain].letter)
        shape = "" if name in drawing.used else icons.ground(terrain, letter, not pressed)
        ground = drawing.use(name, shape, x, y)
        said = f"<title>{escaped(clean(words(label, atlas)))}</title>" if pressed or not drawing.light else ""
        if pressed:
            found.append(f'<path data-hex="{label}" d="M{x} {y}m-40 0 20-35h40l20 35-20 35h-40">{said}</path>')
        elif said:
            found.append(f'<g data-hex="{label}">{said}{ground}</g>')
    if not pressed:
        return "".join(found) + drawing.together()
    drawing.used["rings"] = "".join(
        f'<marker id="ring-{name}" overflow="visible"><path d="{icons.RING}" fill="none"/></marker>' for name in RINGS
    )
    return f'{drawing.together()}<g fill="none" pointer-events="all">{"".join(found)}</g>'


def _lines(drawing: Picture) -> Iterable[str]:
    """Waters, roads, the fog of what is not in sight, borders, trade routes."""
    atlas, grid = drawing.atlas, drawing.grid
    has = {label: set(atlas.lies[label]).union(atlas.built[label]) for label in grid.middles}
    yield from _waters(drawing, has)
    roads = list(atlas.roads)
    on_road = [label for label, there in has.items() if not there.isdisjoint(roads)]
    yield from _roads(on_road, {label for label in on_road if has[label].intersection(roads[1:])}, drawing)
    fog = [label for label in grid.middles if label in atlas.remembered]
    if fog:
        drawing.used["fog"] = (
            f'<pattern id="{drawing.prefix}fog" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            '<rect width="7" height="7" fill="#fff" fill-opacity=".5"/><path d="M0 0v7" stroke="#4a4a4a" stroke-opacity=".55" stroke-width="1.6"/></pattern>'
        )
        outline = border(fog, grid, 0)
        yield f'<path d="{outline}" fill="url(#{drawing.prefix}fog)"/>'
    yield from _borders(drawing)
    ways = "".join(dict.fromkeys(way(lane.path, grid) for lane in atlas.lanes))
    if ways:
        yield _line(drawing, "ways", ways, (PAPER, 7, ""), ("#8a1c5c", 3.5, ' stroke-dasharray="1 7"'))
    for lane in atlas.lanes:
        if lane.at in grid.middles:
            x, y = grid.middles[lane.at]
            yield drawing.use("caravan", icons.CARAVAN, x, y - 6)


def _waters(drawing: Picture, has: Mapping[str, set[str]]) -> Iterable[str]:
    """Rivers wind, canals are straight; both reach the water beside their last hex."""
    atlas, grid = drawing.atlas, drawing.grid
    kinds = {label: atlas.rules.terrain[hex.terrain] for label, hex in atlas.world.hexes.items()}
    seas = {label for label, kind in kinds.items() if kind.water or kind.as_adjacent}
    for name, draw in (("river", winding), ("canal", straight)):
        wet = [label for label, there in has.items() if name in there and label not in seas]
        joined = pairs(wet)
        met = Counter(label for two in joined for label in two)
        reached = seas if name == "river" else seas.union(label for label, there in has.items() if "river" in there)
        mouths = []
        for label in wet:
            if met[label] < 2:
                mouths += [(label, other) for other in neighbours(label) if other in reached][:1]
        alone = [label for label in wet if label not in met and all(label != here for here, _ in mouths)]
        path = draw(joined, grid) + ends(alone, mouths, grid)
        if path:
            strokes = [("#3f8cc0", 6, "")] if name == "river" else [("#2f6f9f", 6, ""), ("#d5ecf8", 3, "")]
            yield _line(drawing, name, path, *strokes)


def _roads(on_road: list[str], on_highway: set[str], drawing: Picture) -> Iterable[str]:
    """Roads and highways join the hexes that have one; where none does a short piece is seen."""
    grid = drawing.grid
    joined = pairs(on_road)
    met = {label for two in joined for label in two}
    path = straight(joined, grid) + ends((label for label in on_road if label not in met), (), grid)
    wide = straight((two for two in joined if on_highway.issuperset(two)), grid)
    wide += ends((label for label in on_highway if label not in met), (), grid)
    if path:
        yield _line(drawing, "roads", path, ("#6b4a26", 5.5, ""), ("#f3e3c3", 2.5, ""))
    if wide:
        yield _line(drawing, "highways", wide, ("#4a2f12", 9, ""), ("#f3e3c3", 5.5, ""), ("#4a2f12", 1.2, ""))


def _line(drawing: Picture, name: str, path: str, *strokes: tuple[str, float, str]) -> str:
    """The path, drawn with each stroke: its colour, its width, more attributes."""
    drawing.used[name] = (
        f'<path id="{drawing.prefix}{name}" d="{path}" stroke-linecap="round" stroke-linejoin="round"/>'
    )
    return "".join(
        f'<use href="#{drawing.prefix}{name}" fill="none" stroke="{colour}" stroke-width="{width}"{more}/>'
        for colour, width, more in strokes
    )


def _borders(drawing: Picture) -> Iterable[str]:
    """Each kingdom's land: a tint, and along its border a line of its own colour and dashes."""
    lands: dict[str, list[str]] = {}
    for label, holder in drawing.atlas.owners.items():
        lands.setdefault(holder, []).append(label)
    for seat, labels in lands.items():
        number = drawing.colours[seat]
        drawing.used[f"b{number}"] = f'<path id="{drawing.prefix}b{number}" d="{border(labels, drawing.grid, INSET)}"/>'
    shapes = {drawing.colours[seat]: f'<use href="#{drawing.prefix}b{drawing.colours[seat]}"' for seat in lands}
    light_below = "".join(f"{shape}/>" for shape in shapes.values())
    yield f'<g fill="none" stroke="{PAPER}" stroke-width="7">{light_below}</g>'
    yield from (border_lines(number, shape) for number, shape in shapes.items())


def _marks(drawing: Picture) -> str:
    """What stands, lives and lies in each hex; what finds no room is told by its title."""
    found, numbers = list[str](), list[str]()
    for label, (x, y) in drawing.grid.middles.items():
        town = drawing.atlas.towns.get(label)
        if town:
            holder = drawing.atlas.owners.get(label)
            tint = drawing.of(holder) if holder and town.kind != FREE_CITY else f' fill="{INK}"'
            found.append(drawing.use(town.kind.replace(" ", "-"), icons.TOWNS[town.kind], x, y + 3, tint))
        marks, room = _marks_in(label, drawing.atlas)
        places = room[max(1, min(len(marks), len(room)))]
        if len(marks) > len(places):
            marks[len(places) - 1 :] = [("more", icons.more(MORE))]
        found += [
            drawing.use(name, shape, x + dx, y + dy) for (name, shape), (dx, dy) in zip(marks, places, strict=False)
        ]
        _forces(drawing, label, found, numbers)
    style = ' font-size="13" font-weight="700" text-anchor="middle"'
    counted = haloed(f"{drawing.prefix}numbers", numbers, EDGE, style) if numbers else ""
    return "".join(found) + drawing.together() + counted


def _marks_in(label: str, atlas: Atlas) -> tuple[list[tuple[str, str]], Mapping[int, tuple[tuple[int, int], ...]]]:
    """(name and shape of each mark in a hex: what was found there, what is built there, what lies there; where as many as fit may stand)."""
    built = [name for name in atlas.built[label] if name in atlas.improvements]
    lies = [name for name in atlas.lies[label] if name in atlas.features and name not in FLOWS and name != "bridge"]
    marks = [(f"f-{name}", icons.find(name)) for name in atlas.hidden[label]]
    marks += [(f"i-{name}", icons.mark(name, atlas.improvements[name])) for name in built]
    marks += [(f"e-{name}", icons.mark(name, atlas.features[name])) for name in lies]
    return marks, _BESIDE_TOWN if label in atlas.towns else _WITHOUT_TOWN


def _forces(drawing: Picture, label: str, found: list[str], numbers: list[str]) -> None:
    """A flag at the right for the reader's own, one at the left for the others', with their number where there are more."""
    x, y = drawing.grid.middles[label]
    for own, dx in ((True, 26), (False, -26)):
        forces = [force for force in drawing.atlas.forces.get(label, ()) if force.own == own]
        if forces:
            shape = "own" if own else "foreign"
            found.append(drawing.use(shape, icons.FORCES[shape], x + dx, y - 11, drawing.of(forces[0].seat)))
        if len(forces) > 1:
            numbers.append(labelled(x + dx + (3 if own else -3), y + 5, f"{len(forces)}"))


def _labels(drawing: Picture) -> str:
    """The label of each hex with the mark of who holds it."""
    atlas, middles = drawing.atlas, drawing.grid.middles
    free = [labelled(x, y - 20, label) for label, (x, y) in middles.items() if label not in atlas.owners]
    held: dict[str, list[str]] = {}  # seat -> the labels of its hexes
    for label in middles:
        if label in atlas.owners:
            held.setdefault(atlas.owners[label], []).append(label)
    labels = [
        labelled(middles[label][0] + 10, middles[label][1] - 20, label) for land in held.values() for label in land
    ]
    marks = []
    for seat, land in held.items():
        letters = (labelled(middles[label][0] + 13, middles[label][1] - 20, atlas.kingdoms[seat]) for label in land)
        marks.append(f"<g{drawing.of(seat)}>{''.join(letters)}</g>")
    owned = [
        f'<g text-anchor="end">{"".join(labels)}</g>',
        f'<g font-weight="700" text-anchor="start">{"".join(marks)}</g>',
    ]
    return haloed(f"{drawing.prefix}labels", [*free, *owned], EDGE, ' font-size="13" text-anchor="middle"')


def _light_labels(drawing: Picture) -> str:
    """The same, made of the numbers of the columns, drawn again in each row, and of those of the rows, drawn again in each column; what of
    them lies where no hex is is cut off."""
    prefix, middles = drawing.prefix, drawing.grid.middles
    columns = {label[:2]: x - 5 for label, (x, _) in middles.items()}
    # of a hex of a lower column, its column stands lower by itself
    rows = {label[2:]: y - 20 - _lower(label) for label, (_, y) in middles.items()}
    across = "".join(labelled(x, _lower(column), column) for column, x in columns.items())
    down = "".join(labelled(0, y, row) for row, y in rows.items())
    again = [f'<use href="#{prefix}columns" y="{y}"/>' for y in rows.values()]
    again += [f'<use href="#{prefix}rows" x="{x}" y="{_lower(column)}"/>' for column, x in columns.items()]
    drawing.used["labels"] = f'<g id="{prefix}columns" text-anchor="end">{across}</g><g id="{prefix}rows">{down}</g>'
    clipped = ""
    if len(middles) < len(columns) * len(rows):
        drawing.used["all"] = f'<clipPath id="{prefix}all"><path d="{border(middles, drawing.grid, 0)}"/></clipPath>'
        clipped = f' clip-path="url(#{prefix}all)"'
    for label, seat in drawing.atlas.owners.items():
        mark = labelled(0, 0, drawing.atlas.kingdoms[seat], f' font-weight="700"{drawing.of(seat)}')
        drawing.use(f"k-{seat}", mark, middles[label][0] + 13, middles[label][1] - 20)
    labels = haloed(f"{prefix}labels", again, EDGE, ' font-size="13"')
    return f"<g{clipped}>{labels}</g>{drawing.together()}"


def _labels_in_halves(drawing: Picture) -> str:
    """The same, drawn at each hex: the numbers of its column and of its row, and the mark of who holds it."""
    markers = dict[str, str]()

    def put(name: str, text: str, x: int, y: int) -> None:
        markers[name] = f'<marker id="{drawing.prefix}{name}-s" overflow="visible">{text}</marker>'
        drawing.places.setdefault(name, []).append((x, y))

    for label, (x, y) in drawing.grid.middles.items():
        seat = drawing.atlas.owners.get(label)
        middle = x - 6 if seat else x
        put(f"c{label[:2]}", f'<text text-anchor="end">{label[:2]}</text>', middle, y - 20)
        put(f"r{label[2:]}", f"<text>{label[2:]}</text>", middle, y - 20)
        if seat:
            mark = escaped(drawing.atlas.kingdoms[seat])
            put(f"k-{seat}", f'<text font-weight="700"{drawing.of(seat)}>{mark}</text>', x + 13, y - 20)
    edge = f'stroke="{PAPER}" stroke-width="{EDGE}" stroke-linejoin="round" paint-order="stroke"'
    drawing.used["labels"] = f'<g aria-hidden="true" {edge}>{"".join(markers.values())}</g>'
    return drawing.together()


def _lower(label: str) -> int:
    """How much lower than the others the hexes of this column stand."""
    return 0 if int(label[:2]) % 2 else DOWN // 2


def _town_names(drawing: Picture) -> str:
    """Below each town its name."""
    names = [
        labelled(x, y + 30, shortened(clean(town.name), NAME))
        for label, town in drawing.atlas.towns.items()
        for x, y in [drawing.grid.middles[label]]
    ]
    return haloed(f"{drawing.prefix}names", names, EDGE, ' font-size="14.5" font-weight="700" text-anchor="middle"')


# --- the map as a page shows it


WINDOW = 420  # of the map around the capital, in its own units; a page shows it on 340 pixels
NEAR = 2  # columns and rows around the capital that a text shows


def whole_map(world: World, rules: Rules) -> Facts:
    """The map with everything, for the GM's book; lines: what there is to be told of hexes and routes beside their marks."""
    there = atlas(world, None, rules)
    made = _drawn(there, light=True)
    lines = [_told(label, there) for label in sorted(there.world.hexes)]
    lines += [f"{lane.text[:1].upper()}{lane.text[1:]}: {' '.join(lane.path)}" for lane in there.lanes]
    return {"picture": Drawing(_alone(made)), "wide": str(made.width), "lines": [clean(line) for line in lines if line]}


def _told(label: str, atlas: Atlas) -> str:
    """What a hex has beside its marks, all of it where these are more than fit; "" for nothing."""
    marks, room = _marks_in(label, atlas)
    if len(marks) > len(room):
        return words(label, atlas)
    said = remarks(label, atlas)
    return f"{label}: {'; '.join(said)}" if said else ""


def _alone(made: Drawn) -> str:
    return _framed(made.width, made.high, made.title, made.land + made.legend, made.shapes)


def map_view(world: World, seat: str, rules: Rules, changed: Iterable[str] = ()) -> Facts:
    """The map as the seat knows it. changed: the hexes that changed hands in the turn.

    window: the land around the capital, with a ring around each hex in it that changed hands (ringed); picture: all of it, which needs the
    window on the same page; near: the land around the capital as text; near_is_all: the lines have no land besides.
    """
    there = atlas(world, seat, rules)
    made, centre = _drawn(there), _centre(world.kingdoms[seat], there)
    x, y = made.middles.get(centre, (made.width // 2, made.high // 2))
    middles = [made.middles[label] for label in changed if label in made.middles]
    rings = "".join(
        f'<circle cx="{at}" cy="{down}" r="33" fill="none" stroke="#d0006f" stroke-width="4"/>'
        for at, down in middles
        if abs(at - x) <= WINDOW // 2 and abs(down - y) <= WINDOW // 2
    )
    box = f'viewBox="{x - WINDOW // 2} {y - WINDOW // 2} {WINDOW} {WINDOW}"'
    said = f"The land around {centre}" if centre else made.title
    window = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" role="img" {box} {FONTS}><title>{escaped(said)}</title><defs>{made.shapes}</defs>'
        f'<rect x="{x - WINDOW // 2}" y="{y - WINDOW // 2}" width="{WINDOW}" height="{WINDOW}" fill="{SHEET}"/>'
        f'<g id="{made.prefix}land">{made.land}</g>{rings}</svg>\n'
    )
    whole = _framed(made.width, made.high, made.title, f'<use href="#{made.prefix}land"/>{made.legend}', "")
    near, all_of_it = around(there, centre, NEAR) if centre else ([], False)
    rows = drawn(there, titled=False, legend_alone=all_of_it).splitlines()
    return {
        "window": Drawing(window),
        "picture": Drawing(whole),
        "wide": str(made.width),
        "ringed": bool(rings),
        "near": near,
        "near_is_all": all_of_it,
        # those in which a name is too long are folded
        "lines": [
            line for row in rows for line in ([row] if width(row) <= COLUMNS else wrap(clean(row), 10).splitlines())
        ],
    }


def _centre(kingdom: Kingdom, atlas: Atlas) -> str:
    """The hex of the capital, else the first of its own, else the first that is known."""
    town = kingdom.settlements.get(kingdom.capital)
    return town.hex if town else min(kingdom.hexes or atlas.world.hexes, default="")
