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

from typing import Any, Container, Iterable, Mapping

from msgspec import Struct

from kingdom.problems import Problem, cure, problem, shown
from kingdom.yamltext import LIST, MAP, TEXT, Node


class Text(Struct, frozen=True):
    """Free text. lines: it may have several; otherwise it is one line, its runs of space made one space.

    pattern: a regular expression that the whole text must match.
    """

    meaning: str
    example: str = "Oakhold"
    most: int = 200  # characters
    lines: bool = False
    pattern: str = ""


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
    """A hex label CCRR, "0304": column and row from 01."""

    meaning: str
    example: str = "0404"


class Id(Struct, frozen=True):
    """A new id, a-z, 0-9 and _; `gm` is reserved."""

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

    short: how a plain text is read as one: patterns with its keys in braces, tried in this order.
    short_keys: other keys that are short for a part of one of its own: {"taxation": "edicts"} for a key of a Record,
    {"aid": "special"} for a case of a list of OneOf.
    """

    meaning: str
    keys: Mapping[str, Any]
    required: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    short_keys: Mapping[str, str] = {}


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
    reading = Reading(names, file)
    value = reading.read(shape, node, path)
    reading.problems.sort(key=lambda p: (p.line, p.column))
    return value, reading.problems


def snake(text: str) -> str:
    """The word of a text: "Very Long", "very-long" and "very_long" are one; apostrophes count for nothing."""
    text = text.lower()
    if text.isidentifier() and text.isascii():
        return text
    return "_".join(text.replace("'", "").replace("\u2019", "").replace("-", " ").replace("_", " ").split())


def is_label(text: str) -> bool:
    """Whether the text is a hex label."""
    return len(text) == 4 and text.isascii() and text.isdigit() and "00" not in (text[:2], text[2:])


def one_line(text: str) -> str:
    """A text in one line, its runs of space made one, its accents composed: the same name is the same text."""
    text = " ".join(text.split())
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFC", text)
    return text


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
    if isinstance(shape, Word) and not shape.example and not isinstance(shape.of, str):
        return shape.of[0]
    return str(shape.example)


class Reading:
    """One reading of a text: the closed lists, and the problems found so far."""

    def __init__(self, names: Mapping[str, Container[str]], file: str):
        self.names = names
        self.file = file
        self.problems: list[Problem] = []

    def note(self, code: str, node: Node, path: str, hint: str = "", **facts: Any) -> None:
        self.problems.append(problem(code, self.file, node.line, node.column, path, hint, **facts))

    def read(self, shape: Any, node: Node, path: str) -> Any:
        """The node's value as this shape; what is wrong is noted."""
        return _READERS[type(shape)](self, shape, node, path)

    def words(self, shape: Word) -> list[str]:
        """The words that the shape allows."""
        return [*(self.names[shape.of] if isinstance(shape.of, str) else shape.of), *shape.also]  # type: ignore[misc]

    def typed(self, shape: Any, node: Node, path: str, code: str = "not_text") -> str | None:
        """What was typed, in one line, or None and a problem."""
        if node.kind is TEXT and node.value.strip():
            return node.value.strip()
        if node.kind is TEXT:
            self.note("empty_text", node, path, meaning=shape.meaning, example=example_of(shape))
        else:
            self.note(code, node, path, meaning=shape.meaning, example=example_of(shape), word="This")
        return None

    def unknown_key(self, key: Node, path: str, known: Iterable[str]) -> None:
        """A key that nobody knows, with the nearest one that is."""
        sentence, near = cure(snake(key.value), known)
        self.note("unknown_key", key, path, near, word=shown(key.value), cure=sentence)


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
    if shape.pattern:
        import re

        if not re.fullmatch(shape.pattern, text):
            return reading.note("malformed", node, path, word=shown(text), meaning=shape.meaning, example=shape.example)
    return text


def _number(reading: Reading, shape: Number, node: Node, path: str) -> int | None:
    text = reading.typed(shape, node, path, "not_number")
    if text is None:
        return None
    digits = text[1:] if text[0] in "+-" else text
    if not digits.isascii() or not digits.isdigit():
        return reading.note("not_number", node, path, word=shown(text), meaning=shape.meaning, example=shape.example)
    if len(digits.lstrip("0")) > 18 or not shape.least <= int(text[0].strip("+0") + digits[-19:]) <= shape.most:
        return reading.note(
            "out_of_range", node, path, word=shown(text, 20), meaning=shape.meaning, least=shape.least, most=shape.most
        )
    return int(text)


