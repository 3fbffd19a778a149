"""What the form counts with when it finds places for buildings: the ground of each settlement, the kinds of buildings, the shapes of lots."""

from __future__ import annotations

import collections
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any

from kingdom.engine.refusal import Refusal, sentence
from kingdom.games.kit.memo import remember
from kingdom.games.realm.offers.form_model import Counter, FormOffer, Ground, Part, Town
from kingdom.games.realm.orders.building import ORDINALS, does
from kingdom.games.realm.rules.building_tables import BuildingKind, FirstIsFree, UnrestOncePerSettlement, WantsGate
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Settlement
from kingdom.games.realm.steps.towns.buildings import half_prices, price_of
from kingdom.games.realm.steps.towns.construction import CREDIT, LIMIT, Site, credit_left, unrest_counted, work_of
from kingdom.games.realm.steps.towns.grid import Grid, footprint
from kingdom.games.realm.steps.towns.lots import NEIGHBOURLY
from kingdom.games.realm.steps.towns.plan import Plan, lots_under
from kingdom.games.realm.turn import PLAY

FEW = 3
SHAPES = (("1", 1, False), ("2", 2, False), ("2t", 2, True), ("4", 4, False))


def town_of(name: str, ground: Ground) -> Town:
    """The ground of a settlement: its hex, who is there to serve, and of which kinds how many more may stand, cost half, or bring
    no Unrest."""
    rules, settlement = ground.rules, ground.kingdom.settlements[name]
    site = Site(ground.kingdom, ground.world.hexes, rules, name, settlement)
    plan, count = site.plan(), collections.Counter(building.id for building in settlement.buildings)
    return {
        "hex": settlement.hex,
        "open": bool(plan.unserved()),  # who lacks a neighbour now would get a new one first
        "standing": [{"kind": each.id, "lots": list(lots_under(each, rules))} for each in plan.free_to_serve()],
        "left": {
            kind: record.per_settlement - count[kind] if record.per_settlement else 1
            for kind, record in rules.buildings.items()
            if record.per_settlement or record.per_district
        },
        "half": {
            kind: len(half) for kind in rules.buildings if (half := [*half_prices(settlement, kind, rules, site.ruin)])
        },
        "spared": _spared(settlement, rules),
    }


Closed = dict[
    str, str | int
]  # name of a kind of building -> why it can't be had, the price in BP if the treasury is too small


def closed(name: str, offers: Iterable[FormOffer], ground: Ground) -> Closed:
    """The kinds of buildings that can't be had in the settlement whatever is ordered first; one row where none can, for one reason."""
    rules, town, found = ground.rules, ground.kingdom.settlements[name], Closed()
    site = Site(ground.kingdom, ground.world.hexes, rules, name, town)
    offered = {offer["work"]["kind"] for offer in offers if "work" in offer and "over" not in offer["work"]}
    for kind in sorted(rules.buildings.keys() - offered):
        work, what = work_of(site, {"in": name, "build": kind}), rules.buildings[kind].name
        price = price_of(town, kind, rules, ruin=site.ruin).bp
        if isinstance(work, Refusal):
            is_dear = work.code in ("build_unaffordable", *NEIGHBOURLY) and price > max(0, ground.kingdom.treasury)
            found[what] = price if is_dear else _why(work, what)
    whole = len({*found.values()}) == 1 and not offered
    return {"Buildings": next(iter(found.values()))} if whole else found


def none_built(ground: Ground) -> str:
    """Why no building can be had in any settlement, in short: the reason of most kinds."""
    reasons = [why for name in ground.kingdom.settlements for why in closed(name, (), ground).values()]
    dear = [why for why in reasons if isinstance(why, int)]
    others = [why for why in reasons if isinstance(why, str)]
    if len(dear) >= len(others):
        return f"nothing: the cheapest costs {min(dear)} BP" if dear else ""
    most = max(others, key=others.count)
    return most if most.startswith("Nothing") else f"nothing: {most}"


def closed_in_most(parts: Sequence[Part]) -> Closed:
    """Of each kind the reason that most of the settlements have; take it out of their parts."""
    reasons = collections.defaultdict[str, list[str | int]](list)
    for part in parts if len(parts) > 1 else ():
        for what, why in part["closed"].items():
            reasons[what].append(why)
    most = {what: max(said, key=said.count) for what, said in reasons.items()}
    for part in parts:
        part["closed"] = {what: why for what, why in part["closed"].items() if most.get(what) != why}
    return most


