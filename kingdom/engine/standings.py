"""The final standings of a campaign: the seats by what it counts, the first first."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kingdom.engine.game import Game


class Standing(NamedTuple):
    """A seat's place, from 1; those that have the same of all that counts share one. figures: account -> balance.

    out: why it is no longer in play, "" while it is; who is out of play comes behind all who are in it.
    """

    place: int
    seat: str
    name: str
    figures: Mapping[str, int]
    out: str = ""


def standings(game: Game, state: Any, rules: Any, counts: Sequence[str] = ()) -> list[Standing]:
    """Every seat that ever played. counts: the accounts that count, the weightiest first; none leaves that to the game."""
    counted = tuple(counts) or game.scoring.counts
    rows = sorted(
        (game.scoring.rows or _by_accounts(game))(state, rules, counted),
        key=lambda row: _key(row, counted, game.scoring.fewer),
    )
    places: list[int] = []
    for index, row in enumerate(rows):
        same = (
            index
            and _key(row, counted, game.scoring.fewer)[:2] == _key(rows[index - 1], counted, game.scoring.fewer)[:2]
        )
        places.append(places[-1] if same else index + 1)
    return [Standing(place, *row) for place, row in zip(places, rows)]


def _key(row: Sequence[Any], counted: Iterable[str], fewer: Container[str]) -> tuple[bool, list[int], str]:
    seat, _, figures, out = row
    return bool(out), [figures.get(account, 0) * (1 if account in fewer else -1) for account in counted], seat


def _by_accounts(game: Game) -> Any:
    def rows(state: Any, rules: Any, counts: Iterable[str]) -> list[tuple[str, str, dict[str, int], str]]:
        found = []
        for seat in game.seats(state):
            balances = game.accounts(state, seat, rules)
            name = game.sheet(state, seat, rules).get("name") or seat
            found.append((seat, name, {account: balances.get(account, 0) for account in counts}, ""))
        return found

    return rows
