"""The bots, which play a seat by what it knows; and orders drawn from what is declared, most of which can't be carried out, for simulations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from kingdom.engine.game import Chance
from kingdom.games.kit.drawn import Draw, filing, gm_filing
from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.bots import chamberlain
from kingdom.games.royal_progress.orders import ORDERS, PLANS, decided
from kingdom.games.royal_progress.orders.choices import PAIRS, Use, uses
from kingdom.games.royal_progress.orders.plans import Plans
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Table, figure, known_cards, suit
from kingdom.games.royal_progress.words import DISCARD, LAY, MOVE, TAKE, names
from kingdom.orders import kit
from kingdom.orders.yaml_out import dump

Wanted: TypeAlias = dict[str, object]  # key -> what stands under it, in the long form


def at_random(table: Table, seat: str, rules: Rules, chance: Chance) -> Wanted:
    """What the seat may do by two kinds of actions, behind one of the abilities that it may use, or none."""

    def one(table: Table, seat: str, rules: Rules) -> list[Use]:
        listed = uses(table, seat, rules)
        return [listed[chance("ability", len(listed)) - 1]]

    drawn = Plans(one, [PAIRS[chance("kinds", len(PAIRS)) - 1]])
    asked = decided(table, seat, rules)
    return kit.at_random([(drawn if kind is PLANS else kind, now) for kind, now in asked], chance)


PLAYERS: Mapping[str, Callable[[Table, str, Rules, Chance], Wanted]] = {
    "chamberlain": chamberlain.orders,
    "random": at_random,
}


def text(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """What the bot of that name files for the next turn."""
    return dump({"kingdom": seat, "turn": known.turn + 1, **PLAYERS[name](known, seat, rules, chance)})


# --- orders drawn at random from what is declared

DRAWN = 20  # pairs of actions, of which a plan has one
RARELY = 4  # one time in 4 a seat orders what the turn is not for


def drawing(known: Table, seat: str, rules: Rules, chance: Chance) -> Draw:
    """What draws orders of any kind for the seat: likely ones have two actions, cards that are in the hand, steps to a place beside."""
    mine = [name for name, courtier in known.courtiers.items() if courtier.control == seat]
    hand = known_cards(known.seats[seat].hand)
    steps = [(name, place) for name, of in known.courtiers.items() for place in board.beside(rules)[of.place]]
    actions: list[dict[str, object]] = [{"do": MOVE, "courtier": name, "to": place} for name, place in steps]
    actions += [{"do": LAY, "courtier": suit(card), "cards": [figure(card)]} for card in hand]
    actions += [{"do": DISCARD, "courtier": name} for name in known.courtiers]
    actions += [{"do": TAKE} for _ in known.courtiers]
    drawn = [[actions[chance("action", len(actions)) - 1] for _ in range(2)] for _ in range(DRAWN)]
    likely: dict[str, list[object]] = {
        "use": [*mine], "move": [[*step] for step in steps], "suit": [*map(suit, hand)], "card": [*map(figure, hand)],
        "actions": [sorted(pair, key=lambda action: str(action["do"])) for pair in drawn],
    }  # fmt: skip
    return Draw(chance, {**names(rules), "seats": list(known.seats)}, likely)


def muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """A filing with some keys, to be merged into what the seat filed."""
    other = "plans" if known.phase == FIRST_TURN else "discard"
    head = {"kingdom": seat, "turn": known.turn + 1}
    return filing(ORDERS, head, drawing(known, seat, rules, chance), () if chance("phase", RARELY) == 1 else (other,))


def gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    """A GM's orders: now and then points given or taken, and an order voided that may not be there."""
    draw = Draw(chance, {"seats": list(table.seats)})
    return gm_filing(table.turn + 1, draw, "points", (-1, 1, -9, 3), ("plans[0]", "plans", "standing", "discard"))
