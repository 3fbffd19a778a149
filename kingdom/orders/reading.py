"""Reading nodes by their shapes: one reader for each shape, every problem noted at its place."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from typing import Any

from kingdom.engine.problems import MANY, Problem, cure, problem, shown
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
    Short,
    Text,
    Word,
    example_of,
    snake,
)  # fmt: skip
from kingdom.orders.yaml_text import LIST, MAP, TEXT, Node

DIGITS = 18  # of the largest number that is looked at
_NULL = ("", "~", "null")
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Reading:
    """One reading of a text: the closed lists, and the problems found so far."""

    def __init__(self, names: Mapping[str, Container[str]], file: str):
        self.names = names
        self.file = file
        self.problems: list[Problem] = []

    def read(self, shape: Any, node: Node, path: str) -> Any:
        """The node's value as this shape; what is wrong is noted, and the value is then of no use."""
        return _READERS[type(shape)](self, shape, node, path)

    def note(self, code: str, node: Node, path: str, hint: str = "", **facts: Any) -> None:
        """Note a problem at the node."""
        self.problems.append(problem(code, self.file, node.line, node.column, path, hint, **facts))

    def unfit(self, code: str, shape: Any, node: Node, path: str, **facts: Any) -> None:
        """Note that the node is not what the shape asks for, with an example of what is."""
        self.note(code, node, path, meaning=shape.meaning, example=example_of(shape), **facts)

    def unknown_key(self, key: Node, path: str, known: Iterable[str]) -> None:
        """Note a key that nobody knows, with the nearest one that is."""
        sentence, near = self.cure(snake(key.value), known)
        self.note("unknown_key", key, path, near, word=shown(key.value), cure=sentence)

    def cure(self, word: str, known: Iterable[str]) -> tuple[str, str]:
        """(a sentence about what would be right, the nearest word), looked for while that is worth the time."""
        return cure(word, known) if len(self.problems) <= MANY else ("", "")

    def words(self, shape: Word) -> Container[str]:
        """The closed list of a word, without those that are allowed besides."""
        return self.names[shape.of] if isinstance(shape.of, str) else shape.of

    def typed(self, shape: Any, node: Node, path: str) -> str | None:
        """What was typed, or None and a problem where that is nothing or no text."""
        if node.kind is not TEXT:
            return self.unfit("not_text", shape, node, path)
        return node.value.strip() or self.unfit("empty_text", shape, node, path)


def is_label(text: str) -> bool:
    """Whether the text is a label, column and row: "0304"."""
    return len(text) == 4 and text.isascii() and text.isdigit() and "00" not in (text[:2], text[2:])


def one_line(text: str) -> str:
    """A text in one line, its runs of space made one, its accents composed: the same name is the same text."""
    text = " ".join(text.split())
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFC", text)
    return text


# --- one reader for each shape: (reading, shape, node, path) -> value ----------------------------------------------------


def _text(reading: Reading, shape: Text, node: Node, path: str) -> str | None:
    text = reading.typed(shape, node, path)
    if text is None:
        return None
    if not shape.lines:
        if "\n" in text:
            return reading.note("one_line", node, path, meaning=shape.meaning)
        text = one_line(text)
        odd = next((letter for letter in text if not letter.isprintable()), "")
        if odd:
            return reading.note("control_character", node, path, number=ord(odd))
    if len(text) > shape.most:
        return reading.note("too_long", node, path, meaning=shape.meaning, size=len(text), most=shape.most)
    if shape.case:
        text = text.upper() if shape.case == "upper" else text.lower()
    if shape.pattern and not re.fullmatch(shape.pattern, text):
        return reading.unfit("malformed", shape, node, path, word=shown(text))
    return text


def _number(reading: Reading, shape: Number, node: Node, path: str) -> int | None:
    text = reading.typed(shape, node, path)
    if text is None:
        return None
    match = re.fullmatch(r"([+-]?)0*([0-9]+)", text)
    if not match:
        return reading.unfit("not_number", shape, node, path, word=shown(text))
    if len(match[2]) > DIGITS or not shape.least <= int(match[1] + match[2]) <= shape.most:
        facts = {"word": shown(text, 20), "least": shape.least, "most": shape.most}
        return reading.note("out_of_range", node, path, meaning=shape.meaning, **facts)
    return int(match[1] + match[2])


def _flag(reading: Reading, shape: Flag, node: Node, path: str) -> bool | None:
    text = reading.typed(shape, node, path)
    if text is not None and text.lower() not in _FLAGS:
        reading.note("not_flag", node, path, word=shown(text), meaning=shape.meaning)
    return _FLAGS.get((text or "").lower())


