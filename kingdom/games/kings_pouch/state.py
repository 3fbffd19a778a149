"""The state of the table: citizens in pool, pouches and areas, cards in piles, markers on territories and characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, TypeAlias

from msgspec import Struct
from msgspec.structs import replace as replace

from kingdom.engine import step
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kit.table import Player, TableState
from kingdom.games.kit.table import with_player as with_player
from kingdom.orders.kit import order

PRISMS = ("common", "corrupt")
CUBES = ("soldier", "merchant", "cleric")
KINDS = (*PRISMS, *CUBES)
SHAPES = {"prism": PRISMS, "cube": CUBES}
COLOURS = ("red", "yellow", "green")
AREAS = ("active", "rest")
MIXED = "mixed"  # the only pile in the variant that mixes all colours


class Citizens(Struct, frozen=True):
    """How many citizens there are of each kind."""

    common: int = 0
    corrupt: int = 0
    soldier: int = 0
    merchant: int = 0
    cleric: int = 0

    @property
    def count(self) -> int:
        """How many there are of all kinds."""
        return self.common + self.corrupt + self.soldier + self.merchant + self.cleric

    def each(self) -> Iterator[tuple[str, int]]:
        """Yield (kind, count) for each kind with at least one citizen."""
        return ((kind, count) for kind in KINDS if (count := getattr(self, kind)))

    def plus(self, kind: str, by: int = 1) -> Citizens:
        """Return the citizens with `by` more of one kind; a negative `by` removes some."""
        return replace(self, **{kind: getattr(self, kind) + by})

    def __add__(self, other: Citizens) -> Citizens:
        return Citizens(*[getattr(self, kind) + getattr(other, kind) for kind in KINDS])


NOBODY = Citizens()


class Placed(Struct, frozen=True):
    """A citizen on a building. slot: from 1. A used building without slots has slot 0 and no citizen."""

    building: str
    slot: int = 0
    citizen: str = ""


class Purse(Struct, frozen=True):
    """What the active seat has only until its turn ends. discount, free: by kind of action.

    refresh: how many citizens it may refresh; refresh_all: how often it may refresh the whole rest area. freed: the kinds of free
    actions that it has taken. may_tax: whether the tax may be collected for a wish that lacks just its gold.
    """

    seat: str
    gold: int = 0
    army: int = 0
    discount: dict[str, int] = {}
    free: dict[str, int] = {}
    freed: tuple[str, ...] = ()
    refresh: int = 0
    refresh_all: int = 0
    may_tax: bool = False


class Marked(Struct, frozen=True):
    """A territory or character that somebody's markers lie on."""

    owner: str
    markers: int = 1


class Lord(Player, frozen=True, kw_only=True):
    """A seat. stamp: when the prestige marker last moved; a later move has a higher stamp. markers: in hand.

    buildings: the finished ones. site: the card that lies face down, "" for none. taxed: whether the order card is turned
    over. attacked: the castles attacked this round.
    """

    ACCOUNTS: ClassVar = (
        "prestige", "gold", "army", "citizens", *KINDS, "buildings", "territories", "characters", "markers",
    )  # fmt: skip
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

    @property
    def citizens(self) -> Citizens:
        """All citizens of the player, wherever they are."""
        return self.active + self.rest + self.pouch + standing_on(self.placed)


class Table(TableState[Lord], frozen=True, kw_only=True, rename={"seats": "lords"}):
    """The state after a turn.

    round: 0 while castles are chosen, then the round to be played next. order: the seats in turn order of that round.
    acted: how many of them have had their turn. serial: the newest stamp of any prestige marker. decks: by colour, the next card first.
    display: cards that can be built. territories: those with markers. characters: of this game, in the order of the table.
    councils: held so far. over: whether all rounds are scored.
    """

    seats: dict[str, Lord]
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

    @property
    def is_over(self) -> bool:
        """Whether the game is over, so that no turn follows."""
        return self.over or bool(self.ended)


Turn: TypeAlias = step.Turn[Table, Rules]
Result: TypeAlias = step.Result[Table]
Now: TypeAlias = order.Now[Table, Rules]


def standing_on(placed: tuple[Placed, ...]) -> Citizens:
    """Return the citizens that stand on buildings."""
    citizens = NOBODY
    for place in placed:
        citizens = citizens.plus(place.citizen) if place.citizen else citizens
    return citizens


def on_characters(table: Table, seat: str) -> int:
    """Return how many markers the seat has on characters."""
    return sum([marked.markers for marked in table.claimed.values() if marked.owner == seat])


def on_territories(table: Table, seat: str) -> int:
    """Return how many markers the seat has on territories, without its castle."""
    return sum([marked.markers for marked in table.territories.values() if marked.owner == seat])
