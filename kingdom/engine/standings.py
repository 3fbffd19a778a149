"""The final standings of a campaign: its seats ranked by the accounts that it counts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from kingdom.engine.game import Game, Row

S = TypeVar("S")
R = TypeVar("R")


class Standing(Struct, frozen=True):
    """A seat's place, from 1. Seats with equal balances in all counting accounts share a place. figures: account -> balance.

    out: why the seat is no longer in play, "" while it is. Seats out of play rank behind all others.
    """

    place: int
    seat: str
    name: str
    figures: Mapping[str, int]
    out: str = ""


def standings(game: Game[S, R], state: S, rules: R, counts: Sequence[str] = ()) -> list[Standing]:
    """Return a standing for every seat that ever played. counts: the accounts that count, the weightiest first; if empty, the game's."""
    counted = tuple(counts) or game.scoring.counts
    rows = game.scoring.rows(state, rules, counted) if game.scoring.rows else _by_accounts(game, state, rules, counted)
    ranked = sorted(
        (((*_rank(row, counted, game.scoring.fewer), row[0]), row) for row in rows), key=lambda ranked: ranked[0]
    )
    standings: list[Standing] = []
    for index, (rank, row) in enumerate(ranked):
        shared = index and rank[:2] == ranked[index - 1][0][:2]
        standings.append(Standing(standings[-1].place if shared else index + 1, *row))
    return standings


def _rank(row: Row, counted: Iterable[str], fewer: Container[str]) -> tuple[bool, list[int]]:
    """Return the sort key of a seat's place; the smallest ranks first."""
    _, _, figures, out = row
    return bool(out), [figures.get(account, 0) * (1 if account in fewer else -1) for account in counted]


def _by_accounts(game: Game[S, R], state: S, rules: R, counts: Iterable[str]) -> Iterable[Row]:
    """Yield a row with its accounts for every seat in play."""
    for seat in game.seats(state):
        balances = game.accounts(state, seat, rules)
        name = game.sheet(state, seat, rules).get("name") or seat
        yield seat, name, {account: balances.get(account, 0) for account in counts}, ""
