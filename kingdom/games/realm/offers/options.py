"""What a kingdom may do in the next turn as things stand now: its limits, what it may claim, what it can pay for."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.offers.abroad import army_offers, expedition_offers, trade_offers
from kingdom.games.realm.report.filed import words
from kingdom.games.realm.report.survey import lie_of
from kingdom.games.realm.rules.building_tables import AlwaysFree, FirstIsFree
from kingdom.games.realm.rules.kingdom_tables import EdictLevel
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import leadership_bonus
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.land.ground import barring, claim_cost, claimable, danger
from kingdom.games.realm.steps.land.improvements import possible
from kingdom.games.realm.steps.shared import affordable, limits, most_special_edicts
from kingdom.games.realm.steps.towns.buildings import price_of
from kingdom.games.realm.steps.towns.lots import find, not_in_settlement
from kingdom.games.realm.steps.towns.plan import Plan, lots_under
from kingdom.games.realm.steps.towns.settlements import district_cost
from kingdom.games.shared.memo import Memo

_texts: Memo[Any] = Memo()  # what is the same in many reports


class Offer(NamedTuple):
    """A building that may be built: its price in BP, its name, its word in orders, whether the price is half."""

    price: int
    name: str
    order: str
    half: bool


def options(seen: World, world: World, seat: str, rules: Rules) -> dict[str, Any]:
    """The limits of the next turn, the hexes that may be claimed, and what the treasury affords, each with its price.

    seen: what the seat knows (known.py); world: the kingdom as the next turn's orders find it (odds.py).
    Nothing where the next turn is one of anarchy.
    """
    kingdom = world.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == world.turn + 1:
        return {}
    world = replace(world, kingdoms={**seen.kingdoms, seat: kingdom})
    row, (bonuses, bonus) = limits(kingdom, rules), leadership_bonus(kingdom.edict_size, rules)
    towns = {name: _buildings_in(name, kingdom, world, rules) for name in sorted(kingdom.settlements)}
    everywhere = set.intersection(*towns.values()) if len(towns) > 1 else set()
    return {
        "size": kingdom.edict_size,
        "treasury": kingdom.treasury,
        "limits": [
            {"what": "hex claims", "count": row.claims},
            {"what": "terrain improvements", "count": row.terrain},
            {"what": "new settlements", "count": row.settlements},
            {"what": "buildings", "count": row.buildings},
            {"what": "special edicts", "count": most_special_edicts(kingdom, rules)[0]},
        ],
        "outside": _outside(rules),
        "leadership": {"attributes": bonuses, "bonus": bonus},
        "claims": row.claims,
        "anywhere": None if kingdom.hexes else claim_cost(False, rules),  # without a hex any will do (ruling no_hexes)
        "claimable": _claimable(kingdom, world, rules),
        "hexes": _improvable(kingdom, world, rules),
        "everywhere": _by_price(everywhere),
        "towns": [
            {
                "name": name,
                "buildings": _by_price(buildings - everywhere),
                "district": _district(name, kingdom, world, rules),
            }
            for name, buildings in towns.items()
        ],
        "armies": army_offers(kingdom, rules),
        "expeditions": expedition_offers(kingdom, seen, rules),
        "trade": trade_offers(seen, seat, kingdom, rules),
        "levels": levels(kingdom, rules),
    }


def _outside(rules: Rules) -> list[str]:
    """The buildings outside the limit: the first of some kinds, and every one of others. Ruling: free_buildings."""
    known: list[str] | None = _texts.get(id(rules))
    if known is not None:
        return known
    rows = [(record.name, effect) for record in rules.buildings.values() for effect in record.effects]
    first = [f"the first {name}" for name, effect in rows if isinstance(effect, FirstIsFree)]
    known = first + [f"every {name}" for name, effect in rows if isinstance(effect, AlwaysFree)]
    _texts.put(id(rules), rules, known)
    return known


def levels(kingdom: Kingdom, rules: Rules) -> list[dict[str, Any]]:
    """The three edicts, each with its levels, what they do, and which of them holds; remembered, for there are few."""
    key = (id(rules), *(getattr(kingdom, category) for category in EDICTS))
    known: list[dict[str, Any]] | None = _texts.get(key)
    if known is None:
        known = _levels(kingdom, rules)
        _texts.put(key, rules, known)
    return known


def _levels(kingdom: Kingdom, rules: Rules) -> list[dict[str, Any]]:
    return [
        {
            "name": words(category).capitalize(),
            "levels": [
                {"word": words(word), "now": getattr(kingdom, category) == word, "does": _does(level)}
                for word, level in getattr(rules.edicts, category).items()
            ],
        }
        for category in EDICTS
    ]


def _does(level: EdictLevel) -> str:
    points = [(account, getattr(level, account)) for account in ("economy", "loyalty", "stability", "consumption")]
    return ", ".join(f"{account.capitalize()} {by:+d}" for account, by in points if by)


def _claimable(kingdom: Kingdom, world: World, rules: Rules) -> list[dict[str, Any]]:
    if not kingdom.hexes:
        return []
    prices = {label: claim_cost(label in kingdom.hexes, rules) for label in claimable(kingdom, world, rules)}
    return [
        {**lie_of(label, world.hexes[label], rules), "price": price}
        for label, price in prices.items()
        if affordable(kingdom, price)
    ]


def _district(name: str, kingdom: Kingdom, world: World, rules: Rules) -> int | None:
    """The price of a further district where the settlement may have one and the treasury can pay it."""
    settlement = kingdom.settlements[name]
    price = district_cost(world.hexes, settlement, rules)
    return price if price <= kingdom.treasury and not danger(settlement.hex, kingdom, world.hexes) else None


def _by_price(offers: Iterable[Offer]) -> list[dict[str, Any]]:
    """The cheapest first; `said` names the kinds of a price."""
    found = []
    for price, same in groupby(sorted(offers), key=lambda offer: offer.price):
        kinds = [kind._asdict() for kind in same]
        said = ", ".join(f"{kind['name']} (half price)" if kind["half"] else kind["name"] for kind in kinds)
        found.append({"price": price, "kinds": kinds, "count": len(kinds), "said": said})
    return found


def _buildings_in(name: str, kingdom: Kingdom, world: World, rules: Rules) -> set[Offer]:
    """The buildings that the treasury can pay and that the settlement does not rule out.

    Whether one finds a lot is decided when it is ordered. A price is that of an order which names no lot, what was torn
    down on the lot that it would get included.
    """
    settlement = kingdom.settlements[name]
    if danger(settlement.hex, kingdom, world.hexes) or barring(settlement.hex, kingdom, rules):
        return set()
    plan = Plan(settlement.districts, settlement.buildings, rules, kingdom.blocked.get(name, ()))
    ruin = world.hexes[settlement.hex].ruin
    offers = set()
    for kind, record in rules.buildings.items():
        if plan.lacks(kind) or not_in_settlement(plan, kind):
            continue
        place = find(plan, kind)[0] if settlement.rubble else None
        price = price_of(settlement, kind, rules, lots_under(place, rules) if place else (), ruin=ruin)
        if price.bp <= kingdom.treasury:
            offers.add(Offer(price.bp, record.name, kind, price.half is not None))
    return offers


def _improvable(kingdom: Kingdom, world: World, rules: Rules) -> list[dict[str, Any]]:
    """The held hexes in which an improvement may be built that the treasury can pay, with those improvements."""
    rows = []
    for label in sorted(kingdom.hexes):
        found = [
            {"order": word, "name": words(word), "price": price}
            for word, price in possible(kingdom, label, world, rules)
            if price <= kingdom.treasury
        ]
        if found:
            said = ", ".join(f"{each['name']} {each['price']}" for each in found)
            rows.append({**lie_of(label, world.hexes[label], rules), "options": found, "said": said})
    return rows
