"""Writing short forms: what kingdom/orders/short_forms.py reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from kingdom.orders import yaml_out
from kingdom.orders.reading import Reading
from kingdom.orders.schema import Choice, Flag, ListOf, MapOf, Number, OneOf, Record
from kingdom.orders.short_forms import SLOT, patterns, read_short, written
from kingdom.orders.yaml_text import TEXT, Node

WIDTH = 78  # columns; a longer line goes on in the next behind a comma
_TYPED = re.compile(r"\w(?:[\w .,'-]*[\w.'])?")


def lines_of(shape: Record, key: str, value: Any) -> list[str] | None:
    """The lines that say `key: value` in short forms; None where there is no short form for it."""
    of = shape.keys[key]
    if isinstance(of, (Flag, Number)):
        return None
    if isinstance(of, Record) and value and all(shape.short_keys.get(word) == key for word in value):
        return [f"{word}: {_scalar(part)}\n" for word, part in value.items()]
    if isinstance(of, ListOf) and of.pairs and len({item[of.pairs[0]] for item in value}) == len(value) > 0:
        return _pairs(of, key, value)
    if isinstance(of, ListOf) and isinstance(of.of, OneOf) and len({item.get(of.of.by) for item in value}) == 1:
        word = value[0].get(of.of.by)
        if shape.short_keys.get(word) == key:
            key, of = word, ListOf(of.meaning, of.of.cases[word], "commas")
            value = [
                {name: part for name, part in item.items() if name != shape.keys[shape.short_keys[word]].of.by}
                for item in value
            ]
    text = text_of(of, value)
    return None if text is None else [_wrapped(f"{key}: {_scalar(text)}") + "\n"]


def _pairs(of: ListOf, key: str, value: list) -> list[str] | None:
    """A list of two-key records as a map; None where an item has further keys."""
    first, second = of.pairs
    if any(set(item) != {first, second} for item in value):
        return None
    return [f"{key}:\n", *(f"  {yaml_out.scalar(item[first])}: {yaml_out.scalar(item[second])}\n" for item in value)]


def _scalar(text: str) -> str:
    """A text as a person would type it: in quotes only where YAML needs them."""
    plain = _TYPED.fullmatch(text) and text.lower() not in yaml_out.OTHERWISE_READ
    return text if plain else yaml_out.quoted(text)


def _wrapped(line: str) -> str:
    """A line that is too long, broken behind its commas; a quoted one stays whole."""
    if len(line) <= WIDTH or '"' in line:
        return line
    lines = [""]
    for part in line.split(", "):
        if lines[-1] and len(lines[-1]) + len(part) + 3 > WIDTH:
            lines.append("  " + part + ", ")
        else:
            lines[-1] += part + ", "
    return "\n".join(text.rstrip(" ") for text in lines).rstrip(", ")


def text_of(shape: Any, value: Any) -> str | None:
    """The text that is short for a value of this shape, None where it has none."""
    if isinstance(shape, ListOf):
        return _list(shape, value)
    if isinstance(shape, (Record, OneOf)):
        return short_of(shape, value)
    if isinstance(shape, Choice):
        word, argument = next(iter(value.items()))
        return " ".join(filter(None, (word, argument))) if isinstance(argument, str) else None
    if isinstance(shape, MapOf) or isinstance(value, (dict, list)):
        return None
    return yaml_out.flow(value) if isinstance(value, (bool, int)) else value


def _list(shape: ListOf, value: list) -> str | None:
    texts = [text_of(shape.of, item) for item in value]
    between = {"words": r"[\s,]", "commas": ","}.get(shape.short)
    if not texts or any(text is None or between and re.search(between, text) for text in texts):
        return None
    if between is None:
        return texts[0] if shape.short == "one" and len(texts) == 1 else None
    return (" " if shape.short == "words" else ", ").join(filter(None, texts))


def short_of(shape: Record | OneOf, value: dict[str, Any]) -> str | None:
    """The text that is short for a record; None where no pattern says all of it, or would be read as something else."""
    by = shape.by if isinstance(shape, OneOf) else ""
    slots = {key: _typed(part) for key, part in value.items() if key != by}
    for case, _record, pattern in patterns(shape):
        if by and value.get(by) != case:
            continue
        text = _filled(pattern, slots)
        if text is not None:
            text = f"{case} {text}" if by else text
            reading = Reading(_AnyNames(), "")
            same = read_short(reading, shape, Node(TEXT, text, 1, 1, True), "") == value
            return text if same and not reading.problems else None
    return None


class _AnyNames(dict):
    """Closed lists that hold every word: what is written has been read before."""

    def __missing__(self, name: str) -> _AnyNames:
        return self

    def __contains__(self, word: object) -> bool:
        return True


def _typed(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _filled(pattern: str, slots: Mapping[str, str]) -> str | None:
    """The pattern with these slots, all of them used; None where it has no place for one or lacks one."""
    filled, used = "", 0
    for text, names, optional in _parts(pattern):
        if all(name in slots for name in names):
            filled += SLOT.sub(lambda slot: slots[slot[1]], text)
            used += len(names)
        elif not optional:
            return None
    return filled if used == len(slots) else None


@cache
def _parts(pattern: str) -> list[tuple[str, list[str], bool]]:
    """(text, the slots in it, whether it may be left out) of each part of a pattern; words that may be left out are."""
    parts = [
        (text.strip("[]"), SLOT.findall(text), text[:1] == "[") for text in re.split(r"(\[[^]]*\])", written(pattern))
    ]
    return [(text, names, optional) for text, names, optional in parts if names or not optional]
