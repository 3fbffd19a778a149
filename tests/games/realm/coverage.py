"""The rules' text, sentence by sentence in our own words: what plays it, and the test that shows it (coverage.yaml).

`page` makes docs/coverage-of-the-rules.md of it; tests/games/realm/test_coverage.py holds that every step, ruling, table row and
test that is named there exists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from kingdom.games.realm.game import GAME
from kingdom.games.realm.rules.rules import TABLES
from kingdom.orders import tables
from kingdom.orders.vocabulary import fields_of
from tests.games.realm.kit import load_yaml, rules_of

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
HEAD = """\
# Coverage of the rules

Each sentence of the rules' text, *Taking A Kingdom Turn*, in our own short words and in its order; what plays it, and the
tests that show it. A name of a test is a case of `tests/games/realm/cases` or `tests/games/realm/battles`, or a function of a test module
below `tests`. Where a ruling of edition 2 bends a sentence, it is named. Of a table its heading counts as a sentence, and so does each row. This page is made of
`tests/games/realm/coverage.yaml` by `scripts/redoc`; a test holds that every name on it exists.
"""


class Sentence(NamedTuple):
    """One sentence. by: `step NAME`, `ruling NAME`, `table NAME` or `table NAME.ROW`, or `orders KEY`; tests: `cases/FILE: CASE`,
    `battles/FILE: CASE`, `cases/FILE` for all of a file, or `MODULE::FUNCTION`. bent: rulings of edition 2 that play it otherwise."""

    section: str
    says: str
    by: tuple[str, ...]
    tests: tuple[str, ...]
    bent: tuple[str, ...] = ()


@cache
def sentences() -> tuple[Sentence, ...]:
    """Every sentence, in the order of the text."""
    found = load_yaml((HERE / "coverage.yaml").read_text(encoding="utf-8"), "coverage.yaml")
    return tuple(
        Sentence(
            part["section"], each["says"], _words(each.get("by")), _words(each.get("tests")), _words(each.get("bent"))
        )
        for part in found
        for each in part["sentences"]
    )


def page() -> str:
    """docs/coverage-of-the-rules.md."""
    lines, section = [HEAD], ""
    for number, each in enumerate(sentences(), 1):
        if each.section != section:
            section = each.section
            lines += [f"## {section}", "", "| | what the text says | played by | shown by |", "|---|---|---|---|"]
        by = "; ".join(each.by) + (f"; **bent in edition 2** by {' and '.join(each.bent)}" if each.bent else "")
        lines.append(f"| {number} | {each.says} | {by} | {'; '.join(each.tests)} |")
        if number == len(sentences()) or sentences()[number].section != section:
            lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def missing_players() -> Iterator[str]:
    """What is named as playing a sentence and is not there."""
    rules = rules_of()
    steps = {step.__name__ for phase in GAME.phases for step in phase.steps}
    rulings = set(fields_of(type(rules))) - set(TABLES)
    for each in sentences():
        for name in each.by:
            kind, _, what = name.partition(" ")
            table, _, row = what.partition(".")
            there = {
                "step": what in steps,
                "ruling": what in rulings,
                "table": table in TABLES and _has_row(getattr(rules, table, None), row),
                "orders": what in GAME.orders.keys or what in GAME.gm_orders.keys["gm"].of.cases,
            }.get(kind, False)
            if not there:
                yield f"{name} ({each.says})"


def _has_row(table: Any, row: str) -> bool:
    """Whether the table has that row; of a record of tables, `edicts.holiday.long`."""
    for part in row.split(".") if row else ():
        table = table.get(part) if isinstance(table, dict) else getattr(table, part, None)
    return table is not None


def not_bending() -> Iterator[str]:
    """What is named as bending a sentence and is the same in the first edition."""
    differs = {name for name, _ in tables.ways_back(GAME, tables.load(GAME).data)}
    for each in sentences():
        yield from (f"{name} ({each.says})" for name in each.bent if name not in differs)


def missing_tests() -> Iterator[str]:
    """What is named as showing a sentence and is not there."""
    for each in sentences():
        for name in each.tests:
            if not _is_test(name):
                yield f"{name} ({each.says})"


def _is_test(name: str) -> bool:
    if name.startswith(("cases/", "battles/")):
        file, _, case = name.partition(": ")
        return file in _cases() and (not case or case in _cases()[file])
    module, _, function = name.partition("::")
    return function in _functions(module)


@cache
def _cases() -> dict[str, set[str]]:
    """The names of the cases of each file, by `cases/FILE` or `battles/FILE`."""
    files = [file for folder in ("cases", "battles") for file in sorted((HERE / folder).glob("*.yaml"))]
    loaded = {
        f"{file.parent.name}/{file.stem}": load_yaml(file.read_text(encoding="utf-8"), file.name) for file in files
    }
    return {name: set(content.get("cases", ())) for name, content in loaded.items()}


@cache
def _functions(module: str) -> set[str]:
    """The test functions of a module, by its path below tests/ without the ending."""
    file = ROOT / "tests" / f"{module}.py"
    if not file.is_file():
        return set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def _words(given: Any) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given or ())
