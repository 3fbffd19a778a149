"""The language of a seat's orders as plain data, for the reader of orders in a page (templates/form/reader.js).

It holds the declared shapes, the closed lists, the messages and the limits that kingdom/orders/orders_file.py reads by. So the reader
in the page says the same about a text as `kingdom check`, and needs no words of its own.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from kingdom.engine.game import AnyGame
from kingdom.engine.problems import MANY, MESSAGES
from kingdom.orders import yaml_text
from kingdom.orders.orders_file import declared
from kingdom.orders.scalars import DIGITS, all_of, other_seat
from kingdom.orders.schema import ListOf, Record, Shape, example_of
from kingdom.orders.short_forms import LONGEST

SCRIPTS = (
    "words.js",
    "yamltexts.js",
    "yamlscan.js",
    "yamlerrors.js",
    "yaml.js",
    "shortforms.js",
    "reader.js",
)  # of templates/form, in this order
SEAT = "{seat}"  # stands in examples for a seat, so that what is declared is the same for all
UNSAID = ("adds",)  # what says nothing about how a text is read
_known: dict[
    int, tuple[Record, object]
] = {}  # id of a declaration -> itself, which keeps its id its own; its plain data


def language(game: AnyGame, names: Mapping[str, Container[str]], seat: str, turn: int | None) -> dict[str, object]:
    """Return the data by which the reader in a page reads the orders of a seat ("gm": the GM's) for a turn, None for any.

    names: the game's closed lists and "seats", as for orders.read.
    """
    declaration = declared(game, seat)
    if id(declaration) not in _known:  # it is the same for all seats, so its data is made once
        _known[id(declaration)] = declaration, data_of(declaration)
    return {
        "seat": seat,
        "turn": turn,
        "other": other_seat(names, seat),
        "orders": _known[id(declaration)][1],
        "names": {name: words_of(known) for name, known in names.items()},
        "messages": MESSAGES,
        "many": MANY,
        "limit": yaml_text.LIMIT,
        "depth": yaml_text.DEPTH,
        "digits": DIGITS,
        "longest": LONGEST,
        "most": dict(_defaults(ListOf))["most"],
    }


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, object], ...]:
    """Return (field, its default) for a kind of shape; NODEFAULT if it has none."""
    return tuple((field.name, field.default) for field in fields(kind) if field.name not in UNSAID)


def data_of(of: object) -> object:
    """Return a shape, and all in it, as plain data: its `kind`, its fields, and `shown`, its example as messages show it, but for seats."""
    if isinstance(of, Shape):
        stated = {}
        for name, default in _defaults(type(of)):
            value = getattr(of, name)
            is_default = default is not NODEFAULT and value == default
            # a field at its default is left out, but a number or text only if it is "", 0 or false
            if not (is_default and not isinstance(value, (int, str)) or value in ("", False)):
                stated[name] = data_of(value)
        return {"kind": type(of).__name__, **stated, "shown": example_of(of, SEAT)}
    if isinstance(of, Mapping):
        return {key: data_of(value) for key, value in of.items()}
    return [data_of(item) for item in of] if isinstance(of, tuple) else of


def words_of(known: Container[str]) -> list[str] | None:
    """Return the words of a closed list; None if it takes any word."""
    words = list(all_of(known))
    return None if not words and "" in known else words
