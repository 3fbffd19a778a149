"""The result of an order that makes, changes or ends an army: a Muster, or why it is refused. Edict step 6.

Rulings: recruit_cost, reserves, army_figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kingdom.engine.refusal import Refusal
from kingdom.games.kit.memo import remember
from kingdom.games.realm.armies import (
    acr,
    army_named,
    called,
    consumption,
    escorts,
    full_hp,
    has_room,
    home_of,
    in_reserve,
    rank,
    resource_cost,
    rooms,
    standing_in,
)
from kingdom.games.realm.rules.building_tables import ArmyTactic
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, Kingdom, replace
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.steps.war.battle_sides import side_of_army

if TYPE_CHECKING:
    from kingdom.games.realm.orders.to_armies import (
        ArmiesDisband,
        ArmiesEquip,
        ArmiesExpand,
        ArmiesRecruit,
        ArmiesRepair,
        ArmiesReserve,
    )


class Muster(Struct, frozen=True):
    """The result of an order about an army. armies: all armies of the kingdom afterwards. cause, detail: the entry in the
    ledger.

    cost: BP, below 0 where something is sold. slots: how many of the turn's new settlements it uses up, by the improvement
    table. ruling: the ruling that decided.
    """

    armies: dict[str, Army]
    cause: str
    detail: str
    cost: int = 0
    slots: int = 0
    ruling: str = "recruit_cost"


def rules_of_armies(rules: Rules) -> bool:
    """Whether armies are played by these rules."""
    return rules.army_figures is not None and rules.recruit_cost is not None and rules.reserves is not None


def recruit(kingdom: Kingdom, order: ArmiesRecruit, rules: Rules) -> Muster | Refusal:
    """Recruit a new army in a settlement for its price and that of its resources."""
    name, unit, size = order["recruit"], order["unit"], order["size"]
    if refusal := _not_recruited(kingdom, order, rules):
        return refusal
    home = settlement_named(kingdom, order["from"])
    army = Army(unit, size, kingdom.settlements[home].hex, 0, resources=_counted(order.get("with") or ()))
    army = replace(army, hp=full_hp(army, rules), tactics=tactics_of_recruits(kingdom, home, army, rules))
    army = _mustered(army, rules)  # a new one
    cost = whole_price(army, rules)
    equipped = f" with {_listed(army.resources, rules)}" if army.resources else ""
    detail = f"{name}: {called(army, rules)}{equipped}, in {home}"
    return Muster({**kingdom.armies, name: army}, "recruit", detail, cost, rules.army_sizes[size].slots)


def _not_recruited(kingdom: Kingdom, order: ArmiesRecruit, rules: Rules) -> Refusal | None:
    name, unit, home = order["recruit"], order["unit"], settlement_named(kingdom, order["from"])
    if taken := army_named(kingdom, name):
        return Refusal("recruit_name_taken", {"name": taken})
    if not rules.units[unit].recruit:
        known = ", ".join(word for word, each in rules.units.items() if each.recruit)
        return Refusal("recruit_unit", {"unit": unit, "known": known})
    if not home:
        return Refusal("recruit_settlement", {"name": order["from"], "known": ", ".join(kingdom.settlements) or "none"})
    for resource, count in _counted(order.get("with") or ()).items():
        if count > 1 and not rules.army_resources[resource].one_size:
            return Refusal("equip_has", {"name": name, "resource": rules.army_resources[resource].name})
        if missing := _not_equipped(kingdom, home, resource, rules):
            return missing
    return None


@remember(lambda rules: ((rules,), ()))
def bare_armies(rules: Rules) -> dict[tuple[str, str], tuple[int, int]]:
    """(size, unit) of each army that can be recruited -> (BP of it, its Consumption in a turn), without resources."""
    bare = {
        (size, unit): Army(unit, size, "", 0)
        for size in rules.army_sizes
        for unit in rules.units
        if rules.units[unit].recruit
    }
    return {kind: (whole_price(army, rules), consumption(army, rules)) for kind, army in bare.items()}


def whole_price(army: Army, rules: Rules) -> int:
    """BP of a new army with its resources: by its ACR, or by a turn's Consumption in rules that don't price by ACR."""
    ruling, rating = in_force(rules.recruit_cost), acr(army.unit, army.size, rules)
    own = max(ruling.least, int(ruling.per_acr * rating + ruling.per_square * rating * rating))
    return (own if ruling.per_acr else _consumption(army, rules)) + _price(army.resources, army.size, rules)


def expand(kingdom: Kingdom, order: ArmiesExpand, rules: Rules) -> Muster | Refusal:
    """Make an army larger for the difference in price, resources included. It keeps its wounds."""
    name, home = _at_home(kingdom, order["expand"])
    if isinstance(home, Refusal):
        return home
    old, size = kingdom.armies[name], order["to"]
    if rank(size, rules) <= rank(old.size, rules):
        larger = ", ".join(word for word in rules.army_sizes if rank(word, rules) > rank(old.size, rules)) or "none"
        return Refusal("expand_not_larger", {"name": name, "size": old.size, "larger": larger})
    army = _mustered(replace(old, size=size), rules)
    army = replace(army, hp=old.hp + full_hp(army, rules) - full_hp(old, rules))
    others = [each for each in in_reserve(kingdom, old.hex) if each is not old]
    if army.reserve and not has_room(kingdom, army, others, rules):
        return _no_room(kingdom, home, army, others, rules)
    cost = whole_price(army, rules) - whole_price(old, rules)
    if not in_force(rules.recruit_cost).per_acr:
        cost += _consumption(old, rules)
    detail = f"{name} from {old.size} to {size}, in {home}"
    return Muster({**kingdom.armies, name: army}, "expand", detail, cost, rules.army_sizes[size].slots)


def equip(kingdom: Kingdom, order: ArmiesEquip, rules: Rules) -> Muster | Refusal:
    """Give an army a resource, or several of a resource that is the same for every size."""
    name, home = _at_home(kingdom, order["equip"])
    if isinstance(home, Refusal):
        return home
    army, resource, count = kingdom.armies[name], order["with"], order.get("count", 1)
    row = rules.army_resources[resource]
    if not row.one_size and (resource in army.resources or count > 1):
        return Refusal("equip_has", {"name": name, "resource": row.name})
    if missing := _not_equipped(kingdom, home, resource, rules):
        return missing
    army = replace(
        _mustered(army, rules), resources={**army.resources, resource: army.resources.get(resource, 0) + count}
    )
    detail = f"{name} with {_listed({resource: count}, rules)}, in {home}"
    return Muster({**kingdom.armies, name: army}, "equip", detail, _price({resource: count}, army.size, rules))


def repair(kingdom: Kingdom, order: ArmiesRepair, rules: Rules) -> Muster | Refusal:
    """Bring an army back to its full hit points for a turn's Consumption."""
    name, home = _at_home(kingdom, order["repair"])
    if isinstance(home, Refusal):
        return home
    army = kingdom.armies[name]
    full = full_hp(army, rules)
    if army.hp >= full:
        return Refusal("repair_whole", {"name": name, "hp": full})
    detail = f"{name} from {army.hp} to {full} hit points, in {home}"
    armies = {**kingdom.armies, name: replace(_mustered(army, rules), hp=full)}
    return Muster(armies, "restore", detail, _consumption(army, rules), rules.army_sizes[army.size].slots)


