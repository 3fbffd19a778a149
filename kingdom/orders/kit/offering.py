"""What a seat may order: the candidates to which there is no objection, each once, however many ways there are to fill it in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any

from kingdom.engine.offer import Offer, Pick, filled, fits
from kingdom.engine.step import Orders
from kingdom.orders.kit.kinds import Sequence
from kingdom.orders.kit.order import AnyOrder, Candidate, Now, R, S
from kingdom.orders.orders_file import text_of
from kingdom.orders.schema import ListOf, Shape

Pair = tuple[str, Any, str, Any]  # a pick, its value, another pick, its value


def offers(kind: AnyOrder[S, R], now: Now[S, R], orders: Orders | None = None) -> list[Offer]:
    """Return what the seat may order of this kind. orders: those filed before it; what is among them is offered no more."""
    if isinstance(kind, Sequence):
        behind = kind.behind(now, orders or {})
        if behind is None:
            return []
        now = behind
    filed = [] if isinstance(kind, Sequence) else [order for _, order in kind.filed(orders or {})]
    return [
        _offer(kind, candidate)
        for candidate in possible(kind, now)
        if not candidate.open and candidate.order not in filed
    ]


def possible(kind: AnyOrder[S, R], now: Now[S, R], later: bool = False) -> Iterator[Candidate]:
    """Yield the candidates that can be carried out, with those values in their picks that can be picked.

    later: those too that need what only another choice gives. Their facts say when they can be carried out, not the objection.
    """
    for candidate in kind.candidates(now):
        if candidate.open or candidate.checked or (later and candidate.needs):
            yield candidate
        elif not candidate.picks:
            if kind.objection(now, candidate.order) is None:
                yield candidate
        elif picks := _checked(kind, now, candidate):
            yield candidate._replace(picks=picks)


def _checked(kind: AnyOrder[S, R], now: Now[S, R], candidate: Candidate) -> dict[str, Pick]:
    """Return the picks with the values that go into some order, and by twos those that never go into one together; {}: none does."""
    picks, allowed = candidate.picks, set[tuple[Any, ...]]()
    for values in product(*(pick.values for pick in picks.values())):
        picked = dict(zip(picks, values, strict=True))
        if fits(picked, picks) and kind.objection(now, filled(candidate.order, picked, picks)) is None:
            allowed.add(values)
    if not allowed:
        return {}
    names, together = list(picks), set[Pair]()
    for values in allowed:
        for (one, value), (other, beside) in combinations(zip(names, values, strict=True), 2):
            together |= {(one, value, other, beside), (other, beside, one, value)}
    left = {
        name: [value for value in picks[name].values if any(values[place] == value for values in allowed)]
        for place, name in enumerate(names)
    }
    return {
        name: pick._replace(
            values=left[name],
            unless={value: unless for value in left[name] if (unless := _unless(name, value, left, together))},
        )
        for name, pick in picks.items()
    }


def _unless(name: str, value: Any, left: Mapping[str, list[Any]], together: set[Pair]) -> dict[str, list[Any]]:
    """Return name of another pick -> its values that never go together with this one."""
    apart = {
        other: [beside for beside in values if (name, value, other, beside) not in together]
        for other, values in left.items()
        if other != name
    }
    return {other: values for other, values in apart.items() if values}


def _offer(kind: AnyOrder[S, R], candidate: Candidate) -> Offer:
    short = "" if candidate.picks else short_form(kind, candidate.order) or ""
    return Offer(
        candidate.id, kind.key, kind.how, candidate.order, short, candidate.said or candidate.text, candidate.costs, candidate.effect,
        {**candidate.uses, **candidate.limits},
        tuple(candidate.against), candidate.picks,
    )  # fmt: skip


def short_form(kind: AnyOrder[S, R], order: Any) -> str | None:
    """Return one order in its short form, None if it has none."""
    shape: Shape = kind.shape.of if isinstance(kind.shape, ListOf) else kind.shape
    return text_of(shape, order)
