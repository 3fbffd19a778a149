"""What a player and the GM may order, an order a class; and what a seat decides in the next run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kingdom.games.kings_pouch.orders.castle import CASTLE as CASTLE
from kingdom.games.kings_pouch.orders.managing import MANAGE as MANAGE
from kingdom.games.kings_pouch.orders.placing import PLACE as PLACE
from kingdom.games.kings_pouch.orders.placing import WORDS
from kingdom.games.kings_pouch.orders.resting import Rest, Tax
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kit.common_orders import FOOT, FOOT_ADDS, REASON, gm_orders, messages, seat, turn
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, Number, Record, Text, Word, snake

_MOST = 99
TAX, REST = Tax(), Rest()
DECISIONS: tuple[kit.Order[Table, Rules, Any], ...] = (CASTLE, PLACE, TAX, MANAGE, REST)


def names(rules: Rules) -> Mapping[str, list[str]]:
    """The closed lists that orders name. A building by its word or its name; `princess` is either of both."""
    named = dict.fromkeys(word for card, rule in rules.buildings.items() for word in (card, snake(rule.name)))
    who = [*rules.characters, *dict.fromkeys(word[:-2] for word in rules.characters if word[-2:] in ("_1", "_2"))]
    return {
        "buildings": list(named),
        "characters": who,
        "territories": list(rules.map.neighbours),
        "places": [*rules.map.neighbours, *who],
    }


ORDERS = Record("the orders of a turn", {
    "kingdom": seat("whose orders these are"),
    "turn": turn(),
    **kit.keys((CASTLE, PLACE, MANAGE, TAX, REST)),
    "messages": messages("Leave the palace alone?"),
    **FOOT,
}, required=("kingdom", "turn"), adds=("messages", *FOOT_ADDS))  # fmt: skip

GM_ORDERS = gm_orders(Record("prestige given or taken", {
    "grant": seat("to whom"),
    "prestige": Number("how much, negative to take it", -_MOST, _MOST, 1),
    "reason": REASON,
}, required=("grant", "prestige", "reason")), void="place[0]")  # fmt: skip

FILES = {
    "table.yaml": Record("the table", {
        "characters": ListOf("all characters of the game", Word("a character", "characters", example="queen"), short=WORDS),
    }),
    "kingdoms/*.yaml": Record("a player", {"name": Text("the name", example="Alice's house", most=60)}),
}  # fmt: skip
