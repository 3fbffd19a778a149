"""Raids on a trade route: the monsters that raid it, who gets how much, and the doors that close to a kingdom that raids a route of
its own. Rulings: raid, blockade.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import lcm

from kingdom.engine.dice import GM
from kingdom.games.realm.armies import acr
from kingdom.games.realm.sheet import split
from kingdom.games.realm.state import Kingdom, Pending, Route, World, counted, replace, with_kingdoms
from kingdom.games.realm.steps.shared import strongest, word_settled
from kingdom.games.realm.steps.trade.open_routes import Raider, has_monsters, parties_to
from kingdom.games.realm.types import Turn

DOORS = "doors"  # what the keys of questions about them begin with
CLOSED, OPEN = "closed", "open"


def monsters_that_raid(world: World, routes: Iterable[Route], turn: Turn) -> dict[str, Raider]:
    """Label -> the monsters of that hex, where a roll says that they raid the routes through it in this turn, and blockade none."""
    chance = turn.rules.blockade.monsters_raid if turn.rules.blockade else None
    if chance is None:
        return {}
    lairs = sorted({label for route in routes for label in route.path if has_monsters(label, world)})
    rolls = {label: turn.roll(GM, f"route-monsters-{label}", 100) for label in lairs}
    return {
        label: Raider("", "monsters", label) for label, roll in rolls.items() if roll is not None and roll <= chance
    }


def parts_of(bp: int, founder: str, key: str, raiders: tuple[Raider, ...], world: World, turn: Turn) -> dict[str, int]:
    """Seat -> what it gets of that booty: by the force of its raiding armies, or evenly, where the rest is for the first. What
    monsters take stands under ""."""
    seats = list(dict.fromkeys(raider.seat for raider in raiders))
    if turn.rules.raid is None or not turn.rules.raid.by_force:
        first, each = split(bp, len(seats) - 1)
        return {seat: first if seat == seats[0] else each for seat in seats}
    force = dict.fromkeys(seats, 0)
    for raider in raiders:
        force[raider.seat] += _force(raider, world, turn)
    parts = {seat: bp * own // sum(force.values()) for seat, own in force.items()}
    rest = bp - sum(parts.values())
    if rest:
        parts[strongest(force, f"raid-{founder}-{key}", turn)] += rest
    return parts


def _force(raider: Raider, world: World, turn: Turn) -> int:
    """The ACR of an army or of monsters, in parts of which each rating of the ladder is a whole number."""
    ladder = turn.rules.army_figures.ladder if turn.rules.army_figures else ()
    parts = lcm(*(int(rating.partition("/")[2]) for rating in ladder))
    if not raider.seat:
        return world.hexes[raider.hex].monsters * parts
    army = world.kingdoms[raider.seat].armies[raider.army]
    return round(acr(army.unit, army.size, turn.rules) * parts)


def asked_about_doors(
    founder: str, key: str, route: Route, raiders: tuple[Raider, ...], kingdoms: Mapping[str, Kingdom], turn: Turn
) -> dict[str, Kingdom]:
    """Who has to do with the route learns which of the others raids it, and is asked whether its doors close to that one."""
    default = turn.rules.raid.own_doors if turn.rules.raid else None
    changed: dict[str, Kingdom] = {}
    if default is None:
        return changed
    parties = parties_to(founder, route)
    for raider in dict.fromkeys(one.seat for one in raiders if one.seat in parties):
        for seat in parties:
            host = changed.get(seat, kingdoms[seat])
            asked = raider in host.doors or any(pending.about == raider for pending in host.pending)
            if seat == raider or asked:
                continue
            host, question = counted(host, DOORS)
            names = f"{key} of {kingdoms[founder].name} with {kingdoms[route.to].name}"
            text = f"{kingdoms[raider].name} raids {names}, a route of its own: do your doors close to its trade?"
            pending = Pending(question, text, (CLOSED, OPEN), default, about=raider)
            changed[seat] = replace(host, pending=(*host.pending, pending))
    return changed


def close_doors(world: World, turn: Turn) -> World:
    """The start of a turn: doors close to who raided a route of its own, unless the answer is another."""
    changed: dict[str, Kingdom] = {}
    for seat, kingdom in world.kingdoms.items():
        asked = turn.before.kingdoms[seat].pending if seat in turn.before.kingdoms and not kingdom.destroyed else ()
        for pending in asked:
            raider = pending.about
            there = (
                raider in world.kingdoms and not world.kingdoms[raider].destroyed
            )  # one alone is foreseen without others
            closes = there and raider not in kingdom.doors
            if closes and word_settled(turn, seat, pending.key, pending.default) == CLOSED:
                kingdom = changed[seat] = replace(kingdom, doors=tuple(sorted((*kingdom.doors, raider))))
                name = world.kingdoms[raider].name
                turn.tell(
                    seat,
                    "news",
                    text=f"Your doors are closed to the trade of {name}, which raided a route of its own (ruling raid).",
                )
                turn.tell(
                    raider,
                    "news",
                    text=f"{kingdom.name} closes its doors to your trade, since you raided a route of your own (ruling raid).",
                )
    return with_kingdoms(world, changed)
