"""Edict phase, after the edicts: armies move, all at once. Rulings: movement, crossing."""

from __future__ import annotations

from typing import Any

from kingdom.engine.step import Refusal
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.shared import book, each, listed, orders_of
from kingdom.games.realm.steps.war.armies import army_named, with_army
from kingdom.games.realm.steps.war.marching import army_problem, told, whole_way
from kingdom.games.realm.steps.war.reserves import roused
from kingdom.games.realm.travel import step_along
from kingdom.games.realm.types import Turn


def move_armies(world: World, turn: Turn) -> World:
    """Every army that was sent somewhere goes as far as its points reach, and stops there; if the way is longer, it
    needs an order to go on. What it is to do where it stands holds until it is changed. Ruling: movement."""
    return each(world, turn, _move_all)


def _move_all(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    sent: set[str] = set()
    for path, order in listed(orders_of(turn, seat, kingdom), "armies"):
        if "army" in order:
            kingdom = _order(seat, kingdom, path, order, sent, world, turn)
    return kingdom


def _order(
    seat: str, kingdom: Kingdom, path: str, order: dict[str, Any], sent: set[str], world: World, turn: Turn
) -> Kingdom:
    """The kingdom with its army as the order leaves it; `sent` holds the armies that had their way already."""
    refusal = army_problem(seat, kingdom, order, world, turn.rules)
    if refusal:
        turn.refuse(seat, path, refusal.code, **refusal.facts)
        return kingdom
    name, labels = army_named(kingdom, order["army"]), order.get("move")
    if not labels:
        return with_army(kingdom, name, told(kingdom.armies[name], order))
    if name in sent:
        turn.refuse(seat, path, "march_again", army=name)
        return kingdom
    found = whole_way(seat, kingdom, name, labels, world, turn.rules, turn.foreseeing)
    if isinstance(found, Refusal):
        turn.refuse(seat, path, found.code, **found.facts)
        return kingdom
    sent.add(name)
    army = told(kingdom.armies[name], order)
    at = _reach(seat, name, found, path, world, turn)
    if at == army.hex:
        return with_army(kingdom, name, army)
    kingdom = with_army(kingdom, name, replace(roused(army), hex=at, came=army.hex))
    if army.reserve:
        book(turn, seat, kingdom, world.hexes, "reserve", f"{name} roused, it marches (ruling reserves)")
    if at in world.hexes and world.hexes[at].monsters and at not in kingdom.revealed:
        kingdom = replace(kingdom, revealed=(*kingdom.revealed, at))
    return kingdom


def _reach(seat: str, name: str, way: list[str], path: str, world: World, turn: Turn) -> str:
    """How far along the way the army gets; monsters on it stop it."""
    points = in_force(turn.rules.movement).points
    reached = step_along(way, 0, points, world, turn.rules)
    stop = next((place for place in range(1, reached) if world.hexes[way[place]].monsters), None)
    at = way[reached if stop is None else stop]
    if at != way[-1]:
        why = f"its {points} points took it no farther" if stop is None else "where it met monsters"
        text = f"{name} got as far as {at}: {why} (ruling movement). Order it on if it is to go on."
        turn.tell(seat, "changed", order=path, text=text)
    return at
