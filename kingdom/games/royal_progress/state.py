"""The table as it lies: seats, courtiers with their piles, decks, the King. Cards are texts: "bishop 2", "titles 3"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, TypeAlias

from msgspec import Struct
from msgspec.structs import replace as replace

from kingdom.engine import step
from kingdom.games.kit.table import Player, TableState
from kingdom.games.kit.table import with_player as with_player
from kingdom.games.royal_progress.rules import Rules
from kingdom.orders.kit import order

UNKNOWN = "?"  # stands for a card that a seat does not see
DISCARD, PLAY, OVER = "discard", "play", "over"  # what the next turn is for
SCORING = "scoring"  # inside a turn that ends a round: its turns at the table are over


class Seat(Player, frozen=True, kw_only=True):
    """A player. seen: the cards of the hand that everybody saw come. standing: the preferences filed last."""

    ACCOUNTS: ClassVar = (
        "points",
        "gifts",
        "crowns",
        "influence",
        "hand",
        "laid",
        "control",
        "minor_control",
        "king_card",
    )
    hand: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    gifts: tuple[str, ...] = ()
    points: int = 0
    standing: dict[str, Any] = {}


class Courtier(Struct, frozen=True):
    """A courtier. arrived: his position at court, from 1; 0 on the road. control, minor: seats, "" for none.

    used: whether his ability was used in this spell of control. piles: seat -> the symbols of its cards, the open one first.
    """

    place: str
    arrived: int = 0
    control: str = ""
    minor: str = ""
    used: bool = False
    piles: dict[str, tuple[int, ...]] = {}


class Table(TableState[Seat], frozen=True, kw_only=True):
    """The state after a turn. seats: clockwise. castles: in the order of the rounds, of which the first is round 1.

    phase: what the next turn is for. king: where his counter stands. king_card: the seat that holds it. next: the seat whose
    turn at the table is next. deck, gift_deck: in order of name, cards are drawn by a die. discards: of influence cards.
    gone: gift cards that left the game.
    """

    courtiers: dict[str, Courtier]
    castles: tuple[str, ...] = ()
    round: int = 1
    phase: str = DISCARD
    king: int = 0
    king_card: str = ""
    next: str = ""
    deck: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    offer: tuple[str, ...] = ()
    pairs: tuple[tuple[str, ...], ...] = ()
    singles: tuple[str, ...] = ()
    gift_deck: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


Turn: TypeAlias = step.Turn[Table, Rules]
Result: TypeAlias = step.Result[Table]
Now: TypeAlias = order.Now[Table, Rules]


def castle(table: Table) -> str:
    """The castle of the round."""
    return table.castles[table.round - 1] if table.castles else ""


def suit(card: str) -> str:
    """The suit of an influence card, the type of a gift."""
    return card.partition(" ")[0]


def figure(card: str) -> int:
    """The symbols on an influence card, the crowns on a gift."""
    return int(card.rpartition(" ")[2])


def with_courtier(table: Table, name: str, **other: object) -> Table:
    """The table with other fields of that courtier."""
    return replace(table, courtiers={**table.courtiers, name: replace(table.courtiers[name], **other)})


def with_gifts(table: Table, seat: str, *gifts: str) -> Table:
    """The table after the seat got these gifts."""
    return with_player(table, seat, gifts=tuple(sorted((*table.seats[seat].gifts, *gifts))))


def at_court(table: Table) -> list[str]:
    """The courtiers at court, in the order in which they arrived."""
    there = [name for name, courtier in table.courtiers.items() if courtier.arrived]
    return sorted(there, key=lambda name: table.courtiers[name].arrived)


def value(pile: tuple[int, ...]) -> int:
    """What a pile is worth: its cards, and the symbols of the open one."""
    return len(pile) + pile[0] if pile else 0


def known_cards(cards: Iterable[str]) -> list[str]:
    """The cards that are not hidden."""
    return [card for card in cards if card != UNKNOWN]


def hidden(table: Table, seat: str) -> Table:
    """What a seat may know: everything but the cards in the decks, others' standing preferences, and the cards of their hands that they did not take openly."""
    seats = dict(table.seats)
    for other, of in seats.items():
        if other != seat:
            unseen = (UNKNOWN,) * (len(of.hand) - len(of.seen))
            seats[other] = replace(of, hand=(*of.seen, *unseen), standing={})
    return replace(table, seats=seats, deck=(UNKNOWN,) * len(table.deck), gift_deck=(UNKNOWN,) * len(table.gift_deck))
