"""The districts of a settlement as pictures, lot by lot: what stands where, what rubble lies, which borders are water or walls."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.games.realm.report.maps.drawing import FONTS, SHEET, escaped, haloed, labelled
from kingdom.games.realm.report.survey import Border, DistrictRow, TownRow
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom
from kingdom.games.realm.steps.towns.grid import footprint, grid_of, lot_number
from kingdom.render.plain_text import clean, shortened, width

WIDE, HIGH, LEFT, TOP = 76, 48, 44, 70  # of a lot, and where the first one begins
LETTERS, LINES = 12, 3  # of a name in a lot
_WATER, _LAND, _BUILT, _FREE, _RUBBLE, _WALL = "#bddcf0", "#e9e4d4", "#f7e6c4", "#eef2dc", "#e4e0da", "#4a433b"
_SOUND, _AMISS = 'stroke="#8a7a52" stroke-width="1.5"', 'stroke="#9b1c13" stroke-width="2.5" stroke-dasharray="6 3"'
_EDGE = 3.5  # of letters: how wide the light line around them is


def drawn(town: TownRow, district: DistrictRow, kingdom: Kingdom, rules: Rules) -> str:
    """One district of a town as `settlements` of survey.py tells of it, as an `<svg>`."""
    columns, rows = len(district["columns"]), len(district["rows"])
    across, down = LEFT * 2 + columns * WIDE, TOP + rows * HIGH + LEFT
    name = f"{clean(town['name'])}, district {district['number']}"
    under = f"Under it: {', '.join(district['under'])}" if district["under"] else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="district" role="img" viewBox="0 0 {across} {down}" {FONTS}>',
        f"<title>{escaped(name)}</title><desc>{escaped(_words(district, town['amiss']))}</desc>",
        f'<rect width="{across}" height="{down}" rx="8" fill="{SHEET}"/>',
        labelled(12, 24, shortened(name, 34 if under else 60), ' font-size="16" font-weight="600"'),
        labelled(across - 12, 24, shortened(under, 30), ' text-anchor="end"') if under else "",
        *(_border(border, columns, rows, f"{town['hex']}-{district['number']}") for border in district["borders"]),
        *_lots(district),
        *_frames(town["name"], kingdom, district["number"] - 1, rules),
        *_names(district),
        "</svg>\n",
    ]
    return "".join(parts)


def _words(district: DistrictRow, amiss: Iterable[str]) -> str:
    """What the picture shows, for who can't see it, and what is amiss in the settlement."""
    lots: dict[str, list[str]] = {}
    for row in district["rows"]:
        for column, lot in zip(district["columns"], row["lots"], strict=True):
            if lot["part"] != "free":
                what = f"rubble of {lot['text']}" if lot["part"] == "rubble" else lot["text"]
                lots.setdefault(what, []).append(f"{column}{row['name']}")
    said = [f"{name} at {', '.join(at)}" for name, at in lots.items()] or ["No building"]
    borders = ", ".join(f"{border['name']} {border['what']}" for border in district["borders"])
    said += [f"under the district: {', '.join(district['under'])}"] if district["under"] else []
    return clean(" ".join(f"{each}." for each in ("; ".join(said), f"Borders: {borders}", *amiss)))


def _border(border: Border, columns: int, rows: int, id: str) -> str:
    """A band along the side: water in waves, land plain, what is built there as a wall, and all of it in words. id: of the district."""
    wide, high = columns * WIDE, rows * HIGH
    right, bottom, middle, half = LEFT + wide, TOP + high, LEFT + wide // 2, TOP + high // 2
    x, y, across, text_x, text_y, turn = {
        "north": (LEFT, TOP - 36, True, middle, TOP - 25, 0),
        "south": (LEFT, bottom + 16, True, middle, bottom + 27, 0),
        "west": (LEFT - 36, TOP, False, LEFT - 25, half, -90),
        "east": (right + 20, TOP, False, right + 25, half, 90),
    }[border["name"]]
    what, d = border["what"], f"M{x} {y}" + (f"h{wide}v16h-{wide}z" if across else f"h16v{high}h-16z")
    wet, walled = what.startswith("water"), ", " in what
    band = f'<path d="{d}" fill="{_WATER if wet else _LAND}"' + (
        f' stroke="{_WALL}" stroke-width="4" stroke-dasharray="10 4"/>' if walled else "/>"
    )
    if wet:  # a line of waves, which no colour is needed to see
        many = (wide if across else high) // 24
        d = f"M{x} {y + 8}" + "q6-7 12 0t12 0" * many if across else f"M{x + 8} {y}" + "q-7 6 0 12t0 12" * many
        band += f'<path d="{d}" fill="none" stroke="#3f8cc0" stroke-width="2"/>'
    turned = f' transform="rotate({turn} {text_x} {text_y})"' if turn else ""
    text = shortened(f"{border['name']}: {what}", 46)
    words = labelled(text_x, text_y, text, f' text-anchor="middle"{turned}')
    return band + haloed(f"{border['name']}-{id}", [words], _EDGE)


