"""The JSON Schema of an orders file, made from the game's declared shapes: for editors, which complete and check as one types.

    schema(game, names, seat="examplia", turn=12, offered={"settlements": ["Oakhold"]})

Draft 7, the newest that the common editors' YAML language servers understand. It accepts what the reader accepts: long and short
forms, words in every spelling, numbers and labels without quotes. The campaign's own names (`offered`) are choices beside the
pattern, since an unknown name is a refusal by the rules and no mistake in the file.

It sees what an editor's YAML reader makes of the text, so it can't tell a key that stands twice in two spellings, an unquoted
404 from 0404, nor 0x3 and 3.0 from 3; those the engine finds.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from typing import Any, TypeAlias

from kingdom.engine.game import AnyGame
from kingdom.orders.json_schema_patterns import Texts, spelt
from kingdom.orders.orders_file import GM, declared
from kingdom.orders.scalars import words_of
from kingdom.orders.schema import (  # fmt: skip
    Choice,
    Either,
    Flag,
    Label,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Raw,
    Record,
    Shape,
    Text,
    Word,
    example_of,
    pair_of,
    part_of,
)

DRAFT = "http://json-schema.org/draft-07/schema#"
_NULL = {"type": "null"}
Schema: TypeAlias = dict[str, Any]  # a JSON object with the keys of JSON Schema


def schema(
    game: AnyGame, names: Mapping[str, Container[str]], seat: str | None = None, turn: int | None = None,
    offered: Mapping[str, Iterable[str]] = {},
) -> Schema:  # fmt: skip
    """Return the schema of a seat's orders ("gm": the GM's, None: any player's).

    names: the game's closed lists and "seats". turn: the only turn that the file may name, None for any.
    offered: list -> the campaign's names that an editor offers for it.
    """
    of = declared(game, seat)
    making = _Making(names, offered)
    made = making.record(of)
    if seat and seat != GM:
        made["properties"]["kingdom"] = making.described(
            of.keys["kingdom"], *making.scalar(Word(of.keys["kingdom"].meaning, (seat,)))
        )
    if turn is not None:
        made["properties"]["turn"] = making.described(
            of.keys["turn"], *making.scalar(Number(of.keys["turn"].meaning, turn, turn))
        )
    return {"$schema": DRAFT, "title": f"Orders of {game.title}", **made, "definitions": making.definitions}


class _AnyWord(tuple[str, ...]):
    """A closed list that is not known: it takes any word."""

    def __contains__(self, word: object) -> bool:
        return True


def any_seats(names: Mapping[str, Container[str]]) -> dict[str, Container[str]]:
    """Return a game's closed lists with any word as a seat, since no campaign is known."""
    return {**names, "seats": _AnyWord()}


