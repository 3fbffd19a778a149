"""The board as text, a row of territories a row of boxes, and as one SVG, the island in hexagons."""

from __future__ import annotations

from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table, replace
from kingdom.games.kings_pouch.steps import counted, joined
from kingdom.games.kings_pouch.steps.land import castles, connected, land, owner_of
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.games.kit.drawing import INK, SOFT, svg, text
from kingdom.render.plain_text import clean, left, shortened

_CELL = 14  # columns of a territory, one edge included; five of them and an edge fit a line


def lines(table: Table, rules: Rules) -> list[str]:
    """The board: nothing of it is hidden."""
    return [*island(table, rules), "", *court(table, rules)]


def heading(table: Table, rules: Rules) -> str:
    """How the game stands."""
    if table.is_over:
        return "The game is over."
    if table.round == SET_UP:
        return f"Castles are chosen, in this order: {joined(table.order)}."
    council = next((round for round in rules.council.rounds if round >= table.round), 0)
    when = "a council ends it" if council == table.round else f"the next council ends round {council}"
    return f"Round {table.round} of {rules.rounds.count}; {when}. Turn order: {joined(table.order)}."


def waits(table: Table, rules: Rules) -> str:
    """What a seat reads that has nothing to order in the next run."""
    seats = due(table, rules)
    over = "The game is over; there is nothing to order."
    return f"You need not send orders: it is the turn of {joined(seats)}." if seats else over


def whose(table: Table, place: str, nobody: str) -> str:
    """Whose a territory is, for a person."""
    held, owner = table.territories.get(place), owner_of(table, place)
    return f"{owner}, {counted(held.markers, 'marker')}" if held else f"the castle of {owner}" if owner else nobody


def covered(table: Table, seat: str) -> Table:
    """The table as a seat knows it: everybody can work out which cards are in a pile, but their order is hidden."""
    return replace(table, decks={name: tuple(sorted(cards)) for name, cards in table.decks.items()})


def island(table: Table, rules: Rules) -> list[str]:
    """The territories."""
    rows = rules.map.rows
    widest = max(map(len, rows))
    starts = [(widest - len(row)) * _CELL // 2 for row in rows]
    lines = []
    for number in range(len(rows) + 1):
        above = (starts[number - 1], len(rows[number - 1])) if number else None
        below = (starts[number], len(rows[number])) if number < len(rows) else None
        lines.append(_edge(above, below))
        if below:
            texts = [_said(table, place, rules) for place in rows[number]]
            for index in range(2):
                inside = "|".join(" " + left(text[index], _CELL - 2) for text in texts)
                lines.append(f"{' ' * below[0]}|{inside}|")
    return lines


def _edge(*rows: tuple[int, int] | None) -> str:
    """The line between two rows of boxes: a corner wherever a box of either begins or ends."""
    spans = [(start, start + count * _CELL) for row in rows if row for start, count in [row]]
    corners = {start + index * _CELL for row in rows if row for start, count in [row] for index in range(count + 1)}
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    return " " * first + "".join("+" if column in corners else "-" for column in range(first, last + 1))


def _said(table: Table, place: str, rules: Rules) -> tuple[str, str]:
    """The two lines inside a territory."""
    homes, held = castles(table), table.territories.get(place)
    name = f"{place.upper()} palace" if place == rules.map.palace else place.upper()
    if place not in land(rules, len(table.seats)):
        return name, "not in use"
    if place in homes:
        return f"{name} CASTLE", clean(homes[place])
    if held is None:
        return name, ""
    return name, f"{'*' * held.markers} {clean(held.owner)}"


def court(table: Table, rules: Rules) -> list[str]:
    """The characters, and whose markers lie on them."""
    marked = {who: table.claimed.get(who) for who in table.characters}
    whose = {who: f"{'*' * there.markers} {clean(there.owner)}" if there else "-" for who, there in marked.items()}
    return [f"  {left(rules.characters[who].name, 16)} {owner}" for who, owner in whose.items()]


# In units of the picture: a hexagon from side to side, the height of a row, the margin around the island.
_WIDE, _HIGH, _MARGIN = 112, 97, 16
_CORNER = 32.5  # how much higher its points are
_COLOURS = ("#f1c5b8", "#c3d6ef", "#cbe3c0", "#ecdca6")  # light: dark letters stand on them
_FREE, _UNUSED = "#fffdf6", "#d9d5ca"
_LETTERS = 12  # most letters of a player's word in a hexagon


def picture(table: Table, rules: Rules, pressed: bool = False) -> str:
    """The island. Land that is connected to its castle has a heavier edge. pressed: each territory in use is a group with its name, for the form."""
    rows = rules.map.rows
    wide = max(map(len, rows)) * _WIDE + 2 * _MARGIN
    high = len(rows) * _HIGH + _CORNER + 2 * _MARGIN
    linked = {place for each in table.seats for place in connected(table, each, rules)}
    parts = [_hexagon(table, place, x, y, place in linked, rules, pressed) for place, x, y in _places(rows, wide)]
    name = f"The island before round {table.round}" if not table.over else "The island at the end"
    return svg(wide, high, name, parts)


def _places(rows: tuple[tuple[str, ...], ...], wide: int) -> list[tuple[str, float, float]]:
    """(territory, x, y) of the middle of each hexagon."""
    found = []
    for number, row in enumerate(rows):
        first = wide / 2 - (len(row) - 1) * _WIDE / 2
        found += [
            (place, first + index * _WIDE, _MARGIN + _HIGH * (number + 0.5) + _CORNER / 2)
            for index, place in enumerate(row)
        ]
    return found


def _hexagon(table: Table, place: str, x: float, y: float, linked: bool, rules: Rules, pressed: bool) -> str:
    seats, homes, held = list(table.seats), castles(table), table.territories.get(place)
    used = place in land(rules, len(seats))
    owner = owner_of(table, place)
    fill = _COLOURS[seats.index(owner) % len(_COLOURS)] if owner else _FREE if used else _UNUSED
    half, flat, point = _WIDE / 2, _HIGH - _CORNER, _CORNER
    up = flat / 2 + point
    corners = ((0, -up), (half, -flat / 2), (half, flat / 2), (0, up), (-half, flat / 2), (-half, -flat / 2))
    shape = " ".join(f"{x + dx:g},{y + dy:g}" for dx, dy in corners)
    edge = f'stroke="{INK}" stroke-width="{3 if linked else 1}"'
    pressed = pressed and used
    lines = [
        f'<polygon points="{shape}" fill="{fill}"{"" if pressed else f" {edge}"}/>',
        text(x, y - 18, place.upper(), 15, anchor="middle", weight=600),
    ]
    if not used:
        return "".join([*lines, text(x, y + 8, "not in use", 13, SOFT, "middle")])
    if place == rules.map.palace:
        lines.append(text(x, y, "palace", 13, anchor="middle"))
    if place in homes:
        lines.append(text(x, y, "castle", 13, anchor="middle", weight=600))
    if owner:
        lines.append(text(x, y + 20, shortened(clean(owner), _LETTERS), 15, anchor="middle"))
    if held:
        first = x - (held.markers - 1) * 7.5
        lines += [f'<circle cx="{first + 15 * index:g}" cy="{y + 34:g}" r="5"/>' for index in range(held.markers)]
    within = "".join(lines)
    return f'<g data-hex="{place.upper()}" {edge}>{within}</g>' if pressed else within
