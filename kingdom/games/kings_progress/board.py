"""The table drawn: a row of cities for each kingdom, with its King, its die and its reserve.

In characters, and as one SVG that needs nothing else, in which nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import msgspec
from msgspec.structs import replace

from kingdom.engine.game import Facts
from kingdom.games.kings_progress.rounds import first_chancellor, windows
from kingdom.games.kings_progress.rules import Rules, rounds
from kingdom.games.kings_progress.state import HIDDEN, City, Kingdom, Table, is_over
from kingdom.games.kings_progress.steps import deciding_now, score_of
from kingdom.games.kit.drawing import INK, SOFT, svg, text
from kingdom.games.kit.rules_page import rulebook as rulebook_of
from kingdom.render.plain_text import clean, joined, shortened, wrap

# columns: left of the cities; of a city if at most six stand in a line; of a city if more do
MARGIN, WIDE, NARROW = (8, 9, 5)
MOST_WIDE = 6
EDGE, HEAD, ROW, CENTRE, STEP, SIDE = 14, 40, 118, 60, 82, 66  # all in units of the picture
TILE, COIN, BACK, CROWN, LINE = "#efe3c8", "#f6d36b", "#b9b2a3", "#7a3b12", "#8d8676"


def lines(table: Table, rules: Rules) -> list[str]:
    """The table in characters."""
    drawn = [*wrap(heading(table, rules)).split("\n"), ""]
    for name, kingdom in table.seats.items():
        drawn += [*_kingdom(name, kingdom, rounds(rules)), ""]
    drawn.append("K: the King, in the centre at the left until he moves. [3] a coin, [?] one")
    drawn.append("face down; below a city who invested in it.")
    return drawn


def heading(table: Table, rules: Rules) -> str:
    """The round, the first chancellor, and what is decided next."""
    game = f"Game {table.game} of {rules.double_game.games}. " if rules.double_game.games > 1 else ""
    if is_over(table):
        return f"{game}The game is over; all coins are turned up."
    now = deciding_now(table, rules)
    return f"{game}Round {table.round} of {rounds(rules)}, first chancellor {first_chancellor(table)}. Next: {now}."


def reserve(kingdom: Kingdom) -> str:
    """The known pieces of a reserve, in words."""
    count = len(kingdom.coins)
    unseen = f"{count} coin{'s' if count != 1 else ''} unseen"
    coins = unseen if HIDDEN in kingdom.coins else f"coins {joined(kingdom.coins)}"
    return f"in hand tiles {joined(kingdom.tiles)}; {coins}" if kingdom.tiles or kingdom.coins else "nothing in hand"


def _kingdom(seat: str, kingdom: Kingdom, most: int) -> list[str]:
    """A kingdom in lines: its head, and a column for each city: the tile, the coin, the kingdom that invested."""
    wide = WIDE if most <= MOST_WIDE else NARROW
    head = f"{shortened(seat, 30)}: vetoes {kingdom.vetoes}; {reserve(kingdom)}"
    left, edge = ["", "  K" if not kingdom.king else "", "", "", ""], f"+{'-' * (wide - 2)}+"
    if not kingdom.cities:
        return [head, left[1]]
    columns = list[list[str]]()
    for number, city in enumerate(kingdom.cities, 1):
        king, face = "K " if kingdom.king == number else "", "?" if city.coin == HIDDEN else city.coin
        cells = (f"{king}{city.tile}", "" if city.coin is None else f"[{face}]")
        boxes = [f"|{cell.center(wide - 2)}|" for cell in cells]
        columns.append([edge, *boxes, edge, shortened(city.coin_by, wide).center(wide)])
    drawn = [f"{margin:<{MARGIN}}{' '.join(row)}".rstrip() for margin, *row in zip(left, *columns, strict=True)]
    return [head, *filter(None, drawn)]


# --- in figures


def figures(table: Table, seat: str, rules: Rules) -> dict[str, object]:
    """A row of the kingdoms. Points are those of the cities whose coins the reader has seen."""
    kingdom = table.seats[seat]
    seen = [(number, city) for number, city in enumerate(kingdom.cities, 1) if city.coin not in (None, HIDDEN)]
    held: dict[str, object] = {
        "Points seen": sum(score_of(city, kingdom.king == number, rules) for number, city in seen),
        "Coins face down": sum(city.coin == HIDDEN for city in kingdom.cities),
        "King in city": kingdom.king,
        "Vetoes": kingdom.vetoes,
    }
    return {**held, "Collected": kingdom.total} if any(other.total for other in table.seats.values()) else held


def first(table: Table, seat: str, rules: Rules) -> Iterator[tuple[str, str, str, str]]:
    """The lines of the first screen: the hand, the King."""
    mine = table.seats[seat]
    king = f"in city {mine.king}" if mine.king else "in the centre"
    yield "In hand", f"tiles {joined(mine.tiles)}; coins {joined(mine.coins)}", "players", ""
    yield "King", f"{king}, vetoes left {mine.vetoes}", "players", ""


# --- on the page of the rules


def rulebook(rules: Facts, own: Facts) -> dict[str, object]:
    """What the kit's page shows; rounds; pace, and paces: what each is and how many turns a game takes at it."""
    return {
        **rulebook_of(rules, own),
        "rounds": len(rules["box"]["values"]),
        "pace": rules["pace"],
        "paces": _paces(rules),
    }