_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def _flag(reading: Reading, shape: Flag, node: Node, path: str) -> bool | None:
    text = reading.typed(shape, node, path)
    if text is None:
        return None
    if text.lower() not in _FLAGS:
        return reading.note("not_flag", node, path, word=shown(text), meaning=shape.meaning)
    return _FLAGS[text.lower()]


def _word(reading: Reading, shape: Word, node: Node, path: str) -> str | None:
    text = reading.typed(shape, node, path)
    if text is None:
        return None
    word = snake(text)
    if word in shape.also or word in (reading.names[shape.of] if isinstance(shape.of, str) else shape.of):
        return word
    sentence, near = cure(word, reading.words(shape))
    return reading.note("unknown_word", node, path, near, word=shown(text), meaning=shape.meaning, cure=sentence)


def _label(reading: Reading, shape: Label, node: Node, path: str) -> str | None:
    text = reading.typed(shape, node, path)
    if text is None:
        return None
    if not is_label(text):
        return reading.note("not_label", node, path, word=shown(text), meaning=shape.meaning, example=shape.example)
    return text


def _id(reading: Reading, shape: Id, node: Node, path: str) -> str | None:
    text = reading.typed(shape, node, path)
    if text is None:
        return None
    word = snake(text)
    plain = word.replace("_", "a")
    if not (plain.isascii() and plain.isalnum()) or word == "gm" or len(word) > 40:
        return reading.note("malformed", node, path, word=shown(text), meaning=shape.meaning, example=shape.example)
    return word


def _list(reading: Reading, shape: ListOf, node: Node, path: str) -> list | None:
    if node.kind is TEXT and shape.short:
        from kingdom.shortform import pieces

        items = pieces(shape.short, node)
    elif node.kind is MAP and shape.pairs:
        return [
            {first: reading.read(shape.of.keys[first], key, f"{path}.{key.value}") for first in shape.pairs[:1]}
            | {second: reading.read(shape.of.keys[second], value, f"{path}.{key.value}") for second in shape.pairs[1:]}
            for key, value in node.value
        ]
    elif node.kind is LIST:
        items = node.value
    else:
        return reading.note("not_list", node, path, meaning=shape.meaning, example=example_of(shape))
    if len(items) > shape.most:
        return reading.note("too_many", node, path, size=len(items), most=shape.most, meaning=shape.meaning)
    if len(items) < shape.least:
        return reading.note("too_few", node, path, size=len(items), least=shape.least, meaning=shape.meaning)
    return [reading.read(shape.of, item, f"{path}[{index}]") for index, item in enumerate(items)]


def _record(reading: Reading, shape: Record, node: Node, path: str) -> dict | None:
    if node.kind is TEXT and shape.short:
        from kingdom.shortform import read_short

        return read_short(reading, shape, node, path)
    if node.kind is not MAP:
        return reading.note("not_map", node, path, meaning=shape.meaning, example=example_of(shape))
    return read_keys(reading, shape, node, path)


def read_keys(reading: Reading, shape: Record, node: Node, path: str, besides: str = "") -> dict:
    """The map's values by key, in declared order; the key `besides` has been read already."""
    values: dict[str, Any] = {}
    shorts: list[tuple[str, Node, Node]] = []
    seen: dict[str, Node] = {}
    for key, value in node.value:
        word = snake(key.value)
        inner = f"{path}.{word}" if path else word
        if word in seen:
            reading.note("duplicate_key", key, inner, key=word, line=seen[word].line)
        seen[word] = key
        if word == besides or _absent(value) and word not in shape.required and (word in shape.keys or word in shape.short_keys):
            continue
        if word in shape.keys:
            values[word] = reading.read(shape.keys[word], value, inner)
        elif word in shape.short_keys:
            shorts.append((word, key, value))
        else:
            reading.unknown_key(key, inner, [*shape.keys, *shape.short_keys])
    for word in shape.required:
        if word not in seen:
            of = shape.keys[word]
            reading.note("missing_key", node, path, word=word, meaning=of.meaning, example=example_of(of))
    for word, key, value in shorts:
        _short_key(reading, shape, values, word, key, value)
    return {key: values[key] for key in shape.keys if key in values}


def _absent(value: Node) -> bool:
    return value.kind is TEXT and not value.quoted and value.value in ("", "~", "null")


