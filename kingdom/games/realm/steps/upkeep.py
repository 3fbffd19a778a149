"""Upkeep phase: Unrest, Stability, Loyalty, Consumption, and the end of the turn."""

from __future__ import annotations

from collections.abc import Container

from kingdom.engine.dice import GM
from kingdom.games.realm import effects
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.sheet import accounts, raw_consumption
from kingdom.games.realm.state import Kingdom, Modifier, Pending, World, replace
from kingdom.games.realm.steps.land.losing import (
    Loss,
    choose_hex_to_lose,
    hexes_to_lose,
    lose_hexes,
    marked_anew,
    may_be_named,
    out_of_play,
)
from kingdom.games.realm.steps.shared import Check, attempt, book, each, in_anarchy, orders_of, with_unrest
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.known import with_memory

CAUSES = {
    "negative_attribute": "Unrest from an attribute below 0",
    "stability": "what the Stability check of the Upkeep came to",
    "change_minds_by_breaking_heads": "Unrest put down by force, or the Loyalty that it cost",
    "rouse_the_people": "the people roused, or set against their ruler",
    "granary": "what granaries took in or gave out",
    "consumption": "what the kingdom consumed, and Unrest where it could not pay",
    "destroyed": "what ended with a kingdom that is destroyed",
    "anarchy": "what a turn of anarchy ends with: hexes lost, Unrest gone",
}


def modify_unrest(world: World, turn: Turn) -> World:
    """Upkeep step 1: Unrest for each attribute below 0, then the test for a lost hex. Nothing in an anarchy turn.

    Rulings: negative_attribute, hex_loss, anarchy.
    """
    return each(world, turn, _modify_unrest)


