"""The steps of a turn, a module a subject; here, what they all do alike: accounts, booking, telling, refusing.

game.py has the order of the steps, with a reason for each position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from kingdom.engine.refusal import Refusal
from kingdom.games.kit.common_orders import ALL
from kingdom.games.kit.table import clockwise
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import PLAY, Table, Turn, castle, figure, with_player
from kingdom.orders.kit.steps import Trial as Trial


class Refused(Exception):
    """An order that the rules or the table forbid: a code of the game's refusals, and its facts."""

    def __init__(self, code: str, **facts: object):
        super().__init__(code)
        self.refusal = Refusal(code, facts)


def due(table: Table, rules: Rules) -> list[str]:
    """The seats that are asked for orders for the next turn, in the order in which theirs are carried out."""
    if table.phase == FIRST_TURN:
        return list(table.seats)
    if table.phase != PLAY:
        return []
    seats = clockwise(table, table.next or next(iter(table.seats)))
    return seats if rules.paces[rules.pace].everybody else seats[:1]


def accounts(table: Table, seat: str, rules: Rules) -> dict[str, int]:
    """What is counted of a seat; influence: the cards of hand and table together. Nothing of it is hidden."""
    of, courtiers = table.seats[seat], table.courtiers.values()
    hand, laid = len(of.hand), sum(len(courtier.piles.get(seat, ())) for courtier in courtiers)
    return {
        "points": of.points,
        "gifts": len(of.gifts),
        "crowns": sum(map(figure, of.gifts)),
        "influence": hand + laid,
        "hand": hand,
        "laid": laid,
        "control": sum(courtier.control == seat for courtier in courtiers),
        "minor_control": sum(courtier.minor == seat for courtier in courtiers),
        "king_card": int(table.king_card == seat),
    }


def booked(table: Table, turn: Turn, cause: str, detail: str, *seats: str) -> Table:
    """The table. The accounts of these seats, or of all if none is named, are booked, with `cause` as the reason for each change."""
    if not isinstance(turn, Trial):
        for seat in seats or table.seats:
            turn.book(seat, accounts(table, seat, turn.rules), cause, detail)
    return table


def scored(table: Table, turn: Turn, seat: str, points: int, cause: str, detail: str) -> Table:
    """The table with these points for the seat, booked."""
    return booked(with_player(table, seat, points=table.seats[seat].points + points), turn, cause, detail, seat)


def tell(turn: Turn, text: str) -> None:
    """Tell all what happened."""
    turn.tell(ALL, "happened", text=text)


def ended(table: Table, rules: Rules) -> bool:
    """Whether the turns at the table of this round are over: enough arrivals, or the King at the end of his track."""
    arrivals = sum(courtier.arrived > 0 for courtier in table.courtiers.values())
    return arrivals >= min(rules.box.arrivals, len(table.courtiers)) or table.king >= rules.track.end


def pieces(table: Table, rules: Rules) -> Mapping[str, int]:
    """What is in the box: every card by its name, the courtiers, the King."""
    cards = Counter((*table.deck, *table.discards, *table.offer, *table.singles, *table.gift_deck, *table.gone))
    for pair in table.pairs:
        cards.update(pair)
    for of in table.seats.values():
        cards.update(of.hand)
        cards.update(of.gifts)
    for name, courtier in table.courtiers.items():
        for pile in courtier.piles.values():
            cards.update([f"{name} {symbols}" for symbols in pile])
    cards["courtiers in a place"] = sum(courtier.place in rules.places for courtier in table.courtiers.values())
    cards["King cards"] = int(table.king_card in ("", *table.seats))
    return cards


def named(place: str, rules: Rules) -> str:
    """A place as people write it."""
    return rules.places[place].name if place in rules.places else place


def at_castle(table: Table, rules: Rules) -> str:
    """The name of the round's castle."""
    return named(castle(table), rules)


def waits(table: Table, rules: Rules) -> str:
    """The sentence for a seat that decides nothing: it names the players who are next."""
    return f"The next turn at the table is that of {' and '.join(due(table, rules)) or 'nobody'}. You need not send orders."