def _why(refusal: Refusal, what: str) -> str:
    """The reason alone, in short: no ruling, no name of what the row is about, no more than a few of many that would do."""
    said = sentence(refusal, PLAY.refusals).partition(" (")[0].removeprefix(f"{what} ")
    said = said.partition(": ")[2] if said.startswith("can't") else said
    words, _, others = said.partition(": ")
    names = others.split(", ")
    return f"{words}: {', '.join(names[:FEW])} ..." if len(names) > FEW else said


def _spared(settlement: Settlement, rules: Rules) -> dict[str, int]:
    """Kind -> how many more of it there neither bring nor take Unrest."""
    razed = {kind: len(turns) for kind, turns in settlement.razed.items() if rules.buildings[kind].unrest < 0}
    once = sorted(
        {*settlement.once, *(building.id for building in settlement.buildings)}
    )  # the same page each time it is made
    return razed | {
        kind: ORDINALS for kind in once if unrest_counted(settlement, kind, rules) and rules.buildings[kind].unrest
    }


@remember(lambda rules: ((rules,), ()))
def kinds(rules: Rules) -> dict[str, dict[str, Any]]:
    """What each kind of building gives, and is to others. names: what it counts as, if not as itself alone; avoids: what may not be near; serves: who may be beside it."""
    made, traits = dict[str, dict[str, Any]](), Plan((), (), rules).traits
    for kind, record in rules.buildings.items():
        row = {
            "does": does(record),
            "adds": given(record),
            "once": record.has(UnrestOncePerSettlement),
            "names": sorted(names) if (names := traits[kind].names) != {kind} else (),
            "avoids": list(record.not_beside),
            "count": record.beside.count if record.beside else 0,
            "of": list(record.beside.any_of) if record.beside else [],
            "halves": list(record.halves),
            "walls": sorted(traits[kind].walls),
            "gate": record.has(WantsGate),
            "walled": record.place == "border",
        }
        said = {"name": record.name} | {name: what for name, what in row.items() if what}
        made[kind] = said
    return made


def kinds_counted(counted: Collection[str], rules: Rules) -> dict[str, dict[str, Any]]:
    """Those kinds, without what they are to others."""
    rows = {kind: row for kind, row in kinds(rules).items() if kind in counted}
    halves = {kind: [each for each in row.get("halves", ()) if each in counted] for kind, row in rows.items()}
    return {kind: {**row, "halves": halves[kind]} if "halves" in row else row for kind, row in rows.items()}


def given(record: BuildingKind) -> dict[str, int]:
    """What a building of that kind adds to the figures."""
    points = {name: getattr(record.kingdom, name) for name in ATTRIBUTES} | {"unrest": record.unrest}
    return {name: by for name, by in points.items() if by}


@lru_cache
def shapes(grid: Grid) -> dict[str, Any]:
    """How buildings lie on the lots of a district. names: the lots, row by row; beside: lot -> those beside it; over: shape -> how far behind
    its top left lot in `names` each lot stands that it covers."""
    alone = {name: footprint(grid, 1, False, number) for number, name in enumerate(grid.names)}
    return {
        "names": list(grid.names),
        "beside": {
            name: " ".join(grid.names[lot] for lot in covered.beside) for name, covered in alone.items() if covered
        },
        "over": {shape: covered.lots for shape, lots, tall in SHAPES if (covered := footprint(grid, lots, tall, 0))},
    }


def counters(ground: Ground) -> list[Counter]:
    """The limits of buildings: this turn's, the first of a kind outside it, and what may be had on credit: one a turn. Ruling: debt."""
    rules, most = ground.rules, limits(ground.kingdom, ground.rules).buildings
    firsts = [(kind, record.name) for kind, record in rules.buildings.items() if record.has(FirstIsFree)]
    credit: Counter = {"id": CREDIT, "name": "Buildings on credit", "left": 1, "level": True}
    return [
        {"id": LIMIT, "name": "Buildings", "left": most},
        *({"id": f"first_{kind}", "name": f"First {name}", "left": 1} for kind, name in firsts),
        *([credit] if credit_left(ground.kingdom, rules) else []),
    ]