def disband(kingdom: Kingdom, order: ArmiesDisband, rules: Rules) -> Muster | Refusal:
    """Send an army home. Another army in its hex may get the resources that it has use for; the rest are sold."""
    name = army_named(kingdom, order["disband"])
    if not name:
        return _unknown(kingdom, order["disband"])
    army, left = kingdom.armies[name], dict(kingdom.armies)
    del left[name]
    given: dict[str, int] = {}
    if "to" in order:
        other = army_named(kingdom, order["to"])
        if refusal := _not_given(kingdom, name, other, order["to"], rules):
            return refusal
        have, rows = left[other].resources, rules.army_resources
        # what the other army has use for
        given = {key: count for key, count in army.resources.items() if rows[key].one_size or key not in have}
        left[other] = replace(
            left[other], resources=have | {key: have.get(key, 0) + count for key, count in given.items()}
        )
    sold = {key: count for key, count in army.resources.items() if key not in given}
    bp = _price(sold, army.size, rules) // in_force(rules.recruit_cost).sale_divisor
    parts = [f"{name} disbanded"]
    parts += [f"{_listed(given, rules)} given to {army_named(kingdom, order['to'])}"] if given else []
    parts += [f"{_listed(sold, rules)} sold"] if sold else []
    return Muster(left, "disband", ", ".join(parts), -bp)


def _not_given(kingdom: Kingdom, name: str, other: str, said: str, rules: Rules) -> Refusal | None:
    """Why an army can't give its resources to the other army. Ruling: army_figures."""
    if not other:
        return _unknown(kingdom, said)
    if other == name:
        return Refusal("disband_to_self", {"name": name})
    giver, taker = kingdom.armies[name], kingdom.armies[other]
    if giver.hex != taker.hex:
        return Refusal("disband_to_elsewhere", {"other": other, "there": taker.hex, "name": name, "hex": giver.hex})
    if rank(taker.size, rules) > rank(giver.size, rules):
        return Refusal("disband_to_larger", {"other": other, "larger": taker.size, "name": name, "size": giver.size})
    return None


