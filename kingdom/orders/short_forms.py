"""Short forms: `house in Oakhold at A1` for {in: Oakhold, build: house, lot: A1}, by the patterns that shapes declare.

kingdom/orders/schema.py explains the patterns. Here texts are taken apart by them and made from them.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from kingdom.engine.names import words
from kingdom.engine.regex import regex
from kingdom.orders.scalars import is_label
from kingdom.orders.schema import (
    SLOT,
    Choice,
    Either,
    Id,
    Label,
    ListOf,
    Number,
    OneOf,
    Record,
    Shape,
    Text,
    Word,
    patterns,
    snake,
    written,
)  # fmt: skip
from kingdom.orders.yaml_text import MAP, TEXT, Node

MOST_WORDS = 4  # most words of one item in a list of words
LONGEST = 600  # characters of one short form: whoever writes more wants to cost us time
_TOKEN = regex(r"(\{\w+\}|\s+|[\[\]]|\(\w\))")
_WORDS = r"\S+(?:\s+\S+){0,3}?"  # a word of a closed list has a few words at most
_LABEL = r"(?!00)\d\d(?!00)\d\d"

Words: TypeAlias = Callable[[Word], Container[str]]  # the closed list of a word


# --- a text as parts -----------------------------------------------------------------------------------------------------


def part(node: Node, start: int, end: int) -> Node:
    """Return a piece of a text, at its own column if that is known."""
    inner = node.inner + start if node.inner else 0
    return Node(TEXT, node.value[start:end], node.line, inner or node.column, True, inner)


def pieces(how: str, node: Node) -> list[Node]:
    """Return the items of a list that was written as one text: its `words`, the parts between `commas`, or all as `one`."""
    if how == "one":
        return [node]
    pattern = r"[^\s,]+" if how == "words" else r"[^\s,](?:[^,]*[^\s,])?"
    return [part(node, match.start(), match.end()) for match in re.finditer(pattern, node.value)]


def items_of(shape: ListOf, node: Node, words: Words) -> list[Node]:
    """Return the items of a list that was written as one text. Among `words`, an item takes as many as its short form has: `most in hand any`."""
    alone = pieces(shape.short, node)
    shapes = shape.of.shapes if isinstance(shape.of, Either) else (shape.of,)
    forms = [
        (case, record, pattern)
        for of in shapes
        if isinstance(of, (Record, OneOf))
        for case, record, pattern in patterns(of)
        if case or " " in pattern
    ]
    if shape.short != "words" or not forms or len(node.value) > LONGEST:
        return alone
    spans = [match.span() for match in re.finditer(r"[^\s,]+", node.value)]
    items, place = list[Node](), 0
    while place < len(spans):
        start = spans[place][0]
        several = (
            (count, part(node, start, spans[place + count - 1][1]))
            for count in range(min(MOST_WORDS, len(spans) - place), 1, -1)
        )
        count, item = next(
            ((count, item) for count, item in several if "," not in item.value and _is_one(forms, item, words)),
            (1, alone[place]),
        )
        items.append(item)
        place += count
    return items


def _is_one(forms: Iterable[tuple[str, Record, str]], node: Node, words: Words) -> bool:
    """Whether the text has one of these forms, with one word in each slot."""
    found = (_slots(record, pattern, case, node, words) for case, record, pattern in forms)
    return any(slots is not None and not any(" " in value.value for _, value in slots) for slots in found)


def first_word(node: Node, words: Iterable[str]) -> tuple[Node, Node | None]:
    """Split a text after the longest of these words with which it begins: (the word, the rest or None)."""
    for word in sorted(words, key=len, reverse=True) if len(node.value) <= LONGEST else ():
        if match := re.match(_word(word) + r"\s+(?=\S)", node.value, re.IGNORECASE):
            return part(node, 0, len(match[0].rstrip())), part(node, match.end(), len(node.value))
    return node, None


# --- a text by a pattern -------------------------------------------------------------------------------------------------


class Match(Struct, frozen=True):
    """A short form that was read: a record, as a map of its keys. case: its word if texts begin with it, else ""."""

    case: str
    record: Record
    node: Node


def matched(shape: Record | OneOf, node: Node, words: Words) -> Match | None:
    """Match a text with the patterns. One whose slots all fit comes before one of which only the words fit."""
    for strict in (True, False) if len(node.value) <= LONGEST else ():
        for case, record, pattern in patterns(shape):
            slots = _slots(record, pattern, case, node, words if strict else None)
            if slots is not None:
                named = tuple((Node(TEXT, slot, value.line, value.column), value) for slot, value in slots)
                return Match(case, record, Node(MAP, named, node.line, node.column))
    return None


def _slots(record: Record, pattern: str, case: str, node: Node, words: Words | None) -> list[tuple[str, Node]] | None:
    """Return the slots that the text fills, in the order of the pattern; None if it does not fit. words: check the slots by these, if given."""
    match = _compiled(pattern, case, _kinds(record, pattern, words is not None)).fullmatch(node.value.strip())
    if not match:
        return None
    offset = len(node.value) - len(node.value.lstrip())
    spans = [(slot, match.span(slot)) for slot in _slots_in(pattern)]
    slots = [(slot, part(node, start + offset, end + offset)) for slot, (start, end) in spans if start >= 0]
    if words and not all(_fits(words, record.keys[slot], value.value) for slot, value in slots):
        return None
    return slots


@cache
def _slots_in(pattern: str) -> tuple[str, ...]:
    return tuple(SLOT.findall(pattern))


# the record is kept beside its id, so that no other record gets the same id
_known_kinds: dict[tuple[int, str, bool], tuple[Record, tuple[str, ...]]] = {}


def _kinds(record: Record, pattern: str, strict: bool) -> tuple[str, ...]:
    """Return a regular expression for each slot of a pattern: strict, only valid texts; otherwise any single word."""
    key = id(record), pattern, strict
    known = _known_kinds.get(key)
    if known is None:
        kinds = tuple(_kind(record.keys[slot], strict) for slot in _slots_in(pattern))
        known = _known_kinds[key] = record, kinds
    return known[1]


def _kind(shape: Shape, strict: bool) -> str:
    if isinstance(shape, (Word, Id)):
        return _WORDS
    right = shape.pattern if isinstance(shape, Text) else ""
    right = _LABEL if isinstance(shape, Label) else r"[+-]?\d+" if isinstance(shape, Number) else right
    return ".+?" if not right else right if strict else r"\S+"


@cache
def _compiled(pattern: str, case: str, kinds: tuple[str, ...]) -> re.Pattern[str]:
    """The regular expression of a pattern; its words are read without regard to case."""
    slots = iter(kinds)

    def regular(token: str) -> str:
        if token[0] == "{":
            return f"(?P<{token[1:-1]}>{next(slots)})"
        if token[0] == "(":
            return f"{token[1]}?"
        return {"[": "(?:", "]": ")?"}.get(token) or r"\s+"

    begin = _word(case) + (r"\s+" if pattern else "") if case else ""
    parts = _TOKEN.split(pattern)  # words, token, words, token ... words
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = map(regular, parts[1::2])
    return re.compile(begin + "".join(parts), re.IGNORECASE | re.DOTALL)


def _word(word: str) -> str:
    """Return the regular expression of a word in every spelling."""
    return re.escape(word).replace("_", r"[\s_-]+")


def _fits(words: Words, shape: Shape, text: str) -> bool:
    """Return whether a text can fill a slot: in `Castle at Sea`, `Sea` can't be a lot."""
    if isinstance(shape, Either):
        return any(_fits(words, of, text) for of in shape.shapes)
    if isinstance(shape, ListOf):
        return all(_fits(words, shape.of, word) for word in text.split())
    if isinstance(shape, Label):
        return is_label(text)
    if isinstance(shape, Word):
        return snake(text) in words(shape) or snake(text) in shape.also
    return True  # what else a slot may hold is in the pattern


