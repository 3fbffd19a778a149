"""The rules as players read them: every table as rows of text, every ruling with its figures and how a campaign changes it.

Drawn from the tables' own data; the prose around it stands in templates/realm/rules.md, and takes its figures from here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from kingdom.engine.game import Facts
from kingdom.engine.names import words
from kingdom.games.kit.rules_page import changed, ruling
from kingdom.games.realm.rules.rules import TABLES, Rules
from kingdom.games.realm.turn import PHASES
from kingdom.orders.vocabulary import fields_of

K = TypeVar("K", str, int)  # a row's word, or its number
_POINTS = frozenset((
    "economy", "loyalty", "stability", "consumption", "lore", "law", "corruption", "crime", "society", "productivity",
    "unrest", "om", "dv", "damage",
))  # fmt: skip
_RARE = 3  # a key that fewer than one row in 3 has gets no column of its own


def rulebook(rules: Facts, own: Facts) -> Facts:
    """The page of the rules. rules: the tables as played, as plain data; own: the game's own tables.

    Tables and rulings are in the order of the rules; what differs from the game's own is marked: a row "house" that the game does not
    have, "changed" another one than the game's. figures: for the prose, None where the rules are older than it.
    """
    rulings = [name for name in fields_of(Rules) if name not in TABLES and name in rules]
    tables = {name: table(rules[name], own.get(name)) for name in TABLES if rules.get(name)}
    played = [ruling(name, rules[name], own.get(name) or {}, said) for name in rulings if rules[name]]
    rows = {name: [row for part in shown["parts"] for row in part["rows"]] for name, shown in tables.items()}
    marked = (name for name, of in rows.items() if any(row["mark"] for row in of))
    return {
        "figures": {**dict.fromkeys(fields_of(Rules)), **rules},
        "phases": [{"name": phase.name, "steps": [step.__name__ for step in phase.steps]} for phase in PHASES],
        "tables": tables,
        "rulings": played,
        "changed": [*marked, *changed(played)],
    }


def table(now: Any, own: Any) -> Facts:
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
        lists = {
            name: (dict(enumerate(row)), dict(enumerate((own or {}).get(name) or ()))) for name, row in rows.items()
        }
        return {"parts": [_rows(words(str(name)), *both, True) for name, both in lists.items()]}
    return {"parts": [_rows("", rows, before, isinstance(now, list))]}


def _rows(name: str, rows: Mapping[K, Facts], before: Mapping[K, Facts], numbered: bool) -> Facts:
    every = list(dict.fromkeys(key for row in rows.values() for key in row))
    usual = [key for key in every if sum(key in row for row in rows.values()) * _RARE >= len(rows)]
    rare = [key for key in every if key not in usual]  # what is said of few rows stands together in the last column
    return {
        "name": name,
        "columns": [words(column) for column in usual] + (["besides"] if rare else []),
        "rows": [
            {
                "word": "" if numbered else str(word),
                "cells": [_cell(key, row[key]) if key in row else "" for key in usual]
                + (["; ".join(f"{words(key)}: {_cell(key, row[key])}" for key in rare if key in row)] if rare else []),
                "mark": "" if before.get(word) == row else "changed" if word in before else "house",
            }
            for word, row in rows.items()
        ],
    }


def _cell(key: str, value: object) -> str:
    return f"{value:+d}" if key in _POINTS and isinstance(value, int) else said(value)


def said(value: object) -> str:
    """A value of a table as a reader takes it: "Economy +2, Loyalty +1"."""
    if isinstance(value, Mapping):
        if "code" in value:
            rest = {key: each for key, each in value.items() if key != "code"}
            return words(value["code"]) + (f" ({said(rest)})" if rest else "")
        return ", ".join(f"{words(str(key))} {_cell(str(key), each)}".strip() for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return (", " if all(isinstance(each, str) for each in value) else "; ").join(said(each) for each in value)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    is_word = isinstance(value, str) and value.replace("_", "").isalnum() and value.islower()
    return words(str(value)) if is_word else str(value)
