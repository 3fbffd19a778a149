"""The table as it lies: citizens in pool, pouches and areas, cards in piles, markers on territories and characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace as replace

PRISMS = ("common", "corrupt")
CUBES = ("soldier", "merchant", "cleric")
KINDS = (*PRISMS, *CUBES)
SHAPES = {"prism": PRISMS, "cube": CUBES}
COLOURS = ("red", "yellow", "green")
AREAS = ("active", "rest")
MIXED = "mixed"  # the one pile of the variant of all colours


class Citizens(Struct, frozen=True):
    """How many citizens there are of each kind."""

    common: int = 0
    corrupt: int = 0
    soldier: int = 0
    merchant: int = 0
    cleric: int = 0


NOBODY = Citizens()


class Placed(Struct, frozen=True):
    """A citizen on a building. slot: from 1; 0 and no citizen for a building without slots that was used."""

    building: str
    slot: int = 0
    citizen: str = ""


class Purse(Struct, frozen=True):
    """What exists inside a turn alone, of the seat whose turn it is. discount, free: by kind of action.

    refresh: of a number, each; refresh_all: how often of the whole rest area. freed: free actions done, by kind.
    """

    seat: str
    gold: int = 0
    army: int = 0
    discount: dict[str, int] = {}
    free: dict[str, int] = {}
    freed: tuple[str, ...] = ()
    refresh: int = 0
    refresh_all: int = 0


class Marked(Struct, frozen=True):
    """A territory or character that somebody's markers lie on."""

    owner: str
    markers: int = 1


class Lord(Struct, frozen=True):
    """A player. stamp: when the prestige marker moved last, later is higher. markers: in hand.

    buildings: finished ones, as they stand. site: the card that lies face down, "" for none. taxed: the order card is turned over.
    attacked: the castles that were attacked this round.
    """

    name: str
    prestige: int = 0
    stamp: int = 0
    active: Citizens = NOBODY
    rest: Citizens = NOBODY
    pouch: Citizens = NOBODY
    placed: tuple[Placed, ...] = ()
    buildings: tuple[str, ...] = ()
    site: str = ""
    taxed: bool = False
    markers: int = 0
    castle: str = ""
    attacked: tuple[str, ...] = ()


class Table(Struct, frozen=True):
    """The state after a turn.

    round: 0 while castles are chosen, then the round to be played next. order: the seats in turn order of that round.
    acted: how many of them had their turn. serial: the last stamp of a prestige marker. decks: by colour, the next card first.
    display: cards that can be built. territories: those with markers. characters: of this game, in the order of the table.
    councils: held so far. over: all rounds are scored. ended: why the GM ended it, "" where not.
    """

    turn: int
    lords: dict[str, Lord]
    pool: Citizens
    decks: dict[str, tuple[str, ...]]
    order: tuple[str, ...] = ()
    round: int = 0
    acted: int = 0
    serial: int = 0
    display: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    territories: dict[str, Marked] = {}
    characters: tuple[str, ...] = ()
    claimed: dict[str, Marked] = {}
    councils: int = 0
    purse: Purse | None = None
    over: bool = False
    ended: str = ""


def plus(citizens: Citizens, kind: str, by: int = 1) -> Citizens:
    """That many more of that kind, or fewer."""
    return replace(citizens, **{kind: getattr(citizens, kind) + by})


def together(*areas: Citizens) -> Citizens:
    """The citizens of several areas."""
    common = corrupt = soldier = merchant = cleric = 0
    for area in areas:
        common += area.common
        corrupt += area.corrupt
        soldier += area.soldier
        merchant += area.merchant
        cleric += area.cleric
    return Citizens(common, corrupt, soldier, merchant, cleric)


def count_of(citizens: Citizens) -> int:
    """How many they are."""
    return citizens.common + citizens.corrupt + citizens.soldier + citizens.merchant + citizens.cleric


def each_of(citizens: Citizens) -> Iterator[tuple[str, int]]:
    """(kind, how many) of the kinds that are there."""
    return ((kind, count) for kind in KINDS if (count := getattr(citizens, kind)))


def standing_on(placed: tuple[Placed, ...]) -> Citizens:
    """The citizens on buildings."""
    citizens = NOBODY
    for place in placed:
        if place.citizen:
            citizens = plus(citizens, place.citizen)
    return citizens


def all_of(lord: Lord) -> Citizens:
    """Every citizen of a player."""
    if not lord.placed:
        return together(lord.active, lord.rest, lord.pouch)
    return together(lord.active, lord.rest, lord.pouch, standing_on(lord.placed))


def with_lord(table: Table, seat: str, **changes: Any) -> Table:
    """The table with that player changed."""
    return replace(table, lords={**table.lords, seat: replace(table.lords[seat], **changes)})


def is_over(table: Table) -> bool:
    """Whether no turn comes any more."""
    return table.over or bool(table.ended)


def on_characters(table: Table, seat: str) -> int:
    """How many markers of the seat lie on characters."""
    return sum([marked.markers for marked in table.claimed.values() if marked.owner == seat])


def on_territories(table: Table, seat: str) -> int:
    """How many markers of the seat lie on territories, the castle not counted."""
    return sum([marked.markers for marked in table.territories.values() if marked.owner == seat])
