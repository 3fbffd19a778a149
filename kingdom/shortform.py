"""Short forms: `house in Oakhold at A1` for {in: Oakhold, build: house, lot: A1}, by the patterns that shapes declare."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Iterator, Mapping

from kingdom.shape import Label, ListOf, Number, OneOf, Reading, Record, Text, Word, example_of, is_label, read_keys, snake
from kingdom.problems import shown
from kingdom.yamltext import MAP, TEXT, Node

_SLOT = re.compile(r"\{(\w+)\}")


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
    for word in sorted(words, key=len, reverse=True):
        match = re.match(word.replace("_", r"[\s_-]+") + r"(?:\s+|$)", node.value.strip(), re.IGNORECASE)
        if match and match.end() < len(node.value.strip()):
            return part(node, 0, len(match[0].rstrip())), part(node, match.end(), len(node.value))
    return node, None


def read_short(reading: Reading, shape: Record | OneOf, node: Node, path: str) -> dict | None:
    """The record that a text is short for. A pattern whose every slot fits goes before one whose words alone do."""
    for strict in (True, False):
        for case, record, pattern in _patterns(shape):
            match = _compiled(pattern, case, _kinds(record, pattern, strict)).fullmatch(node.value.strip())
            if not match:
                continue
            slots = [(slot, part(node, *match.span(slot))) for slot in _SLOT.findall(pattern)]
            if strict and not all(_fits(reading, record.keys[slot], value.value) for slot, value in slots):
                continue
            named = tuple((Node(TEXT, slot, value.line, value.column, True), value) for slot, value in slots)
            values = read_keys(reading, record, Node(MAP, named, node.line, node.column), path)
            return {shape.by: case, **values} if case else values
    if not node.value.strip():
        return reading.note("empty_text", node, path, meaning=shape.meaning, example=_example(shape))
    return reading.note("short_form", node, path, word=shown(node.value), meaning=shape.meaning, example=_example(shape))


def _patterns(shape: Record | OneOf) -> Iterator[tuple[str, Record, str]]:
    """(the case's word where texts begin with it, its record, the pattern), in the order in which they are tried."""
    if isinstance(shape, Record):
        for pattern in shape.short:
            yield "", shape, pattern
        return
    for case, record in shape.cases.items():
        for pattern in record.short:
            yield (case if shape.by else ""), record, pattern


def _kinds(record: Record, pattern: str, strict: bool) -> tuple[str, ...]:
    """For each slot of a pattern the regular expression of what it takes: what is right, or else any one word."""
    kinds = []
    for slot in _SLOT.findall(pattern):
        of = record.keys[slot]
        if isinstance(of, Label):
            kinds.append(r"\d{4}" if strict else r"\S+")
        elif isinstance(of, Number):
            kinds.append(r"[+-]?\d+" if strict else r"\S+")
        elif isinstance(of, Text) and of.pattern:
            kinds.append(of.pattern if strict else r"\S+")
        else:
            kinds.append(".+?")
    return tuple(kinds)


@lru_cache(maxsize=None)
def _compiled(pattern: str, case: str, kinds: tuple[str, ...]) -> re.Pattern:
    """The regular expression of a pattern; its words are read without regard to case."""
    begin = case.replace("_", r"[\s_-]+") + r"\s+" if case else ""
    slots = iter(kinds)
    parts = re.split(r"(\{\w+\}|\s+)", pattern)
    body = "".join(
        f"(?P<{p[1:-1]}>{next(slots)})" if p[:1] == "{" else r"\s+" if p.isspace() else re.escape(p) for p in parts
    )
    return re.compile(begin + body, re.IGNORECASE | re.DOTALL)


def _fits(reading: Reading, shape: Any, text: str) -> bool:
    """Whether a slot's text can be what the slot is for, so that `Castle at Sea` is no place for a lot `Sea`."""
    if isinstance(shape, ListOf):
        return all(_fits(reading, shape.of, word) for word in text.split())
    if isinstance(shape, Label):
        return is_label(text)
    if isinstance(shape, Word):
        return snake(text) in reading.words(shape)
    if isinstance(shape, Number):
        return text.lstrip("+-").isdigit()
    if isinstance(shape, Text) and shape.pattern:
        return re.fullmatch(shape.pattern, text) is not None
    return True


def _example(shape: Record | OneOf) -> str:
    """The first short form, filled in; the long one where there is none."""
    for case, record, pattern in _patterns(shape):
        filled = _SLOT.sub(lambda slot: example_of(record.keys[slot[1]]).strip('"[]'), pattern)
        return f"{case} {filled}".strip()
    return example_of(shape)
