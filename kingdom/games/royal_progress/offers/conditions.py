"""The parts of an offer in a form: fields to choose in, and under which conditions what can be chosen.

A row is use -> the first actions beside which a second one is legal; conditions of options are made of it (kingdom/render/order_form.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeAlias

Button: TypeAlias = dict[str, Any]  # an offer of a page, as kingdom/render/order_form.py has it
Field: TypeAlias = dict[str, Any]  # a field of one
Conditions: TypeAlias = dict[str, Any]  # "when", "unless": field -> values; {} where there is none
Row: TypeAlias = tuple[Any, str, Conditions]  # a value, its words, and the conditions under which it can be chosen
Beside: TypeAlias = Mapping[str, frozenset[str]]  # use -> the first actions beside which a second one is legal


def slot(name: str) -> str:
    """Where what is chosen in that field comes to stand."""
    return f"\x01{name}\x01"


def choice(name: str, label: str, rows: Iterable[Row], none: str = "") -> Field:
    """One of several. none: what it means to choose nothing, "" where something must be chosen."""
    options = [{"value": value, "text": text, **condition} for value, text, condition in rows]
    return {"name": name, "label": label, "kind": "choice", "options": options, **({"none": none} if none else {})}


def many(name: str, label: str, rows: Iterable[Row]) -> Field:
    """Any number of several."""
    return {**choice(name, label, rows), "kind": "many"}


def unless(condition: Conditions, name: str, values: list[str]) -> Conditions:
    """The condition, and that none of these values is in that field."""
    return {**condition, "unless": {**condition.get("unless", {}), name: values}} if values else dict(condition)


def when(condition: Conditions, name: str, values: list[str]) -> Conditions:
    """The condition, and that one of these values is in that field."""
    return {**condition, "when": {**condition.get("when", {}), name: values}}


def by_use(legal: Collection[str], all_uses: Collection[str]) -> Conditions:
    """The condition of what is legal behind these uses alone ("" being none), {} where behind all."""
    rest = [use for use in all_uses if use not in legal]
    if not rest:
        return {}
    return (
        {"unless": {"ability": rest}}
        if "" in legal
        else {"when": {"ability": [use for use in all_uses if use in legal]}}
    )


def conditions(row: Beside, firsts: Beside) -> list[Conditions]:
    """The conditions of a second action, one for each group of uses; it is open where one of them holds. firsts: all that there are."""
    shut = {use: firsts[use] - open for use, open in row.items()}
    if sum(map(len, shut.values())) <= sum(map(len, row.values())):
        return [_joined(by_use(uses, firsts), "unless", beside) for beside, uses in _groups(shut, row)]
    return [_joined(by_use(uses, firsts), "when", beside) for beside, uses in _groups(row, row)]


def _groups(of: Beside, row: Beside) -> list[tuple[frozenset[str], list[str]]]:
    groups: dict[frozenset[str], list[str]] = {}
    for use in row:
        if row[use]:
            groups.setdefault(of[use], []).append(use)
    return list(groups.items())


def _joined(made: Conditions, word: str, beside: frozenset[str]) -> Conditions:
    return {**made, word: {**made.get(word, {}), "first": sorted(beside)}} if beside else made


def moved(name: str, place: str) -> str:
    """A move in short."""
    return f"A {name} to {place}"
