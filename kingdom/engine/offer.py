"""An offer: an order that a seat may give now, with its cost and its effect.

`Game.offers` lists them; forms, reports, editors, bots and random play use that list. An offer with picks is one offer, however
many orders it stands for: its order has a Gap for each value that is picked. `filled` puts values in, `fillings` lists them all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Literal, TypeAlias

from kingdom.engine.named_tuple import NamedTuple

How: TypeAlias = Literal["list", "map", "one"]
LIST: How = "list"  # one item of the list under its key
MAP: How = "map"  # one entry of the map under its key; the order is then (entry, value)
ONE: How = "one"  # the whole of what stands under its key
LISTS = ("many", "ranked", "row")  # kinds of picks of which several values may be picked


class Gap(str):
    """The place in an offer's order for a value that is picked. The text is the pick's name."""


class Beside(NamedTuple):
    """What must be picked beside a value: name of another pick -> values of which none (`unless`), or of which one (`when`)."""

    unless: Mapping[str, Collection[Any]] = {}
    when: Mapping[str, Collection[Any]] = {}

    def holds(self, picked: Picked) -> bool:
        """Return whether it holds of what is picked so far. A pick that comes later rules nothing out."""
        apart = any(picked[other] in values for other, values in self.unless.items() if other in picked)
        return not apart and all(picked[other] in values for other, values in self.when.items() if other in picked)


class Table(NamedTuple):
    """An amount that hangs on what is picked: `of` the offer's costs, effect or uses, that of an account.

    amounts: values of the picks that `by` names -> the amount, 0 for those that are not named.
    """

    of: Literal["costs", "effect", "uses"]
    account: str
    by: tuple[str, ...]
    amounts: Mapping[tuple[Any, ...], int]


class Pick(NamedTuple):
    """Values of which one goes into a gap.

    label: what a form calls it. usual: the value that examples show, None for the first. texts: value -> words, where they are
    not the value itself. means: value -> what stands in the order for it, where it is another. unless: value -> name of another
    pick -> its values beside which this one can't be picked; when: its values of which one must be picked beside this one.
    rows: value -> in place of both, alternatives of which one must hold.
    none: what a form says of picking nothing, "" if something must be picked; the gap's key then falls away.
    kind: "choice"; "many", any of the values, as a list; "ranked", from least to most of them as a list, the first choice first, each
    once; "row", the same, each as often as one likes; "number", from least to most; "text" or "lines", of at most `most` letters.
    Of the last three `values` are examples. unlike: names, small and capital letters alike, that a text must not be.
    needs: value -> rows of facts, of each of which one must hold for it. on_map: the values are places of the game's picture.
    """

    label: str
    values: Sequence[Any]
    usual: Any = None
    texts: Mapping[Any, str] = {}
    means: Mapping[Any, Any] = {}
    unless: Mapping[Any, Mapping[str, Collection[Any]]] = {}
    when: Mapping[Any, Mapping[str, Collection[Any]]] = {}
    none: str = ""
    kind: Literal["choice", "many", "ranked", "row", "number", "text", "lines"] = "choice"
    least: int = 0
    most: int = 0
    on_map: bool = False
    rows: Mapping[Any, Sequence[Beside]] = {}
    unlike: Sequence[str] = ()
    needs: Mapping[Any, Sequence[Sequence[str]]] = {}

    def beside(self, value: Any) -> Sequence[Beside]:
        """Return the alternatives of which one must hold beside that value."""
        return self.rows.get(value) or [Beside(self.unless.get(value, {}), self.when.get(value, {}))]

    def ways(self) -> list[Any]:
        """Return what may be picked: the values, of a pick of several each alone, and None if nothing need be."""
        return [*self.values, *([None] if self.none else [])]


Picks: TypeAlias = Mapping[str, Pick]
NO_PICKS: Picks = {}
Picked: TypeAlias = Mapping[str, Any]  # name of a pick -> the value that was picked, None for nothing


class Offer(NamedTuple):
    """An order that the engine would accept now.

    id: unique among the offers of its seat and turn, and the same each time. key: where it stands in an orders file; how: as
    one of a list, an entry of a map, or the whole. order: its long form. short: its short form, "" where there is none.
    text: what it does, in words. costs: account -> the amount that it takes. effect: account -> the change.
    uses: limit -> the amount that it uses up. excludes: ids of offers that it rules out once it is chosen.
    picks: what goes into the gaps of its order; id, short, text and uses name them in braces. tables: what costs, effect and uses have
    besides, by what is picked.
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
    tables: Sequence[Table] = ()


def filled(order: Any, picked: Picked, picks: Picks = NO_PICKS) -> Any:
    """Return the order with the picked values in its gaps, or what they mean there. A gap of which nothing is picked falls away.

    A gap whose name is not in `picked` stays.
    """
    if isinstance(order, dict):
        values = {key: filled(value, picked, picks) for key, value in order.items()}
        return {key: value for key, value in values.items() if value is not None}
    if isinstance(order, list):
        items = [item for part in order if (item := filled(part, picked, picks)) is not None]
        return items if items or not order else None
    if isinstance(order, tuple):
        return tuple(filled(part, picked, picks) for part in order)
    if not isinstance(order, Gap) or order not in picked:
        return order
    value, pick = picked[order], picks.get(order)
    if pick is None or value is None:
        return value
    meant = pick.means.get(value, value)
    return [meant] if pick.kind in LISTS else meant


def worded(text: str, picked: Picked) -> str:
    """Return a text with the picked values for the names in braces; other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda name: str(picked.get(name[1], name[0])), text)


def fits(picked: Picked, picks: Picks) -> bool:
    """Return whether these values can be picked beside each other."""
    return all(any(row.holds(picked) for row in picks[name].beside(value)) for name, value in picked.items())


def ways(picks: Picks) -> Iterator[dict[str, Any]]:
    """Yield each way to pick a value of each of them that fit each other."""
    for values in product(*(pick.ways() for pick in picks.values())):
        picked = dict(zip(picks, values, strict=True))
        if fits(picked, picks):
            yield picked


def fillings(offer: Offer) -> Iterator[Offer]:
    """Yield an offer without picks for each way to fill this one in: itself, if it has no picks."""
    yield from (filling(offer, picked) for picked in ways(offer.picks)) if offer.picks else [offer]


def filling(offer: Offer, picked: Picked) -> Offer:
    """Return the offer with these values picked."""
    words = ("-" if value is None else str(value) for value in picked.values())
    uses = {worded(limit, picked): amount for limit, amount in offer.uses.items()}
    amounts = {"costs": {**offer.costs}, "effect": {**offer.effect}, "uses": uses}
    for of, account, by, table in offer.tables:
        if amount := table.get(tuple(picked.get(name) for name in by), 0):
            amounts[of][account] = amounts[of].get(account, 0) + amount
    return offer._replace(
        id=" ".join((offer.id, *words)),
        order=filled(offer.order, picked, offer.picks),
        short=worded(offer.short, picked),
        text=worded(offer.text, picked),
        costs=amounts["costs"],
        effect=amounts["effect"],
        uses=amounts["uses"],
        picks=NO_PICKS,
        tables=(),
    )


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
