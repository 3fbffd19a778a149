"""The orders by which a kingdom that lost its land, or its last settlement, goes on: tried by the game's own next turn on what the seat knows,
so they work as they stand."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.step import Orders
from kingdom.games.realm.forecast.turn_preview import preview
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.orders.declaration import CLAIM
from kingdom.games.realm.report.text_form import lines_of_order
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, owners

TRIED = 12  # hexes, the nearest to its old land first
TOWN = "Newtown"


def foothold(seen: World, seat: str, rules: Rules) -> list[str]:
    """The orders as they are typed; none where the kingdom needs none, can give none, or no hex that was tried would do."""
    kingdom = seen.kingdoms[seat]
    safe = kingdom.settlements or kingdom.hexes and not kingdom.anew
    if safe or kingdom.destroyed or kingdom.absent or kingdom.anarchy == seen.turn + 1:
        return []
    for label in _places(kingdom, seen):
        claimed: Orders = {} if label in kingdom.hexes else {CLAIM.key: [label]}
        settled = {"settle": [{"name": TOWN, "hex": label}]}
        for ground in ({}, {"improve": [{"build": "prepare", "hex": label}]}):
            orders = {**claimed, **ground, **settled}
            if preview(seen, seat, rules).course(orders).end.kingdoms[seat].settlements:
                return [line for key, value in orders.items() for line in lines_of_order(key, value)]
    return []


def _places(kingdom: Kingdom, seen: World) -> Iterator[str]:
    """The hexes where it might settle: its own, else what nobody holds, at what it gave up or remembers first."""
    held, old = owners(seen), sorted({*kingdom.given_up, *kingdom.memory})
    near = {*kingdom.given_up, *(beside for label in kingdom.given_up for beside in neighbours(label))}
    free = [label for label in seen.hexes if label not in held and (not near or label in near)]
    places = sorted(kingdom.hexes) or sorted(
        free, key=lambda label: (min((distance(label, one) for one in old), default=0), label)
    )
    yield from places[:TRIED]
