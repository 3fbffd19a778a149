"""What the tables of Cardinal's Guards may say. The figures stand in data/*.yaml and nowhere else."""

# Without `from __future__ import annotations`: types that are texts cost more in every program that reads tables.

from typing import Annotated, Literal

from msgspec import Meta, Struct

from kingdom.games.cardinals_guards.state import COINS, HOLE, POSTS, RANKS, SIDES, SUITS, TILES
from kingdom.games.kit.tables import Count, Natural, Ruling

_SIDE = len(POSTS) // len(SIDES)


class Scoring(Ruling, frozen=True, forbid_unknown_fields=True):
    chamber: Count  # each that is searched
    escaped: Count  # each musketeer
    guard: Count  # each defeated


class Search(Ruling, frozen=True, forbid_unknown_fields=True):
    pass_through_counts: bool


class ZeroLength(Ruling, frozen=True, forbid_unknown_fields=True):
    stop: bool  # a musketeer may be stopped by the guard that he stands beside


class TunnelRemoval(Ruling, frozen=True, forbid_unknown_fields=True):
    when: Literal["after_emerging", "before_choosing"]


class Variants(Ruling, frozen=True, forbid_unknown_fields=True):
    own_suit_removal: bool
    no_recruiting: bool


class Pace(Ruling, frozen=True, forbid_unknown_fields=True):
    turns: Annotated[int, Meta(ge=1, le=999)]  # most turns of a deal
    deals: Natural


class Layout(Ruling, frozen=True, forbid_unknown_fields=True):
    """tiles: rows from north to south, empty for a deal by the dice. west, east: from north to south; north, south: from west to east."""

    tiles: tuple[str, ...] = ()
    north: str = ""
    east: str = ""
    south: str = ""
    west: str = ""
    supply: str = ""

    def __post_init__(self) -> None:
        if not self.given:
            return
        rows = [row.split() for row in self.tiles]
        if [len(row) for row in rows] != [_SIDE] * _SIDE or rows[_SIDE // 2][_SIDE // 2] != "--":
            raise ValueError(f"`tiles` are {_SIDE} rows of {_SIDE} tiles, with -- in the middle ({HOLE})")
        laid = sorted(tile for row in rows for tile in row if tile != "--")
        if laid != sorted(TILES):
            raise ValueError(f"each tile lies once: {SUITS[0]}0 to {SUITS[-1]}{RANKS[-1]}, {len(TILES)} in all")
        if any(len(side) != _SIDE for side in (self.north, self.east, self.south, self.west)):
            raise ValueError(f"each side has {_SIDE} guards")
        if sorted(self.north + self.east + self.south + self.west + self.supply) != sorted(COINS):
            raise ValueError(f"perimeter and supply together are {len(RANKS)} coins of each suit")

    @property
    def given(self) -> bool:
        """Whether the campaign gives the first castle itself."""
        return bool(self.tiles)


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """All rulings; each field is the first key of an override in campaign.yaml."""

    pieces: Ruling
    one_per_edge: Ruling
    layout: Layout
    open_cards: Ruling
    sequence: Ruling
    slide: Ruling
    search: Search
    out_of_order: Ruling
    perimeter_guards: Ruling
    castle_guards: Ruling
    corner_guards: Ruling
    zero_length: ZeroLength
    recruiting: Ruling
    luring: Ruling
    supply: Ruling
    leaving: Ruling
    killed: Ruling
    tunnel: Ruling
    tunnel_shut: Ruling
    emerging: Ruling
    beside_guards: Ruling
    tunnel_removal: TunnelRemoval
    variants: Variants
    finishing: Ruling
    scoring: Scoring
    maximum: Ruling
    pace: Pace
    same_deal: Ruling
    continue_from: Ruling
    missing: Ruling
    contest: Ruling
