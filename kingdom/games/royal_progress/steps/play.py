"""Phase 1, the turns at the table: whose come in this turn of the campaign, what each begins with, and the plan that is carried out.

The first plan that is legal as a whole counts (rulings plans, plan_broken, missing_plan).
"""

from __future__ import annotations

from kingdom.games.kit.table import clockwise
from kingdom.games.royal_progress.orders import PLANS
from kingdom.games.royal_progress.state import PLAY, SCORING, Now, Table, Turn, at_court, replace
from kingdom.games.royal_progress.steps import due, ended, tell
from kingdom.games.royal_progress.steps.actions import lay_out_again
from kingdom.games.royal_progress.steps.moving import kings_step


def turns_at_the_table(table: Table, turn: Turn) -> Table:
    """Each of the seats that are due has its turn, until the round's end (ruling round_ends)."""
    if turn.before.phase != PLAY:
        return table
    for seat in due(table, turn.rules):
        if ended(table, turn.rules):
            break
        if turn.foreseeing and seat not in turn.orders:  # what others will do is not foreseen
            continue
        table = kings_step(lay_out_again(table, turn), turn, seat)
        if not ended(table, turn.rules):
            table = PLANS.play(Now(table, seat, turn.rules, turn.foreseeing), turn)
        table = replace(table, next=clockwise(table, seat)[1 % len(table.seats)])
    if turn.foreseeing or not ended(table, turn.rules):
        return table
    why = (
        "the King is at the end of his track"
        if table.king >= turn.rules.track.end
        else f"{len(at_court(table))} courtiers are at court"
    )
    tell(turn, f"The turns at the table of this round are over: {why}.")
    return replace(table, phase=SCORING)
