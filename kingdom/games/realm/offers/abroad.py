"""What a report offers of armies, of unknown land and monsters, and of trade: prices, and of the candidate orders which there are."""

from __future__ import annotations

from itertools import groupby

from msgspec import Struct

from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.armies import acr, rating, resource_cost
from kingdom.games.realm.offers import candidates
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.steps.trade.routes import without_unseen
from kingdom.games.realm.steps.war.muster import rules_of_armies
from kingdom.games.shared.memo import Memo

# --- armies


class UnitPrice(TypedDict):
    """The units of one price."""

    price: int
    units: str


class SizeRow(TypedDict):
    """The sizes of armies with the same slots and prices."""

    sizes: str
    slots: int
    prices: list[UnitPrice]


class Equips(TypedDict):
    """The resources of a settlement."""

    name: str
    resources: str


class ArmyOffers(TypedDict):
    """What may be recruited. units: order word and ACR in the size `usual`; equips: the resources of each settlement with
    their prices in that size."""

    sizes: list[SizeRow]
    usual: str
    units: list[str]
    equips: list[Equips]


class Usual(Struct, frozen=True):
    """The usual size, order word and ACR in it of each unit, order word and price in it of each resource."""

    size: str
    units: list[str]
    resources: dict[str, str]


_usual_of: Memo[Usual] = Memo()  # what the rules alone decide
_sizes: Memo[list[SizeRow]] = Memo()  # of as many slots and BP


def army_offers(kingdom: Kingdom, rules: Rules) -> ArmyOffers | None:
    """What may be recruited by limit and treasury, and what equips armies where; None where nobody can be recruited."""
    if not rules_of_armies(rules) or not kingdom.settlements:
        return None
    sizes = _offered(limits(kingdom, rules).settlements, kingdom.treasury, rules)
    if not sizes:
        return None
    usual = _usual(rules)
    equips: list[Equips] = [
        {
            "name": name,
            "resources": ", ".join(usual.resources[word] for word in candidates.resources_in(name, kingdom, rules)),
        }
        for name in sorted(kingdom.settlements)
    ]
    return {"sizes": sizes, "usual": usual.size, "units": usual.units, "equips": equips}


def _usual(rules: Rules) -> Usual:
    """Remembered, for every kingdom has the same."""
    known = _usual_of.get(id(rules))
    if known is not None:
        return known
    usual = next(size for size, row in rules.army_sizes.items() if not row.steps)
    units = [f"{unit} {rating(acr(unit, usual, rules), rules)}" for unit, row in rules.units.items() if row.recruit]
    resources = {word: f"{word} {resource_cost(word, usual, rules)}" for word in rules.army_resources}
    return _usual_of.put(id(rules), rules, Usual(usual, units, resources))


def _offered(most: int, treasury: int, rules: Rules) -> list[SizeRow]:
    """The sizes that these slots allow, with the units that the treasury can pay; remembered, since many kingdoms ask the same."""
    key = (id(rules), most, treasury)
    known = _sizes.get(key)
    if known is not None:
        return known
    by_size = groupby(candidates.recruits(most, rules), key=lambda recruit: (recruit.size, recruit.slots))
    sizes = [(size, slots, _prices(list(same), treasury)) for (size, slots), same in by_size]
    rows: list[SizeRow] = []
    for (slots, prices), alike in groupby((row for row in sizes if row[2]), key=lambda row: row[1:]):
        rows.append({"sizes": ", ".join(size for size, *_ in alike), "slots": slots, "prices": prices})
    return _sizes.put(key, rules, rows)


def _prices(recruits: list[candidates.Recruit], treasury: int) -> list[UnitPrice]:
    """The units that the treasury can pay in one size, by price."""
    prices: dict[int, list[str]] = {}
    for recruit in recruits:
        prices.setdefault(recruit.cost, []).append(recruit.unit)
    return [
        {"price": price, "units": "any unit" if len(units) == len(recruits) else ", ".join(units)}
        for price, units in sorted(prices.items())
        if price <= treasury
    ]


# --- unknown land and monsters

_WEEKS = 2  # of the expedition that the form shows


class MonsterRow(TypedDict):
    """Monsters that are known; match: the BP of adventurers who are their match."""

    hex: str
    acr: int
    match: int


class ExpeditionOffers(TypedDict):
    """What expeditions and adventurers cost. per_week: BP; least, per_acr: BP of adventurers; weeks: of an expedition that
    can be paid."""

    per_week: int
    least: int
    per_acr: int
    monsters: list[MonsterRow]
    weeks: int
    treasury: int


def expedition_offers(kingdom: Kingdom, seen: World, rules: Rules) -> ExpeditionOffers | None:
    """What expeditions and adventurers cost, and the monsters that are known; None where none can be sent.

    seen: what the seat knows (known.py).
    """
    if rules.exploration is None or rules.adventurers is None or not kingdom.settlements:
        return None
    per_week = rules.exploration.bp_per_week
    return {
        "per_week": per_week,
        "least": rules.adventurers.least_bp,
        "per_acr": rules.adventurers.bp_per_acr,
        "monsters": [{"hex": label, "acr": acr, "match": match} for label, acr, match in candidates.hunts(seen, rules)],
        "weeks": min(_WEEKS, kingdom.treasury // per_week) if per_week else _WEEKS,
        "treasury": kingdom.treasury,
    }


# --- trade


class EndRow(TypedDict):
    """A kingdom to which a caravan may be sent, with the hexes where it may end."""

    seat: str
    name: str
    hexes: list[str]


class TradeOffers(TypedDict):
    """What may be done about trade routes. shares: the names of those of whose routes a share may be asked; sharing: their
    seats."""

    cost: int
    ends: list[EndRow]
    shares: list[str]
    sharing: list[str]


def trade_offers(seen: World, seat: str, kingdom: Kingdom, rules: Rules) -> TradeOffers | None:
    """What the report offers about trade as far as the treasury can pay it. seen: what the seat knows (known.py)."""
    if rules.trade_route is None or rules.trade is None:
        return None
    ends: dict[str, list[str]] = {}
    sharing: list[str] = []
    if kingdom.settlements and kingdom.treasury >= rules.trade_route.bp_per_turn:
        ends = candidates.caravan_ends(without_unseen(seen, rules), seat, kingdom, _known_land(seen, seat), rules)
        sought = {route.to for route in kingdom.routes.values() if route.shares}
        sharing = [other for other in candidates.founders(kingdom) if other not in sought]
    return {
        "cost": rules.trade_route.bp_per_turn,
        "ends": [{"seat": other, "name": seen.kingdoms[other].name, "hexes": hexes} for other, hexes in ends.items()],
        "shares": [seen.kingdoms[other].name for other in sharing],
        "sharing": sharing,
    }


def _known_land(seen: World, seat: str) -> list[str]:
    """The other kingdoms of whose land the seat knows something."""
    remembered = (sighting.holder for sighting in seen.kingdoms[seat].memory.values())
    return sorted({*owners(seen).values(), *remembered} - {seat, ""})
