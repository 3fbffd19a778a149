"""What a table is worth to a seat, in points that it may expect: the judgement of the bot that plays with sense."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, castle, figure, suit, value
from kingdom.games.royal_progress.steps.scoring import of_type, places, variety, worth

PAIR, SINGLE, KING = 3.0, 1.4, 1.2  # a pair, a single gift, the King card
CARD, SYMBOL = 0.42, 0.11  # a card of the hand, and each of its symbols
GIFT, CROWN = 0.5, 0.08


Memo: TypeAlias = dict[
    tuple[Hashable, ...], float
]  # what gifts were found to be worth: most tables that are looked at have the same


def value_of(table: Table, seat: str, rules: Rules, memo: Memo) -> float:
    """The seat's prospects, less a part of what the best of the others have."""
    gifts = (table.round, *(of.gifts for of in table.seats.values()))
    each = {}
    for other in table.seats:
        key = (other, gifts)
        if key not in memo:
            memo[key] = _gifts(table, other, rules)
        each[other] = _prospects(table, other, rules) + memo[key]
    rivals = [worth for other, worth in each.items() if other != seat]
    hand = sum(CARD + SYMBOL * figure(card) for card in table.seats[seat].hand)
    return each[seat] + hand - 0.5 * max(rivals) - 0.5 * sum(rivals) / len(rivals)


def _prospects(table: Table, seat: str, rules: Rules) -> float:
    total = float(table.seats[seat].points) + (KING if table.king_card == seat else 0)
    far, control = board.distances(castle(table), rules), rules.points.control
    for courtier in table.courtiers.values():
        soon = 1.0 if courtier.arrived else max(0.1, 0.95 - 0.17 * far[courtier.place])
        if courtier.control == seat:
            lead = value(courtier.piles.get(seat, ())) - max(
                (value(pile) for other, pile in courtier.piles.items() if other != seat), default=0
            )
            hold = 0.95 if courtier.arrived and lead >= 0 else min(0.9, 0.5 + 0.1 * lead)
            total += control * hold + (0 if courtier.arrived else PAIR * soon * hold)
        elif courtier.minor == seat:
            total += SINGLE * soon
            if courtier.arrived and value(courtier.piles.get(seat, ())) > value(
                courtier.piles.get(courtier.control, ())
            ):
                total += control  # it changes hands when the round is scored
    return total


def _gifts(table: Table, seat: str, rules: Rules) -> float:
    """What the gifts score, in this round and those to come, as they are held now."""
    gifts = table.seats[seat].gifts
    if not gifts:
        return 0.0
    total = GIFT * len(gifts) + CROWN * sum(figure(gift) for gift in gifts)
    weights = {number: 0.75 / (1 + number - table.round) for number in range(table.round, len(rules.positions) + 1)}
    for kind in {suit(gift) for gift in gifts}:
        keys = {other: of_type(table, other, kind) for other in table.seats}
        total += _positions({other: key for other, key in keys.items() if key[0]}, seat, weights, rules)
    held = {other: variety(table, other, rules) for other, of in table.seats.items() if of.gifts}
    return total + _positions(held, seat, weights, rules)


def _positions(keys: dict[str, tuple[int, ...]], seat: str, weights: dict[int, float], rules: Rules) -> float:
    for position, seats in places(keys):
        if seat in seats:
            return sum(weight * worth(position, len(seats), number, rules) for number, weight in weights.items())
    return 0.0
