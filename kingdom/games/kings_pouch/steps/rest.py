"""The rest phase: what is left is donated, the board is cleaned up, new citizens are drawn, the building is finished."""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import NOBODY, Citizens, Table, Turn, replace, standing_on, with_player
from kingdom.games.kings_pouch.steps import (
    booked,
    counted,
    drawn,
    joined,
    orders_of,
    purse_of,
    scored,
    tell,
    with_purse,
)
from kingdom.games.kings_pouch.steps.rounds import acting

CAUSES = {
    "donation": "gold and army left at the end of a turn",
    "prestige_bonus": "prestige for an order card that was not turned over",
}
REFRESHED_FIRST = ("merchant", "soldier", "cleric", "common")  # where the orders do not say it; corrupt officials stay


def rest(table: Table, turn: Turn) -> Table:
    """The third phase of a turn, in the order of the rules."""
    return next((rested(table, turn, seat) for seat in acting(turn)), table)


def rested(table: Table, turn: Turn, seat: str) -> Table:
    """The table behind the rest phase of the seat."""
    wishes = orders_of(turn, seat).get("rest") or {}
    table = _donated(table, turn, seat)
    if not table.seats[seat].taxed and turn.rules.tax.prestige:
        tell(turn, seat, f"collected no tax: {turn.rules.tax.prestige} prestige.")
        table = scored(turn, table, seat, turn.rules.tax.prestige, "prestige_bonus", "no tax was collected")
    lord = table.seats[seat]
    table = with_player(table, seat, active=NOBODY, placed=(), rest=lord.active + lord.rest + standing_on(lord.placed))
    table = _refreshed(table, turn, seat, wishes)
    table, kinds = drawn(table, turn, seat, draws(table, seat, wishes, turn.rules), "active", wishes.get("draw") or ())
    people = joined((f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)), "nobody")
    tell(turn, seat, f"draws {people}, and has {table.seats[seat].prestige} prestige now.")
    if wishes:
        turn.tell(seat, "used", order="rest")
    return _finished(replace(table, purse=None), turn, seat)


def draws(table: Table, seat: str, wishes: Orders, rules: Rules) -> int:
    """How many citizens the seat draws; one more with the palace, where it likes to (ruling palace_draw)."""
    palace = table.territories.get(rules.map.palace)
    wants = wishes.get("palace_draw", True) or not rules.palace_draw.optional
    return rules.draw.palace if palace and palace.owner == seat and wants else rules.draw.usual


def _donated(table: Table, turn: Turn, seat: str) -> Table:
    purse = purse_of(table)
    if not (left := purse.gold + purse.army):
        return table
    by, given = left * turn.rules.donation.prestige, f"{purse.gold} gold and {purse.army} army"
    table = booked(turn, with_purse(table, gold=0, army=0), seat, "donation", f"{given} given away")
    tell(turn, seat, f"donates {given}: {by} prestige.")
    return scored(turn, table, seat, by, "donation", given)


def _refreshed(table: Table, turn: Turn, seat: str, wishes: Orders) -> Table:
    """Citizens of the rest area back into the pouch, as far as buildings let them (rulings full_refresh, numbered_refresh)."""
    purse, lord = purse_of(table), table.seats[seat]
    if purse.refresh_all and wishes.get("refresh_all", True):
        back = lord.rest if turn.rules.full_refresh.corrupt else replace(lord.rest, corrupt=0)
    else:
        back = chosen(lord.rest, purse.refresh, wishes.get("refresh"))
    if not back.count:
        return table
    left = Citizens(*(getattr(lord.rest, kind) - getattr(back, kind) for kind in Citizens.__struct_fields__))
    tell(turn, seat, f"returns {counted(back.count, 'citizen')} to the pouch.")
    return with_player(table, seat, rest=left, pouch=lord.pouch + back)


def chosen(rest: Citizens, count: int, kinds: Sequence[str] | None) -> Citizens:
    """The citizens that go back with a refresh of that many, by the kinds in this order."""
    back = NOBODY
    for kind in REFRESHED_FIRST if kinds is None else dict.fromkeys(kinds):
        back = back.plus(kind, min(getattr(rest, kind), count - back.count))
    return back


def _finished(table: Table, turn: Turn, seat: str) -> Table:
    lord = table.seats[seat]
    if not lord.site:
        return table
    tell(turn, seat, f"finishes: {turn.rules.buildings[lord.site].name}.")
    return with_player(table, seat, site="", buildings=(*lord.buildings, lord.site))
