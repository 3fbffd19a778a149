"""What a kingdom sees: its Vigilance at settlements, forts and watchtowers, dimmed by the terrain. Ruling: vision."""

from __future__ import annotations

from msgspec import Struct

from kingdom.games.kit.memo import remember
from kingdom.games.realm.armies import acr
from kingdom.games.realm.hexmap import neighbours, ways
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Army, Hex, Kingdom, Route, World


class Whereabouts(Struct, frozen=True):
    """Places of armies and routes. armies: label -> (seat, name, army) of each army there. passing: label -> (founder, key) of
    each open route through the hex. leading_to: seat -> (founder, key, route) of each route to that kingdom, open or just
    arrived."""

    armies: dict[str, list[tuple[str, str, Army]]]
    passing: dict[str, list[tuple[str, str]]]
    leading_to: dict[str, list[tuple[str, str, Route]]]


# a turn asks alternately for the world at its start and the world by now, so several are cached
@remember(lambda world: ((world.kingdoms,), ()), size=30)
def whereabouts(world: World) -> Whereabouts:
    """Where armies and routes are in the world. The result is cached, so the caller must not change it."""
    found = Whereabouts({}, {}, {})
    for seat, kingdom in world.kingdoms.items():
        for name, army in kingdom.armies.items():
            found.armies.setdefault(army.hex, []).append((seat, name, army))
        for key, route in kingdom.routes.items():
            if route.open or route.asked:
                found.leading_to.setdefault(route.to, []).append((seat, key, route))
            for label in route.path if route.open and not route.shares else ():
                found.passing.setdefault(label, []).append((seat, key))
    return found


def levels(world: World, seat: str, rules: Rules) -> dict[str, int]:
    """Label -> the seat's Vigilance left in that hex, from its best source, for every hex where that is enough to see; {} in
    rules without `vision`. Vigilance counts more along a blockaded route. Rulings: vision, blockade.

    The result is cached, so the caller must not change it.
    """
    if rules.vision is None:
        return {}
    return _left(world, seat, rules)


# the levels of one seat are asked for many times in a row
@remember(lambda world, seat, rules: ((world.hexes, world.kingdoms, rules), seat), size=100)
def _left(world: World, seat: str, rules: Rules) -> dict[str, int]:
    kingdom = world.kingdoms[seat]
    vigilance = accounts(kingdom, world.hexes, rules)["vigilance"]
    starts = {label: 0 for label in lookouts(kingdom, rules) if label in world.hexes}
    found = ways(starts, vigilance - in_force(rules.vision).seen_from, world, rules, barred=_not_known(world, rules))
    left = {label: vigilance - points for label, points in found.items()}
    for label, turns in _watched(world, seat).items() if rules.blockade else ():
        left[label] = left.get(label, 0) + in_force(rules.blockade).vigilance * turns
    return left


def lookouts(kingdom: Kingdom, rules: Rules) -> set[str]:
    """The labels of the hexes from which the kingdom sees with its full Vigilance."""
    found = {settlement.hex for settlement in kingdom.settlements.values()}
    found.update(
        label
        for label, built in kingdom.hexes.items()
        if any(name in in_force(rules.vision).lookouts for name in built)
    )
    return found.union(*(route.towers for route in kingdom.routes.values()))


def sees(world: World, seat: str, rules: Rules) -> set[str]:
    """The labels of the hexes that the seat sees now: its own and those beside them, those that its Vigilance reaches, and
    those in and around which its armies and hired adventurers stand. Without `vision` revealed hexes replace those in reach.

    Armies and adventurers on an expedition do not count: the seat hears nothing before the expedition is back (ruling
    exploration).
    """
    kingdom = world.kingdoms[seat]
    watched = {*kingdom.hexes, *patrols(kingdom)}
    near = {label for here in watched for label in neighbours(here)}
    afar = kingdom.revealed if rules.vision is None else levels(world, seat, rules)
    return {label for label in watched.union(near, afar) if label in world.hexes}


def patrols(kingdom: Kingdom) -> set[str]:
    """The labels of the hexes where its armies and hired adventurers stand, those on an expedition left out.

    In a forecast, adventurers without a known way to their task stand nowhere.
    """
    if not kingdom.armies and not kingdom.parties:
        return set()
    away = {expedition.army for expedition in kingdom.expeditions.values()}
    return {army.hex for name, army in kingdom.armies.items() if name not in away} | {
        party.hex for party in kingdom.parties.values() if party.hex
    }


def sees_army(army: Army, label: str, kingdom: Kingdom, left: dict[str, int], rules: Rules) -> bool:
    """Whether the kingdom sees that foreign army in a hex. left: the kingdom's `levels`."""
    at_hand = label in kingdom.hexes or label in patrols(kingdom)
    return at_hand or left.get(label, 0) >= acr(army.unit, army.size, rules)


def sees_monsters(hex: Hex, label: str, kingdom: Kingdom, left: dict[str, int]) -> bool:
    """Whether the kingdom sees the monsters in a hex, by the same rule as an army. left: the kingdom's `levels`."""
    at_hand = label in kingdom.hexes or label in patrols(kingdom)
    return at_hand or left.get(label, 0) >= hex.monsters


def _watched(world: World, seat: str) -> dict[str, int]:
    """Label -> how many turns its route has been blockaded, for the routes that the seat founded or shares, or that end with
    it."""
    ending = [route for _, _, route in whereabouts(world).leading_to.get(seat, ())]
    turns: dict[str, int] = {}
    for route in (*world.kingdoms[seat].routes.values(), *ending):
        for label in route.path if route.watched else ():
            turns[label] = max(route.watched, turns.get(label, 0))
    return turns


@remember(lambda world, rules: ((world.hexes, rules), ()), size=10)
def _not_known(world: World, rules: Rules) -> frozenset[str]:
    """The hexes of a known world about which nothing is known; sight does not pass through them."""
    return frozenset(label for label, hex in world.hexes.items() if rules.terrain[hex.terrain].unseen)