def _lots(district: DistrictRow) -> list[str]:
    """The ground: free lots, and rubble hatched."""
    wide, high = len(district["columns"]) * WIDE, len(district["rows"]) * HIGH
    lines = "".join(f"M{LEFT + x} {TOP}v{high}" for x in range(0, wide + 1, WIDE)) + "".join(
        f"M{LEFT} {TOP + y}h{wide}" for y in range(0, high + 1, HIGH)
    )
    found = [f'<path d="M{LEFT} {TOP}h{wide}v{high}h-{wide}z" fill="{_FREE}"/>']
    for down, row in enumerate(district["rows"]):
        for across, lot in enumerate(row["lots"]):
            if lot["part"] == "rubble":
                x, y = LEFT + across * WIDE, TOP + down * HIGH
                found.append(f'<path d="M{x} {y}h{WIDE}v{HIGH}h-{WIDE}z" fill="{_RUBBLE}"/>')
                found.append(
                    f'<path d="M{x} {y + HIGH}l{WIDE}-{HIGH}M{x} {y + HIGH // 2}l{WIDE // 2}-{HIGH // 2}M{x + WIDE // 2} {y + HIGH}l{WIDE // 2}-{HIGH // 2}" stroke="#b5ada0"/>'
                )
    return [*found, f'<path d="{lines}" fill="none" stroke="#c9c1ad"/>']


def _frames(town: str, kingdom: Kingdom, number: int, rules: Rules) -> list[str]:
    """Each building of the district, by its number from 0, in one frame around all its lots, with its name; who squats there."""
    grid, damaged = grid_of(rules.lots.columns, rules.lots.rows), kingdom.damaged.get(town, ())
    settlement = kingdom.settlements[town]
    squatted = (lot_number(lot, grid) for lot in kingdom.blocked.get(town, ()))
    names: dict[tuple[int, ...], list[str]] = {
        (lot,): ["squatters"] for lot in squatted if lot is not None and lot // grid.size == number
    }
    for building in settlement.buildings:
        kind = rules.buildings[building.id]
        lot = lot_number(building.lot, grid) if kind.place in ("lot", "shared") else None
        covered = footprint(grid, kind.lots, building.tall, lot) if lot is not None else None
        if covered and lot is not None and lot // grid.size == number:
            waits = " (waits)" if building in settlement.waiting else ""
            amiss = " (damaged)" if building.lot in damaged else waits
            names.setdefault(covered.lots, []).append(kind.name + amiss)
    found = []
    for lots, there in names.items():
        columns, rows = [lot % grid.columns for lot in lots], [lot % grid.size // grid.columns for lot in lots]
        x, y = LEFT + min(columns) * WIDE, TOP + min(rows) * HIGH
        wide, high = (max(columns) - min(columns) + 1) * WIDE, (max(rows) - min(rows) + 1) * HIGH
        style = _AMISS if "squatters" in there or any("(damaged)" in each for each in there) else _SOUND
        found.append(
            f'<rect x="{x + 2}" y="{y + 2}" width="{wide - 4}" height="{high - 4}" rx="4" fill="{_BUILT}" {style}/>'
        )
        found.append(_named(" + ".join(there), x + wide // 2, y + high // 2, LETTERS * wide // WIDE))
    return found


def _names(district: DistrictRow) -> list[str]:
    """What the rubble was, and the names of columns and rows."""
    found = []
    for down, row in enumerate(district["rows"]):
        for across, lot in enumerate(row["lots"]):
            if lot["part"] == "rubble":
                found.append(
                    _named(f"({lot['text']})", LEFT + across * WIDE + WIDE // 2, TOP + down * HIGH + HIGH // 2, LETTERS)
                )
    found.append('<g text-anchor="middle" font-size="12" fill="#5c554a">')
    found += [
        labelled(LEFT + WIDE // 2 + index * WIDE, TOP - 6, column) for index, column in enumerate(district["columns"])
    ]
    found += [
        labelled(LEFT - 10, TOP + HIGH // 2 + 4 + index * HIGH, row["name"])
        for index, row in enumerate(district["rows"])
    ]
    return [*found, "</g>"]


def _named(text: str, x: int, y: int, letters: int) -> str:
    """A text around a point, in as many short lines as it needs and a lot has room for."""
    lines: list[str] = []
    for word in clean(text).split():
        if lines and width(f"{lines[-1]} {word}") <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    lines = [shortened(line, letters) for line in lines[:LINES]]
    first = y + 5 - 7 * (len(lines) - 1)
    return f'<g text-anchor="middle">{"".join(labelled(x, first + 14 * index, line) for index, line in enumerate(lines))}</g>'