def reserve(kingdom: Kingdom, order: ArmiesReserve, rules: Rules) -> Muster | Refusal:
    """Put an army in reserve if its settlement has room for its size."""
    name, home = _at_home(kingdom, order["reserve"])
    if isinstance(home, Refusal):
        return home
    army = kingdom.armies[name]
    if army.reserve:
        return Refusal("reserve_already", {"name": name})
    if escorted := escorts(kingdom, name):
        return Refusal("army_escorting", {"army": name, "expedition": escorted})
    others = in_reserve(kingdom, army.hex)
    if not has_room(kingdom, army, others, rules):
        return _no_room(kingdom, home, army, others, rules)
    armies = {**kingdom.armies, name: replace(army, reserve=True, paid=0, deed="", target="")}
    return Muster(armies, "reserve", f"{name} in reserve in {home}", ruling="reserves")


def _no_room(kingdom: Kingdom, home: str, army: Army, others: Sequence[Army], rules: Rules) -> Refusal:
    facts = {
        "settlement": home,
        "size": army.size,
        "rooms": ", ".join(rooms(kingdom, home, rules)) or "none",
        "resting": ", ".join(each.size for each in others) or "none",
        "holds": ", ".join(
            f"{rules.buildings[kind].name} ({size})" for kind, size in in_force(rules.reserves).holds.items()
        ),
    }
    return Refusal("reserve_no_room", facts)


KINDS: dict[str, Callable[[Kingdom, Any, Rules], Muster | Refusal]] = {  # Any: each takes its own kind of order
    "recruit": recruit,
    "expand": expand,
    "equip": equip,
    "repair": repair,
    "disband": disband,
    "reserve": reserve,
}


def tactics_of_recruits(kingdom: Kingdom, home: str, army: Army, rules: Rules) -> tuple[str, ...]:
    """The tactics that a new army knows besides those of all armies and of its unit. Each building that teaches recruits adds
    the next tactics of the table that the army does not know and has the means for."""
    effects = (effect for kind in standing_in(kingdom, home) for effect in rules.buildings[kind].effects)
    more = sum(effect.count for effect in effects if isinstance(effect, ArmyTactic))
    if not more:
        return ()
    side, known = side_of_army("", "", army, rules), rules.units[army.unit].tactics
    learnable = (word for word, row in rules.tactics.items() if not row.default and word not in known)
    return tuple(
        word for word in learnable if not rules.tactics[word].needs or getattr(side, rules.tactics[word].needs)
    )[:more]


def _at_home(kingdom: Kingdom, said: str) -> tuple[str, str | Refusal]:
    """(the army of that name, the kingdom's settlement in which it stands or a Refusal if it stands in none)."""
    name = army_named(kingdom, said)
    if not name:
        return said, _unknown(kingdom, said)
    army = kingdom.armies[name]
    return name, home_of(army, kingdom) or Refusal("army_not_home", {"name": name, "hex": army.hex})


def _unknown(kingdom: Kingdom, said: str) -> Refusal:
    return Refusal("army_unknown", {"name": said, "known": ", ".join(kingdom.armies) or "none"})


def _not_equipped(kingdom: Kingdom, home: str, resource: str, rules: Rules) -> Refusal | None:
    """Why the settlement can't equip an army with that resource."""
    row = rules.army_resources[resource]
    if not row.needs or not set(row.needs).isdisjoint(standing_in(kingdom, home)):
        return None
    needs = ", ".join(rules.buildings[kind].name for kind in row.needs)
    return Refusal("equip_needs", {"resource": row.name, "settlement": home, "needs": needs})


def _mustered(army: Army, rules: Rules) -> Army:
    """The army, which by the ruling can't move this turn any more. Ruling: muster."""
    return replace(army, mustered=True) if rules.muster and rules.muster.waits else army


def _counted(resources: Sequence[str]) -> dict[str, int]:
    """Resource -> how often the list names it."""
    return {resource: resources.count(resource) for resource in dict.fromkeys(resources)}


def _consumption(army: Army, rules: Rules) -> int:
    """The part of an army's Consumption that the ruling recruit_cost charges, without what battles added."""
    return in_force(rules.recruit_cost).consumption * consumption(replace(army, fed=0) if army.fed else army, rules)


def _price(resources: Mapping[str, int], size: str, rules: Rules) -> int:
    return sum(resource_cost(resource, size, rules) * count for resource, count in resources.items())


def _listed(resources: Mapping[str, int], rules: Rules) -> str:
    names = ((rules.army_resources[resource].name, count) for resource, count in resources.items())
    return ", ".join(f"{count} {name}" if count > 1 else name for name, count in names)
