"""What books a correction in a game whose GM grants one thing that it counts: points, vetoes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, TypeVar

S = TypeVar("S")  # a game's State
R = TypeVar("R")  # a game's Rules
Order: TypeAlias = dict[str, str | int]  # a grant of the GM in the long form
Tried: TypeAlias = Callable[
    [list[Order]], tuple[S, list[int]]
]  # orders -> (the state after them, the numbers of those refused)
Corrected: TypeAlias = tuple[list[Order], Mapping[str, list[str]]]  # orders, and what no order can set right
Correction: TypeAlias = Callable[
    [S, S, R, str, Tried[S]], Corrected
]  # (state today, as it should be, rules, reason, tried)


def correction(
    account: str,
    key: str,
    seats: Callable[[S], Iterable[str]],
    accounts: Callable[[S, str, R], Mapping[str, int]],
) -> Correction[S, R]:
    """`Game.correction`: a grant for each seat whose account would stand otherwise. key: under which the GM's grant has how much."""

    def granted(today: S, right: S, rules: R, reason: str, tried: Tried[S]) -> Corrected:
        due = {
            seat: accounts(right, seat, rules)[account] - accounts(today, seat, rules)[account] for seat in seats(right)
        }
        orders: list[Order] = [{"grant": seat, key: by, "reason": reason} for seat, by in due.items() if by]
        _, refused = tried(orders)
        return [order for number, order in enumerate(orders) if number not in refused], {}

    return granted
