"""What a player and the GM may order, declared once."""

from __future__ import annotations

from typing import Mapping

from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import AREAS, KINDS, SHAPES
from kingdom.shape import Either, Flag, ListOf, MapOf, Number, OneOf, Record, Text, Word, snake

ALL, ANY = "all", "any"
_LONG = 10_000
_MOST = 99
TAX = ("never", "always", "if_needed")


def names(rules: Rules) -> Mapping[str, list[str]]:
    """The closed lists that orders name. A building by its word or its name; `princess` is either of both."""
    named = dict.fromkeys(word for card, rule in rules.buildings.items() for word in (card, snake(rule.name)))
    who = [*rules.characters, *dict.fromkeys(word[:-2] for word in rules.characters if word[-2:] in ("_1", "_2"))]
    return {"buildings": list(named), "characters": who, "territories": list(rules.map.neighbours), "places": [*rules.map.neighbours, *who]}


def _seat(meaning: str, *also: str) -> Word:
    return Word(meaning, "seats", also=also, example="bob")


def _kind(meaning: str, *also: str, example: str = "soldier") -> Word:
    return Word(meaning, KINDS, also=also, example=example)


def _shapes(meaning: str) -> ListOf:
    return ListOf(meaning, Word("a shape", tuple(SHAPES), example="cube"), short="words", most=_MOST)


_WORDS = "words"
PLACEMENT = Record("a citizen to place", {
    "citizen": _kind("which citizen", ANY),
    "at": Word("the building", "buildings", also=(ANY,), example="City Watch"),
    "slot": Number("the slot, from the top", 1, 9, 1),
    "lines": ListOf("which lines of the slot to use, in this order", Number("a line", 1, 9, 1), short=_WORDS),
    "if_active": MapOf("how many must be active for it", _kind("the kind", example="merchant"), Number("at least so many", 1, _MOST, 1)),
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
    Record("another player's castle", {"castle": _seat("whose")}, required=("castle",)),
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
    "kingdom": _seat("whose orders these are"),
    "turn": Number("the turn that they are for", 0, 9999, 3),
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
    "messages": ListOf("messages", Record("a message", {
        "to": _seat("to whom", ALL),
        "text": Text("the text", example="Leave the palace alone?", most=_LONG, lines=True),
    }, required=("to", "text")), pairs=("to", "text")),
    "amend": Flag("whether this is added to what is filed"),
    "final": Flag("whether you are done"),
    "token": Text("the word that proves who you are", example="k7f3q", most=100),
}, required=("kingdom", "turn"))  # fmt: skip

_REASON = Text("the reason", example="ruling of turn 2 corrected", most=_LONG, lines=True)
GM_ORDERS = Record("the GM's orders of a turn", {
    "kingdom": Word("whose orders these are", ("gm",)),
    "turn": Number("the turn that they are for", 0, 9999, 3),
    "gm": ListOf("the GM's rulings", OneOf("a ruling", {
        "grant": Record("prestige given or taken", {
            "grant": _seat("to whom"),
            "prestige": Number("how much, negative to take it", -_MOST, _MOST, 1),
            "reason": _REASON,
        }, required=("grant", "prestige", "reason")),
        "void": Record("an order that does not count", {
            "void": Record("the order", {
                "kingdom": _seat("whose order"),
                "order": Text("its path", example="place[0]", most=100),
            }, required=("kingdom", "order")),
            "reason": _REASON,
        }, required=("void", "reason")),
        "finish": Record("the end of the campaign", {
            "finish": Word("what comes to its end", ("campaign",)),
            "reason": _REASON,
        }, required=("finish", "reason")),
    })),
    "tell": ListOf("what the GM tells", Record("a text for the reports", {
        "to": _seat("to whom", ALL),
        "text": Text("the text", example="The next deadline is after the holidays.", most=_LONG, lines=True),
    }, required=("to", "text")), pairs=("to", "text")),
    "token": Text("the word that proves who you are", example="g5s1r", most=100),
}, required=("turn",))  # fmt: skip

FILES = {
    "table.yaml": Record("the table", {
        "characters": ListOf("all characters of the game", Word("a character", "characters", example="queen"), short=_WORDS),
    }),
    "kingdoms/*.yaml": Record("a player", {"name": Text("the name", example="Alice's house", most=60)}),
}  # fmt: skip
