"""The shapes on a map that is a picture, and its legend: the ground of a hex and small marks, all around the point 0,0 in units of the
picture.

A hex is 80 wide and 70 high. What the tables of a campaign add has a shape too: its letters, as on the map as text.
"""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.games.realm.report.maps.atlas import HIDDEN, sized
from kingdom.games.realm.report.maps.drawing import INK, PAPER, Picture, border_lines, labelled
from kingdom.render.plain_text import shortened

HEX, RING = "M-40 0l20-35h40l20 35-20 35h-40z", "M-35 0l17.5-30.5h35l17.5 30.5-17.5 30.5h-35z"


def _drawn(d: str, colour: str, width: float = 1.6) -> str:
    """A line without a filling."""
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"/>'


def _filled(d: str, colour: str) -> str:
    return f'<path d="{d}" fill="{colour}"/>'


def _at(d: str, *places: tuple[int, int]) -> str:
    """The path at each of these places; it begins with a relative move."""
    return "".join(f"M{x} {y}{d}" for x, y in places)


_TREE = "m0-10 6 9h-3l5 7h-16l5-7h-3z"
_ROUND_TREE = "m-7 2a5 5 0 0 1 1-9 6 6 0 0 1 12 0 5 5 0 0 1 1 9z"
_TUFT = "m-4-5 2 6 2-8 2 8 2-6"
_REEDS = "m-9 4h18m-14 0v-7m4 7v-11m4 11v-7"
_WAVE = "m-12 0q3-5 6 0t6 0 6 0 6 0"
_GROUNDS = {  # terrain -> (colour of the ground, what is drawn on it)
    "plains": ("#eaf0c8", _drawn(_at(_TUFT, (-22, -8), (20, -9), (-4, 9), (-24, 18), (22, 17)), "#a3b169")),
    "hills": ("#e3d7a8", _drawn("M-33 0q9-17 20 0M10-3q9-17 20 0M-20 25q18-28 38 0", "#a68d4b", 2.2)),
    "forest": ("#c5dfb6", _filled(_at(_TREE, (-24, -4), (24, -5), (-14, 20), (1, 1), (15, 21)), "#5b9a5b")),
    "mountains": (
        "#d9d3cd",
        _filled("M-34 20l17-32 17 32zM-6 22l18-38 20 38z", "#8e847b") + _filled("M-17-12l-6 12 4-2 3 3 3-4 3 2zM12-16l-6 13 4-2 3 4 3-4 4 2z", "#fff"),
    ),
    "marsh": ("#cde0d6", _drawn(_at(_REEDS, (-20, -4), (20, -6), (0, 20)), "#5c9083")),
    "desert": ("#f7e8b9", _drawn("M-32 2q10-9 20 0t20 0 20 0M-20 20q10-9 20 0t20 0", "#d3ad55", 2) + _drawn("M-20-10h0M14-12h0M-2-8h0M-26 14h0M28 12h0", "#d3ad55", 3)),
    "jungle": ("#abd29d", _filled(_at(_ROUND_TREE, (-23, -5), (23, -7), (-12, 18), (1, 2), (16, 20)), "#2f8049")),
    "water": ("#bddcf0", _drawn(_at(_WAVE, (-18, -6), (17, -8), (-20, 18), (0, 6), (18, 20)), "#5a9bc3", 2)),
    "cavern": ("#cfc7d0", _filled("M-34 22l14-34 20-8 20 8 14 34z", "#9a8f9f") + _filled("M-14 22v-12a14 15 0 0 1 28 0v12z", "#3d3442")),
    "coastline": (
        "#cbe6f1",
        _filled("M-31 16q10-7 20 0t20 0 22 0l-11 19h-40z", "#f0dfb0") + _drawn(_at(_WAVE, (-18, -6), (17, -9), (0, 5)), "#5f9fbf", 2),
    ),
}  # fmt: skip


