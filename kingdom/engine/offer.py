"""An offer: an order that a seat may give now, with its cost and its effect.

`Game.offers` lists them; forms, reports, editors, bots and random play use that list. An offer with picks is one offer, however
many orders it stands for: its order has a Gap for each value that is picked. `filled` puts values in, `fillings` lists them all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Literal, TypeAlias

from kingdom.engine.named_tuple import NamedTuple

How: TypeAlias = Literal["list", "map", "one"]
LIST: How = "list"  # one item of the list under its key
MAP: How = "map"  # one entry of the map under its key; the order is then (entry, value)
ONE: How = "one"  # the whole of what stands under its key


class Gap(str):
    """The place in an offer's order for a value that is picked. The text is the pick's name."""


class Pick(NamedTuple):
    """Values of which one goes into a gap.

    label: what a form calls it. usual: the value that examples show, None for the first. texts: value -> words, where they are
    not the value itself. means: value -> what stands in the order for it, where it is another. unless: value -> name of another
    pick -> its values beside which this one can't be picked.
    """

    label: str
    values: Sequence[Any]
    usual: Any = None
    texts: Mapping[Any, str] = {}
    means: Mapping[Any, Any] = {}
    unless: Mapping[Any, Mapping[str, Collection[Any]]] = {}


Picks: TypeAlias = Mapping[str, Pick]
NO_PICKS: Picks = {}
Picked: TypeAlias = Mapping[str, Any]  # name of a pick -> the value that was picked


class Offer(NamedTuple):
    """An order that the engine would accept now.

    id: unique among the offers of its seat and turn, and the same each time. key: where it stands in an orders file; how: as
    one of a list, an entry of a map, or the whole. order: its long form. short: its short form, "" where there is none.
    text: what it does, in words. costs: account -> the amount that it takes. effect: account -> the change.
    uses: limit -> the amount that it uses up. excludes: ids of offers that it rules out once it is chosen.
    picks: what goes into the gaps of its order; id, short, text and uses name them in braces.
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
    picks: Picks = NO_PICKS


def filled(order: Any, picked: Picked, picks: Picks = NO_PICKS) -> Any:
    """Return the order with the picked values in its gaps, or what they mean there."""
    if isinstance(order, dict):
        return {key: filled(value, picked, picks) for key, value in order.items()}
    if isinstance(order, list):
        return [filled(value, picked, picks) for value in order]
    if isinstance(order, Gap):
        value = picked[order]
        return picks[order].means.get(value, value) if order in picks else value
    return order


def worded(text: str, picked: Picked) -> str:
    """Return a text with the picked values for the names in braces; other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda name: str(picked.get(name[1], name[0])), text)


def fits(picked: Picked, picks: Picks) -> bool:
    """Return whether these values can be picked beside each other."""
    return not any(
        picked.get(other) in values
        for name, value in picked.items()
        for other, values in picks[name].unless.get(value, {}).items()
    )


def fillings(offer: Offer) -> Iterator[Offer]:
    """Yield an offer without picks for each way to fill this one in: itself, if it has no picks."""
    if not offer.picks:
        yield offer
        return
    for values in product(*(pick.values for pick in offer.picks.values())):
        picked = dict(zip(offer.picks, values, strict=True))
        if fits(picked, offer.picks):
            yield filling(offer, picked)


def filling(offer: Offer, picked: Picked) -> Offer:
    """Return the offer with these values picked."""
    return offer._replace(
        id=" ".join((offer.id, *map(str, picked.values()))),
        order=filled(offer.order, picked, offer.picks),
        short=worded(offer.short, picked),
        text=worded(offer.text, picked),
        uses={worded(limit, picked): amount for limit, amount in offer.uses.items()},
        picks={},
    )


def count_fillings(offer: Offer) -> int:
    """Return how many orders the offer stands for."""
    if any(pick.unless for pick in offer.picks.values()):
        return sum(1 for _ in fillings(offer))
    return prod(len(pick.values) for pick in offer.picks.values())


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
