"""What a seat may order of its armies and beyond its borders as things stand: recruits, marches, special edicts, trade."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

from kingdom.engine import names
from kingdom.engine.names import words
from kingdom.engine.offer import MAP, Offer
from kingdom.games.realm.armies import army_named, consumption, counts, march_points
from kingdom.games.realm.hexmap import DIRECTIONS, distance, neighbours, piers_of, step_along, ways
from kingdom.games.realm.offers import candidates
from kingdom.games.realm.offers.course import MARCH, MUSTER, Course
from kingdom.games.realm.offers.home_offers import made
from kingdom.games.realm.orders import ARMY_DEEDS
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Army, Kingdom, World
from kingdom.games.realm.steps.edicts import FREE, PROBLEMS, aid_cost, aid_problem, tied_for_aid
from kingdom.games.realm.steps.land.ground import borders
from kingdom.games.realm.steps.shared import USED, most_special_edicts
from kingdom.games.realm.steps.towns.settlements import SETTLEMENTS
from kingdom.games.realm.steps.trade.routes import known_to
from kingdom.games.realm.steps.war.movement import ATTACK, MONSTERS, army_problem, whole_way
from kingdom.games.realm.steps.war.muster import Muster, rules_of_armies
from kingdom.games.realm.steps.war.recruiting import muster_of
from kingdom.games.realm.types import Order
from kingdom.games.realm.visibility.sight import sees

if TYPE_CHECKING:
    from kingdom.games.realm.order_types import Armies, ArmiesArmy, SpecialAid

NEW_ARMY = "First Foot"  # of an army to be recruited, until who recruits it says another name
Told: TypeAlias = dict[str, str | int | list[str]]  # what an army is told, key by key
Edict: TypeAlias = tuple[dict[str, str | int], str, int]  # a special edict, its text, its BP
LEAVES_AT = (0, 25, 50, 75)  # percents of its hit points at which an army may be told to leave a battle


# --- armies at home


def musters(now: Course) -> Iterator[Offer]:
    """New armies, and what is done with those that stand in settlements."""
    if rules_of_armies(now.rules):
        kingdom = now.kingdom(MUSTER)
        yield from _recruits(now, kingdom)
        for name in sorted(kingdom.armies):
            for order, text in candidates.at_home(name, kingdom, now.rules):
                yield from _mustered(order, text, kingdom, now)


def _recruits(now: Course, kingdom: Kingdom) -> Iterator[Offer]:
    """Each unit in each size, first asked of one settlement: without resources the price is the same in all."""
    name, count, rules = NEW_ARMY, 1, now.rules
    while army_named(kingdom, name):
        count += 1
        name = f"{NEW_ARMY} {count}"
    left = limits(kingdom, rules).settlements - kingdom.used.get(SETTLEMENTS, 0)
    towns = sorted(kingdom.settlements)
    for size, unit, _, _ in candidates.recruits(left, rules) if towns else ():
        order = {"recruit": name, "size": size, "unit": unit, "from": towns[0]}
        first = next(_mustered(order, "", kingdom, now), None)
        if first is None:
            continue
        for town in towns:
            text = f"Recruit {words(size)} {rules.units[unit].name} in {town}"
            offer = made(MUSTER, {**order, "from": town}, text, "armies")
            yield offer._replace(costs=first.costs, uses=first.uses, effect=first.effect)


def _mustered(order: Order, text: str, kingdom: Kingdom, now: Course) -> Iterator[Offer]:
    muster = muster_of(kingdom, next(iter(order)), cast("Armies", order), now.rules)
    if isinstance(muster, Muster):
        costs = {"treasury": muster.cost} if muster.cost else {}
        eaten = _eaten(muster.armies, now) - _eaten(kingdom.armies, now)
        yield made(MUSTER, order, text, "armies", costs=costs, effect={"consumption": eaten} if eaten else {},
                   uses={SETTLEMENTS: muster.slots} if muster.slots else {})  # fmt: skip


def _eaten(armies: Mapping[str, Army], now: Course) -> int:
    """What these armies eat."""
    return sum(consumption(army, now.rules) for army in armies.values() if counts(army))


# --- armies on the march


def marches(now: Course) -> Iterator[Offer]:
    """For each army, one thing at a time: where it goes, what it does there, how it fights."""
    kingdom, world = now.kingdom(MARCH), now.world(MARCH)
    sent = {names.compared(order["army"]) for order in now.orders.get("armies", ()) if "move" in order}
    for name in sorted(kingdom.armies) if now.rules.movement else ():
        if army_problem(now.seat, kingdom, {"army": name}, world, now.rules):
            continue
        ends = candidates.reached(name, now.seat, kingdom, world, now.rules) if names.compared(name) not in sent else ()
        met = _met(kingdom.armies[name], now, kingdom, world) if ends else ()
        orders: list[tuple[Told, str]] = [
            ({"move": [label]}, f"{name} goes to {label}")
            for label in ends
            if label not in met and _arrives(name, label, now, kingdom, world)
        ]
        for told, text in [*orders, *_told(name, now, kingdom)]:
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


def _told(name: str, now: Course, kingdom: Kingdom) -> Iterator[tuple[Told, str]]:
    """What the army may be told to do and how to fight, one thing at a time."""
    army, rules = kingdom.armies[name], now.rules
    for deed in ARMY_DEEDS:
        yield {"then": deed}, f"{name}: {words(deed)}"
    for target in (MONSTERS, *(seat for seat in now.seen.kingdoms if seat != now.seat)):
        text = f"{name} attacks {target if target == MONSTERS else now.name_of(target)}"
        yield {"then": ATTACK, "target": target}, text
        if army.deed == ATTACK:
            yield {"target": target}, text
    for word in rules.strategies:
        yield {"strategy": word}, f"{name} fights {words(word)}"
    for word in candidates.tactics(army, rules):
        yield {"tactic": word}, f"{name} uses {rules.tactics[word].name}"
    for percent in LEAVES_AT:
        text = f"leaves a battle at {percent} % of its hit points" if percent else "never leaves a battle"
        yield {"withdraw": percent}, f"{name} {text}"


# --- special edicts and trade


def special(now: Course) -> Iterator[Offer]:
    """The special edicts that can still be issued and paid this turn; closing a route is none of them."""
    kingdom, world = now.kingdom("special"), now.world("special")
    rows: list[Edict] = [({"edict": "close_route", "route": key}, f"Close {key}", 0) for key in sorted(kingdom.routes)]
    if kingdom.used.get(USED, 0) < most_special_edicts(kingdom, now.rules)[0]:
        yield from _aid(now, kingdom, world)
        rows += [*_expeditions(now, kingdom), *_adventurers(now, kingdom), *_routes(now, kingdom, world)]
    for order, text, cost in rows:
        edict = str(order["edict"])
        if edict == "trade_route" or not PROBLEMS[edict](now.seat, kingdom, order, world, now.turn):
            yield _edict(order, text, cost)


def _edict(order: Order, text: str, cost: int) -> Offer:
    uses = {} if order["edict"] in FREE else {USED: 1}
    return made("special", order, text, costs={"treasury": cost} if cost else {}, uses=uses)


def _aid(now: Course, kingdom: Kingdom, world: World) -> Iterator[Offer]:
    near = borders(world)[now.seat] | tied_for_aid(kingdom, world, now.rules, foreseen=True)
    for other in sorted(near):
        for attribute in ATTRIBUTES:
            order: SpecialAid = {"edict": "aid", "to": other, "attribute": attribute}
            if not aid_problem(world, now.seat, kingdom, order, near, now.rules):
                cost = aid_cost(len(kingdom.hexes), now.rules)
                yield _edict(order, f"Send aid to {now.name_of(other)}, for {attribute.capitalize()}", cost)


def _expeditions(now: Course, kingdom: Kingdom) -> Iterator[Edict]:
    """A week toward each side, and each army as an escort."""
    if now.rules.exploration is None:
        return
    cost = now.rules.exploration.bp_per_week
    for town in sorted(kingdom.settlements):
        order: dict[str, str | int] = {"edict": "explore", "from": town, "weeks": 1}
        for way in DIRECTIONS:
            yield {**order, "toward": way}, f"Send an expedition from {town}, {way}", cost
        for army in sorted(kingdom.armies):
            with_army = {**order, "toward": DIRECTIONS[0], "escort": army}
            yield with_army, f"Send an expedition from {town} with {army}", cost


def _adventurers(now: Course, kingdom: Kingdom) -> Iterator[Edict]:
    """Against each monster that is known those who are its match, or the best that can be paid."""
    wages = now.rules.adventurers
    if wages is None:
        return
    most = kingdom.treasury // wages.bp_per_acr * wages.bp_per_acr
    for label, _, match in candidates.hunts(now.seen, now.rules):
        bp = max(wages.least_bp, min(most, match))
        yield {"edict": "adventurers", "bp": bp, "task": label}, f"Hire adventurers for {bp} BP against {label}", bp


def _routes(now: Course, kingdom: Kingdom, world: World) -> Iterator[Edict]:
    """Caravans to each free hex beside the land of another kingdom to which a way is known, and shares of routes."""
    ruling = now.rules.trade_route
    if ruling is None or not kingdom.settlements or kingdom.treasury < ruling.bp_per_turn:
        return
    land = known_to(world, now.turn.before, now.seat, now.rules)
    reach = candidates.free_to_go(now.seat, land, kingdom, now.rules)
    for other, ends in candidates.caravan_ends(land, now.seat, kingdom, _others(now), now.rules).items():
        for label in ends:
            if label in reach:
                text = f"Send a caravan to {now.name_of(other)}, to {label}"
                yield {"edict": "trade_route", "to": other, "hex": label}, text, ruling.bp_per_turn
    for other in candidates.founders(kingdom):
        text = f"Ask {now.name_of(other)} for a share of its route"
        yield {"edict": "share_route", "to": other}, text, ruling.bp_per_turn


def doors(now: Course) -> Iterator[Offer]:
    """Whose trade is let in."""
    for other in _others(now) if now.rules.trade is not None else ():
        if other not in now.orders.get("doors", {}):
            for door, does in (("open", "Open"), ("closed", "Close")):
                text = f"{does} the doors to the trade of {now.name_of(other)}"
                yield made("doors", (other, door), text, how=MAP)


def _others(now: Course) -> list[str]:
    """The other kingdoms in play that the seat knows of."""
    return [other for other, kingdom in now.seen.kingdoms.items() if other != now.seat and not kingdom.destroyed]


def smuggle(now: Course) -> Iterator[Offer]:
    """Across which borders goods may be smuggled."""
    for other in candidates.smuggled_to(now.seat, now.kingdom("smuggle"), now.world("smuggle"), now.rules):
        if other not in now.orders.get("smuggle", ()):
            yield made("smuggle", other, f"Smuggle goods to {now.name_of(other)}")
