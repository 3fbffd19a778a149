"""The closed vocabulary of the tables and rulings of Royal Progress; the figures stand in data/*.yaml alone."""

# Without `from __future__ import annotations`: types that are texts cost time in every program that reads tables.

from typing import Annotated, Literal

from msgspec import Meta, Struct

from kingdom.games.kit.tables import Count, Natural, Ruling

Ability = Literal["ride", "clear_inns", "blessing", "purse", "seal", "patronage", "whisper", "mischief"]
Degree = Annotated[int, Meta(ge=-18000, le=18000)]


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A place of the map. capacity: of courtiers, 0: any number. north, east: in hundredths of a degree."""

    name: str
    kind: Literal["home", "village", "castle", "london"]
    capacity: Count
    north: Degree
    east: Degree


class Suit(Struct, frozen=True, forbid_unknown_fields=True):
    """A courtier: his home, and his ability, for the seat that controls him."""

    home: Annotated[str, Meta(extra={"of": ("places",)})]
    ability: Ability
    text: str


class Gifts(Struct, frozen=True, forbid_unknown_fields=True):
    """The gift cards. crowns: on the cards of each type."""

    types: tuple[str, ...]
    crowns: tuple[Count, ...]


class Track(Struct, frozen=True, forbid_unknown_fields=True):
    """The King's track. It begins at the number of players."""

    end: Natural


class Positions(Struct, frozen=True, forbid_unknown_fields=True):
    """The points of a round's positions."""

    first: Count
    second: Count
    third: Count


class Pace(Ruling, frozen=True):
    """How a round is cut into turns. everybody: each seat has a turn of the table in one turn of the campaign."""

    everybody: bool


class Box(Ruling, frozen=True):
    """What is laid out, and how many may play. influence: the symbols on the cards of each suit."""

    least_players: Natural
    most_players: Natural
    influence: tuple[Count, ...]
    dealt: Natural
    given_back: Count
    offer: Natural
    pairs: Count
    singles: Count
    arrivals: Natural


class Points(Ruling, frozen=True):
    """What is scored beside the positions."""

    kings_company: Count
    control: Count


class Allowed(Ruling, frozen=True):
    """Whether what the ruling is about is allowed."""

    allowed: bool


class OtherCastles(Ruling, frozen=True):
    """Whether castles other than the round's can be entered."""

    enterable: bool


class Ties(Ruling, frozen=True):
    """How many points fewer a shared position scores."""

    less: Count


class Discard(Ruling, frozen=True):
    """Whether players who share the first position discard."""

    discard: bool


class Payout(Ruling, frozen=True):
    """Whether courtiers on the road score."""

    on_the_road: bool


class Choice(Ruling, frozen=True):
    """What decides between gifts of equally preferred types."""

    then: Literal["most_crowns", "fewest_crowns", "leftmost"]


class Used(Ruling, frozen=True):
    """Whether abilities are played."""

    used: bool


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of Royal Progress."""

    places: dict[str, Place]
    roads: tuple[tuple[str, ...], ...]
    courtiers: dict[str, Suit]
    gifts: Gifts
    track: Track
    box: Box
    pace: Literal["lap", "strict"]
    paces: dict[str, Pace]
    positions: tuple[Positions, ...]
    points: Points
    two_actions: Ruling
    move: Ruling
    lay: Ruling
    take: Ruling
    discard: Ruling
    control: Ruling
    loyalty_test: Ruling
    cards_at_court: Allowed
    fresh_pile: Ruling
    tied_control: Ruling
    no_controller: Ruling
    empty_pile: Ruling
    equal_moves: Allowed
    other_castles: OtherCastles
    ties: Ties
    tied_firsts_discard: Discard
    hand_limit: Ruling
    loyalty_nothing: Ruling
    short_refill: Ruling
    ability_timing: Ruling
    most_influence: Ruling
    control_payout: Payout
    round_ends: Ruling
    king_card: Ruling
    track_end: Ruling
    absent_choice: Choice
    abilities: Used
    passing: Ruling
    over_capacity: Ruling
    plans: Ruling
    plan_broken: Ruling
    preferred_card: Ruling
    drawn_card: Ruling
    opening_discard: Ruling
    missing_plan: Ruling
    forced_discard: Ruling
    loyalty_choice: Ruling
    none_held: Ruling
    rarest_type: Ruling
    draws: Ruling


HOUSE = ("places", "roads", "courtiers", "gifts", "track")  # tables that are house data
