"""Who has something to decide in the next turn, and what: not who has no veto left, and nobody where a King's move is no choice."""

from __future__ import annotations

from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import PROGRESS, VETOES, Table
from kingdom.games.kings_progress.steps.progress import progress_problem
from kingdom.games.kings_progress.steps.rounds import due


def choices(table: Table, rules: Rules) -> dict[str, list[str]]:
    """Phase -> the seats that have a choice in it in the turn after this state, in their order; only phases with any."""
    found = {
        phase: [seat for seat in seats if _chooses(table, seat, phase, rules)]
        for phase, seats in due(table, rules).items()
    }
    return {phase: seats for phase, seats in found.items() if seats}


def _chooses(table: Table, seat: str, phase: str, rules: Rules) -> bool:
    kingdom = table.kingdoms[seat]
    if phase == PROGRESS:
        return progress_problem(table.round, kingdom, rules) is None
    return phase not in VETOES or kingdom.vetoes > 0


def asked(table: Table, rules: Rules) -> set[str]:
    """The seats whose orders the turn after this state is for."""
    return {seat for seats in choices(table, rules).values() for seat in seats}
