"""Phase 1, the turns at the table: whose come in this turn of the campaign, and what each begins with."""

from __future__ import annotations

from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, PLAY, SCORING, Table, at_court, clockwise, replace, with_seat
from kingdom.games.royal_progress.steps.loyalty import lay_out_again
from kingdom.games.royal_progress.steps.plans import take_turn
from kingdom.games.royal_progress.steps.shared import ALL, booked, ended, tell
from kingdom.games.royal_progress.types import Turn

CAUSES = {
    "kings_company": "the King card held while a courtier is at court",
}


def due(table: Table, rules: Rules) -> list[str]:
    """The seats that are asked for orders for the next turn, in the order in which theirs are carried out."""
    if table.phase == DISCARD:
        return list(table.seats)
    if table.phase != PLAY:
        return []
    seats = clockwise(table, table.next or next(iter(table.seats)))
    return seats if rules.paces[rules.pace].everybody else seats[:1]


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
            table = take_turn(table, turn, seat)
        table = replace(table, next=clockwise(table, seat)[1 % len(table.seats)])
    if turn.foreseeing or not ended(table, turn.rules):
        return table
    why = (
        "the King is at the end of his track"
        if table.king >= turn.rules.track.end
        else f"{len(at_court(table))} courtiers are at court"
    )
    tell(turn, ALL, f"The turns at the table of this round are over: {why}.")
    return replace(table, phase=SCORING)


def kings_step(table: Table, turn: Turn, seat: str) -> Table:
    """Who holds the King card moves the King on, and scores where a courtier is at court (rulings king_card, track_end)."""
    if table.king_card != seat:
        return table
    table = replace(table, king=table.king + 1)
    tell(turn, ALL, f"The King moves on to {table.king} of {turn.rules.track.end}.", seat)
    points = turn.rules.points.kings_company
    if any(courtier.arrived for courtier in table.courtiers.values()) and points:
        table = with_seat(table, seat, points=table.seats[seat].points + points)
        tell(turn, ALL, f"{seat} scores {points} for the King's company.", seat)
        booked(table, turn, "kings_company", f"the King at {table.king} of {turn.rules.track.end} with company", seat)
    return table
