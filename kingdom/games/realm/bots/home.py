"""What bots order at home, Edict steps 2 to 4: land, improvements, settlements and their buildings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from kingdom.engine.offer import Offer
from kingdom.games.realm.bots.mind import FIRM, Mind
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.offers import home_offers
from kingdom.games.realm.state import Building, District, Settlement, replace
from kingdom.games.realm.steps.land.improvements import PREPARE, standing_name
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.shared import limits
from kingdom.games.realm.steps.towns.construction import Site, Work, settlement_named, work_of

if TYPE_CHECKING:
    from kingdom.games.realm.order_types import Settle

LOOKS_AT = 4  # hexes in which it considers an improvement, each turn
LAND_FOR_A_TOWN = 7  # hexes to each settlement, before it thinks of another
PAYS_FOR_ITSELF = ("farm", "fishery", "mine", "quarry", "sawmill")
FIRST = ("Ash", "Elm", "Stone", "Raven", "Wolf", "Mill", "Salt", "High", "Low", "Thorn", "Black", "Fair")
SIDES: tuple[Literal["north", "east", "south", "west"], ...] = ("north", "east", "south", "west")
LAST = ("ford", "ham", "wick", "bury", "stead", "gate", "moor", "well", "holt", "cross")


def abandon(mind: Mind) -> None:
    """Now and then a hex is let go, seldom one with a settlement."""
    if len(mind.kingdom.hexes) < LAND_FOR_A_TOWN or not mind.wants("abandon"):
        return
    for offer in mind.some("abandoned", list(home_offers.abandon(mind.course())), 1):
        label, kingdom = offer.order, mind.kingdom
        if settlement_in(kingdom, label) and not mind.happens("abandon_town", 30):
            continue
        mind.order(offer)
        left = {other: town for other, town in kingdom.settlements.items() if town.hex != label}
        held = {other: built for other, built in kingdom.hexes.items() if other != label}
        mind.kingdom = replace(mind.kingdom, hexes=held, settlements=left)


def begin_anew(mind: Mind) -> None:
    """Without land: some known hex is claimed, prepared and settled, and nothing else is paid for."""
    if mind.kingdom.hexes:
        return
    hexes, unfit = mind.world.hexes, {name for name, row in mind.rules.terrain.items() if row.unseen or row.water}
    offers = home_offers.claims(mind.course())
    fit = [offer for offer in offers if hexes[offer.order].terrain not in unfit and not hexes[offer.order].monsters]
    for offer in mind.some("anew", fit, 1):
        _claim(mind, offer)
        for ground in home_offers.improvements_in(offer.order, mind.course()):
            if ground.order["build"] == PREPARE:
                _improve(mind, ground)
        for town in home_offers.settlements(mind.course()):
            _found(mind, town)
    mind.purse = 0


def claim(mind: Mind) -> None:
    """As many claims as it may have and pay while the kingdom stands firm: first what others may want too, then what is worth most."""
    if not mind.kingdom.hexes or not mind.wants("claim") or not (mind.steady() or mind.happens("rash", 5)):
        return
    let_go = mind.world.kingdoms[mind.seat].hexes.keys() - mind.kingdom.hexes.keys()
    offers = [offer for offer in home_offers.claims(mind.course()) if offer.order not in let_go]
    foreign = mind.foreign()
    beside = {offer.order for offer in offers if any(near in foreign for near in neighbours(offer.order))}
    order = sorted(
        mind.some("claims", offers, len(offers)),
        key=lambda offer: (offer.order not in beside, not _worth(mind, offer.order)),
    )
    for offer in order[: limits(mind.kingdom, mind.rules).claims]:
        if offer.costs.get("treasury", 0) > mind.kingdom.treasury:
            break
        _claim(mind, offer)


def _claim(mind: Mind, offer: Offer) -> None:
    mind.order(offer)
    mind.holds(offer.order, ())


def _worth(mind: Mind, label: str) -> bool:
    hex = mind.world.hexes[label]
    return bool(hex.free_city or hex.features or hex.resource)


def improve(mind: Mind) -> None:
    """In some hexes what pays for itself, else anything that may be built there; ground for a settlement where it wants one."""
    if not mind.wants("improve"):
        return
    for label in mind.some("improved", sorted(mind.kingdom.hexes), LOOKS_AT):
        if label in mind.world.hexes:
            offers = mind.affords(home_offers.improvements_in(label, mind.course()))
            for offer in _chosen(mind, {offer.order["build"]: offer for offer in offers}):
                _improve(mind, offer)


def _improve(mind: Mind, offer: Offer) -> None:
    label, word = offer.order["hex"], offer.order["build"]
    mind.order(offer)
    mind.holds(label, (*mind.kingdom.hexes[label], standing_name(word)))


def _chosen(mind: Mind, offers: Mapping[str, Offer]) -> list[Offer]:
    """One of the improvements, by word, or none."""
    if (
        PREPARE in offers
        and len(mind.kingdom.hexes) > LAND_FOR_A_TOWN * len(mind.kingdom.settlements)
        and mind.happens("prepare", 50)
    ):
        return [offers[PREPARE]]
    useful = [offers[word] for word in PAYS_FOR_ITSELF if word in offers]
    if useful and mind.happens("useful", 70):
        return mind.some("useful_which", useful, 1)
    return mind.some("improvement", [offer for word, offer in offers.items() if word != PREPARE], 1)


def settle(mind: Mind) -> None:
    """A settlement on prepared ground, with water at a border where it can have that."""
    offers = list(home_offers.settlements(mind.course()))
    if offers and mind.wants("settle"):
        _found(mind, mind.pick("settled", offers))


def _found(mind: Mind, offer: Offer) -> None:
    """The settlement under a name of its own."""
    label, name = offer.order["hex"], mind.pick("name", FIRST) + mind.pick("ending", LAST)
    if settlement_named(mind.kingdom, name):
        name = f"New {name}"
    order: Settle = {"hex": label, "name": name}
    if set(mind.world.hexes[label].features) & {"river", "lake", "coast"}:
        order["water"] = [mind.pick("water", SIDES)]
    mind.order(offer._replace(order=order))
    towns = {**mind.kingdom.settlements, name: Settlement(label, (District(tuple(order.get("water", ()))),))}
    mind.kingdom = replace(mind.kingdom, settlements=towns, capital=mind.kingdom.capital or name)


# --- in their settlements ---------------------------------------------------------------------------------------------


TRIES = 6  # orders that it considers, each turn
BEST = 4  # kinds of buildings that it chooses from
A_POINT = 4  # BP that a point of an attribute is worth to it
SOOTHING = 4  # kinds of buildings that it takes against Unrest
FULL = 20  # buildings, from which on it thinks of a further district


def build(mind: Mind) -> None:
    """Some works that can be done and paid: what it likes, any other building, an upgrade, seldom a demolition."""
    if not mind.kingdom.settlements or not mind.purse or not mind.wants("build"):
        return
    done: list[tuple[str, Building]] = []
    for _ in range(TRIES):
        town = mind.pick("town", sorted(mind.kingdom.settlements))
        site = Site(mind.kingdom, mind.world.hexes, mind.rules, town, mind.kingdom.settlements[town], done)
        works = mind.affords(_ideas(mind, site))
        if done and not works:
            break
        for offer in mind.some("work", works, 1):
            mind.order(offer)
            work = work_of(site, offer.order)
            if isinstance(work, Work):
                mind.kingdom = replace(mind.kingdom, settlements={**mind.kingdom.settlements, town: work.settlement})
                done += [(town, work.built)] if work.built else []


def _ideas(mind: Mind, site: Site) -> Iterator[Offer]:
    """What may be done of what comes to mind in the settlement."""
    town, kinds = site.settlement, mind.rules.buildings
    standing = [building.id for building in town.buildings]
    if len(standing) > FULL * len(town.districts) and mind.happens("district", 50):
        return home_offers.district(site)
    if standing and mind.wants("demolish"):
        return home_offers.demolitions(site, [mind.pick("demolished", standing)])
    improvable = [kind for kind in standing if kinds[kind].upgrades_to]
    if improvable and mind.wants("upgrade"):
        return home_offers.upgrades(site, [mind.pick("upgraded", improvable)])
    return home_offers.buildings(site, site.plan(), mind.some("building", _wanted(mind), 1))


def _wanted(mind: Mind) -> list[str]:
    """The kinds of buildings from which it chooses now."""
    kinds, most = mind.rules.buildings, min(mind.purse, mind.dearest)
    if mind.kingdom.unrest and mind.happens("soothed", 80):
        return _soothing(mind)
    if mind.happens("needed", 75):
        return _needed(mind)
    liked = [kind for kind in mind.temper.likes if kind in kinds and kinds[kind].cost <= most]
    if liked and mind.happens("liked", 60):
        return liked
    return [kind for kind, row in kinds.items() if row.cost <= most and row.unrest <= 0]


def _soothing(mind: Mind) -> list[str]:
    """The kinds of buildings that take off most Unrest for their price."""
    kinds = mind.rules.buildings
    return sorted(
        (kind for kind, row in kinds.items() if row.unrest < 0 and row.cost <= mind.dearest),
        key=lambda kind: -kinds[kind].cost // kinds[kind].unrest,
    )[:SOOTHING]


def _needed(mind: Mind) -> list[str]:
    """The few kinds of buildings that do most for what the kingdom lacks; the limit of a turn is scarcer than money."""
    lacks = {name: 1 if margin > FIRM else 2 if name == "loyalty" else 4 for name, margin in mind.margins.items()}
    kinds, most = mind.rules.buildings, min(mind.purse, mind.dearest)

    def gain(kind: str) -> tuple[int, str]:
        does = kinds[kind].kingdom
        worth = sum(by * getattr(does, name) for name, by in lacks.items())
        return A_POINT * worth - kinds[kind].cost, kind

    return sorted((kind for kind, row in kinds.items() if row.cost <= most and row.unrest <= 0), key=gain)[-BEST:]
