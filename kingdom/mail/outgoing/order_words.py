"""Names orders in a mail, and says why they are refused, in words that its reader types: without paths, codes and names of rulings.

`kingdom check` and everything with `--json` show paths, codes and names of rulings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from kingdom.engine.regex import regex
from kingdom.engine.step import Facts, Orders
from kingdom.orders import yaml_out

Short: TypeAlias = Callable[[Orders], Sequence[str]]  # orders -> lines in the short form
Answer: TypeAlias = str | dict[str, int]  # a word, or {word: figure}

LONGEST = 72  # columns of an order that is named in a line
MOST = 8  # answers that are named in a sentence
_PATH = regex(r"(\w+)(?:\[(\d+)\])?(?:\.([^.\[]+))?")  # build[1], edicts.taxation, answers.feud-1
_NAME = r"[a-z_0-9]+"
_RULING = regex(rf"\s*\(rulings? {_NAME}(?:(?:,| and) (?:rulings? )?{_NAME})*(?:: ([^()]*))?\)")


def plainly(reason: str) -> str:
    """A reason without the names of rulings; the words behind such a name stay."""
    return _RULING.sub(lambda found: f" ({found[1]})" if found[1] else "", reason)


def named(path: str, wanted: Orders, short: Short) -> str:
    """The order at a path as its writer would type it: `build: house in Oakhold`; for an order with a long text only the key."""
    found = _PATH.match(path)
    if found is None or found[1] not in wanted:
        return _word(path)
    key, value = found[1], wanted[found[1]]
    if found[2] and isinstance(value, list) and int(found[2]) < len(value):
        value = [value[int(found[2])]]
    elif found[3] and isinstance(value, dict) and found[3] in value:
        value = {found[3]: value[found[3]]}
    return in_one_line(key, value, short)


def without(orders: Orders, paths: Iterable[str]) -> Orders:
    """The orders without those at these paths. A key without any order left is dropped."""
    gone = [found for found in map(_PATH.match, paths) if found]
    kept: dict[str, object] = {}
    for key, value in orders.items():
        parts = [(found[2], found[3]) for found in gone if found[1] == key]
        if isinstance(value, list) and all(number for number, _ in parts):
            value = [item for place, item in enumerate(value) if str(place) not in {number for number, _ in parts}]
        elif isinstance(value, dict) and all(word for _, word in parts):
            value = {word: inner for word, inner in value.items() if word not in {name for _, name in parts}}
        elif parts:
            continue
        if value or value is False or not parts:
            kept[key] = value
    return kept


def texts_at(path: str, orders: Orders) -> Iterator[str]:
    """The texts in the order at a path; for an item of a list all values that are texts."""
    found = _PATH.match(path)
    value = orders.get(found[1]) if found else None
    if found and found[2] and isinstance(value, list) and int(found[2]) < len(value):
        value = value[int(found[2])]
    values = value.values() if isinstance(value, dict) else [value]
    yield from (one for one in values if isinstance(one, str))


def with_texts(path: str, orders: Orders, changed: Mapping[str, str]) -> Orders:
    """The orders, with texts changed in the order at a path. changed: text -> new text."""
    found = _PATH.match(path)
    if found is None or found[1] not in orders:
        return orders
    value = orders[found[1]]
    if found[2] and isinstance(value, list):
        items = [_changed(item, changed) if str(place) == found[2] else item for place, item in enumerate(value)]
        return {**orders, found[1]: items}
    return {**orders, found[1]: _changed(value, changed)}


def _changed(value: object, changed: Mapping[str, str]) -> object:
    if isinstance(value, dict):
        return {key: _changed(inner, changed) for key, inner in value.items()}
    return changed.get(value, value) if isinstance(value, str) else value


def in_one_line(key: str, value: object, short: Short) -> str:
    """An order as it is named in a sentence; for an order with a long text only its key."""
    lines = short({key: value})
    fits = lines and all(not line.startswith(" ") and len(line) < LONGEST for line in lines)
    return "; ".join(lines) if fits else _word(key)


def _word(path: str) -> str:
    """The key of a path, as a word."""
    return re.split(r"[.\[]", path)[0].replace("_", " ")


# --- answers to what a report asked


def questions_of(sheet: Facts) -> list[Facts]:
    """The questions of a sheet, each with `figures`: answer -> the figures that it takes."""
    figures = sheet.get("pending_figures", {})
    return [{**one, "figures": figures.get(one["key"], {})} for one in sheet.get("pending", ())]


def answers_to(question: Facts) -> Iterator[tuple[str, Answer]]:
    """(the answer in words, the answer in an order) for every answer to a question. A choice that needs a figure comes with each figure."""
    figures: Mapping[str, Iterable[int]] = question.get("figures", {})
    for choice in question["choices"]:
        if choice not in figures:
            yield choice.replace("_", " "), choice
        for figure in figures.get(choice, ()):
            yield f"{choice.replace('_', ' ')} {figure}", {choice: figure}


def title_of(question: Facts) -> str:
    """What a question is about: the words before its colon, else its key."""
    title, colon, _ = str(question["question"]).partition(": ")
    return title if colon else str(question["key"])


def refused_answer(question: Facts, given: object, reason: str) -> str:
    """Why an answer is refused. If it is none of the known answers, these are named; else the reason stands as it is."""
    answers = [answer for _, answer in answers_to(question)]
    if given in answers or len(answers) > MOST:
        return plainly(reason)
    said = " or ".join(f"`{yaml_out.flow(answer)}`" for answer in answers)
    last = yaml_out.flow({question["key"]: answers[-1]})
    default = str(question["default"]).replace("_", " ")
    return f"say {said}, for example `answers: {last}`. As it stands, {default} is taken."
