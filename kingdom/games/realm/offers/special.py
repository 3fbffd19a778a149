"""What the form offers of special edicts, of doors and of smuggling. Edict step 7."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from kingdom.engine.names import words
from kingdom.games.realm.hexmap import DIRECTIONS, neighbours
from kingdom.games.realm.offers import candidates
from kingdom.games.realm.offers.form_model import (
    KEPT,
    MAP,
    PIERS,
    Field,
    FormOffer,
    Ground,
    Option,
    field,
    held,
    offer,
    options,
    slot,
    table,
)
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.state import World, owners
from kingdom.games.realm.steps.edicts import PROBLEMS, aid_cost, aid_problem, tied_for_aid
from kingdom.games.realm.steps.land.ground import borders
from kingdom.games.realm.steps.shared import USED
from kingdom.games.realm.steps.trade.routes import known_to
from kingdom.games.realm.types import Order

if TYPE_CHECKING:
    from kingdom.games.realm.order_types import SpecialAid

MOST_WEEKS = 52


class Asking(NamedTuple):
    """What the checks of special edicts ask of a turn: its rules, the world as it finds it, and that nothing is thrown."""

    rules: Rules
    before: World
    foreseeing: bool = False


def special_offers(ground: Ground) -> list[FormOffer]:
    """The special edicts that can be issued, each in a form or alone."""
    return [*_aid(ground), *_explore(ground), *_adventurers(ground), *_routes(ground)]


def _allowed(order: Order, ground: Ground) -> bool:
    return (
        PROBLEMS[order["edict"]](ground.seat, ground.kingdom, order, ground.world, Asking(ground.rules, ground.seen))
        is None
    )


def _touching(other: str, ground: Ground) -> list[str]:
    """The facts of which one must hold for the kingdoms to touch."""
    held_by = owners(ground.world)
    return [
        held(label)
        for label in sorted(ground.kingdom.hexes)
        if any(held_by.get(near) == other for near in neighbours(label))
    ]


def _aid(ground: Ground) -> Iterator[FormOffer]:
    along = tied_for_aid(ground.kingdom, ground.world, ground.rules, foreseen=True)
    near = borders(ground.world)[ground.seat] | along
    costs = {size: aid_cost(size, ground.rules) for size in range(len(ground.kingdom.hexes) + 20)}
    for other in sorted(near):
        order: SpecialAid = {"edict": "aid", "to": other, "attribute": ATTRIBUTES[0]}
        if aid_problem(ground.world, ground.seat, ground.kingdom, order, near, ground.rules):
            continue
        tied = [f"tied {other}"] if other in along else []
        yield offer(
            f"aid {other}", "special", "special", {**order, "attribute": slot("attribute")}, f"Send aid to {ground.name_of(other)}", group="Aid",
            fields=[field("attribute", "For its", "choice", options=options((name, name.capitalize()) for name in ATTRIBUTES))],
            costs={USED: 1}, sized={"counter": "treasury", "by": "size", "costs": costs}, needs=[[*_touching(other, ground), *tied]],
        )  # fmt: skip


def _explore(ground: Ground) -> Iterator[FormOffer]:
    rules, kingdom = ground.rules, ground.kingdom
    if rules.exploration is None or not kingdom.settlements:
        return
    per_week = rules.exploration.bp_per_week
    most = min(MOST_WEEKS, max(0, kingdom.treasury) // per_week) if per_week else MOST_WEEKS
    homes = {name: kingdom.settlements[name].hex for name in sorted(kingdom.settlements)}
    escorts = _escorts(list(homes), ground)
    told = {word: slot(word) for word in ("from", "weeks", "toward", "until", "escort")}
    if most:
        yield offer(
            "explore", "special", "special", {"edict": "explore", **told}, "Send an expedition", more=f"{per_week} BP a week",
            fields=_journey(homes, most, escorts, ground), costs={USED: 1}, needs_of={"from": {name: [[held(home)]] for name, home in homes.items()}},
            tables=[table("treasury", ("weeks",), {str(weeks): weeks * per_week for weeks in range(1, most + 1)}),
                    table("treasury", ("escort",), {str(bp): bp for bp in _wages(ground)})],
            takes_of={"escort": {army: [f"march {army}", f"muster {army}"] for army in escorts}},
        )  # fmt: skip


def _escorts(towns: list[str], ground: Ground) -> dict[str, list[str]]:
    """Each army that may escort an expedition, and the settlements from which."""
    order = {"edict": "explore", "weeks": 1, "toward": DIRECTIONS[0]}
    found = {
        army: [name for name in towns if _allowed({**order, "from": name, "escort": army}, ground)]
        for army in sorted(ground.kingdom.armies)
    }
    return {army: at for army, at in found.items() if at}


def _journey(homes: dict[str, str], most: int, escorts: dict[str, list[str]], ground: Ground) -> list[Field]:
    """The fields of an expedition. It does not go toward the hex that it starts from."""
    goals = options([*_DIRECTIONS.items(), *((label, label) for label in sorted(ground.seen.hexes))])
    starts = {home: [name for name, other in homes.items() if other == home] for home in homes.values()}
    toward: list[Option] = [
        {**goal, "unless": {"from": starts[goal["value"]]}} if goal["value"] in starts else goal for goal in goals
    ]
    armies: list[Option] = [{"value": army, "text": army, "when": {"from": at}} for army, at in escorts.items()]
    grounds = [(word, terrain.name) for word, terrain in ground.rules.terrain.items() if not terrain.unseen]
    return [
        field("from", "From", "choice", options=options((name, name) for name in homes)),
        field("weeks", "Weeks", "choice", options=options((weeks, str(weeks)) for weeks in range(1, most + 1))),
        field("toward", "Toward", "choice", on_map=True, options=toward),
        field("until", "Back before", "choice", options=options(grounds), none="nothing"),
        field(
            "escort",
            "Escort",
            "choice",
            options=[*options((bp, f"adventurers for {bp} BP") for bp in _wages(ground)), *armies],
            none="nobody",
        ),
    ]


_DIRECTIONS = {
    "n": "north",
    "ne": "north-east",
    "se": "south-east",
    "s": "south",
    "sw": "south-west",
    "nw": "north-west",
}


def _wages(ground: Ground) -> list[int]:
    """What adventurers may be hired for, in BP."""
    wages = ground.rules.adventurers
    if wages is None or ground.kingdom.treasury < wages.least_bp:
        return []
    return [
        bp
        for bp in range(wages.least_bp, min(ground.kingdom.treasury, 40 * wages.bp_per_acr) + 1)
        if bp % wages.bp_per_acr == 0
    ]


def _adventurers(ground: Ground) -> Iterator[FormOffer]:
    ruling, wages = ground.rules.adventurers, _wages(ground)
    if ruling is None or not wages:
        return
    for label, acr, _ in candidates.hunts(ground.seen, ground.rules):
        if not _allowed({"edict": "adventurers", "bp": wages[0], "task": label}, ground):
            continue
        match = acr * ruling.bp_per_acr
        yield offer(
            f"adventurers {label}", "special", "special", {"edict": "adventurers", "bp": slot("bp"), "task": label}, f"Hire adventurers against {label}",
            at=label, group="Adventurers", more=f"ACR {acr}: {match} BP are its match",
            fields=[field("bp", "For BP", "choice", options=options((bp, str(bp)) for bp in wages))],
            costs={USED: 1}, tables=[table("treasury", ("bp",), {str(bp): bp for bp in wages})], takes=[f"adventurers {label}"],
            needs=[[PIERS], [KEPT], [held(town.hex) for town in ground.kingdom.settlements.values()]],
        )  # fmt: skip


def _routes(ground: Ground) -> Iterator[FormOffer]:
    rules, kingdom = ground.rules, ground.kingdom
    if rules.trade_route is None:
        return
    costs, seen = (
        {"treasury": rules.trade_route.bp_per_turn, USED: 1},
        known_to(ground.world, ground.seen, ground.seat, rules),
    )
    reach = candidates.free_to_go(ground.seat, seen, kingdom, rules)
    every = candidates.caravan_ends(seen, ground.seat, kingdom, ground.near, rules)
    towns = [[PIERS], [KEPT], *([held(town.hex)] for town in kingdom.settlements.values())]
    for other in ground.near:
        ends = _ends(other, every.get(other, ()), reach, ground)
        if ends:
            yield offer(
                f"route {other}", "special", "special", {"edict": "trade_route", "to": other, "hex": slot("hex")}, group="Trade routes",
                text=f"Send a caravan to {ground.name_of(other)}", costs=costs, needs=towns, takes=[f"route {other}"],
                fields=[field("hex", "To the hex", "choice", on_map=True, options=options((label, label) for label in ends))],
            )  # fmt: skip
        if _allowed({"edict": "share_route", "to": other}, ground):
            yield offer(f"share {other}", "special", "special", {"edict": "share_route", "to": other}, f"Ask {ground.name_of(other)} for a share of its route",
                        group="Trade routes", costs=costs, needs=towns, takes=[f"share {other}"])  # fmt: skip
    for key, route in sorted(kingdom.routes.items()):
        yield offer(f"close {key}", "close_route", "special", {"edict": "close_route", "route": key}, f"Close {key}", group="Trade routes",
                    more=f"to {ground.name_of(route.to)}", takes=[f"close {key}"], ends=[KEPT])  # fmt: skip


def _ends(other: str, near: Iterable[str], reach: Container[str], ground: Ground) -> list[str]:
    """The hexes beside another kingdom at which a caravan may end. near: those that are free."""
    ends = [label for label in near if label in reach]
    return ends if ends and _allowed({"edict": "trade_route", "to": other, "hex": ends[0]}, ground) else []


def door_choices(ground: Ground) -> Iterator[FormOffer]:
    """Doors to be closed or opened again, and where smugglers may be sent."""
    rules = ground.rules
    if rules.trade is None:
        return
    smuggled_to = candidates.smuggled_to(ground.seat, ground.kingdom, ground.world, rules)
    for other in ground.near:
        if ground.seen.kingdoms[other].destroyed:
            continue
        name, closed = ground.name_of(other), other in ground.kingdom.doors
        text = f"Open the doors to the trade of {name} again" if closed else f"Close the doors to the trade of {name}"
        yield offer(
            f"door {other}",
            "doors",
            "doors",
            [other, "open" if closed else "closed"],
            text,
            MAP,
            takes=[f"door {other}"],
        )
        if other in smuggled_to:
            yield offer(f"smuggle {other}", "smuggle", "smuggle", other, f"Smuggle goods to {name}", takes=[f"smuggle {other}"],
                        needs=[_touching(other, ground)])  # fmt: skip


def hexes_said(ground: Ground) -> dict[str, str]:
    """Label -> terrain of every hex that the seat knows of."""
    rules = ground.rules
    return {
        label: words(rules.terrain[hex.terrain].name)
        for label, hex in sorted(ground.seen.hexes.items())
        if not rules.terrain[hex.terrain].unseen
    }
