"""An offer: an order that a seat may give now, with its cost and its effect.

`Game.offers` lists them; forms, reports, editors, bots and random play use that list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from kingdom.engine.named_tuple import NamedTuple

How: TypeAlias = Literal["list", "map", "one"]
LIST: How = "list"  # one item of the list under its key
MAP: How = "map"  # one entry of the map under its key; the order is then (entry, value)
ONE: How = "one"  # the whole of what stands under its key


class Offer(NamedTuple):
    """An order that the engine would accept now.

    id: unique among the offers of its seat and turn, and the same each time. key: where it stands in an orders file; how: as
    one of a list, an entry of a map, or the whole. order: its long form. short: its short form, "" where there is none.
    text: what it does, in words. costs: account -> the amount that it takes. effect: account -> the change.
    uses: limit -> the amount that it uses up. excludes: ids of offers that it rules out once it is chosen.
    """

    id: str
    key: str
    how: How
    order: Any
    short: str
    text: str
    costs: Mapping[str, int] = {}
    effect: Mapping[str, int] = {}
    uses: Mapping[str, int] = {}
    excludes: tuple[str, ...] = ()


def together(chosen: Iterable[Offer], head: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the orders of these offers as one orders file in the long form, in their order, below `head`."""
    orders: dict[str, Any] = dict(head or {})
    for offer in chosen:
        if offer.how == LIST:
            orders[offer.key] = [*orders.get(offer.key, ()), offer.order]
        elif offer.how == MAP:
            entry, value = offer.order
            orders[offer.key] = {**orders.get(offer.key, {}), entry: value}
        else:
            orders[offer.key] = offer.order
    return orders
