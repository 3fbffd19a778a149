"""The start: the seats round the table, everything in the reserves, the Kings in the centre, the dice at their highest."""

from __future__ import annotations

from kingdom.dice import GM
from kingdom.game import Setup
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.scoring import set_up
from kingdom.games.kings_progress.state import Table, replace
from kingdom.games.kings_progress.steps import ALL, tell
from kingdom.problems import Faults, Problem
from kingdom.turn import Turn

MESSAGES = {
    "table_seats": "{count} seats: the game is for {least} to {most} (ruling box). Name so many players in campaign.yaml.",
    "table_clockwise": "`clockwise` names {named}, and the seats are {seats}. Name each seat once, as they sit.",
}


def start(setup: Setup, rules: Rules) -> Table:
    """The table before turn 1. Raises Faults where the seats are too few or too many, or table.yaml does not name them."""
    said = setup.files["table.yaml"]
    seats = said.get("clockwise") or list(setup.seats)
    box, problems = rules.box, []
    if not box.least_players <= len(setup.seats) <= box.most_players:
        problems.append(_problem(setup, "", "table_seats", count=len(setup.seats), least=box.least_players, most=box.most_players))
    if sorted(seats) != sorted(setup.seats):
        problems.append(_problem(setup, "clockwise", "table_clockwise", named=", ".join(seats), seats=", ".join(setup.seats)))
    if problems:
        raise Faults(problems)
    named = {seat: setup.files[f"kingdoms/{seat}.yaml"].get("name") or seat.replace("_", " ").title() for seat in seats}
    return Table(0, {seat: set_up(named[seat], rules) for seat in seats}, said.get("first_chancellor", ""))


def _problem(setup: Setup, path: str, code: str, **facts: object) -> Problem:
    file, line, column = setup.where("table.yaml", path).rsplit(":", 2)
    return Problem(file, int(line), int(column), path, code, MESSAGES[code].format(**facts))


def draw_first_chancellor(table: Table, turn: Turn) -> Table:
    """Who begins, where table.yaml names nobody (ruling first_chancellor)."""
    if table.first:
        return table
    face = turn.roll(GM, "first_chancellor", len(table.kingdoms))
    if face is None:
        return table
    first = list(table.kingdoms)[face - 1]
    tell(turn, ALL, f"{first} was drawn as first chancellor of round 1.")
    return replace(table, first=first)
