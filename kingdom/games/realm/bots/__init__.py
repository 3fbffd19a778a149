"""Bots: they write a seat's orders as a text, as a player would, from what the seat may know.

planner.py has a bot's thinking, worth.py its aims. A bot is a pure function (what the seat knows, seat, rules, chance) -> text;
the same input gives the same orders. The fuzzers (fuzzers.py), which play simulated campaigns, order at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kingdom.engine.game import Letter
from kingdom.engine.offer import Offer
from kingdom.games.realm.bots.agenda import Agenda
from kingdom.games.realm.bots.letters import Writer
from kingdom.games.realm.bots.planner import best_planned
from kingdom.games.realm.bots.worth import KEEPER, NOVICE, STEADY, TEMPERS, Weights
from kingdom.games.realm.orders.declaration import DECISIONS
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.orders import orders_file as filing

STEWARD = "steward"  # the bot that looks after a silent player's kingdom
# bot -> its own weights, then others for more plans: of all plans it takes the one that is worth most by its own
TEMPERAMENTS = {
    STEWARD: (KEEPER,),
    "steady": (STEADY,),
    **{name: (weights,) for name, weights in TEMPERS.items()},
    "novice": (NOVICE,),
    "strong": (STEADY, Weights(size=30, flow=12), Weights(economy=90, stability=120)),
}
FIRST = ("Ash", "Elm", "Stone", "Raven", "Wolf", "Mill", "Salt", "High", "Low", "Thorn", "Black", "Fair")
LAST = ("ford", "ham", "wick", "bury", "stead", "gate", "moor", "well", "holt", "cross")
RESTLESS = 1  # from this Unrest on a steward builds to calm the people


def keeps_house(kingdom: Kingdom, offer: Offer, rules: Rules) -> bool:
    """Whether a steward, who looks after a silent player's kingdom, may take the offer: repairs, food, adventurers against
    monsters in its land, and buildings that calm a restless people. A kingdom without land or settlement is in danger, so there
    it may take any offer."""
    if not kingdom.hexes or not kingdom.settlements:
        return True
    if kingdom.unrest >= RESTLESS and offer.effect.get("unrest", 0) < 0:
        return True
    if offer.key == "special":
        return offer.order.get("task") in kingdom.hexes
    if offer.key == "build":
        return offer.order.get("lot") in kingdom.damaged.get(offer.order["in"], ())
    improvement = rules.improvements.get(offer.order["build"]) if offer.key == "improve" else None
    return improvement is not None and improvement.consumption < 0


def orders(
    bot: str,
    known: World,
    seat: str,
    rules: Rules,
    chance: Callable[[str, int], int],
    letters: Sequence[Letter] | None = None,
) -> str:
    """Return the orders of the bot of that name for the turn after `known`, a text that can be filed. In anarchy and for a destroyed kingdom
    the text has no orders.

    letters: those that the seat wrote or got in the last turns; None if nobody may write, and then the bot writes nothing.
    """
    kingdom = known.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == known.turn + 1:
        return filing.write({"kingdom": seat, "turn": known.turn + 1})
    town = "".join(part[chance(name, len(part)) - 1] for name, part in (("name", FIRST), ("ending", LAST)))
    keeps, tried = bot == STEWARD, TEMPERAMENTS[bot]
    may = (lambda offer: keeps_house(kingdom, offer, rules)) if keeps else None
    agenda = Agenda(known, seat, rules, () if keeps else letters or ())
    given = best_planned(agenda, tried, may, town).orders
    if keeps:  # a steward writes nothing in its player's name, and shuts nobody out
        return filing.write(given)
    now = Now(known, seat, rules)
    given = {**given, **{kind.key: order for kind in DECISIONS if (order := kind.against(now, agenda.book.foes))}}
    mail = [] if letters is None else Writer(agenda, tried[0], given, letters).written()
    return filing.write({**given, "messages": mail} if mail else given)
