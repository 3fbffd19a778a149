"""Orders at random, made from their declaration: whatever a game declares comes out in every form."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kingdom.orders.reading import short_of
from kingdom.orders.scalars import one_line
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
    Record,
    Short,
    Text,
    Word,
)

NAMES = ("Oakhold", "New Ford", "O'Malley", "Castle at Sea", "Fort in Vale", "Ch\u00e2teau d'Or", "Upgrade to Inn", "A1", "0404", "null",
         "no", "Ford, the Old", "water north", "St. Ives", "\u00c5 \u00e9\u6771\u4eac", "a: b", "- x", "'q'", '"', "#1", "{x}", "[ at ]", "\\", "x {lot}")  # fmt: skip


def values(shape: Any, names: Mapping[str, Container[str]]) -> SearchStrategy:
    """Values of this shape, in the long form."""
    return _MAKERS[type(shape)](shape, names)


def _text(shape: Text, names: Any) -> SearchStrategy:
    if shape.pattern:
        return st.from_regex(shape.pattern, fullmatch=True).filter(
            lambda text: text.isascii() and len(text) <= shape.most
        )
    if shape.lines:
        lines = st.text(st.characters(exclude_categories=("C",)), max_size=40).map(str.strip)
        made = st.lists(lines, min_size=1, max_size=3).map("\n".join).map(str.strip)
    else:
        made = st.one_of(st.sampled_from(NAMES), st.text(max_size=20)).map(one_line).filter(str.isprintable)
    return made.filter(lambda text: 0 < len(text) <= shape.most)


def _record(shape: Record, names: Any) -> SearchStrategy:
    wanted = {key: values(of, names) for key, of in shape.keys.items() if key != "token"}
    must = {key: made for key, made in wanted.items() if key in shape.required}
    may = {key: made for key, made in wanted.items() if key not in shape.required}
    made = st.fixed_dictionaries(must, optional=may)
    return made.filter(lambda value: all(len(value.keys() & set(group)) < 2 for group in shape.apart))


def _one_of(shape: OneOf, names: Any) -> SearchStrategy:
    cases = [(word, values(record, names)) for word, record in shape.cases.items()]
    return st.one_of(
        [made.map(lambda value, word=word: {shape.by: word, **value} if shape.by else value) for word, made in cases]
    )


def _choice(shape: Choice, names: Any) -> SearchStrategy:
    alone = st.sampled_from(list(shape.cases)).map(lambda word: {word: ""})
    more = [
        values(of, names).map(lambda value, word=word: {word: value})
        for word, of in shape.cases.items()
        if of is not None
    ]
    return st.one_of(alone, *more)


def _either(shape: Either, names: Any) -> SearchStrategy:
    made = [values(of, names) for of in shape.shapes]
    return st.one_of(made).filter(lambda value: not (isinstance(value, str) and value.lstrip("+-").isdecimal()))


def _map(shape: MapOf, names: Any) -> SearchStrategy:
    others = st.dictionaries(values(shape.key, names), values(shape.of, names), max_size=3)
    fixed = {key: values(of, names) for key, of in shape.fixed.items()}
    return st.tuples(st.fixed_dictionaries({}, optional=fixed), others).map(lambda two: {**two[0], **two[1]})


def _words(shape: Word, names: Any) -> SearchStrategy:
    return st.sampled_from([*(names[shape.of] if isinstance(shape.of, str) else shape.of), *shape.also])


_MAKERS = {
    Text: _text,
    Number: lambda shape, names: st.integers(shape.least, shape.most),
    Flag: lambda shape, names: st.booleans(),
    Word: _words,
    Label: lambda shape, names: st.builds("{:02}{:02}".format, st.integers(1, 99), st.integers(1, 99)),
    Id: lambda shape, names: st.from_regex("[a-z][a-z0-9]{0,8}(_[a-z0-9]{1,8})?", fullmatch=True).filter(
        lambda word: word != "gm"
    ),
    ListOf: lambda shape, names: st.lists(values(shape.of, names), min_size=shape.least, max_size=min(shape.most, 4)),
    Record: _record,
    OneOf: _one_of,
    Choice: _choice,
    Either: _either,
    MapOf: _map,
    Short: lambda shape, names: values(shape.of, names).map(lambda value: short_of(shape.of, value)).filter(bool),
}
