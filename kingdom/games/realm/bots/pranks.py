"""Orders that are wrong on purpose: each prank asks for something forbidden that a player might try.

Only simulations use them, besides the random orders of bots/simulation.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from kingdom.games.realm.bots.draw import Draw
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.orders.declaration import CLAIM
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.rules.building_tables import BuildingKind
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.steps.land.improvements import possible

Orders: TypeAlias = dict[str, object]
LOTS = [f"{column}{row}" for column in "ABCDEF" for row in range(1, 7)]
MANY = 9  # orders of one kind: above any limit of a kingdom that is not very large


def prank(draw: Draw) -> Orders:
    """The keys of one prank; {} if it does not apply. A prank that is seldom possible is always taken."""
    return next(filter(None, (seldom(draw) for seldom in SELDOM)), None) or draw.pick(PRANKS)(draw)


def _too_many_claims(draw: Draw) -> Orders:
    labels = CLAIM.claimable(draw.kingdom, draw.world, draw.rules) if draw.kingdom.hexes else []
    return {CLAIM.key: [*draw.shuffled(labels)[:MANY], labels[0]]} if labels else {}


def _off_the_map(draw: Draw) -> Orders:
    edge = [near for label in sorted(draw.kingdom.hexes) for near in neighbours(label) if near not in draw.world.hexes]
    return {CLAIM.key: edge[:2]} if edge else {}


def _beyond(draw: Draw) -> Orders:
    """Claim a hex, then an unknown hex behind it, and build a farm there."""
    known = draw.world.hexes
    unseen = {name for name, row in draw.rules.terrain.items() if row.unseen}
    near = CLAIM.claimable(draw.kingdom, draw.world, draw.rules) if draw.kingdom.hexes else []
    pairs = [
        (label, far) for label in near for far in neighbours(label) if far in known and known[far].terrain in unseen
    ]
    if not pairs:
        return {}
    label, far = draw.pick(pairs)
    return {CLAIM.key: [label, far], "improve": [{"hex": far, "build": "farm"}]}


def _water(draw: Draw) -> Orders:
    """Claim water, with or without a shore, and settle there."""
    wet = {name for name, row in draw.rules.terrain.items() if row.water}
    near = {label for held in draw.kingdom.hexes for label in neighbours(held) if label in draw.world.hexes}
    labels = sorted(label for label in near if draw.world.hexes[label].terrain in wet)
    held = [label for label in labels if label in draw.kingdom.hexes]
    return (
        {CLAIM.key: labels[:3], **({"settle": [{"hex": held[0], "name": "Seaholm"}]} if held else {})} if labels else {}
    )


def _too_many_improvements(draw: Draw) -> Orders:
    """Build one of every improvement, each in another hex, and farms in the desert."""
    orders = [
        {"hex": label, "build": word}
        for label in draw.shuffled(sorted(draw.kingdom.hexes))[:MANY]
        for word in _first(draw, label)
    ]
    dry = [
        label
        for label in sorted(draw.kingdom.hexes)
        if label in draw.world.hexes and draw.world.hexes[label].terrain == "desert"
    ]
    return {"improve": [*orders, *({"hex": label, "build": "farm"} for label in dry[:2])]} if orders or dry else {}


def _first(draw: Draw, label: str) -> list[str]:
    words = (
        [word for word, _ in possible(draw.kingdom, label, draw.world, draw.rules)] if label in draw.world.hexes else []
    )
    return [draw.pick(words)] if words else []


def _desert(draw: Draw) -> Orders:
    labels = [
        label
        for label in CLAIM.claimable(draw.kingdom, draw.world, draw.rules)
        if draw.world.hexes[label].terrain == "desert"
    ]
    return (
        {CLAIM.key: labels[:1], "improve": [{"hex": labels[0], "build": "farm"}]}
        if draw.kingdom.hexes and labels
        else {}
    )


def _prepared(draw: Draw) -> Orders:
    """Prepare and settle two hexes in one turn, the second under a taken name; and build a farm on prepared ground."""
    labels = [
        label
        for label in draw.shuffled(sorted(draw.kingdom.hexes))
        if "prepare" in {word for word, _ in _offers(draw, label)}
    ][:2]
    if not labels:
        return {}
    taken = sorted(draw.kingdom.settlements) or ["Oakhold"]
    names = [draw.pick(("Twinford", taken[0])), "Otherford"]
    return {
        "improve": [{"hex": label, "build": "prepare"} for label in labels] + [{"hex": labels[0], "build": "farm"}],
        "settle": [{"hex": label, "name": name} for label, name in zip(labels, names, strict=False)],
    }


def _offers(draw: Draw, label: str) -> list[tuple[str, int]]:
    return possible(draw.kingdom, label, draw.world, draw.rules) if label in draw.world.hexes else []


def _walls(draw: Draw) -> Orders:
    """Build walls at every border, at one of them twice; gates without a wall; a waterway behind the walls."""
    name = _town(draw)
    kinds = draw.pick(
        (("waterway", "city_wall"), ("city_wall", "waterway"), ("city_wall", "city_wall"), ("watergate", "moat"))
    )
    orders: list[Orders] = []
    for kind in kinds:
        place = {} if kind == "waterway" else {"border": draw.pick((*BORDERS, "2-north"))}
        orders.append({"in": name, "build": kind, **place})
    orders += [{"in": name, "build": "city_wall", "border": border} for border in BORDERS]
    return {"build": orders} if name else {}


def _odd_lots(draw: Draw) -> Orders:
    """Build any buildings at any lots or borders, including the last lots."""
    name, kinds = _town(draw), list(draw.rules.buildings)
    places = [{"lot": draw.pick(LOTS)}, {"lot": draw.pick(LOTS)}, {"lot": "F6"}, {"border": draw.pick(BORDERS)}, {}]
    return (
        {"build": [{"in": name, "build": draw.pick(kinds), **draw.pick(places)} for _ in range(MANY)]} if name else {}
    )


def _neighbours(draw: Draw) -> Orders:
    """Build beside a house what must not stand there; also build on blocked lots, and again what may stand only once."""
    name = _town(draw)
    if not name:
        return {}
    town, kinds = draw.kingdom.settlements[name], draw.rules.buildings
    once = [each.id for each in town.buildings if kinds[each.id].per_settlement or kinds[each.id].per_district]
    shy = [kind for kind, row in kinds.items() if row.not_beside]
    lots = [*draw.kingdom.blocked.get(name, ()), *draw.shuffled(LOTS)[:4]]
    wanted = [{"in": name, "build": "house", "lot": lot} for lot in draw.kingdom.blocked.get(name, ())]
    wanted += [{"in": name, "build": draw.pick(shy), "lot": lot} for lot in lots if shy] + [
        {"in": name, "build": kind} for kind in once
    ]
    shared = [kind for kind, row in kinds.items() if row.shares_lot_with]
    return {"build": [*wanted, *({"in": name, "build": kind, "lot": draw.pick(LOTS)} for kind in shared)]}


def _upgrades(draw: Draw) -> Orders:
    """Order every upgrade of every building, and a district with a water border where there is no water."""
    name = _town(draw)
    if not name:
        return {}
    kinds = draw.rules.buildings
    orders = [
        {"in": name, "upgrade": each.id, "to": to}
        for each in draw.kingdom.settlements[name].buildings
        for to in kinds[each.id].upgrades_to
    ]
    return {"build": [*draw.shuffled(orders)[:4], {"in": name, "build": "district", "water": ["north"]}]}


def _too_many_edicts(draw: Draw) -> Orders:
    seats = [seat for seat in draw.world.kingdoms if seat != draw.seat and draw.world.kingdoms[seat].hexes]
    return (
        {"special": [{"edict": "aid", "to": draw.pick(seats), "attribute": draw.pick(ATTRIBUTES)} for _ in range(4)]}
        if seats
        else {}
    )


def _armies_twice(draw: Draw) -> Orders:
    """Give an army two orders; send it off the map; against its own kingdom; put it in reserve twice; disband it into
    itself."""
    names = sorted(draw.kingdom.armies)
    if not names:
        return {}
    name = draw.pick(names)
    at = draw.kingdom.armies[name].hex
    here = [near for near in neighbours(at) if near in draw.kingdom.hexes][:1] or [at]
    pairs: tuple[Sequence[Mapping[str, object]], ...] = (
        [{"army": name, "move": ["9999"]}, {"army": name, "then": "garrison"}],
        [{"army": name, "move": here}, {"army": name, "move": here}],
        [{"army": name, "then": "attack", "target": draw.seat}],
        [{"reserve": name}, {"reserve": name}],
        [{"reserve": name}, {"army": name, "then": "attack"}],
        [{"disband": name, "to": name}],
        [{"disband": name, "to": other} for other in names if other != name][:1],
        [
            {"recruit": name, "size": "small", "unit": "warrior", "from": town}
            for town in list(draw.kingdom.settlements)[:1]
        ],
    )
    return {"armies": draw.pick([pair for pair in pairs if pair])}


def _escorts(draw: Draw) -> Orders:
    """Send one army as the escort of two expeditions, perhaps from reserve, perhaps with expeditions already under way."""
    name, town = next(iter(sorted(draw.kingdom.armies)), ""), _town(draw)
    if not name or not town:
        return {}
    edicts = [
        {"edict": "explore", "from": town, "weeks": 1, "toward": direction, "escort": name} for direction in ("n", "s")
    ]
    return {"special": edicts, **({"armies": [{"reserve": name}]} if draw.happens(50) else {})}


def _routed(draw: Draw) -> Orders:
    """Order a routed army to attack, and to escort an expedition from its settlement."""
    routed = sorted(name for name, army in draw.kingdom.armies.items() if army.routed)
    if not routed:
        return {}
    at = draw.kingdom.armies[routed[0]].hex
    towns = [name for name, town in draw.kingdom.settlements.items() if town.hex == at] or list(
        draw.kingdom.settlements
    )
    edicts = [{"edict": "explore", "from": towns[0], "weeks": 1, "toward": "n", "escort": routed[0]}] if towns else []
    return {"armies": [{"army": routed[0], "then": "attack"}], **({"special": edicts} if edicts else {})}


def _captive(draw: Draw) -> Orders:
    """Buy every captive free, whatever the price."""
    return {"answers": dict.fromkeys(draw.kingdom.captives, "pay")} if draw.kingdom.captives else {}


def _towers(draw: Draw) -> Orders:
    """Build watchtowers along its routes, two in a hex."""
    labels = [label for route in draw.kingdom.routes.values() for label in route.path]
    return (
        {"improve": [{"hex": label, "build": "watchtower"} for label in labels[:4] for _ in range(2)]} if labels else {}
    )


def _dear_answers(draw: Draw) -> Orders:
    answers: Orders = {}
    for asked in draw.kingdom.pending:
        for word, figures in asked.figures.items():
            answers[asked.key] = {word: max(figures)}
    return {"answers": answers} if answers else {}


def _blocked(draw: Draw) -> Orders:
    """Build houses on blocked lots."""
    lots = [(name, lot) for name, blocked in draw.kingdom.blocked.items() for lot in blocked]
    return {"build": [{"in": name, "build": "house", "lot": lot} for name, lot in lots]} if lots else {}


def _needed_neighbours(draw: Draw) -> Orders:
    """Upgrade buildings that others need as neighbours to kinds that do not serve them."""
    kinds = draw.rules.buildings
    orders = [
        {"in": name, "upgrade": each.id, "to": to, "lot": each.lot}
        for name, town in draw.kingdom.settlements.items()
        for each in town.buildings
        for to in kinds[each.id].upgrades_to
        if kinds[each.id].place == "lot"
        and any(_needs(kinds[other.id], each.id) and not _needs(kinds[other.id], to) for other in town.buildings)
    ]
    return {"build": orders} if orders else {}


def _needs(kind: BuildingKind, neighbour: str) -> bool:
    """Whether that neighbour can serve a building of that kind."""
    return bool(kind.beside and neighbour in kind.beside.any_of)


def _wet_route(draw: Draw) -> Orders:
    """Build watchtowers in water hexes of its routes."""
    wet = {name for name, row in draw.rules.terrain.items() if row.water}
    labels = [label for route in draw.kingdom.routes.values() for label in route.path if label in draw.world.hexes]
    labels = [label for label in labels if draw.world.hexes[label].terrain in wet and label not in draw.kingdom.hexes]
    return {"improve": [{"hex": label, "build": "watchtower"} for label in labels]} if labels else {}


def _far_water(draw: Draw) -> Orders:
    """Claim water, and water behind it that is not beside the kingdom's own coast."""
    known, own = draw.world.hexes, draw.kingdom.hexes
    wet = {name for name, row in draw.rules.terrain.items() if row.water}
    near = (
        [label for label in CLAIM.claimable(draw.kingdom, draw.world, draw.rules) if known[label].terrain in wet]
        if own
        else []
    )
    pairs = [
        (label, far)
        for label in near
        for far in neighbours(label)
        if far in known
        and known[far].terrain in wet
        and far not in own
        and not any(beside in own for beside in neighbours(far))
    ]
    return {CLAIM.key: list(draw.pick(pairs))} if pairs else {}


def _town(draw: Draw) -> str:
    names = sorted(draw.kingdom.settlements)
    return draw.pick(names) if names else ""


SELDOM = (_routed, _captive, _blocked, _wet_route, _needed_neighbours)
PRANKS: tuple[Callable[[Draw], Orders], ...] = (
    _too_many_claims, _too_many_claims, _off_the_map, _beyond, _water, _far_water, _too_many_improvements, _desert, _prepared, _walls, _odd_lots, _neighbours,
    _upgrades, _too_many_edicts, _armies_twice, _armies_twice, _escorts, _towers, _dear_answers,
)  # fmt: skip
