"""The tax collected: the coins are turned up and every city is scored; and what comes after a turn."""

from __future__ import annotations

from kingdom.games.kings_progress.rules import MOST, Rules
from kingdom.games.kings_progress.state import HIDDEN, OVER, City, Kingdom, Table, Turn, replace
from kingdom.games.kings_progress.steps.rounds import ends_game, moved_on
from kingdom.games.kit.common_orders import ALL
from kingdom.games.kit.table import booked, clockwise, tell
from kingdom.render.plain_text import joined

CAUSES = {
    "tax": "the score of a city",
    "unused_vetoes": "vetoes that were not used",
    "new_game": "everything back into the reserves for the second game",
}


def score_kingdoms(table: Table, turn: Turn) -> Table:
    """When all rounds are played, or the GM ends the campaign: each city, then the vetoes that are left."""
    if turn.foreseeing or not (table.ended or ends_game(turn.before, turn.rules)):
        return table
    for seat in table.seats:
        for number, city in enumerate(table.seats[seat].cities, 1):
            table = _scored(table, turn, seat, number, city)
        kingdom = table.seats[seat]
        after = replace(kingdom, total=kingdom.total + kingdom.vetoes)
        table = booked(table, turn, seat, after, "unused_vetoes", f"{kingdom.vetoes} left on the die")
        tell(turn, ALL, f"{seat}: {told(after, turn.rules)}")
    return table


def _scored(table: Table, turn: Turn, seat: str, number: int, city: City) -> Table:
    kingdom = table.seats[seat]
    here = kingdom.king == number
    score = score_of(city, here, turn.rules)
    single = score if turn.rules.best_city.doubled or not here else city.tile * (city.coin or 0)
    after = replace(
        kingdom, points=kingdom.points + score, total=kingdom.total + score,
        best_city=max(kingdom.best_city, single), king_city=score if here else kingdom.king_city,
    )  # fmt: skip
    return booked(table, turn, seat, after, "tax", f"city {number}: {product(city, here, turn.rules)} (ruling scoring)")


def score_of(city: City, king: bool, rules: Rules) -> int:
    """What a city scores; king: the King is there. One without a coin scores nothing."""
    return city.tile * (city.coin or 0) * (rules.scoring.king if king else 1)


def product(city: City, king: bool, rules: Rules) -> str:
    """The score as it is worked out: "3 x 4 x 2"."""
    return f"{city.tile} x {city.coin or 0}" + (f" x {rules.scoring.king}" if king else "")


def told(kingdom: Kingdom, rules: Rules) -> str:
    """A scored kingdom in a sentence."""
    cities = " + ".join(
        str(score_of(city, kingdom.king == number, rules)) for number, city in enumerate(kingdom.cities, 1)
    )
    whole = kingdom.points + kingdom.vetoes
    before = kingdom.total - whole
    both = f", with the {before} of the first game {kingdom.total}" if before else ""
    return f"cities {cities or 0} = {kingdom.points}, and {kingdom.vetoes} for vetoes left: {whole}{both}."


def play_on(table: Table, turn: Turn) -> Table:
    """What is to be decided next: another phase, another round, the second game, or nothing."""
    after = moved_on(turn.before, turn.rules)
    table = replace(table, round=after.round, phase=after.phase, acted=after.acted)
    if table.phase != OVER or table.ended or table.game >= turn.rules.double_game.games:
        return table
    seats = clockwise(table, table.first or next(iter(table.seats)))
    first = seats[turn.rules.double_game.second_first % len(seats)]
    for seat, kingdom in table.seats.items():
        tell(turn, ALL, f"{seat} ended the game with {turned_up(kingdom)}.")
        table = booked(
            table, turn, seat, set_up(kingdom.name, turn.rules, kingdom.total), "new_game", "the second game begins"
        )
    begun = Table(turn=table.turn, seats=table.seats, first=first, game=table.game + 1)
    tell(turn, ALL, f"The second game begins. {first} is first chancellor.")
    return begun


def turned_up(kingdom: Kingdom) -> str:
    """The cities of a game that is over, all coins turned up, for a sentence."""
    tiles, coins = joined(city.tile for city in kingdom.cities), joined(city.coin for city in kingdom.cities)
    return f"the tiles {tiles}, on them the coins {coins}, and the King in city {kingdom.king}"


def set_up(name: str, rules: Rules, total: int = 0) -> Kingdom:
    """A kingdom as a game begins: everything in the reserve. total: what an earlier game brought."""
    values = tuple(sorted(rules.box.values))
    return Kingdom(name=name, tiles=values, coins=values, vetoes=rules.box.vetoes, total=total)


TILES = tuple(f"tiles {value}" for value in range(MOST + 1))
COINS = {HIDDEN: "coins unseen", **{value: f"coins {value}" for value in range(MOST + 1)}}


def pieces(table: Table, rules: Rules) -> dict[str, int]:
    """What is in the box: Kings, tiles and coins by their value."""
    found = {"kings": len(table.seats)}
    get = found.get
    for kingdom in table.seats.values():
        for tile in kingdom.tiles:
            found[TILES[tile]] = get(TILES[tile], 0) + 1
        for coin in kingdom.coins:
            found[COINS[coin]] = get(COINS[coin], 0) + 1
        for city in kingdom.cities:
            found[TILES[city.tile]] = get(TILES[city.tile], 0) + 1
            if city.coin is not None:
                found[COINS[city.coin]] = get(COINS[city.coin], 0) + 1
    return found
