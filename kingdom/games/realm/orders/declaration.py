"""What a player and the GM may order, declared once: the reader, the nearest words, the short forms, schema and form derive
from this. Keys and forms are those of docs/contract.md, sections 5 and 5a; `names` gives the closed lists from the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from kingdom.games.kit.common_orders import FOOT, FOOT_ADDS, turn
from kingdom.games.realm.orders.answers import ANSWERS
from kingdom.games.realm.orders.building import CONSTRUCT
from kingdom.games.realm.orders.claim import CLAIM as CLAIM
from kingdom.games.realm.orders.court import LEADERSHIP, LOYALTY
from kingdom.games.realm.orders.customs import DOORS, SMUGGLE
from kingdom.games.realm.orders.edicts import EDICTS
from kingdom.games.realm.orders.improve import IMPROVE as IMPROVE
from kingdom.games.realm.orders.kind import Order
from kingdom.games.realm.orders.leaving import ABANDON as ABANDON
from kingdom.games.realm.orders.leaving import CAPITAL as CAPITAL
from kingdom.games.realm.orders.marching import MARCHING
from kingdom.games.realm.orders.recruiting import MUSTERING as MUSTERING
from kingdom.games.realm.orders.rulings import ACCOUNTS
from kingdom.games.realm.orders.settle import SETTLE as SETTLE
from kingdom.games.realm.orders.special import SPECIAL, SPECIALS
from kingdom.games.realm.orders.surrender import SURRENDER
from kingdom.games.realm.orders.to_armies import TO_ARMIES
from kingdom.games.realm.orders.words import IMPROVEMENT, LONG, a_hex, a_kingdom
from kingdom.games.realm.orders.works import BUILD
from kingdom.games.realm.rules.rules import Rules
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, Number, OneOf, Record, Short, Text


class _Any(tuple[str, ...]):
    """The list of a table that kept rules do not have: any word is read, and its order refused when its step comes."""

    def __contains__(self, word: object) -> bool:
        return True


_ANY = _Any()


def names(rules: Rules) -> Mapping[str, Collection[str]]:
    """The closed lists that orders and the files of a start name. The seats in play are added by whoever reads."""
    return {
        "buildings": rules.buildings,
        "improvements": [word for word, improvement in rules.improvements.items() if improvement.order],
        "standing_improvements": rules.improvements,
        "terrain": [word for word, terrain in rules.terrain.items() if not terrain.unseen],
        "features": rules.features,
        "holiday": rules.edicts.holiday,
        "promotion": rules.edicts.promotion,
        "taxation": rules.edicts.taxation,
        "alignments": [word.lower() for word in rules.alignments],  # words are read without regard to case
        "governments": rules.governments,
        "units": rules.units or _ANY,
        "army_sizes": rules.army_sizes or _ANY,
        "resources": rules.army_resources or _ANY,
        "tactics": rules.tactics or _ANY,
        "strategies": rules.strategies or _ANY,
        "event_kinds": rules.event_kinds or _ANY,
        "accounts": ACCOUNTS,
    }


# the orders that have a file of their own, in the order of a turn
DECISIONS: Final[tuple[Order[Any], ...]] = (
    ANSWERS, LEADERSHIP, ABANDON, CLAIM, IMPROVE, SETTLE, CONSTRUCT, MUSTERING, EDICTS, *SPECIAL.values(), SMUGGLE, DOORS, CAPITAL,
    SURRENDER, MARCHING, LOYALTY,
)  # fmt: skip

# what a plan may hold, each in short
PLANNED = OneOf("a thing to do", {
    "claim": Record("a claim", {"claim": a_hex("the hex")}, required=("claim",), short=("claim {claim}",)),
    "settle": Record("a settlement", {"hex": a_hex("its hex"), "settle": Text("its name", example="Oakhold", most=60)},
                     required=("hex", "settle"), short=("settle {settle}[ at][ in] {hex}",)),
    "improve": Record("an improvement", {"hex": a_hex("the hex"), "improve": IMPROVEMENT},
                      required=("hex", "improve"), short=("[improve ]{improve}[ at][ in] {hex}",)),
    **BUILD,
})  # fmt: skip

ORDERS = Record("the orders of a turn", {
    "kingdom": a_kingdom("whose orders these are"),
    "turn": turn(),
    **kit.keys((LEADERSHIP, ABANDON, CLAIM, IMPROVE, SETTLE, CONSTRUCT, MUSTERING, EDICTS)),
    "special": SPECIALS,
    **kit.keys((DOORS, SMUGGLE, CAPITAL, SURRENDER, LOYALTY, ANSWERS)),
    "plan": ListOf("what to do when nothing else is left to do", Short("a thing to do", PLANNED), short="commas"),
    "reserve": Number("BP that the plan leaves", 0, 9999, 10),
    "messages": ListOf("messages", Record("a message", {
        "to": a_kingdom("to whom", "all"),
        "text": Text("the message", example="Well met.", most=LONG, lines=True),
    }, required=("to", "text")), pairs=("to", "text"), most=100),
    "requests": ListOf("what the GM is asked to rule on", Text("a request", example="I court the duke's heir.", most=LONG, lines=True),
                       short="one", most=100),
    **FOOT,
}, required=("kingdom", "turn"), adds=("loyalty", "answers", "messages", "requests", *FOOT_ADDS), once=(
    "plan", "reserve",
    *(kind.key for kind in DECISIONS if kind.once),
    *(f"armies.{case}" for case in TO_ARMIES if case != "army"),
), short_keys={
    "holiday": "edicts", "promotion": "edicts", "taxation": "edicts", **dict.fromkeys(SPECIAL, "special"),
})  # fmt: skip