def ground(terrain: str, letter: str, ringed: bool = True) -> str:
    """A hex of that terrain; one that has no picture of its own shows its letter in a frame.

    ringed: inside its edge runs a ring that has the `stroke` of whatever uses it: a page that picks hexes out gives it a colour.
    """
    colour, drawn = _GROUNDS.get(terrain) or (
        "#e6e2dc",
        _drawn("M0-18l20 18-20 20-20-20z", "#8a8277")
        + f'<text y="7" font-size="20" text-anchor="middle" fill="#6c655b">{letter}</text> ',
    )
    edged = f'<path d="{HEX}" fill="{colour}" stroke="#8d8678" stroke-width=".7"/>'
    if not ringed:
        return edged + drawn
    return f'{edged}<g stroke="none" stroke-dasharray="none">{drawn}</g><path d="{RING}" fill="none"/>'


# --- marks: what stands in a hex on a disc, what was found there on a diamond, each some 22 wide

_DISC = f'<circle r="10.5" fill="{PAPER}" stroke="#5b5346" stroke-width="1.2"/>'
_DIAMOND = '<path d="M0-12.5l12.5 12.5-12.5 12.5-12.5-12.5z" fill="#ffedb8" stroke="#7a5200" stroke-width="1.2"/>'
_ALARM = '<path d="M0-12.5l12.5 12.5-12.5 12.5-12.5-12.5z" fill="#ffdad3" stroke="#9b1c13" stroke-width="1.6"/>'
BUILT = {
    "farm": _drawn("M0 7v-13M0 3q-5 0-5-4M0 3q5 0 5-4M0-2q-4 0-4-4M0-2q4 0 4-4", "#6b7d12", 1.8),
    "fishery": _filled("M-8 0q6-7 11-1l5-4v10l-5-4q-5 6-11-1z", "#2f6f9f"),
    "mine": _drawn("M-6-2q6-7 12 0M0-5v12", "#5a3a1c", 2.2),
    "quarry": _drawn("M-6.5 6v-5h6.5v5zM0 6v-5h6.5v5zM-3.5 1v-5h6.5v5z", "#5b5346", 1.6),
    "sawmill": _filled("M-7.5-4h15v4l-2 3-2-3-2 3-2-3-2 3-2-3-2 3z", "#7a4a1e"),
    "watchtower": _filled("M-3 7v-8h-2v-6h2.5v2h1.5v-2h2v2h1.5v-2h2.5v6h-2v8z", "#4a433b"),
    "fort": _filled("M-7.5 6v-11h3v2.5h3v-2.5h3v2.5h3v-2.5h3v11h-5v-4h-5v4z", "#4a433b"),
    "prepared": '<path d="M-5-5h10v10h-10z" fill="none" stroke="#5b5346" stroke-width="1.6" stroke-dasharray="3 2"/>',
    "landmark": _filled("M0-8l2 5.5h6l-4.5 3.5 1.5 6-5-3.5-5 3.5 1.5-6-4.5-3.5h6z", "#7a3fa0"),
    "lake": _filled("M-8 1q2-6 8-5 7-1 7 4 0 5-7 4-7 1-8-3z", "#3f8cc0"),
    "coast": _drawn("M-7-2q3.5-5 7 0t7 0M-7 4q3.5-5 7 0t7 0", "#2f6f9f", 1.8),
}
FOUND = {
    "resource": _filled("M-6-2l3-4h6l3 4-6 8z", "#1f6b7a"),
    "lair": _filled("M-6 5v-4a6 6.5 0 0 1 12 0v4z", "#4a3320"),
    "ruin": _drawn("M-6 6h12M-4 6v-11l3 2v9M3 6v-5l3-2", "#5b5346", 1.8),
    "building": _filled("M0-7l7 6h-2v6h-10v-6h-2z", "#5b4a33"),
    "hazard": _drawn("M0-6v6M0 4.5v.1", "#7a2a00", 3),
    "secret": _drawn("M-3-3a3.2 3.2 0 1 1 4 3q-1 .5-1 2M0 5.5v.1", "#5a3d00", 2.2),
    "monsters": _drawn("M-5-5q2 5-1 9M0-7q2 6-.5 12M5-5q3 5 0 9", "#8f1a12", 2.2),
}


