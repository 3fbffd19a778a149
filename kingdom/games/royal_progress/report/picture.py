"""The map as a picture: one SVG that needs nothing else. Nothing in it is told by colour alone."""

from __future__ import annotations

from collections import Counter
from html import escape

from kingdom.games.royal_progress.report.drawing import heading, row_of, spots
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, castle
from kingdom.games.royal_progress.visibility import known
from kingdom.render.plain_text import clean, shortened

WIDE, HIGH, MARGIN, HEAD, FOOT = 760, 470, 60, 56, 40  # all in units of the picture
DOWN, TAG = 29, 28  # from a place to the tag of the first who stands there, and from tag to tag
PAPER, INK, SOFT, ROAD = "#fbfaf7", "#23211d", "#5d584f", "#a79f8e"
FILLS = {"home": "#dbe7d3", "village": "#efe3c8", "london": "#e3d3ee", "castle": "#e9e5dc", "court": "#f6d36b"}
FONT = "system-ui, 'Segoe UI', Roboto, sans-serif"


def picture(table: Table, seat: str | None, rules: Rules) -> str:
    """The map as the seat knows it, everything for the GM (None), as one `<svg>`."""
    seen = known(table, seat, rules) if seat else table
    at = {
        place: (round(MARGIN + x), round(HEAD + MARGIN / 2 + y)) for place, (x, y) in spots(rules, WIDE, HIGH).items()
    }
    lowest = max(
        at[place][1] + DOWN + TAG * count
        for place, count in Counter(each.place for each in seen.courtiers.values()).items()
    )
    width, height = WIDE + 2 * MARGIN, max(HEAD + HIGH + MARGIN, lowest) + FOOT
    title = clean(heading(seen, rules))
    round_line, _, rest = title.partition(". ")
    roads = "".join(f"M{at[one][0]} {at[one][1]}L{at[other][0]} {at[other][1]}" for one, other in rules.roads)
    drawn = [_place(place, at[place], seen, rules) for place in rules.places]
    drawn += [_courtiers(place, at[place], seen, rules) for place in rules.places]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}" font-family="{FONT}">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>'
        f"{_text(14, 24, round_line + '.', 16, weight=600)}{_text(14, 44, shortened(rest, 110), 13, SOFT)}"
        f'<path d="{roads}" fill="none" stroke="{ROAD}" stroke-width="2"/>{"".join(drawn)}'
        f"{_text(14, height - 14, 'Squares are homes, circles villages with their inns, crowned the castle of this round. The map is house data.', 12, SOFT)}"
        "</svg>"
    )


def _text(x: int, y: int, text: str, size: int, fill: str = INK, anchor: str = "start", weight: int = 400) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{fill}">{escape(clean(text))}</text>'


def _place(place: str, at: tuple[int, int], table: Table, rules: Rules) -> str:
    """The place with its name; in a circle how many inns it has."""
    x, y = at
    of, court = rules.places[place], place == castle(table)
    room = f", room for {of.capacity}" if of.capacity else ""
    drawn = [f"<g><title>{escape(of.name)}: {of.kind}{room}</title>"]
    if of.kind == "castle":
        tower = f"M{x - 13} {y + 11}V{y - 11}h5v5h5v-5h6v5h5v-5h5V{y + 11}Z"
        drawn.append(
            f'<path d="{tower}" fill="{FILLS["court" if court else "castle"]}" stroke="{INK}" stroke-width="{2.5 if court else 1}"/>'
        )
    elif of.kind == "home":
        drawn.append(f'<rect x="{x - 9}" y="{y - 9}" width="18" height="18" fill="{FILLS["home"]}" stroke="{INK}"/>')
    else:
        drawn.append(
            f'<circle cx="{x}" cy="{y}" r="{12 if of.capacity > 1 else 9}" fill="{FILLS[of.kind]}" stroke="{INK}"/>'
        )
        drawn.append(_text(x, y + 4, str(of.capacity), 11, SOFT, "middle"))
    if court:
        drawn.append(
            f'<path d="M{x - 11} {y - 15}l-2-12 7 6 6-9 6 9 7-6-2 12z" fill="#7a3b12" stroke="{INK}" stroke-width=".8"/>'
        )
    drawn.append(_text(x, y + 24, of.name, 11, weight=600 if court else 400, anchor="middle"))
    return "".join(drawn) + "</g>"


def _courtiers(place: str, at: tuple[int, int], table: Table, rules: Rules) -> str:
    """Those who stand there, a tag each: name, and below who controls him."""
    there = sorted((courtier.arrived, name) for name, courtier in table.courtiers.items() if courtier.place == place)
    drawn = []
    for number, (arrived, name) in enumerate(there):
        row = row_of(table, name, rules)
        x, y = at[0] - 34, at[1] + DOWN + TAG * number
        label = f"{arrived}. {name}" if arrived else name
        said = f"{name} at {row['place']}: controlled by {row['control'] or 'nobody'}. {row['piles']}"
        drawn.append(
            f'<g data-courtier="{escape(name)}"><title>{escape(clean(said))}</title>'
            f'<rect x="{x}" y="{y}" width="68" height="26" rx="4" fill="#fff" stroke="{INK}" stroke-width="{2 if row["control"] else 1}"/>'
            f"{_text(at[0], y + 11, shortened(label, 13), 11, weight=600, anchor='middle')}"
            f"{_text(at[0], y + 22, shortened(row['control'] or 'free', 11), 10, SOFT, 'middle')}</g>"
        )
    return "".join(drawn)
