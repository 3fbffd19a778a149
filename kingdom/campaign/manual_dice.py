"""A tape: a GM's rolls by hand, `examplia: {economy: 14, stability_failure: [3, 5]}`. The seed rolls whatever it leaves out."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.campaign.errors import trouble
from kingdom.engine import dice
from kingdom.engine.dice import Roll
from kingdom.engine.problems import Problem
from kingdom.orders import reading, yaml_text
from kingdom.orders.schema import Either, ListOf, MapOf, Number, Text, Word

Tape = dict[str, dict[str, list[int]]]

_RESULT = Number("the result of a die", 1, 9999, 14)
_SHAPE = MapOf(
    "a tape",
    Word("a kingdom", "seats", (dice.GM,)),
    MapOf(
        "a kingdom's rolls",
        Text("the name of a roll", "economy", most=80, pattern=r"[a-z0-9_-]+"),
        Either("the results", (_RESULT, ListOf("the results in their order", _RESULT, short="words"))),
    ),
)


def read(data: bytes, file: str, seats: Iterable[str]) -> Tape:
    """Read a tape: seat (or `gm`) -> name of the roll -> results in their order. Raises Faults."""
    value, _ = reading.checked(_SHAPE, data, file, {"seats": tuple(seats)})
    return {
        seat: {name: results if isinstance(results, list) else [results] for name, results in names.items()}
        for seat, names in value.items()
    }


def wrong(tape: Tape, rolls: list[Roll], data: bytes, file: str) -> list[Problem]:
    """Return a problem for each entry of the tape that no roll used or that is not on its die, at its place."""
    node = yaml_text.read(data, file)[0]
    faulty: list[tuple[str, str, int, str, dict[str, int]]] = [
        (kingdom, name, count, "tape_unused", {}) for kingdom, name, count in dice.unused(tape, rolls)
    ]
    for roll in dice.outside(rolls):
        facts = {"result": roll.result, "sides": roll.sides}
        faulty.append((roll.kingdom, roll.name, roll.count, "tape_outside", facts))
    problems = []
    for kingdom, name, count, code, facts in faulty:
        at = yaml_text.find(node, f"{kingdom}.{name}[{count - 1}]") if node else None
        line, column = (at.line, at.column) if at else (0, 0)
        problems.append(
            trouble(code, file, line, column, f"{kingdom}.{name}", "", kingdom=kingdom, name=name, count=count, **facts)
        )
    return sorted(problems, key=lambda problem: (problem.line, problem.column))
