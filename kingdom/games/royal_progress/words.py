"""What a player and the GM may order: the words that orders use, and the types of orders, each key annotated with its shape."""

from __future__ import annotations

from typing import Annotated, Final, Literal, NotRequired, TypeAlias, TypedDict

from kingdom.games.kit.common_orders import seat
from kingdom.games.royal_progress.rules import Rules
from kingdom.orders import kit
from kingdom.orders.schema import Either, Flag, ListOf, Number, OneOf, Word

_MOST = 99
MOVE: Final = "a"
LAY: Final = "b"
TAKE: Final = "c"
DISCARD: Final = "d"
ANY: Final = "any"
DRAWN: Final = "drawn"  # the card that an ability drew; the courtier of its suit
DISCARDS = LOWEST, HIGHEST, SMALLEST, LARGEST = ("lowest_symbols", "highest_symbols", "smallest_pile", "largest_pile")
EXTRA_MOVES = NEAREST_OWN, FARTHEST_OWN, NEAREST_MINOR, NEAREST_ANY, NONE = (
    "nearest_own", "farthest_own", "nearest_minor", "nearest_any", "none",
)  # fmt: skip
THEN = MOST_CROWNS, FEWEST_CROWNS, LEFTMOST = ("most_crowns", "fewest_crowns", "leftmost")


def names(rules: Rules) -> dict[str, list[str]]:
    """The closed lists that orders name. The seats are added by whoever reads."""
    return {
        "courtiers": [*rules.courtiers],
        "places": [*rules.places],
        "movables": [*rules.courtiers, *rules.places],
        "types": [*rules.gifts.types],
    }


def _courtier(meaning: str, *also: str) -> Word:
    return Word(meaning, "courtiers", also=also, example="bishop")


_SYMBOLS = Number("the symbols on the card", 0, _MOST, 3)


def _symbols(meaning: str) -> Either:
    return Either(meaning, (Word("the card that was drawn", (DRAWN,), example="3"), _SYMBOLS))


# --- cards and wishes for one


class Card(TypedDict):
    """A card that was dealt."""

    suit: Annotated[str, _courtier("its suit")]
    card: Annotated[int, _SYMBOLS]


CARD = kit.record(Card, "a card", short=("{suit} {card}",))


class OneCard(TypedDict):
    """A card on one of two courtiers."""

    courtier: Annotated[str, _courtier("on whom")]
    card: Annotated[int, _SYMBOLS]


class WishedCard(TypedDict, total=False):
    """What an open card must be."""

    suit: Annotated[str, _courtier("its suit")]
    card: Annotated[int, Number("exactly this many symbols", 0, _MOST, 3)]
    min: Annotated[int, Number("at least this many symbols", 0, _MOST, 2)]
    max: Annotated[int, Number("at most this many symbols", 0, _MOST, 0)]
    suit_in_hand: Annotated[Literal["most", "least"], Word("the suit that the hand has most or least of", ("most", "least"))]  # fmt: skip


Wish: TypeAlias = WishedCard | Literal["any"]  # "any" is ANY
_WISH = Either("a wish", (Word("any card", (ANY,), example=ANY), kit.record(WishedCard, "what the card must be", short=(
    "{suit}", "{suit}-{card}", "{suit} {card}", "at least {min}", "at most {max}", "{suit_in_hand} in hand",
))))  # fmt: skip
_PREFER = ListOf("which open card to take, the first wish first", _WISH, short="words", most=30)

_CARDS = ListOf("the symbols on the cards, the first one open on a new pile", _symbols("a card"), short="words", least=1, most=20)  # fmt: skip
_EACH = ListOf("a card on each of two", kit.record(OneCard, "a card on one of them", short=("{courtier} {card}",)),
               short="commas", pairs=("courtier", "card"), most=8)  # fmt: skip
_MOVED = ListOf("whom to move, and where to", Word("a courtier, then a place", "movables", example="jester"), short="words", most=2)  # fmt: skip


# --- plans


class MoveForm(TypedDict):
    """A courtier moved one place."""

    do: Annotated[Literal["a"], None]
    courtier: Annotated[str, _courtier("whom")]
    to: Annotated[str, Word("a place", "places", example="tonbridge")]