class _Making:
    """Makes one schema. Parts that occur more than once become definitions."""

    def __init__(self, names: Mapping[str, Container[str]], offered: Mapping[str, Iterable[str]]):
        self.names = names
        self.offered = {name: list(dict.fromkeys(words)) for name, words in offered.items()}
        self.texts = Texts(names)
        self.definitions: dict[str, Schema] = {}
        self.defined: dict[str, str] = {}  # what stands among the definitions -> its name there

    def any_of(self, shape: Shape) -> list[Schema]:
        """Return schemas of which each value of this shape fits one."""
        match shape:
            case Record():
                return [self.record(shape), *self.scalar(shape)]
            case ListOf():
                return self.list_of(shape)
            case OneOf():
                return [*(self.case(shape, word) for word in shape.cases), *self.scalar(shape)]
            case MapOf():
                return [self.map_of(shape)]
            case Choice():
                return [*self.scalar(shape), self.choice(shape)]
            case Either():
                return [schema for of in shape.shapes for schema in self.any_of(of)]
            case Raw():
                return [{}]
            case _:
                return self.scalar(shape)

    def one(self, shape: Shape) -> Schema:
        """Return the schema of a value of this shape, with its meaning."""
        return self.described(shape, *self.any_of(shape))

    def described(self, shape: Shape, *schemas: Schema) -> Schema:
        """Return a schema that accepts any of these, with the shape's meaning."""
        means = {"description": f"{shape.meaning[:1].upper()}{shape.meaning[1:]}, such as `{example_of(shape)}`."}
        alone = len(schemas) == 1 and "$ref" not in schemas[0]
        return {**means, **schemas[0]} if alone else {**means, "anyOf": list(schemas)}

    # --- what is one text, number or truth value

    def scalar(self, shape: Shape) -> list[Schema]:
        """Return the schemas of a value of this shape that is written as one word or text."""
        pattern = self.texts.whole(shape)
        if not pattern:
            return []
        schemas = [*self.choices(shape), *_unquoted(shape, pattern)]
        name = self.named(shape)
        return [self.shared(name, {"anyOf": schemas})] if name else schemas

    def shared(self, name: str, made: Schema) -> Schema:
        """Put a schema among the definitions, unless it is there, and return a reference to it."""
        text = repr(made)
        if text not in self.defined:
            same = sum(other == name or other.startswith(f"{name}-") for other in self.definitions)
            self.defined[text] = f"{name}-{same + 1}" if same else name
            self.definitions[self.defined[text]] = made
        return {"$ref": f"#/definitions/{self.defined[text]}"}

    def named(self, shape: Shape) -> str:
        """Return the name of a closed list, or a kind of name, among the definitions; "" if it is no definition."""
        if isinstance(shape, Word) and isinstance(shape.of, str):
            return "_or_".join([shape.of, *shape.also])
        offered = offered_in(shape)
        return offered if offered in self.offered else ""

    def choices(self, shape: Shape) -> list[Schema]:
        """Return the schemas with an editor's choices: the words of a closed list, or the names of the campaign."""
        if isinstance(shape, Word):
            words = words_of(self.names[shape.of] if isinstance(shape.of, str) else shape.of)
            words = [*(words or ()), *shape.also]
        elif isinstance(shape, Choice):
            words = list(shape.cases)
        else:
            words = self.offered.get(offered_in(shape), [])
        return [{"enum": words}] if words else []

    # --- what has keys or items

    def record(self, shape: Record, by: str = "", case: str = "") -> Schema:
        """Return the schema of a map with known keys; `by` is the key whose word tells the case."""
        properties = {by: {"enum": [case]}} if by else {}
        spellings = {_other(by): {"type": "string", "pattern": f"^{spelt(case)}$"}} if by else {}
        for word, of in (
            *shape.keys.items(),
            *((word, part_of(shape.keys[whole], word)) for word, whole in shape.short_keys.items()),
        ):
            absent = [] if word in shape.required else [_NULL]
            properties[word] = spellings[_other(word)] = self.shared(
                word, self.described(of, *self.any_of(of), *absent)
            )
        made = {
            "type": "object",
            "properties": properties,
            "patternProperties": spellings,
            "additionalProperties": False,
        }
        needed = [*([by] if by else ()), *shape.required]
        rules = [*map(_needed, needed), *_apart(shape)]
        return {**made, "allOf": rules} if rules else made

    def case(self, shape: OneOf, word: str) -> Schema:
        """One of several records."""
        made = self.record(shape.cases[word], shape.by, word)
        return {"title": shape.cases[word].meaning, **made}

    def list_of(self, shape: ListOf) -> list[Schema]:
        """A list, with its short form and as pairs if it has these."""
        whole: Schema = {"type": "array", "items": self.one(shape.of), "minItems": shape.least, "maxItems": shape.most}
        return [whole, *(self.scalar(shape) if shape.short else ()), *([self.pairs(shape)] if shape.pairs else ())]

    def pairs(self, shape: ListOf) -> Schema:
        """A list of records with two keys, written as a map."""
        (_, first), (_, second) = pair_of(shape)
        return {
            "type": "object",
            "propertyNames": {"pattern": self.texts.whole(first)},
            "additionalProperties": self.one(second),
        }

    def map_of(self, shape: MapOf) -> Schema:
        """A map with keys of one shape; the fixed keys have values of other shapes."""
        fixed = {word: self.one(of) for word, of in shape.fixed.items()}
        keys = "|".join([self.texts.of(shape.key), *map(spelt, fixed)])
        offered = {word: self.one(shape.of) for choice in self.choices(shape.key) for word in choice["enum"]}
        return {
            "type": "object",
            "propertyNames": {"pattern": rf"^\s*(?:{keys})\s*$"},
            "properties": {**offered, **fixed},
            "patternProperties": {_other(word): of for word, of in fixed.items()},
            "additionalProperties": self.one(shape.of),
            "maxProperties": shape.most,
        }

    def choice(self, shape: Choice) -> Schema:
        """{word: argument}."""
        values = {
            word: [{"enum": ["", "~", "null", None]}, *(self.any_of(of) if of else ())]
            for word, of in shape.cases.items()
        }
        return {
            "type": "object",
            "properties": {word: {"anyOf": schemas} for word, schemas in values.items()},
            "patternProperties": {_other(word): {"anyOf": schemas} for word, schemas in values.items()},
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
        }


def offered_in(shape: Shape) -> str:
    """Return which list of the campaign's names is offered for this shape, "" for none."""
    return shape.offered if isinstance(shape, (Text, Label)) else ""


def _other(word: str) -> str:
    """Return the pattern of a key in any spelling but the spelling among the properties."""
    return f"^(?!{word}$)(?:{spelt(word)})$"


def _needed(word: str) -> Schema:
    """Return the schema that demands a key, in any spelling."""
    return {"anyOf": [{"required": [word]}, {"not": {"patternProperties": {f"^{spelt(word)}$": False}}}]}


def _apart(shape: Record) -> list[Schema]:
    """Return the schemas that forbid keys together: those of a group, and a key that is short for a part beside that part."""
    pairs = [
        (first, other) for group in shape.apart for place, first in enumerate(group) for other in group[place + 1 :]
    ]
    rules: list[Schema] = [{"not": {"required": list(pair)}} for pair in pairs]
    parts = [(word, whole) for word, whole in shape.short_keys.items() if isinstance(shape.keys[whole], Record)]
    for word, whole in parts:
        inside = {"type": "object", "required": [word]}
        rules.append({"not": {"required": [word, whole], "properties": {whole: inside}}})
    return rules


def _unquoted(shape: Shape, pattern: str) -> list[Schema]:
    """Return the schemas of a text, also as YAML reads it without quotes: 0404 becomes a number, true a truth value."""
    schemas: list[Schema] = [{"type": "string", "pattern": pattern}]
    if isinstance(shape, Number):
        return [{"type": "integer", "minimum": shape.least, "maximum": shape.most}, *schemas]
    if isinstance(shape, Flag):
        return [{"type": "boolean"}, *schemas]
    if re.search(pattern, "1.5"):
        return [{"type": ["string", "number", "boolean"], "pattern": pattern}]
    if re.search(pattern, "0404") and not re.search(pattern, "1"):
        return [*schemas, {"type": "integer", "minimum": 101, "maximum": 9999, "not": {"multipleOf": 100}}]
    if re.search(pattern, "1") or re.search(pattern, "0404"):
        schemas.append({"type": "integer"})
    return [*schemas, {"type": "boolean"}] if re.search(pattern, "true") else schemas