def _short_key(reading: Reading, shape: Record, values: dict[str, Any], word: str, key: Node, value: Node) -> None:
    """Read a key that is short for a part of another one into that one's value."""
    whole = shape.short_keys[word]
    of = shape.keys[whole]
    if isinstance(of, ListOf):
        items = _list(reading, ListOf(of.meaning, of.of.cases[word], "commas"), value, word)
        more = [{of.of.by: word, **item} for item in items or () if item is not None]
        values[whole] = [*(values.get(whole) or ()), *more]
        return
    part = reading.read(of.keys[word], value, word)
    if word in (values.get(whole) or {}):
        return reading.note("not_together", key, word, word=word, other=f"{whole}.{word}")
    values[whole] = {name: part if name == word else values[whole][name] for name in of.keys if name == word or name in (values.get(whole) or {})}


def _one_of(reading: Reading, shape: OneOf, node: Node, path: str) -> dict | None:
    if node.kind is TEXT:
        from kingdom.shortform import read_short

        return read_short(reading, shape, node, path)
    if node.kind is not MAP:
        return reading.note("not_map", node, path, meaning=shape.meaning, example=example_of(shape))
    if shape.by:
        return _case_by_word(reading, shape, node, path)
    known = {key for record in shape.cases.values() for key in record.keys}
    named = [(snake(key.value), key) for key, _ in node.value]
    which = [(word, key) for word, key in named if word in shape.cases]
    if len(which) == 1:
        return read_keys(reading, shape.cases[which[0][0]], node, path)
    if which:
        return reading.note("not_together", which[1][1], path, word=which[1][0], other=which[0][0])
    strange = [key for word, key in named if word not in known]
    for key in strange:
        reading.unknown_key(key, f"{path}.{snake(key.value)}", sorted(known))
    if not strange:
        reading.note("which", node, path, keys=", ".join(shape.cases))
    return None


def _case_by_word(reading: Reading, shape: OneOf, node: Node, path: str) -> dict | None:
    found = next((value for key, value in node.value if snake(key.value) == shape.by), None)
    word = Word(shape.meaning, tuple(shape.cases))
    if found is None:
        return reading.note("missing_key", node, path, word=shape.by, meaning=shape.meaning, example=example_of(word))
    case = _word(reading, word, found, f"{path}.{shape.by}")
    if case is None:
        return None
    return {shape.by: case, **read_keys(reading, shape.cases[case], node, path, besides=shape.by)}


def _map(reading: Reading, shape: MapOf, node: Node, path: str) -> dict | None:
    if node.kind is not MAP:
        return reading.note("not_map", node, path, meaning=shape.meaning, example=example_of(shape))
    if len(node.value) > shape.most:
        return reading.note("too_many", node, path, size=len(node.value), most=shape.most, meaning=shape.meaning)
    values: dict[str, Any] = {}
    for key, value in node.value:
        inner = f"{path}.{key.value}" if path else key.value
        word = snake(key.value)
        fixed = shape.fixed.get(word)
        name = word if fixed is not None else reading.read(shape.key, key, inner)
        if name in values and name is not None:
            reading.note("duplicate_key", key, inner, key=name, line=key.line)
        values[name] = reading.read(fixed if fixed is not None else shape.of, value, inner)
    return values


def _choice(reading: Reading, shape: Choice, node: Node, path: str) -> dict | None:
    word, rest = node, None
    if node.kind is MAP and len(node.value) == 1:
        word, rest = node.value[0]
    elif node.kind is TEXT:
        from kingdom.shortform import first_word

        word, rest = first_word(node, shape.cases)
    case = _word(reading, Word(shape.meaning, tuple(shape.cases)), word, path)
    if case is None:
        return None
    of = shape.cases[case]
    if rest is None or _absent(rest):
        return {case: ""}
    if of is None:
        return reading.note("short_form", rest, path, word=case, meaning=shape.meaning, example=case)
    return {case: reading.read(of, rest, f"{path}.{case}")}


def _either(reading: Reading, shape: Either, node: Node, path: str) -> Any:
    tries: list[Reading] = []
    for of in shape.shapes:
        attempt = Reading(reading.names, reading.file)
        value = attempt.read(of, node, path)
        if not attempt.problems:
            return value
        tries.append(attempt)
    # what was nearest to being right says most: the fewest problems, the deepest
    best = min(tries, key=lambda a: (all(p.code.startswith("not_") for p in a.problems), len(a.problems)))
    reading.problems += best.problems
    return None


def _raw(reading: Reading, shape: Raw, node: Node, path: str) -> Node:
    return node


_READERS = {
    Text: _text, Number: _number, Flag: _flag, Word: _word, Label: _label, Id: _id, ListOf: _list, Record: _record,
    OneOf: _one_of, MapOf: _map, Choice: _choice, Either: _either, Raw: _raw,
}  # fmt: skip
