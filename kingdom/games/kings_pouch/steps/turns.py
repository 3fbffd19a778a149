"""Whose turn it is: which seats the next run plays, and which seat a phase belongs to."""

from __future__ import annotations

from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table, is_over
from kingdom.games.kings_pouch.types import Turn

SET_UP = 0  # the round in which castles are chosen
TURNS = ("first_turn", "second_turn", "third_turn", "fourth_turn")  # the phases of a round, a player's turn each


def due(table: Table, rules: Rules) -> tuple[str, ...]:
    """The seats that the run after this state plays, in their order (table paces)."""
    if is_over(table):
        return ()
    rest = table.order[table.acted :]
    return rest[:1] if rules.paces[rules.pace].one_seat else rest


def acting(table: Table, turn: Turn) -> str:
    """The seat whose turn this phase is; "" where there is none, or it is not played in this run."""
    index = TURNS.index(turn.phase)
    before: Table = turn.before
    if before.round == SET_UP or index >= len(before.order):
        return ""
    seat = before.order[index]
    return seat if seat in due(before, turn.rules) else ""


def round_ends(turn: Turn) -> bool:
    """Whether the run plays the last turn of a round, or the last choice of a castle."""
    before: Table = turn.before
    return not is_over(before) and before.acted + len(due(before, turn.rules)) >= len(before.order)
