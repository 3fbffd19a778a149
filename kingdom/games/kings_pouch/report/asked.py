"""What a report asks of a seat, and how the game stands in a line."""

from __future__ import annotations

from typing import Any

from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Table, is_over
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.games.kings_pouch.steps.shared import joined, said


def heading(table: Table, rules: Rules) -> str:
    """How the game stands."""
    if is_over(table):
        return "The game is over."
    if table.round == SET_UP:
        return f"Castles are chosen, in this order: {joined(table.order)}."
    council = next((round for round in rules.council.rounds if round >= table.round), 0)
    when = "a council ends it" if council == table.round else f"the next council ends round {council}"
    return f"Round {table.round} of {rules.rounds.count}; {when}. Turn order: {joined(table.order)}."


def asked(table: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """due: whether anything is. short: in a line. lines: what can be ordered, a sentence each."""
    if is_over(table):
        return {"due": False, "short": "nothing any more", "lines": []}
    if seat not in due(table, rules):
        return {"due": False, "short": f"nothing: it is the turn of {joined(due(table, rules))}", "lines": []}
    if table.round == SET_UP:
        board = board_for(rules, len(table.lords))
        places = joined(map(said, board.castles if board else ()))
        lines = [
            f"Choose the place of your castle: `castle:` with a list of {places}, the best one first. Who is higher in the order chooses first."
        ]
        return {"due": True, "short": f"the place of your castle: {places}", "lines": lines}
    number = table.order.index(seat) + 1
    before = table.order[: number - 1]
    lines = [
        "Place your active citizens on buildings: `place:`, one after the other; `at: any` places the rest.",
        "Then build at most one card, claim characters and occupy territories: `manage:`, a list of wishes; of each list the first that is possible is done.",
        f"Say whether the tax may be collected: `tax:` never, always or if_needed. Without it you have {rules.tax.prestige} prestige more.",
        "Say which shapes you draw: `rest: {draw: [cube, prism]}`; without it cubes first.",
        f"Your turn comes after {joined(before)}: what they take before you your wishes do without."
        if before
        else "Your turn is the first of the round.",
    ]
    if table.round > rules.rounds.building:
        lines[1] = lines[1].replace("build at most one card, claim", "claim")
    return {
        "due": True,
        "short": f"your turn of round {table.round}, as number {number} of {len(table.order)}",
        "lines": lines,
    }
