"""The language of a seat's orders as plain data, for the reader of orders in a page (templates/form/reader.js).

It holds what kingdom/orders/orders_file.py reads by: the declared shapes, the closed lists, the messages and the limits; so the reader
in the page says of a text what `kingdom check` says of it, and needs no words of its own.
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
    """What the reader in a page needs to read the orders of a seat ("gm": the GM's) for a turn, None for any.

    names: the game's closed lists and "seats", as for orders.read.
    """
    return {
        "seat": seat,
        "turn": turn,
        "other": other_seat(names, seat),
        "orders": _orders(declared(game, seat)),
        "names": {name: words_of(known) for name, known in names.items()},
        "messages": MESSAGES,
        "many": MANY,
        "limit": yaml_text.LIMIT,
        "depth": yaml_text.DEPTH,
        "digits": DIGITS,
        "longest": LONGEST,
        "most": dict(_defaults(ListOf))["most"],
    }


def _orders(declaration: Record) -> object:
    """The declaration of a game's orders as plain data. It is the same for all seats, so it is made once."""
    if id(declaration) not in _known:
        _known[id(declaration)] = declaration, data_of(declaration)
    return _known[id(declaration)][1]


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, object], ...]:
    """(field, its default) of a kind of shape; NODEFAULT where it has none."""
    return tuple((field.name, field.default) for field in fields(kind) if field.name not in UNSAID)


def data_of(of: object) -> object:
    """A shape, and all in it, as plain data: its `kind`, what it declares, and `shown`, its example as messages show it, but for seats."""
    if isinstance(of, Shape):
        given = [(name, getattr(of, name), default) for name, default in _defaults(type(of))]
        stated = {name: data_of(value) for name, value, default in given if not _as_always(value, default)}
        return {"kind": type(of).__name__, **stated, "shown": example_of(of, SEAT)}
    if isinstance(of, Mapping):
        return {key: data_of(value) for key, value in of.items()}
    return [data_of(item) for item in of] if isinstance(of, tuple) else of


def _as_always(value: object, default: object) -> bool:
    """Whether a field says only what is meant where nothing is said; numbers are always told."""
    return default is not NODEFAULT and value == default and not isinstance(value, (int, str)) or value in ("", False)


def words_of(known: Container[str]) -> list[str] | None:
    """A closed list's words; None where it takes any."""
    words = list(all_of(known))
    return None if not words and "" in known else words
