"""Reading a text as its declared shape: the value, and all problems.

    value, problems = read(SETTLE, node, names, "examplia.yaml")      # node: from yaml_text.read

All problems are collected, each with line, column and path. Use the value only if there are none.
`names` maps the name of a closed list ("buildings") to a container of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from kingdom.engine.problems import Faults, Problem, shown
from kingdom.orders import yaml_text
from kingdom.orders.scalars import ScalarReading
from kingdom.orders.schema import (
    Choice,
    Either,
    Flag,
    Id,
    Label,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Raw,
    Record,
    Shape,
    Short,
    Text,
    Word,
    example_of_short,
    pair_of,
    part_of,
    snake,
)  # fmt: skip
from kingdom.orders.short_forms import filled, first_word, items_of, matched
from kingdom.orders.yaml_text import LIST, MAP, TEXT, Node

_NULL = ("", "~", "null")


def read(
    shape: Shape, node: Node, names: Mapping[str, Container[str]], file: str, path: str = "", seat: str = ""
) -> tuple[Any, list[Problem]]:
    """Read the node as this shape. Returns the value and all problems, in the order of the text.

    The shape decides the value's type: a Record gives a dict, a ListOf a list. seat: whose text it is, "" for anybody's;
    examples name it.
    """
    reading = Reading(names, file, seat)
    value = reading.read(shape, node, path)
    reading.problems.sort(key=lambda problem: (problem.line, problem.column))
    return value, reading.problems


def checked(shape: Shape, data: bytes, file: str, names: Mapping[str, Container[str]] = {}) -> tuple[Any, Node]:
    """Read the text of a file as this shape, all of it right. Returns the value and the text's node. Raises Faults."""
    node, problems = yaml_text.read(data, file)
    value, problems = (None, problems) if node is None else read(shape, node, names, file)
    if node is None or problems:
        raise Faults(problems)
    return value, node


