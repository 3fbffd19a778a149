"""The rules as players read them: every table as rows of text, every ruling with its figures and how a campaign changes it.

Drawn from the tables' own data; the prose around it stands in templates/realm/rules.md, and takes its figures from here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, TypeVar

from kingdom.engine.game import Facts
from kingdom.engine.names import words
from kingdom.games.realm.rules.rules import TABLES, Rules
from kingdom.games.realm.turn import PHASES
from kingdom.games.shared.rules_page import changed, ruling
from kingdom.orders.vocabulary import fields_of

K = TypeVar("K", str, int)  # a row's word, or its number
_POINTS = frozenset(
    [
        "economy",
        "loyalty",
        "stability",
        "consumption",
        "lore",
        "law",
        "corruption",
        "crime",
        "society",
        "productivity",
        "unrest",
        "om",
        "dv",
        "damage",
    ]
)
_RARE = 3  # a key that fewer than one row in 3 has gets no column of its own


class RowShown(TypedDict):
    """A row of a table. mark: "house" for one that the game does not have, "changed" for another one than the game's."""

    word: str
    cells: list[str]
    mark: str


class PartShown(TypedDict):
    """A part of a table, with columns and rows of text."""

    name: str
    columns: list[str]
    rows: list[RowShown]


class TableShown(TypedDict):
    """A table."""

    parts: list[PartShown]


class PhaseShown(TypedDict):
    """A phase of the turn with its steps."""

    name: str
    steps: list[str]


class Rulebook(TypedDict):
    """All that the page of the rules shows. figures: table or ruling -> its data, for the prose, None where the rules are older
    than it; changed: the names of what differs from the game's own.
    """

    figures: Facts
    phases: list[PhaseShown]
    tables: dict[str, TableShown]
    rulings: list[dict[str, object]]
    changed: list[str]


def rulebook(rules: Facts, own: Facts) -> Rulebook:
    """The page of the rules. rules: the tables as played, as plain data; own: the game's own tables.

    Tables and rulings are in the order of the rules; what differs from the game's own is marked.
    """
    rulings = [name for name in fields_of(Rules) if name not in TABLES and name in rules]
    tables = {name: table(rules[name], own.get(name)) for name in TABLES if rules.get(name)}
    played = [ruling(name, rules[name], own.get(name) or {}, said) for name in rulings if rules[name]]
    return {
        "figures": {**dict.fromkeys(fields_of(Rules)), **rules},
        "phases": [{"name": phase.name, "steps": [step.__name__ for step in phase.steps]} for phase in PHASES],
        "tables": tables,
        "rulings": played,
        "changed": [
            *(
                name
                for name, each in tables.items()
                if any(row["mark"] for part in each["parts"] for row in part["rows"])
            ),
            *changed(played),
        ],
    }


def table(now: Any, own: Any) -> TableShown:
    """A table as parts. now: as it is played, rows by word or one after the other; own: the game's, None for none."""
    rows = dict(enumerate(now)) if isinstance(now, list) else now
    before = dict(enumerate(own or ())) if isinstance(now, list) else own or {}
    if all(
        isinstance(row, Mapping) and "name" not in row and all(isinstance(each, Mapping) for each in row.values())
        for row in rows.values()
    ):
        rows = {f"{group}: {words(name)}": each for group, inside in rows.items() for name, each in inside.items()}
        before = {f"{group}: {words(name)}": each for group, inside in before.items() for name, each in inside.items()}
    if all(isinstance(row, list) for row in rows.values()):  # tables of rows, such as those that dice are thrown on
        return {"parts": [_part(words(str(name)), row, (own or {}).get(name)) for name, row in rows.items()]}
    return {"parts": [_rows("", rows, before, isinstance(now, list))]}


def _part(name: str, now: Sequence[Facts], own: Sequence[Facts] | None) -> PartShown:
    return _rows(name, dict(enumerate(now)), dict(enumerate(own or ())), True)


def _rows(name: str, rows: Mapping[K, Facts], before: Mapping[K, Facts], numbered: bool) -> PartShown:
    every = list(dict.fromkeys(key for row in rows.values() for key in row))
    usual = [key for key in every if sum(key in row for row in rows.values()) * _RARE >= len(rows)]
    return {
        "name": name,
        "columns": [words(column) for column in usual] + (["besides"] if len(usual) < len(every) else []),
        "rows": [
            {
                "word": "" if numbered else str(word),
                "cells": _cells(row, usual, every),
                "mark": "" if before.get(word) == row else "changed" if word in before else "house",
            }
            for word, row in rows.items()
        ],
    }


def _cells(row: Facts, usual: list[str], every: list[str]) -> list[str]:
    """A row's cells: what is said of most rows has a column of its own, the rest stands together in the last one."""
    cells = [_cell(key, row[key]) if key in row else "" for key in usual]
    if len(usual) < len(every):
        rare = [f"{words(key)}: {_cell(key, row[key])}" for key in every if key in row and key not in usual]
        cells.append("; ".join(rare))
    return cells


def _cell(key: str, value: object) -> str:
    return _signed(value) if key in _POINTS else said(value)


def said(value: object) -> str:
    """A value of a table as a reader takes it: "Economy +2, Loyalty +1"."""
    if isinstance(value, Mapping):
        if "code" in value:
            rest = {key: each for key, each in value.items() if key != "code"}
            return words(value["code"]) + (f" ({said(rest)})" if rest else "")
        return ", ".join(
            f"{words(str(key))} {_signed(each) if key in _POINTS else said(each)}".strip()
            for key, each in value.items()
        )
    if isinstance(value, (list, tuple)):
        return (", " if all(isinstance(each, str) for each in value) else "; ").join(said(each) for each in value)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        words(value) if isinstance(value, str) and value.replace("_", "").isalnum() and value.islower() else str(value)
    )


def _signed(value: object) -> str:
    return f"{value:+d}" if isinstance(value, int) else said(value)
