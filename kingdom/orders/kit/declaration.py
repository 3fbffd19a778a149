"""What a game declares of its orders: the keys of an orders file, the refusals, the causes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kingdom.orders.kit.order import AnyOrder, R, S
from kingdom.orders.schema import Shape


def keys(orders: Iterable[AnyOrder[S, R]]) -> dict[str, Shape]:
    """Return key -> shape of these orders, for the game's ORDERS."""
    return {order.key: order.shape for order in orders}


def refusals(orders: Iterable[AnyOrder[S, R]], *others: Mapping[str, str]) -> dict[str, str]:
    """Return code -> sentence of these orders, and of the game's other steps."""
    return _merged([*others, *(order.refusals for order in orders)])


def causes(orders: Iterable[AnyOrder[S, R]], *others: Mapping[str, str]) -> dict[str, str]:
    """Return cause -> words of these orders, and of the game's other steps."""
    return _merged([*others, *(order.causes for order in orders)])


def _merged(tables: Iterable[Mapping[str, str]]) -> dict[str, str]:
    words: dict[str, str] = {}
    for table in tables:
        twice = [word for word, text in table.items() if words.get(word, text) != text]
        assert not twice, f"declared twice: {', '.join(twice)}"
        words.update(table)
    return words
