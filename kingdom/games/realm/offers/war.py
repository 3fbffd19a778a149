"""What may be ordered of armies: recruiting, what is done with them at home, where they go and how they fight; surrender."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias, cast

from msgspec import Struct

from kingdom.engine import names
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.names import words
from kingdom.engine.offer import Offer
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.kit.memo import Memo
from kingdom.games.realm.armies import (
    acr,
    army_named,
    consumption,
    counts,
    escorts,
    march_points,
    rank,
    rating,
    resource_cost,
    standing_in,
)
from kingdom.games.realm.hexmap import distance, neighbours, piers_of, step_along, step_cost, ways
from kingdom.games.realm.offers.form_model import (
    Field,
    FormOffer,
    Ground,
    Option,
    field,
    fold,
    offer,
    options,
    slot,
    slots,
    table,
)
from kingdom.games.realm.offers.turn_preview import MARCH, MUSTER, Course, made
from kingdom.games.realm.orders.kind import KEPT, PIERS, held, paid, whole
from kingdom.games.realm.orders.words import ARMY_DEEDS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Army, Kingdom, World, replace
from kingdom.games.realm.steps.exploring.hazards import CLEAR, army_rating, chance
from kingdom.games.realm.steps.towns.construction import SETTLEMENTS
from kingdom.games.realm.steps.war.conquest import last_safe_turn
from kingdom.games.realm.steps.war.movement import ATTACK, GARRISON, HOSTILE, MONSTERS, army_problem, knows, whole_way
from kingdom.games.realm.steps.war.muster import KINDS, Muster, recruit_price, rules_of_armies, whole_price
from kingdom.games.realm.steps.war.recruiting import muster_of
from kingdom.games.realm.types import Order
from kingdom.games.realm.visibility.sight import sees

if TYPE_CHECKING:
    from kingdom.games.realm.orders.to_armies import Armies, ArmiesArmy


# --- what there is to order, whatever else is asked of it


MOST_AT_ONCE = 9  # resources alike that an army may get in one order


ArmyOrder: TypeAlias = dict[str, str | int]  # one order to an army in the long form


class Recruit(NamedTuple):
    """A new army without resources: the slots that it takes of the limit, and its price in BP."""

    size: str
    unit: str
    slots: int
    cost: int


_recruits_known: Memo[list[Recruit]] = Memo()


def recruits(most: int, rules: Rules) -> list[Recruit]:
    """Each unit in each size that these slots allow, size by size."""
    known = _recruits_known.get(id(rules))
    if known is None:
        units = [unit for unit, row in rules.units.items() if row.recruit]
        rows = [(size, row.slots, unit) for size, row in rules.army_sizes.items() for unit in units]
        known = [Recruit(size, unit, slots, recruit_price(unit, size, rules)) for size, slots, unit in rows]
        _recruits_known.put(id(rules), rules, known)
    return [recruit for recruit in known if recruit.slots <= most]


def resources_in(town: str, kingdom: Kingdom, rules: Rules) -> list[str]:
    """What an army can be equipped with in a settlement."""
    there = set(standing_in(kingdom, town))
    return [word for word, row in rules.army_resources.items() if not row.needs or not there.isdisjoint(row.needs)]


def at_home(name: str, kingdom: Kingdom, rules: Rules) -> Iterator[tuple[ArmyOrder, str]]:
    """(order, text) of all that may come to mind about an army in a settlement."""
    army = kingdom.armies[name]
    for size in rules.army_sizes:
        if rank(size, rules) > rank(army.size, rules):
            yield {"expand": name, "to": size}, f"Expand {name} to {words(size)}"
    for word, row in rules.army_resources.items():
        yield {"equip": name, "with": word}, f"Equip {name} with {row.name}"
        for count in range(2, MOST_AT_ONCE + 1) if row.one_size else ():
            yield {"equip": name, "with": word, "count": count}, f"Equip {name} with {count} {row.name}"
    yield {"repair": name}, f"Repair {name}"
    yield {"reserve": name}, f"Put {name} in reserve"
    yield {"disband": name}, f"Disband {name}"
    for other in sorted(kingdom.armies):
        if other != name:
            yield {"disband": name, "to": other}, f"Disband {name}, its resources to {other}"


def reached(name: str, seat: str, kingdom: Kingdom, world: World, rules: Rules) -> list[str]:
    """The hexes that the army reaches this turn over land that its kingdom knows, round monsters, the nearest first; and those
    beside it whatever is in them."""
    here = kingdom.armies[name].hex
    if rules.movement is None:
        return []
    known, piers = sees(world, seat, rules).union(kingdom.memory), piers_of(kingdom, rules)
    barred = {label for label, hex in world.hexes.items() if label not in known or hex.monsters}
    found = ways({here: 0}, march_points(kingdom.armies[name], rules), world, rules, barred, piers)
    near = [
        label
        for label in neighbours(here)
        if label not in found and step_cost(here, label, world, rules, piers) is not None
    ]
    return [label for label in sorted(found, key=lambda label: (found[label], label)) if label != here] + near


def tactics(army: Army, rules: Rules) -> list[str]:
    """The tactics that the army knows."""
    return [word for word in rules.tactics if knows(army, word, rules)]


# --- as offers

NEW_ARMY = "First Foot"  # of an army to be recruited, until who recruits it says another name
Told: TypeAlias = dict[str, str | int | list[str]]  # what an army is told, key by key
LEAVES_AT = (0, 25, 50, 75)  # percents of its hit points at which an army may be told to leave a battle


def musters(
    now: Course, armies: Iterable[str] | None = None, thinks_of: Callable[[str], bool] = lambda unit: True
) -> Iterator[Offer]:
    """New armies, and what is done with those that stand in settlements.

    armies: those that are looked at, "" for new ones; None for all. thinks_of: whether a unit is looked at.
    """
    kingdom = now.kingdom(MUSTER)
    every = ("", *sorted(kingdom.armies)) if armies is None else armies
    for name in every if rules_of_armies(now.rules) else ():
        for order, text in at_home(name, kingdom, now.rules) if name else ():
            yield from _mustered(order, text, kingdom, now)
        yield from _recruits(now, kingdom, {*filter(thinks_of, now.rules.units)}) if not name else ()


def _recruits(now: Course, kingdom: Kingdom, units: Container[str]) -> Iterator[Offer]:
    """Each of these units in each size, first asked of one settlement: without resources the price is the same in all."""
    name, count, rules = NEW_ARMY, 1, now.rules
    while army_named(kingdom, name):
        count += 1
        name = f"{NEW_ARMY} {count}"
    left = limits(kingdom, rules).settlements - kingdom.used.get(SETTLEMENTS, 0)
    towns = sorted(kingdom.settlements)
    for size, unit, _, _ in recruits(left, rules) if towns else ():
        order = {"recruit": name, "size": size, "unit": unit, "from": towns[0]}
        first = next(_mustered(order, "", kingdom, now), None) if unit in units else None
        if first is None:
            continue
        for town in towns:
            text = f"Recruit {words(size)} {rules.units[unit].name} in {town}"
            offer = made(MUSTER, {**order, "from": town}, text, "armies")
            yield offer._replace(costs=first.costs, uses=first.uses, effect=first.effect)


def _mustered(order: Order, text: str, kingdom: Kingdom, now: Course) -> Iterator[Offer]:
    muster = muster_of(kingdom, next(iter(order)), cast("Armies", order), now.rules)
    if isinstance(muster, Muster):
        had, has = (
            sum(consumption(army, now.rules) for army in armies.values() if counts(army))
            for armies in (kingdom.armies, muster.armies)
        )
        yield made(MUSTER, order, text, "armies", costs=paid(muster.cost), effect={"consumption": has - had} if has != had else {},
                   uses={SETTLEMENTS: muster.slots} if muster.slots else {})  # fmt: skip


def marches(now: Course, armies: Iterable[str] | None = None) -> Iterator[Offer]:
    """For each army, one thing at a time: where it goes, what it does there, how it fights. armies: None for all."""
    kingdom, world = now.kingdom(MARCH), now.world(MARCH)
    sent = {names.compared(order["army"]) for order in now.orders.get("armies", ()) if "move" in order}
    for name in (sorted(kingdom.armies) if armies is None else armies) if now.rules.movement else ():
        if army_problem(now.seat, kingdom, {"army": name}, world, now.rules):
            continue
        ends = reached(name, now.seat, kingdom, world, now.rules) if names.compared(name) not in sent else ()
        met = _met(kingdom.armies[name], now, kingdom, world) if ends else ()
        orders: list[tuple[Told, str]] = [
            ({"move": [label]}, f"{name} goes to {label}")
            for label in ends
            if label not in met and _arrives(name, label, now, kingdom, world)
        ]
        for told, text in [*orders, *_things_to_tell(name, now, kingdom)]:
            order = cast("ArmiesArmy", {"army": name, **told})
            if not army_problem(now.seat, kingdom, order, world, now.rules):
                yield made(MARCH, order, text, "armies")


def _met(army: Army, now: Course, kingdom: Kingdom, world: World) -> set[str]:
    """The hexes on the way to which an army may meet monsters: its own way leads round those alone whose hex is revealed."""
    here, points = army.hex, march_points(army, now.rules) if now.rules.movement else 0
    monsters = {label for label, hex in world.hexes.items() if hex.monsters}
    wild = {label for label in monsters - set(kingdom.revealed) if distance(here, label) <= points}
    if not wild:
        return set()
    land, piers = sees(world, now.seat, now.rules).union(kingdom.memory), piers_of(kingdom, now.rules)
    barred = {label for label in world.hexes if label not in land or label in monsters and label not in wild}
    spent = ways({here: 0}, points, world, now.rules, barred, piers)
    over = ways({label: spent[label] for label in wild if label in spent}, points, world, now.rules, barred, piers)
    return {label for label, far in over.items() if far <= spent[label] and label not in wild}


def _arrives(name: str, label: str, now: Course, kingdom: Kingdom, world: World) -> bool:
    """Whether the army gets to the hex beside it this turn; farther than the next hex the points decide, which are counted."""
    army = kingdom.armies[name]
    if label not in neighbours(army.hex):
        return True
    way = whole_way(now.seat, kingdom, name, [label], world, now.rules, foreseeing=True)
    return (
        not isinstance(way, tuple)
        and now.rules.movement is not None
        and step_along(way, 0, march_points(army, now.rules), world, now.rules) == 1
    )


def _things_to_tell(name: str, now: Course, kingdom: Kingdom) -> Iterator[tuple[Told, str]]:
    """What the army may be told to do and how to fight, one thing at a time."""
    army, rules = kingdom.armies[name], now.rules
    here = now.seen.hexes.get(army.hex)
    for deed in ARMY_DEEDS:
        more = ""
        if deed == CLEAR and rules.hazards and here and here.hazard:
            more = f" {army.hex} ({here.hazard}), {chance(army_rating(army, rules), here, rules)} % a turn"
        yield {"then": deed}, f"{name}: {words(deed)}{more}"
    for target in (MONSTERS, *(seat for seat in now.seen.kingdoms if seat != now.seat)):
        text = f"{name} attacks {target if target == MONSTERS else now.name_of(target)}"
        yield {"then": ATTACK, "target": target}, text
        if army.deed == ATTACK:
            yield {"target": target}, text
    for word in rules.strategies:
        yield {"strategy": word}, f"{name} fights {words(word)}"
    for word in tactics(army, rules):
        yield {"tactic": word}, f"{name} uses {rules.tactics[word].name}"
    for percent in LEAVES_AT:
        text = f"leaves a battle at {percent} % of its hit points" if percent else "never leaves a battle"
        yield {"withdraw": percent}, f"{name} {text}"


# --- in the form


def army_forms(ground: Ground) -> list[FormOffer]:
    """A form for a new army, the orders to those that stand at home, and one form for where they go."""
    if not rules_of_armies(ground.rules):
        return []
    return [*_recruit_form(ground), *_home_forms(ground), *_march_forms(ground)]


def _recruit_form(ground: Ground) -> Iterator[FormOffer]:
    rules, kingdom = ground.rules, ground.kingdom
    most, purse = limits(kingdom, rules).settlements, max(0, kingdom.treasury)
    units = [unit for unit, row in rules.units.items() if row.recruit]
    found = [recruit for recruit in recruits(most, rules) if recruit.cost <= purse]
    prices = {f"{size}|{unit}": cost for size, unit, _, cost in found}
    if not prices or not kingdom.settlements:
        return
    sizes = list(dict.fromkeys(recruit.size for recruit in found))
    towns = sorted(kingdom.settlements)
    resources = {name: resources_in(name, kingdom, rules) for name in towns}
    every = sorted({word for found in resources.values() for word in found}, key=list(rules.army_resources).index)
    bare = {size: Army(units[0], size, "", 0) for size in sizes}
    extra = {
        f"{size}|{word}": whole_price(replace(army, resources={word: 1}), rules) - whole_price(army, rules)
        if rules.recruit_cost
        else 0
        for size, army in bare.items()
        for word in every
    }  # what a resource adds to the price
    yield offer(
        "recruit", "armies", "armies", {"recruit": slot("name"), "size": slot("size"), "unit": slot("unit"), "from": slot("from"), "with": [slot("with")]}, "Recruit an army",
        fields=[
            field("name", "Its name", "text", most=60, unlike=[fold(name) for name in kingdom.armies]),
            field("size", "Size", "choice", options=options((size, words(size)) for size in sizes)),
            field("unit", "Unit", "choice", options=options((unit, rules.units[unit].name) for unit in units)),
            field("from", "In", "choice", options=options((name, name) for name in towns)),
            field("with", "With", "choice", none="nothing", options=[
                {"value": word, "text": rules.army_resources[word].name, "when": {"from": [name for name in towns if word in resources[name]]}}
                for word in every
            ]),
        ],
        tables=[table("treasury", ("size", "unit"), prices, strict=True), table("treasury", ("size", "with"), extra),
                table(SETTLEMENTS, ("size",), {size: rules.army_sizes[size].slots for size in sizes})],
        needs_of={"with": {word: [[whole(kingdom.settlements[name].hex)] for name in towns] for word in every}, "from": {name: [[held(kingdom.settlements[name].hex)]] for name in towns}},
        takes=[slots("army {name}")],
    )  # fmt: skip


def _home_forms(ground: Ground) -> Iterator[FormOffer]:
    """Every order to an army in a settlement that would be carried out; one for each army, since they change each other."""
    rules, kingdom = ground.rules, ground.kingdom
    stays = rules.muster is not None and rules.muster.waits
    for name, army in sorted(kingdom.armies.items()):
        for order, text in at_home(name, kingdom, rules) if not escorts(kingdom, name) else ():
            kind = next(iter(order))
            found, ends = KINDS[kind](kingdom, order, rules), kind == "disband"
            if not isinstance(found, Muster) or found.cost > max(0, kingdom.treasury):
                continue
            if ends and "to" in order and not army.resources:
                continue  # nothing would be handed on
            takes = [f"muster {name}"]
            if kind == "reserve" or ends or stays:
                takes += [f"march {name}"]
            if kind == "reserve" or kind == "expand" and army.reserve:
                takes += [f"room {army.hex}"]
            if ends and "to" in order:
                takes += [f"muster {order['to']}"]
            yield offer(" ".join(map(str, order.values())) + f" {kind}", "armies", "armies", order, text,
                        more="its resources are sold" if ends and "to" not in order else "", group=name,
                        costs={"treasury": max(0, found.cost), SETTLEMENTS: found.slots},
                        needs=[] if ends else [[held(army.hex)], [whole(army.hex)]], takes=takes, ends=[KEPT] if ends else [])  # fmt: skip


def _march_forms(ground: Ground) -> Iterator[FormOffer]:
    """For each army that may be ordered about one form of all that it may be told."""
    kingdom = ground.kingdom
    for name, army in sorted(kingdom.armies.items()) if ground.rules.movement else ():
        if army_problem(ground.seat, kingdom, {"army": name}, ground.world, ground.rules):
            continue
        told = {word: slot(word) for word in ("then", "target", "strategy", "tactic", "withdraw")}
        yield offer(f"march {name}", "march", "armies", {"army": name, "move": [slot("to")], **told}, f"Order {name}",
                    more=f"{words(army.size)} {ground.rules.units[army.unit].name}, in {army.hex}", fields=_march_fields(name, ground),
                    takes=[f"march {name}"], needs=[[PIERS], [KEPT]], any_of=["to", "then", "strategy", "tactic", "withdraw"])  # fmt: skip


def _march_fields(name: str, ground: Ground) -> list[Field]:
    """The fields of what an army may be told: where to go, what to do there, how to fight."""
    rules, army = ground.rules, ground.kingdom.armies[name]
    ends = reached(name, ground.seat, ground.kingdom, ground.world, rules)
    targets = [(MONSTERS, "monsters")] + [
        (seat, ground.name_of(seat)) for seat in ground.near if not ground.world.kingdoms[seat].destroyed
    ]
    deeds = list[Option]()  # where it stands, or only where it marches to first
    for deed in ARMY_DEEDS:
        if deed == CLEAR:
            deeds += _clearing(name, ends, ground)
            continue
        here = not army_problem(ground.seat, ground.kingdom, {"army": name, "then": deed}, ground.world, rules)
        if here or (ends and not (army.routed and deed in HOSTILE)):
            ends_safety = deed in HOSTILE and last_safe_turn(ground.kingdom, rules) > ground.seen.turn
            more = " (against a kingdom it ends your safe turns)" if ends_safety else ""
            row: Option = {"value": deed, "text": words(deed) + more}
            deeds.append(row if here else {**row, "when": {"to": ends}})
    return [
        field("to", "Go to", "choice", options=options((label, label) for label in ends), on_map=True, none=f"stay in {army.hex}"),
        field("then", "Then", "choice", options=deeds, none=f"as now: {words(army.deed or GARRISON)}"),
        field("target", "Target", "choice", options=[{"value": word, "text": text, "when": {"then": [ATTACK]}} for word, text in targets],
              none="whoever holds the place"),
        field("strategy", "Strategy", "choice", options=options((word, words(word)) for word in rules.strategies), none="as now"),
        field("tactic", "Tactic", "choice", none="as now",
              options=options((word, rules.tactics[word].name) for word in tactics(army, rules))),
        field("withdraw", "Leave a battle at percent of its hit points", "number", least=0, most=99, none="as now"),
    ]  # fmt: skip


def _clearing(name: str, ends: list[str], ground: Ground) -> list[Option]:
    """The deed `clear` with its odds, where the army is or marches to a hazard that is known; none without one."""
    army, rules = ground.kingdom.armies[name], ground.rules
    odds: dict[str, int] = {}
    for label in dict.fromkeys([army.hex, *ends]):
        order: ArmiesArmy = {"army": name, "move": [label] if label != army.hex else [], "then": CLEAR}
        if not army_problem(ground.seat, ground.kingdom, order, ground.world, rules):
            odds[label] = chance(army_rating(army, rules), ground.seen.hexes[label], rules)
    if not odds:
        return []
    text = f"{words(CLEAR)} ({', '.join(f'{label}: {percent} % a turn' for label, percent in odds.items())})"
    if army.hex in odds:
        return [{"value": CLEAR, "text": text, "unless": {"to": [label for label in ends if label not in odds]}}]
    return [{"value": CLEAR, "text": text, "when": {"to": list(odds)}}]


# --- in a report


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
        {"name": name, "resources": ", ".join(usual.resources[word] for word in resources_in(name, kingdom, rules))}
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
    sizes: list[tuple[str, int, list[UnitPrice]]] = []
    by_size = groupby(recruits(most, rules), key=lambda recruit: (recruit.size, recruit.slots))
    for (size, taken), same in by_size:
        alike, units = list(same), dict[int, list[str]]()
        for recruit in alike:
            units.setdefault(recruit.cost, []).append(recruit.unit)
        prices: list[UnitPrice] = [
            {"price": price, "units": "any unit" if len(named) == len(alike) else ", ".join(named)}
            for price, named in sorted(units.items())
            if price <= treasury
        ]
        sizes += [(size, taken, prices)] if prices else []
    rows: list[SizeRow] = []
    for (taken, prices), rest in groupby(sizes, key=lambda row: row[1:]):
        rows.append({"sizes": ", ".join(size for size, *_ in rest), "slots": taken, "prices": prices})
    return _sizes.put(key, rules, rows)
