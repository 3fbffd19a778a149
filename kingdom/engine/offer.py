"""An offer: an order that a seat may give now, with its cost and its effect.

`Game.offers` lists them; forms, reports, editors, bots and random play use that list. An offer with picks stands for many
orders: its order has a Gap for each value that is picked. `filled` puts values in, `fillings` lists them all.
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
ONE: How = "one"  # the whole value under its key
LISTS = ("many", "ranked", "row")  # kinds of picks that allow several values


class Gap(str):
    """The place in an offer's order for a value that is picked. The text is the pick's name."""


class Beside(NamedTuple):
    """A condition of a value on other picks: name of another pick -> values of which none may be picked (`unless`), or one must
    be picked (`when`)."""

    unless: Mapping[str, Collection[Any]] = {}
    when: Mapping[str, Collection[Any]] = {}

    def holds(self, picked: Picked) -> bool:
        """Return whether the condition holds for the picks so far. A pick that is still to come rules nothing out."""
        apart = any(picked[other] in values for other, values in self.unless.items() if other in picked)
        return not apart and all(picked[other] in values for other, values in self.when.items() if other in picked)


class Table(NamedTuple):
    """An amount that depends on picks: an account's amount in the offer's `of`: costs, effect or uses.

    amounts: values of the picks that `by` names -> the amount, 0 for values that are not listed.
    """

    of: Literal["costs", "effect", "uses"]
    account: str
    by: tuple[str, ...]
    amounts: Mapping[tuple[Any, ...], int]


class Pick(NamedTuple):
    """The values for a gap.

    label: its name in a form. usual: the value that examples show, None for the first. texts: value -> its words, if they are
    not the value itself. means: value -> the value that the order gets, if it is another one. unless: value -> name of another
    pick -> values with which this value can't be picked; when: the same, values of which one must be picked with this value.
    rows: value -> alternatives in place of both; one of them must hold. none: a form's words for picking nothing, "" if
    something must be picked; picking nothing leaves out the gap's key. kind: "choice": one value; "many": any of the values, as
    a list; "ranked": from `least` to `most` of them as a list, the first choice first, each once; "row": the same, but each any
    number of times; "number", from least to most; "text" or "lines", of at most `most` letters. Of the last three `values` are
    examples. unlike: names that a text must not equal; capitals make no difference. needs: value -> rows of facts; of each row
    one fact must hold. on_map: the values are places of the game's picture.
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
        """Return the alternative conditions of that value; one of them must hold."""
        return self.rows.get(value) or [Beside(self.unless.get(value, {}), self.when.get(value, {}))]

    def ways(self) -> list[Any]:
        """Return what may be picked: each value by itself, even in a pick of several, and None if nothing need be picked."""
        return [*self.values, *([None] if self.none else [])]


Picks: TypeAlias = Mapping[str, Pick]
NO_PICKS: Picks = {}
Picked: TypeAlias = Mapping[str, Any]  # name of a pick -> the value that was picked, None for nothing


class Offer(NamedTuple):
    """An order that the engine would accept now.

    id: unique among the offers of its seat and turn, and the same each time. key: its key in an orders file; how: as one of a
    list, an entry of a map, or the whole value. order: its long form. short: its short form, "" for none. text: its effect in
    words. costs: account -> the amount that it takes. effect: account -> the change. uses: limit -> the amount that it uses up.
    excludes: ids of offers that it rules out if it is chosen. picks: the values for the gaps of its order; id, short, text and
    uses name them in braces. tables: additional costs, effect and uses that depend on the picks.
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
    """Return the order with the picked values, or their meanings, in its gaps. A gap for which nothing is picked is left out.

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
    """Return whether these values can be picked together."""
    return all(any(row.holds(picked) for row in picks[name].beside(value)) for name, value in picked.items())


def ways(picks: Picks) -> Iterator[dict[str, Any]]:
    """Yield each way to pick a value from every pick so that all fit together."""
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
    """Return the orders of these offers as one orders file in the long form, added to `head` in the given order."""
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
