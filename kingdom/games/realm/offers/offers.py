"""The one list of what a seat of the realm may order as things stand, and which orders are left to who writes them.

Each kind asks the functions that its step asks, of the kingdom as the orders so far leave it at that step. So every offer is
one that `kingdom check` finds nothing wrong with, whatever of the list was chosen before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping

from kingdom.engine import names
from kingdom.engine.offer import Offer, together
from kingdom.engine.step import Orders
from kingdom.games.realm.offers import away_offers, home_offers
from kingdom.games.realm.offers.course import MARCH, MUSTER, ORDER, Course, course, parts_of
from kingdom.games.realm.orders import ARMIES, HEXES, ORDERS, QUESTIONS, ROUTES, SETTLEMENTS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.orders.orders_file import lines_of

# Free texts, and lists without an end: nothing of them is offered.
FREE = ("plan", "reserve", "messages", "requests", "amend", "final", "token", "kingdom", "turn")
# Nor is what stands only with an order behind it: the capital's hex with the next capital named, a wall with its gate.
# What is left open in an order that is offered -> the words that who writes it fills in as he likes, within the rules.
OPEN: Mapping[str, tuple[str, ...]] = {
    "settle": ("name", "water"),  # a name is a text; any borders may be water where one may
    "build": ("lot", "border", "water"),  # where it stands: without it, the first place that will do
    "recruit": ("recruit", "with"),  # its name is a text; resources come in any mixture
    "equip": ("count",),
    "army": ("move", "withdraw"),  # ways of up to 100 hexes, percents
    "explore": ("weeks", "route", "toward", "until"),  # any journey that is paid for
    "adventurers": ("bp",),
}
KINDS: Mapping[str, Callable[[Course], Iterator[Offer]]] = {
    "answers": home_offers.answers,
    "leadership": home_offers.leadership,
    "abandon": home_offers.abandon,
    "claim": home_offers.claims,
    "improve": home_offers.improvements,
    "settle": home_offers.settlements,
    "build": home_offers.works,
    MUSTER: away_offers.musters,
    "edicts": home_offers.edicts,
    "capital": home_offers.capital,
    "doors": away_offers.doors,
    "smuggle": away_offers.smuggle,
    "special": away_offers.special,
    "surrender": home_offers.surrenders,
    MARCH: away_offers.marches,
    "loyalty": home_offers.loyalty,
}  # in the order of the turn


def offers(known: World, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """What more the seat may order, given the orders so far, in the order of the turn. known: what it knows (known.py).

    Orders are given in the order in which a turn carries them out: what would come before one that is given already might
    take away what that one needs, and is no longer offered.
    """
    kingdom = known.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == known.turn + 1:
        return []
    now = course(known, seat, rules, orders)
    latest = max((ORDER.index(part) for part, _, _ in parts_of(orders) if part in ORDER), default=0)
    made = (offer for part, kind in KINDS.items() if ORDER.index(part) >= latest for offer in kind(now))
    return [offer._replace(short=_line(offer)) for offer in made]


def _line(offer: Offer) -> str:
    """The line of an orders file that says it alone in short forms, "" where none does."""
    ((key, value),) = together([offer]).items()
    return "".join(lines_of(ORDERS, key, value) or ()).rstrip()


def together_with(orders: Orders, offer: Offer) -> Orders:
    """The orders with what an offer stands for."""
    return together(
        [offer], {key: dict(value) if isinstance(value, Mapping) else value for key, value in orders.items()}
    )


def meant(part: str, order: object, kingdom: Kingdom) -> Hashable:
    """What an order means but for what is left open in it: of two orders that mean the same, one is offered."""
    if isinstance(order, Mapping):
        kind = str(
            order.get("edict") or next((word for word in OPEN if word in order and part in (MUSTER, MARCH)), part)
        )
        rows = {word: value for word, value in order.items() if word not in OPEN.get(kind, ())}
        if kind == "explore" and not isinstance(rows.get("escort"), str):
            rows.pop("escort", None)  # adventurers for any BP
        if "route" in rows:
            rows["route"] = next(
                (key for key, route in kingdom.routes.items() if route.shares == rows["route"]), rows["route"]
            )
        left = sorted(word for word in order if word in ("move", "withdraw")) if part == MARCH else []
        return part, tuple(sorted((word, _folded(value)) for word, value in rows.items())), tuple(left)
    return part, _folded(order)


def _folded(value: object) -> Hashable:
    """A value that can be compared: names as they are compared everywhere, lists and maps as tuples."""
    if isinstance(value, str):
        return names.compared(value)
    if isinstance(value, Mapping):
        return tuple(sorted((key, _folded(inner)) for key, inner in value.items()))
    return tuple(map(_folded, value)) if isinstance(value, (list, tuple)) else value


# --- the names that orders may mean


def offered(world: World, seat: str | None, rules: Rules) -> Mapping[str, list[str]]:
    """List -> its names. world: what the seat knows; of the GM, None, the whole one, with the names of all kingdoms."""
    own = [world.kingdoms[seat]] if seat else [kingdom for kingdom in world.kingdoms.values() if not kingdom.destroyed]
    return {
        HEXES: sorted(label for label, hex in world.hexes.items() if not rules.terrain[hex.terrain].unseen),
        SETTLEMENTS: [name for kingdom in own for name in kingdom.settlements],
        ARMIES: [name for kingdom in own for name in kingdom.armies],
        ROUTES: [key for kingdom in own for key in kingdom.routes],
        QUESTIONS: [pending.key for kingdom in own for pending in kingdom.pending],
    }
