"""The start: the seats round the table, everything in the reserves, the Kings in the centre, the dice at their highest."""

from __future__ import annotations

from kingdom.engine.dice import GM
from kingdom.engine.game import Setup
from kingdom.engine.problems import Faults
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table, replace
from kingdom.games.kings_progress.steps.scoring import set_up
from kingdom.games.kings_progress.steps.shared import ALL, tell
from kingdom.games.kings_progress.types import Turn
from kingdom.games.shared import seating

MESSAGES = {
    "table_seats": "{count} seats: the game is for {least} to {most} (ruling box). Name so many players in campaign.yaml.",
    "table_clockwise": "`clockwise` names {named}, and the seats are {seats}. Name each seat once, as they sit.",
}


def start(setup: Setup, rules: Rules) -> Table:
    """The table before turn 1. Raises Faults where the seats are too few or too many, or table.yaml does not name them."""
    box = rules.box
    problems = seating.enough(setup, box.least_players, box.most_players, "table_seats", MESSAGES)
    problems += seating.each_once(setup, "table_clockwise", MESSAGES)
    if problems:
        raise Faults(problems)
    named = seating.named(setup, seating.clockwise(setup))
    kingdoms = {seat: set_up(name, rules) for seat, name in named.items()}
    return Table(0, kingdoms, setup.files["table.yaml"].get("first_chancellor", ""))


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
