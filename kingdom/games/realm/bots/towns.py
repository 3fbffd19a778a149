"""What bots order in their settlements, Edict step 4: buildings, upgrades, demolitions, districts."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.bots.mind import FIRM, Mind
from kingdom.games.realm.state import Building
from kingdom.games.realm.steps.towns.construction import Site, Work, paid, site_of, work_of

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
            mind.becomes(**_parts(paid(mind.kingdom, work)))
            done += [(work.name, work.built)] if work.built else []


def _parts(kingdom: Any) -> dict[str, Any]:
    return {"treasury": kingdom.treasury, "settlements": kingdom.settlements, "used": kingdom.used}


def _idea(mind: Mind) -> dict[str, Any]:
    name = mind.pick("town", sorted(mind.kingdom.settlements))
    town, kinds = mind.kingdom.settlements[name], mind.rules.buildings
    if len(town.buildings) > FULL * len(town.districts) and mind.happens("district", 50):
        return {"in": name, "build": "district"}
    if town.buildings and mind.wants("demolish"):
        building = mind.pick("demolished", town.buildings)
        return {"in": name, "demolish": building.id}
    upgrades = [(each.id, to) for each in town.buildings for to in kinds[each.id].upgrades_to]
    if upgrades and mind.wants("upgrade"):
        old, new = mind.pick("upgraded", upgrades)
        return {"in": name, "upgrade": old, "to": new}
    if mind.kingdom.unrest and mind.happens("soothed", 80):
        return {"in": name, "build": mind.pick("soothing", _soothing(mind))}
    if mind.happens("needed", 75):
        return {"in": name, "build": _needed(mind)}
    liked = [kind for kind in mind.temper.likes if kind in kinds and kinds[kind].cost <= mind.purse]
    if liked and mind.happens("liked", 60):
        return {"in": name, "build": mind.pick("liked_which", liked)}
    cheap = [kind for kind, row in kinds.items() if row.cost <= mind.purse and row.unrest <= 0]
    return {"in": name, "build": mind.pick("building", cheap or ["house"])}


def _soothing(mind: Mind) -> list[str]:
    """The kinds of buildings that take off most Unrest for their price."""
    kinds = mind.rules.buildings
    return sorted(
        (kind for kind, row in kinds.items() if row.unrest < 0),
        key=lambda kind: -kinds[kind].cost // kinds[kind].unrest,
    )[:SOOTHING]


def _needed(mind: Mind) -> str:
    """One of the few buildings that do most for what the kingdom lacks; the limit of a turn is scarcer than money."""
    lacks = {name: 1 if margin > FIRM else 2 if name == "loyalty" else 4 for name, margin in mind.margins.items()}
    kinds = mind.rules.buildings

    def gain(kind: str) -> tuple[int, str]:
        does = kinds[kind].kingdom
        worth = sum(by * getattr(does, name) for name, by in lacks.items())
        return A_POINT * worth - kinds[kind].cost, kind

    best = sorted((kind for kind, row in kinds.items() if row.cost <= mind.purse and row.unrest <= 0), key=gain)[-BEST:]
    return mind.pick("needed", best) if best else ""
