"""Shapes: what a text may say, declared as data. Orders and a campaign's files are declared with these, and nowhere else.

    SETTLE = ListOf("the settlements to found", Record("a settlement", {
        "hex": Label("its hex"),
        "name": Text("its name", example="Newford", most=60),
    }, required=("hex", "name"), short=("{name} {hex}",)), short="commas")

`settle: [{hex: 0405, name: Newford}]` and `settle: Newford 0405` both give [{"hex": "0405", "name": "Newford"}];
kingdom/orders/reading.py reads them.

meaning: a noun phrase that finishes "this is ..."; it stands in messages, in a schema and beside a form's field.
Words and keys are read without regard to case, and a space, hyphen or underscore are one: the value is snake_case.
A key with nothing behind it, or with null, counts as absent where it is optional; defaults are the users' affair.

A short form is a pattern with slots in braces, and in square brackets what may be left out: `{build} in {in}[ at {lot}]`.
A letter in round brackets is written, and need not be typed: `{weeks} week(s)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

SLOT = re.compile(r"\{(\w+)\}")  # a slot in the pattern of a short form


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


class Seats(tuple[str, ...]):
    """The seats of a campaign as a closed list. called: what else, in snake_case, means one of them, such as a player's name."""

    called: Mapping[str, str] = {}

    def __contains__(self, word: object) -> bool:
        """Whether a word means a seat."""
        return super().__contains__(word) or word in self.called


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
    of: Shape
    short: Literal["", "words", "commas", "one"] = ""
    pairs: tuple[()] | tuple[str, str] = ()
    least: int = 0
    most: int = 500


class Record(Struct, frozen=True):
    """A map with known keys, the value's keys in the order in which they are declared here.

    short: how a plain text is read as one: patterns with its keys in braces, tried in this order; what stands in
    square brackets may be left out.
    short_keys: other keys that are short for a part of one of its own: {"taxation": "edicts"} for a key of a Record,
    {"aid": "special"} for a case of a list of OneOf.
    apart: groups of keys of which only one may stand. adds: of the keys of orders those that take nothing away: a mail that has
    no others adds to what is filed, where one with others replaces it whole.
    """

    meaning: str
    keys: Mapping[str, Shape]
    required: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    short_keys: Mapping[str, str] = {}
    apart: tuple[tuple[str, ...], ...] = ()
    adds: tuple[str, ...] = ()


class OneOf(Struct, frozen=True):
    """One of several Records. `by` is the key whose word tells which; without it, the case's name is a key that it has."""

    meaning: str
    cases: Mapping[str, Record]
    by: str = ""


class MapOf(Struct, frozen=True):
    """A map with keys of one shape and values of another; a key in `fixed` has its own."""

    meaning: str
    key: Shape
    of: Shape
    fixed: Mapping[str, Shape] = {}
    most: int = 5000


class Choice(Struct, frozen=True):
    """A word, some with an argument: `word`, `word argument` or {word: argument}; the value is {word: argument or ""}."""

    meaning: str
    cases: Mapping[str, Shape | None]


class Short(Struct, frozen=True):
    """A text that is the short form of one of these Records; the value is that text in its plainest words."""

    meaning: str
    of: OneOf


class Either(Struct, frozen=True):
    """The first of these shapes that fits."""

    meaning: str
    shapes: tuple[Shape, ...]


class Raw(Struct, frozen=True):
    """Anything: the value is the Node, for a reader of its own."""

    meaning: str
    example: str = "{}"


Scalar: TypeAlias = Text | Number | Flag | Word | Label | Id  # what is written as one word or text
Shape: TypeAlias = Scalar | ListOf | Record | OneOf | MapOf | Choice | Short | Either | Raw


def part_of(whole: Shape, word: str) -> Shape:
    """The shape of a key that is short for a part of another (`Record.short_keys`)."""
    if isinstance(whole, Record):
        return whole.keys[word]
    return ListOf(whole.meaning, cases_of(whole)[word], short="commas")


def cases_of(shape: Shape) -> Mapping[str, Record]:
    """The cases of a list of OneOf, by their words."""
    if isinstance(shape, ListOf) and isinstance(shape.of, OneOf):
        return shape.of.cases
    raise TypeError(f"no list of several cases: {shape.meaning}")


def pair_of(shape: ListOf) -> tuple[tuple[str, Shape], tuple[str, Shape]]:
    """The two keys, each with its shape, of the records of a list that may be written as a map (`ListOf.pairs`)."""
    if not (isinstance(shape.of, Record) and shape.pairs):
        raise TypeError(f"no list of pairs: {shape.meaning}")
    first, second = shape.pairs
    return (first, shape.of.keys[first]), (second, shape.of.keys[second])


def patterns(shape: Record | OneOf) -> Iterator[tuple[str, Record, str]]:
    """(the case's word where texts begin with it, its record, the pattern), in the order in which they are tried."""
    if isinstance(shape, Record):
        for pattern in shape.short:
            yield "", shape, pattern
        return
    for case, record in shape.cases.items():
        for pattern in record.short:
            yield (case if shape.by else ""), record, pattern


def written(pattern: str) -> str:
    """A pattern with the letters that need not be typed."""
    return re.sub(r"\((\w)\)", r"\1", pattern)


def snake(text: str) -> str:
    """The word of a text: "Very Long", "very-long" and "very_long" are one; apostrophes count for nothing."""
    text = text.lower()
    if text.isidentifier() and text.isascii():
        return text
    return "_".join(text.replace("'", "").replace("\u2019", "").replace("-", " ").replace("_", " ").split())


def example_of(shape: Shape, seat: str = "") -> str:
    """An example of the shape, as it would be typed behind a key. seat: what it calls a seat, "" for what the shape says."""
    match shape:
        case Label():
            return f'"{shape.example}"'
        case ListOf():
            return f"[{example_of(shape.of, seat)}]"
        case Record():
            return (
                "{"
                + ", ".join(f"{key}: {example_of(shape.keys[key], seat)}" for key in shape.required or shape.keys)
                + "}"
            )
        case OneOf():
            case, record = next(iter(shape.cases.items()))
            inside = example_of(record, seat)
            return inside if not shape.by else "{" + f"{shape.by}: {case}, " + inside[1:]
        case MapOf():
            return "{" + f"{example_of(shape.key, seat)}: {example_of(shape.of, seat)}" + "}"
        case Choice():
            return next(iter(shape.cases))
        case Either():
            return example_of(shape.shapes[0], seat)
        case Short():
            return example_of_short(shape.of, seat=seat)
        case Word(of="seats") if seat:
            return seat
        case Word(of=tuple()) if not shape.example:
            return shape.of[0]
        case _:
            return str(shape.example)


def example_of_short(shape: Record | OneOf, typed: str = "", seat: str = "") -> str:
    """The shortest of the short forms that begin as `typed`, of all where none does; the long one where there is none."""
    examples = []
    for case, record, pattern in patterns(shape):
        parts = SLOT.split(written(re.sub(r"\[[^]]*\]", "", pattern)))  # text, slot, text, slot ... text
        parts[1::2] = [example_of(record.keys[slot], seat).strip('"[]') for slot in parts[1::2]]
        examples.append(f"{case} {''.join(parts)}".strip())
    word = typed.lower().split()[:1]
    alike = [example for example in examples if word and example.lower().startswith(word[0])]
    return min(filter(None, alike or examples), key=len, default=example_of(shape, seat))
