"""The steps of a turn, a module for each subject; here is what all steps use: accounts, booking, telling, prestige, prices, the pouch.

game.py has the order of the steps, with a reason for each position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kingdom.engine.step import Orders
from kingdom.games.kings_pouch import state
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Citizens, Lord, Purse, Table, Turn, on_characters, replace, with_player
from kingdom.games.kings_pouch.steps.land import discounted
from kingdom.games.kit.common_orders import ALL as ALL
from kingdom.render.plain_text import counted as counted
from kingdom.render.plain_text import joined as joined

CAUSES = {
    "no_citizen": "prestige lost because no corrupt official was left to take",
    "refill": "a corrupt official for a pouch that was filled up",
}


def accounts(table: Table, seat: str, rules: Rules | None = None) -> dict[str, int]:
    """What is counted of a seat. citizens: all kinds, in every area. territories, characters: markers there. markers: in hand."""
    lord, purse = table.seats[seat], table.purse if table.purse and table.purse.seat == seat else Purse(seat)
    citizens = lord.citizens
    return {
        "prestige": lord.prestige,
        "gold": purse.gold,
        "army": purse.army,
        "citizens": citizens.count,
        **{kind: getattr(citizens, kind) for kind in state.KINDS},
        "buildings": len(lord.buildings) + (1 if lord.site else 0),
        "territories": state.on_territories(table, seat),
        "characters": on_characters(table, seat),
        "markers": lord.markers,
    }


def changed(before: Table, after: Table, seat: str, rules: Rules) -> dict[str, int]:
    """Account of the seat -> how much it changed; accounts that did not change are left out."""
    then = accounts(after, seat, rules)
    return {account: by for account, held in accounts(before, seat, rules).items() if (by := then[account] - held)}


def costs(changed: Mapping[str, int]) -> dict[str, int]:
    """Account -> how much was taken of it."""
    return {account: -by for account, by in changed.items() if by < 0}


def booked(turn: Turn, table: Table, seat: str, cause: str, detail: str) -> Table:
    """Book what `cause` changed in the seat's accounts, and return the table."""
    turn.book(seat, accounts(table, seat), cause, detail)
    return table


def scored(turn: Turn, table: Table, seat: str, by: int, cause: str, detail: str) -> Table:
    """Add prestige. The marker goes on top of the stack on its new space (ruling stack_order)."""
    if not by:
        return table
    top = table.serial + 1
    table = replace(with_player(table, seat, prestige=table.seats[seat].prestige + by, stamp=top), serial=top)
    return booked(turn, table, seat, cause, detail)


def given(table: Table, seat: str, area: str, kind: str, by: int = 1) -> Table:
    """Move citizens from the pool to an area of the seat; a negative number moves them back."""
    lord = table.seats[seat]
    table = with_player(table, seat, **{area: getattr(lord, area).plus(kind, by)})
    return replace(table, pool=table.pool.plus(kind, -by))


def corrupted(turn: Turn, table: Table, seat: str, area: str, cause: str, detail: str) -> Table:
    """The seat takes a corrupt official, or loses prestige if the pool has none (ruling no_citizen)."""
    if table.pool.corrupt:
        return booked(turn, given(table, seat, area, "corrupt"), seat, cause, detail)
    none = f"{detail}, and none is in the pool (ruling no_citizen)"
    return scored(turn, table, seat, -turn.rules.no_citizen.prestige, "no_citizen", none)


def one_corrupt(table: Table, rules: Rules) -> str:
    """What happens to a player who must take a corrupt official, for a sentence (ruling no_citizen)."""
    if table.pool.corrupt:
        return "takes a corrupt official"
    return f"loses {rules.no_citizen.prestige} prestige, as the pool has no corrupt official (ruling no_citizen)"


def tell(turn: Turn, seat: str, text: str) -> None:
    """Tell everybody what that seat did; `seat` is "" if the text is about the whole table."""
    turn.tell(ALL, "happened", text=f"{seat} {text}" if seat else text)


def passed(turn: Turn, seat: str, path: str, text: str) -> None:
    """Tell only this seat why its order was not carried out as written."""
    turn.tell(seat, "passed", order=path, text=text)


