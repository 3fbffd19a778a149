"""An offer: an order that a seat may give as things stand, with what it costs and what it would change.

Every game has one function that lists them, `Game.offers`; forms, reports, editors, bots and random play draw on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

How: TypeAlias = Literal["list", "map", "one"]
LIST: How = "list"  # one item of the list under its key
MAP: How = "map"  # one entry of the map under its key; the order is then (entry, value)
ONE: How = "one"  # the whole of what stands under its key


class Offer(NamedTuple):
    """An order that the engine would accept as things stand.

    id: names it among the offers of its seat and turn, the same each time. key: where it stands in an orders file; how: as
    one of a list, an entry of a map, or the whole. order: its long form. short: its short form, "" where there is none.
    text: what it does, in words. costs: account -> what it takes of it. effect: account -> by how much it would change.
    uses: limit -> how much of it this uses up. excludes: ids of offers that it rules out once it is chosen.
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

    def effect_line(self) -> str:
        """What it would change, in a line: `Economy +1, Loyalty +1`."""
        return ", ".join(
            f"{account.replace('_', ' ').capitalize()} {by:+}" for account, by in self.effect.items() if by
        )


def together(chosen: Iterable[Offer], head: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Orders in the long form that hold what these offers stand for, in their order, behind `head`."""
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
