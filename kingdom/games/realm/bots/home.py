"""What bots order at home, Edict steps 2 to 4: land, improvements, settlements."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.bots.mind import Mind
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.offers import candidates
from kingdom.games.realm.offers.home_offers import claims
from kingdom.games.realm.state import District, Settlement
from kingdom.games.realm.steps.land.improvements import PREPARE, PREPARED
from kingdom.games.realm.steps.land.losing import capital_hex, settlement_in
from kingdom.games.realm.steps.shared import limits
from kingdom.games.realm.steps.towns.construction import settlement_named

LOOKS_AT = 4  # hexes in which it considers an improvement, each turn
LAND_FOR_A_TOWN = 7  # hexes to each settlement, before it thinks of another
PAYS_FOR_ITSELF = ("farm", "fishery", "mine", "quarry", "sawmill")
FIRST = ("Ash", "Elm", "Stone", "Raven", "Wolf", "Mill", "Salt", "High", "Low", "Thorn", "Black", "Fair")
LAST = ("ford", "ham", "wick", "bury", "stead", "gate", "moor", "well", "holt", "cross")


def abandon(mind: Mind) -> None:
    """Now and then a hex at the edge is let go, seldom one with a settlement; for the capital's the next one is named."""
    kingdom = mind.kingdom
    if len(kingdom.hexes) < LAND_FOR_A_TOWN or not mind.wants("abandon"):
        return
    label = mind.pick("abandoned", sorted(kingdom.hexes))
    if settlement_in(kingdom, label) and not mind.happens("abandon_town", 30):
        return
    others = [name for name, town in kingdom.settlements.items() if town.hex != label]
    if label == capital_hex(kingdom):
        if not others:
            return
        mind.orders["capital"] = mind.pick("next_capital", others)
    mind.give("abandon", label)
    left = {other: town for other, town in kingdom.settlements.items() if town.hex != label}
    mind.becomes(hexes={other: built for other, built in kingdom.hexes.items() if other != label}, settlements=left)


def begin_anew(mind: Mind) -> None:
    """Without land: some known hex is claimed, prepared and settled, and nothing else is paid for."""
    if mind.kingdom.hexes:
        return
    taken, unseen = mind.foreign(), {name for name, row in mind.rules.terrain.items() if row.unseen or row.water}
    known = [
        label
        for label, hex in mind.world.hexes.items()
        if hex.terrain not in unseen and label not in taken and not hex.monsters
    ]
    for label in mind.some("anew", known, 1):
        mind.give("claim", label)
        mind.give("improve", {"hex": label, "build": PREPARE})
        mind.give("settle", {"hex": label, "name": f"New {mind.pick('name', FIRST)}{mind.pick('ending', LAST)}"})
    mind.purse = 0


def claim(mind: Mind) -> None:
    """As many claims as it may have and pay while the kingdom stands firm: first what others may want too, then what is worth most."""
    if not mind.kingdom.hexes or not mind.wants("claim") or not (mind.steady() or mind.happens("rash", 5)):
        return
    offered = {offer.order: offer.costs.get("treasury", 0) for offer in claims(mind.course())}
    labels = [label for label in offered if label not in mind.orders.get("abandon", ())]
    foreign = mind.foreign()
    beside = {label for label in labels if any(near in foreign for near in neighbours(label))}
    order = sorted(
        mind.some("claims", labels, len(labels)), key=lambda label: (label not in beside, not _worth(mind, label))
    )
    for label in order[: limits(mind.kingdom, mind.rules).claims]:
        if offered[label] > mind.kingdom.treasury:
            break
        mind.give("claim", label)
        mind.pays(offered[label])
        mind.becomes(hexes={**mind.kingdom.hexes, label: ()})


def _worth(mind: Mind, label: str) -> bool:
    hex = mind.world.hexes[label]
    return bool(hex.free_city or hex.features or hex.resource)


def improve(mind: Mind) -> None:
    """In some hexes what pays for itself, else anything that may be built there; ground for a settlement where it wants one."""
    if not mind.wants("improve"):
        return
    left = limits(mind.kingdom, mind.rules).terrain
    for label in mind.some("improved", sorted(mind.kingdom.hexes), LOOKS_AT):
        if not left:
            break
        if label not in mind.world.hexes:
            continue
        found = candidates.improvements(mind.kingdom, label, mind.after(), mind.rules)
        offers = {improving.word: improving.cost for improving in found if improving.cost <= mind.purse}
        word = _choice(mind, offers) if offers else ""
        if not word:
            continue
        left -= 1
        mind.give("improve", {"hex": label, "build": word})
        mind.pays(offers[word])
        mind.becomes(
            hexes={**mind.kingdom.hexes, label: (*mind.kingdom.hexes[label], PREPARED if word == PREPARE else word)}
        )


def _choice(mind: Mind, offers: dict[str, int]) -> str:
    if (
        PREPARE in offers
        and len(mind.kingdom.hexes) > LAND_FOR_A_TOWN * len(mind.kingdom.settlements)
        and mind.happens("prepare", 50)
    ):
        return PREPARE
    useful = [word for word in PAYS_FOR_ITSELF if word in offers]
    if useful and mind.happens("useful", 70):
        return mind.pick("useful_which", useful)
    others = [word for word in offers if word != PREPARE]
    return mind.pick("improvement", others) if others else ""


def settle(mind: Mind) -> None:
    """A settlement on prepared ground, with water at a border where it can have that."""
    ready = [label for label, built in mind.kingdom.hexes.items() if PREPARED in built]
    if not ready or not limits(mind.kingdom, mind.rules).settlements or not mind.wants("settle"):
        return
    label, name = mind.pick("settled", ready), mind.pick("name", FIRST) + mind.pick("ending", LAST)
    if settlement_named(mind.kingdom, name):
        name = f"New {name}"
    order: dict[str, Any] = {"hex": label, "name": name}
    if set(mind.world.hexes[label].features) & {"river", "lake", "coast"}:
        order["water"] = [mind.pick("water", ("north", "east", "south", "west"))]
    mind.give("settle", order)
    town = Settlement(label, (District(tuple(order.get("water", ()))),))
    mind.becomes(settlements={**mind.kingdom.settlements, name: town}, capital=mind.kingdom.capital or name)
