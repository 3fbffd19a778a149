"""The table drawn in characters: a row of cities for each kingdom, its King, its die and what is in its reserve."""

from __future__ import annotations

from kingdom.games.kings_progress.rules import Rules, rounds
from kingdom.games.kings_progress.state import HIDDEN, City, Kingdom, Table, is_over
from kingdom.games.kings_progress.steps.gm import deciding_now
from kingdom.games.kings_progress.steps.rounds import due, first_chancellor
from kingdom.games.kings_progress.steps.shared import joined
from kingdom.games.kings_progress.visibility import known
from kingdom.render.plain_text import shortened, wrap

MARGIN, WIDE, NARROW = 8, 9, 5  # columns left of the cities, and of a city where six and where more fit a line
MOST_WIDE = 6


def draw(table: Table, seat: str | None, rules: Rules) -> str:
    """The table as the seat knows it, everything for the GM (None)."""
    seen = known(table, seat, rules) if seat else table
    lines = [*wrap(heading(table, rules)).split("\n"), ""]
    for each, kingdom in seen.kingdoms.items():
        lines += [*_kingdom(each, kingdom, rounds(rules), table.round), ""]
    lines.append("K: the King, in the centre at the left until he moves. [3] a coin, [?] one")
    lines.append("face down; below a city who invested in it.")
    return "\n".join(lines) + "\n"


def heading(table: Table, rules: Rules) -> str:
    """Which round it is, who is first chancellor, and what is decided next."""
    game = f"Game {table.game} of {rules.double_game.games}. " if rules.double_game.games > 1 else ""
    if is_over(table):
        return f"{game}The game is over; all coins are turned up."
    now = deciding_now(due(table, rules))
    return f"{game}Round {table.round} of {rounds(rules)}, first chancellor {first_chancellor(table)}. Next: {now}."


def reserve(kingdom: Kingdom) -> str:
    """What is in a reserve, as far as it is known."""
    count = len(kingdom.coins)
    unseen = f"{count} coin{'s' if count != 1 else ''} unseen"
    coins = unseen if HIDDEN in kingdom.coins else f"coins {joined(kingdom.coins)}"
    return f"in hand tiles {joined(kingdom.tiles)}; {coins}" if kingdom.tiles or kingdom.coins else "nothing in hand"


def _kingdom(seat: str, kingdom: Kingdom, most: int, round: int) -> list[str]:
    wide = WIDE if most <= MOST_WIDE else NARROW
    head = f"{shortened(seat, 30)}: vetoes {kingdom.vetoes}; {reserve(kingdom)}"
    if not kingdom.cities:
        return [head, "  K" if not kingdom.king else ""]
    edge = "+" + "-" * (wide - 2) + "+"
    rows = [
        [edge for _ in kingdom.cities],
        [
            _boxed(f"{'K ' if kingdom.king == number else ''}{city.tile}", wide)
            for number, city in enumerate(kingdom.cities, 1)
        ],
        [_boxed(_coin(city), wide) for city in kingdom.cities],
        [edge for _ in kingdom.cities],
        [shortened(city.coin_by, wide).center(wide) for city in kingdom.cities],
    ]
    left = ["", "  K" if not kingdom.king else "", "", "", ""]
    drawn = [f"{margin:<{MARGIN}}{' '.join(cells)}".rstrip() for margin, cells in zip(left, rows, strict=True)]
    return [head, *(line for line in drawn if line)]


def _boxed(text: str, wide: int) -> str:
    return f"|{text.center(wide - 2)}|"


def _coin(city: City) -> str:
    if city.coin is None:
        return ""
    return "[?]" if city.coin == HIDDEN else f"[{city.coin}]"
