"""The special edicts, in the order in which forms and reports list them, and their step. Rulings: special_edicts, send_aid."""

from collections.abc import Mapping
from typing import Any, Final

from kingdom.games.realm.orders.adventurers import ADVENTURERS
from kingdom.games.realm.orders.aid import AID, Sent, received
from kingdom.games.realm.orders.explore import EXPLORE
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.orders.special_edict import Edict
from kingdom.games.realm.orders.trade_routes import CLOSE_ROUTE, SHARE_ROUTE, TRADE_ROUTE
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.shared import listed, orders_of
from kingdom.games.realm.types import Turn
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


def special_edicts(world: World, turn: Turn) -> World:
    """Edict step 7: every kingdom issues and pays its special edicts, then all aid is rolled for and handed over.

    One step over the whole world: sizes and borders are the same for all. Rulings: special_edicts, send_aid.
    """
    sent: list[Sent] = []
    changed: dict[str, Kingdom] = {}
    for seat, kingdom in world.kingdoms.items():
        orders = [] if kingdom.destroyed else listed(orders_of(turn, seat, kingdom).get("special"), "special")
        now = Now(world, seat, turn.rules, turn.foreseeing, turn.before)
        for path, order in orders:
            state, done = SPECIAL[order["edict"]].tried(now, turn, path, order)
            now = now._replace(state=state)
            sent += [Sent(path, seat, order["to"], order["attribute"])] if done and order["edict"] == AID.word else []
        changed |= {seat: now.state.kingdoms[seat]} if orders else {}
    for seat, modifiers in received(sent, with_kingdoms(world, changed), turn).items():
        kingdom = changed.get(seat, world.kingdoms[seat])
        changed[seat] = replace(kingdom, coming=kingdom.coming + tuple(modifiers))
    return with_kingdoms(world, changed)
