"""The shape of an order from its type. A key's type is annotated with its shape, so that both stand once:

    class Placement(TypedDict):
        kingdom: Annotated[str, seat("in whose kingdom")]
        coin: Annotated[int, Number("the coin")]

    INVEST = ListOf("where to place which coin", record(Placement, "an investment", short=("{coin} in {kingdom}",)))

A step then reads `order["coin"]` as a number, and a typing slip is an error of the type checker. A word that is no name in Python,
such as `if`, needs the other way to write it: TypedDict("Placement", {"if": NotRequired[Annotated[Condition, CONDITION]]}).
tests/orders/test_kit.py holds the types against the shapes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NotRequired, Required, get_args, get_origin, get_type_hints

from kingdom.orders.schema import Choice, Record, Shape


def record(of: type, meaning: str, short: tuple[str, ...] = (), apart: tuple[tuple[str, ...], ...] = ()) -> Record:
    """Return the shape of a TypedDict. Keys that are not NotRequired are required. Raises TypeError at a key that is not annotated.

    A key that is annotated with None stands around the record: the word by which a OneOf tells its cases apart.
    """
    shapes, required = _shapes(of)
    keys = {key: shape for key, shape in shapes.items() if shape is not None}
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
