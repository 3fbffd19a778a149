"""Derived numbers: what each attribute, Consumption and the secondary attributes are made of, source by source; what the size allows.

`sources` is the one place where they are worked out; `accounts` sums it, so what a report explains is what the books hold.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from kingdom.engine.ledger import summed
from kingdom.games.kit.memo import Grounds, Memo, remember
from kingdom.games.realm import effects
from kingdom.games.realm.armies import called, consumption, counts
from kingdom.games.realm.effects import Source
from kingdom.games.realm.rules.kingdom_tables import Limits
from kingdom.games.realm.rules.land_tables import Every
from kingdom.games.realm.rules.rules import ATTRIBUTES, SECONDARY, Rules
from kingdom.games.realm.rules.types import Modifiers, SettlementModifiers, in_force
from kingdom.games.realm.state import Hex, Kingdom, Route, Settlement, in_service

DERIVED = ("economy", "loyalty", "stability", "consumption", "vigilance", "debauchery", "opulence")
ACCOUNTS = ("treasury", "unrest", "size", *DERIVED, "stores")
HIDDEN_FEATURES = ("resource", "lair")


class _Part(Struct, frozen=True):
    """Sources and their sums."""

    sources: tuple[Source, ...]
    sums: dict[str, int]


_accounts: Memo[tuple[dict[str, Hex], dict[str, int]]] = Memo()


def leadership_bonus(size: int, rules: Rules) -> tuple[int, int]:
    """(to how many attributes, how much) the leadership bonus is at that size. Rules: Edict step 1."""
    ruling = rules.leadership_default
    count = len(ATTRIBUTES) if size >= ruling.all_from else 2 if size >= ruling.two_from else 1
    beyond = max(0, size - ruling.all_from)
    return count, ruling.bonus + beyond // ruling.step * ruling.per_step


def led(kingdom: Kingdom, rules: Rules) -> tuple[str, ...]:
    """The attributes that the leadership bonus now goes to. Ruling: leadership_default."""
    count, _ = leadership_bonus(kingdom.edict_size, rules)
    if count == len(ATTRIBUTES):
        return ATTRIBUTES
    return (kingdom.leadership or (rules.leadership_default.first,))[:count]


def districts(kingdom: Kingdom) -> int:
    """The districts of all settlements."""
    return sum(len(settlement.districts) for settlement in kingdom.settlements.values())


def control_dc(kingdom: Kingdom, rules: Rules) -> int:
    """What a check must reach. Ruling: control_dc."""
    ruling = rules.control_dc
    return ruling.base + ruling.per_size * len(kingdom.hexes) + ruling.per_district * districts(kingdom)


def limits(kingdom: Kingdom, rules: Rules) -> Limits:
    """How many claims, improvements, settlements and buildings the kingdom may have this turn. Ruling: caps_at_start."""
    return next(row for row in rules.improvement_limits if row.size is None or kingdom.edict_size <= row.size)


def final_size(kingdom: Kingdom, rules: Rules) -> int:
    """The size that final standings count, as if the campaign ended now. Ruling: final_size."""
    now = len(kingdom.hexes)
    return min(now, kingdom.sizes[0]) if rules.final_size and kingdom.sizes else now


def features_of(label: str, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> tuple[str, ...]:
    """The features that count for the kingdom in a hex that it holds: the visible, the revealed and the built."""
    hex = hexes[label]
    found = hex.features
    for improvement in kingdom.hexes.get(label, ()):
        built = rules.improvements[improvement].feature
        if built and built not in hex.features:
            found += (built,)
    if label in kingdom.revealed:
        for name in HIDDEN_FEATURES:
            if getattr(hex, name):
                found += (name,)
    return found


def split(amount: int, sharers: int) -> tuple[int, int]:
    """(the founder's part, the part of each sharer): even, rounded down; the founder gets the rest."""
    each = amount // (sharers + 1)
    return amount - sharers * each, each


def route_consumption(route: Route, rules: Rules) -> int:
    """What an open route, or the share of one, adds to the Consumption of the kingdom on whose sheet it stands."""
    founders, sharers = split(in_force(rules.trade_route).consumption, len(route.sharers))
    return sharers if route.shares else founders


def sources(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> tuple[Source, ...]:
    """Every term of every derived account; those of an account sum to its number."""
    rows = [*_rest(kingdom, rules).sources, *_abroad(kingdom, rules).sources]
    for name, settlement in kingdom.settlements.items():
        rows += of_settlement(name, settlement, rules, kingdom.damaged.get(name, ())).sources
    rows += _land(kingdom, hexes, rules).sources
    raw = sum(row.by for row in rows if row.account == "consumption")
    if raw < 0:
        rows.append(Source("consumption", -raw, "never below 0"))
    rows += [Source("consumption", by, text) for by, text in effects.by_percent(max(0, raw), kingdom)]
    return tuple(rows)


def accounts(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> dict[str, int]:
    """Account -> balance, for every account of a kingdom. Attributes are without Unrest; treasury and stores in BP."""
    key = (id(kingdom), id(rules))
    known = _accounts.get(key)
    if known is not None and same_land(kingdom, known[0], hexes):
        return known[1]
    sums = dict.fromkeys(DERIVED, 0)
    damaged = kingdom.damaged
    parts = [of_settlement(name, each, rules, damaged.get(name, ())) for name, each in kingdom.settlements.items()]
    for part in (_rest(kingdom, rules), _abroad(kingdom, rules), _land(kingdom, hexes, rules), *parts):
        for account, by in part.sums.items():
            sums[account] += by
    sums["consumption"] = max(0, sums["consumption"])
    sums["consumption"] += sum(by for by, _ in effects.by_percent(sums["consumption"], kingdom))
    result = {
        "treasury": kingdom.treasury, "unrest": kingdom.unrest, "size": len(kingdom.hexes), **sums, "stores": kingdom.stores,
    }  # fmt: skip
    return _accounts.put(key, (kingdom, rules), (hexes, result))[1]


def same_land(kingdom: Kingdom, one: dict[str, Hex], other: dict[str, Hex]) -> bool:
    """Whether the hexes that the kingdom holds are the same in both: what changed elsewhere on the map is nothing to it."""
    return one is other or all(one[label] is other[label] for label in kingdom.hexes)


def raw_consumption(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> int:
    """Consumption before it is cut off at 0: below 0 where farms save more than is eaten."""
    rows = [*_rest(kingdom, rules).sources, *_abroad(kingdom, rules).sources, *_land(kingdom, hexes, rules).sources]
    return sum(row.by for row in rows if row.account == "consumption")


def tax_bp(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> list[tuple[str, int]]:
    """What a successful Economy check adds: (what, BP) of each mine, quarry, sawmill and what boosts them."""
    rows = []
    for label, built in kingdom.hexes.items():
        boost = sum(rules.features[name].boosts for name in features_of(label, kingdom, hexes, rules))
        for name in built:
            improvement = rules.improvements[name]
            if improvement.tax_bp:
                more = boost if improvement.boosted else 0
                rows.append((f"{improvement.name} in {label}", improvement.tax_bp + more))
    rows += [(what, effect.tax_bp) for what, effect in effects.boosted_mines(kingdom, hexes, rules)]
    return rows


def _primary(modifiers: Modifiers, what: str) -> list[Source]:
    return [Source(name, by, what) for name in ATTRIBUTES if (by := getattr(modifiers, name))]


def _secondary(modifiers: SettlementModifiers, what: str) -> list[Source]:
    return [
        Source(account, by, f"{what} ({name})")
        for name, account in SECONDARY.items()
        if (by := getattr(modifiers, name))
    ]


def _behind_the_rest(kingdom: Kingdom, rules: Rules) -> Grounds:
    """What may be made anew in each foreseen turn, and is the same, counts by equality."""
    edicts = (kingdom.holiday, kingdom.promotion, kingdom.taxation, effects.halving(kingdom, rules))
    sizes = (len(kingdom.hexes), districts(kingdom), kingdom.edict_size)
    chosen = (kingdom.leadership, kingdom.alignment, kingdom.government, edicts)
    return (rules,), (sizes, chosen, tuple(kingdom.attributes.items()), kingdom.modifiers)


@remember(_behind_the_rest)
def _rest(kingdom: Kingdom, rules: Rules) -> _Part:
    """What depends on neither land nor buildings, but for size, districts and what halves an edict."""
    size, count = len(kingdom.hexes), districts(kingdom)
    rows = list(_character(kingdom, rules))
    rows += [Source(name, by, "the kingdom's own") for name, by in kingdom.attributes.items() if by]
    bonus = leadership_bonus(kingdom.edict_size, rules)[1]
    if bonus and not any(each.account == "unled" for each in kingdom.modifiers):
        rows += [Source(name, bonus, "leadership") for name in led(kingdom, rules)]
    rows += effects.edict_levels(kingdom, rules)
    rows += [Source(each.account, each.by, each.text) for each in kingdom.modifiers if each.account in DERIVED]
    if size:
        rows.append(Source("consumption", size * rules.consumption.per_size, f"size {size}"))
    if count:
        rows.append(
            Source("consumption", count * rules.consumption.per_district, f"{count} district{'s' if count > 1 else ''}")
        )
    return _part_of(rows)


@remember(lambda kingdom, rules: ((rules,), (kingdom.alignment, kingdom.government)))
def _character(kingdom: Kingdom, rules: Rules) -> list[Source]:
    """What alignment and government add."""
    rows: list[Source] = []
    if kingdom.alignment:
        alignment = rules.alignments[kingdom.alignment]
        rows += _primary(alignment.kingdom, f"{alignment.name} (alignment)")
    if kingdom.government:
        government = rules.governments[kingdom.government]
        rows += _primary(government.kingdom, f"{government.name} (government)")
        rows += _secondary(government.settlement, f"{government.name} (government)")
    return rows


@remember(lambda kingdom, rules: ((kingdom.armies, kingdom.routes, rules), ()))
def _abroad(kingdom: Kingdom, rules: Rules) -> _Part:
    """What armies and trade routes eat."""
    rows: list[Source] = []
    if rules.army_figures:
        rows += [
            Source("consumption", consumption(army, rules), f"{name} ({called(army, rules)})")
            for name, army in kingdom.armies.items()
            if counts(army)
        ]
    rows += [
        Source("consumption", route_consumption(route, rules), f"{name}, {'from' if route.shares else 'to'} {route.to}")
        for name, route in kingdom.routes.items()
        if route.open
    ]
    return _part_of(rows)


def _part_of(rows: list[Source]) -> _Part:
    return _Part(tuple(rows), summed((account, by) for account, by, _ in rows))


@remember(lambda name, settlement, rules, damaged: ((settlement, rules), (name, damaged)))
def of_settlement(name: str, settlement: Settlement, rules: Rules, damaged: tuple[str, ...]) -> _Part:
    """What a settlement adds, its buildings that serve and are undamaged one by one."""
    rows: list[Source] = []
    for building in in_service(settlement):
        if building.lot in damaged:
            continue
        kind = rules.buildings[building.id]
        what = f"{kind.name}, {name} {building.lot}"
        rows += _primary(kind.kingdom, what)
        rows += _secondary(kind.settlement, what)
    return _part_of(rows)


def _behind_the_land(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> Grounds:
    """Of the map only what is held: a change elsewhere changes nothing here."""
    held = map(hexes.__getitem__, kingdom.hexes)
    return (kingdom.hexes, kingdom.revealed, rules, *held), _extras(kingdom, rules)


@remember(_behind_the_land)
def _land(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> _Part:
    rows: list[Source] = []
    for label, built in kingdom.hexes.items():
        rows += of_hex(label, built, kingdom, hexes, rules)
    rows += _by_number_of_hexes(kingdom, hexes, rules)
    rows += [Source("economy", effect.economy, what) for what, effect in effects.boosted_mines(kingdom, hexes, rules)]
    return _part_of(rows)


def _extras(kingdom: Kingdom, rules: Rules) -> tuple[effects.Standing, tuple[tuple[str, int], ...]]:
    """What acts on the land besides what lies and stands there."""
    return effects.of_land(kingdom, rules), effects.failed_crops(kingdom) if kingdom.modifiers else ()


@remember(
    lambda label, built, kingdom, hexes, rules: (
        (built, hexes[label], rules),
        (label, label in kingdom.revealed, _extras(kingdom, rules)),
    )
)
def of_hex(label: str, built: tuple[str, ...], kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> list[Source]:
    """What one hex adds; remembered, for of all that is held as a rule one hex changed."""
    rows: list[Source] = []
    features = [rules.features[name] for name in features_of(label, kingdom, hexes, rules)]
    boost = sum(feature.boosts for feature in features)
    saves = sum(feature.saves for feature in features)
    road = any(rules.improvements[name].is_road for name in built)
    for feature in features:
        rows += _primary(feature.kingdom, f"{feature.name} in {label}")
        if road:
            rows += _primary(feature.with_road, f"{feature.name} with a road in {label}")
    for name in built:
        improvement = rules.improvements[name]
        what = f"{improvement.name} in {label}"
        for account, by, _ in _primary(improvement.kingdom, what):
            rows.append(Source(account, by + (boost if improvement.boosted else 0), what))
        consumption = effects.consumption_of(name, label, kingdom, rules) - (saves if improvement.saves_more else 0)
        consumption = effects.with_failed_crops(consumption, name, label, kingdom)
        if consumption:
            rows.append(Source("consumption", consumption, what))
    return rows


def _by_number_of_hexes(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> list[Source]:
    """Points for every few hexes with roads, and, counted apart, with a river (a canal counts as one)."""
    found = _counted(kingdom, hexes, rules)
    return [
        Source(every.attribute, found[what] // every.every, f"{found[what]} hexes with a {what}")
        for what, rows in per_hexes(rules).items()
        for every in rows
        if found[what] >= every.every
    ]


def per_hexes(rules: Rules) -> dict[str, tuple[Every, ...]]:
    """What hexes are counted by -> the points for every few of them."""
    return {"road": rules.roads.per_hexes, "river": rules.features["river"].per_hexes}


def _counted(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> dict[str, int]:
    """How many hexes of the kingdom are counted, by the words of `per_hexes`."""
    found = dict.fromkeys(per_hexes(rules), 0)
    for label in kingdom.hexes:
        for what, is_one in counted_as(label, kingdom, hexes, rules).items():
            found[what] += is_one
    return found


def counted_as(label: str, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> dict[str, bool]:
    """Whether a hex of the kingdom is one of those that are counted, by the words of `per_hexes`."""
    road = any(rules.improvements[name].is_road for name in kingdom.hexes[label])
    return {"road": road, "river": effects.has_river(label, kingdom, hexes, rules)}


def figures(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> dict[str, int]:
    """Counter -> how it stands. Attributes are without Unrest, and without the points for every few hexes of a kind."""
    numbers, found = accounts(kingdom, hexes, rules), _counted(kingdom, hexes, rules)
    by_number = summed((each.account, each.by) for each in _by_number_of_hexes(kingdom, hexes, rules))
    values = {name: numbers[name] - by_number.get(name, 0) for name in ATTRIBUTES}
    return {**values, "unrest": kingdom.unrest, "size": len(kingdom.hexes), "districts": districts(kingdom), **found}


def difference(then: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """By how much each figure changes."""
    return {name: by for name in {**now, **then} if (by := then.get(name, 0) - now.get(name, 0))}
