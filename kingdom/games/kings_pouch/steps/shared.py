"""What every step does alike: accounts, booking, telling, gaining prestige, taking from the pool."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import (
    Lord,
    Purse,
    Table,
    all_of,
    count_of,
    on_characters,
    on_territories,
    plus,
    replace,
    with_lord,
)
from kingdom.games.kings_pouch.types import Turn
from kingdom.games.shared.common_orders import ALL as ALL
from kingdom.games.shared.common_orders import listed as listed
from kingdom.games.shared.memo import FEW, Memo
from kingdom.games.shared.words import joined as joined

ACCOUNTS = (
    "prestige", "gold", "army", "citizens", "common", "corrupt", "soldier", "merchant", "cleric",
    "buildings", "territories", "characters", "markers",
)  # fmt: skip
CAUSES = {"no_citizen": "prestige lost because no corrupt official was left to take"}


_COUNTED: Memo[dict[str, int]] = Memo(FEW)  # most steps move nothing of most seats


def accounts(table: Table, seat: str, rules: Rules | None = None) -> dict[str, int]:
    """What is counted of a seat. citizens: all kinds, in every area. territories, characters: markers there. markers: in hand."""
    purse = table.purse if table.purse and table.purse.seat == seat else None
    lord = table.lords[seat]
    key = seat, id(lord), id(table.territories), id(table.claimed), id(purse)
    known: dict[str, int] | None = _COUNTED.get(key)
    if known is None:
        known = _accounts(table, seat, lord, purse)
        _COUNTED.put(key, (lord, table.territories, table.claimed, purse), known)
    return known


def _accounts(table: Table, seat: str, lord: Lord, purse: Purse | None) -> dict[str, int]:
    citizens = all_of(lord)
    return {
        "prestige": lord.prestige,
        "gold": purse.gold if purse else 0,
        "army": purse.army if purse else 0,
        "citizens": count_of(citizens),
        "common": citizens.common,
        "corrupt": citizens.corrupt,
        "soldier": citizens.soldier,
        "merchant": citizens.merchant,
        "cleric": citizens.cleric,
        "buildings": len(lord.buildings) + (1 if lord.site else 0),
        "territories": on_territories(table, seat),
        "characters": on_characters(table, seat),
        "markers": lord.markers,
    }


def booked(turn: Turn, table: Table, seat: str, cause: str, detail: str) -> Table:
    """The table, and what `cause` made of the seat's accounts booked."""
    turn.book(seat, accounts(table, seat), cause, detail)
    return table


def scored(turn: Turn, table: Table, seat: str, by: int, cause: str, detail: str) -> Table:
    """So much more prestige; the marker goes on top of the stack where it comes (ruling stack_order)."""
    if not by:
        return table
    table = replace(
        with_lord(table, seat, prestige=table.lords[seat].prestige + by, stamp=table.serial + 1),
        serial=table.serial + 1,
    )
    return booked(turn, table, seat, cause, detail)


def given(table: Table, seat: str, area: str, kind: str, by: int = 1) -> Table:
    """The table with citizens moved from the pool to an area of the seat; of a negative number back."""
    lord = table.lords[seat]
    table = with_lord(table, seat, **{area: plus(getattr(lord, area), kind, by)})
    return replace(table, pool=plus(table.pool, kind, -by))


def corrupted(turn: Turn, table: Table, seat: str, area: str, cause: str, detail: str) -> Table:
    """One corrupt official more for the seat, or where there is none prestige lost (ruling no_citizen)."""
    if table.pool.corrupt:
        return booked(turn, given(table, seat, area, "corrupt"), seat, cause, detail)
    return scored(
        turn,
        table,
        seat,
        -turn.rules.no_citizen.prestige,
        "no_citizen",
        f"{detail}, and none is in the pool (ruling no_citizen)",
    )


def one_corrupt(table: Table, rules: Rules) -> str:
    """What becomes of who must take a corrupt official, for a sentence (ruling no_citizen)."""
    if table.pool.corrupt:
        return "takes a corrupt official"
    return f"loses {rules.no_citizen.prestige} prestige, as the pool has no corrupt official (ruling no_citizen)"


def tell(turn: Turn, seat: str, text: str) -> None:
    """Tell everybody what that seat did; `seat` is "" where it is about the whole table."""
    turn.tell(ALL, "happened", of=seat, text=text)


def passed(turn: Turn, seat: str, path: str, text: str) -> None:
    """Tell a seat alone why an order of its was not carried out as it stands."""
    turn.tell(seat, "passed", order=path, text=text)


def used(turn: Turn, seat: str, path: str, text: str = "") -> None:
    """Note that this order of the seat's was carried out."""
    turn.tell(seat, "used", order=path, text=text)


def orders_of(turn: Turn, seat: str) -> Orders:
    """What the seat ordered; nothing where it filed nothing."""
    return turn.orders.get(seat) or {}


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 marker", "2 markers"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def said(word: str) -> str:
    """A word of the tables as people write it: a territory in capitals, others with spaces."""
    return word.upper() if len(word) == 2 else word.replace("_", " ")


def at_top(lords: Mapping[str, Lord]) -> tuple[str, ...]:
    """The seats by prestige; on the same space whose marker lies higher (ruling stack_order)."""
    return tuple(sorted(lords, key=lambda seat: (-lords[seat].prestige, -lords[seat].stamp)))
