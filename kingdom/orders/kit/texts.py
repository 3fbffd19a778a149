"""The order form as text, below its head: what is asked as remarks, and examples behind a #."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from textwrap import wrap
from typing import Any

from kingdom.engine.offer import LIST, MAP, filled, fits
from kingdom.engine.regex import regex
from kingdom.orders import yaml_out
from kingdom.orders.kit.kinds import Plan, Sequence
from kingdom.orders.kit.offering import possible
from kingdom.orders.kit.order import AnyOrder, Candidate, Now, R, S, Wanted
from kingdom.orders.orders_file import text_of
from kingdom.orders.schema import ListOf, Record, Shape

FOOT = ('#messages: {all: "..."}', "#final: true")
COLUMNS = 78
_TYPED = regex(r"`([^`\n]+)`")


def text_form(wanted: Iterable[Wanted[S, R]]) -> list[str]:
    """Return the lines. Examples are all candidates of a required kind, some of a sequence, the first of any other kind."""
    lines = list[str]()
    for kind, now in wanted:
        lines += remark(kind.asks(now))
        candidates = list(possible(kind, now))
        examples = [_example(candidate) for candidate in candidates if not candidate.open]
        if isinstance(kind, Plan):
            lines += _block(kind, examples)
        elif isinstance(kind, Sequence):
            checked = any(candidate.checked for candidate in candidates)  # the game asked for objections itself
            lines += _block(kind, examples if kind.stops or checked else _together(kind, now, examples))
        elif (shown := examples[: kind.shows(now)]) and kind.how == MAP and len(shown) > 1:
            lines += [f"#{kind.key}:", *(f"#  {word}: {yaml_out.flow(value)}" for word, value in shown)]
        elif shown:
            lines.append(_line(kind, shown))
        on_condition = [_example(candidate) for candidate in candidates if candidate.open][:1]
        lines += ["# or, on a condition:"] if examples and on_condition else []
        lines += [_line(kind, on_condition)] if on_condition else []
    return [*lines, *FOOT]


def remark(text: str) -> list[str]:
    """Return the text as lines behind a #. What is to be typed stands between quotes."""
    return wrap(_TYPED.sub(r'"\1"', text), COLUMNS, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def example(kind: AnyOrder[S, R], now: Now[S, R]) -> Any:
    """Return what a text form shows under the kind's key, in the long form; None if nothing can be ordered."""
    plain = (candidate for candidate in possible(kind, now) if not candidate.open)
    examples = [_example(candidate) for candidate in islice(plain, kind.shows(now))]  # others are not worked out
    return _under_key(kind, examples) if examples else None


def _example(candidate: Candidate) -> Any:
    """Return the order with the usual values in its gaps, or the first ones that go together."""
    if candidate.shown is not None:
        return candidate.shown
    picked: dict[str, Any] = {}
    for name, pick in candidate.picks.items():
        values = [value for value in (pick.usual, *pick.values) if value in pick.values]
        together = (value for value in values if fits({**picked, name: value}, candidate.picks))
        picked[name] = next(together, None)
    return filled(candidate.order, picked, candidate.picks)


def _line(kind: AnyOrder[S, R], examples: list[Any]) -> str:
    value = _under_key(kind, examples)
    return f"#{kind.key}: {text_of(kind.shape, value) or yaml_out.flow(value)}"


def _under_key(kind: AnyOrder[S, R], orders: list[Any]) -> Any:
    return orders if kind.how == LIST else dict(orders) if kind.how == MAP else orders[0]


def _together(kind: Sequence[S, R, Any], now: Now[S, R], examples: Iterable[Any]) -> list[Any]:
    """Return examples that can all be ordered, one behind the other, since a player may take away each #."""
    listed = list[Any]()
    for order in examples:
        behind = kind.behind(now, {kind.key: listed})
        if behind and kind.objection(behind, order) is None:
            listed.append(order)
    return listed


def _block(kind: Sequence[S, R, Any] | Plan[S, R, Any], examples: list[Any]) -> list[str]:
    """Return some of the possible next orders, evenly spread, each in a line; an order in parts has a line for each part."""
    step = max(1, len(examples) // kind.examples)
    shown = [_in_short(kind.shape, [order]) for order in examples[::step][: kind.examples]]
    lines = [line for (order,) in shown for line in _lines(order)]
    return [f"#{kind.key}:  # possible now, for example:", *lines] if shown else []


def _lines(order: Any) -> list[str]:
    if not isinstance(order, dict):
        return [f"#  - {order}"]
    parts = enumerate(order.items())
    return [f"#  {'  ' if number else '- '}{key}: {yaml_out.flow(part)}" for number, (key, part) in parts]


def _in_short(shape: Shape, value: Any) -> Any:
    """Return the value, with the short form of each part that has one."""
    if not isinstance(shape, ListOf) and (text := text_of(shape, value)) is not None:
        return text.strip()
    if isinstance(shape, Record) and isinstance(value, dict):
        return {key: _in_short(shape.keys[key], part) for key, part in value.items()}
    if isinstance(shape, ListOf) and isinstance(value, list):
        return [_in_short(shape.of, part) for part in value]
    return value
