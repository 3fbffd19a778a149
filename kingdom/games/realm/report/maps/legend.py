"""What the shapes, lines and marks of a map that is a picture mean: those that were drawn, in columns below it."""

from __future__ import annotations

from kingdom.games.realm.report.maps import icons
from kingdom.games.realm.report.maps.atlas import HIDDEN, Atlas
from kingdom.games.realm.report.maps.style import Picture, border_lines, labelled
from kingdom.render.plain_text import clean, shortened

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
            found.append(f'<g transform="translate({x + 18} {row + 12})">{shape}</g>')
            found.append(labelled(x + 44, row + 17, shortened(text, (width // fit - 46) // LETTER)))
        y += -(-len(items) // fit) * ROW
    return "".join([*found, "</g>"]), y - top + 10


def _groups(drawing: Picture) -> list[list[tuple[str, str]]]:
    """(shape, what it means) of all that was drawn, in groups that each begin a line; the first is that of the kingdoms."""
    atlas = drawing.atlas
    kingdoms = [
        (_border(drawing, seat), _kingdom(atlas, seat)) for seat in atlas.kingdoms if seat in atlas.owners.values()
    ]
    return [kingdoms, _grounds(drawing), _lines(drawing), _places(drawing), _built(drawing), _found(drawing)]


def _grounds(drawing: Picture) -> list[tuple[str, str]]:
    terrain = drawing.atlas.rules.terrain
    rows = [
        (_small(drawing, f"t-{name}", ".36"), each.name)
        for name, each in terrain.items()
        if f"t-{name}" in drawing.used
    ]
    fog = f'<path d="{icons.HEX}" transform="scale(.36)" fill="url(#{drawing.prefix}fog)" stroke="#8d8678"/>'
    return rows + ([(fog, "Not in sight")] if "fog" in drawing.used else [])


def _lines(drawing: Picture) -> list[tuple[str, str]]:
    """Waters, roads, routes."""
    atlas, middles = drawing.atlas, drawing.grid.middles
    there = {name for label in middles for name in (*atlas.lies[label], *atlas.built[label])}
    rows = [
        (shape, atlas.rules.features[name].name)
        for name, shape in (("river", RIVER), ("canal", CANAL))
        if name in there
    ]
    rows += [
        (HIGHWAY if index else ROAD, atlas.rules.improvements[name].name)
        for index, name in enumerate(atlas.roads)
        if name in there
    ]
    return rows + (
        [(ROUTE, "Trade route")] if any(label in middles for lane in atlas.lanes for label in lane.path) else []
    )


def _places(drawing: Picture) -> list[tuple[str, str]]:
    """Towns, armies, caravans."""
    names = {"capital": "Capital", "settlement": "Settlement", "free-city": "Free city"}
    names |= {"own": "Own army" if drawing.atlas.seat else "Army", "foreign": "Foreign army", "caravan": "Caravan"}
    return [(_small(drawing, name, ".8"), text) for name, text in names.items() if name in drawing.used]


def _built(drawing: Picture) -> list[tuple[str, str]]:
    """Improvements and features."""
    atlas = drawing.atlas
    named = {f"i-{name}": atlas.rules.improvements[name].name for name in atlas.improvements}
    named |= {f"e-{name}": atlas.rules.features[name].name for name in atlas.features}
    return [(_small(drawing, name), text) for name, text in named.items() if name in drawing.used]


def _found(drawing: Picture) -> list[tuple[str, str]]:
    """Hidden things, and what finds no room."""
    rows = [(_small(drawing, f"f-{name}"), name.capitalize()) for name in HIDDEN if f"f-{name}" in drawing.used]
    return rows + ([(_small(drawing, "more"), "More than fits")] if "more" in drawing.used else [])


def _small(drawing: Picture, name: str, scale: str = "") -> str:
    size = f' transform="scale({scale})"' if scale else ""
    return f'<use href="#{drawing.prefix}{name}"{size}/>'


def _border(drawing: Picture, seat: str) -> str:
    return border_lines(drawing.colours[seat], '<path d="M-16-9h34v18h-34z"')


def _kingdom(atlas: Atlas, seat: str) -> str:
    size = atlas.sizes.get(seat)
    return f"{atlas.kingdoms[seat]}: {clean(atlas.world.kingdoms[seat].name)}{f' (size {size})' if size is not None else ''}"
