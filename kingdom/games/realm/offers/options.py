"""What a kingdom may do in the next turn as things stand now, as rows for a report: its limits, and of the candidate orders those
that its treasury can pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from kingdom.engine.names import words
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.hexmap import Lie, lie_of
from kingdom.games.realm.offers import candidates
from kingdom.games.realm.offers.abroad import (
    ArmyOffers,
    ExpeditionOffers,
    TradeOffers,
    army_offers,
    expedition_offers,
    trade_offers,
)
from kingdom.games.realm.rules.building_tables import AlwaysFree, FirstIsFree
from kingdom.games.realm.rules.kingdom_tables import EdictLevel
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import leadership_bonus, limits
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.land.ground import claim_cost, danger
from kingdom.games.realm.steps.shared import affordable, most_special_edicts
from kingdom.games.realm.steps.towns.buildings import price_of
from kingdom.games.realm.steps.towns.lots import find
from kingdom.games.realm.steps.towns.plan import Plan, lots_under
from kingdom.games.realm.steps.towns.settlements import district_cost
from kingdom.games.shared.memo import Memo


class LimitRow(TypedDict):
    """How many of something the turn allows."""

    what: str
    count: int


class Bonus(TypedDict):
    """The ruler's bonus, and to how many attributes it goes."""

    attributes: int
    bonus: int


class ClaimRow(Lie):
    """A hex that may be claimed."""

    price: int


class ImprovementRow(TypedDict):
    """An improvement: its word in orders, its name, its price."""

    order: str
    name: str
    price: int


class HexRow(Lie):
    """A hex with what may be built there; `said`: the same in a line."""

    options: list[ImprovementRow]
    said: str


class KindRow(TypedDict):
    """A building that may be built; half: at half its price."""

    price: int
    name: str
    order: str
    half: bool


class PriceRow(TypedDict):
    """The buildings of one price; `said` names them."""

    price: int
    kinds: list[KindRow]
    count: int
    said: str


class TownRow(TypedDict):
    """A settlement: what may be built in it but not in all, and the price of a further district or None."""

    name: str
    buildings: list[PriceRow]
    district: int | None


class LevelRow(TypedDict):
    """A level of an edict: whether it holds, and what it does."""

    word: str
    now: bool
    does: str


class EdictRow(TypedDict):
    """An edict with its levels."""

    name: str
    levels: list[LevelRow]


class Options(TypedDict):
    """What may be done in the next turn.

    outside: the buildings outside the limit. anywhere: the price of any hex for a kingdom without one. everywhere: the
    buildings that may be built in every settlement, where there are several.
    """

    size: int
    treasury: int
    limits: list[LimitRow]
    outside: list[str]
    leadership: Bonus
    claims: int
    anywhere: int | None
    claimable: list[ClaimRow]
    hexes: list[HexRow]
    everywhere: list[PriceRow]
    towns: list[TownRow]
    armies: ArmyOffers | None
    expeditions: ExpeditionOffers | None
    trade: TradeOffers | None
    levels: list[EdictRow]


class Affordable(Struct, frozen=True, order=True):
    """A building that may be built: its price in BP, its name, its word in orders, whether the price is half."""

    price: int
    name: str
    order: str
    half: bool


_levels: Memo[list[EdictRow]] = Memo()  # what is the same in many reports
_free: Memo[list[str]] = Memo()


# one list of all parts, each by its key
def options(seen: World, world: World, seat: str, rules: Rules) -> Options | None:
    """The limits of the next turn, the hexes that may be claimed, and what the treasury affords, each with its price.

    seen: what the seat knows (known.py); world: the kingdom as the next turn's orders find it (course.py).
    None where the next turn is one of anarchy.
    """
    kingdom = world.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == world.turn + 1:
        return None
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
        "anywhere": None
        if kingdom.hexes or kingdom.given_up
        else claim_cost(False, rules),  # any will do (ruling no_hexes)
        "claimable": list(_claimable(kingdom, world, rules)),
        "hexes": list(_improvable(kingdom, world, rules)),
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
    known = _free.get(id(rules))
    if known is not None:
        return known
    rows = [(record.name, effect) for record in rules.buildings.values() for effect in record.effects]
    first = [f"the first {name}" for name, effect in rows if isinstance(effect, FirstIsFree)]
    return _free.put(
        id(rules), rules, first + [f"every {name}" for name, effect in rows if isinstance(effect, AlwaysFree)]
    )


