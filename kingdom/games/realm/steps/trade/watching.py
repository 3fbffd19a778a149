"""What those who have to do with a blockaded route learn of it, and how long they have been on the watch. Ruling: blockade."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.games.realm.state import Kingdom, Route, World, replace, with_kingdoms
from kingdom.games.realm.steps.trade.threats import parties_to
from kingdom.games.realm.types import Turn


def watch(world: World, blockaded: Mapping[tuple[str, str], bool], turn: Turn) -> World:
    """The world with the turns of each blockade counted; (founder, key) of every open route -> whether it is blockaded."""
    changed: dict[str, Kingdom] = {}
    for (founder, key), is_blockaded in blockaded.items():
        kingdom = changed.get(founder, world.kingdoms[founder])
        route = kingdom.routes[key]
        watched = route.watched + 1 if is_blockaded else 0
        if watched == route.watched:
            continue
        changed[founder] = replace(kingdom, routes={**kingdom.routes, key: replace(route, watched=watched)})
        _tell(founder, key, replace(route, watched=watched), world, turn)
    return with_kingdoms(world, changed)


def _tell(founder: str, key: str, route: Route, world: World, turn: Turn) -> None:
    """That the route is blockaded, not by whom: that is for the eyes of those who see so far."""
    names = f"{key} of {world.kingdoms[founder].name} with {world.kingdoms[route.to].name}"
    more = route.watched * turn.rules.blockade.vigilance if turn.rules.blockade else 0
    text = f"{names} is blockaded: it pays nobody this turn; Vigilance along it counts {more} more (ruling blockade)."
    if not route.watched:
        text = f"{names} is no longer blockaded (ruling blockade)."
    for seat in parties_to(founder, route):
        turn.tell(seat, "news", text=text)
