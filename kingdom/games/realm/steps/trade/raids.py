"""Raids on a trade route: the monsters that raid it, and how the booty is shared. Rulings: raid, blockade."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm

from kingdom.engine.dice import GM
from kingdom.games.realm.armies import acr
from kingdom.games.realm.sheet import split
from kingdom.games.realm.state import Route, World
from kingdom.games.realm.steps.shared import strongest
from kingdom.games.realm.steps.trade.open_routes import Raider, has_monsters
from kingdom.games.realm.types import Turn


def monsters_that_raid(world: World, routes: Iterable[Route], turn: Turn) -> dict[str, Raider]:
    """Label -> the monsters of that hex, for each hex where a roll says that its monsters raid this turn instead of
    blockading."""
    chance = turn.rules.blockade.monsters_raid if turn.rules.blockade else None
    if chance is None:
        return {}
    lairs = sorted({label for route in routes for label in route.path if has_monsters(label, world)})
    rolls = {label: turn.roll(GM, f"route-monsters-{label}", 100) for label in lairs}
    return {
        label: Raider("", "monsters", label) for label, roll in rolls.items() if roll is not None and roll <= chance
    }


def parts_of(bp: int, founder: str, key: str, raiders: tuple[Raider, ...], world: World, turn: Turn) -> dict[str, int]:
    """Seat -> its share of the booty: by the force of its raiding armies, or in equal parts with the rest for the first. The
    monsters' share is under ""."""
    seats = list(dict.fromkeys(raider.seat for raider in raiders))
    if turn.rules.raid is None or not turn.rules.raid.by_force:
        first, each = split(bp, len(seats) - 1)
        return {seat: first if seat == seats[0] else each for seat in seats}
    force = dict.fromkeys(seats, 0)
    for raider in raiders:
        force[raider.seat] += _force(raider, world, turn)
    parts = {seat: bp * own // sum(force.values()) for seat, own in force.items()}
    if rest := bp - sum(parts.values()):
        parts[strongest(force, f"raid-{founder}-{key}", turn)] += rest
    return parts


def _force(raider: Raider, world: World, turn: Turn) -> int:
    """The ACR of an army or of monsters, in units so small that each rating of the ladder is a whole number."""
    ladder = turn.rules.army_figures.ladder if turn.rules.army_figures else ()
    parts = lcm(*(int(rating.partition("/")[2]) for rating in ladder))
    if not raider.seat:
        return world.hexes[raider.hex].monsters * parts
    army = world.kingdoms[raider.seat].armies[raider.army]
    return round(acr(army.unit, army.size, turn.rules) * parts)
