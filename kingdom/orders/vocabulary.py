"""What the types of a game's tables say: the closed vocabulary by which texts are checked.

The types are msgspec Structs. In their annotations stand the ranges of numbers, the words of closed lists, and, as
`Meta(extra=...)`, `of` (tables in which a name must be a row), `or` (other words that are allowed there) and `once`
(no two rows of a table have the same).
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields


@cache
def fields_of(kind: Any) -> dict[str, FieldInfo]:
    """The fields of a Struct by name."""
    return {field.name: field for field in fields(kind)}


@cache
def own_fields(kind: Any) -> tuple[str, ...]:
    """The fields in which each row of a table needs its own value."""
    notes = {name: bare(field.type)[1] for name, field in fields_of(kind).items()}
    return tuple(name for name, note in notes.items() if note and (note.extra or {}).get("once"))


def is_record(kind: Any) -> bool:
    """Whether it is a Struct."""
    return isinstance(kind, type) and issubclass(kind, Struct)


def is_keyed(kind: Any) -> bool:
    """Whether it is a table of rows, each with its name."""
    return get_origin(kind) is dict and is_record(get_args(kind)[1])


def bare(kind: Any) -> tuple[Any, Meta | None]:
    """A type without its annotation, and that."""
    if get_origin(kind) is not Annotated:
        return kind, None
    kind, *notes = get_args(kind)
    return kind, next((note for note in notes if isinstance(note, Meta)), None)


def without_none(kind: Any) -> Any:
    """The other type of `X | None`; None where null is not allowed."""
    if not is_union(kind) or type(None) not in get_args(kind):
        return None
    return next(each for each in get_args(kind) if each is not type(None))


def is_union(kind: Any) -> bool:
    """Whether it is one of several types."""
    return get_origin(kind) in (Union, UnionType)