def _word(reading: Reading, shape: Word, node: Node, path: str) -> str | None:
    text = reading.typed(shape, node, path)
    if text is None:
        return None
    word = snake(text)
    known = reading.words(shape)
    if word in known or word in shape.also:
        return word
    sentence, near = reading.cure(word, [*known, *shape.also])  # type: ignore[misc]
    return reading.note("unknown_word", node, path, near, word=shown(text), meaning=shape.meaning, cure=sentence)


def _label(reading: Reading, shape: Label, node: Node, path: str) -> str | None:
    text = reading.typed(shape, node, path)
    if text is not None and not is_label(text):
        return reading.note("not_label", node, path, word=shown(text), meaning=shape.meaning, example=shape.example)
    return text


def _id(reading: Reading, shape: Id, node: Node, path: str) -> str | None:
    text = reading.typed(shape, node, path)
    if text is None:
        return None
    word = snake(text)
    if word == "gm" or not re.fullmatch("[a-z0-9_]{1,40}", word):
        return reading.unfit("malformed", shape, node, path, word=shown(text))
    return word


def _list(reading: Reading, shape: ListOf, node: Node, path: str) -> list | None:
    if node.kind is MAP and shape.pairs:
        return _pairs(reading, shape, node, path)
    if node.kind is TEXT and shape.short:
        from kingdom.orders.short_forms import pieces

        items = pieces(shape.short, node)
    elif node.kind is LIST:
        items = node.value
    else:
        return reading.unfit("not_list", shape, node, path)
    if len(items) > shape.most:
        return reading.note("too_many", node, path, size=len(items), most=shape.most, meaning=shape.meaning)
    if len(items) < shape.least:
        return reading.note("too_few", node, path, size=len(items), least=shape.least, meaning=shape.meaning)
    return [reading.read(shape.of, item, f"{path}[{index}]") for index, item in enumerate(items)]


def _pairs(reading: Reading, shape: ListOf, node: Node, path: str) -> list:
    """A list written as a map: each key and its value are an item."""
    first, second = shape.pairs
    items = []
    for index, (key, value) in enumerate(node.value):
        named = ((Node(TEXT, first, key.line, key.column), key), (Node(TEXT, second, value.line, value.column), value))
        items.append(read_keys(reading, shape.of, Node(MAP, named, key.line, key.column), f"{path}[{index}]"))
    return items


def _record(reading: Reading, shape: Record, node: Node, path: str) -> dict | None:
    if node.kind is TEXT and shape.short:
        from kingdom.orders.short_forms import read_short

        return read_short(reading, shape, node, path)
    if node.kind is not MAP:
        return reading.unfit("not_map", shape, node, path)
    return read_keys(reading, shape, node, path)


def read_keys(reading: Reading, shape: Record, node: Node, path: str, besides: str = "") -> dict:
    """The map's values by key, in declared order; the key `besides` has been read already."""
    values: dict[str, Any] = {}
    seen: dict[str, Node] = {}
    shorts: list[tuple[str, Node, Node]] = []
    for key, value in node.value:
        word = snake(key.value)
        inner = f"{path}.{word}" if path else word
        if word in seen:
            reading.note("duplicate_key", key, inner, key=word, before=seen[word].line)
        seen[word] = key
        if word in shape.keys:
            if word in shape.required or not absent(value):
                values[word] = reading.read(shape.keys[word], value, inner)
        elif word in shape.short_keys:
            if not absent(value):
                shorts.append((word, key, value))
        elif word != besides:
            reading.unknown_key(key, inner, [*shape.keys, *shape.short_keys])
    for word in shape.required:
        if word not in seen:
            reading.unfit("missing_key", shape.keys[word], node, path, word=word)
    for group in shape.apart:
        named = [word for word in seen if word in group]
        if len(named) > 1:
            reading.note("not_together", seen[named[1]], path, word=named[1], other=named[0])
    for word, key, value in shorts:
        whole = shape.short_keys[word]
        values[whole] = _with_part(reading, shape.keys[whole], whole, values.get(whole), word, key, value)
    return {word: values[word] for word in shape.keys if word in values}


def absent(value: Node) -> bool:
    """Whether nothing stands there, or null."""
    return value.kind is TEXT and not value.quoted and value.value in _NULL


def _with_part(reading: Reading, of: Any, whole: str, so_far: Any, word: str, key: Node, value: Node) -> Any:
    """What a key that is short for a part of another, `taxation` for `edicts.taxation`, makes of that one's value."""
    if isinstance(of, ListOf):
        items = _list(reading, ListOf(of.meaning, of.of.cases[word], short="commas"), value, word) or []
        return [*(so_far or ()), *({of.of.by: word, **item} for item in items if item is not None)]
    parts = {**(so_far or {})}
    if word in parts:
        reading.note("not_together", key, word, word=word, other=f"{whole}.{word}")
    parts[word] = reading.read(of.keys[word], value, word)
    return {name: parts[name] for name in of.keys if name in parts}


