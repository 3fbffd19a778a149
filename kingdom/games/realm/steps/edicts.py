"""Edict phase, steps 1 and 7: the leadership bonus, the levels of the maintenance edicts, the move of the capital."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.sheet import led
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.land.losing import extra_unrest
from kingdom.games.realm.steps.shared import attempt, book, each, listed, orders_of, with_unrest
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.types import Turn

CAUSES = {
    "leadership": "the leadership bonus, as it is assigned and as the kingdom's size lets it grow",
    "holiday": "another level of the holiday edict",
    "promotion": "another level of the promotion edict",
    "taxation": "another level of the taxation edict",
    "capital_move": "the capital moved",
}
REFUSALS = {
    "capital_unknown": (
        "{name} is no settlement of this kingdom (ruling capital_move); name one of yours: {settlements}."
    ),
    "capital_already": "{name} is the capital already (ruling capital_move); name another settlement or leave the order out.",
}


def leadership_bonus(world: World, turn: Turn) -> World:
    """Edict step 1: take the size that caps and bonus go by this turn, and assign the bonus.

    Rulings: caps_at_start, leadership_default.
    """
    return each(world, turn, _led)


def _led(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    named = tuple(dict.fromkeys(order for _, order in listed(orders_of(turn, seat, kingdom), "leadership")))
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


def edict_levels(world: World, turn: Turn) -> World:
    """Edict step 7: a category that is not named keeps its level."""
    return each(world, turn, _levels)


def _levels(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    named = orders_of(turn, seat, kingdom).get("edicts", {})
    for category in EDICTS:
        old = getattr(kingdom, category)
        new = named.get(category, old)
        if new != old:
            kingdom = replace(kingdom, **{category: new})
            book(turn, seat, kingdom, world.hexes, category, f"{category} {new} instead of {old}")
    return kingdom


def capital_move(world: World, turn: Turn) -> World:
    """Edict step 7: a Stability check says how much Unrest the move costs; it moves either way. Ruling: capital_move."""
    return each(world, turn, _move)


def move_problem(kingdom: Kingdom, name: str) -> Refusal | None:
    """Why the capital can't move there."""
    if name not in kingdom.settlements:
        return Refusal("capital_unknown", {"name": name, "settlements": _list(kingdom.settlements) or "none stands"})
    if name == kingdom.capital:
        return Refusal("capital_already", {"name": name})
    return None


def _move(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    orders = orders_of(turn, seat, kingdom)
    named = orders.get("capital")
    if not named or _named_in_step_2(kingdom, world, orders):
        return kingdom
    name = settlement_named(kingdom, named) or named
    refusal = move_problem(kingdom, name)
    if refusal:
        turn.refuse(seat, "capital", refusal.code, **refusal.facts)
        return kingdom
    old, ruling = kingdom.capital, turn.rules.capital_move
    extra = extra_unrest(kingdom, kingdom.settlements[name].hex)
    check = attempt(turn, seat, kingdom, world.hexes, "stability", "capital_move", extra_unrest=extra)
    unrest: int | None = ruling.success_unrest
    moved = f"from {old or 'nowhere'} to {name}"
    if not check.success:
        unrest = turn.roll(seat, "capital_move", ruling.failure_die)
        moved += f", Unrest {unrest} (d{ruling.failure_die})" if unrest else ""
    kingdom = with_unrest(replace(kingdom, capital=name), unrest or 0, turn.number, turn.rules)
    book(turn, seat, kingdom, world.hexes, "capital_move", f"{moved} (ruling capital_move)")
    turn.tell(
        seat, "news", text=f"{name} is the capital now, instead of {old}." if old else f"{name} is the capital now."
    )
    return kingdom


def _named_in_step_2(kingdom: Kingdom, world: World, orders: Orders) -> bool:
    """Whether the order only named the next capital for a settlement that was abandoned. Ruling: abandon."""
    if not kingdom.capital or settlement_named(kingdom, orders["capital"]) != kingdom.capital:
        return False
    gone = [label for _, label in listed(orders, "abandon") if label not in kingdom.hexes and label in world.hexes]
    return any(world.hexes[label].free_city for label in gone)


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)
