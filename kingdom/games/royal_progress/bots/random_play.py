"""Play at random: what a seat could do at the table, any of it; and orders drawn from what is declared, with a GM's, for simulations.

Of the drawn ones most can't be carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, TypeAlias

from kingdom.engine.game import Chance
from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.orders import ORDERS, names
from kingdom.games.royal_progress.rules import Ability, Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Table, figure, known_cards, suit
from kingdom.games.royal_progress.steps.actions import DISCARD, LAY, MOVE, TAKE
from kingdom.games.royal_progress.steps.cards import suits_in
from kingdom.games.royal_progress.steps.moving import ways
from kingdom.games.royal_progress.steps.play import due, trouble
from kingdom.games.shared.drawn import WILD, Draw, filing
from kingdom.orders.yaml_out import dump

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


# --- orders drawn at random from what is declared


RULINGS = 10  # percent of the turns in which the GM rules
RARELY = 4  # one time in so many a seat orders what the turn is not for


class _Draw(Draw):
    """Draws with a bias: plans of two actions, cards that are in the hand, steps to a place beside."""

    def __init__(self, known: Table, seat: str, rules: Rules, chance: Chance):
        closed = {key: list(words) for key, words in names(rules).items()}
        mine = [name for name, courtier in known.courtiers.items() if courtier.control == seat]
        super().__init__(chance, {**closed, "seats": list(known.seats)}, {"use": mine})
        self.known, self.rules = known, rules
        self.hand = known_cards(known.seats[seat].hand)

    def of(self, shape: object) -> Any:  # as in Draw
        """A value of this shape; one that is a part of a plan or a card is made more likely to do."""
        value = super().of(shape)
        if isinstance(value, dict) and self.chance("wild", WILD) > 1:
            self._bend(value)
        return value

    def _bend(self, order: dict[str, Any]) -> None:
        if "actions" in order:
            actions = [*order["actions"], {"do": "c"}, {"do": "c"}][:2]
            order["actions"] = sorted(actions, key=lambda action: str(action["do"]))
        elif order.get("do") == MOVE:
            order["to"] = self._beside(order["courtier"])
        elif order.get("do") == LAY and self.hand:
            card = self.one(self.hand)
            order.update(courtier=suit(card), cards=[figure(card)])
            order.pop("each", None)
        elif order.keys() == {"suit", "card"} and self.hand:
            card = self.one(self.hand)
            order.update(suit=suit(card), card=figure(card))
        elif "use" in order and "move" in order:
            name = self.one(self.names["courtiers"])
            order["move"] = [name, self._beside(name)]

    def _beside(self, name: str) -> str:
        """A place beside that of the courtier."""
        place: str = self.one(board.beside(self.rules)[self.known.courtiers[name].place])
        return place


def drawing(known: Table, seat: str, rules: Rules, chance: Chance) -> Draw:
    """What draws orders of any kind for the seat."""
    return _Draw(known, seat, rules, chance)


def muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """A filing with some keys, to be merged into what the seat filed."""
    other = "plans" if known.phase == FIRST_TURN else "discard"
    head = {"kingdom": seat, "turn": known.turn + 1}
    return filing(ORDERS, head, drawing(known, seat, rules, chance), () if chance("phase", RARELY) == 1 else (other,))


def gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    """A GM's orders: now and then points given or taken, and an order voided that may not be there."""
    if chance("ruling", 100) > RULINGS:
        return dump({"turn": table.turn + 1})
    draw = Draw(chance, {"seats": list(table.seats)})
    seats = draw.names["seats"]
    void = {"kingdom": draw.one(seats), "order": draw.one(("plans[0]", "plans", "standing", "discard"))}
    rulings = [
        {"grant": draw.one(seats), "points": draw.one((-1, 1, -9, 3)), "reason": "a wager"},
        {"void": void, "reason": "a slip"},
    ]
    told = [{"to": draw.one([*seats, "all"]), "text": "A fine summer."}]
    return dump({"turn": table.turn + 1, "gm": rulings, "tell": told})
