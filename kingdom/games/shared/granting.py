"""What books a correction in a game whose GM grants one thing that it counts: points, vetoes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Order = dict[str, Any]
Tried = Callable[
    [list[Order]], tuple[Any, list[int]]
]  # orders -> (the state when they are done, the numbers of those refused)


def correction(
    account: str,
    key: str,
    seats: Callable[[Any], Iterable[str]],
    accounts: Callable[[Any, str, Any], Mapping[str, int]],
) -> Callable[..., tuple[list[Order], Mapping[str, list[str]]]]:
    """`Game.correction`: a grant for each seat whose account would stand otherwise. key: under which the GM's grant has how much."""

    def granted(
        today: Any, right: Any, rules: Any, reason: str, tried: Tried
    ) -> tuple[list[Order], Mapping[str, list[str]]]:
        due = {
            seat: accounts(right, seat, rules)[account] - accounts(today, seat, rules)[account] for seat in seats(right)
        }
        orders: list[Order] = [{"grant": seat, key: by, "reason": reason} for seat, by in due.items() if by]
        _, refused = tried(orders)
        return [order for number, order in enumerate(orders) if number not in refused], {}

    return granted
