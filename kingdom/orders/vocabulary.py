"""The types of a game's tables as the closed vocabulary by which texts are checked.

The types are msgspec Structs. In their annotations stand the ranges of numbers, the words of closed lists, and, as
`Meta(extra=...)`, `of` (tables in which a name must be a row), `or` (other words that are allowed) and `once`
(no two rows of a table have the same).
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeAlias, TypeGuard, Union, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

Kind: TypeAlias = Any  # a type as msgspec takes it: a class, a union, Annotated[...]; Python has no type for these


def fields_of(kind: Kind) -> dict[str, FieldInfo]:
    """The fields of a Struct by name."""
    return _fields_of(kind)


@cache
def _fields_of(kind: Kind) -> dict[str, FieldInfo]:
    return {field.name: field for field in fields(kind)}


@cache
def own_fields(kind: Kind) -> tuple[str, ...]:
    """The fields in which each row of a table needs its own value."""
    notes = {name: bare(field.type)[1] for name, field in fields_of(kind).items()}
    return tuple(name for name, note in notes.items() if note and (note.extra or {}).get("once"))


def is_record(kind: Kind) -> TypeGuard[type[Struct]]:
    """Return whether it is a Struct."""
    return isinstance(kind, type) and issubclass(kind, Struct)


def is_keyed(kind: Kind) -> bool:
    """Return whether it is a table of rows with names."""
    return origin(kind) is dict and is_record(get_args(kind)[1])


def bare(kind: Kind) -> tuple[Kind, Meta | None]:
    """Return a type without its annotation, and the annotation."""
    if origin(kind) is not Annotated:
        return kind, None
    kind, *notes = get_args(kind)
    return kind, next((note for note in notes if isinstance(note, Meta)), None)


def without_none(kind: Kind) -> Kind:
    """Return X for `X | None`; None if null is not allowed."""
    if not is_union(kind) or type(None) not in get_args(kind):
        return None
    return next(case for case in get_args(kind) if case is not type(None))


def origin(kind: Kind) -> object:
    """Return the origin of a type in brackets: `dict` for dict[str, int]; None for a plain class."""
    return get_origin(kind)


def is_union(kind: Kind) -> bool:
    """Return whether it is a union of types."""
    return origin(kind) in (Union, UnionType)
