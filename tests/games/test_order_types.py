"""The types of a game's orders: true of all that may be ordered."""

from __future__ import annotations

import importlib
from collections import abc
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from types import ModuleType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine import game as games
from kingdom.engine.offer import LIST, MAP
from kingdom.games.realm.files import KINGDOM, Start
from kingdom.games.realm.orders import rulings, settle, to_armies, works
from kingdom.games.realm.orders.declaration import ORDERS
from kingdom.orders import tables
from kingdom.orders.kit import Order
from tests.games import example
from tests.kit import orderkit
from tests.kit.examples import tries

# what is read although it is never carried out: a figure in words, whose refusal names the figures that the question takes
READ = {("realm", "answers"): str | Mapping[str, int | str]}
# of the kingdom game's orders that no class tells yet, and of a kingdom's file: key -> the type of the long form
REALM = {
    "build": list[works.Build],
    "armies": list[to_armies.Armies],
    "tell": list[rulings.Tell],
    "kingdom": Start,
}


def place_of_orders(name: str) -> ModuleType:
    """The module in which a game declares its orders."""
    for place in ("orders.declaration", "orders", "game"):
        with suppress(ModuleNotFoundError):
            return importlib.import_module(f"kingdom.games.{name}.{place}")
    raise AssertionError(name)


def typed_orders() -> Iterator[Any]:
    """(a game, an order that it tells on the order kit, the type of its long form)."""
    with example.found():
        for name in games.names():
            values = list(vars(place_of_orders(name)).values())
            values += [order for value in values if isinstance(value, tuple) for order in value]
            for order in dict.fromkeys(value for value in values if isinstance(value, Order)):
                form = READ.get((name, order.key), get_args(type(order).__orig_bases__[0])[-1])
                kind = {LIST: list[form], MAP: dict[str, form]}.get(order.how, form)
                yield pytest.param(name, order.shape, kind, id=f"{name} {order.key}")
    for name, kind in REALM.items():
        shape = {**ORDERS.keys, **rulings.GM_ORDERS.keys, "kingdom": KINGDOM}[name]
        yield pytest.param("realm", shape, kind, id=f"realm {name}")
    for name, shape in rulings.RULINGS.items():
        if kind := getattr(rulings, f"Gm{name.capitalize()}", None):
            yield pytest.param("realm", shape, kind, id=f"realm gm {name}")


@pytest.mark.parametrize(("name", "shape", "kind"), list(typed_orders()))
@tries(10, 40)
@given(st.data())
def test_the_shape_of_an_order_told_once_is_that_of_its_type(
    name: str, shape: Any, kind: Any, data: st.DataObject
) -> None:
    """The shape stands in the type's annotations; whatever fits the shape is of the type that they annotate."""
    with example.found():
        game = games.load(name)
    names: Mapping[str, Container[str]] = {**game.names(tables.load(game).rules), "seats": ("anna", "bob")}
    order = data.draw(orderkit.values(shape, names))
    assert is_of(order, kind), order


def is_of(value: Any, kind: Any) -> bool:
    """Whether a value in the long form is of a type of order_types.py."""
    origin, parts = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        hints = get_type_hints(kind)  # without what says that a key may be missing
        optional = {
            key for key, hint in get_type_hints(kind, include_extras=True).items() if get_origin(hint) is NotRequired
        }
        known = isinstance(value, dict) and kind.__required_keys__ - optional <= value.keys() <= hints.keys()
        return known and all(is_of(part, hints[key]) for key, part in value.items())
    if origin in (Union, UnionType):
        return any(is_of(value, part) for part in parts)
    if origin is Literal:
        return value in parts
    if origin is list:
        return isinstance(value, list) and all(is_of(item, parts[0]) for item in value)
    if origin in (dict, abc.Mapping):
        return isinstance(value, dict) and all(is_of(key, parts[0]) and is_of(value[key], parts[1]) for key in value)
    return type(value) is kind


def test_a_type_tells_what_is_not_of_it() -> None:
    right = {"hex": "0405", "name": "Newford"}
    assert is_of(right, settle.Founding)
    assert not is_of({**right, "name": 3}, settle.Founding)
    assert not is_of({**right, "town": "Newford"}, settle.Founding)
    assert not is_of({"hex": "0405"}, settle.Founding)
    assert not is_of({**right, "water": ["up"]}, settle.Founding)