class LayForm(TypedDict):
    """Cards laid on one courtier, or one on each of two."""

    do: Annotated[Literal["b"], None]
    courtier: NotRequired[Annotated[str, _courtier("on whom", DRAWN)]]
    cards: NotRequired[Annotated[list[Literal["drawn"] | int], _CARDS]]
    each: NotRequired[Annotated[list[OneCard], _EACH]]


class TakeForm(TypedDict):
    """An open card taken, or two where none shows a symbol."""

    do: Annotated[Literal["c"], None]
    prefer: NotRequired[Annotated[list[Wish], _PREFER]]
    two: NotRequired[Annotated[bool, Flag("whether two are to be taken, where that is possible")]]


class DiscardForm(TypedDict):
    """An own open card discarded."""

    do: Annotated[Literal["d"], None]
    courtier: Annotated[str, _courtier("on whom")]


ActionForm: TypeAlias = MoveForm | LayForm | TakeForm | DiscardForm
ACTION = OneOf("an action", {
    MOVE: kit.record(MoveForm, "a courtier moved one place", short=("{courtier} to {to}",)),
    LAY: kit.record(LayForm, "cards laid on one courtier, or one on each of two", short=("{courtier} {cards}", "each {each}")),
    TAKE: kit.record(TakeForm, "an open card taken, or two where none shows a symbol", short=("", "{prefer}")),
    DISCARD: kit.record(DiscardForm, "an own open card discarded", short=("{courtier}",)),
}, by="do")  # fmt: skip


class AbilityForm(TypedDict):
    """The use of the ability of a courtier whom the seat controls."""

    use: Annotated[str, _courtier("whose")]
    move: NotRequired[Annotated[list[str], _MOVED]]
    courtier: NotRequired[Annotated[str, _courtier("on whom")]]
    card: NotRequired[Annotated[Literal["drawn"] | int, _symbols("which card")]]
    of: NotRequired[Annotated[str, seat("whose card")]]
    prefer: NotRequired[Annotated[list[Wish], _PREFER]]


ABILITY_SHAPE = kit.record(AbilityForm, "the ability of a courtier whom you control", short=(
    "{use}", "{use} moves {move}", "{use} takes {prefer}", "{use} {courtier} of {of}", "{use} {courtier} {card}",
))  # fmt: skip


ACTIONS = ListOf("two actions, not back in the alphabet", ACTION, short="commas", most=10)


class PlanForm(TypedDict):
    """An ability, if any, and two actions."""

    ability: NotRequired[Annotated[AbilityForm, ABILITY_SHAPE]]
    actions: Annotated[list[ActionForm], ACTIONS]


# --- standing preferences


_KEEP = ListOf("whose cards to part with last", _courtier("a courtier"), short="words", most=20)
_TYPE = Word("a type", "types", example="titles")
_TYPES = ListOf("types of gifts, the one liked best first", _TYPE, short="words", most=20)
_TWO = ListOf("two actions", Word("an action", (TAKE, DISCARD)), short="words", least=2, most=2)


class Gift(TypedDict, total=False):
    """Which gift to pick."""

    prefer_types: Annotated[list[str], _TYPES]
    then: Annotated[str, Word("what decides next", THEN)]


ForcedDiscard = TypedDict("ForcedDiscard", {
    "keep": Annotated[list[str], _KEEP],
    "from": Annotated[str, Word("which goes first", DISCARDS)],
}, total=False)  # fmt: skip


class Loyalty(TypedDict, total=False):
    """What is done in a loyalty test."""

    discard: Annotated[str, Word("which open card goes", DISCARDS)]
    keep: Annotated[list[str], _KEEP]
    extra_move: Annotated[str, Word("whom to move", EXTRA_MOVES)]


class NoPlan(TypedDict, total=False):
    """What is done if no plan is legal."""

    do: Annotated[list[Literal["c", "d"]], _TWO]
    prefer: Annotated[list[Wish], _PREFER]


class Standing(TypedDict, total=False):
    """What holds in every turn, until it is said otherwise."""

    pair: Annotated[Gift, kit.record(Gift, "which pair of gifts")]
    single: Annotated[Gift, kit.record(Gift, "which single gift")]
    forced_discard: Annotated[ForcedDiscard, kit.record(ForcedDiscard, "which open card goes where one must")]
    loyalty: Annotated[Loyalty, kit.record(Loyalty, "what is done in a loyalty test")]
    no_plan: Annotated[NoPlan, kit.record(NoPlan, "what is done where no plan is legal")]
