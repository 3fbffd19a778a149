"""What bots order beyond their borders: special edicts, doors, smuggling and watchtowers on their trade routes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kingdom.games.realm.bots.mind import LEAST, Mind
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.offers.home_offers import towers
from kingdom.games.realm.orders import DIRECTIONS
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.steps.checks import most_special_edicts
from kingdom.games.realm.steps.shared import limits
from kingdom.games.realm.steps.trade.towers import TOWER

WEEKS = 3  # of an expedition at most
RICH = 12  # BP to spend, without which it thinks of nothing abroad
PARTY = 6  # half of the BP that it pays adventurers at most


def issue(mind: Mind) -> None:
    """As many special edicts as it may have, of those that it thinks of and has money for; closing a route is none."""
    if not mind.others() or mind.purse < RICH and not mind.happens("rash_edict", 5):
        return
    wanted = [habit for habit in _EDICTS if mind.wants(habit)]
    left = most_special_edicts(mind.kingdom, mind.rules)[0]
    for habit in mind.some("edicts_order", wanted, len(wanted)):
        order = _EDICTS[habit](mind)
        if order and (left or habit == "close_route"):
            left -= habit != "close_route"
            mind.give("special", {"edict": habit, **order})


def watch(mind: Mind) -> None:
    """A watchtower on an open route of its own, in a hex that nobody holds, where it may build and pay one more improvement."""
    cost = mind.rules.trade_route.tower_cost if mind.rules.trade_route else 0
    if not mind.kingdom.routes or len(mind.orders.get("improve", ())) >= limits(mind.kingdom, mind.rules).terrain:
        return
    if mind.kingdom.treasury < cost + LEAST or not mind.wants("watch"):
        return
    offered = {offer.order["hex"] for offer in towers(mind.course())}
    fit = [label for route in mind.kingdom.routes.values() for label in route.path if label in offered]
    for label in mind.some("watched", fit, 1):
        mind.give("improve", {"hex": label, "build": TOWER})
        mind.pays(cost)


def trade(mind: Mind) -> None:
    """Doors closed or opened, goods smuggled over the border."""
    if not mind.others():
        return
    if mind.wants("doors"):
        seat = mind.pick("door", mind.others())
        mind.orders["doors"] = {seat: "open" if seat in mind.kingdom.doors else "closed"}
    if mind.wants("smuggle"):
        mind.orders["smuggle"] = [mind.pick("smuggled", mind.others())]


def _aid(mind: Mind) -> dict[str, Any]:
    return {"to": mind.pick("aided", mind.others()), "attribute": mind.pick("aided_with", ATTRIBUTES)}


def _explore(mind: Mind) -> dict[str, Any] | None:
    if not mind.kingdom.settlements:
        return None
    order: dict[str, Any] = {
        "from": mind.pick("leaves", sorted(mind.kingdom.settlements)),
        "weeks": mind.roll("weeks", WEEKS),
    }
    how = mind.pick("way", ("route", "direction", "label"))
    home = mind.kingdom.settlements[order["from"]].hex
    if how == "route":
        order["route"] = _walk(mind, home)
    elif how == "direction":
        order["toward"] = mind.pick("direction", DIRECTIONS)
        if mind.happens("until", 40):
            order["until"] = mind.pick("until_what", ("water", "mountains", "forest"))
    else:
        order["toward"] = mind.pick("goal_label", sorted(mind.world.hexes))
    if mind.happens("escort", 40):
        armies = sorted(name for name, army in mind.kingdom.armies.items() if army.hex == home)
        order["escort"] = (
            mind.pick("escort_army", armies)
            if armies and mind.happens("escort_by", 60)
            else 2 * mind.roll("escort_bp", PARTY)
        )
    return order


def _walk(mind: Mind, start: str) -> list[str]:
    """A way of some hexes away from home, each beside the one before."""
    path = [start]
    for _ in range(4):
        onward = [label for label in neighbours(path[-1]) if label in mind.world.hexes and label not in path]
        if not onward:
            break
        path.append(mind.pick("onward", onward))
    return path[1:]


def _adventurers(mind: Mind) -> dict[str, Any] | None:
    lairs = sorted(label for label, hex in mind.world.hexes.items() if hex.monsters)
    return {"bp": 2 * mind.roll("hired", PARTY), "task": mind.pick("task", lairs)} if lairs else None


def _trade_route(mind: Mind) -> dict[str, Any] | None:
    """To a hex beside the land of another kingdom that it sees."""
    ends = [
        (seat, near)
        for label, seat in sorted(mind.foreign().items())
        for near in neighbours(label)
        if near in mind.world.hexes and near not in mind.foreign()
    ]
    if not ends:
        return None
    seat, label = mind.pick("route_end", ends)
    return {"to": seat, "hex": label}


def _share_route(mind: Mind) -> dict[str, Any]:
    return {"to": mind.pick("shared", mind.others())}


def _close_route(mind: Mind) -> dict[str, Any] | None:
    return {"route": mind.pick("closed", sorted(mind.kingdom.routes))} if mind.kingdom.routes else None


_EDICTS: dict[str, Callable[[Mind], dict[str, Any] | None]] = {
    "aid": _aid,
    "explore": _explore,
    "adventurers": _adventurers,
    "trade_route": _trade_route,
    "share_route": _share_route,
    "close_route": _close_route,
}