def _modify_unrest(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    if in_anarchy(kingdom, turn):
        return kingdom
    rules, numbers = turn.rules, accounts(kingdom, world.hexes, turn.rules)
    for name in ATTRIBUTES:
        if numbers[name] < 0:
            kingdom = with_unrest(kingdom, rules.negative_attribute.unrest, turn.number, rules)
            book(turn, seat, kingdom, world.hexes, "negative_attribute", f"{name.capitalize()} is {numbers[name]}")
    if kingdom.unrest < rules.hex_loss.unrest or not kingdom.hexes:
        return kingdom
    text = f"Unrest is {kingdom.unrest}: a hex is lost at the start of the next turn (ruling hex_loss)."
    turn.tell(seat, "news", text=text)
    return replace(kingdom, loses_hex=True)


def stability_check(world: World, turn: Turn) -> World:
    """Upkeep step 2: success lowers Unrest, or pays BP if there is none; failure adds Unrest. Ruling: stability."""
    return each(world, turn, _stability)


def _stability(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    if not kingdom.hexes:  # ruling no_hexes
        return kingdom
    check = attempt(turn, seat, kingdom, world.hexes, "stability", "stability")
    if check.success is None or in_anarchy(kingdom, turn):
        return kingdom
    ruling = turn.rules.stability
    if check.success and not kingdom.unrest:
        kingdom = replace(kingdom, treasury=kingdom.treasury + ruling.success_bp)
        return book(turn, seat, kingdom, world.hexes, "stability", "a stable kingdom without Unrest")
    by, what = ruling.success_unrest, "success"
    if not check.success:
        by, what = ruling.near_unrest, f"failed by {-check.margin}"
        if check.margin < -ruling.near:
            by = turn.roll(seat, "stability_failure", ruling.far_die) or 0
            what = f"{what}: {by} (d{ruling.far_die})"
    kingdom = with_unrest(kingdom, by, turn.number, turn.rules)
    return book(turn, seat, kingdom, world.hexes, "stability", what)


def loyalty_check(world: World, turn: Turn) -> World:
    """Upkeep step 2, if the kingdom orders it: break heads or rouse the people, only one of them a turn.

    Rulings: change_minds_by_breaking_heads, rouse_the_people.
    """
    return each(world, turn, _loyalty)


def _loyalty(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    named = orders_of(turn, seat, kingdom).get("loyalty", {})
    if not named:
        return kingdom
    what = next(iter(named))  # the shape of the orders allows only one a turn
    check = attempt(turn, seat, kingdom, world.hexes, "loyalty", "loyalty")
    if check.success is None:
        return kingdom
    if what == "rouse_the_people":
        return _roused(seat, kingdom, named["rouse_the_people"], check, world, turn)
    return _heads_broken(seat, kingdom, check, world, turn)


def _heads_broken(seat: str, kingdom: Kingdom, check: Check, world: World, turn: Turn) -> Kingdom:
    ruling, cause = turn.rules.change_minds_by_breaking_heads, "change_minds_by_breaking_heads"
    if not check.success:
        return _coming(seat, kingdom, Modifier("loyalty", ruling.failure_loyalty, cause, "heads broken in vain"), turn)
    by = ruling.clear_unrest if check.margin >= ruling.clear_margin else ruling.success_unrest
    kingdom = with_unrest(kingdom, by, turn.number, turn.rules)
    return book(turn, seat, kingdom, world.hexes, cause, f"success by {check.margin}")


def _roused(seat: str, kingdom: Kingdom, attribute: str, check: Check, world: World, turn: Turn) -> Kingdom:
    ruling, cause = turn.rules.rouse_the_people, "rouse_the_people"
    if check.success:
        by = max(ruling.least, check.margin // ruling.per_margin)
        return _coming(seat, kingdom, Modifier(attribute or ruling.unnamed, by, cause, "the people roused"), turn)
    kingdom = with_unrest(kingdom, ruling.failure_unrest, turn.number, turn.rules)
    return book(turn, seat, kingdom, world.hexes, cause, f"failed by {-check.margin}")


def _coming(seat: str, kingdom: Kingdom, modifier: Modifier, turn: Turn) -> Kingdom:
    text = f"{modifier.text.capitalize()}: {modifier.by:+} to {modifier.account} next turn (ruling {modifier.cause})."
    turn.tell(seat, "news", text=text)
    return replace(kingdom, coming=kingdom.coming + (modifier,))


def pay_consumption(world: World, turn: Turn) -> World:
    """Upkeep step 3: granaries fill or give, the treasury pays Consumption; below 0 afterwards there is Unrest.

    Ruling: consumption.
    """
    return each(world, turn, _pay)


def _pay(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    consumption = accounts(kingdom, world.hexes, turn.rules)["consumption"]
    kingdom, given = _granaries(seat, kingdom, consumption, world, turn)
    if consumption > given:
        kingdom = replace(kingdom, treasury=kingdom.treasury - consumption + given)
        less = f", {given} of it from the granaries" if given else ""
        book(turn, seat, kingdom, world.hexes, "consumption", f"Consumption {consumption}{less}")
    if kingdom.treasury < 0:
        kingdom = with_unrest(kingdom, turn.rules.consumption.unpaid_unrest, turn.number, turn.rules)
        book(turn, seat, kingdom, world.hexes, "consumption", "the treasury is below 0 after paying")
    return kingdom


def _granaries(seat: str, kingdom: Kingdom, consumption: int, world: World, turn: Turn) -> tuple[Kingdom, int]:
    """(the kingdom, the BP that its granaries give). Granaries store what farms save beyond 0, as far as they have room."""
    room = effects.stores_room(kingdom, turn.rules)
    if not room and not kingdom.stores:
        return kingdom, 0
    surplus = max(0, -raw_consumption(kingdom, world.hexes, turn.rules))
    given = min(kingdom.stores, max(0, consumption - max(0, kingdom.treasury)))
    stores = min(room, kingdom.stores + surplus) if not given else kingdom.stores - given
    kingdom = replace(kingdom, stores=stores)
    what = "given out, the treasury can't pay" if given else f"the farms' surplus, room for {room}"
    book(turn, seat, kingdom, world.hexes, "granary", what)
    return kingdom, given


def end_of_turn(world: World, turn: Turn) -> World:
    """The end of the turn: anarchy runs out, a kingdom without land may be destroyed, the next question is asked.

    Rulings: anarchy, no_hexes, hex_loss.
    """
    losses = [
        Loss(seat, label, "anarchy", f"{label}, in anarchy (ruling anarchy)")
        for seat, kingdom in world.kingdoms.items()
        if in_anarchy(kingdom, turn) and not kingdom.destroyed
        for label in hexes_to_lose(kingdom, len(kingdom.hexes) // turn.rules.anarchy.loses_one_in)
    ]
    losses += _without_settlement(world, {(loss.seat, loss.label) for loss in losses})
    for loss in losses:
        turn.tell(loss.seat, "news", hex=loss.label, text=f"Lost: {loss.detail}.")
    world = lose_hexes(world, turn, losses)
    return each(world, turn, _close)


def _without_settlement(world: World, lost: Container[tuple[str, str]]) -> list[Loss]:
    """The losses of kingdoms that are destroyed because they founded no settlement in time. lost: (seat, label) already
    lost."""
    return [
        Loss(seat, label, "destroyed", f"{label}, without a settlement (ruling no_hexes)")
        for seat, kingdom in world.kingdoms.items()
        if kingdom.anew and kingdom.began_empty and not kingdom.settlements and not kingdom.destroyed
        for label in kingdom.hexes
        if (seat, label) not in lost
    ]


def _close(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    if in_anarchy(kingdom, turn):
        kingdom = replace(kingdom, unrest=0)
        book(turn, seat, kingdom, world.hexes, "anarchy", "the ruler regained the people's trust (ruling anarchy)")
        turn.tell(seat, "news", text="The turn of anarchy is over; Unrest is 0 (ruling anarchy).")
    if kingdom.began_empty and not kingdom.hexes:
        lacks = "a settlement" if turn.rules.no_hexes.settle and kingdom.anew else "a hex"
        text = f"{kingdom.name} is destroyed: it began and ended the turn without {lacks} (ruling no_hexes)."
        for reader in (seat, GM):  # a kingdom without land has no neighbours who could notice
            turn.tell(reader, "news", text=text)
        detail = "its armies and what was under way are gone with it (ruling no_hexes)"
        return book(turn, seat, out_of_play(kingdom), world.hexes, "destroyed", detail)
    kingdom = marked_anew(kingdom, turn.rules)
    if kingdom.loses_hex and kingdom.anarchy != turn.number + 1:
        return replace(kingdom, pending=kingdom.pending + (question(kingdom),))
    return kingdom


def remember(world: World, turn: Turn) -> World:
    """The end of a turn: update each kingdom's memory of hexes. A hex that it saw when the turn began and no longer sees is
    remembered as it was then. A hex that it was shown this turn, or held and lost, is remembered as it is now. Hexes in sight
    are not remembered, except for what the kingdom found there. Ruling: vision."""
    if turn.rules.vision is None:
        return world
    return each(world, turn, lambda seat, kingdom, world, turn: with_memory(seat, world, turn.before, turn.rules))


def question(kingdom: Kingdom) -> Pending:
    """The question which hex is to be lost. Ruling: hex_loss."""
    choices = tuple(label for label in sorted(kingdom.hexes) if may_be_named(kingdom, label))
    return Pending("lose_hex", "Unrest costs the kingdom a hex: which one?", choices, choose_hex_to_lose(kingdom))
