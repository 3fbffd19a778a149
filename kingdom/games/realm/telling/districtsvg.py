"""The districts of a settlement as pictures, lot by lot: what stands where, what rubble lies, which borders are water or walls."""

from __future__ import annotations

from typing import Any, Mapping

from kingdom.games.realm.rules import Rules
from kingdom.games.realm.state import Kingdom
from kingdom.games.realm.telling.mapstyle import FONTS, SHEET, escaped, labelled
from kingdom.games.realm.telling.survey import settlements
from kingdom.plaintext import clean, shortened, width

WIDE, HIGH, LEFT, TOP = 76, 50, 44, 62  # of a lot, and where the first one begins
LETTERS, LINES = 12, 3  # of a name in a lot
_WATER, _LAND = "#bddcf0", "#e3dccb"
_TINTS = {"first": "#f7e6c4", "more": "#f7e6c4", "rubble": "#e4e0da", "free": "#eef2dc"}


def district_pictures(kingdom: Kingdom, rules: Rules) -> list[dict[str, Any]]:
    """Of each district {"town", "district" (from 1), "svg"}, by the settlements' names. Each says in words what it shows."""
    return [
        {"town": town["name"], "district": district["number"], "svg": _drawn(town["name"], district)}
        for town in settlements(kingdom, rules)
        for district in town["districts"]
    ]


def _drawn(town: str, district: Mapping[str, Any]) -> str:
    columns, rows = len(district["columns"]), len(district["rows"])
    across, down = LEFT * 2 + columns * WIDE, TOP + rows * HIGH + LEFT
    name = f"{clean(town)}, district {district['number']}"
    under = ", ".join(district["under"])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="district" role="img" viewBox="0 0 {across} {down}" {FONTS}>',
        f"<title>{escaped(name)}</title><desc>{escaped(_words(district))}</desc>",
        f'<rect width="{across}" height="{down}" rx="8" fill="{SHEET}"/>',
        labelled(12, 22, shortened(name, across // 9), ' font-size="16" font-weight="600"'),
        labelled(across - 12, 22, shortened(f"Under it: {under}", 34), ' text-anchor="end"') if under else "",
        *(_border(border, columns, rows) for border in district["borders"]),
        *_lots(district),
        '<g text-anchor="middle" font-size="12" fill="#5c554a">',
        *(labelled(LEFT + WIDE // 2 + index * WIDE, TOP - 4, column) for index, column in enumerate(district["columns"])),
        *(labelled(LEFT - 9, TOP + HIGH // 2 + 4 + index * HIGH, row["name"]) for index, row in enumerate(district["rows"])),
        "</g></svg>\n",
    ]
    return "".join(parts)


def _words(district: Mapping[str, Any]) -> str:
    """What the picture shows, for who can't see it."""
    lots: dict[str, list[str]] = {}
    for row in district["rows"]:
        for column, lot in zip(district["columns"], row["lots"]):
            if lot["part"] != "free":
                said = f"rubble of {lot['text']}" if lot["part"] == "rubble" else lot["text"]
                lots.setdefault(said, []).append(f"{column}{row['name']}")
    said = [f"{name} at {', '.join(at)}" for name, at in lots.items()] or ["No building"]
    borders = ", ".join(f"{border['name']} {border['what']}" for border in district["borders"])
    said += [f"under the district: {', '.join(district['under'])}"] if district["under"] else []
    return clean(f"{'; '.join(said)}. Borders: {borders}.")


def _border(border: Mapping[str, str], columns: int, rows: int) -> str:
    """A band along the side: water in waves, land plain, what is built there as a wall, and in words."""
    wide, high = columns * WIDE, rows * HIGH
    x, y, w, h, text_x, text_y, turned = {
        "north": (LEFT, TOP - 28, wide, 12, LEFT + wide // 2, TOP - 18, ""),
        "south": (LEFT, TOP + high + 12, wide, 12, LEFT + wide // 2, TOP + high + 22, ""),
        "west": (LEFT - 32, TOP, 12, high, LEFT - 22, TOP + high // 2, f' transform="rotate(-90 {LEFT - 22} {TOP + high // 2})"'),
        "east": (LEFT + wide + 12, TOP, 12, high, LEFT + wide + 15, TOP + high // 2, f' transform="rotate(90 {LEFT + wide + 15} {TOP + high // 2})"'),
    }[border["name"]]
    what = border["what"]
    wet, walled = what.startswith("water"), ", " in what
    edge = ' stroke="#4a433b" stroke-width="3" stroke-dasharray="9 5"' if walled else ""
    text = f"{border['name']}: {what}"
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{_WATER if wet else _LAND}"{edge}/>' + labelled(
        text_x, text_y, shortened(text, 44), f' text-anchor="middle" font-size="12"{turned}'
    )


def _lots(district: Mapping[str, Any]) -> list[str]:
    """The lots, those that one building covers in one frame."""
    found = []
    for down, row in enumerate(district["rows"]):
        for across, lot in enumerate(row["lots"]):
            x, y = LEFT + across * WIDE, TOP + down * HIGH
            found.append(f'<rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" fill="{_TINTS[lot["part"]]}" stroke="#b9b09d"/>')
            if lot["part"] in ("first", "rubble"):
                found.append(_named(lot, x, y))
    return found


def _named(lot: Mapping[str, str], x: int, y: int) -> str:
    style = ' text-decoration="line-through" fill="#6a655b"' if lot["part"] == "rubble" else ""
    lines = _folded(clean(lot["text"]))
    first = y + HIGH // 2 + 5 - 7 * (len(lines) - 1)
    return f'<g text-anchor="middle"{style}>' + "".join(labelled(x + WIDE // 2, first + 14 * index, line) for index, line in enumerate(lines)) + "</g>"


def _folded(text: str) -> list[str]:
    """A name in as many short lines as a lot has room for."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}") <= LETTERS:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [shortened(line, LETTERS) for line in lines[:LINES]]
