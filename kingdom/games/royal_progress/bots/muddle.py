"""Orders drawn at random from what is declared, most of which can't be carried out, and a GM's; for simulations and tests alone."""

from __future__ import annotations

from typing import Any

from kingdom.engine.game import Chance
from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.orders import ORDERS, names
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Table, figure, known_cards, suit
from kingdom.games.royal_progress.steps.actions import LAY, MOVE
from kingdom.games.shared.drawn import WILD, Draw, filing
from kingdom.orders.yaml_out import dump

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
