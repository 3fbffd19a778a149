"""Action D in a form: whose open card is discarded, and what can come before it."""

from __future__ import annotations

from typing import Any

from kingdom.games.royal_progress.offers.fields import Field, choice, when
from kingdom.games.royal_progress.offers.laying import EACH
from kingdom.games.royal_progress.offers.lays import Legal
from kingdom.games.royal_progress.offers.moves import first_moves, moved
from kingdom.games.royal_progress.offers.rows import by_use, conditions
from kingdom.games.royal_progress.offers.uses import Use
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import castle

Conditions = list[dict[str, Any]]


def _cards(uses: list[Use], seat: str, name: str) -> dict[str, int]:
    """Use -> how many cards the seat has on the courtier behind it."""
    return {use.value: len(use.table.courtiers[name].piles.get(seat, ())) for use in uses}


def _behind(uses: list[str], every: dict[str, int]) -> Conditions:
    return [by_use(uses, [*every])] if uses else []


def any_pile(uses: list[Use], seat: str, name: str) -> Conditions:
    """Where the seat has a card on him."""
    cards = _cards(uses, seat, name)
    return _behind([use for use in cards if cards[use]], cards)


def discard_first(uses: list[Use], seat: str) -> list[Field]:
    """Discarded before anything else."""
    rows = [
        (f"D {name}", name, condition) for name in uses[0].table.courtiers for condition in any_pile(uses, seat, name)
    ]
    return [choice("first", "Discard on", rows)]


def discard_second(uses: list[Use], of: dict[str, Conditions]) -> list[Field]:
    """Discarded behind an action. of: courtier -> the conditions, one of which must hold."""
    return [
        choice(
            "second",
            "Then discard on",
            [(f"D {name}", name, condition) for name, each in of.items() for condition in each],
        )
    ]


def behind_move(uses: list[Use], seat: str, name: str, rules: Rules) -> Conditions:
    """Who controls an arriving courtier loses a card for the pair of gifts."""
    row, firsts = {}, {}
    for use in uses:
        courtier = use.table.courtiers[name]
        cards = len(courtier.piles.get(seat, ()))
        lost = {moved(name, castle(use.table))} if cards == 1 and courtier.control == seat else set()
        firsts[use.value] = frozenset(first_moves(use, rules))
        row[use.value] = firsts[use.value] - lost if cards else frozenset()
    return conditions(row, firsts)


def behind_lay(uses: list[Use], seat: str, name: str, legal: Legal) -> Conditions:
    """Of a new pile a card can be discarded, too."""
    cards = _cards(uses, seat, name)
    both = [lay.value for lay, _ in legal if lay.on == EACH and name in lay.names]
    new = [(field, values) for field, values in (("first_on", [name]), ("first", both)) if values]
    bare = _behind([use for use in cards if not cards[use]], cards)
    return [
        *any_pile(uses, seat, name),
        *(when(condition, field, values) for condition in bare for field, values in new),
    ]


def behind_discard(uses: list[Use], seat: str, name: str) -> Conditions:
    """Of a pile of one card nothing is left."""
    firsts = {
        use.value: frozenset(f"D {other}" for other, of in use.table.courtiers.items() if seat in of.piles)
        for use in uses
    }
    cards = _cards(uses, seat, name)
    row = {
        use: firsts[use] - ({f"D {name}"} if cards[use] == 1 else set()) if cards[use] else frozenset() for use in cards
    }
    return conditions(row, firsts)