# --- a pattern made a text -----------------------------------------------------------------------------------------------


def filled(shape: Record | OneOf, value: Mapping[str, object]) -> str | None:
    """Return the text by the first pattern that holds all of a record; None if there is none."""
    by = shape.by if isinstance(shape, OneOf) else ""
    slots = {key: _typed(part) for key, part in value.items() if key != by}
    for case, _, pattern in patterns(shape):
        if by and value.get(by) != case:
            continue
        text = _filled(pattern, slots)
        if text is not None:
            return f"{case} {text}" if by else text
    return None


def in_words(shape: Shape | None, value: object) -> str:
    """Return a value in a line for a person: its short form, or else what stands under each of its keys."""
    if isinstance(shape, Either):
        shape = next((of for of in shape.shapes if isinstance(of, Record) == isinstance(value, dict)), shape.shapes[0])
    if isinstance(value, dict):
        case, by = shape, ""
        if isinstance(shape, OneOf):
            by, case = shape.by, shape.cases[value[shape.by] if shape.by else next(filter(shape.cases.get, value))]
        shapes = case.keys if isinstance(case, Record) else case.cases if isinstance(case, Choice) else {}
        parts = {key: in_words(shapes.get(key), part) for key, part in value.items() if key != by}
        text = filled(case, parts) if isinstance(case, Record) else None
        text = text or ", ".join(f"{words(key)} {part}".strip() for key, part in parts.items())
        return f"{words(value[by])} {text}".strip() if by else text
    if isinstance(value, list | tuple):
        joined = ", " if isinstance(shape, ListOf) and shape.short == "commas" else " "
        return joined.join(in_words(shape.of if isinstance(shape, ListOf) else None, part) for part in value)
    return words(value) if isinstance(shape, Word | Id) and isinstance(value, str) else str(value)


def _typed(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _filled(pattern: str, slots: Mapping[str, str]) -> str | None:
    """Fill a pattern with these slots; None if it has no place for one, or lacks one."""
    text, used = "", 0
    for piece, names, optional in _parts(pattern):
        if all(name in slots for name in names):
            text += SLOT.sub(lambda slot: slots[slot[1]], written(_OF_ONE.sub(_one(slots), piece)))
            used += len(names)
        elif not optional:
            return None
    return text if used == len(slots) else None


_OF_ONE = regex(r"(\{(\w+)\} \w+)\((\w)\)")  # `{weeks} week(s)`


def _one(slots: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    """The word behind a number with its letter of the plural, and without it behind 1."""
    return lambda found: found[1] if slots[found[2]] == "1" else f"{found[1]}{found[3]}"


@cache
def _parts(pattern: str) -> list[tuple[str, list[str], bool]]:
    """Return (text, its slots, whether it is optional) for each part of a pattern, without optional words."""
    parts = [(text.strip("[]"), SLOT.findall(text), text[:1] == "[") for text in re.split(r"(\[[^]]*\])", pattern)]
    return [(text, names, optional) for text, names, optional in parts if names or not optional]
