"""What bots order their armies: recruiting and the like, Edict step 6, moves, deeds, orders for a battle."""

from __future__ import annotations

from kingdom.engine.offer import Offer
from kingdom.games.realm.bots.mind import Mind
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.offers.away_offers import at_home, may_recruit, moves, recruits, told
from kingdom.games.realm.offers.course import Course
from kingdom.games.realm.state import Army, replace
from kingdom.games.realm.steps.war.armies import acr, army_named

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh")
ARMS = ("Foot", "Horse", "Guard", "Levy", "Bows")
RICH = 10  # BP to spend, without which it recruits nobody
MOST = 5  # armies that it wants
SIZES = 4  # the largest that it can have, which it chooses from
TRIES = 5  # armies that it compares before it recruits one


def muster(mind: Mind) -> None:
    """A new army, or one of those that are there made larger, equipped, repaired, disbanded or put in reserve."""
    names, now = sorted(mind.kingdom.armies), mind.course()
    if not mind.rules.units or not (names and mind.poor() or mind.wants("muster")):
        return
    if names and mind.poor() and mind.happens("saves", 50):
        offers = list(at_home(names[0], now, mind.pick("spared", ("disband", "disband", "reserve"))))
    elif mind.purse >= RICH and len(names) < MOST and (not names or mind.happens("recruit", 50)):
        offers = _recruits(mind, now)
    elif names:
        offers = _changes(mind, names, now)
    else:
        return
    for offer in mind.some("mustered", offers, 1):
        mind.order(offer)
        left = {name: army for name, army in mind.kingdom.armies.items() if name != offer.order.get("disband")}
        mind.kingdom = replace(mind.kingdom, armies=left)


def _changes(mind: Mind, names: list[str], now: Course) -> list[Offer]:
    """What may be made of one of its armies: in the way that it thinks of, else larger or better equipped."""
    poor = ("disband", "reserve", "reserve")
    rich = ("expand", "equip", "equip", "repair", "repair", "disband", "reserve")
    name, first = mind.pick("changed", names), mind.pick("muster_what", rich if mind.purse else poor)
    for kind in (first, "expand", "equip"):
        if offers := mind.affords(at_home(name, now, kind)):
            return offers
    return []


def _recruits(mind: Mind, now: Course) -> list[Offer]:
    """The strongest of a few armies that it can recruit and pay, in each settlement, under a name of its own."""
    known = [recruit for recruit in may_recruit(now) if recruit.cost <= mind.purse]
    largest = list(dict.fromkeys(recruit.size for recruit in known))[-SIZES:]
    drafts = mind.some("draft", [recruit for recruit in known if recruit.size in largest], TRIES)
    best = max(drafts, key=lambda draft: (acr(draft.unit, draft.size, mind.rules), draft.cost), default=None)
    names = [f"{ordinal} {arm}" for ordinal in ORDINALS for arm in ARMS]
    name = mind.pick("army_name", [name for name in names if not army_named(mind.kingdom, name)] or names)
    offers = recruits([best] if best else [], now)
    return [offer._replace(order={**offer.order, "recruit": name}) for offer in offers]


def march(mind: Mind) -> None:
    """Each army goes toward somebody's land or a monster, or home, and does there what its king likes it to do."""
    now = mind.course()
    for name, army in mind.kingdom.armies.items() if mind.rules.movement else ():
        if army.routed or mind.wants("march"):
            chosen = [*_way(mind, name, army, now), *_deed(mind, name, army, now)]
            chosen += _stance(mind, name, now) if mind.wants("stance") else ()
            if chosen:  # one order tells the army all of it
                mind.order(chosen[0]._replace(order={word: what for one in chosen for word, what in one.order.items()}))


def _way(mind: Mind, name: str, army: Army, now: Course) -> list[Offer]:
    """The move that brings it nearest to where it wants to be, none where it is there."""
    home = mind.kingdom.settlements.get(mind.kingdom.capital)
    goals = [home.hex] if army.routed and home else _goals(mind)
    if not goals:
        return []
    goal = mind.pick("goal", goals)
    far = {offer.order["move"][-1]: offer for offer in moves(name, now)} if goal != army.hex else {}
    nearest = min([army.hex, *far], key=lambda label: (distance(label, goal), label))
    return [far[nearest]] if nearest in far else []


def _deed(mind: Mind, name: str, army: Army, now: Course) -> list[Offer]:
    """What it does there; of an attack mostly whom it is against."""
    deed = "garrison" if army.routed else mind.pick("deed", mind.temper.deeds)
    aimed = deed == "attack" and mind.happens("target", 60)
    offers = [offer for offer in told(name, now, ("then",)) if offer.order.get("then") == deed]
    return mind.some("target_who", [offer for offer in offers if ("target" in offer.order) is aimed], 1)


def _stance(mind: Mind, name: str, now: Course) -> list[Offer]:
    """How it fights."""
    words = ["strategy", *(["tactic"] if mind.happens("tactic", 60) else []), "withdraw"]
    return [offer for word in words for offer in mind.some(word, list(told(name, now, (word,))), 1)]


def _goals(mind: Mind) -> list[str]:
    """Hexes that are worth a march: where foreign armies stand, foreign land in sight, hexes with monsters, its own land."""
    hosts = [
        army.hex for seat, other in mind.world.kingdoms.items() if seat != mind.seat for army in other.armies.values()
    ]
    if hosts and mind.happens("hosts", 60):
        return sorted(hosts)
    foreign = mind.foreign()
    heart = [label for label in foreign if all(near in foreign for near in neighbours(label))]
    if heart and mind.happens("heart", 40):
        return sorted(heart)
    wild = [label for label, hex in mind.world.hexes.items() if hex.monsters]
    own = sorted(mind.kingdom.hexes)
    if foreign and "attack" in mind.temper.deeds[:1] and mind.happens("hostile", 75):
        return sorted(foreign)
    return sorted({*foreign, *wild, *own[:3]})
