"""The GM's orders that make a campaign what it would be had an earlier turn gone right: land, what was found, accounts.

What they can't make (buildings, armies, events) they leave; whoever asks compares the sheets and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kingdom.engine.game import Corrections, GmOrder, Tried
from kingdom.games.realm.orders.rulings import ACCOUNTS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import World, owners, replace

_DUE = "a hex is lost at the start of the coming turn, for the Unrest that there was; give it back in the turn after"


def correction(today: World, right: World, rules: Rules, reason: str, tried: Tried[World]) -> Corrections:
    """(the orders of the coming turn, each with that reason; seat -> what is due that no order stops and no sheet shows).

    right: the world as it would be today. Land comes first, for it moves accounts; then each account that still differs.
    """
    seats = [seat for seat in right.kingdoms if _in_play(today, seat) and _in_play(right, seat)]
    orders: list[GmOrder] = []
    for step in (_taken, _given, _revealed):
        now, _ = tried(orders)
        orders = _legal(
            [*orders, *({**order, "reason": reason} for seat in seats for order in step(seat, now, right))], tried
        )
    for seat in seats:
        for account in ACCOUNTS:
            orders = _with_account(orders, seat, account, right, rules, reason, tried)
    now, _ = tried(orders)
    return orders, {
        seat: [_DUE] for seat in seats if now.kingdoms[seat].loses_hex and not right.kingdoms[seat].loses_hex
    }


def _in_play(world: World, seat: str) -> bool:
    return seat in world.kingdoms and not world.kingdoms[seat].destroyed


def _taken(seat: str, now: World, right: World) -> Iterator[GmOrder]:
    held = right.kingdoms[seat].hexes
    yield from ({"take": label, "from": seat} for label in sorted(now.kingdoms[seat].hexes) if label not in held)


def _given(seat: str, now: World, right: World) -> Iterator[GmOrder]:
    held = owners(now)
    yield from ({"give": label, "to": seat} for label in sorted(right.kingdoms[seat].hexes) if label not in held)


def _revealed(seat: str, now: World, right: World) -> Iterator[GmOrder]:
    known = now.kingdoms[seat].revealed
    yield from ({"reveal": label, "to": seat} for label in right.kingdoms[seat].revealed if label not in known)


def _legal(orders: list[GmOrder], tried: Tried[World]) -> list[GmOrder]:
    """Those of the orders that are not refused."""
    _, refused = tried(orders)
    return [order for number, order in enumerate(orders) if number not in refused]


def _with_account(
    orders: list[GmOrder], seat: str, account: str, right: World, rules: Rules, reason: str, tried: Tried[World]
) -> list[GmOrder]:
    """The orders with one more where the account would else not be what it would be today: a grant, or where a floor or an
    anarchy stands against that, a setting; the same where neither does it."""
    now, _ = tried(orders)
    want, have = lasting(right, seat, rules)[account], lasting(now, seat, rules)[account]
    if want == have and _anarchy(now, seat) == _anarchy(right, seat):
        return orders
    grant = {"grant": seat, "account": account, "by": want - have, "reason": reason}
    setting = {"set": seat, "account": account, "to": want, "reason": reason}
    for order in (grant, setting) if want != have else (setting,) if account == "unrest" else ():
        after, refused = tried([*orders, order])
        same = lasting(after, seat, rules)[account] == want and (
            account != "unrest" or _anarchy(after, seat) == _anarchy(right, seat)
        )
        if same and not refused:
            return [*orders, order]
    return orders


def _anarchy(world: World, seat: str) -> bool:
    """Whether the coming turn is, by this world, one of anarchy."""
    return world.kingdoms[seat].anarchy > world.turn


def lasting(world: World, seat: str, rules: Rules) -> Mapping[str, int]:
    """The accounts without what holds for a while alone: what is lent for a turn, and what an event does while it stands."""
    kingdom = world.kingdoms[seat]
    stays = tuple(each for each in kingdom.modifiers if each.lasting and not each.event)
    return accounts(replace(kingdom, modifiers=stays), world.hexes, rules)