# --- the edicts


def levels(kingdom: Kingdom, rules: Rules) -> list[EdictRow]:
    """The three edicts, each with its levels, what they do, and which of them holds; remembered, for there are few."""
    key = (id(rules), kingdom.holiday, kingdom.promotion, kingdom.taxation)
    known = _levels.get(key)
    return known if known is not None else _levels.put(key, rules, _said_of_levels(kingdom, rules))


def _said_of_levels(kingdom: Kingdom, rules: Rules) -> list[EdictRow]:
    rows: dict[str, list[LevelRow]] = {}
    for category, word, level in candidates.edict_levels(rules):
        holds = getattr(kingdom, category) == word
        rows.setdefault(category, []).append({"word": words(word), "now": holds, "does": _does(level)})
    return [{"name": words(category).capitalize(), "levels": of} for category, of in rows.items()]


def _does(level: EdictLevel) -> str:
    points = [(account, getattr(level, account)) for account in ("economy", "loyalty", "stability", "consumption")]
    return ", ".join(f"{account.capitalize()} {by:+d}" for account, by in points if by)


# --- the land


def _claimable(kingdom: Kingdom, world: World, rules: Rules) -> Iterator[ClaimRow]:
    for label, _, cost in candidates.claims(kingdom, world, rules) if kingdom.hexes or kingdom.given_up else ():
        if affordable(kingdom, cost):
            yield {**lie_of(label, world.hexes[label], rules), "price": cost}


def _improvable(kingdom: Kingdom, world: World, rules: Rules) -> Iterator[HexRow]:
    """The held hexes in which an improvement may be built that the treasury can pay, with those improvements."""
    for label in sorted(kingdom.hexes):
        found: list[ImprovementRow] = [
            {"order": improving.word, "name": words(improving.word), "price": improving.cost}
            for improving in candidates.improvements(kingdom, label, world, rules)
            if improving.cost <= kingdom.treasury
        ]
        if found:
            said = ", ".join(f"{row['name']} {row['price']}" for row in found)
            yield {**lie_of(label, world.hexes[label], rules), "options": found, "said": said}


# --- the settlements


def _district(name: str, kingdom: Kingdom, world: World, rules: Rules) -> int | None:
    """The price of a further district where the settlement may have one and the treasury can pay it."""
    settlement = kingdom.settlements[name]
    price = district_cost(world.hexes, settlement, rules)
    return price if price <= kingdom.treasury and not danger(settlement.hex, kingdom, world.hexes) else None


def _buildings_in(name: str, kingdom: Kingdom, world: World, rules: Rules) -> set[Affordable]:
    """The buildings that the treasury can pay and that the settlement does not rule out.

    Whether one finds a lot is decided when it is ordered. A price is that of an order which names no lot, what was torn
    down on the lot that it would get included.
    """
    settlement = kingdom.settlements[name]
    if not candidates.is_open(settlement.hex, kingdom, world, rules):
        return set()
    plan = Plan(settlement.districts, settlement.buildings, rules, kingdom.blocked.get(name, ()))
    ruin, found = world.hexes[settlement.hex].ruin, set()
    for kind in candidates.kinds(plan):
        if plan.lacks(kind):
            continue
        place = find(plan, kind)[0] if settlement.rubble else None
        price = price_of(settlement, kind, rules, lots_under(place, rules) if place else (), ruin=ruin)
        if price.bp <= kingdom.treasury:
            found.add(Affordable(price.bp, rules.buildings[kind].name, kind, price.half is not None))
    return found


def _by_price(buildings: Iterable[Affordable]) -> list[PriceRow]:
    """The cheapest first; `said` names the kinds of a price."""
    found: list[PriceRow] = []
    for price, same in groupby(sorted(buildings), key=lambda building: building.price):
        kinds: list[KindRow] = [
            {"price": price, "name": kind.name, "order": kind.order, "half": kind.half} for kind in same
        ]
        said = ", ".join(f"{kind['name']} (half price)" if kind["half"] else kind["name"] for kind in kinds)
        found.append({"price": price, "kinds": kinds, "count": len(kinds), "said": said})
    return found
