"""The tiny game, to be played by tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kingdom.engine.step import Result
from tests.kit import tiny_game


def campaigns(folder: Path) -> list[Path]:
    """Two seats take and bury; one files now and then, and asks for too much."""
    tiny_game.campaign(folder / "tally")
    for turn in (1, 2, 3):
        tiny_game.file_orders(folder / "tally", turn, "ann", "take: 5\nbury: 2\nmessages: [well met]\n")
    tiny_game.file_orders(folder / "tally", 2, "bob", "take: 9\nbury: 1\n")
    tiny_game.file_orders(folder / "tally", 3, "bob", "take: 1\n")
    return [folder / "tally"]


def hidden(result: Result, seat: str, rules: Any) -> Result:
    """Everybody else has buried more, and what they did nobody saw."""
    return result._replace(
        before=_richer(result.before, seat),
        after=_richer(result.after, seat),
        orders={other: orders for other, orders in result.orders.items() if other == seat},
        entries=[entry for entry in result.entries if entry.kingdom == seat],
        notices=[notice for notice in result.notices if notice.seat in (seat, "all")],
        rolls=[roll for roll in result.rolls if roll.kingdom == seat],
    )


def _richer(table: Any, seat: str) -> Any:
    purses = {
        other: purse if other == seat else replace(purse, buried=purse.buried + 7)
        for other, purse in table.purses.items()
    }
    return replace(table, purses=purses)


def over(table: Any) -> Any:
    """Somebody has all the coins there are."""
    return replace(table, purses={seat: replace(purse, coins=999) for seat, purse in table.purses.items()})
