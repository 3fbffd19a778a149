"""Which actions can follow which: for each, the uses of an ability and the actions beside which a form may offer it.

A row is use -> the first actions beside which a second one is legal; conditions of options are made of it (kingdom/render/order_form.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

Row = Mapping[str, frozenset[str]]
Conditions = list[dict[str, dict[str, list[str]]]]


def by_use(legal: Collection[str], all_uses: Collection[str]) -> dict[str, dict[str, list[str]]]:
    """The condition of what is legal behind these uses alone ("" being none), {} where behind all."""
    rest = [use for use in all_uses if use not in legal]
    if not rest:
        return {}
    return (
        {"unless": {"ability": rest}}
        if "" in legal
        else {"when": {"ability": [use for use in all_uses if use in legal]}}
    )


def conditions(row: Row, firsts: Row) -> Conditions:
    """The conditions of a second action, one for each group of uses; it is open where one of them holds. firsts: all that there are."""
    shut = {use: firsts[use] - open for use, open in row.items()}
    if sum(map(len, shut.values())) <= sum(map(len, row.values())):
        return [_joined(by_use(uses, firsts), "unless", beside) for beside, uses in _groups(shut, row)]
    return [_joined(by_use(uses, firsts), "when", beside) for beside, uses in _groups(row, row)]


def _groups(of: Row, row: Row) -> list[tuple[frozenset[str], list[str]]]:
    groups: dict[frozenset[str], list[str]] = {}
    for use in row:
        if row[use]:
            groups.setdefault(of[use], []).append(use)
    return list(groups.items())


def _joined(made: dict[str, Any], word: str, beside: frozenset[str]) -> dict[str, Any]:
    return {**made, word: {**made.get(word, {}), "first": sorted(beside)}} if beside else made
