"""The bots, which play a seat by what it knows; and orders drawn from what is declared, most of which can't be carried out, for simulations."""

from __future__ import annotations

from itertools import combinations_with_replacement

from kingdom.engine.game import Chance
from kingdom.engine.step import Orders
from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.orders import GIVE_BACK
from kingdom.games.royal_progress.orders.choices import PAIRS, Use, uses
from kingdom.games.royal_progress.orders.plans import Plans
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Now, Table, figure, known_cards, suit
from kingdom.games.royal_progress.words import DISCARD, LAY, MOVE, TAKE
from kingdom.orders import kit


def at_random(table: Table, seat: str, rules: Rules, chance: Chance) -> Orders:
    """What the seat may do by two kinds of actions, behind one of the abilities that it may use, or none."""

    def one(table: Table, seat: str, rules: Rules) -> list[Use]:
        listed = uses(table, seat, rules)
        return [listed[chance("ability", len(listed)) - 1]]

    now, plans = Now(table, seat, rules), Plans(one, [PAIRS[chance("kinds", len(PAIRS)) - 1]])
    return kit.at_random([(kind, now) for kind in (GIVE_BACK, plans) if kind.chooses(now)], chance)


# --- orders drawn at random from what is declared


def likely(known: Table, seat: str, rules: Rules) -> dict[str, list[object]]:
    """Key -> values that random orders take more often: cards that are in the hand, steps to a place beside, two actions."""
    mine = [name for name, courtier in known.courtiers.items() if courtier.control == seat]
    hand = known_cards(known.seats[seat].hand)
    steps = [(name, place) for name, of in known.courtiers.items() for place in board.beside(rules)[of.place]]
    kinds: list[list[dict[str, object]]] = [
        [{"do": MOVE, "courtier": name, "to": place} for name, place in steps],
        [{"do": LAY, "courtier": suit(card), "cards": [figure(card)]} for card in hand],
        [{"do": TAKE}],
        [{"do": DISCARD, "courtier": name} for name in known.courtiers],
    ]
    pairs = [
        [one, other] for first, second in combinations_with_replacement(kinds, 2) for one in first for other in second
    ]
    return {
        "use": [*mine], "move": [[*step] for step in steps], "suit": [*map(suit, hand)], "card": [*map(figure, hand)],
        "actions": [*pairs],
    }  # fmt: skip
