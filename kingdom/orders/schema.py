"""Shapes: what a text may say, declared as data. Orders and a campaign's files are declared with these, and nowhere else.

    SETTLE = ListOf("the settlements to found", Record("a settlement", {
        "hex": Label("its hex"),
        "name": Text("its name", example="Newford", most=60),
    }, required=("hex", "name"), short=("{name} {hex}",)), short="commas")

    value, problems = read(SETTLE, node, names, "examplia.yaml")      # node: from yamltext.read

`settle: [{hex: 0405, name: Newford}]` and `settle: Newford 0405` both give [{"hex": "0405", "name": "Newford"}].
All problems are collected, each with line, column and path. The value is to be used only where there is no problem.

meaning: a noun phrase that finishes "this is ..."; it stands in messages, in a schema and beside a form's field.
Words and keys are read without regard to case, and a space, hyphen or underscore are one: the value is snake_case.
`names` maps the name of a closed list ("buildings") to a container of its words. A key with nothing behind it, or with
null, counts as absent where it is optional; defaults are the users' affair.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from kingdom.engine.problems import Problem
    from kingdom.orders.yaml_text import Node


class Text(Struct, frozen=True):
    """Free text. lines: it may have several; otherwise it is one line, its runs of space made one space.

    pattern: a regular expression that the whole text must match, in either case where `case` says which it becomes.
    offered: the list of a campaign's names that an editor offers here; any other text is read as well.
    """

    meaning: str
    example: str = "Oakhold"
    most: int = 200  # characters
    lines: bool = False
    pattern: str = ""
    case: Literal["", "upper", "lower"] = ""
    offered: str = ""


class Number(Struct, frozen=True):
    """A whole number."""

    meaning: str
    least: int = 0
    most: int = 9999
    example: int = 1


class Flag(Struct, frozen=True):
    """true or false; yes, no, on and off will do."""

    meaning: str
    example: str = "true"


class Word(Struct, frozen=True):
    """A word of a closed list: `of` is the list, or its name in `names`; `also` is allowed besides."""

    meaning: str
    of: str | tuple[str, ...]
    also: tuple[str, ...] = ()
    example: str = ""


class Label(Struct, frozen=True):
    """A hex label CCRR, "0304": column and row from 01. offered: as of a Text."""

    meaning: str
    example: str = "0404"
    offered: str = ""


class Id(Struct, frozen=True):
    """A word of no closed list: an id made of a-z, 0-9 and _; `gm` is reserved."""

    meaning: str
    example: str = "examplia"


class ListOf(Struct, frozen=True):
    """A list.

    short: how a plain text is read as one: its `words`, what stands between its `commas`, all of it as `one` item.
    pairs: a map is read as a list of records with these two keys: {borderia: hello} as [{to: borderia, text: hello}].
    """

    meaning: str
    of: Any
    short: str = ""
    pairs: tuple[str, ...] = ()
    least: int = 0
    most: int = 500


class Record(Struct, frozen=True):
    """A map with known keys, the value's keys in the order in which they are declared here.

    short: how a plain text is read as one: patterns with its keys in braces, tried in this order; what stands in
    square brackets may be left out.
    short_keys: other keys that are short for a part of one of its own: {"taxation": "edicts"} for a key of a Record,
    {"aid": "special"} for a case of a list of OneOf.
    apart: groups of keys of which only one may stand.
    """

    meaning: str
    keys: Mapping[str, Any]
    required: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    short_keys: Mapping[str, str] = {}
    apart: tuple[tuple[str, ...], ...] = ()


class OneOf(Struct, frozen=True):
    """One of several Records. `by` is the key whose word tells which; without it, the case's name is a key that it has."""

    meaning: str
    cases: Mapping[str, Record]
    by: str = ""


class MapOf(Struct, frozen=True):
    """A map with keys of one shape and values of another; a key in `fixed` has its own."""

    meaning: str
    key: Any
    of: Any
    fixed: Mapping[str, Any] = {}
    most: int = 5000


class Choice(Struct, frozen=True):
    """A word, some with an argument: `word`, `word argument` or {word: argument}; the value is {word: argument or ""}."""

    meaning: str
    cases: Mapping[str, Any]


class Short(Struct, frozen=True):
    """A text that is the short form of one of these Records; the value is that text in its plainest words."""

    meaning: str
    of: OneOf


class Either(Struct, frozen=True):
    """The first of these shapes that fits."""

    meaning: str
    shapes: tuple[Any, ...]


class Raw(Struct, frozen=True):
    """Anything: the value is the Node, for a reader of its own."""

    meaning: str
    example: str = "{}"


def read(
    shape: Any, node: Node, names: Mapping[str, Container[str]], file: str, path: str = ""
) -> tuple[Any, list[Problem]]:
    """The value that the node has as this shape, and all that is wrong with it, in the order of the text."""
    from kingdom.orders.reading import Reading  # it reads the shapes that are declared here

    reading = Reading(names, file)
    value = reading.read(shape, node, path)
    reading.problems.sort(key=lambda problem: (problem.line, problem.column))
    return value, reading.problems


def snake(text: str) -> str:
    """The word of a text: "Very Long", "very-long" and "very_long" are one; apostrophes count for nothing."""
    text = text.lower()
    if text.isidentifier() and text.isascii():
        return text
    return "_".join(text.replace("'", "").replace("\u2019", "").replace("-", " ").replace("_", " ").split())


def example_of(shape: Any) -> str:
    """An example of the shape, as it would be typed behind a key."""
    if isinstance(shape, Label):
        return f'"{shape.example}"'
    if isinstance(shape, ListOf):
        return f"[{example_of(shape.of)}]"
    if isinstance(shape, Record):
        return "{" + ", ".join(f"{key}: {example_of(shape.keys[key])}" for key in shape.required or shape.keys) + "}"
    if isinstance(shape, OneOf):
        case, record = next(iter(shape.cases.items()))
        inside = example_of(record)
        return inside if not shape.by else "{" + f"{shape.by}: {case}, " + inside[1:]
    if isinstance(shape, MapOf):
        return "{" + f"{example_of(shape.key)}: {example_of(shape.of)}" + "}"
    if isinstance(shape, Choice):
        return next(iter(shape.cases))
    if isinstance(shape, Either):
        return example_of(shape.shapes[0])
    if isinstance(shape, Short):
        from kingdom.orders.short_forms import example_of_short

        return example_of_short(shape.of)
    if isinstance(shape, Word) and not shape.example and not isinstance(shape.of, str):
        return shape.of[0]
    return str(shape.example)
