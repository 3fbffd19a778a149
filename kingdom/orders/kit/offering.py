"""What a seat may order: the candidates without an objection, each one offer, however many ways there are to fill in its gaps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, TypeAlias

from kingdom.engine.offer import LIST, MAP, ONE, Beside, Gap, Offer, Pick, Picked, Picks, filled, ways, worded
from kingdom.engine.step import Orders
from kingdom.orders.kit import kinds
from kingdom.orders.kit.order import AnyOrder, Candidate, Now, R, S
from kingdom.orders.orders_file import text_of
from kingdom.orders.schema import ListOf, Shape


def offers(
    kind: AnyOrder[S, R], now: Now[S, R], orders: Orders | None = None, among: Iterable[Candidate] | None = None
) -> list[Offer]:
    """Return what the seat may order of this kind. orders: the orders that it has already, which are offered no more.

    among: the candidates that are looked at, None for all.
    """
    return list(one_by_one(kind, now, orders, among, short=True))


def one_by_one(
    kind: AnyOrder[S, R],
    now: Now[S, R],
    orders: Orders | None = None,
    among: Iterable[Candidate] | None = None,
    short: bool = False,
) -> Iterator[Offer]:
    """Yield the same offers: those that nobody asks for are not worked out. short: with their short forms."""
    behind = kind.behind(now, orders or {}) if isinstance(kind, kinds.Sequence) else now
    filed = [] if kind.again else [_what(kind, order) for _, order in kind.filed(orders or {})]
    for candidate in possible(kind, behind, among=among) if behind else ():
        if not candidate.open and _what(kind, candidate.order) not in filed:
            form = short_form(kind, candidate.order) if short and not candidate.picks else None
            yield _offer(kind, candidate, form or "")


def _what(kind: AnyOrder[S, R], order: Any) -> Any:
    """Return what an order and all that exclude it have in common: the word of a map's entry, the key of a single order, else the order."""
    return order[0] if kind.how == MAP else kind.key if kind.how == ONE else order


def possible(
    kind: AnyOrder[S, R], now: Now[S, R], later: bool = False, among: Iterable[Candidate] | None = None
) -> Iterator[Candidate]:
    """Yield the candidates that can be carried out, each with the values that can be picked.

    later: also candidates that need what only another choice gives. Their facts say when they can be carried out, not the objection.
    Raises ValueError for a Gap without a Pick.
    """
    if among is None:
        among = kind.on_page(now) if later else kind.candidates(now)
    for candidate in among:
        if candidate.open or candidate.checked or (later and candidate.needs):
            yield candidate
            continue
        if missing := [gap for gap in _gaps(candidate.order) if gap not in candidate.picks]:
            picks = ", ".join(candidate.picks) or "nothing"
            raise ValueError(
                f"a candidate of {kind.key}, {candidate.id!r}, has a Gap {missing[0]!r} and picks for {picks}"
            )
        if not candidate.picks:
            if kind.objection(now, candidate.order) is None:
                yield candidate
        else:
            yield from _checked(kind, now, candidate)


def _checked(kind: AnyOrder[S, R], now: Now[S, R], candidate: Candidate) -> Iterator[Candidate]:
    """Yield the candidate, its picks limited to what the objection allows."""
    tried = list(ways(candidate.picks))
    orders = (filled(candidate.order, picked, candidate.picks) for picked in tried)
    allowed = [picked for picked, order in zip(tried, orders, strict=True) if kind.objection(now, order) is None]
    if len(allowed) == len(tried) > 0:
        yield candidate
    else:
        yield from controls(candidate, allowed)


def _gaps(order: Any) -> Iterator[Gap]:
    if isinstance(order, Gap):
        yield order
    elif isinstance(order, dict | list | tuple):
        for part in order.values() if isinstance(order, dict) else order:
            yield from _gaps(part)


def controls(candidate: Candidate, allowed: Sequence[Picked]) -> Iterator[Candidate]:
    """Yield the candidate with picks that can be filled in by just these ways: by twos, what never goes together is said as data.

    What can't be said by twos, since only three together are ruled out, becomes a candidate by itself for a value of the first pick.
    Where many values are apart that makes many controls, so look at the size of the page.
    """
    if not allowed:
        return
    picks = _by_twos(candidate.picks, allowed)
    said = list(ways(picks))
    if len(said) == len(allowed):
        yield candidate._replace(picks=picks)
        return
    name, first = next(iter(candidate.picks.items()))
    apart = {value for value in first.ways() if _count(name, value, said) != _count(name, value, allowed)}
    yield from controls(candidate, [picked for picked in allowed if picked[name] not in apart])
    for value in (value for value in first.ways() if value in apart):
        part, word = {name: value}, first.none if value is None else first.texts.get(value, str(value))
        with_value = [dict(picked) for picked in allowed if picked[name] == value]
        rest = [{other: picked[other] for other in picked if other != name} for picked in with_value]
        yield from controls(candidate._replace(
            id=f"{candidate.id} {'-' if value is None else value}", text=f"{candidate.text}, {word}",
            order=filled(candidate.order, part, candidate.picks), said=worded(candidate.said, part),
            uses={worded(limit, part): amount for limit, amount in candidate.uses.items()},
            picks={other: pick for other, pick in candidate.picks.items() if other != name},
        ), rest)  # fmt: skip


def _count(name: str, value: Any, picked: Iterable[Picked]) -> int:
    return sum(1 for way in picked if way[name] == value)


