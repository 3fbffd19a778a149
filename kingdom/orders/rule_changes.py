"""How two sets of rules differ, as sentences for players: one for each ruling, and for the rows of a table that came, went or are different.

They hold for a change that has come and for a change that is announced. What a figure that is no plain word or number became stands in
the rules themselves, not here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kingdom.engine.names import words
from kingdom.engine.regex import regex
from kingdom.orders.tables import Tables
from kingdom.orders.yaml_out import flow

SENTENCES = 10  # most sentences in a player's report; the GM's book has them all
_NAMES = 4  # most rows of a table that are told by name
_FIGURES = 4  # most figures of a ruling or row that are told; of more it is only told that they change
_IN_FIGURES = " changes from "
_LONGEST = 60  # characters of a value that is told
_ABBREVIATED = regex(r"\b[b-df-hj-np-tv-xz]{2,3}\b")  # such as the DC of a check


def told(old: Tables, new: Tables, edition: int = 0) -> list[str]:
    """Return a sentence for each ruling that changed, came or went, then for the rows of each table, each in the order of the rules.

    edition: of the new rules, 0 to leave it out. It is named first where it has other tables than the old rules: a campaign's own changes
    leave every table there.
    """
    if old.digest == new.digest:
        return []
    sentences = list(_sentences(old.data, new.data))
    if edition and new.data.keys() != old.data.keys():
        sentences.insert(0, f"The campaign plays edition {edition} of the rules in place of what it played before.")
    return sentences


def cut(sentences: Sequence[str]) -> list[str]:
    """Return what of the sentences a player's report tells, the last of which says how many more there are."""
    if len(sentences) <= SENTENCES:
        return list(sentences)
    told = list(sentences[: SENTENCES - 1])
    return [*told, f"{len(sentences) - len(told)} more changes: ask your GM, whose book has them all."]


def _sentences(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[str]:
    for key in sorted(dict.fromkeys([*old, *new]), key=lambda key: not _is_ruling(old.get(key) or new.get(key))):
        was, now, name = old.get(key), new.get(key), _titled(key)
        if was == now:
            continue
        if _is_ruling(was) or _is_ruling(now):
            yield from _of_ruling(name, was, now)
        elif isinstance(was or now, Mapping):
            yield from _of_table(name, _map(was), _map(now))
        elif not was or not now:
            yield f"{'New' if now else 'No longer there'}: {name}."
        elif _is_plain(was) and _is_plain(now):
            yield f"{name}{_IN_FIGURES}{_value(was)} to {_value(now)}."
        else:
            yield f"Other rows in {name}."


def _of_ruling(name: str, was: object, now: object) -> Iterator[str]:
    before, after = _map(was), _map(now)
    if not after:
        yield f"No longer a rule: {name}."
    elif not before:
        yield f"New rule, {name}: {_first(after['text'])}"
    elif figures := _figures(before, after):
        is_told_by_text = before["text"] != after["text"] and not any(_IN_FIGURES in figure for figure in figures)
        yield f"Changed rule, {name}: {_first(after['text'])}" if is_told_by_text else f"{name}: {_joined(figures)}."


def _of_table(name: str, was: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    if came := {key: row for key, row in now.items() if key not in was}:
        rows = [f"{_row(key, row)}{_cost(row)}" for key, row in came.items()]
        text = _map(next(iter(came.values()))).get("text") if len(came) == 1 else None
        yield f"New in {name}: {_listed(rows)}." + (f" {text}" if text else "")
    if gone := [_row(key, row) for key, row in was.items() if key not in now]:
        yield f"No longer in {name}: {_listed(gone)}."
    other = {key: row for key, row in now.items() if key in was and row != was[key]}
    if len(other) > _NAMES:
        yield f"{name}: {_listed([_row(key, row) for key, row in other.items()])} change."
        return
    for key, row in other.items():
        figures = _figures(_map(was[key]), _map(row))
        yield f"{name}, {_row(key, row)}: {_joined(figures) or 'other figures'}."


def _figures(was: Mapping[str, object], now: Mapping[str, object], path: str = "") -> list[str]:
    """Return a clause for each figure that changes, comes or goes."""
    clauses = []
    for key in dict.fromkeys([*was, *now]):
        before, after, name = was.get(key), now.get(key), f"{path}{words(key)}"
        if before == after or key == "not_played" or (key == "text" and not path):
            continue
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            clauses += _figures(before, after, f"{name}, ")
        elif _is_plain(before) and _is_plain(after):
            clauses.append(f"{name}{_IN_FIGURES}{_value(before)} to {_value(after)}")
        elif after is None:
            clauses.append(f"no {name} any more")
        elif before is None:
            clauses.append(f"{name} is new" + (f" ({_value(after)})" if _is_plain(after) else ""))
        else:
            clauses.append(f"other {name}")
    return clauses


def _is_ruling(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("text"), str)


def _is_plain(value: object) -> bool:
    """Return whether a figure is a word, a number, or a short list of them."""
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(each, (str, int)) for each in value) and len(flow(value)) <= _LONGEST
    return isinstance(value, int) or (isinstance(value, str) and 0 < len(value) <= _LONGEST)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(_value, value)) if isinstance(value, (list, tuple)) else words(str(value))


def _map(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _titled(key: str) -> str:
    name = _ABBREVIATED.sub(lambda word: word[0].upper(), words(key))
    return name[:1].upper() + name[1:]


def _row(key: str, row: object) -> str:
    name = _map(row).get("name")
    return name if isinstance(name, str) and name else _titled(key)


def _cost(row: object) -> str:
    cost = _map(row).get("cost")
    return f" (cost {cost})" if isinstance(cost, int) and not isinstance(cost, bool) else ""


def _listed(names: Sequence[str]) -> str:
    if len(names) <= _NAMES:
        return ", ".join(names)
    return f"{', '.join(names[: _NAMES - 1])} and {len(names) - _NAMES + 1} more"


def _joined(clauses: Sequence[str]) -> str:
    if len(clauses) <= _FIGURES:
        return "; ".join(clauses)
    clauses = sorted(clauses, key=lambda clause: _IN_FIGURES not in clause)
    return "; ".join([*clauses[: _FIGURES - 1], f"{len(clauses) - _FIGURES + 1} more figures change"])


def _first(text: object) -> str:
    """Return the first sentence of a ruling's text."""
    return re.split(r"(?<=[.!?]) (?=[A-Z`])", str(text), maxsplit=1)[0]
