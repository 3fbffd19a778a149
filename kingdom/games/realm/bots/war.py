"""What bots order their armies: recruiting and the like, Edict step 6, moves, deeds, orders for a battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kingdom.games.realm.armies import acr
from kingdom.games.realm.bots.bot_context import Draft, Mind
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.steps.war.muster import Muster
from kingdom.games.realm.steps.war.recruiting import muster_of

if TYPE_CHECKING:
    from kingdom.games.realm.orders.to_armies import ArmiesRecruit

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh")
ARMS = ("Foot", "Horse", "Guard", "Levy", "Bows")
RICH = 10  # BP to spend, without which it recruits nobody
MOST = 5  # armies that it wants
SIZES = 4  # the largest that it can have, which it chooses from
TRIES = 5  # armies that it compares before it recruits one
STEPS = 6  # hexes of a march


def muster(mind: Mind) -> None:
    """A new army, or one of those that are there made larger, equipped, repaired, disbanded or put in reserve."""
    names = sorted(mind.kingdom.armies)
    if not mind.rules.units or not mind.kingdom.settlements or not (names and mind.poor() or mind.wants("muster")):
        return
    if names and mind.poor() and mind.happens("saves", 50):
        mind.give("armies", {mind.pick("spared", ("disband", "disband", "reserve")): name for name in names[:1]})
        return
    if mind.purse >= RICH and len(names) < MOST and (not names or mind.happens("recruit", 50)):
        mind.give("armies", _recruited(mind))
        return
    if names:
        mind.give("armies", _changed(mind, names))


def _changed(mind: Mind, names: list[str]) -> Draft:
    """An order that makes one of its armies another."""
    name = mind.pick("mustered", names)
    poor = ("disband", "reserve", "reserve")
    what = mind.pick(
        "muster_what", ("expand", "equip", "equip", "repair", "repair", "disband", "reserve") if mind.purse else poor
    )
    order: Draft = {what: name}
    if what == "expand":
        sizes = list(mind.rules.army_sizes)
        order["to"] = sizes[min(len(sizes) - 1, sizes.index(mind.kingdom.armies[name].size) + 1)]
    elif what == "equip":
        order["with"] = mind.pick("equipment", sorted(mind.rules.army_resources))
    elif what == "disband" and len(names) > 1 and mind.happens("hand_over", 50):
        order["to"] = mind.pick("heir", [other for other in names if other != name])
    return order


def _recruited(mind: Mind) -> ArmiesRecruit:
    """The strongest of a few armies that it can recruit and pay; where it can none, any."""
    drafts = [_draft(mind) for _ in range(TRIES)]
    found = [(muster_of(mind.kingdom, "recruit", draft, mind.rules), draft) for draft in drafts]
    able = [
        (acr(draft["unit"], draft["size"], mind.rules), muster.cost, number)
        for number, (muster, draft) in enumerate(found)
        if isinstance(muster, Muster) and muster.cost <= mind.purse
    ]
    if not able:
        return drafts[0]
    _, cost, number = max(able)
    mind.pays(cost)
    return drafts[number]


def _draft(mind: Mind) -> ArmiesRecruit:
    """An army as it comes to mind, mostly of a size that the limit of settlements allows."""
    slots = 99 if mind.happens("too_large", 5) else limits(mind.kingdom, mind.rules).settlements
    sizes = [size for size, row in mind.rules.army_sizes.items() if row.slots <= slots]
    order: ArmiesRecruit = {
        "recruit": f"{mind.pick('ordinal', ORDINALS)} {mind.pick('arm', ARMS)}",
        "size": mind.pick("size", sizes[-SIZES:]),
        "unit": mind.pick("unit", sorted(mind.rules.units)),
        "from": mind.pick("muster_place", sorted(mind.kingdom.settlements)),
    }
    if mind.happens("equipped", 30):
        order["with"] = [mind.pick("equipment", sorted(mind.rules.army_resources))]
    return order


def march(mind: Mind) -> None:
    """Each army goes toward somebody's land or a monster, or home, and does there what its king likes it to do."""
    for name, army in mind.kingdom.armies.items():
        if not (army.routed or mind.wants("march")):
            continue
        goals = (
            [mind.kingdom.settlements[mind.kingdom.capital].hex]
            if army.routed and mind.kingdom.capital
            else _goals(mind)
        )
        goal = mind.pick("goal", goals) if goals else army.hex
        order: Draft = {"army": name}
        path = _toward(army.hex, goal, mind)
        if path:
            order["move"] = path
        order["then"] = "garrison" if army.routed else mind.pick("deed", mind.temper.deeds)
        ends = mind.world.hexes.get(path[-1] if path else army.hex)
        if mind.rules.hazards and ends and ends.hazard and not ends.monsters:
            order["then"] = "clear"
        if order["then"] == "attack" and mind.happens("target", 60):
            order["target"] = mind.pick("target_who", [*mind.others(), "monsters"])
        if mind.wants("stance"):
            if mind.rules.strategies:
                order["strategy"] = mind.pick("strategy", list(mind.rules.strategies))
            if mind.rules.tactics and mind.happens("tactic", 60):
                known = [
                    *army.tactics,
                    *mind.rules.units[army.unit].tactics,
                    *(word for word, row in mind.rules.tactics.items() if row.default),
                ]
                order["tactic"] = mind.pick("tactic_which", known)
            order["withdraw"] = mind.pick("withdraw", (0, 25, 50, 75))
        mind.give("armies", order)


def _goals(mind: Mind) -> list[str]:
    """Hexes that are worth a march: where foreign armies stand, foreign land in sight, hexes with monsters or a hazard that it may clear, its
    own land."""
    hosts = [
        army.hex for seat, other in mind.world.kingdoms.items() if seat != mind.seat for army in other.armies.values()
    ]
    if hosts and mind.happens("hosts", 60):
        return sorted(hosts)
    foreign = mind.foreign()
    heart = [label for label in foreign if all(near in foreign for near in neighbours(label))]
    if heart and mind.happens("heart", 40):
        return sorted(heart)
    hexes = mind.world.hexes.items()
    wild = [label for label, hex in hexes if hex.monsters or (mind.rules.hazards and hex.hazard)]
    own = sorted(mind.kingdom.hexes)
    if foreign and "attack" in mind.temper.deeds[:1] and mind.happens("hostile", 75):
        return sorted(foreign)
    return sorted({*foreign, *wild, *own[:3]})


def _toward(start: str, goal: str, mind: Mind) -> list[str]:
    """Some hexes of the straight way, each beside the one before, as far as they are known."""
    path: list[str] = []
    while start != goal and len(path) < STEPS:
        known = [label for label in neighbours(start) if label in mind.world.hexes]
        if not known:
            break
        start = min(known, key=lambda label: (distance(label, goal), label))
        if start in path:
            break
        path.append(start)
    return path
