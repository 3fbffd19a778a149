"""The state of a game at one table: the seats and what each has. Functions change it, book the change, and hide what is secret."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kingdom.engine.dice import GM
from kingdom.engine.step import Turn

P = TypeVar("P", bound="Player")
HIDDEN = -(10**9)  # stands for a number that a seat does not know; no account comes to it, a debt of 1 might


class Player(Struct, frozen=True, kw_only=True):
    """A seat. A game's own class adds fields; ACCOUNTS names the fields that are counted and booked: numbers, or pieces in a tuple."""

    name: str
    ACCOUNTS: ClassVar[tuple[str, ...]] = ()


class TableState(Struct, Generic[P], frozen=True, kw_only=True):
    """The state. seats: in the order in which they sit. ended: why the GM ended the game, "" while it goes on."""

    turn: int = 0
    seats: dict[str, P]
    ended: str = ""


T = TypeVar("T", bound=TableState[Any])
R = TypeVar("R")  # a game's Rules
Piece = TypeVar("Piece")  # a card, or the value of one


def accounts_of(table: T, seat: str, rules: object = None) -> dict[str, int]:
    """The accounts of a seat, as `Game.accounts` gives them. An account of pieces in a tuple is their number."""
    player = table.seats[seat]
    held = {account: getattr(player, account) for account in player.ACCOUNTS}
    return {account: len(value) if isinstance(value, tuple) else value for account, value in held.items()}


def clockwise(table: TableState[Any], seat: str) -> list[str]:
    """The seats clockwise, beginning with that seat."""
    seats = list(table.seats)
    at = seats.index(seat)
    return seats[at:] + seats[:at]


def shuffled(pieces: Iterable[Piece], turn: Turn[Any, Any], name: str) -> list[Piece] | None:
    """The pieces in an order of the rolls of that name, each order equally likely (Fisher and Yates); None if no die is thrown."""
    mixed = list(pieces)
    for last in range(len(mixed) - 1, 0, -1):
        face = turn.roll(GM, name, last + 1)
        if face is None:
            return None
        mixed[last], mixed[face - 1] = mixed[face - 1], mixed[last]
    return mixed


def without(pieces: tuple[Piece, ...], piece: Piece) -> tuple[Piece, ...]:
    """The pieces without one piece that equals this."""
    at = pieces.index(piece)
    return pieces[:at] + pieces[at + 1 :]


def with_player(table: T, seat: str, **fields: Any) -> T:
    """The table with other fields of a player. Accounts change by `gained`, which books them."""
    return replace(table, seats={**table.seats, seat: replace(table.seats[seat], **fields)})


def gained(table: T, turn: Turn[T, R], seat: str, cause: str, detail: str, **amounts: int) -> T:
    """The table after a seat's accounts changed by these amounts, and are booked. What is hidden stays hidden."""
    player = table.seats[seat]
    now = {account: getattr(player, account) for account in amounts}
    after = {account: now[account] + by for account, by in amounts.items() if now[account] != HIDDEN}
    return booked(table, turn, seat, replace(player, **after), cause, detail)


def booked(table: T, turn: Turn[T, R], seat: str, player: Player, cause: str, detail: str) -> T:
    """The table with that player at the seat. What `cause` changed in the accounts is booked."""
    table = replace(table, seats={**table.seats, seat: player})
    turn.book(seat, accounts_of(table, seat), cause, detail)
    return table


def tell(turn: Turn[T, R], seat: str, text: str, besides: Iterable[str] = ()) -> None:
    """Tell a seat what happened, or all. besides: seats that are told in other words."""
    turn.tell(seat, "happened", text=text, **({"besides": list(besides)} if besides else {}))


def hidden_from(table: T, seat: str, players: Mapping[str, Any], on_table: Mapping[str, Any] = {}) -> T:
    """What a seat knows of the table. players: field of other players -> what stands there instead; on_table: the same of the table."""
    seats = {other: player if other == seat else replace(player, **players) for other, player in table.seats.items()}
    return replace(table, seats=seats, **on_table)
