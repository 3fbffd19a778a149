"""What may be ordered beyond the borders: special edicts, exploring, adventurers, trade. Edict step 7."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias, cast

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.offer import Offer
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.hexmap import DIRECTIONS, piers_of, ways
from kingdom.games.realm.offers.form_model import (
    Field,
    FormOffer,
    Ground,
    Option,
    field,
    offer,
    options,
    slot,
    table,
)
from kingdom.games.realm.offers.turn_preview import Course, made
from kingdom.games.realm.orders.kind import KEPT, PIERS, held, paid
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.steps.edicts import FREE, PROBLEMS, aid_cost, aid_problem, tied_for_aid
from kingdom.games.realm.steps.exploring.hazards import chance
from kingdom.games.realm.steps.land.ground import borders_of, hexes_beside
from kingdom.games.realm.steps.shared import USED, most_special_edicts
from kingdom.games.realm.steps.trade.routes import (
    beside_land_of,
    is_free,
    known_to,
    pair_problem,
    routes_with,
    without_unseen,
)
from kingdom.games.realm.types import Order

if TYPE_CHECKING:
    from kingdom.games.realm.orders.special import SpecialAid


# --- what there is to order, whatever else is asked of it


class Hunt(NamedTuple):
    """Monsters that are known, and the BP of adventurers who are their match."""

    label: str
    acr: int
    match: int


def hunts(seen: World, rules: Rules) -> list[Hunt]:
    """The monsters that adventurers may be hired against, by label."""
    wages = rules.adventurers
    return [
        Hunt(label, hex.monsters, max(wages.least_bp, hex.monsters * wages.bp_per_acr))
        for label, hex in (sorted(seen.hexes.items()) if wages else ())
        if hex.monsters and wages
    ]


class Peril(NamedTuple):
    """A hazard that is known, the BP of adventurers who are offered against it, and the chance of each of their tries in percent."""

    label: str
    hazard: str
    bp: int
    chance: int


MOST_ACR = 40  # of adventurers that are offered
EVEN = 50  # percent a turn; who is offered against a hazard has that chance, where somebody can


def perils(seen: World, rules: Rules, most: int) -> list[Peril]:
    """The hazards that adventurers may be hired against alone, by label: the cheapest who clear it in every second turn, or the
    best for `most` BP."""
    wages, found = rules.adventurers, list[Peril]()
    if wages is None or rules.hazards is None:
        return found
    for label, hex in sorted(seen.hexes.items()):
        if hex.hazard and not hex.monsters:
            paid = range(max(wages.least_bp, wages.bp_per_acr), min(most, MOST_ACR * wages.bp_per_acr) + 1)
            chances = {bp: chance(bp // wages.bp_per_acr, hex, rules) for bp in paid if bp % wages.bp_per_acr == 0}
            enough = [bp for bp, odds in chances.items() if odds >= EVEN]
            best = enough[0] if enough else max(chances, key=lambda bp: (chances[bp], -bp), default=0)
            if best:
                found.append(Peril(label, hex.hazard, best, chances[best]))
    return found


def caravan_ends(land: World, seat: str, kingdom: Kingdom, others: Iterable[str], rules: Rules) -> dict[str, list[str]]:
    """Each of those kingdoms to which the kingdom may found a route -> the free hexes beside its land at which a caravan may end.
    land: without what is not known (trade/routes.py)."""
    free = [other for other in others if not pair_problem(kingdom, other, rules)]
    return {other: ends for other in free if (ends := beside_land_of(land, seat, other))}


def free_to_go(seat: str, land: World, kingdom: Kingdom, rules: Rules) -> Container[str]:
    """The hexes to which a caravan finds a way over known land that is free."""
    barred = {label for label in land.hexes if not is_free(land, seat, label)}
    farthest = sum(terrain.movement or 0 for terrain in rules.terrain.values()) * len(land.hexes)
    starts = {town.hex: 0 for town in kingdom.settlements.values()}
    return ways(starts, farthest, land, rules, barred, piers_of(kingdom, rules))


def founders(kingdom: Kingdom) -> list[str]:
    """The kingdoms that may be asked for a share of a route that ends here."""
    return sorted({guest.by for guest in kingdom.guests.values()})


# --- as offers

Edict: TypeAlias = tuple[dict[str, str | int], str, int]  # a special edict, its text, its BP


def special(now: Course) -> Iterator[Offer]:
    """The special edicts that can still be issued and paid this turn; closing a route is none of them."""
    kingdom, world = now.kingdom("special"), now.world("special")
    rows: list[Edict] = [({"edict": "close_route", "route": key}, f"Close {key}", 0) for key in sorted(kingdom.routes)]
    if kingdom.used.get(USED, 0) < most_special_edicts(kingdom, now.rules)[0]:
        yield from _aid(now, kingdom, world)
        rows += [*_expeditions(now, kingdom), *_adventurers(now, kingdom), *_routes(now, kingdom, world)]
    for order, text, cost in rows:
        edict = str(order["edict"])
        if edict == "trade_route" or not PROBLEMS[edict](now.seat, kingdom, order, world, now.turn):
            yield _edict(order, text, cost)


def _edict(order: Order, text: str, cost: int) -> Offer:
    uses = {} if order["edict"] in FREE else {USED: 1}
    return made("special", order, text, costs=paid(cost), uses=uses)


def _aid(now: Course, kingdom: Kingdom, world: World) -> Iterator[Offer]:
    near = borders_of(world, now.seat) | tied_for_aid(kingdom, world, now.rules, foreseen=True)
    for other in sorted(near):
        for attribute in ATTRIBUTES:
            order: SpecialAid = {"edict": "aid", "to": other, "attribute": attribute}
            if not aid_problem(world, now.seat, kingdom, order, near, now.rules):
                cost = aid_cost(len(kingdom.hexes), now.rules)
                yield _edict(order, f"Send aid to {now.name_of(other)}, for {attribute.capitalize()}", cost)


def _expeditions(now: Course, kingdom: Kingdom) -> Iterator[Edict]:
    """A week toward each side, and each army as an escort."""
    if now.rules.exploration is None:
        return
    cost = now.rules.exploration.bp_per_week
    for town in sorted(kingdom.settlements):
        order: dict[str, str | int] = {"edict": "explore", "from": town, "weeks": 1}
        for way in DIRECTIONS:
            yield {**order, "toward": way}, f"Send an expedition from {town}, {way}", cost
        for army in sorted(kingdom.armies):
            with_army = {**order, "toward": DIRECTIONS[0], "escort": army}
            yield with_army, f"Send an expedition from {town} with {army}", cost


def _adventurers(now: Course, kingdom: Kingdom) -> Iterator[Edict]:
    """Against each monster that is known those who are its match, or the best that can be paid; against a hazard with the odds."""
    wages = now.rules.adventurers
    if wages is None:
        return
    most = kingdom.treasury // wages.bp_per_acr * wages.bp_per_acr
    for label, _, match in hunts(now.seen, now.rules):
        bp = max(wages.least_bp, min(most, match))
        yield {"edict": "adventurers", "bp": bp, "task": label}, f"Hire adventurers for {bp} BP against {label}", bp
    for label, hazard, bp, percent in perils(now.seen, now.rules, kingdom.treasury):
        text = f"Hire adventurers for {bp} BP to clear {label} ({hazard}), {percent} % a turn"
        yield {"edict": "adventurers", "bp": bp, "task": label}, text, bp


def _routes(now: Course, kingdom: Kingdom, world: World) -> Iterator[Edict]:
    """Caravans to each free hex beside the land of another kingdom to which a way is known, and shares of routes."""
    ruling = now.rules.trade_route
    if ruling is None or not kingdom.settlements or kingdom.treasury < ruling.bp_per_turn:
        return
    land = known_to(world, now.turn.before, now.seat, now.rules)
    reach = free_to_go(now.seat, land, kingdom, now.rules)
    for other, ends in caravan_ends(land, now.seat, kingdom, _in_play(now), now.rules).items():
        for label in ends:
            if label in reach:
                text = f"Send a caravan to {now.name_of(other)}, to {label}"
                yield {"edict": "trade_route", "to": other, "hex": label}, text, ruling.bp_per_turn
    for other in founders(kingdom):
        text = f"Ask {now.name_of(other)} for a share of its route"
        yield {"edict": "share_route", "to": other}, text, ruling.bp_per_turn


def _in_play(now: Course) -> list[str]:
    """The other kingdoms in play that the seat knows of."""
    return [other for other, kingdom in now.seen.kingdoms.items() if other != now.seat and not kingdom.destroyed]


# --- in the form

MOST_WEEKS = 52


class Asking(NamedTuple):
    """What the checks of special edicts ask of a turn: its rules, the world as it finds it, and that nothing is thrown."""

    rules: Rules
    before: World
    foreseeing: bool = False


def special_offers(ground: Ground) -> list[FormOffer]:
    """The special edicts that can be issued, each in a form or alone."""
    return [*_aid_forms(ground), *_explore_form(ground), *_adventurer_forms(ground), *_route_forms(ground)]


def may_issue(order: Order, ground: Ground) -> bool:
    """Whether nothing speaks against that special edict."""
    rules, world, kingdom = ground.rules, ground.world, ground.kingdom
    if order["edict"] == "aid":
        near = borders_of(world, ground.seat) | tied_for_aid(kingdom, world, rules, foreseen=True)
        return not aid_problem(world, ground.seat, kingdom, cast("SpecialAid", order), near, rules)
    unsure = order["edict"] in ("close_route", "share_route") and rules.one_route and _unsure(order, kingdom)
    return not (unsure or PROBLEMS[order["edict"]](ground.seat, kingdom, order, world, Asking(rules, ground.seen)))


def _touching(other: str, ground: Ground) -> list[str]:
    """The facts of which one must hold for the kingdoms to touch."""
    return [held(label) for label in hexes_beside(ground.world, ground.seat, other)]


def _aid_forms(ground: Ground) -> Iterator[FormOffer]:
    along = tied_for_aid(ground.kingdom, ground.world, ground.rules, foreseen=True)
    near = borders_of(ground.world, ground.seat) | along
    costs = {size: aid_cost(size, ground.rules) for size in range(len(ground.kingdom.hexes) + 20)}
    for other in sorted(near):
        order: SpecialAid = {"edict": "aid", "to": other, "attribute": ATTRIBUTES[0]}
        if aid_problem(ground.world, ground.seat, ground.kingdom, order, near, ground.rules):
            continue
        yield offer(
            f"aid {other}", "special", "special", {**order, "attribute": slot("attribute")}, f"Send aid to {ground.name_of(other)}", group="Aid",
            fields=[field("attribute", "For its", "choice", options=options((name, name.capitalize()) for name in ATTRIBUTES))],
            costs={USED: 1}, sized={"counter": "treasury", "by": "size", "costs": costs}, needs=[[*_touching(other, ground), *[f"tied {other}"] * (other in along)]],
        )  # fmt: skip


def _explore_form(ground: Ground) -> Iterator[FormOffer]:
    rules, kingdom = ground.rules, ground.kingdom
    if rules.exploration is None or not kingdom.settlements:
        return
    per_week = rules.exploration.bp_per_week
    most = min(MOST_WEEKS, max(0, kingdom.treasury) // per_week) if per_week else MOST_WEEKS
    homes = {name: kingdom.settlements[name].hex for name in sorted(kingdom.settlements)}
    order = {"edict": "explore", "weeks": 1, "toward": DIRECTIONS[0]}
    escorts = {  # each army that may go with it, and the settlements from which
        army: at
        for army in sorted(kingdom.armies)
        if (at := [name for name in homes if may_issue({**order, "from": name, "escort": army}, ground)])
    }
    told = {word: slot(word) for word in ("from", "weeks", "toward", "until", "escort")} | {"until": [slot("until")]}
    if most:
        yield offer(
            "explore", "special", "special", {"edict": "explore", **told}, "Send an expedition", more=f"{per_week} BP a week",
            fields=_journey(homes, most, escorts, ground), costs={USED: 1}, needs_of={"from": {name: [[held(home)]] for name, home in homes.items()}},
            tables=[table("treasury", ("weeks",), {str(weeks): weeks * per_week for weeks in range(1, most + 1)}),
                    table("treasury", ("escort",), {str(bp): bp for bp in _wages(ground)})],
            takes_of={"escort": {army: [f"march {army}", f"muster {army}"] for army in escorts}},
        )  # fmt: skip


def _journey(homes: dict[str, str], most: int, escorts: dict[str, list[str]], ground: Ground) -> list[Field]:
    """The fields of an expedition. It does not go toward the hex that it starts from."""
    directions = {
        "n": "north",
        "ne": "north-east",
        "se": "south-east",
        "s": "south",
        "sw": "south-west",
        "nw": "north-west",
    }
    goals = options([*directions.items(), *((label, label) for label in sorted(ground.seen.hexes))])
    starts = {home: [name for name, other in homes.items() if other == home] for home in homes.values()}
    toward: list[Option] = [
        {**goal, "unless": {"from": starts[goal["value"]]}} if goal["value"] in starts else goal for goal in goals
    ]
    armies: list[Option] = [{"value": army, "text": army, "when": {"from": at}} for army, at in escorts.items()]
    hired = options((bp, f"adventurers for {bp} BP") for bp in _wages(ground))
    grounds = [(word, terrain.name) for word, terrain in ground.rules.terrain.items() if not terrain.unseen]
    return [
        field("from", "From", "choice", options=options((name, name) for name in homes)),
        field("weeks", "Weeks", "choice", options=options((weeks, str(weeks)) for weeks in range(1, most + 1))),
        field("toward", "Toward", "choice", on_map=True, options=toward),
        field("until", "Back before", "choice", options=options(grounds), none="nothing"),
        field("escort", "Escort", "choice", options=[*hired, *armies], none="nobody"),
    ]


def _wages(ground: Ground) -> list[int]:
    """What adventurers may be hired for, in BP."""
    wages = ground.rules.adventurers
    if wages is None or ground.kingdom.treasury < wages.least_bp:
        return []
    every = range(wages.least_bp, min(ground.kingdom.treasury, MOST_ACR * wages.bp_per_acr) + 1)
    return [bp for bp in every if bp % wages.bp_per_acr == 0]


def _adventurer_forms(ground: Ground) -> Iterator[FormOffer]:
    ruling, wages, seen, rules = ground.rules.adventurers, _wages(ground), ground.seen, ground.rules
    if ruling is None or not wages:
        return
    tasks = {label: f"ACR {acr}: {acr * ruling.bp_per_acr} BP are its match" for label, acr, _ in hunts(seen, rules)}
    for label, hazard, bp, percent in perils(seen, rules, wages[-1]):
        tasks[label] = f"{hazard}: {bp} BP clear it with {percent} % a turn"
    for label, more in tasks.items():
        if not may_issue({"edict": "adventurers", "bp": wages[0], "task": label}, ground):
            continue
        yield offer(
            f"adventurers {label}", "special", "special", {"edict": "adventurers", "bp": slot("bp"), "task": label}, f"Hire adventurers against {label}",
            at=label, group="Adventurers", more=more,
            fields=[field("bp", "For BP", "choice", options=options((bp, str(bp)) for bp in wages))],
            costs={USED: 1}, tables=[table("treasury", ("bp",), {str(bp): bp for bp in wages})], takes=[f"adventurers {label}"],
            needs=[[PIERS], [KEPT], [held(town.hex) for town in ground.kingdom.settlements.values()]],
        )  # fmt: skip


def _route_forms(ground: Ground) -> Iterator[FormOffer]:
    rules, kingdom = ground.rules, ground.kingdom
    if rules.trade_route is None:
        return
    costs = {"treasury": rules.trade_route.bp_per_turn, USED: 1}
    seen = known_to(ground.world, ground.seen, ground.seat, rules)
    reach = free_to_go(ground.seat, seen, kingdom, rules)
    every = caravan_ends(seen, ground.seat, kingdom, ground.near, rules)
    towns = [[PIERS], [KEPT], *([held(town.hex)] for town in kingdom.settlements.values())]
    for other in ground.near:
        ends = [label for label in every.get(other, ()) if label in reach]
        if ends and may_issue({"edict": "trade_route", "to": other, "hex": ends[0]}, ground):
            yield offer(
                f"route {other}", "special", "special", {"edict": "trade_route", "to": other, "hex": slot("hex")}, group="Trade routes",
                text=f"Send a caravan to {ground.name_of(other)}", costs=costs, needs=towns, takes=[f"route {other}"],
                fields=[field("hex", "To the hex", "choice", on_map=True, options=options((label, label) for label in ends))],
            )  # fmt: skip
        if may_issue({"edict": "share_route", "to": other}, ground):
            yield offer(f"share {other}", "special", "special", {"edict": "share_route", "to": other}, f"Ask {ground.name_of(other)} for a share of its route",
                        group="Trade routes", costs=costs, needs=towns, takes=[f"share {other}"])  # fmt: skip
    for key, route in sorted(kingdom.routes.items()):
        if may_issue(order := {"edict": "close_route", "route": key}, ground):
            yield offer(f"close {key}", "close_route", "special", order, f"Close {key}", group="Trade routes",
                        more=f"to {ground.name_of(route.to)}", takes=[f"close {key}"], ends=[KEPT])  # fmt: skip


def _unsure(order: Order, kingdom: Kingdom) -> bool:
    """Whether it means a route of a pair that has several: the start of the turn ends all but one; which, a kingdom does not know."""
    route = kingdom.routes.get(order.get("route", ""))
    return routes_with(route.to if route and route.open else order.get("to"), kingdom) > 1


# --- in a report

_WEEKS = 2  # of the expedition that the form shows


class MonsterRow(TypedDict):
    """Monsters that are known; match: the BP of adventurers who are their match."""

    hex: str
    acr: int
    match: int


class HazardRow(TypedDict):
    """A hazard that is known; bp: of adventurers who may clear it; chance: of each of their tries, in percent."""

    hex: str
    hazard: str
    bp: int
    chance: int


class ExpeditionOffers(TypedDict):
    """What expeditions and adventurers cost. per_week: BP; least, per_acr: BP of adventurers; weeks: of an expedition that
    can be paid."""

    per_week: int
    least: int
    per_acr: int
    monsters: list[MonsterRow]
    hazards: list[HazardRow]
    weeks: int
    treasury: int


def expedition_offers(kingdom: Kingdom, seen: World, rules: Rules) -> ExpeditionOffers | None:
    """What expeditions and adventurers cost, and the monsters and hazards that are known; None where none can be sent.

    seen: what the seat knows (known.py).
    """
    if rules.exploration is None or rules.adventurers is None or not kingdom.settlements:
        return None
    per_week = rules.exploration.bp_per_week
    return {
        "per_week": per_week,
        "least": rules.adventurers.least_bp,
        "per_acr": rules.adventurers.bp_per_acr,
        "monsters": [{"hex": label, "acr": acr, "match": match} for label, acr, match in hunts(seen, rules)],
        "hazards": [
            {"hex": label, "hazard": hazard, "bp": bp, "chance": chance}
            for label, hazard, bp, chance in perils(seen, rules, kingdom.treasury)
        ],
        "weeks": min(_WEEKS, kingdom.treasury // per_week) if per_week else _WEEKS,
        "treasury": kingdom.treasury,
    }


class EndRow(TypedDict):
    """A kingdom to which a caravan may be sent, with the hexes where it may end."""

    seat: str
    name: str
    hexes: list[str]


class TradeOffers(TypedDict):
    """What may be done about trade routes. shares: the names of those of whose routes a share may be asked; sharing: their
    seats."""

    cost: int
    ends: list[EndRow]
    shares: list[str]
    sharing: list[str]


def trade_offers(seen: World, seat: str, kingdom: Kingdom, rules: Rules) -> TradeOffers | None:
    """What the report offers about trade as far as the treasury can pay it. seen: what the seat knows (known.py)."""
    if rules.trade_route is None or rules.trade is None:
        return None
    ends: dict[str, list[str]] = {}
    sharing: list[str] = []
    if kingdom.settlements and kingdom.treasury >= rules.trade_route.bp_per_turn:
        remembered = (sighting.holder for sighting in seen.kingdoms[seat].memory.values())
        holders = sorted({*owners(seen).values(), *remembered} - {seat, ""})
        ends = caravan_ends(without_unseen(seen, rules), seat, kingdom, holders, rules)
        sought = {route.to for route in kingdom.routes.values() if route.shares}
        sharing = [other for other in founders(kingdom) if other not in sought]
    return {
        "cost": rules.trade_route.bp_per_turn,
        "ends": [{"seat": other, "name": seen.kingdoms[other].name, "hexes": hexes} for other, hexes in ends.items()],
        "shares": [seen.kingdoms[other].name for other in sharing],
        "sharing": sharing,
    }
