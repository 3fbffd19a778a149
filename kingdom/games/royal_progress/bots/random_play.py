"""Play at random: what a seat could do at the table, any of it; and orders drawn from what is declared, with a GM's, for simulations.

Of the drawn ones most can't be carried out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from kingdom.engine.game import Chance
from kingdom.games.kit.drawn import WILD, Draw, filing, gm_filing
from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.offers import Use, allowed, discards, laid, steps, uses
from kingdom.games.royal_progress.orders import ORDERS, PLANS
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Table, figure, known_cards, suit
from kingdom.games.royal_progress.steps import Trial, due
from kingdom.games.royal_progress.steps.actions import Doing
from kingdom.games.royal_progress.steps.moving import room
from kingdom.games.royal_progress.types import Now
from kingdom.games.royal_progress.words import (
    DISCARD,
    LAY,
    MOVE,
    TAKE,
    AbilityForm,
    ActionForm,
    LayForm,
    PlanForm,
    names,
)

Pair: TypeAlias = list[ActionForm]  # the two actions of a plan


def actions_of(table: Table, seat: str, rules: Rules) -> dict[str, list[ActionForm]]:
    """Kind -> the legal actions of that kind that a bot looks at: of those offered the lays that are plain, and wishes for cards."""
    turn, doing, of = Trial[Table, Rules](rules), Doing(), table.seats[seat]
    return {
        MOVE: moves(table, rules),
        LAY: [order for order in _plain_lays(of.hand) if allowed(table, turn, seat, order, doing)],
        TAKE: takes(table),
        DISCARD: [{"do": DISCARD, "courtier": name} for name in discards(table, seat)],
    }


def moves(table: Table, rules: Rules) -> list[ActionForm]:
    """Actions A: each step to a place with room."""
    return [
        {"do": MOVE, "courtier": name, "to": place} for name, place in steps(table, rules) if room(table, place, rules)
    ]


@lru_cache(maxsize=500)  # the same hand is looked at again and again
def _plain_lays(hand: tuple[str, ...]) -> list[ActionForm]:
    """The lays of a hand that are offered and plain."""
    best: dict[str, list[int]] = {}
    for card in sorted(hand, key=figure, reverse=True):
        best.setdefault(suit(card), []).append(figure(card))
    return [lay.order for lay in laid(hand) if lay.order["do"] == LAY and _is_plain(lay.order, best)]


def _is_plain(order: LayForm, best: Mapping[str, list[int]]) -> bool:
    """Whether it lays all cards of a suit, the best of a suit, or the best of each of two suits."""
    if "each" in order:
        return all(card["card"] == best[card["courtier"]][0] for card in order["each"])
    symbols = best[order["courtier"]]
    return order["cards"] in (symbols, symbols[:1])


def takes(table: Table) -> list[ActionForm]:
    """Actions C: each open card as the first wish, any other behind it."""
    return [
        {"do": TAKE, "prefer": [{"suit": suit(card), "card": figure(card)}, "any"]} for card in sorted(set(table.offer))
    ]


def uses_of(table: Table, seat: str, rules: Rules) -> list[Use]:
    """The uses of abilities that bring a bot something by themselves."""
    return [use for use in uses(table, seat, rules) if use.order and _brings(use.order, table, seat, rules)]


def _brings(order: AbilityForm, table: Table, seat: str, rules: Rules) -> bool:
    ability = rules.courtiers[order["use"]].ability
    if ability == "purse":
        return "any" in order["prefer"]
    if ability == "patronage":
        pile = table.courtiers[order["courtier"]].piles[seat]
        return order["card"] == max(pile) > pile[0]
    return ability != "clear_inns"


# --- the random bot: any kind of action, any way of doing it


FILED = 2  # plans that are filed; where neither is legal any more cards are taken
TRIES = 4


def orders(table: Table, seat: str, rules: Rules, chance: Chance) -> dict[str, object]:
    """What the seat files, beside the head."""
    if table.phase == FIRST_TURN:
        hand = table.seats[seat].hand
        card = hand[chance("discard", len(hand)) - 1]
        return {"discard": [{"suit": suit(card), "card": figure(card)}]}
    if seat not in due(table, rules):
        return {}
    of = actions_of(table, seat, rules)
    plans = [plan for plan in (_plan(table, seat, rules, chance, of) for _ in range(FILED)) if plan]
    return {"plans": plans} if plans else {}


def _plan(
    table: Table, seat: str, rules: Rules, chance: Chance, of: Mapping[str, Sequence[ActionForm]]
) -> PlanForm | None:
    kinds, now = [kind for kind in of if of[kind]], Now(table, seat, rules)
    for _ in range(TRIES if kinds else 0):
        pair = sorted(kinds[chance("kind", len(kinds)) - 1] for _ in range(2))
        plan: PlanForm = {"actions": [of[kind][chance("action", len(of[kind])) - 1] for kind in pair]}
        if PLANS.objection(now, plan) is None:
            usable = [use.order for use in uses_of(table, seat, rules) if use.order]
            if usable:
                with_ability: PlanForm = {"ability": usable[chance("ability", len(usable)) - 1], **plan}
                return with_ability if PLANS.objection(now, with_ability) is None else plan
            return plan
    return None


# --- orders drawn at random from what is declared


RARELY = 4  # one time in 4 a seat orders what the turn is not for


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
    draw = Draw(chance, {"seats": list(table.seats)})
    return gm_filing(table.turn + 1, draw, "points", (-1, 1, -9, 3), ("plans[0]", "plans", "standing", "discard"))
