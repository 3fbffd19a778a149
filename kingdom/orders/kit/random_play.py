"""Random play: orders drawn from what is offered, each pick by itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kingdom.engine.game import Chance
from kingdom.engine.offer import Offer, filling, fits, together
from kingdom.engine.step import Orders
from kingdom.orders.kit.kinds import FirstOf, Plan, Sequence
from kingdom.orders.kit.offering import offers
from kingdom.orders.kit.order import Now, R, S, Wanted
from kingdom.orders.kit.steps import Trial

ONE_IN = 4  # an order that the seat may leave out is given once in so many times
MOST = 40  # most orders of a sequence


def at_random(wanted: Iterable[Wanted[S, R]], chance: Chance) -> dict[str, Any]:
    """Return orders in the long form.

    Of a required kind an order for each thing that can be taken once, in any order; of a sequence as many as are possible; else one at most.
    """
    orders: dict[str, Any] = {}
    for kind, now in wanted:
        if isinstance(kind, Sequence):
            orders |= {kind.key: listed} if (listed := _in_sequence(kind, now, chance, orders)) else {}
            continue
        left = offers(kind, now) if kind.required or chance(kind.key, ONE_IN) == 1 else []
        while left:
            offer = left.pop(chance("offer", len(left)) - 1)
            drawn = draw(offer, chance)
            if drawn is None:
                continue
            orders |= together([drawn], orders)
            others = kind.required and not isinstance(kind, FirstOf | Plan)  # one alternative is enough
            left = [other for other in left if others and not offer.uses.keys() & other.uses.keys()]
    return orders


def _in_sequence(kind: Sequence[S, R, Any], now: Now[S, R], chance: Chance, orders: Orders) -> list[Any]:
    """Return orders one after the other, each drawn from what is offered behind the orders before it. orders: those of the kinds before it."""
    listed, trial, behind = list[Any](), Trial[S, R](now.rules), kind.behind(now, orders)
    while behind and len(listed) < MOST and (offered := offers(kind, behind)):
        drawn = draw(offered[chance("offer", len(offered)) - 1], chance)
        if drawn is None:
            break
        listed.append(drawn.order)
        behind = behind._replace(state=kind.carry_out(behind, drawn.order, trial))
    return listed


def draw(offer: Offer, chance: Chance) -> Offer | None:
    """Return the offer with a value drawn for each pick that fits those drawn before it; None if no value does."""
    picked: dict[str, Any] = {}
    for name, pick in offer.picks.items():
        values = [value for value in pick.ways() if fits({**picked, name: value}, offer.picks)]
        if not values:
            return None
        picked[name] = values[chance(name, len(values)) - 1]
    return filling(offer, picked) if picked else offer
