"""Shapes: the declaration of a text as data. Orders and a campaign's files are declared with these, and nowhere else.

    SETTLE = ListOf("the settlements to found", Record("a settlement", {
        "hex": Label("its hex"),
        "name": Text("its name", example="Newford", most=60),
    }, required=("hex", "name"), short=("{name} {hex}",)), short="commas")

`settle: [{hex: 0405, name: Newford}]` and `settle: Newford 0405` both give [{"hex": "0405", "name": "Newford"}];
kingdom/orders/reading.py reads them.

meaning: a noun phrase that finishes "this is ..."; it stands in messages, in a schema and beside a form's field.
Words and keys may be typed in capitals, and with a space or hyphen instead of an underscore: the value is snake_case.
An optional key without a value, or with null, counts as absent; its reader supplies the default.

A short form is a pattern with slots in braces and optional parts in square brackets: `{build} in {in}[ at {lot}]`.
Letters in round brackets are written but need not be typed: `{weeks} week(s)`. Short forms are
read by patterns and not by a grammar, so that a message can show the form that was meant.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from kingdom.engine.regex import regex

SLOT = regex(r"\{(\w+)\}")  # a slot in the pattern of a short form


class Text(Struct, frozen=True):
    """Free text. lines: it may have several lines; otherwise they are joined to one, with single spaces.

    pattern: a regular expression that the whole text must match. case: the text is put into this case first, so it may be
    typed in any; "" leaves it as it is.
    offered: the list of a campaign's names that an editor offers here; any other text is accepted too.
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
    """true or false, also written yes, no, on or off."""

    meaning: str
    example: str = "true"


class Seats(tuple[str, ...]):
    """The seats of a campaign as a closed list. called: another word for a seat, such as its player's name in snake_case -> the seat."""

    called: Mapping[str, str] = {}

    def __contains__(self, word: object) -> bool:
        """Return whether a word means a seat."""
        return super().__contains__(word) or word in self.called


class Word(Struct, frozen=True):
    """A word of a closed list: `of` is the list, or its name in `names`; `also` has further words that are allowed."""

    meaning: str
    of: str | tuple[str, ...]
    also: tuple[str, ...] = ()
    example: str = ""


class Label(Struct, frozen=True):
    """A hex label CCRR, "0304": column and row from 01. `offered` means the same as in Text."""

    meaning: str
    example: str = "0404"
    offered: str = ""


class Id(Struct, frozen=True):
    """An id that may be new: a-z, 0-9 and _, but not `gm`."""

    meaning: str
    example: str = "examplia"


class ListOf(Struct, frozen=True):
    """A list.

    short: how a plain text is split into items: into its `words`, at its `commas`, or not at all, as `one` item.
    pairs: a map is read as a list of records with these two keys: {borderia: hello} as [{to: borderia, text: hello}].
    """

    meaning: str
    of: Shape
    short: Literal["", "words", "commas", "one"] = ""
    pairs: tuple[()] | tuple[str, str] = ()
    least: int = 0
    most: int = 500


class Record(Struct, frozen=True):
    """A map with known keys. The value has them in the order of this declaration.

    short: the patterns of the short form. A plain text becomes the map by the first pattern that it fits.
    short_keys: keys that may be typed here for a part of another key. With {"taxation": "edicts"}, `taxation` may stand here
    instead of inside `edicts`, a Record; with {"aid": "special"}, `aid` is a case of `special`, a list of OneOf.
    apart: groups of keys that exclude each other.
    adds: keys of orders. A mail with no other keys is added to the filed orders; any other mail replaces them all.
    once: keys of orders that are over when they are carried out, `build`, or of a list the cases that are, `armies.recruit`: nobody
    means them again.
    """

    meaning: str
    keys: Mapping[str, Shape]
    required: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    short_keys: Mapping[str, str] = {}
    apart: tuple[tuple[str, ...], ...] = ()
    adds: tuple[str, ...] = ()
    once: tuple[str, ...] = ()


class OneOf(Struct, frozen=True):
    """One of several Records. The key `by` holds the word of the case; without `by`, the map is the case whose name is one of its keys."""

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
    """A word, perhaps with an argument: `word`, `word argument` or {word: argument}; the value is {word: argument or ""}."""

    meaning: str
    cases: Mapping[str, Shape | None]


class Short(Struct, frozen=True):
    """A text that must be the short form of one of these Records. The value is the text again, as the program writes that short form."""

    meaning: str
    of: OneOf


class Either(Struct, frozen=True):
    """The first of these shapes that fits."""

    meaning: str
    shapes: tuple[Shape, ...]


class Raw(Struct, frozen=True):
    """Anything. It is not read here: the value is the Node, which another reader takes."""

    meaning: str
    example: str = "{}"


Scalar: TypeAlias = Text | Number | Flag | Word | Label | Id  # what is written as one word or text
Shape: TypeAlias = Scalar | ListOf | Record | OneOf | MapOf | Choice | Short | Either | Raw


def record_of(
    kind: type[Struct], meaning: str, required: tuple[str, ...] = (), short: tuple[str, ...] = (), but: Container[str] = (), **more: Shape
) -> Record:  # fmt: skip
    """Return the shape of a Struct whose fields are annotated with theirs, `name: Annotated[str, Text("its name")]`, and not as texts.

    Fields that are not annotated so, or are in `but`, are no keys. required: besides the fields without a default. more: further keys.
    """
    hints = {name: hint for name, hint in kind.__annotations__.items() if name not in but}
    keys = {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}
    needed = kind.__struct_fields__[: len(kind.__struct_fields__) - len(kind.__struct_defaults__)]
    return Record(meaning, {**keys, **more}, (*(name for name in needed if name in keys), *required), short)


def part_of(whole: Shape, word: str) -> Shape:
    """Return the shape of a key that stands for a part of another (`Record.short_keys`)."""
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
    """Yield (the case's word if texts begin with it, its record, the pattern), in the order in which they are tried."""
    if isinstance(shape, Record):
        for pattern in shape.short:
            yield "", shape, pattern
        return
    for case, record in shape.cases.items():
        for pattern in record.short:
            yield (case if shape.by else ""), record, pattern


def written(pattern: str) -> str:
    """Return a pattern with its optional letters written out."""
    return re.sub(r"\((\w)\)", r"\1", pattern)


def snake(text: str) -> str:
    """Return a text as a word: "Very Long", "very-long" and "very_long" give the same; apostrophes are left out."""
    text = text.lower()
    if text.isidentifier() and text.isascii():
        return text
    return "_".join(text.replace("'", "").replace("\u2019", "").replace("-", " ").replace("_", " ").split())


def example_of(shape: Shape, seat: str = "") -> str:
    """Return an example of the shape, as typed after a key. seat: the seat that it names, "" for the shape's own example."""
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
    """Return an example of a short form: the shortest of those that begin like `typed`, or if none does, the shortest of all.

    A shape without a short form gives an example of its long form.
    """
    examples = []
    for case, record, pattern in patterns(shape):
        parts = SLOT.split(written(re.sub(r"\[[^]]*\]", "", pattern)))  # text, slot, text, slot ... text
        parts[1::2] = [example_of(record.keys[slot], seat).strip('"[]') for slot in parts[1::2]]
        examples.append(f"{case} {''.join(parts)}".strip())
    word = typed.lower().split()[:1]
    alike = [example for example in examples if word and example.lower().startswith(word[0])]
    return min(filter(None, alike or examples), key=len, default=example_of(shape, seat))