def _by_twos(picks: Picks, allowed: Iterable[Picked]) -> dict[str, Pick]:
    """Return the picks with the values that occur in `allowed`; `unless` and `when` rule out the pairs of values that do not."""
    together = {
        (one, value, other, beside)
        for picked in allowed
        for one, value in picked.items()
        for other, beside in picked.items()
    }
    made = dict[str, Pick]()
    for name, pick in picks.items():
        left = [value for value in pick.values if (name, value, name, value) in together]
        none = pick.none if (name, None, name, None) in together else ""
        made[name] = pick._replace(values=left, none=none, unless={}, when={})
    for name, pick in made.items():
        unless, when = dict[Any, dict[str, list[Any]]](), dict[Any, dict[str, list[Any]]]()
        for value in pick.values:
            for other in (other for other in made if other != name):
                beside = [word for word in made[other].values if (name, value, other, word) in together]
                if made[other].none and (name, value, other, None) not in together:
                    when.setdefault(value, {})[other] = beside
                elif len(beside) < len(made[other].values):
                    apart = [word for word in made[other].values if word not in beside]
                    unless.setdefault(value, {})[other] = apart
        made[name] = pick._replace(unless=unless, when=when)
    return made


def behind_one(name: str, allowed: Mapping[Any, Collection[Any]]) -> dict[Any, list[Beside]]:
    """Return the values of a pick that comes behind another, each with what must be picked there (`Pick.rows`).

    name: of the pick before it. allowed: value of that pick, None for nothing -> the values that are allowed behind it.
    """
    return behind_two((name, ""), {(first, None): values for first, values in allowed.items()})


def behind_two(names: tuple[str, str], allowed: Mapping[tuple[Any, Any], Collection[Any]]) -> dict[Any, list[Beside]]:
    """Return the values of a pick that comes behind two others, each with the alternatives of which one must be picked there.

    Together they allow just the allowed ways, each as many as it can. allowed: as for one, for each pair that can be picked.
    """
    bit = {last: 1 << number for number, last in enumerate(dict.fromkeys(last for _, last in allowed))}
    # value of the first pick -> the values that may be picked behind it, as bits
    every, alike = dict[Any, int](), dict[tuple[Any, ...], dict[Any, int]]()
    for (first, last), values in allowed.items():
        every[first] = every.get(first, 0) | bit[last]
        masks = alike.setdefault(tuple(values), {})
        masks[first] = masks.get(first, 0) | bit[last]
    open_to = dict[Any, dict[Any, int]]()
    for values, masks in alike.items():
        for value in values:
            of_value = open_to.setdefault(value, {})
            for first, bits in masks.items():
                of_value[first] = of_value.get(first, 0) | bits

    def listed(bits: int) -> list[Any]:
        return [last for last in bit if bit[last] & bits]

    return {
        value: [
            _beside({names[0]: firsts, names[1]: (listed(need), listed(shut))})
            for firsts, need, shut in _covering(masks, every)
        ]
        for value, masks in open_to.items()
    }


Parted: TypeAlias = tuple[list[Any], list[Any]]  # values of a pick: the needed values, the values that are shut out


def _covering(open_to: Mapping[Any, int], every: Mapping[Any, int]) -> Iterator[tuple[Parted, int, int]]:
    """Yield rows that together cover what is open: the first picks, and bits of the others, that a row needs and shuts out."""
    shut = {first: bits & ~open_to.get(first, 0) for first, bits in every.items()}
    left = dict(open_to)
    while left:
        widest = max(left, key=lambda first: left[first].bit_count())
        rows = list[tuple[int, int, list[Any]]]()
        for among in (~shut[widest], open_to[widest]):
            firsts = [first for first in open_to if among & open_to[first] and not among & shut[first]]
            rows.append((sum((left.get(first, 0) & among).bit_count() for first in firsts), among, firsts))
        _, among, firsts = max(rows, key=lambda row: row[0])
        apart = [first for first in every if among & shut[first]]
        need = reduce(or_, (open_to[first] & among for first in firsts))
        yield (firsts, apart), need, reduce(or_, (bits for first, bits in shut.items() if first not in apart))
        left = {first: rest for first, bits in left.items() if (rest := bits & ~among if first in firsts else bits)}


def _beside(picks: Mapping[str, Parted]) -> Beside:
    """Return the condition by the shorter of both lists. None, nothing picked, can stand in neither."""
    unless, when = dict[str, list[Any]](), dict[str, list[Any]]()
    for name, (need, shut) in picks.items():
        if None not in shut and (None in need or len(shut) <= len(need)):
            unless |= {name: shut} if shut else {}
        else:
            when[name] = need
    return Beside(unless, when)


def _offer(kind: AnyOrder[S, R], candidate: Candidate, short: str) -> Offer:
    return Offer(
        candidate.id, kind.key, kind.how, candidate.order, short, candidate.said or candidate.text, candidate.costs, candidate.effect,
        {**candidate.uses, **candidate.limits},
        tuple(candidate.against), candidate.picks, candidate.tables,
    )  # fmt: skip


def short_form(kind: AnyOrder[S, R], order: Any) -> str | None:
    """Return one order in its short form; None if it has no short form."""
    shape: Shape = kind.shape.of if kind.how == LIST and isinstance(kind.shape, ListOf) else kind.shape
    return text_of(shape, order)
