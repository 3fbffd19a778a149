"""The start of a campaign: kingdoms/ID.yaml -> a table with its pieces in the box; the dice lay out the castle (steps.py)."""

from __future__ import annotations

from typing import Any

from kingdom.engine.game import Setup
from kingdom.games.cardinals_guards.state import Seat, Table
from kingdom.orders.schema import Record, Text

_NAME = Text("what the player is called", example="Athos", most=60)
FILES = {"kingdoms/*.yaml": Record("a seat of the contest", {"name": _NAME}, required=("name",))}


def start(setup: Setup, rules: Any) -> Table:
    """The table before the first deal."""
    return Table(0, {seat: Seat(setup.files[f"kingdoms/{seat}.yaml"]["name"]) for seat in sorted(setup.seats)})
