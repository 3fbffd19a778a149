"""What a seat could do in its turn at the table: single actions and abilities that are legal as it lies; and play at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, TypeAlias

from kingdom.engine.game import Chance
from kingdom.games.royal_progress.rules import Ability, Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Table, figure, suit
from kingdom.games.royal_progress.steps.actions import DISCARD, LAY, MOVE, TAKE
from kingdom.games.royal_progress.steps.cards import suits_in
from kingdom.games.royal_progress.steps.laps import due
from kingdom.games.royal_progress.steps.plans import trouble
from kingdom.games.royal_progress.steps.ways import ways

Order: TypeAlias = dict[str, Any]  # a plan, an action or an ability in the long form


def moves(table: Table, rules: Rules) -> list[Order]:
    """Every action A."""
    return [
        {"do": MOVE, "courtier": name, "to": place} for name in table.courtiers for place in ways(table, name, rules)
    ]


def lays(table: Table, seat: str, rules: Rules) -> list[Order]:
    """Actions B: all cards of a suit, the best of a suit, the best of each of two suits."""
    hand, found = table.seats[seat].hand, []
    open_to = [name for name in suits_in(hand) if rules.cards_at_court.allowed or not table.courtiers[name].arrived]
    best = {}
    for name in open_to:
        symbols = sorted((figure(card) for card in hand if suit(card) == name), reverse=True)
        best[name] = symbols[0]
        found += [{"do": LAY, "courtier": name, "cards": symbols[:count]} for count in {1, len(symbols)}]
    both = combinations(sorted(open_to), 2)
    found += [{"do": LAY, "each": [{"courtier": name, "card": best[name]} for name in pair]} for pair in both]
    return found


def takes(table: Table) -> list[Order]:
    """Actions C: each open card as the first wish, any other behind it."""
    wishes = sorted(set(table.offer))
    return [{"do": TAKE, "prefer": [{"suit": suit(card), "card": figure(card)}, "any"]} for card in wishes]


def discards(table: Table, seat: str) -> list[Order]:
    """Actions D."""
    return [{"do": DISCARD, "courtier": name} for name, courtier in table.courtiers.items() if seat in courtier.piles]


def abilities(table: Table, seat: str, rules: Rules) -> Iterator[Order]:
    """Abilities that the seat may use, with what they need."""
    for name, courtier in table.courtiers.items() if rules.abilities.used else ():
        if courtier.control == seat and not courtier.used:
            for rest in _NEEDS[rules.courtiers[name].ability](table, seat, rules):
                yield {"use": name, **rest}


def _rides(table: Table, seat: str, rules: Rules) -> list[Order]:
    return [{"move": [order["courtier"], order["to"]]} for order in moves(table, rules)]


def _seals(table: Table, seat: str, rules: Rules) -> list[Order]:
    cards = sorted(set(table.seats[seat].hand))
    return [
        {"courtier": suit(card), "card": figure(card)}
        for card in cards
        if rules.cards_at_court.allowed or not table.courtiers[suit(card)].arrived
    ]


def _openings(table: Table, seat: str, rules: Rules) -> list[Order]:
    piles = {name: courtier.piles[seat] for name, courtier in table.courtiers.items() if seat in courtier.piles}
    return [{"courtier": name, "card": max(pile)} for name, pile in piles.items() if max(pile) > pile[0]]


def _whispers(table: Table, seat: str, rules: Rules) -> list[Order]:
    return [
        {"courtier": name, "of": rival}
        for name, courtier in table.courtiers.items()
        for rival in courtier.piles
        if rival != seat and not courtier.arrived
    ]


def _mischiefs(table: Table, seat: str, rules: Rules) -> list[Order]:
    return [{"move": [name, place]} for name in table.courtiers for place in ways(table, name, rules, farther=1)]


_NEEDS: dict[Ability, Callable[[Table, str, Rules], list[Order]]] = {
    "ride": _rides,
    "clear_inns": lambda table, seat, rules: [],
    "blessing": lambda table, seat, rules: [{}] if table.deck else [],
    "purse": lambda table, seat, rules: [{"prefer": order["prefer"]} for order in takes(table)],
    "seal": _seals,
    "patronage": _openings,
    "whisper": _whispers,
    "mischief": _mischiefs,
}


# --- the random bot: any kind of action, any way of doing it


PLANS = 2  # that are filed; where neither is legal any more cards are taken
TRIES = 4


def orders(table: Table, seat: str, rules: Rules, chance: Chance) -> dict[str, object]:
    """What the seat files, beside the head."""
    if table.phase == FIRST_TURN:
        hand = table.seats[seat].hand
        card = hand[chance("discard", len(hand)) - 1]
        return {"discard": [{"suit": suit(card), "card": figure(card)}]}
    if seat not in due(table, rules):
        return {}
    of = {
        "a": moves(table, rules), "b": lays(table, seat, rules), "c": takes(table),
        "d": discards(table, seat),
    }  # fmt: skip
    plans = [plan for plan in (_plan(table, seat, rules, chance, of) for _ in range(PLANS)) if plan]
    return {"plans": plans} if plans else {}


def _plan(table: Table, seat: str, rules: Rules, chance: Chance, of: dict[str, list[Order]]) -> Order | None:
    kinds = [kind for kind in of if of[kind]]
    for _ in range(TRIES if kinds else 0):
        pair = sorted(kinds[chance("kind", len(kinds)) - 1] for _ in range(2))
        plan: Order = {"actions": [of[kind][chance("action", len(of[kind])) - 1] for kind in pair]}
        if trouble(table, seat, plan, rules) is None:
            usable = list(abilities(table, seat, rules))
            if usable:
                with_ability = {"ability": usable[chance("ability", len(usable)) - 1], **plan}
                return with_ability if trouble(table, seat, with_ability, rules) is None else plan
            return plan
    return None
