"""What a player and the GM may order, declared once."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.games.kit.common_orders import FOOT, FOOT_ADDS, REASON, gm_orders, messages, seat, turn
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.steps.actions import DISCARD, DRAWN, LAY, MOVE, TAKE
from kingdom.games.royal_progress.steps.preferences import ANY, DISCARDS, EXTRA_MOVES, THEN
from kingdom.orders.schema import Either, Flag, ListOf, Number, OneOf, Record, Shape, Word

_MOST = 99


def names(rules: Rules) -> Mapping[str, tuple[str, ...]]:
    """The closed lists that orders name. The seats are added by whoever reads."""
    return {
        "courtiers": tuple(rules.courtiers),
        "places": tuple(rules.places),
        "movables": (*rules.courtiers, *rules.places),
        "types": rules.gifts.types,
    }


def _courtier(meaning: str, *also: str) -> Word:
    return Word(meaning, "courtiers", also=also, example="bishop")


_PLACE = Word("a place", "places", example="tonbridge")
_SYMBOLS = Number("the symbols on the card", 0, _MOST, 3)
_CARD = Either("a card", (Word("the card that was drawn", (DRAWN,), example="3"), _SYMBOLS))
_ONE_CARD = Record(
    "a card on one of them",
    {"courtier": _courtier("on whom"), "card": _SYMBOLS},
    required=("courtier", "card"),
    short=("{courtier} {card}",),
)
_WISH = Either(
    "a wish",
    (
        Word("any card", (ANY,), example=ANY),
        Record(
            "what the card must be",
            {
                "suit": _courtier("its suit"),
                "card": Number("exactly this many symbols", 0, _MOST, 3),
                "min": Number("at least this many symbols", 0, _MOST, 2),
                "max": Number("at most this many symbols", 0, _MOST, 0),
                "suit_in_hand": Word("the suit that the hand has most or least of", ("most", "least")),
            },
            short=(
                "{suit}",
                "{suit}-{card}",
                "{suit} {card}",
                "at least {min}",
                "at most {max}",
                "{suit_in_hand} in hand",
            ),
        ),
    ),
)
_PREFER = ListOf("which open card to take, the first wish first", _WISH, short="words", most=30)

_ACTION = OneOf("an action", {
    MOVE: Record("a courtier moved one place", {
        "courtier": _courtier("whom"),
        "to": _PLACE,
    }, required=("courtier", "to"), short=("{courtier} to {to}",)),
    LAY: Record("cards laid on one courtier, or one on each of two", {
        "courtier": _courtier("on whom", DRAWN),
        "cards": ListOf("the symbols on the cards, the first one open on a new pile", _CARD, short="words", least=1, most=20),
        "each": ListOf("a card on each of two", _ONE_CARD, short="commas", pairs=("courtier", "card"), most=8),
    }, short=("{courtier} {cards}", "each {each}")),
    TAKE: Record("an open card taken, or two where none shows a symbol", {
        "prefer": _PREFER,
        "two": Flag("whether two are to be taken, where that is possible"),
    }, short=("", "{prefer}")),
    DISCARD: Record("an own open card discarded", {"courtier": _courtier("on whom")}, required=("courtier",), short=("{courtier}",)),
}, by="do")  # fmt: skip

_ABILITY = Record("the ability of a courtier whom you control", {
    "use": _courtier("whose"),
    "move": ListOf("whom to move, and where to", Word("a courtier, then a place", "movables", example="jester"), short="words", most=2),
    "courtier": _courtier("on whom"),
    "card": Either("which card", (Word("the card that was drawn", (DRAWN,), example="3"), _SYMBOLS)),
    "of": seat("whose card"),
    "prefer": _PREFER,
}, required=("use",), short=("{use}", "{use} moves {move}", "{use} takes {prefer}", "{use} {courtier} of {of}", "{use} {courtier} {card}"))  # fmt: skip

_PREFER_TYPES = ListOf(
    "types of gifts, the one liked best first", Word("a type", "types", example="titles"), short="words", most=20
)
_GIFT: dict[str, Shape] = {"prefer_types": _PREFER_TYPES, "then": Word("what decides next", THEN)}
_KEEP = ListOf("whose cards to part with last", _courtier("a courtier"), short="words", most=20)
STANDING = Record("what holds in every turn, until it is said otherwise", {
    "pair": Record("which pair of gifts", _GIFT),
    "single": Record("which single gift", _GIFT),
    "forced_discard": Record("which open card goes where one must", {"keep": _KEEP, "from": Word("which goes first", DISCARDS)}),
    "loyalty": Record("what is done in a loyalty test", {
        "discard": Word("which open card goes", DISCARDS),
        "keep": _KEEP,
        "extra_move": Word("whom to move", EXTRA_MOVES),
    }),
    "no_plan": Record("what is done where no plan is legal", {
        "do": ListOf("two actions", Word("an action", (TAKE, DISCARD)), short="words", least=2, most=2),
        "prefer": _PREFER,
    }),
})  # fmt: skip

MOST_PLANS = 50

ORDERS = Record("the orders of a turn", {
    "kingdom": seat("whose orders these are"),
    "turn": turn(),
    "discard": ListOf("the dealt card to give back, in the first turn", Record("a card", {
        "suit": _courtier("its suit"),
        "card": _SYMBOLS,
    }, required=("suit", "card"), short=("{suit} {card}",)), short="commas", most=10),
    "plans": ListOf("what to do in the turn at the table; the first plan that is legal then is carried out", Record("a plan", {
        "ability": _ABILITY,
        "actions": ListOf("two actions, not back in the alphabet", _ACTION, short="commas", most=10),
    }, required=("actions",)), most=MOST_PLANS),
    "standing": STANDING,
    "messages": messages("Leave me the bishop?"),
    **FOOT,
}, required=("kingdom", "turn"), adds=("messages", *FOOT_ADDS))  # fmt: skip

GM_ORDERS = gm_orders(Record("points given or taken", {
    "grant": seat("to whom"),
    "points": Number("how many, negative to take them", -_MOST, _MOST, 1),
    "reason": REASON,
}, required=("grant", "points", "reason")), void="plans[0]")  # fmt: skip
