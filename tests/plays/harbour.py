"""Harbour, to be played by tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kingdom.engine import game as games
from kingdom.games.kit.drawn import Draw
from kingdom.games.kit.table import with_player
from tests.kit import tiny_game
from tests.kit.gamekit import NEW

ORDERS = {  # turn -> seat -> orders; whatever may go wrong in an order does so in one of them
    1: {"alice": "bid: 3 on 1\n", "bob": "bid: 5 on 2\nmessages: {all: well met}\n", "cara": "bid: 50 on 1\n"},
    2: {"alice": "bid: 3 on 2\n", "bob": "bid: 3 on 2\nmessages: {alice: a secret}\n", "cara": "bid: 1 on 9\n"},
    3: {
        "alice": "bid: 1 on 1\n",
        "gm": "gm: [{grant: bob, coins: 2, reason: a gift}, {grant: bob, coins: -90, reason: a slip}]\ntell: {all: Play well.}\n",
    },
}
ALTERNATIVES = ()


def campaigns(folder: Path) -> list[Path]:
    """One campaign of three turns."""
    files = {**games.load("harbour").opening.new(3, NEW)}
    files["campaign.yaml"] += "public_seed: true\n"
    return [tiny_game.written(folder, files, ORDERS)]


def hidden(result: Any, seat: str, rules: Any) -> Any:
    """The others have other coins, ordered nothing and heard nothing."""
    heard = [note for note in result.notices if note.seat in (seat, "all") or note.facts.get("sender") == seat]
    return result._replace(
        before=_richer(result.before, seat),
        after=_richer(result.after, seat),
        orders={other: orders for other, orders in result.orders.items() if other == seat},
        entries=[entry for entry in result.entries if entry.kingdom == seat],
        notices=heard,
        rolls=[roll for roll in result.rolls if roll.kingdom == seat],
    )


def _richer(table: Any, seat: str) -> Any:
    for other, player in table.seats.items():
        table = table if other == seat else with_player(table, other, coins=player.coins + 1)
    return table


def over(table: Any) -> Any:
    """The table after the last round."""
    return replace(table, turn=table.rounds)


def draws(known: Any, seat: str, rules: Any, chance: Any) -> Draw:
    """What draws orders of the game."""
    return Draw(chance, {"seats": list(known.seats)}, {"coins": [1, 2, 3], "ship": [1, 2]})


def offered_as(key: str, order: Any, known: Any, seat: str) -> Any:
    """An order as its offer has it; None for kinds that have no end."""
    return order if key == "bid" else None
