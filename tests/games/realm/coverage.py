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

from kingdom.engine.step import Phase
from kingdom.games.realm.game import GAME
from kingdom.games.realm.rules.rules import TABLES
from kingdom.orders import tables
from kingdom.orders.vocabulary import fields_of
from tests.games.realm.kit import load_yaml, rules_of

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
HEAD = """\
# Coverage of the rules

Each sentence of the rules' text, *Taking A Kingdom Turn*, in our own short words and in its order, and what plays it: a step of
the turn, a ruling, a table or a key of the orders. The links lead to [the rules as they are played](rules.md) and to
[the contract](contract.md). A sentence that a ruling of [edition 2](edition-2.md) changes names that ruling. Of a table its heading
counts as a sentence, and so does each row. The tests that show each sentence stand in `tests/games/realm/coverage.yaml`, from
which `scripts/redoc` makes this page.
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
    sections = load_yaml((HERE / "coverage.yaml").read_text(encoding="utf-8"), "coverage.yaml")
    return tuple(
        Sentence(part["section"], row["says"], _words(row.get("by")), _words(row.get("tests")), _words(row.get("bent")))
        for part in sections
        for row in part["sentences"]
    )


def page() -> str:
    """Return the text of docs/coverage-of-the-rules.md."""
    lines, section = [HEAD], ""
    for number, sentence in enumerate(sentences(), 1):
        if sentence.section != section:
            section = sentence.section
            lines += [f"## {section}", "", "| | what the text says | played by |", "|---|---|---|"]
        by = ", ".join(f"[{name}]" for name in sentence.by)
        bent = " and ".join(f"[ruling {name}]" for name in sentence.bent)
        lines.append(f"| {number} | {sentence.says} | {by}{bent and f'; edition 2: {bent}'} |")
        if number == len(sentences()) or sentences()[number].section != section:
            lines.append("")
    return "\n".join(lines + [f"[{name}]: {place}" for name, place in links().items()]) + "\n"


def links() -> dict[str, str]:
    """Return for each name that the page cites where a page of docs/ explains it, as `PAGE#HEADING`."""
    cited = {
        name for sentence in sentences() for name in (*sentence.by, *(f"ruling {ruling}" for ruling in sentence.bent))
    }
    return {name: _place(name) for name in sorted(cited)}


def _place(name: str) -> str:
    """Return the page and heading for a step, an orders key, a ruling or a table; `edicts.holiday.long` stands under its table."""
    kind, _, what = name.partition(" ")
    if kind == "orders":
        return "contract.md#5-orders"
    if kind == "step":
        return f"rules.md#{next(phase.name for phase in GAME.phases if what in _steps(phase))}-phase"
    return f"rules.md#{what.partition('.')[0]}"


def _steps(phase: Phase[Any, Any]) -> set[str]:
    return {step.__name__ for step in phase.steps}


def missing_players() -> Iterator[str]:
    """Yield each step, ruling, table row or orders key that a sentence cites and that does not exist."""
    rules = rules_of()
    steps = set().union(*(_steps(phase) for phase in GAME.phases))
    rulings = set(fields_of(type(rules))) - set(TABLES)
    for sentence in sentences():
        for name in sentence.by:
            kind, _, what = name.partition(" ")
            table, _, row = what.partition(".")
            exists = {
                "step": what in steps,
                "ruling": what in rulings,
                "table": table in TABLES and _has_row(getattr(rules, table, None), row),
                "orders": what in GAME.orders.keys or what in GAME.gm_orders.keys["gm"].of.cases,
            }.get(kind, False)
            if not exists:
                yield f"{name} ({sentence.says})"


def _has_row(table: Any, row: str) -> bool:
    """Return whether the table has that row, such as `holiday.long` in the record of tables `edicts`."""
    for part in row.split(".") if row else ():
        table = table.get(part) if isinstance(table, dict) else getattr(table, part, None)
    return table is not None


def not_bending() -> Iterator[str]:
    """Yield each ruling that is said to bend a sentence although the first edition has the same."""
    differs = {name for name, _ in tables.ways_back(GAME, tables.load(GAME).data)}
    for sentence in sentences():
        yield from (f"{name} ({sentence.says})" for name in sentence.bent if name not in differs)


def missing_tests() -> Iterator[str]:
    """Yield each test that a sentence cites and that does not exist."""
    for sentence in sentences():
        for name in sentence.tests:
            if not _is_test(name):
                yield f"{name} ({sentence.says})"


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
