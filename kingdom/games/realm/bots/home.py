"""What bots order at home, Edict steps 2 to 4: land, improvements, settlements and their buildings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from kingdom.games.realm.bots.bot_context import FIRM, Mind
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.offers.land import improvements_of
from kingdom.games.realm.offers.turn_preview import offers_of
from kingdom.games.realm.orders.claim import CLAIM
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Building, District, Settlement, replace
from kingdom.games.realm.steps.land.improvements import PREPARE, PREPARED
from kingdom.games.realm.steps.land.losing import capital_hex, settlement_in
from kingdom.games.realm.steps.towns.construction import Site, Work, paid, settlement_named, site_of, work_of

if TYPE_CHECKING:
    from kingdom.games.realm.orders.works import Build, Settle

LOOKS_AT = 4  # hexes in which it considers an improvement, each turn
LAND_FOR_A_TOWN = 7  # hexes to each settlement, before it thinks of another
PAYS_FOR_ITSELF = ("farm", "fishery", "mine", "quarry", "sawmill")
FIRST = ("Ash", "Elm", "Stone", "Raven", "Wolf", "Mill", "Salt", "High", "Low", "Thorn", "Black", "Fair")
SIDES: tuple[Literal["north", "east", "south", "west"], ...] = ("north", "east", "south", "west")
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
    held = {other: built for other, built in kingdom.hexes.items() if other != label}
    mind.kingdom = replace(kingdom, hexes=held, settlements=left)


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
    offered = {offer.order: offer.costs.get("treasury", 0) for offer in offers_of(CLAIM)(mind.course())}
    labels = [label for label in offered if label not in mind.given("abandon")]
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
        mind.holds({**mind.kingdom.hexes, label: ()})


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
        found = improvements_of(mind.kingdom, label, mind.after(), mind.rules)
        offers = {improving.word: improving.cost for improving in found if improving.cost <= mind.purse}
        word = _choice(mind, offers) if offers else ""
        if not word:
            continue
        left -= 1
        mind.give("improve", {"hex": label, "build": word})
        mind.pays(offers[word])
        built = (*mind.kingdom.hexes[label], PREPARED if word == PREPARE else word)
        mind.holds({**mind.kingdom.hexes, label: built})


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
    order: Settle = {"hex": label, "name": name}
    if set(mind.world.hexes[label].features) & {"river", "lake", "coast"}:
        order["water"] = [mind.pick("water", SIDES)]
    mind.give("settle", order)
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
        if mind.enough("build"):
            break
        order = _idea(mind)
        if order.get("build") == "":
            continue
        site = site_of(mind.kingdom, mind.world.hexes, mind.rules, order["in"], done)
        work = work_of(site, order) if isinstance(site, Site) else None
        if isinstance(work, Work) and work.cost <= mind.purse:
            mind.give("build", order)
            mind.purse -= work.cost
            after = paid(mind.kingdom, work)
            mind.kingdom = replace(
                mind.kingdom, treasury=after.treasury, settlements=after.settlements, used=after.used
            )
            done += [(work.name, work.built)] if work.built else []


def _idea(mind: Mind) -> Build:
    name = mind.pick("town", sorted(mind.kingdom.settlements))
    town, kinds = mind.kingdom.settlements[name], mind.rules.buildings
    if len(town.buildings) > FULL * len(town.districts) and mind.happens("district", 50):
        return {"in": name, "build": "district"}
    if town.buildings and mind.wants("demolish"):
        return {"in": name, "demolish": mind.pick("demolished", [building.id for building in town.buildings])}
    upgrades = [(each.id, to) for each in town.buildings for to in kinds[each.id].upgrades_to]
    if upgrades and mind.wants("upgrade"):
        old, new = mind.pick("upgraded", upgrades)
        return {"in": name, "upgrade": old, "to": new}
    if mind.kingdom.unrest and mind.happens("soothed", 80):
        return {"in": name, "build": mind.pick("soothing", _soothing(mind))}
    if mind.happens("needed", 75):
        return {"in": name, "build": _needed(mind)}
    most = mind.purse
    liked = [kind for kind in mind.temper.likes if kind in kinds and kinds[kind].cost <= most]
    if liked and mind.happens("liked", 60):
        return {"in": name, "build": mind.pick("liked_which", liked)}
    cheap = [kind for kind, row in kinds.items() if row.cost <= most and row.unrest <= 0]
    return {"in": name, "build": mind.pick("building", cheap or ["house"])}


def _soothing(mind: Mind) -> list[str]:
    """The kinds of buildings that take off most Unrest for their price."""
    kinds = mind.rules.buildings
    return sorted(
        (kind for kind, row in kinds.items() if row.unrest < 0),
        key=lambda kind: -kinds[kind].cost // kinds[kind].unrest,
    )[:SOOTHING] or ["house"]


def _needed(mind: Mind) -> str:
    """One of the few buildings that do most for what the kingdom lacks; the limit of a turn is scarcer than money."""
    lacks = {name: 1 if margin > FIRM else 2 if name == "loyalty" else 4 for name, margin in mind.margins.items()}
    kinds, most = mind.rules.buildings, mind.purse

    def gain(kind: str) -> tuple[int, str]:
        does = kinds[kind].kingdom
        worth = sum(by * getattr(does, name) for name, by in lacks.items())
        return A_POINT * worth - kinds[kind].cost, kind

    best = sorted((kind for kind, row in kinds.items() if row.cost <= most and row.unrest <= 0), key=gain)[-BEST:]
    return mind.pick("needed", best) if best else ""