def _paces(rules: Facts) -> list[dict[str, str]]:
    """Each pace with its windows in words, and the turns of a game by the number of players."""
    typed = msgspec.convert(rules, Rules)
    players = range(typed.box.least_players, typed.box.most_players + 1)
    paces = []
    for name, pace in typed.paces.items():
        turns = [windows(count, replace(typed, pace=name)) for count in players]
        several = f"{', '.join(map(str, turns))} with {', '.join(map(str, players))} players"
        paces.append({
            "name": name,
            "text": pace.text,
            "windows": " / ".join(" + ".join(phase.replace("_", " ") for phase in phases) for phases in pace.windows),
            "turns": str(turns[0]) if len(set(turns)) == 1 else several,
        })  # fmt: skip
    return paces


# --- as a picture


def picture(table: Table, rules: Rules) -> str:
    """The table as one `<svg>`."""
    across = width(rules)
    height = HEAD + ROW * len(table.seats) + 8
    title = heading(table, rules)
    seats = enumerate(table.seats.items())
    rows = [_row(name, kingdom, HEAD + ROW * index, across, rounds(rules)) for index, (name, kingdom) in seats]
    return svg(across, height, title, [text(EDGE, 26, title.partition(" Next:")[0], 14, weight=600), *rows])


def width(rules: Rules) -> int:
    """How wide the picture is."""
    return 2 * EDGE + CENTRE + STEP * rounds(rules)


def _row(seat: str, kingdom: Kingdom, y: int, across: int, most: int) -> str:
    """A row: the name and die, the centre, the cities, and empty places for those to come."""
    label = f"{shortened(kingdom.name, 24)}, vetoes {kingdom.vetoes}"
    drawn = [
        f'<g data-kingdom="{escape(seat)}"><path d="M{EDGE} {y}H{across - EDGE}" stroke="{LINE}" stroke-width="1"/>',
        text(EDGE, y + 18, label, 13, weight=600),
        text(across - EDGE, y + 18, reserve(kingdom), 12, SOFT, "end"),
        "" if kingdom.king else _king(EDGE + CENTRE // 2, y + 58),
    ]
    for number in range(1, most + 1):
        x = EDGE + CENTRE + STEP * (number - 1)
        if number <= len(kingdom.cities):
            drawn.append(_square(kingdom.cities[number - 1], number, kingdom.king == number, x, y + 26))
        else:
            edge = f'rx="6" fill="none" stroke="{LINE}" stroke-dasharray="3 4"'
            drawn.append(f'<rect x="{x}" y="{y + 26}" width="{SIDE}" height="{SIDE}" {edge}/>')
    return "".join(drawn) + "</g>"


def _square(city: City, number: int, king: bool, x: int, y: int) -> str:
    """A tile with its value, the coin on it, the kingdom that put the coin there, and the King."""
    title = f"City {number}: tile {city.tile} by {city.tile_by}"
    if city.coin is not None:
        title += f", {'a coin face down' if city.coin == HIDDEN else f'coin {city.coin}'} by {city.coin_by}"
    title += ", the King" if king else ""
    drawn = [
        f"<g><title>{escape(clean(title))}</title> ",
        f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" rx="6" fill="{TILE}" stroke="{INK}" stroke-width="{3 if king else 1}"/>',
        text(x + 17, y + 29, str(city.tile), 25, anchor="middle", weight=700),
    ]
    if city.coin is not None:
        face = "?" if city.coin == HIDDEN else str(city.coin)
        fill = BACK if city.coin == HIDDEN else COIN
        drawn.append(f'<circle cx="{x + 46}" cy="{y + 44}" r="15" fill="{fill}" stroke="{INK}"/>')
        drawn.append(text(x + 46, y + 50, face, 17, anchor="middle", weight=600))
    if king:
        drawn.append(_king(x + 17, y + 48))
    drawn.append(text(x + SIDE // 2, y + SIDE + 15, shortened(city.coin_by, 10), 11, SOFT, "middle"))
    return "".join(drawn) + "</g>"


def _king(x: int, y: int) -> str:
    """A pawn with a crown, about this place."""
    crown = f"M{x - 9} {y + 3}L{x - 11} {y - 11}L{x - 5} {y - 5}L{x} {y - 13}L{x + 5} {y - 5}L{x + 11} {y - 11}L{x + 9} {y + 3}Z"
    return f'<path d="{crown}" fill="{CROWN}" stroke="{INK}" stroke-width=".8"/><path d="M{x - 9} {y + 6}H{x + 9}V{y + 11}H{x - 9}Z" fill="{CROWN}"/>'
