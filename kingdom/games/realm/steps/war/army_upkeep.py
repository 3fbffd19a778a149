"""Upkeep: what armies suffer and recover. Rulings: army_upkeep, reserves, army_figures."""

from __future__ import annotations

from kingdom.games.realm.armies import acr, counts, escorts, full_hp, with_army, without_army, without_room
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, Kingdom, World, replace
from kingdom.games.realm.steps.shared import Check, attempt, book, each
from kingdom.games.realm.types import Turn

CAUSES = {
    "army_upkeep": "what the Upkeep made of an army",
}


def keep_armies(world: World, turn: Turn) -> World:
    """After Consumption: unpaid armies lose morale, rested ones recover, routed ones may take courage again. An army away with
    an expedition is left out until it is back, as nobody hears of it before.

    Rolls, each for an army in that hex: `rest-LABEL`, `courage-LABEL`, `cure-LABEL`. Ruling: army_upkeep.
    """
    return each(world, turn, _keep) if turn.rules.army_upkeep and turn.rules.battle_order else world


def _keep(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    if not kingdom.armies:
        return kingdom
    kingdom = _paid(seat, kingdom, world, turn)
    kingdom = _gone_home(seat, kingdom, world, turn)
    kingdom = _reserves(seat, kingdom, world, turn)
    for keep in (_settled, _rested, _takes_courage, _cured):
        for name, army in kingdom.armies.items():
            after = army if escorts(kingdom, name) else keep(name, army, seat, kingdom, world, turn)
            if after is not army:
                kingdom = with_army(kingdom, name, after)
    return kingdom


# --- pay


def _paid(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    """With a treasury below 0 the armies whose Consumption was due are not paid; else all are. What battles added to their
    Consumption ends."""
    short = kingdom.treasury < 0
    armies = {}
    for name, army in kingdom.armies.items():
        after = (
            _caught_up(name, army, seat, turn)
            if not short
            else _not_paid(name, army, seat, turn)
            if counts(army)
            else army
        )
        after = replace(after, fed=0) if after.fed else after
        if after is not army:
            armies[name] = after
    if not armies:
        return kingdom
    kingdom = replace(kingdom, armies=kingdom.armies | armies)
    return book(turn, seat, kingdom, world.hexes, "army_upkeep", "what battles added to Consumption is over")


def _not_paid(name: str, army: Army, seat: str, turn: Turn) -> Army:
    if army.unpaid:
        return replace(army, unpaid=army.unpaid + 1)
    by = in_force(turn.rules.army_upkeep).unpaid
    turn.tell(seat, "news", text=f"{name} is not paid: morale {by:+d} until it is (ruling army_upkeep).")
    return replace(army, unpaid=1, morale=army.morale + by)


def _caught_up(name: str, army: Army, seat: str, turn: Turn) -> Army:
    if not army.unpaid:
        return army
    by = -in_force(turn.rules.army_upkeep).unpaid
    turn.tell(seat, "news", text=f"{name} has all its pay: morale {by:+d} (ruling army_upkeep).")
    return replace(army, unpaid=0, morale=min(army.morale + by, in_force(turn.rules.battle_order).most_morale))


def _gone_home(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    """Armies without any morale disband; what they had is lost."""
    for name, army in kingdom.armies.items():
        if army.morale <= in_force(turn.rules.battle_order).disbands_at:
            kingdom = without_army(kingdom, name)
            detail = f"{name} went home, its morale is {army.morale} (ruling army_upkeep)"
            book(turn, seat, kingdom, world.hexes, "army_upkeep", detail)
            turn.tell(seat, "news", hex=army.hex, text=f"{detail}.")
    return kingdom


def _reserves(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    """Count the turns that armies in reserve have paid in advance, and end the reserve of those without room. Ruling:
    reserves."""
    homeless = without_room(kingdom, turn.rules)
    for name, army in kingdom.armies.items():
        if name in homeless:
            kingdom = with_army(kingdom, name, replace(army, reserve=False, paid=0))
            detail = f"{name} has no room in {army.hex} any more and is out of reserve (ruling reserves)"
            turn.tell(seat, "news", hex=army.hex, text=f"{detail}.")
        elif army.reserve:
            left = in_force(turn.rules.army_figures).reserve_every - 1 if counts(army) else army.paid - 1
            kingdom = with_army(kingdom, name, replace(army, paid=left))
            detail = (
                f"{name} in reserve, "
                + (f"paid for {left} more turns" if left else "its Consumption is due")
                + " (ruling reserves)"
            )
        else:
            continue
        book(turn, seat, kingdom, world.hexes, "reserve", detail)
    return kingdom


# --- recovery


def _settled(name: str, army: Army, seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Army:
    """A recruited army can march from the next turn on. Ruling: muster."""
    return replace(army, mustered=False) if army.mustered else army


def _rested(name: str, army: Army, seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Army:
    """An army that neither moved nor fought gains hit points, more with a Loyalty check, and all of them after several such
    turns."""
    if army.busy:
        return replace(army, busy=False, rested=0)
    ruling, full = in_force(turn.rules.army_upkeep), full_hp(army, turn.rules)
    army = replace(army, rested=min(army.rested + 1, ruling.whole))
    if army.hp >= full:
        return army
    gain = max(ruling.least, int(ruling.rest * acr(army.unit, army.size, turn.rules)))
    hp = full if army.rested == ruling.whole else min(full, army.hp + gain)
    if hp < full and _check("loyalty", "rest", army, seat, kingdom, world, turn).success:
        hp = min(full, hp + gain)
    turn.tell(seat, "news", hex=army.hex, text=f"{name} rests: {hp} of {full} hit points (ruling army_upkeep).")
    return replace(army, hp=hp)


def _takes_courage(name: str, army: Army, seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Army:
    """A routed army begins no fight until a Loyalty check succeeds."""
    if not army.routed or not _check("loyalty", "courage", army, seat, kingdom, world, turn).success:
        return army
    turn.tell(seat, "news", hex=army.hex, text=f"{name} has taken courage again (ruling army_upkeep).")
    return replace(army, routed=False)


def _cured(name: str, army: Army, seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Army:
    """A Stability check cures an ill army; a failed one lets the illness grow."""
    if not army.illness:
        return army
    check = _check("stability", "cure", army, seat, kingdom, world, turn)
    if check.success is None:
        return army
    if check.success:
        turn.tell(seat, "news", hex=army.hex, text=f"{name} is cured of its illness (ruling army_upkeep).")
        return replace(army, illness=0)
    illness = army.illness + in_force(turn.rules.army_upkeep).illness
    turn.tell(seat, "news", hex=army.hex, text=f"{name} is still ill: {-illness:+d} to OM and DV (ruling army_upkeep).")
    return replace(army, illness=illness)


def _check(attribute: str, what: str, army: Army, seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Check:
    """Make a check about an army; the roll is named after the army's hex."""
    return attempt(turn, seat, kingdom, world.hexes, attribute, f"{what}-{army.hex}")
