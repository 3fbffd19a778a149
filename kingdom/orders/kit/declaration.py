"""What a game declares of its orders: the keys of an orders file, the refusals, the causes; and the shape of an order from its type.

A key's type is annotated with its shape, so that both stand once:

    class Placement(TypedDict):
        kingdom: Annotated[str, seat("in whose kingdom")]
        coin: Annotated[int, Number("the coin")]

    INVEST = ListOf("where to place which coin", record(Placement, "an investment", short=("{coin} in {kingdom}",)))

A step then reads `order["coin"]` as a number, and a typing slip is an error of the type checker. A word that is no name in Python,
such as `if`, needs the other way to write it: TypedDict("Placement", {"if": NotRequired[Annotated[Condition, CONDITION]]}).
tests/orders/test_kit.py holds the types against the shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, NotRequired, Required, get_args, get_origin, get_type_hints

from kingdom.orders.kit.order import AnyOrder, R, S
from kingdom.orders.schema import SLOT, Choice, Record, Shape


def keys(orders: Iterable[AnyOrder[S, R]]) -> dict[str, Shape]:
    """Return key -> shape of these orders, for the game's ORDERS."""
    return {order.key: order.shape for order in orders}


def refusals(orders: Iterable[AnyOrder[S, R]], *others: Mapping[str, str]) -> dict[str, str]:
    """Return code -> sentence of these orders, and of the game's other steps."""
    return _merged([*others, *(order.refusals for order in orders)])


def causes(orders: Iterable[AnyOrder[S, R]], *others: Mapping[str, str]) -> dict[str, str]:
    """Return cause -> words of these orders, and of the game's other steps."""
    return _merged([*others, *(order.causes for order in orders)])


def _merged(tables: Iterable[Mapping[str, str]]) -> dict[str, str]:
    words: dict[str, str] = {}
    for table in tables:
        twice = [word for word, text in table.items() if words.get(word, text) != text]
        assert not twice, f"declared twice: {', '.join(twice)}"
        words.update(table)
    return words


# --- the shape of an order from its type


def record(of: type, meaning: str, short: tuple[str, ...] = (), apart: tuple[tuple[str, ...], ...] = ()) -> Record:
    """Return the shape of a TypedDict. Keys that are not NotRequired are required. Raises TypeError at a key that is not annotated,
    and at a short form that names no key.

    A key that is annotated with None stands around the record: the word by which a OneOf tells its cases apart.
    """
    shapes, required = _shapes(of)
    keys = {key: shape for key, shape in shapes.items() if shape is not None}
    for pattern in short:
        for name in SLOT.findall(pattern):
            if name not in keys:
                raise TypeError(
                    f"{of.__name__}: the short form {pattern!r} names {name!r}, and the keys are {', '.join(keys)}"
                )
    return Record(meaning, keys, tuple(key for key in required if key in keys), short, apart=apart)


def choice(of: type, meaning: str) -> Choice:
    """Return the shape of a TypedDict as a choice of one of its keys; Annotated[str, None]: a word without an argument."""
    return Choice(meaning, _shapes(of)[0])


def _shapes(of: type) -> tuple[Mapping[str, Shape | None], tuple[str, ...]]:
    """Return (key -> shape, the keys that are required), from the annotations: as texts they do not say so to Python itself."""
    shapes, required = dict[str, Shape | None](), list[str]()
    for key, hint in get_type_hints(of, include_extras=True).items():
        needed = key in of.__required_keys__  # type: ignore[attr-defined]
        while get_origin(hint) in (NotRequired, Required):
            needed = get_origin(hint) is Required
            (hint,) = get_args(hint)
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{of.__name__}: {key} has no shape")
        shapes[key] = get_args(hint)[1]
        required += [key] if needed else []
    return shapes, tuple(required)
