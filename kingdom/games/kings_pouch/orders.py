"""What a player and the GM may order, declared once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import AREAS, KINDS, SHAPES
from kingdom.games.kit.common_orders import FOOT, FOOT_ADDS, REASON, gm_orders, messages, seat, turn
from kingdom.orders.schema import Either, Flag, ListOf, MapOf, Number, OneOf, Record, Text, Word, snake

ANY = "any"
_MOST = 99
TAX = ("never", "always", "if_needed")


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


def _kind(meaning: str, *also: str, example: str = "soldier") -> Word:
    return Word(meaning, KINDS, also=also, example=example)


def _shapes(meaning: str) -> ListOf:
    return ListOf(meaning, Word("a shape", tuple(SHAPES), example="cube"), short="words", most=_MOST)


_WORDS: Final = "words"
PLACEMENT = Record("a citizen to place", {
    "citizen": _kind("which citizen", ANY),
    "at": Word("the building", "buildings", also=(ANY,), example="City Watch"),
    "slot": Number("the slot, from the top", 1, 9, 1),
    "lines": ListOf("which lines of the slot to use, in this order", Number("a line", 1, 9, 1), short=_WORDS),
    "if_active": MapOf("how many must be active for it", _kind("the kind", example="merchant"), Number("at least this many", 1, _MOST, 1)),
    "remove_from": Word("from which area a citizen is taken", AREAS, example="rest"),
    "to": Word("to which area a citizen comes", AREAS, example="active"),
    "draw": _shapes("the shape of each citizen drawn"),
    "gain": ListOf("which citizens to receive, where it is free", _kind("a kind"), short=_WORDS),
    "remove": ListOf("which citizens go back to the pool, where it is free", _kind("a kind"), short=_WORDS),
    "move": ListOf("which citizens to move", _kind("a kind"), short=_WORDS),
    "exchange": ListOf("which citizens to exchange", _kind("a kind"), short=_WORDS),
    "add_marker": ListOf("where to add a marker, the first choice first", Word("a territory or character", "places", example="queen"), short=_WORDS),
}, required=("at",), short=("{citizen} at {at}", "{at}"))  # fmt: skip

_PLACE = Either("a territory, or another player's castle", (
    Word("a territory", "territories", example="R1"),
    Record("another player's castle", {"castle": seat("whose")}, required=("castle",)),
))  # fmt: skip
WISH = OneOf("a wish", {
    "build": Record("a building", {
        "build": ListOf("the cards, the first choice first", Word("a card", "buildings", example="Market"), short=_WORDS, least=1),
    }, required=("build",), short=("build {build}",)),
    "claim": Record("a character", {
        "claim": ListOf("the characters, the first choice first", Word("a character", "characters", example="queen"), short=_WORDS, least=1),
    }, required=("claim",), short=("claim {claim}",)),
    "occupy": Record("a territory", {
        "occupy": ListOf("the territories, the first choice first", _PLACE, short=_WORDS, least=1),
    }, required=("occupy",), short=("occupy {occupy}",)),
})  # fmt: skip

ORDERS = Record("the orders of a turn", {
    "kingdom": seat("whose orders these are"),
    "turn": turn(),
    "castle": ListOf("where the castle shall stand, the first choice first", Word("a territory", "territories", example="E1"), short=_WORDS),
    "place": ListOf("the citizens to place, one after the other", PLACEMENT, short="commas"),
    "manage": ListOf("what to build, claim and occupy, one after the other", WISH),
    "tax": Word("whether to collect the tax", TAX, example="if_needed"),
    "rest": Record("the rest phase", {
        "refresh": ListOf("which citizens go back into the pouch, by kind", _kind("a kind", example="merchant"), short=_WORDS),
        "refresh_all": Flag("whether a refresh without a number is used"),
        "draw": _shapes("the shape of each citizen drawn"),
        "palace_draw": Flag("whether the palace's citizen is drawn"),
    }),
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
        "characters": ListOf("all characters of the game", Word("a character", "characters", example="queen"), short=_WORDS),
    }),
    "kingdoms/*.yaml": Record("a player", {"name": Text("the name", example="Alice's house", most=60)}),
}  # fmt: skip
