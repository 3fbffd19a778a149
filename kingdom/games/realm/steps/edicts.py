"""Edict phase, steps 1 and 7: the leadership bonus; special edicts, issued and paid in the order listed, and aid, which is rolled for.

Rulings: leadership_bonus, special_edicts, send_aid.
"""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.games.realm.orders.aid import AID, Sent, received
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.orders.special import SPECIAL
from kingdom.games.realm.sheet import led
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.shared import book, each, listed, orders_of
from kingdom.games.realm.types import Turn

CAUSES = {"leadership": "the leadership bonus, as it is assigned and as the kingdom's size lets it grow"}


def leadership_bonus(world: World, turn: Turn) -> World:
    """Edict step 1: take the size that caps and bonus go by this turn, and assign the bonus.

    Rulings: caps_at_start, leadership_default.
    """
    return each(world, turn, _led)


def _led(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    named = tuple(
        dict.fromkeys(order for _, order in listed(orders_of(turn, seat, kingdom).get("leadership"), "leadership"))
    )
    chosen, before = named or kingdom.leadership, kingdom
    if len(kingdom.hexes) != kingdom.edict_size or chosen != kingdom.leadership:
        kingdom = replace(kingdom, edict_size=len(kingdom.hexes), leadership=chosen)
    bonus_to = led(kingdom, turn.rules)
    left_out = [name for name in named if name not in bonus_to]
    if left_out:
        text = (
            f"The leadership bonus goes to {_list(bonus_to)}, not to {_list(left_out)}: the kingdom is not large enough"
        )
        turn.tell(seat, "changed", order="leadership", text=f"{text} (ruling leadership_default).")
    if kingdom is not before:
        book(turn, seat, kingdom, world.hexes, "leadership", f"to {_list(bonus_to)}, size {kingdom.edict_size}")
    return kingdom


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)


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
