"""Short forms: `house in Oakhold at A1` for {in: Oakhold, build: house, lot: A1}, by the patterns that shapes declare.

A pattern has slots in braces, and in square brackets what may be left out: `{build} in {in}[ at {lot}]`. A letter in round
brackets is written, and need not be typed: `{weeks} week(s)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from kingdom.engine.problems import shown
from kingdom.orders.reading import Reading, is_label, read_keys
from kingdom.orders.schema import Either, Id, Label, ListOf, Number, OneOf, Record, Word, example_of, snake
from kingdom.orders.yaml_text import MAP, TEXT, Node

SLOT = re.compile(r"\{(\w+)\}")
_TOKEN = re.compile(r"\{\w+\}|\s+|[\[\]]|\(\w\)")
LONGEST = 600  # characters of one short form: whoever writes more wants to cost us time
_WORDS = r"\S+(?:\s+\S+){0,3}?"  # a word of a closed list has a few words at most
_LABEL = r"(?!00)\d\d(?!00)\d\d"


def part(node: Node, start: int, end: int) -> Node:
    """A piece of a text, at its own column where that can be told."""
    inner = node.inner + start if node.inner else 0
    return Node(TEXT, node.value[start:end], node.line, inner or node.column, True, inner)


def pieces(how: str, node: Node) -> list[Node]:
    """The items of a list that was written as one text: its `words`, what stands between `commas`, or all as `one`."""
    if how == "one":
        return [node]
    pattern = r"[^\s,]+" if how == "words" else r"[^\s,](?:[^,]*[^\s,])?"
    return [part(node, match.start(), match.end()) for match in re.finditer(pattern, node.value)]


def first_word(node: Node, words: Mapping[str, Any]) -> tuple[Node, Node | None]:
    """A text split behind the longest of these words that it begins with: (the word, the rest or None)."""
    for word in sorted(words, key=len, reverse=True) if len(node.value) <= LONGEST else ():
        match = re.match(_word(word) + r"\s+(?=\S)", node.value, re.IGNORECASE)
        if match:
            return part(node, 0, len(match[0].rstrip())), part(node, match.end(), len(node.value))
    return node, None


def read_short(reading: Reading, shape: Record | OneOf, node: Node, path: str) -> dict | None:
    """The record that a text is short for. A pattern whose every slot fits goes before one whose words alone do."""
    for strict in (True, False) if len(node.value) <= LONGEST else ():
        for case, record, pattern in patterns(shape):
            slots = _slots(reading, record, pattern, case, node, strict)
            if slots is not None:
                named = tuple((Node(TEXT, slot, value.line, value.column), value) for slot, value in slots)
                values = read_keys(reading, record, Node(MAP, named, node.line, node.column), path)
                return {shape.by: case, **values} if isinstance(shape, OneOf) and shape.by else values
    code = "short_form" if node.value.strip() else "empty_text"
    example = example_of_short(shape, node.value)
    return reading.note(code, node, path, word=shown(node.value), meaning=shape.meaning, example=example)


def patterns(shape: Record | OneOf) -> Iterator[tuple[str, Record, str]]:
    """(the case's word where texts begin with it, its record, the pattern), in the order in which they are tried."""
    if isinstance(shape, Record):
        for pattern in shape.short:
            yield "", shape, pattern
        return
    for case, record in shape.cases.items():
        for pattern in record.short:
            yield (case if shape.by else ""), record, pattern


def _slots(
    reading: Reading, record: Record, pattern: str, case: str, node: Node, strict: bool
) -> list[tuple[str, Node]] | None:
    """The slots that the text fills, in the order of the pattern; None where it does not fit."""
    match = _compiled(pattern, case, _kinds(record, pattern, strict)).fullmatch(node.value.strip())
    if not match:
        return None
    offset = len(node.value) - len(node.value.lstrip())
    found = [(slot, match.span(slot)) for slot in _slots_in(pattern)]
    slots = [(slot, part(node, start + offset, end + offset)) for slot, (start, end) in found if start >= 0]
    if strict and not all(_fits(reading, record.keys[slot], value.value) for slot, value in slots):
        return None
    return slots


@cache
def _slots_in(pattern: str) -> tuple[str, ...]:
    return tuple(SLOT.findall(pattern))


def _kinds(record: Record, pattern: str, strict: bool) -> tuple[str, ...]:
    """For each slot of a pattern the regular expression of what it takes: what is right, or else any one word."""
    kinds = []
    for slot in _slots_in(pattern):
        of = record.keys[slot]
        right = (
            _LABEL if isinstance(of, Label) else r"[+-]?\d+" if isinstance(of, Number) else getattr(of, "pattern", "")
        )
        if isinstance(of, (Word, Id)):
            kinds.append(_WORDS)
        else:
            kinds.append(".+?" if not right else right if strict else r"\S+")
    return tuple(kinds)


@cache
def _compiled(pattern: str, case: str, kinds: tuple[str, ...]) -> re.Pattern:
    """The regular expression of a pattern; its words are read without regard to case."""
    slots = iter(kinds)

    def regular(token: str) -> str:
        if token[0] == "{":
            return f"(?P<{token[1:-1]}>{next(slots)})"
        if token[0] == "(":
            return f"{token[1]}?"
        return {"[": "(?:", "]": ")?"}.get(token) or r"\s+"

    begin = _word(case) + (r"\s+" if pattern else "") if case else ""
    words = _TOKEN.split(pattern)
    tokens = _TOKEN.findall(pattern)
    body = "".join(re.escape(word) + (regular(token) if token else "") for word, token in zip(words, [*tokens, ""]))
    return re.compile(begin + body, re.IGNORECASE | re.DOTALL)


def _word(word: str) -> str:
    """The regular expression of a word as anybody may spell it."""
    return re.escape(word).replace("_", r"[\s_-]+")


def _fits(reading: Reading, shape: Any, text: str) -> bool:
    """Whether a slot's text can be what the slot is for, so that `Castle at Sea` is no place for a lot `Sea`."""
    if isinstance(shape, Either):
        return any(_fits(reading, of, text) for of in shape.shapes)
    if isinstance(shape, ListOf):
        return all(_fits(reading, shape.of, word) for word in text.split())
    if isinstance(shape, Label):
        return is_label(text)
    if isinstance(shape, Word):
        return snake(text) in reading.words(shape) or snake(text) in shape.also
    return True  # what else a slot may hold is in the pattern


def written(pattern: str) -> str:
    """A pattern with the letters that need not be typed."""
    return re.sub(r"\((\w)\)", r"\1", pattern)


def example_of_short(shape: Record | OneOf, typed: str = "") -> str:
    """The shortest of the short forms that begin as `typed`, of all where none does; the long one where there is none."""
    examples = []
    for case, record, pattern in patterns(shape):
        plain = written(re.sub(r"\[[^]]*\]", "", pattern))
        filled = SLOT.sub(lambda slot, keys=record.keys: example_of(keys[slot[1]]).strip('"[]'), plain)
        examples.append(f"{case} {filled}".strip())
    word = typed.lower().split()[:1]
    alike = [example for example in examples if word and example.lower().startswith(word[0])]
    return min(filter(None, alike or examples), key=len, default=example_of(shape))
