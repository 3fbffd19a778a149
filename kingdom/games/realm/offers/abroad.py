"""What a report offers of armies, of unknown land and monsters, and of trade: prices, what may be chosen, an order of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, TypeAlias

from kingdom.games.realm.hexmap import DIRECTIONS, neighbours
from kingdom.games.realm.report.armies import rating
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.steps.shared import limits
from kingdom.games.realm.steps.trade.routes import beside_land_of, best_path, without_unseen
from kingdom.games.realm.steps.war.armies import acr, army_named, escorts, resource_cost, standing_in
from kingdom.games.realm.steps.war.muster import recruit_price, rules_of_armies
from kingdom.games.shared.memo import Memo

# --- armies

NEW_NAME = "First Foot"  # of an army to be recruited
_sizes: Memo[Any] = Memo()  # and what else the rules alone decide
Usual: TypeAlias = tuple[str, list[str], dict[str, str]]


def army_offers(kingdom: Kingdom, rules: Rules) -> dict[str, Any]:
    """What may be recruited by limit and treasury, and what equips armies where; nothing where nobody can be recruited.

    sizes: rows of sizes with the same slots and prices; units: order word and ACR in the size `usual`; equips: the resources
    of each settlement with their prices in that size.
    """
    if not rules_of_armies(rules) or not kingdom.settlements:
        return {}
    sizes = _offered(limits(kingdom, rules).settlements, kingdom.treasury, rules)
    if not sizes:
        return {}
    usual, units, _ = _usual(rules)
    return {"sizes": sizes, "usual": usual, "units": units, "equips": _equips(kingdom, rules)}


def _usual(rules: Rules) -> Usual:
    """(the usual size, order word and ACR in it of each unit, order word and price in it of each resource), remembered."""
    known: Usual | None = _sizes.get(id(rules))
    if known is not None:
        return known
    usual = next(size for size, row in rules.army_sizes.items() if not row.steps)
    units = [f"{unit} {rating(acr(unit, usual, rules), rules)}" for unit, row in rules.units.items() if row.recruit]
    resources = {word: f"{word} {resource_cost(word, usual, rules)}" for word in rules.army_resources}
    _sizes.put(id(rules), rules, (usual, units, resources))
    return usual, units, resources


def _offered(most: int, treasury: int, rules: Rules) -> list[dict[str, Any]]:
    """The sizes that so many slots allow, with the units that the treasury can pay; remembered, many kingdoms ask the same."""
    key = (id(rules), most, treasury)
    known: list[dict[str, Any]] | None = _sizes.get(key)
    if known is not None:
        return known
    sizes = [
        (size, row.slots, _prices(size, treasury, rules)) for size, row in rules.army_sizes.items() if row.slots <= most
    ]
    rows: list[dict[str, Any]] = []
    for (slots, prices), same in groupby((each for each in sizes if each[2]), key=lambda each: each[1:]):
        rows.append({"sizes": ", ".join(size for size, *_ in same), "slots": slots, "prices": prices})
    _sizes.put(key, rules, rows)
    return rows


def _prices(size: str, treasury: int, rules: Rules) -> list[dict[str, Any]]:
    """The units that the treasury can pay in that size, by price."""
    every = [unit for unit, row in rules.units.items() if row.recruit]
    prices: dict[int, list[str]] = {}
    for unit in every:
        prices.setdefault(recruit_price(unit, size, rules), []).append(unit)
    return [
        {"price": price, "units": "any unit" if units == every else ", ".join(units)}
        for price, units in sorted(prices.items())
        if price <= treasury
    ]


def _equips(kingdom: Kingdom, rules: Rules) -> list[dict[str, str]]:
    rows, texts = [], _usual(rules)[2]
    for name in sorted(kingdom.settlements):
        there = set(standing_in(kingdom, name))
        found = [word for word, row in rules.army_resources.items() if not row.needs or not there.isdisjoint(row.needs)]
        rows.append({"name": name, "resources": ", ".join(texts[word] for word in found)})
    return rows


def army_examples(kingdom: Kingdom, offers: dict[str, Any]) -> list[dict[str, Any]]:
    """Orders to armies that the kingdom could give: each army that may go, on patrol beside where it stands; a new army."""
    orders: list[dict[str, Any]] = []
    for name, army in sorted(kingdom.armies.items()):
        beside = [label for label in neighbours(army.hex) if label in kingdom.hexes]
        if escorts(kingdom, name) or army.reserve and not beside:
            continue
        orders.append({"army": name, **({"move": beside[:1]} if beside else {}), "then": "patrol"})
    if offers and not army_named(kingdom, NEW_NAME):
        unit, size = offers["units"][0].split()[0], offers["sizes"][0]["sizes"].split(", ")[-1]
        orders.append(
            {"recruit": NEW_NAME, "size": size, "unit": unit, "from": kingdom.capital or min(kingdom.settlements)}
        )
    return orders


# --- unknown land and monsters

_WEEKS = 2  # of the expedition that the form shows


def expedition_offers(kingdom: Kingdom, seen: World, rules: Rules) -> dict[str, Any]:
    """What expeditions and adventurers cost, and the monsters that are known; nothing where none can be sent.

    per_week: BP; least, per_acr: BP of adventurers; monsters: those known, by label, each with the BP of adventurers who are
    their match. seen: what the seat knows (known.py).
    """
    if rules.exploration is None or rules.adventurers is None or not kingdom.settlements:
        return {}
    wages = rules.adventurers
    monsters = [
        {"hex": label, "acr": hex.monsters, "match": max(wages.least_bp, hex.monsters * wages.bp_per_acr)}
        for label, hex in sorted(seen.hexes.items())
        if hex.monsters
    ]
    return {
        "per_week": rules.exploration.bp_per_week,
        "least": wages.least_bp,
        "per_acr": wages.bp_per_acr,
        "monsters": monsters,
        "weeks": min(_WEEKS, kingdom.treasury // rules.exploration.bp_per_week)
        if rules.exploration.bp_per_week
        else _WEEKS,
        "treasury": kingdom.treasury,
    }


def expedition_examples(kingdom: Kingdom, offers: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An expedition and adventurers that the kingdom could pay, as special edicts."""
    if offers and offers["weeks"] > 0:
        start = kingdom.capital or min(kingdom.settlements)
        yield {"edict": "explore", "from": start, "weeks": offers["weeks"], "toward": DIRECTIONS[0]}
    for row in offers["monsters"][:1] if offers else ():
        if row["match"] <= offers["treasury"]:
            yield {"edict": "adventurers", "bp": row["match"], "task": row["hex"]}


# --- trade

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
