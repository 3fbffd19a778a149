"""Monsters in hexes: what a hex hides from a kingdom, and the GM's orders that put them there. Rulings: exploration, wilderness."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.engine.dice import GM
from kingdom.engine.refusal import Refusal
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Expedition, Hex, Kingdom, Sighting, World, owners, replace
from kingdom.games.realm.steps.gm_kingdoms import hex_problem
from kingdom.games.realm.types import Order, Turn

REFUSALS = {
    "gm_no_monsters": "There is neither monster nor hazard in {hex} (GM orders); name an ACR to place a monster.",
}


def cleared(world: World, label: str) -> World:
    """The world without the monsters of that hex."""
    return replace(world, hexes={**world.hexes, label: without_monsters(world.hexes[label])})


def without_monsters(hex: Hex) -> Hex:
    """The hex when its monsters are beaten or gone."""
    return replace(hex, monsters=0, wounds=0)


def tell_cleared(turn: Turn, world: World, label: str) -> None:
    """News for the holder of a hex whose monsters are gone: nothing keeps it from building there now. Ruling: claim."""
    holder = owners(world).get(label)
    if holder and label in world.kingdoms[holder].revealed:
        turn.tell(
            holder, "news", hex=label, text=f"{label} is cleared of its monsters; it may be built on (ruling claim)."
        )


def monsters_come(world: World, monsters: dict[str, int], rules: Rules) -> World:
    """The world with monsters (label -> ACR) that come to hexes: nobody who had seen those hexes knows of them,
    save who holds one, for they come to his land."""
    hexes = {label: replace(world.hexes[label], monsters=acr, wounds=0) for label, acr in monsters.items()}
    kingdoms = {seat: hidden_from(kingdom, monsters, world, rules) for seat, kingdom in world.kingdoms.items()}
    return replace(world, hexes={**world.hexes, **hexes}, kingdoms=kingdoms)


def hidden_from(kingdom: Kingdom, labels: Iterable[str], world: World, rules: Rules) -> Kingdom:
    """The kingdom that does not know what came to those hexes; what its expeditions found there is out of date, too.

    What it had seen there it remembers. world: before they came.
    """
    new = set(labels).difference(kingdom.hexes)
    old = new.intersection(kingdom.revealed)
    if old:
        kingdom = replace(kingdom, revealed=tuple(label for label in kingdom.revealed if label not in old))
    if old and rules.vision is not None:
        known = {label: Sighting(world.turn, without_monsters(world.hexes[label])) for label in sorted(old)}
        kingdom = replace(kingdom, memory={**known, **kingdom.memory})
    if any(not new.isdisjoint(expedition.found) for expedition in kingdom.expeditions.values()):
        kingdom = replace(
            kingdom, expeditions={key: _overtaken(each, new) for key, each in kingdom.expeditions.items()}
        )
    return kingdom


def _overtaken(expedition: Expedition, new: set[str]) -> Expedition:
    return replace(expedition, found=tuple(label for label in expedition.found if label not in new))


def monsters(world: World, turn: Turn, path: str, order: Order) -> World:
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
    """Why the GM can't order that."""
    refusal = hex_problem(world, label)
    if refusal is None and not acr and not world.hexes[label].monsters and not world.hexes[label].hazard:
        return Refusal("gm_no_monsters", {"hex": label})
    return refusal
