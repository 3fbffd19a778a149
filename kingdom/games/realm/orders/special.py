"""The special edicts, in the order in which forms and reports list them."""

from collections.abc import Mapping
from typing import Any, Final

from kingdom.games.realm.orders.adventurers import ADVENTURERS
from kingdom.games.realm.orders.aid import AID
from kingdom.games.realm.orders.explore import EXPLORE
from kingdom.games.realm.orders.special_edict import Edict
from kingdom.games.realm.orders.trade_routes import CLOSE_ROUTE, SHARE_ROUTE, TRADE_ROUTE
from kingdom.orders.schema import ListOf, OneOf

SPECIAL: Final[Mapping[str, Edict[Any]]] = {
    edict.word: edict for edict in (AID, CLOSE_ROUTE, EXPLORE, ADVENTURERS, TRADE_ROUTE, SHARE_ROUTE)
}
# the list in which they stand
SPECIALS = ListOf(
    "the special edicts",
    OneOf("a special edict", {word: edict.record for word, edict in SPECIAL.items()}, by="edict"),
    short="commas",
)
