"""What a table can't say: each effect code that changes a derived number has one function here."""

from __future__ import annotations

from msgspec import Struct

from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.kit.memo import remember
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules.building_tables import (
    BoostsMine,
    Effect,
    FarmsSaveMore,
    HalvesPromotion,
    HalvesTaxPenalty,
    StoresSurplus,
)
from kingdom.games.realm.rules.kingdom_tables import EdictLevel
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, in_service

EDICTS = ("holiday", "promotion", "taxation")
Standing = tuple[tuple[str, str, Effect], ...]  # (settlement, hex, effect) of effects that stand


class Source(NamedTuple):
    """One term of a derived number: `by` points of `account`, from `what`."""

    account: str
    by: int
    what: str


class _Sorted(Struct, frozen=True):
    """The effects that stand: all, those on which the benefits of land depend, and those that halve what edicts do, by kind."""

    all: Standing
    of_land: Standing
    halving: tuple[type, ...]


def standing(kingdom: Kingdom, rules: Rules) -> Standing:
    """(settlement, hex, effect) for every effect of every building that is in service and undamaged, in the order of building."""
    return _sorted(kingdom, rules).all


@remember(lambda kingdom, rules: ((kingdom.settlements, kingdom.damaged, rules), ()))
def _sorted(kingdom: Kingdom, rules: Rules) -> _Sorted:
    found = tuple(
        (name, settlement.hex, effect)
        for name, settlement in kingdom.settlements.items()
        for building in in_service(settlement)
        if building.lot not in kingdom.damaged.get(name, ())
        for effect in rules.buildings[building.id].effects
    )
    land = tuple(row for row in found if isinstance(row[2], (BoostsMine, FarmsSaveMore)))
    kinds = {type(effect) for _, _, effect in found}
    halving = tuple(kind for kind in (HalvesPromotion, HalvesTaxPenalty) if kind in kinds)
    return _Sorted(found, land, halving)


def has(kingdom: Kingdom, rules: Rules, kind: type) -> bool:
    """Whether a building with that effect stands."""
    return any(isinstance(effect, kind) for _, _, effect in standing(kingdom, rules))


def halving(kingdom: Kingdom, rules: Rules) -> tuple[type, ...]:
    """The kinds of standing effects that halve what edicts do, in a fixed order."""
    return _sorted(kingdom, rules).halving


def halved(points: int, rules: Rules) -> int:
    """Half, rounded toward 0. Ruling: halved_edicts."""
    half = abs(points) // rules.halved_edicts.divisor
    return half if points >= 0 else -half


def edict_levels(kingdom: Kingdom, rules: Rules) -> list[Source]:
    """What the maintenance edicts add, with the halvings of a cathedral and a waterfront."""
    halves = halving(kingdom, rules)
    return [row for category in EDICTS for row in _level(category, getattr(kingdom, category), halves, rules)]


@remember(lambda category, word, halves, rules: ((rules,), (category, word, halves)))
def _level(category: str, word: str, halves: tuple[type, ...], rules: Rules) -> list[Source]:
    """What a level of an edict adds; remembered, for there are few."""
    level: EdictLevel = getattr(rules.edicts, category)[word]
    rows: list[Source] = []
    for account in ("economy", "loyalty", "stability", "consumption"):
        by, what = getattr(level, account), f"{category} {word.replace('_', ' ')}"
        if not by:
            continue
        if category == "promotion" and account == "consumption" and HalvesPromotion in halves:
            by, what = halved(by, rules), f"{what}, halved (ruling halved_edicts)"
        if category == "taxation" and account == "loyalty" and by < 0 and HalvesTaxPenalty in halves:
            by, what = halved(by, rules), f"{what}, halved (ruling halved_edicts)"
        rows.append(Source(account, by, what))
    return rows


def of_land(kingdom: Kingdom, rules: Rules) -> Standing:
    """The standing effects on which the benefits of land depend."""
    return _sorted(kingdom, rules).of_land


def consumption_of(improvement: str, label: str, kingdom: Kingdom, rules: Rules) -> int:
    """What an improvement adds to Consumption; a farm near a stockyard takes more off."""
    consumption = rules.improvements[improvement].consumption
    if improvement != "farm":
        return consumption
    better = [
        effect.consumption
        for _, hex, effect in of_land(kingdom, rules)
        if isinstance(effect, FarmsSaveMore) and (hex == label or label in neighbours(hex))
    ]
    return min([consumption, *better])


def failed_crops(kingdom: Kingdom) -> tuple[tuple[str, int], ...]:
    """(hex, what each farm in or beside it takes off Consumption at most), for each crop failure that holds."""
    return tuple((each.hex, each.by) for each in kingdom.modifiers if each.account == "farms")


def with_failed_crops(consumption: int, improvement: str, label: str, kingdom: Kingdom) -> int:
    """What an improvement adds to Consumption where crops may have failed."""
    if improvement != "farm" or not kingdom.modifiers:
        return consumption
    most = [by for hex, by in failed_crops(kingdom) if hex == label or label in neighbours(hex)]
    return max([consumption, *(-by for by in most)])


def by_percent(consumption: int, kingdom: Kingdom) -> list[tuple[int, str]]:
    """(what is added to Consumption, why) where it is a percentage, one after another, rounded down."""
    rows = []
    for each in kingdom.modifiers:
        if each.account == "consumption_percent":
            more = consumption * each.by // 100 - consumption
            consumption += more
            rows.append((more, f"{each.text}: {each.by} %"))
    return rows


def has_river(label: str, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> bool:
    """Whether the hex has a river, or a canal, which counts as one. Ruling: canal."""
    if "river" in hexes[label].features or "canal" in hexes[label].features:
        return True
    return any(rules.improvements[name].feature == "canal" for name in kingdom.hexes.get(label, ()))


def boosted_mines(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> list[tuple[str, BoostsMine]]:
    """(what, effect) for each mine that a foundry boosts: joined to it by held hexes with a road or a river.

    The settlement's own hex needs neither. A mine is boosted once, the lowest label first.
    """
    rows: list[tuple[str, BoostsMine]] = []
    taken: set[str] = set()
    for name, home, effect in of_land(kingdom, rules):
        if not isinstance(effect, BoostsMine):
            continue
        joined = sorted(label for label in _joined(home, kingdom, hexes, rules) if "mine" in kingdom.hexes[label])
        for label in [label for label in joined if label not in taken][: effect.mines]:
            taken.add(label)
            rows.append((f"Mine in {label} joined to the Foundry of {name}", effect))
    return rows


def _joined(home: str, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> set[str]:
    """The held hexes that a road or river joins to `home`."""
    found, edge = {home}, [home]
    while edge:
        for label in neighbours(edge.pop()):
            if label in found or label not in kingdom.hexes:
                continue
            road = any(rules.improvements[name].is_road for name in kingdom.hexes[label])
            if road or has_river(label, kingdom, hexes, rules):
                found.add(label)
                edge.append(label)
    return found


def stores_room(kingdom: Kingdom, rules: Rules) -> int:
    """How many BP the granaries can keep together."""
    return sum(effect.bp for _, _, effect in standing(kingdom, rules) if isinstance(effect, StoresSurplus))