def mark(name: str, letters: str) -> str:
    """What stands in a hex, as a feature or an improvement; one that has no picture shows its letters."""
    return _DISC + (BUILT.get(name) or _lettered(letters))


def find(name: str) -> str:
    """What a hex hides until it is revealed."""
    return (_ALARM if name in ("hazard", "monsters") else _DIAMOND) + FOUND[name]


def more(sign: str) -> str:
    """More than there is room for."""
    return _DISC + _lettered(sign)


def _lettered(letters: str) -> str:
    return f'<text y="4" font-size="11" font-weight="700" text-anchor="middle" fill="{INK}">{letters}</text> '


# --- towns, armies, what moves. Their filling is that of who holds them.

_TOWN = f'stroke="{INK}" stroke-width="1.3" stroke-linejoin="round"'
TOWNS = {
    "capital": f'<path d="M-15 11v-19h5v4h4v-4l6-8 6 8v4h4v-4h5v19h-11v-7a4 4 0 0 0-8 0v7z" {_TOWN}/><path d="M0-16v-5l6 2.5-6 2.5" {_TOWN}/>',
    "settlement": f'<path d="M-13 11v-11l6.5-6 6.5 6 6.5-6 6.5 6v11z" {_TOWN}/>' + _drawn("M0 0v11M-7 11v-5M7 11v-5", PAPER, 2),
    "free city": f'<circle cy="1" r="13" fill="{PAPER}" stroke="{INK}" stroke-width="1.3" stroke-dasharray="5 2"/>'
    f'<path d="M-8 8v-9l4-4 4 4 4-4 4 4v9z" {_TOWN}/>',
}  # fmt: skip
_OWN, _FOREIGN = "M-7 11v-22h2l15 5-15 6v11z", "M7 12v-23h-18l5 5.5-5 5.5h16v12z"
_HALO = f'stroke="{PAPER}" stroke-width="4.5" stroke-linejoin="round"'
_FLAG = f'stroke="{INK}" stroke-width="1.2" stroke-linejoin="round"'
FORCES = {  # the reader's own fly to the right and are full, others' fly to the left and have a light field
    "own": f'<path d="{_OWN}" {_HALO}/><path d="{_OWN}" {_FLAG}/>',
    "foreign": f'<path d="{_FOREIGN}" {_HALO}/><path d="{_FOREIGN}" {_FLAG}/><path d="M4-8.5h-9l2.5 3-2.5 3h9z" fill="{PAPER}"/>',
}
CARAVAN = (
    f'<path d="M-9 4v-3q0-8 8-8t8 8v3z" fill="{PAPER}" stroke="#6b2d00" stroke-width="1.6"/>'
    '<circle cx="-5" cy="6" r="3" fill="#6b2d00"/><circle cx="4" cy="6" r="3" fill="#6b2d00"/>'
)


# --- what they mean: those that were drawn, in columns below the map


COLUMN, ROW, LETTER = 150, 27, 7
ROAD = (
    '<path d="M-14 0h28" stroke="#6b4a26" stroke-width="5.5"/><path d="M-14 0h28" stroke="#f3e3c3" stroke-width="2.5"/>'
)
HIGHWAY = (
    '<path d="M-14 0h28" stroke="#4a2f12" stroke-width="9"/><path d="M-14 0h28" stroke="#f3e3c3" stroke-width="5.5"/>'
    '<path d="M-14 0h28" stroke="#4a2f12" stroke-width="1.2"/>'
)
RIVER = '<path d="M-14 3c8-10 20 4 28-6" fill="none" stroke="#3f8cc0" stroke-width="6" stroke-linecap="round"/>'
CANAL = '<path d="M-14 0h28" stroke="#2f6f9f" stroke-width="6"/><path d="M-14 0h28" stroke="#d5ecf8" stroke-width="3"/>'
ROUTE = '<path d="M-14 0h28" stroke="#8a1c5c" stroke-width="3.5" stroke-dasharray="1 7" stroke-linecap="round"/>'