def _one_of(reading: Reading, shape: OneOf, node: Node, path: str) -> dict | None:
    if node.kind is TEXT:
        from kingdom.orders.short_forms import read_short

        return read_short(reading, shape, node, path)
    if node.kind is not MAP:
        return reading.unfit("not_map", shape, node, path)
    if shape.by:
        return _case_by_word(reading, shape, node, path)
    return _case_by_key(reading, shape, node, path)


def _case_by_word(reading: Reading, shape: OneOf, node: Node, path: str) -> dict | None:
    found = next((value for key, value in node.value if snake(key.value) == shape.by), None)
    word = Word(shape.meaning, tuple(shape.cases))
    if found is None:
        return reading.unfit("missing_key", word, node, path, word=shape.by)
    case = _word(reading, word, found, f"{path}.{shape.by}")
    return case and {shape.by: case, **read_keys(reading, shape.cases[case], node, path, besides=shape.by)}


def _case_by_key(reading: Reading, shape: OneOf, node: Node, path: str) -> dict | None:
    known = {key for record in shape.cases.values() for key in record.keys}
    named = [(snake(key.value), key) for key, _ in node.value]
    cases = [(word, key) for word, key in named if word in shape.cases]
    if len(cases) == 1:
        return read_keys(reading, shape.cases[cases[0][0]], node, path)
    if cases:
        return reading.note("not_together", cases[1][1], path, word=cases[1][0], other=cases[0][0])
    strange = [(word, key) for word, key in named if word not in known]
    for word, key in strange:
        reading.unknown_key(key, f"{path}.{word}", sorted(known))
    return None if strange else reading.note("which", node, path, keys=", ".join(shape.cases))


def _map(reading: Reading, shape: MapOf, node: Node, path: str) -> dict | None:
    if node.kind is not MAP:
        return reading.unfit("not_map", shape, node, path)
    if len(node.value) > shape.most:
        return reading.note("too_many", node, path, size=len(node.value), most=shape.most, meaning=shape.meaning)
    values: dict[Any, Any] = {}
    for key, value in node.value:
        inner = f"{path}.{key.value}" if path else key.value
        word = snake(key.value) if shape.fixed else ""
        name = word if word in shape.fixed else reading.read(shape.key, key, inner)
        if name in values and name is not None:
            earlier = next(other for other, _ in node.value if snake(other.value) == snake(key.value))
            reading.note("duplicate_key", key, inner, key=name, before=earlier.line)
        values[name] = reading.read(shape.fixed.get(word, shape.of), value, inner)
    return values


def _choice(reading: Reading, shape: Choice, node: Node, path: str) -> dict | None:
    word, rest = node, None
    if node.kind is MAP and len(node.value) == 1:
        word, rest = node.value[0]
    elif node.kind is TEXT:
        from kingdom.orders.short_forms import first_word

        word, rest = first_word(node, shape.cases)
    case = _word(reading, Word(shape.meaning, tuple(shape.cases)), word, path)
    if case is None:
        return None
    of = shape.cases[case]
    if rest is None or rest.kind is TEXT and rest.value in _NULL:
        return {case: ""}
    if of is None:
        return reading.note("short_form", rest, path, word=case, meaning=shape.meaning, example=case)
    return {case: reading.read(of, rest, f"{path}.{case}")}


def _short(reading: Reading, shape: Short, node: Node, path: str) -> str | None:
    from kingdom.orders.short_forms import read_short
    from kingdom.orders.short_writing import short_of

    if reading.typed(shape, node, path) is None:
        return None
    value = read_short(reading, shape.of, node, path)
    return value and short_of(shape.of, value)


def _either(reading: Reading, shape: Either, node: Node, path: str) -> Any:
    """The first that fits; where none does, what comes nearest to it says what is wrong."""
    attempts: list[Reading] = []
    for of in shape.shapes:
        attempt = Reading(reading.names, reading.file)
        value = attempt.read(of, node, path)
        if not attempt.problems:
            return value
        attempts.append(attempt)
    nearest = min(attempts, key=lambda a: (all(p.code.startswith("not_") for p in a.problems), len(a.problems)))
    reading.problems += nearest.problems
    return None


def _raw(reading: Reading, shape: Raw, node: Node, path: str) -> Node:
    return node


_READERS = {
    Text: _text, Number: _number, Flag: _flag, Word: _word, Label: _label, Id: _id, ListOf: _list, Record: _record,
    OneOf: _one_of, MapOf: _map, Choice: _choice, Short: _short, Either: _either, Raw: _raw,
}  # fmt: skip
