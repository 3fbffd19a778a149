"""The parts of an offer: fields to choose in, and where what is chosen comes to stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Offer = dict[str, Any]
Field = dict[str, Any]
Row = tuple[
    Any, str, Mapping[str, Any]
]  # a value, its words, and the condition under which it can be chosen, {} for none
LIST, ONE, MAP = "list", "one", "map"  # how an order stands under its key: one of a list, all of it, a row of a map


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


def unless(condition: Mapping[str, Any], name: str, values: list[str]) -> dict[str, Any]:
    """The condition, and that none of these values is in that field."""
    return {**condition, "unless": {**condition.get("unless", {}), name: values}} if values else dict(condition)


def when(condition: Mapping[str, Any], name: str, values: list[str]) -> dict[str, Any]:
    """The condition, and that one of these values is in that field."""
    return {**condition, "when": {**condition.get("when", {}), name: values}}
