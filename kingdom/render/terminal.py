"""Texts for a terminal of 80 columns: sheets, two sheets side by side, plain tables. Lines, which the command line prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import TypeGuard

from kingdom.render.plain_text import width, wrap_said

COLUMNS = 80
# adds the program's name as its user typed it
WORDING: ContextVar[Callable[[str], str]] = ContextVar("WORDING", default=str)


def sheet(values: Mapping[str, object], columns: int = COLUMNS) -> list[str]:
    """A sheet, one key a line; lists and maps continue on more lines, and each map in a map of maps begins a line."""
    size = max(map(len, values), default=0)
    lines = []
    for key, value in values.items():
        start = f"{key:{size}}  "
        if not (isinstance(value, Mapping) and any(isinstance(inner, Mapping) for inner in value.values())):
            lines += _wrapped(start, said(value), columns=columns)
            continue
        for name, inner in value.items():
            lines += _wrapped(f"{start}{name}:", said(inner), size + 4, columns)
            start = " " * (size + 2)
    return lines


def said(value: object) -> str:
    """A value in one line, as a person reads it."""
    if value is None or value == "" or value == [] or value == {}:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        if all(isinstance(inner, (str, int)) for inner in value.values()):
            return ", ".join(f"{key} {said(inner)}" for key, inner in value.items())
        return "; ".join(f"{key}: {said(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(said_item, value))
    return str(value)


def said_item(item: object) -> str:
    """An item of a list: a change of an account as its points and their source, another small map as its values."""
    if not isinstance(item, Mapping):
        return said(item)
    if {"account", "by", "text"} <= item.keys():
        return f"{item['account']} {item['by']:+} ({item['text']})"
    return " ".join(map(str, item.values())) if len(item) < 3 else f"{{{said(item)}}}"


def beside(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    """Return two sheets side by side: every number, and other values that differ."""
    others = [line for what, text in differences(before, after) for line in _wrapped(what, text, 2)]
    return [*table(["", "before", "after", ""], numbers(before, after), numbers=(1, 2, 3)), *others]


def numbers(before: Mapping[str, object], after: Mapping[str, object]) -> list[list[str]]:
    """Every number of two sheets: its key, before, after, and the change, "" for none."""
    rows = []
    for key, new in after.items():
        old = before.get(key)
        if _is_number(new):
            rows.append([key, said(old), said(new), f"{new - old:+}" if isinstance(old, int) and new != old else ""])
    return rows


# questions are left out: the start of every turn ends them, whatever is ordered
_TAKEN_UP = ("pending", "pending_figures")


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return (key with a colon, old and new value) for values other than numbers and questions that differ in two sheets."""
    changed = [
        key for key, new in after.items() if not _is_number(new) and before.get(key) != new and key not in _TAKEN_UP
    ]
    return [change for key in changed for change in _changes(key, before.get(key), after[key])]


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _changes(key: str, old: object, new: object) -> Iterable[tuple[str, str]]:
    """Yield the differences of two values; for maps, the differences key by key. A list of maps with a `key` each counts as a
    map by that key."""
    if _are_keyed(old) and _are_keyed(new) and (old or new):
        old, new = _by_key(old), _by_key(new)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for inner in dict.fromkeys([*old, *new]):
            if inner not in old:
                added = new[inner]
                if isinstance(added, Mapping):  # show only values that are not empty, off or 0
                    added = {word: value for word, value in added.items() if value}
                yield f"{key} {inner}:", f"new, {said(added)}" if added else "new"
            elif inner not in new:
                yield f"{key} {inner}:", "gone"
            elif old[inner] != new[inner]:
                yield from _changes(f"{key} {inner}", old[inner], new[inner])
    elif _are_maps(old) and _are_maps(new):
        came, gone = ([item for item in one if item not in other] for one, other in ((new, old), (old, new)))
        parts = [f"{word} {said(items)}" for word, items in (("new", came), ("gone", gone)) if items]
        yield f"{key}:", "; ".join(parts) or "in another order"
    else:
        yield f"{key}:", f"{said(old)} -> {said(new)}"


def _are_keyed(value: object) -> TypeGuard[list[Mapping[str, object]]]:
    return _are_maps(value) and all("key" in item for item in value)


def _by_key(items: Sequence[Mapping[str, object]]) -> dict[object, dict[str, object]]:
    return {item["key"]: {word: inner for word, inner in item.items() if word != "key"} for item in items}


def _are_maps(value: object) -> TypeGuard[list[Mapping[str, object]]]:
    return isinstance(value, list) and all(isinstance(item, Mapping) for item in value)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> list[str]:
    """A plain table; the columns in `numbers` are aligned to the right."""
    cells = [head, *rows] if any(head) else list(rows)
    widths = [max((len(row[i]) for row in cells), default=0) for i in range(len(head))]
    lines = (
        "  ".join(
            cell.rjust(w) if i in numbers else cell.ljust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    )
    return [line.rstrip() for line in lines]


def paragraph(text: str, indent: int = 0) -> list[str]:
    """A text in lines."""
    return wrap_said(WORDING.get()(text), indent, COLUMNS).split("\n")


def item(text: str) -> list[str]:
    """An item of a list, in lines."""
    return wrap_said(WORDING.get()(text), 4, COLUMNS, "  -").split("\n")


def listed(first: str, items: Iterable[str], indent: int = 2) -> list[str]:
    """Items with commas between them, in lines; an item is broken only if it is wider than a line."""
    lines, items = [" " * indent + first], list(items)
    for number, item in enumerate(items, 1):
        item += "," if number < len(items) else ""
        if width(lines[-1]) + 1 + width(item) > COLUMNS:
            lines.append(" " * indent + item)
        else:
            lines[-1] += f" {item}"
    return [line for whole in lines for line in paragraph(whole, indent)]


def percent(chance: float) -> str:
    """Return a chance of 0 to 1 in percent; rounded, but never to 0 or 100 unless it is certain."""
    if 0 < chance < 0.01 or 0.99 < chance < 1:
        return "under 1 %" if chance < 0.5 else "over 99 %"
    return f"{chance * 100:.0f} %"


def _wrapped(first: str, text: str, indent: int | None = None, columns: int = COLUMNS) -> list[str]:
    return wrap_said(text, len(first) if indent is None else indent, columns, first).split("\n")


def refused(refusals: Iterable[Mapping[str, str]]) -> list[str]:
    """Refusals, each with its order and its reason."""
    return [line for refusal in refusals for line in _wrapped(f"  {refusal['order']}:", refusal["reason"], 4)]