class Reading(ScalarReading):
    """One reading of a text: one reader for each shape that has keys or items."""

    def read(self, shape: Shape, node: Node, path: str) -> object:
        """Return the node's value as this shape. Problems are noted; the value is then useless."""
        return node if isinstance(shape, Raw) else _READERS[type(shape)](self, shape, node, path)

    # --- lists and maps

    def list_of(self, shape: ListOf, node: Node, path: str) -> list[object] | None:
        """Read a list, also one written as a text or a map, if the shape allows it."""
        if node.kind is MAP and shape.pairs:
            return self.pairs(shape, node, path)
        if node.kind is TEXT and shape.short:
            items = items_of(shape, node, self.words)
        elif node.kind is LIST:
            items = node.value
        else:
            return self.unfit("not_list", shape, node, path)
        if len(items) > shape.most:
            return self.note("too_many", node, path, size=len(items), most=shape.most, meaning=shape.meaning)
        if len(items) < shape.least:
            return self.note("too_few", node, path, size=len(items), least=shape.least, meaning=shape.meaning)
        return [self.read(shape.of, item, f"{path}[{index}]") for index, item in enumerate(items)]

    def pairs(self, shape: ListOf, node: Node, path: str) -> list[object]:
        """Read a list that is written as a map: each key with its value is an item."""
        (first, _), (second, _) = pair_of(shape)
        items: list[object] = []
        for index, (key, value) in enumerate(node.value):
            named = (
                (Node(TEXT, first, key.line, key.column), key),
                (Node(TEXT, second, value.line, value.column), value),
            )
            items.append(self.read(shape.of, Node(MAP, named, key.line, key.column), f"{path}[{index}]"))
        return items

    def map_of(self, shape: MapOf, node: Node, path: str) -> dict[object, object] | None:
        """A map whose keys are values too."""
        if node.kind is not MAP:
            return self.unfit("not_map", shape, node, path)
        if len(node.value) > shape.most:
            return self.note("too_many", node, path, size=len(node.value), most=shape.most, meaning=shape.meaning)
        values: dict[object, object] = {}
        for key, value in node.value:
            inner = f"{path}.{key.value}" if path else key.value
            word = snake(key.value) if shape.fixed else ""
            name = word if word in shape.fixed else self.read(shape.key, key, inner)
            if name in values and name is not None:
                earlier = next(other for other, _ in node.value if snake(other.value) == snake(key.value))
                self.note("duplicate_key", key, inner, key=name, before=earlier.line)
            values[name] = self.read(shape.fixed.get(word, shape.of), value, inner)
        return values

    # --- records

    def record(self, shape: Record, node: Node, path: str) -> dict[str, object] | None:
        """Read a map with known keys, or its short form."""
        if node.kind is TEXT and shape.short:
            return self.short_form(shape, node, path)
        if node.kind is MAP:
            return self.keys(shape, node, path)
        return self.unfit("not_map", shape, node, path)

    def keys(self, shape: Record, node: Node, path: str, besides: str = "") -> dict[str, object]:
        """Return the map's values by key, in declared order, without the key `besides`, which has been read already."""
        values: dict[str, object] = {}
        seen: dict[str, Node] = {}
        shorts: list[tuple[str, Node, Node]] = []
        for key, value in node.value:
            word = snake(key.value)
            inner = f"{path}.{word}" if path else word
            if word in seen:
                self.note("duplicate_key", key, inner, key=word, before=seen[word].line)
            seen[word] = key
            if word in shape.keys:
                if word in shape.required or not absent(value):
                    values[word] = self.read(shape.keys[word], value, inner)
            elif word in shape.short_keys:
                if not absent(value):
                    shorts.append((word, key, value))
            elif word != besides:
                self.unknown_key(key, inner, [*shape.keys, *shape.short_keys])
        self.prove_keys(shape, seen, node, path)
        for word, key, value in shorts:
            whole = shape.short_keys[word]
            values[whole] = self.with_part(shape.keys[whole], whole, values.get(whole), word, key, value)
        return {word: values[word] for word in shape.keys if word in values}

    def prove_keys(self, shape: Record, seen: Mapping[str, Node], node: Node, path: str) -> None:
        """Note keys that are missing, and keys that exclude each other."""
        for word in shape.required:
            if word not in seen:
                self.unfit("missing_key", shape.keys[word], node, path, word=word)
        for group in shape.apart:
            named = [word for word in seen if word in group]
            if len(named) > 1:
                self.note("not_together", seen[named[1]], path, word=named[1], other=named[0])

    def with_part(self, of: Shape, whole: str, so_far: object, word: str, key: Node, value: Node) -> object:
        """Return a key's value with a part that was written short, as `taxation` for `edicts.taxation`."""
        shape = part_of(of, word)
        if isinstance(of, ListOf):
            items = self.read(shape, value, word)
            by = of.of.by if isinstance(of.of, OneOf) else ""
            more = [{by: word, **item} for item in _list(items) if isinstance(item, dict)]
            return [*_list(so_far), *more]
        parts = {**so_far} if isinstance(so_far, dict) else {}
        if word in parts:
            self.note("not_together", key, word, word=word, other=f"{whole}.{word}")
        parts[word] = self.read(shape, value, word)
        order = of.keys if isinstance(of, Record) else parts
        return {name: parts[name] for name in order if name in parts}

    # --- one of several

    def one_of(self, shape: OneOf, node: Node, path: str) -> dict[str, object] | None:
        """Read one of several records, or a short form of one."""
        if node.kind is TEXT:
            return self.short_form(shape, node, path)
        if node.kind is MAP:
            return self.case_by_word(shape, node, path) if shape.by else self.case_by_key(shape, node, path)
        return self.unfit("not_map", shape, node, path)

    def case_by_word(self, shape: OneOf, node: Node, path: str) -> dict[str, object] | None:
        """Read the record whose case a key names."""
        named = next((value for key, value in node.value if snake(key.value) == shape.by), None)
        word = Word(shape.meaning, tuple(shape.cases))
        if named is None:
            return self.unfit("missing_key", word, node, path, word=shape.by)
        case = self.word(word, named, f"{path}.{shape.by}")
        if case is None:
            return None
        return {shape.by: case, **self.keys(shape.cases[case], node, path, besides=shape.by)}

    def case_by_key(self, shape: OneOf, node: Node, path: str) -> dict[str, object] | None:
        """Read the record to which the given key belongs."""
        known = {key for record in shape.cases.values() for key in record.keys}
        named = [(snake(key.value), key) for key, _ in node.value]
        cases = [(word, key) for word, key in named if word in shape.cases]
        if len(cases) == 1:
            return self.keys(shape.cases[cases[0][0]], node, path)
        strange = [(word, key) for word, key in named if word not in known]
        if cases:
            self.note("not_together", cases[1][1], path, word=cases[1][0], other=cases[0][0])
        elif strange:
            for word, key in strange:
                self.unknown_key(key, f"{path}.{word}", sorted(known))
        else:
            self.note("which", node, path, keys=", ".join(shape.cases))
        return None

    def choice(self, shape: Choice, node: Node, path: str) -> dict[str, object] | None:
        """Read a word, with its argument if it has one."""
        word, rest = node, None
        if node.kind is MAP and len(node.value) == 1:
            word, rest = node.value[0]
        elif node.kind is TEXT:
            word, rest = first_word(node, shape.cases)
        case = self.word(Word(shape.meaning, tuple(shape.cases)), word, path)
        if case is None:
            return None
        of = shape.cases[case]
        if rest is None or rest.kind is TEXT and rest.value in _NULL:
            return {case: ""}
        if of is None:
            return self.note("short_form", rest, path, word=case, meaning=shape.meaning, example=case)
        return {case: self.read(of, rest, f"{path}.{case}")}

    def either(self, shape: Either, node: Node, path: str) -> object:
        """Read the first shape that fits; if none does, note the problems of the nearest one."""
        attempts: list[Reading] = []
        for of in shape.shapes:
            attempt = Reading(self.names, self.file, self.seat)
            value = attempt.read(of, node, path)
            if not attempt.problems:
                return value
            attempts.append(attempt)
        nearest = min(attempts, key=lambda a: (all(p.code.startswith("not_") for p in a.problems), len(a.problems)))
        self.problems += nearest.problems
        return None

    # --- short forms

    def short(self, shape: Short, node: Node, path: str) -> str | None:
        """Read the short form of a record, and return it in its plainest words."""
        if self.typed(shape, node, path) is None:
            return None
        value = self.short_form(shape.of, node, path)
        return short_of(shape.of, value) if value else None

    def short_form(self, shape: Record | OneOf, node: Node, path: str) -> dict[str, object] | None:
        """Read a text as the short form of a record."""
        match = matched(shape, node, self.words)
        if match is None:
            code = "short_form" if node.value.strip() else "empty_text"
            example = example_of_short(shape, node.value, self.other_seat())
            return self.note(code, node, path, word=shown(node.value), meaning=shape.meaning, example=example)
        values = self.keys(match.record, match.node, path)
        return {shape.by: match.case, **values} if isinstance(shape, OneOf) and shape.by else values


_READERS: Mapping[type, Callable[..., object]] = {  # a shape -> what reads it
    ListOf: Reading.list_of, Record: Reading.record, OneOf: Reading.one_of, MapOf: Reading.map_of, Choice: Reading.choice, Short: Reading.short,
    Either: Reading.either, Text: Reading.text, Word: Reading.word, Label: Reading.label, Number: Reading.number, Flag: Reading.flag, Id: Reading.id,
}  # fmt: skip


def absent(value: Node) -> bool:
    """Return whether the value is empty or null."""
    return value.kind is TEXT and not value.quoted and value.value in _NULL


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def short_of(shape: Record | OneOf, value: Mapping[str, object]) -> str | None:
    """Return the short form of a record; None if no pattern holds all of it, or it would be read as something else."""
    text = filled(shape, value)
    if text is None:
        return None
    reading = Reading(_AnyNames(), "")
    same = reading.short_form(shape, Node(TEXT, text, 1, 1, True), "") == value
    return text if same and not reading.problems else None


class _AnyNames(dict[str, Container[str]]):
    """Closed lists that hold every word, since a value that is written has been read before."""

    def __missing__(self, name: str) -> Container[str]:
        return self

    def __contains__(self, word: object) -> bool:
        return True