def orders_of(turn: Turn, seat: str) -> Orders:
    """The seat's orders; an empty map if it filed none."""
    return turn.orders.get(seat) or {}


def said(word: str) -> str:
    """A word of the tables as people write it: a territory in capitals, others with spaces."""
    return word.upper() if len(word) == 2 else word.replace("_", " ")


def at_top(lords: Mapping[str, Lord]) -> tuple[str, ...]:
    """The seats by prestige, the most first. Of several on one space the marker that lies higher comes first (ruling stack_order)."""
    return tuple(sorted(lords, key=lambda seat: (-lords[seat].prestige, -lords[seat].stamp)))


# --- what the active seat has only until its turn ends, and what an action costs it


def purse_of(table: Table) -> Purse:
    """Gold and army of the seat whose turn it is."""
    assert table.purse is not None
    return table.purse


def price(table: Table, kind: str, cost: int, rules: Rules) -> int:
    """What an action costs: nothing if a free action of its kind is left, else the cost less the discounts."""
    purse = purse_of(table)
    return 0 if _is_free(purse, kind, rules) else discounted(cost, kind, purse, rules)


def paid(table: Table, kind: str, cost: int, rules: Rules) -> Table:
    """Pay for an action. A free action of its kind is used up first (ruling free_action)."""
    purse, coin = purse_of(table), "army" if kind == "occupy" else "gold"
    if _is_free(purse, kind, rules):
        return with_purse(table, free={**purse.free, kind: purse.free[kind] - 1}, freed=(*purse.freed, kind))
    return with_purse(table, **{coin: getattr(purse, coin) - discounted(cost, kind, purse, rules)})


def _is_free(purse: Purse, kind: str, rules: Rules) -> bool:
    return bool(purse.free.get(kind, 0)) and not (rules.free_action.per == "round" and kind in purse.freed)


def with_purse(table: Table, **changes: object) -> Table:
    """Return the table with these fields of the purse changed."""
    return replace(table, purse=replace(purse_of(table), **changes))


# --- the pouch: drawing from it by shape, and filling it up when it is empty


def drawn(table: Table, turn: Turn, seat: str, count: int, area: str, wishes: Sequence[str]) -> tuple[Table, list[str]]:
    """Draw that many citizens into an area, each of the wished shape if one is left. Return the table and the kinds that were drawn.

    If the turn is only foreseen the drawing stops at the first piece that a die would decide.
    """
    kinds: list[str] = []
    for index in range(count):
        if not table.seats[seat].pouch.count:
            table = filled_up(table, turn, seat)
        lord = table.seats[seat]
        if not lord.pouch.count:
            break  # ruling no_citizen
        wished = wishes[min(index, len(wishes) - 1)] if wishes else "cube"
        first, other = sorted(state.SHAPES, key=lambda shape: shape != wished)
        there = any(getattr(lord.pouch, kind) for kind in state.SHAPES[first])
        kind = _piece(lord.pouch, turn, seat, first if there else other)
        if kind is None:
            break
        kinds.append(kind)
        table = with_player(table, seat, **{"pouch": lord.pouch.plus(kind, -1), area: getattr(lord, area).plus(kind)})
    return table, kinds


def _piece(pouch: Citizens, turn: Turn, seat: str, shape: str) -> str | None:
    """A piece of that shape. If the pouch has several kinds of it a die decides."""
    pieces = [kind for kind in state.SHAPES[shape] for _ in range(getattr(pouch, kind))]
    if len({*pieces}) == 1:
        return pieces[0]
    face = turn.roll(seat, "draw", len(pieces))
    return None if face is None else pieces[face - 1]


def filled_up(table: Table, turn: Turn, seat: str) -> Table:
    """A corrupt official and the whole rest area go into the empty pouch."""
    lord = table.seats[seat]
    back = f"; {counted(lord.rest.count, 'citizen')} of the rest area in the pouch again" if lord.rest.count else ""
    tell(turn, seat, f"has an empty pouch and {one_corrupt(table, turn.rules)}{back}.")
    table = corrupted(turn, table, seat, "pouch", "refill", "a corrupt official, as the pouch was empty")
    lord = table.seats[seat]
    return with_player(table, seat, pouch=lord.pouch + lord.rest, rest=state.NOBODY)
