"""The GM's order about the monsters and the hazard of a hex: placed, made other, taken away."""

from __future__ import annotations

from typing import Any

from kingdom.engine.dice import GM
from kingdom.engine.step import Refusal
from kingdom.games.realm.state import World, replace
from kingdom.games.realm.steps.exploring.monsters import cleared, monsters_come
from kingdom.games.realm.steps.gm_kingdoms import hex_problem
from kingdom.games.realm.types import Turn

REFUSALS = {
    "gm_no_monsters": "There is neither monster nor hazard in {hex} (GM orders); name an ACR to place a monster.",
}


def monsters(world: World, turn: Turn, path: str, order: dict[str, Any]) -> World:
    """Monsters of that ACR are in the hex; an ACR of 0 takes them away, or the hazard of a hex that has no monsters."""
    label, acr = order["monsters"], order["acr"]
    refusal = monsters_problem(world, label, acr)
    if refusal:
        turn.refuse(GM, path, refusal.code, **refusal.facts)
        return world
    hex = world.hexes[label]
    if acr:
        world, what = monsters_come(world, {label: acr}, turn.rules), f"monsters of ACR {acr} are in {label}"
    elif hex.monsters:
        world, what = cleared(world, label), f"the monsters of {label} are gone"
    else:
        gone = replace(hex, hazard="")
        world, what = replace(world, hexes={**world.hexes, label: gone}), f"{label} is safe now: {hex.hazard}"
    turn.tell(GM, "news", hex=label, text=f"By your order {what}.")
    for seat, kingdom in world.kingdoms.items():
        if label in kingdom.revealed:
            turn.tell(seat, "ruling", hex=label, reason=order["reason"], text=f"The GM: {what}: {order['reason']}.")
    return world


def monsters_problem(world: World, label: str, acr: int) -> Refusal | None:
    """Why the GM can't order that, as (code, facts)."""
    refusal = hex_problem(world, label)
    if refusal is None and not acr and not world.hexes[label].monsters and not world.hexes[label].hazard:
        return Refusal("gm_no_monsters", {"hex": label})
    return refusal
