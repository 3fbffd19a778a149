"""What a seat may know: all tiles, dice and Kings, and who put a coin where; of coins the values that it has seen."""

from __future__ import annotations

from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import HIDDEN, City, Kingdom, Table, is_over, replace
from kingdom.games.kings_progress.steps.rounds import due, first_chancellor


def known(table: Table, seat: str, rules: Rules) -> Table:
    """The table as the seat knows it: a coin that it has not seen is HIDDEN. At the end all are turned up."""
    if is_over(table):
        return table
    return replace(
        table, kingdoms={each: _seen(kingdom, each == seat, seat) for each, kingdom in table.kingdoms.items()}
    )


def _seen(kingdom: Kingdom, own: bool, seat: str) -> Kingdom:
    cities = tuple([city if city.coin is None or seat in city.seen_by else _covered(city) for city in kingdom.cities])
    return replace(kingdom, cities=cities, coins=kingdom.coins if own else (HIDDEN,) * len(kingdom.coins))


def _covered(city: City) -> City:
    """The city with its coin face down; who has seen it is told by what all have seen."""
    return City(city.tile, city.tile_by, HIDDEN, city.coin_by, city.seen_by)


def sheet(table: Table, seat: str, rules: Rules) -> dict[str, object]:
    """What `kingdom show --json` prints: what the seat knows of the table and its hand."""
    seen = known(table, seat, rules)
    mine = seen.kingdoms[seat]
    return {
        "kingdom": seat,
        "turn": table.turn,
        "name": mine.name,
        "game": table.game,
        "round": table.round,
        "phase": table.phase,
        "first_chancellor": first_chancellor(table),
        "deciding": due(table, rules),
        "tiles": list(mine.tiles),
        "coins": list(mine.coins),
        "vetoes": mine.vetoes,
        "king": mine.king,
        "points": mine.points,
        "total": mine.total,
        "kingdoms": {each: _laid(kingdom) for each, kingdom in seen.kingdoms.items()},
    }


def _laid(kingdom: Kingdom) -> dict[str, object]:
    """A kingdom on the table; a coin is its value, "hidden", or None where none lies yet."""
    return {
        "vetoes": kingdom.vetoes,
        "king": kingdom.king,
        "tiles": list(kingdom.tiles),
        "cities": [
            {
                "tile": city.tile,
                "tile_by": city.tile_by,
                "coin": "hidden" if city.coin == HIDDEN else city.coin,
                "coin_by": city.coin_by,
            }
            for city in kingdom.cities
        ],
    }