def legend(drawing: Picture, left: int, top: int, width: int) -> tuple[str, int]:
    """(what is drawn, how high it is): in as many columns as there is room for, kingdoms in wider ones."""
    columns = max(1, width // COLUMN)
    found, y = ['<g font-size="14">'], top
    for index, items in enumerate(_groups(drawing)):
        fit = columns if index else max(1, columns // 2)
        for number, (shape, text) in enumerate(items):
            x, row = left + number % fit * (width // fit), y + number // fit * ROW
            place = f"{x + 18} {row + 12}"
            alone = shape.startswith(f"{_POINT} style")
            found.append(shape.replace("0 0", place, 1) if alone else f'<g transform="translate({place})">{shape}</g>')
            found.append(labelled(x + 44, row + 17, shortened(text, (width // fit - 46) // LETTER)))
        y += -(-len(items) // fit) * ROW
    return "".join([*found, "</g>"]), y - top + 10


def _groups(drawing: Picture) -> list[list[tuple[str, str]]]:
    """(shape, what it means) of all that was drawn, in groups that each begin a line; the first is that of the kingdoms."""
    atlas, middles, features = drawing.atlas, drawing.grid.middles, drawing.atlas.rules.features
    improvements = atlas.rules.improvements
    kingdoms = [
        (border_lines(drawing.colours[seat], '<path d="M-16-9h34v18h-34z"'), f"{mark}: {sized(seat, atlas)}")
        for seat, mark in atlas.kingdoms.items()
        if seat in atlas.owners.values()
    ]
    grounds = _small(drawing, {f"t-{name}": each.name for name, each in atlas.rules.terrain.items()}, ".36")
    if "fog" in drawing.used:
        fog = f'<path d="{HEX}" transform="scale(.36)" fill="url(#{drawing.prefix}fog)" stroke="#8d8678"/>'
        grounds.append((fog, "Not in sight"))
    there = {name for label in middles for name in (*atlas.lies[label], *atlas.built[label])}
    roads = [(HIGHWAY if index else ROAD, name) for index, name in enumerate(atlas.roads) if name in there]
    lines = [(shape, features[name].name) for shape, name in ((RIVER, "river"), (CANAL, "canal")) if name in there]
    lines += [(shape, improvements[name].name) for shape, name in roads]
    if any(label in middles for lane in atlas.lanes for label in lane.path):
        lines.append((ROUTE, "Trade route"))
    places = {"capital": "Capital", "settlement": "Settlement", "free-city": "Free city"}
    places |= {"own": "Own army" if atlas.seat else "Army", "foreign": "Foreign army", "caravan": "Caravan"}
    marks = {f"i-{name}": improvements[name].name for name in atlas.improvements}
    marks |= {f"e-{name}": features[name].name for name in atlas.features}
    hidden = {f"f-{name}": name.capitalize() for name in HIDDEN} | {"more": "More than fits"}
    small = (_small(drawing, places, ".8"), _small(drawing, marks), _small(drawing, hidden))
    return [kingdoms, grounds, lines, *small]


def _small(drawing: Picture, meanings: Mapping[str, str], scale: str = "") -> list[tuple[str, str]]:
    """(shape, what it means) of the shapes that were drawn, in this size."""
    size = f' transform="scale({scale})"' if scale else ""
    used = {name: text for name, text in meanings.items() if name in drawing.used}
    return [(_again(drawing, name, size), text) for name, text in used.items()]


_POINT = '<path d="M0 0h0"'  # its marker is the shape


def _again(drawing: Picture, name: str, size: str) -> str:
    """The shape of that name once more: one that is drawn at points alone at the point 0,0."""
    if f'<g id="{drawing.prefix}{name}"' in drawing.used[name]:
        return f'<use href="#{drawing.prefix}{name}"{size}/>'
    return f'{_POINT}{size} style="marker-start:url(#{drawing.prefix}{name}-s)"/>'
