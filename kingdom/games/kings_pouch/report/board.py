"""The board as text: the island, a row of territories a row of boxes, and who claimed which character."""

from __future__ import annotations

from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.steps.land import castles, land
from kingdom.render.plain_text import clean, left

_CELL = 14  # columns of a territory, one edge included; five of them and an edge fit a line


def draw(table: Table, seat: str | None, rules: Rules) -> str:
    """The board: nothing of it is hidden."""
    lines = [*island(table, rules), "", *court(table, rules)]
    return "".join(f"{line}\n" for line in lines)


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
    if place not in land(rules, len(table.lords)):
        return name, "not in use"
    if place in homes:
        return f"{name} CASTLE", clean(homes[place])
    if held is None:
        return name, ""
    return name, f"{'*' * held.markers} {clean(held.owner)}"


def court(table: Table, rules: Rules) -> list[str]:
    """The characters, and whose markers lie on them."""
    lines = []
    for who in table.characters:
        there = table.claimed.get(who)
        lines.append(
            f"  {left(rules.characters[who].name, 16)} {'*' * there.markers + ' ' + clean(there.owner) if there else '-'}"
        )
    return lines
