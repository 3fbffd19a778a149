"""What a kingdom may do about armies in the next turn: whom it may recruit and at which price, what equips them, examples."""

from __future__ import annotations

from itertools import groupby
from typing import Any, TypeAlias

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.report.armies import rating
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom
from kingdom.games.realm.steps.shared import limits
from kingdom.games.realm.steps.war.armies import army_named, escorts, standing_in
from kingdom.games.realm.steps.war.army_figures import acr, resource_cost
from kingdom.games.realm.steps.war.muster import recruit_price, rules_of_armies
from kingdom.games.shared.memo import Memo

NEW_NAME = "First Foot"  # of an army to be recruited
_sizes = Memo()  # and what else the rules alone decide
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
