"""What the shapes, lines and marks of a map that is a picture mean: those that were drawn, in columns below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable

from kingdom.games.realm.telling import mapicons as icons
from kingdom.games.realm.telling.atlas import Atlas, built_in, features_in, hidden_in
from kingdom.games.realm.telling.mapstyle import COLOURS, DASHES, labelled
from kingdom.plaintext import clean, shortened

if TYPE_CHECKING:
    from kingdom.games.realm.telling.mapsvg import Picture

COLUMN, ROW = 150, 27
ROAD = '<path d="M-14 0h28" stroke="#6b4a26" stroke-width="5.5"/><path d="M-14 0h28" stroke="#f3e3c3" stroke-width="2.5"/>'
HIGHWAY = (
    '<path d="M-14 0h28" stroke="#4a2f12" stroke-width="9"/><path d="M-14 0h28" stroke="#f3e3c3" stroke-width="5.5"/>'
    '<path d="M-14 0h28" stroke="#4a2f12" stroke-width="1.2"/>'
)
RIVER = '<path d="M-14 3c8-10 20 4 28-6" fill="none" stroke="#3f8cc0" stroke-width="6" stroke-linecap="round"/>'
CANAL = '<path d="M-14 0h28" stroke="#2f6f9f" stroke-width="6"/><path d="M-14 0h28" stroke="#d5ecf8" stroke-width="3"/>'
ROUTE = '<path d="M-14 0h28" stroke="#8a1c5c" stroke-width="3.5" stroke-dasharray="1 7" stroke-linecap="round"/>'


def legend(drawing: Picture, left: int, top: int, width: int) -> tuple[str, int]:
    """(what is drawn, how high it is): as many columns as there is room for, kingdoms in wider ones."""
    rows = [row for row in _rows(drawing) if row]
    columns = max(1, width // COLUMN)
    across = width // columns
    found, y = ['<g font-size="14">'], top
    for wide, items in rows:
        fit = max(1, columns // 2) if wide else columns
        for index, (shape, text) in enumerate(items):
            x = left + index % fit * (width // fit)
            row = y + index // fit * ROW
            room = (width // fit - 46) // 7
            found.append(f'<g transform="translate({x + 18} {row + 12})">{shape}</g>' + labelled(x + 44, row + 17, shortened(text, room)))
        y += -(-len(items) // fit) * ROW
    assert across
    return "".join([*found, "</g>"]), y - top + 10


def _rows(drawing: Picture) -> Iterable[tuple[bool, list[tuple[str, str]]]]:
    """Groups of (shape, what it means); whether they need wide columns."""
    atlas, used = drawing.atlas, drawing.used
    there = {name for label in drawing.grid.middles for name in (*features_in(label, atlas), *built_in(label, atlas))}
    yield True, [(_border(drawing, seat), _kingdom(atlas, seat)) for seat in atlas.kingdoms if seat in atlas.owners.values()]
    yield False, [
        (_small(drawing, name, ".36"), each.name) for name, each in atlas.rules.terrain.items() if name in used
    ] + ([(f'<path d="{icons.HEX}" transform="scale(.36)" fill="url(#{drawing.prefix}fog)" stroke="#8d8678"/>', "Not in sight")] if "fog" in used else [])
    lines = [("river", RIVER), ("canal", CANAL)]
    found = [(shape, atlas.rules.features[name].name) for name, shape in lines if name in there]
    found += [(HIGHWAY if index else ROAD, atlas.rules.improvements[name].name) for index, name in enumerate(atlas.roads) if name in there]
    yield False, found + ([(ROUTE, "Trade route")] if any(label in drawing.grid.middles for lane in atlas.lanes for label in lane.path) else [])
    yield False, list(_places(drawing))
    named = {**{name: each.name for name, each in atlas.rules.improvements.items()}, **{name: each.name for name, each in atlas.rules.features.items()}}
    yield False, [(_small(drawing, name), named[name]) for name in (*atlas.improvements, *atlas.features) if name in used]
    hidden = dict.fromkeys(name for label in drawing.grid.middles for name in hidden_in(atlas.world.hexes[label]))
    yield False, [(_small(drawing, f"f-{name}"), name.capitalize()) for name in hidden if f"f-{name}" in used] + (
        [(_small(drawing, "more"), "More")] if "more" in used else []
    )


def _places(drawing: Picture) -> Iterable[tuple[str, str]]:
    """Towns, armies, caravans."""
    names = {"capital": "Capital", "settlement": "Settlement", "free-city": "Free city", "own": "Own army", "foreign": "Foreign army", "caravan": "Caravan"}
    names |= {} if drawing.atlas.seat else {"own": "Army"}
    for name, text in names.items():
        if name in drawing.used:
            yield _small(drawing, name, ".8"), text


def _small(drawing: Picture, name: str, scale: str = "") -> str:
    size = f' transform="scale({scale})"' if scale else ""
    return f'<use href="#{drawing.prefix}{name}"{size}/>'


def _border(drawing: Picture, seat: str) -> str:
    number = drawing.colours[seat]
    colour = COLOURS[number % len(COLOURS)]
    box = '<path d="M-16-9h34v18h-34z" '
    return f'{box}fill="{colour}" fill-opacity=".1"/>{box}fill="none" stroke="{colour}" stroke-width="4"{DASHES[number % len(DASHES)]}/>'


def _kingdom(atlas: Atlas, seat: str) -> str:
    size = atlas.sizes.get(seat)
    return f"{atlas.kingdoms[seat]}: {clean(atlas.world.kingdoms[seat].name)}{f' (size {size})' if size is not None else ''}"
