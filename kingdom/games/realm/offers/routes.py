"""What a kingdom may order about trade: where caravans may end, which routes it may share, an order of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.steps.trade.routes import beside_land_of, best_path, without_unseen

Order = dict[str, Any]  # key and value of an order in the long form


def trade_offers(seen: World, seat: str, kingdom: Kingdom, rules: Rules) -> dict[str, Any]:
    """What the report offers about trade, and under `examples` an order of each kind. seen: what the seat knows (known.py).

    ends: the kingdoms to which a caravan may be sent that the treasury can pay, each with the hexes where it may end;
    shares: those of whose routes a share may be asked.
    """
    if rules.trade_route is None or rules.trade is None:
        return {}
    seen = without_unseen(seen, rules)
    ends: list[dict[str, Any]] = []
    shares: list[str] = []
    if kingdom.settlements and kingdom.treasury >= rules.trade_route.bp_per_turn:
        found = {other: beside_land_of(seen, seat, other) for other in _known_land(seen, seat)}
        names = {other: seen.kingdoms[other].name for other in found}
        ends = [{"seat": other, "name": names[other], "hexes": hexes} for other, hexes in found.items() if hexes]
        sought = {route.to for route in kingdom.routes.values() if route.shares}
        shares = sorted({guest.by for guest in kingdom.guests.values()} - sought)
    examples = [*_special(seen, seat, kingdom, ends, shares, rules), *_of_neighbours(seen, seat, kingdom, rules)]
    return {
        "cost": rules.trade_route.bp_per_turn,
        "ends": ends,
        "shares": [seen.kingdoms[other].name for other in shares],
        "examples": examples,
    }


def _known_land(seen: World, seat: str) -> list[str]:
    """The other kingdoms of whose land the seat knows something."""
    remembered = (sighting.holder for sighting in seen.kingdoms[seat].memory.values())
    return sorted({*owners(seen).values(), *remembered} - {seat, ""})


def _special(
    seen: World, seat: str, kingdom: Kingdom, ends: list[dict[str, Any]], shares: list[str], rules: Rules
) -> Iterator[Order]:
    for row in ends[:1]:
        if best_path(seen, seat, kingdom, row["hexes"][:1], rules):
            yield {"key": "special", "value": [{"edict": "trade_route", "to": row["seat"], "hex": row["hexes"][0]}]}
    for other in shares[:1]:
        yield {"key": "special", "value": [{"edict": "share_route", "to": other}]}
    for key in list(kingdom.routes)[:1]:
        yield {"key": "special", "value": [{"edict": "close_route", "route": key}]}


def _of_neighbours(seen: World, seat: str, kingdom: Kingdom, rules: Rules) -> Iterator[Order]:
    """Doors and smuggling, for the first kingdom that touches this one."""
    held = owners(seen)
    beside = sorted({held.get(near, seat) for label in kingdom.hexes for near in neighbours(label)} - {seat})
    for other in beside[:1] if rules.trade and rules.trade.between_neighbours else ():
        yield {"key": "doors", "value": {other: "open" if other in kingdom.doors else "closed"}}
        if rules.smuggling:
            yield {"key": "smuggle", "value": [other]}
