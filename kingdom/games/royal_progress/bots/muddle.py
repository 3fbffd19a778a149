"""Orders drawn at random, most of which can't be carried out, and a GM's; for simulations alone: so every refusal is come by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.orders import names
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST
from kingdom.games.royal_progress.state import Table, at_court, figure, known_cards, suit
from kingdom.games.royal_progress.steps.actions import DISCARD, DRAWN, LAY, MOVE, TAKE
from kingdom.games.royal_progress.steps.preferences import ANY, DISCARDS, EXTRA_MOVES, THEN
from kingdom.orders.yaml_out import dump

Chance = Callable[[str, int], int]
SYMBOLS = 4  # that are drawn, from 0 on
RULINGS = 10  # percent of the turns in which the GM rules
WILD = 4  # one time in so many a thing is drawn from all that there is, otherwise from what might do


def muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """A filing with some keys, to be merged into what the seat filed."""
    draw = _Draw(known, seat, rules, chance)
    made = {
        "discard": lambda: [draw.card_of(draw.card()) for _ in range(draw.one((0, 1, 1, 1, 2)))],
        "plans": lambda: [draw.plan() for _ in range(1 + draw.below(3))],
        "standing": lambda: draw.standing(),
        "messages": lambda: [{"to": draw.one([*known.seats, "all"]), "text": "Well met."}],
        "final": lambda: True,
    }  # fmt: skip
    keys = [key for key in made if chance("key", 2 if key != "discard" or known.phase == FIRST else WILD) == 1]
    return dump({"kingdom": seat, "turn": known.turn + 1, **{key: made[key]() for key in keys}, "amend": True})


class _Draw:
    """What is drawn, from one chance."""

    def __init__(self, known: Table, seat: str, rules: Rules, chance: Chance):
        self.known, self.rules, self.chance = known, rules, chance
        self.courtiers, self.places = list(known.courtiers), list(names(rules)["places"])  # type: ignore[call-overload]
        self.hand = known_cards(known.seats[seat].hand)
        self.mine = [name for name, courtier in known.courtiers.items() if courtier.control == seat]

    def below(self, most: int) -> int:
        return self.chance("number", most) - 1

    def one(self, values: Sequence[Any]) -> Any:
        return values[self.chance("one", len(values)) - 1]

    def likely(self, values: Sequence[Any], every: Sequence[Any]) -> Any:
        """One of what might do, now and then any."""
        return self.one(values if values and self.chance("wild", WILD) > 1 else every)

    def card(self) -> str:
        return self.likely(self.hand, [f"{name} {symbols}" for name in self.courtiers for symbols in range(SYMBOLS)])

    def card_of(self, card: str) -> dict[str, Any]:
        return {"suit": suit(card), "card": figure(card)}

    def plan(self) -> dict[str, Any]:
        kinds = [self.one((MOVE, LAY, TAKE, DISCARD)) for _ in range(self.one((1, 2, 2, 2, 2, 2, 3)))]
        kinds = kinds if self.chance("wild", WILD) == 1 else sorted(kinds)
        ability = {"ability": self.ability()} if self.chance("ability", 3) == 1 else {}
        return {**ability, "actions": [{"do": kind, **_ACTIONS[kind](self)} for kind in kinds]}

    def step(self) -> tuple[str, str]:
        name = self.one(self.courtiers)
        near = board.beside(self.rules)[self.known.courtiers[name].place]
        return name, self.likely(near, [*self.places, self.known.courtiers[name].place])

    def move(self) -> dict[str, Any]:
        name, place = self.step()
        return {"courtier": name, "to": place}

    def lay(self) -> dict[str, Any]:
        cards = [self.card() for _ in range(1 + self.below(3))]
        name = self.likely([suit(cards[0])], [*self.courtiers, DRAWN])
        on = {"courtier": name, "cards": self.likely([[figure(cards[0])]], [[DRAWN], [0, 0]])}
        both = {"each": [{"courtier": suit(card), "card": figure(card)} for card in cards]}
        return self.likely([on, both], [{}, {**on, **both}])

    def take(self) -> dict[str, Any]:
        two = {"two": self.one((True, False))} if self.chance("two", 3) == 1 else {}
        return {"prefer": [self.wish() for _ in range(self.below(3))], **two}

    def wish(self) -> Any:
        made: dict[str, Any] = {
            "suit": self.one(self.courtiers),
            "card": self.below(SYMBOLS),
            "min": self.below(SYMBOLS),
            "max": self.below(SYMBOLS),
        }
        made["suit_in_hand"] = self.one(("most", "least"))
        return (
            ANY
            if self.chance("any", 3) == 1
            else {key: value for key, value in made.items() if self.chance("wish", 2) == 1}
        )

    def discard(self) -> dict[str, Any]:
        return {"courtier": self.one(self.courtiers)}

    def ability(self) -> dict[str, Any]:
        made: dict[str, Callable[[], Any]] = {
            "move": lambda: [*self.step()],
            "courtier": lambda: self.likely(at_court(self.known), self.courtiers),
            "card": lambda: self.below(SYMBOLS),
            "of": lambda: self.one(list(self.known.seats)),
            "prefer": lambda: [self.wish()],
        }
        return {"use": self.likely(self.mine, self.courtiers)} | {
            key: make() for key, make in made.items() if self.chance("more", 3) > 1
        }

    def standing(self) -> dict[str, Any]:
        gift = {"prefer_types": [self.one(self.rules.gifts.types)], "then": self.one(THEN)}
        made = {
            "pair": gift,
            "single": gift,
            "forced_discard": {"keep": [self.one(self.courtiers)], "from": self.one(DISCARDS)},
            "loyalty": {"discard": self.one(DISCARDS), "extra_move": self.one(EXTRA_MOVES)},
            "no_plan": {"do": [self.one((TAKE, DISCARD)) for _ in range(2)], "prefer": [self.wish()]},
        }
        return {key: value for key, value in made.items() if self.chance("standing", 2) == 1}


_ACTIONS: dict[str, Callable[[_Draw], dict[str, Any]]] = {
    MOVE: _Draw.move,
    LAY: _Draw.lay,
    TAKE: _Draw.take,
    DISCARD: _Draw.discard,
}


def gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    """A GM's orders: now and then points given or taken, and an order voided that may not be there."""
    draw, given = _Draw(table, next(iter(table.seats)), rules, chance), []
    seats = list(table.seats)
    if chance("ruling", 100) <= RULINGS:
        given.append({"grant": draw.one(seats), "points": draw.one((-1, 1, -9, 3)), "reason": "a wager"})
        given.append(
            {
                "void": {"kingdom": draw.one(seats), "order": draw.one(("plans[0]", "plans", "standing", "discard"))},
                "reason": "a slip",
            }
        )
    told = [{"to": draw.one([*seats, "all"]), "text": "A fine summer."}] if given else []
    return dump({"turn": table.turn + 1, **({"gm": given, "tell": told} if given else {})})
