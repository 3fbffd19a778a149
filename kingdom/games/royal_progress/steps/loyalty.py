"""The refill of the offer, and the loyalty test where the deck does not suffice for it."""

from __future__ import annotations

from kingdom.games.royal_progress.state import Table, clockwise, replace
from kingdom.games.royal_progress.steps.cards import discard_open, fill_offer, to_deck
from kingdom.games.royal_progress.steps.moving import move
from kingdom.games.royal_progress.steps.preferences import extra_move, loyalty_discard
from kingdom.games.royal_progress.steps.shared import ALL, ended, tell
from kingdom.games.royal_progress.types import Turn

CAUSES = {"loyalty": "a loyalty test"}


def refill(table: Table, turn: Turn) -> Table:
    """After cards were taken: the offer is filled, and where the deck does not suffice loyalty is tested."""
    table = fill_offer(table, turn)
    if len(table.offer) < turn.rules.box.offer and not table.deck and not turn.foreseeing:
        return loyalty_test(table, turn)
    return table


def lay_out_again(table: Table, turn: Turn) -> Table:
    """Where no card was left to lie open, what was discarded since is laid out (ruling short_refill)."""
    if table.offer or turn.foreseeing or not (table.deck or table.discards):
        return table
    tell(turn, ALL, "No card lay open: those that were discarded since are laid out.")
    return fill_offer(to_deck(replace(table, discards=()), table.discards), turn)


def loyalty_test(table: Table, turn: Turn) -> Table:
    """Each discards an open card, from the left of the King card on; whose has most symbols moves a courtier."""
    seats = clockwise(table, table.king_card)
    seats = seats[1:] + seats[:1]
    shown: dict[str, int] = {}
    tell(turn, ALL, "The deck is empty: a loyalty test.")
    for seat in seats:
        name = loyalty_discard(table, seat)
        if name:  # (ruling loyalty_nothing)
            shown[seat] = table.courtiers[name].piles[seat][0]
            table = discard_open(table, turn, seat, name, "loyalty", " in the loyalty test")
    table = to_deck(replace(table, offer=(), discards=()), (*table.offer, *table.discards))
    table = fill_offer(table, turn)
    for seat in [seat for seat in seats if seat in shown and shown[seat] == max(shown.values())]:
        if not ended(table, turn.rules):
            table = _extra_move(table, turn, seat)
    return table


def _extra_move(table: Table, turn: Turn, seat: str) -> Table:
    wanted = extra_move(table, seat, turn.rules)
    if wanted is None:
        tell(turn, ALL, f"{seat} makes no extra move.", seat)
        return table
    return move(table, turn, seat, *wanted)
