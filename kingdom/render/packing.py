"""The offers of an order form as its page gets them: each order once, with the ways to give it in a table.

A kingdom may order hundreds of things that differ in a hex and a price. What the offers of one order share stands once, with holes
for the rest, and templates/form/draft.js fills the holes again. The model then holds

    orders     [{offer, columns}]: an offer with holes, and what fills them: a table with a row for each way to give the order, by
               its columns. A column is the numbers of `cells`, between commas; one that is the same as in the row before is left out, and so are the commas at the end of a column but the first
    cells      [[value]]: values for some of the holes of an order. Where one value decides others they share a cell: which
               improvement it is decides how it is called and what it excludes, but not what it costs in a hex
    mark       {mark: number} is a hole for a value of the row, which is all its cells joined, and {mark: [word]} a text of such words. In texts the mark stands for value 0,
               the place: `at`, or the title of the part. {mark: -1} is nothing: an offer without that key
    sections   `offers` of a part are runs, [number in orders, count]: so many of the next rows of that order
    places     {what stands there: [place]}, each text once

The offers of an order have one key, one rank, and the same first word of the id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Any, TypeAlias

import msgspec

from kingdom.engine.step import Facts

MARKS = ("~", "\x7f")  # no text of a form holds the second
Column: TypeAlias = tuple[bytes, ...]  # a value of each offer of an order, as JSON
ROOM = 3  # about so many bytes takes the number of a cell in a row
encode = msgspec.json.encode


def packed(model: Facts) -> Facts:
    """Return the model with each order once. What the page makes of it are the model's offers again, in their order."""
    mark = next(mark for mark in MARKS if mark.encode() not in encode(model["sections"]))
    orders: dict[
        tuple[object, ...], list[tuple[str, Facts]]
    ] = {}  # what the offers of an order have in common -> (place, offer)
    sections = []
    for section in model["sections"]:
        parts = []
        for part in section["parts"]:
            runs = list[list[int]]()
            for common, run in groupby(part.get("offers", ()), key=_common):
                offers = [(offer.get("at") or part.get("title", ""), offer) for offer in run]
                orders.setdefault(common, []).extend(offers)
                runs.append([[*orders].index(common), len(offers)])
            parts.append({**part, "offers": runs} if runs else part)
        sections.append({**section, "parts": parts})
    made = [_order(ways, mark) for ways in orders.values()]
    often = Counter(cell for order in made for column in order["columns"] for cell in column)  # get the short numbers
    numbers = {cell: number for number, (cell, _) in enumerate(often.most_common())}
    for order in made:
        first, *others = (",".join(_told([str(numbers[cell]) for cell in column])) for column in order["columns"])
        order["columns"] = [first, *(column.rstrip(",") for column in others)]
    places: dict[str, list[str]] = {}
    for place, words in model.get("places", {}).items():
        places.setdefault(words, []).append(place)
    return {
        **model,
        "sections": sections,
        "places": places,
        "orders": made,
        "cells": [msgspec.Raw(cell) for cell in numbers],
        "mark": mark,
    }


def _told(column: list[str]) -> Iterator[str]:
    """Yield the numbers, "" for one that is the same as before."""
    return ("" if number == before else number for before, number in zip(["", *column], column, strict=False))


def _common(offer: Facts) -> tuple[object, ...]:
    return offer["key"], offer.get("how"), offer.get("rank"), offer["id"].split(" ")[0]


def _order(ways: Sequence[tuple[str, Facts]], mark: str) -> dict[str, Any]:
    """Return the entry of an order, with the cells themselves in its columns. ways: (place, offer) each."""
    places = [place for place, _ in ways]
    inside = [encode(place)[1:-1] or b"\0" for place in places]  # as it stands in JSON, which holds no \0
    columns: dict[Column, dict[str, int]] = {tuple(map(encode, places)): {mark: 0}}  # and the hole that each fills

    def held(values: Sequence[Any]) -> Any:
        """What the entry holds where its offers have these values: what all share, or a hole."""
        first = values[0]
        if isinstance(first, str) and all(isinstance(value, str) for value in values):
            texts = [
                value.replace(place, mark) if place else value for value, place in zip(values, places, strict=True)
            ]
            spaces = {text.count(" ") for text in texts}
            if texts.count(texts[0]) == len(texts):
                return texts[0]
            if len(spaces) == 1 and spaces != {0}:
                return {mark: [held(words) for words in zip(*(text.split(" ") for text in texts), strict=True)]}
            return columns.setdefault(tuple(map(encode, texts)), {mark: 0})
        if isinstance(first, dict) and all(isinstance(value, dict) and [*value] == [*first] for value in values):
            return {key: held([value[key] for value in values]) for key in first}
        if isinstance(first, list) and all(isinstance(value, list) and len(value) == len(first) for value in values):
            return [held(items) for items in zip(*values, strict=True)]
        column = tuple(
            text if word not in text else encode(_placed(value, place, mark))
            for text, value, place, word in zip(map(encode, values), values, places, inside, strict=True)
        )
        alike = column.count(column[0]) == len(column)
        return msgspec.Raw(column[0]) if alike else columns.setdefault(column, {mark: 0})

    keys = dict.fromkeys(chain.from_iterable(offer for _, offer in ways))
    shared = {key: held([offer.get(key, {mark: -1}) for _, offer in ways]) for key in keys}
    groups = _grouped([*columns])
    for number, column in enumerate(chain.from_iterable(groups)):
        columns[column][mark] = number
    return {
        "offer": shared,
        "columns": [[b"[%s]" % b",".join(cell) for cell in zip(*group, strict=True)] for group in groups],
    }


def _placed(value: Any, place: str, mark: str) -> Any:
    """Return a value with the mark for the place in its texts."""
    if isinstance(value, str):
        return value.replace(place, mark)
    if isinstance(value, (list, tuple)):
        return [_placed(inner, place, mark) for inner in value]
    return {key: _placed(inner, place, mark) for key, inner in value.items()} if isinstance(value, dict) else value


def _grouped(columns: list[Column]) -> list[list[Column]]:
    """Return the columns in groups: those whose first decides the others share the cells of a row, where that takes less room."""
    groups = list[list[Column]]()
    for column in [columns[0], *sorted(columns[1:], key=lambda column: -len(set(column)))]:
        alone = ROOM * len(column) + _length(set(column))
        for group in groups:
            pairs = set(zip(group[0], column, strict=True))
            if len(pairs) == len(set(group[0])) and _length(value for _, value in pairs) < alone:
                group.append(column)
                break
        else:
            groups.append([column])
    return groups


def _length(values: Iterable[bytes]) -> int:
    return sum(len(value) + 1 for value in values)
