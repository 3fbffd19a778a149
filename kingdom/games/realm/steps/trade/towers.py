"""Edict phase, step 3: watchtowers on a trade route, in hexes that nobody holds. Ruling: patrol."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Kingdom, World, owners, replace
from kingdom.games.realm.steps.land.ground import danger
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.shared import book, each
from kingdom.games.realm.types import Turn

TOWER = "watchtower"  # the improvement's name in the order, and in the hex once the founder claims it

REFUSALS = {
    "tower_already": "A watchtower stands on the route in {hex} already (ruling patrol); build one in another hex of it.",
    "tower_water": "No watchtower is built in the water of {hex} (ruling patrol); build it in a hex of the route that is land.",
}


def is_for_route(kingdom: Kingdom, label: str, name: str, world: World) -> bool:
    """Whether that improvement would be a watchtower on the kingdom's own open route, in a hex that nobody holds."""
    return (
        name == TOWER
        and label not in kingdom.hexes
        and label not in owners(world)
        and bool(_route_over(kingdom, label))
    )


def tower_problem(kingdom: Kingdom, label: str, world: World, rules: Rules) -> Refusal | None:
    """Why no watchtower can stand there; limit and treasury aside."""
    hex = world.hexes.get(label)
    if any(label in route.towers for route in kingdom.routes.values()):
        return Refusal("tower_already", {"hex": label})
    if hex is None:  # in a forecast the hex may be out of sight
        return None
    if found := danger(label, kingdom, world.hexes):
        return Refusal("improve_danger", {"hex": label, "danger": found})
    return Refusal("tower_water", {"hex": label}) if rules.terrain[hex.terrain].water else None


def with_tower(seat: str, kingdom: Kingdom, label: str, world: World, turn: Turn) -> Kingdom:
    """The kingdom with the watchtower, paid and counted against the limit of improvements."""
    key = _route_over(kingdom, label)
    route = kingdom.routes[key]
    kingdom = replace(
        kingdom,
        treasury=kingdom.treasury - in_force(turn.rules.trade_route).tower_cost,
        routes={**kingdom.routes, key: replace(route, towers=(*route.towers, label))},
        used={**kingdom.used, "terrain": kingdom.used.get("terrain", 0) + 1},
    )
    return book(turn, seat, kingdom, world.hexes, "improve", f"watchtower in {label}, on {key} (ruling patrol)")


def settle_towers(world: World, turn: Turn) -> World:
    """Settle watchtowers on routes whose hex somebody claimed: a tower whose founder claimed the hex becomes an improvement, any
    other is lost."""
    return each(world, turn, _settle)


def _settle(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    for key, route in kingdom.routes.items():
        for label in [label for label in route.towers if label in owners(world)]:
            route = replace(route, towers=tuple(other for other in route.towers if other != label))
            kingdom = replace(kingdom, routes={**kingdom.routes, key: route})
            if label in kingdom.hexes and _has_room(kingdom, label, kingdom.hexes[label], turn.rules):
                kingdom = replace(kingdom, hexes={**kingdom.hexes, label: (*kingdom.hexes[label], TOWER)})
                book(turn, seat, kingdom, world.hexes, "improve", f"the watchtower of {key} in {label} (ruling patrol)")
            else:
                text = f"The watchtower of {key} in {label} is gone: the hex is held now (ruling patrol)."
                turn.tell(seat, "news", hex=label, text=text)
    return kingdom


def built_once_claimed(kingdom: Kingdom, label: str, world: World, rules: Rules) -> tuple[str, ...]:
    """What stands in a hex once the kingdom claims it: what was left there, and its watchtower on a route through it."""
    left = world.hexes[label].left
    has_tower = any(label in route.towers for route in kingdom.routes.values())
    return (*left, TOWER) if has_tower and _has_room(kingdom, label, left, rules) else left


def _has_room(kingdom: Kingdom, label: str, built: Iterable[str], rules: Rules) -> bool:
    """Whether a watchtower may stand in that hex of the kingdom beside what is built there. Ruling: improvements_sharing."""
    return not settlement_in(kingdom, label) and all(rules.improvements[name].shares_hex for name in built)


def _route_over(kingdom: Kingdom, label: str) -> str:
    """The key of the kingdom's first own open route through the hex, "" for none."""
    routes = kingdom.routes.items()
    return next((key for key, route in routes if route.open and not route.shares and label in route.path), "")
