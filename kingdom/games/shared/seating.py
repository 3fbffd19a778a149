"""Who sits at the table when a campaign starts: how many, in which order, by which names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kingdom.engine.game import Setup
from kingdom.engine.problems import Problem

TABLE = "table.yaml"


def clockwise(setup: Setup) -> list[str]:
    """The seats as table.yaml names them from left to left, or as campaign.yaml lists them."""
    return (setup.files.get(TABLE) or {}).get("clockwise") or list(setup.seats)


def each_once(setup: Setup, code: str, messages: Mapping[str, str]) -> list[Problem]:
    """A problem of that code where `clockwise` does not name each seat once; its facts are `named` and `seats`."""
    named = clockwise(setup)
    if sorted(named) == sorted(setup.seats):
        return []
    return [problem(setup, "clockwise", code, messages, named=", ".join(named), seats=", ".join(setup.seats))]


def enough(setup: Setup, least: int, most: int, code: str, messages: Mapping[str, str]) -> list[Problem]:
    """A problem of that code where there are too few seats or too many; its facts are `count`, `least` and `most`."""
    count = len(setup.seats)
    return [] if least <= count <= most else [problem(setup, "", code, messages, count=count, least=least, most=most)]


def problem(setup: Setup, path: str, code: str, messages: Mapping[str, str], **facts: object) -> Problem:
    """A problem at that path of table.yaml."""
    file, line, column = setup.where(TABLE, path).rsplit(":", 2)
    return Problem(file, int(line), int(column), path, code, messages[code].format(**facts))


def named(setup: Setup, seats: Iterable[str]) -> dict[str, str]:
    """Seat -> its name: as kingdoms/SEAT.yaml says, or else the seat's own with capitals."""
    return {seat: setup.files[f"kingdoms/{seat}.yaml"].get("name") or seat.replace("_", " ").title() for seat in seats}
