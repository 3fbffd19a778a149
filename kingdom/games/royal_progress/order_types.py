"""The orders of Royal Progress in the long form, as types. Made by `scripts/retype` from orders.py; change that, not this.

A type is named for the keys that lead to it: `BuildUpgrade` is an upgrade under `build`. A list is as its seat filed it; where the
GM made an order void, None stands in its place, which `common_orders.listed` leaves out.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict


class Discard(TypedDict):
    """A card."""

    suit: str  # its suit
    card: int  # the symbols on the card


class PlansAbilityPrefer(TypedDict):
    """What the card must be."""

    suit: NotRequired[str]  # its suit
    card: NotRequired[int]  # exactly this many symbols
    min: NotRequired[int]  # at least this many symbols
    max: NotRequired[int]  # at most this many symbols
    suit_in_hand: NotRequired[Literal["most", "least"]]  # the suit that the hand has most or least of


class PlansAbility(TypedDict):
    """The ability of a courtier whom you control."""

    use: str  # whose
    move: NotRequired[list[str]]  # whom to move, and where to
    courtier: NotRequired[str]  # on whom
    card: NotRequired[Literal["drawn"] | int]  # which card
    of: NotRequired[str]  # whose card
    prefer: NotRequired[list[Literal["any"] | PlansAbilityPrefer]]  # which open card to take, the first wish first


class PlansActionsA(TypedDict):
    """A courtier moved one place."""

    do: Literal["a"]  # which of them
    courtier: str  # whom
    to: str  # a place


class PlansActionsBEach(TypedDict):
    """A card on one of them."""

    courtier: str  # on whom
    card: int  # the symbols on the card


class PlansActionsB(TypedDict):
    """Cards laid on one courtier, or one on each of two."""

    do: Literal["b"]  # which of them
    courtier: NotRequired[str]  # on whom
    cards: NotRequired[list[Literal["drawn"] | int]]  # the symbols on the cards, the first one open on a new pile
    each: NotRequired[list[PlansActionsBEach]]  # a card on each of two


class PlansActionsC(TypedDict):
    """An open card taken, or two where none shows a symbol."""

    do: Literal["c"]  # which of them
    prefer: NotRequired[list[Literal["any"] | PlansAbilityPrefer]]  # which open card to take, the first wish first
    two: NotRequired[bool]  # whether two are to be taken, where that is possible


class PlansActionsD(TypedDict):
    """An own open card discarded."""

    do: Literal["d"]  # which of them
    courtier: str  # on whom


PlansActions: TypeAlias = PlansActionsA | PlansActionsB | PlansActionsC | PlansActionsD


class Plans(TypedDict):
    """A plan."""

    ability: NotRequired[PlansAbility]  # the ability of a courtier whom you control
    actions: list[PlansActions]  # two actions, not back in the alphabet


class StandingPair(TypedDict):
    """Which pair of gifts."""

    prefer_types: NotRequired[list[str]]  # types of gifts, the one liked best first
    then: NotRequired[Literal["most_crowns", "fewest_crowns", "leftmost"]]  # what decides next


StandingForcedDiscard = TypedDict(  # Which open card goes where one must
    "StandingForcedDiscard",
    {
        "keep": NotRequired[list[str]],  # whose cards to part with last
        "from": NotRequired[
            Literal["lowest_symbols", "highest_symbols", "smallest_pile", "largest_pile"]
        ],  # which goes first
    },
)


class StandingLoyalty(TypedDict):
    """What is done in a loyalty test."""

    discard: NotRequired[
        Literal["lowest_symbols", "highest_symbols", "smallest_pile", "largest_pile"]
    ]  # which open card goes
    keep: NotRequired[list[str]]  # whose cards to part with last
    extra_move: NotRequired[
        Literal["nearest_own", "farthest_own", "nearest_minor", "nearest_any", "none"]
    ]  # whom to move


class StandingNoPlan(TypedDict):
    """What is done where no plan is legal."""

    do: NotRequired[list[Literal["c", "d"]]]  # two actions
    prefer: NotRequired[list[Literal["any"] | PlansAbilityPrefer]]  # which open card to take, the first wish first


class Standing(TypedDict):
    """What holds in every turn, until it is said otherwise."""

    pair: NotRequired[StandingPair]  # which pair of gifts
    single: NotRequired[StandingPair]  # which single gift
    forced_discard: NotRequired[StandingForcedDiscard]  # which open card goes where one must
    loyalty: NotRequired[StandingLoyalty]  # what is done in a loyalty test
    no_plan: NotRequired[StandingNoPlan]  # what is done where no plan is legal


class Messages(TypedDict):
    """A message."""

    to: str  # to whom
    text: str  # the text


class Orders(TypedDict):
    """The orders of a turn."""

    kingdom: str  # whose orders these are
    turn: int  # the turn that they are for
    discard: NotRequired[list[Discard]]  # the dealt card to give back, in the first turn
    plans: NotRequired[
        list[Plans]
    ]  # what to do in the turn at the table; the first plan that is legal then is carried out
    standing: NotRequired[Standing]  # what holds in every turn, until it is said otherwise
    messages: NotRequired[list[Messages]]  # messages
    amend: NotRequired[bool]  # whether this is added to what is filed
    final: NotRequired[bool]  # whether you are done
    token: NotRequired[str]  # the word that proves who you are


class GmGrant(TypedDict):
    """Points given or taken."""

    grant: str  # to whom
    points: int  # how many, negative to take them
    reason: str  # the reason


class GmVoidVoid(TypedDict):
    """The order."""

    kingdom: str  # whose order
    order: str  # its path


class GmVoid(TypedDict):
    """An order that does not count."""

    void: GmVoidVoid  # the order
    reason: str  # the reason


class GmFinish(TypedDict):
    """The end of the campaign."""

    finish: Literal["campaign"]  # what comes to its end
    reason: str  # the reason


Gm: TypeAlias = GmGrant | GmVoid | GmFinish


class GmOrders(TypedDict):
    """The GM's orders of a turn."""

    kingdom: NotRequired[Literal["gm"]]  # whose orders these are
    turn: int  # the turn that they are for
    gm: NotRequired[list[Gm]]  # the GM's rulings
    tell: NotRequired[list[Messages]]  # what the GM tells
    amend: NotRequired[bool]  # whether this is added to what is filed
    token: NotRequired[str]  # the word that proves who you are
