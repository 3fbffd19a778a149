"""Words of orders that are no names of the rules, the lists of names that a campaign has, and the shapes that stand in several orders."""

from functools import partial
from typing import Final, Literal, TypeAlias

from kingdom.games.kit.common_orders import seat
from kingdom.games.realm.rules.types import ATTRIBUTES
from kingdom.orders.schema import Label, ListOf, Text, Word

BORDERS: Final = ("north", "east", "south", "west")
HEXES, SETTLEMENTS, ARMIES, ROUTES, QUESTIONS = (
    "hexes",
    "settlements",
    "armies",
    "routes",
    "questions",
)  # what a campaign has
ARMY_DEEDS: Final = ("garrison", "patrol", "blockade", "raid", "attack", "allow", "clear")

Border: TypeAlias = Literal["north", "east", "south", "west"]
ArmyDeed: TypeAlias = Literal["garrison", "patrol", "blockade", "raid", "attack", "allow", "clear"]

LONG: Final = 4000  # characters of a text to other people
KIND_N = r"[a-z_]{1,40}-[1-9]\d{0,3}"  # what a report names: trade_route-2
WATER = ListOf("its borders that are water", Word("a border", BORDERS), short="words", most=len(BORDERS))
IMPROVEMENT = Word("the improvement", "improvements", ("prepare",), example="farm")
WAY = ListOf("the way, hex by hex", Label("a hex on the way", offered=HEXES), short="words", most=100)

a_hex = partial(Label, offered=HEXES)
a_settlement = partial(Text, example="Oakhold", most=60, offered=SETTLEMENTS)
an_army = partial(Text, example="First Foot", most=60, offered=ARMIES)
a_kingdom = partial(seat, example="borderia")


def an_attribute(meaning: str) -> Word:
    """Return the shape of one of the three attributes."""
    return Word(meaning, ATTRIBUTES)
