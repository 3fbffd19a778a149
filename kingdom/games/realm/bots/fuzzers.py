"""Fuzzers: bots that order at random from the offers, so that simulated campaigns use every rule.

Part by part, in the order of a turn, each order is drawn from the offers that are left after the orders so far. A temper says
how often, and what it likes best. chance(name, sides) is the fuzzer's own roll under that name, so the same turn always gives
the same orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import asdict

from kingdom.engine.offer import Offer, fillings, together
from kingdom.games.realm.forecast.turn_preview import MARCH, MUSTER, ORDER, Course, course, standing
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.offers.offers import KINDS
from kingdom.games.realm.orders.building import CONSTRUCT
from kingdom.games.realm.orders.declaration import CLAIM, DECISIONS, ORDERS, SETTLE
from kingdom.games.realm.orders.marching import MARCHING, tactics
from kingdom.games.realm.orders.words import ARMY_DEEDS, BORDERS
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, control_dc, limits
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.steps.shared import USED, most_special_edicts
from kingdom.games.realm.steps.war.movement import ATTACK
from kingdom.orders import kit
from kingdom.orders import orders_file as filing
from kingdom.orders.orders_file import text_of
from kingdom.orders.schema import ListOf

Chance = Callable[[str, int], int]

FINE = 1_000_000  # sides of a roll, so many that two items hardly ever tie
MOST = 9  # the most orders of one part in a turn
LEAST = 8  # BP that it always keeps, whatever its Consumption
FIRM = 5  # a kingdom stands firm if an average die passes its Stability check by this much
LIKED = 4  # how many times likelier it takes what it likes
STRONG = 2  # BP of Consumption: it likes to recruit armies from this on, since only large ones may survive a defeat
FOLLOWS = 6  # turns for which armies keep a goal: long enough to get deep into another kingdom
GROWING = (CLAIM.key, SETTLE.key)  # orders that only a firm kingdom gives, except one time in RASH
RASH = 20
WEEKS = 3  # the most weeks of an expedition


class Temper(Struct, frozen=True):
    """saves: the turns of Consumption that it keeps in the treasury. likes: words of orders. often: part -> the percent chance
    that it gives an order, and then another one."""

    saves: int
    likes: frozenset[str]
    often: Mapping[str, int]


OFTEN = {**{kind.at: kind.often for kind in DECISIONS}, "plan": 15}
PAYS_FOR_ITSELF = ("farm", "fishery", "mine", "quarry", "sawmill")
COMMON = frozenset({*PAYS_FOR_ITSELF, "prepare", "house", "attack", "monsters", "expand", "equip", "repair", "recruit"})
TEMPERS = {
    "builder": Temper(2, COMMON | {"shop", "inn", "park", "granary", "mill", "smithy", "garrison"}, OFTEN | {"build": 90, "improve": 85}),
    "trader": Temper(
        1, COMMON | {"market", "shop", "guildhall", "pier", "luxury_store", "trade_shop", "trade_route", "share_route", "watchtower", "allow"},
        OFTEN | {"special": 55},
    ),
    "warlord": Temper(
        1, COMMON | {"barracks", "city_wall", "watchtower", "tavern", "stable", "raid", "blockade", "patrol"},
        OFTEN | {MUSTER: 65, MARCH: 90, "build": 75},
    ),
}  # fmt: skip


def orders(name: str, known: World, seat: str, rules: Rules, chance: Chance) -> str:
    """Return the orders of the fuzzer of that name for the turn after `known`, a text that can be filed."""
    temper, kingdom, given = (
        TEMPERS[name],
        known.kingdoms[seat],
        dict[str, Any]({"kingdom": seat, "turn": known.turn + 1}),
    )
    if kingdom.destroyed or kingdom.anarchy == known.turn + 1:
        return filing.write(given)
    sheet = accounts(kingdom, known.hexes, rules)
    beats = control_dc(kingdom, rules) + kingdom.unrest - rules.check.die // 2
    needed = min(ATTRIBUTES, key=lambda name: (sheet[name], name))
    keeps = LEAST + temper.saves * sheet["consumption"] if kingdom.hexes else 0
    firm = sheet["stability"] - beats > FIRM and kingdom.unrest < 2 and kingdom.treasury > keeps or not kingdom.hexes
    now, room = (course if kingdom.pending else standing)(known, seat, rules, given), dict[str, int]()
    goals = set[str]()
    for part in ORDER:
        if part == ORDER[1]:  # all orders after the answers are drawn for the kingdom as the answers leave it
            now = standing(course(known, seat, rules, given).world(part), seat, rules)
            room, goals = _room(now.kingdom(part), rules, keeps), _goals(now)
        if part not in KINDS or part in GROWING and not firm and chance(f"rash {part}", RASH) > 1:
            continue
        for subject, wanted in Counter(_subjects(part, now, temper, chance)).items():
            offers = _offered(part, subject, goals, now, temper, chance)
            likes = partial(_liked, temper=temper, needed=needed, goals=goals, now=now)
            for offer in some(part, offers, wanted, chance, likes, room):
                given = together([_varied(offer, temper, now, chance)], given)
                if part == MUSTER and chance("too soon", 8) == 1:  # a changed army can't move yet
                    sent = {"army": next(iter(offer.order.values())), "then": ATTACK}
                    given = together([offer._replace(order=sent)], given)
    if firm and chance("plan", 100) <= temper.often["plan"]:
        given |= {"plan": _planned(now, temper, chance), "reserve": keeps + chance("reserve", 10)}
    return filing.write(given)


def some(
    what: str,
    offers: Iterable[Offer],
    most: int,
    chance: Chance,
    liked: Callable[[Offer], bool] = lambda _: False,
    room: dict[str, int] | None = None,
) -> list[Offer]:
    """Return at most `most` of the offers in a random order: one of each kind before a second of any kind.

    Each offer has a roll of its own, named after it, and the highest rolls win. So an additional offer, such as a new building,
    does not change the order of the others, and has the same chance as each of them. room: limit -> how much is left of it, 1
    if it is not named; taken offers use it up, and an offer that needs more is passed over.
    """
    rolled = {offer.id: chance(f"{what}: {offer.id}", FINE) / FINE for offer in offers}
    by_roll = sorted(offers, key=lambda offer: rolled[offer.id] ** (1 / LIKED if liked(offer) else 1), reverse=True)
    of_kind, rounds, taken, room = Counter[str](), dict[str, int](), list[Offer](), {} if room is None else room
    for offer in by_roll:
        rounds[offer.id] = of_kind[_kind(offer)]
        of_kind[_kind(offer)] += 1
    for offer in sorted(by_roll, key=lambda offer: rounds[offer.id]):
        needs = {**offer.uses, "treasury": offer.costs.get("treasury", 0)}
        if len(taken) < most and all(room.get(limit, 1) >= needed for limit, needed in needs.items()):
            taken.append(offer)
            room.update({limit: room.get(limit, 1) - needed for limit, needed in needs.items()})
    return taken


def _kind(offer: Offer) -> str:
    """The kind of an order within its part: the special edict, or the keys of the order."""
    return offer.order.get("edict") or " ".join(offer.order) if isinstance(offer.order, dict) else ""


def _subjects(part: str, now: Course, temper: Temper, chance: Chance) -> list[str]:
    """Return the subject of each order of that part that it gives: a settlement, an army, "" for a new army or if no subject is
    needed."""
    kingdom = now.kingdom(part)
    count = 0 if kingdom.settlements else 1  # a kingdom that begins anew always takes an offer
    while count < MOST and chance(part, 100) <= temper.often[part]:
        count += 1
    if part == "build":
        return [_pick("town", sorted(kingdom.settlements), chance)] * count
    if part not in (MUSTER, MARCH):
        return [""] * count
    armies = [*sorted(kingdom.armies), *([""] if part == MUSTER else [])]
    return sorted({_pick("army", armies, chance) for _ in range(count if armies else 0)})


def _room(kingdom: Kingdom, rules: Rules, keeps: int) -> dict[str, int]:
    """Limit -> how much of it the kingdom may use this turn; for the treasury the BP that it need not keep."""
    room = asdict(limits(kingdom, rules)) | {USED: most_special_edicts(kingdom, rules)[0]}
    return {**room, "treasury": max(0, kingdom.treasury - keeps)}


def _offered(part: str, subject: str, goals: Set[str], now: Course, temper: Temper, chance: Chance) -> list[Offer]:
    """Return the offers of that part, but only those buildings and units that come to mind. Armies mostly march until they are
    at a goal; it seldom tears down, disbands or closes anything."""

    def thinks_of(kind: str) -> bool:
        return chance(f"thinks of {kind}", 5 if part == MUSTER or kind in temper.likes else 20) == 1

    if part == CONSTRUCT.key:
        moment = now.moment(part)
        offers = kit.offers(CONSTRUCT, moment, among=CONSTRUCT.of(moment, [subject], thinks_of))
    elif part == MUSTER:
        offers = _musters(now, subject, thinks_of)
    else:
        offers = list(_marches(now, subject) if part == MARCH else KINDS[part](now))
    if part == MARCH and chance("marches", 4) > 1 and now.kingdom(MARCH).armies[subject].hex not in goals:
        offers = [offer for offer in offers if "move" in offer.order]
    ends = {"demolish", "disband", "close_route"} if chance("ends", 12) > 1 else set()
    return [offer for offer in offers if ends.isdisjoint(_kind(offer).split())]


def _musters(now: Course, army: str, thinks_of: Callable[[str], bool]) -> list[Offer]:
    """Return the offers for an army at home, "" for a new army, with only the units that come to mind."""
    offers = [
        offer for offer in KINDS[MUSTER](now) if army == ("" if offer.picks else next(iter(offer.order.values())))
    ]
    for index, offer in enumerate(offers if not army else ()):
        unit = offer.picks["unit"]
        thought_of = unit._replace(values=[*filter(thinks_of, unit.values)])
        offers[index] = offer._replace(picks={**offer.picks, "unit": thought_of})
    return [way for offer in offers for way in fillings(offer)]


def _marches(now: Course, army: str) -> Iterable[Offer]:
    """Return the offers of orders to an army that may march."""
    moment = now.moment(MARCH)
    return kit.offers(MARCHING, moment, now.orders, MARCHING.of_army(army, moment))


def _goals(now: Course) -> set[str]:
    """Return the hexes where its armies like to go, the same kind for some turns: hexes with other armies, hexes on trade
    routes, or (twice as often) hexes so deep in foreign land that no way leads out. Without any of these, all foreign land."""
    seats, land = now.seen.kingdoms.items(), _foreign(now)
    hosts = {army.hex for seat, kingdom in seats if seat != now.seat for army in kingdom.armies.values()}
    trade = {label for _, kingdom in seats for route in kingdom.routes.values() if route.open for label in route.path}
    heart = {label for label in land if land.issuperset(neighbours(label))}
    goals = [labels for labels in (heart, hosts, heart, trade) if labels]
    return goals[(now.seen.turn // FOLLOWS + sorted(now.seen.kingdoms).index(now.seat)) % len(goals)] if goals else land


def _foreign(now: Course) -> set[str]:
    return {label for label, holder in owners(now.seen).items() if holder != now.seat}


def _liked(offer: Offer, temper: Temper, needed: str, goals: Set[str], now: Course) -> bool:
    """Whether the fuzzer likes an offer: it brings an army nearer to a goal, claims a hex beside foreign land, is a strong
    army, has a liked word, gives what the kingdom needs, or calms the people."""
    order = offer.order if isinstance(offer.order, dict) else {}
    if "move" in order:
        here = now.kingdom(MARCH).armies[order["army"]].hex
        ways = [(distance(order["move"][-1], label), distance(here, label)) for label in goals]
        return bool(ways) and min(then for then, _ in ways) < min(at for _, at in ways)
    if "recruit" in order:
        return offer.effect.get("consumption", 0) >= STRONG
    if offer.key == CLAIM.key:
        return not _foreign(now).isdisjoint(neighbours(offer.order))
    if offer.effect.get(needed, 0) > 0 or offer.effect.get("unrest", 0) < 0:
        return True
    return not temper.likes.isdisjoint([word for word in (*order, *order.values()) if isinstance(word, str)])


def _varied(offer: Offer, temper: Temper, now: Course, chance: Chance) -> Offer:
    """Return the offer with some options of its order filled in: water at a border, weeks, an army's deed and how it fights."""
    if "move" in offer.order:
        known = tactics(now.kingdom(MARCH).armies[offer.order["army"]], now.rules)
        told = {
            "then": _pick("deed", [ATTACK, *sorted(temper.likes & {*ARMY_DEEDS})], chance),
            "tactic": _pick("tactic", known, chance),
            "strategy": _pick("strategy", list(now.rules.strategies), chance),
        }
        return offer._replace(order={**offer.order, **{key: word for key, word in told.items() if word}})
    if offer.key == "settle" and {"river", "lake", "coast"} & {*now.seen.hexes[offer.order["hex"]].features}:
        return offer._replace(order={**offer.order, "water": [_pick("water", BORDERS, chance)]})
    if offer.key == "special" and "weeks" in offer.order:
        return offer._replace(order={**offer.order, "weeks": chance("weeks", WEEKS)})
    return offer


def _pick(what: str, words: Sequence[str], chance: Chance) -> str:
    """Return one of the words, "" if there is none."""
    return words[chance(what, len(words)) - 1] if words else ""


def _planned(now: Course, temper: Temper, chance: Chance) -> list[str]:
    """Return a plan of claims, an improvement and a building; or an empty plan."""
    items = [f"{CLAIM.key} {offer.order}" for offer in some("planned", KINDS[CLAIM.key](now), 2, chance)]
    for key, subject in (("improve", ""), ("build", _pick("town", sorted(now.kingdom("build").settlements), chance))):
        offers = some(f"planned {key}", _offered(key, subject, set(), now, temper, chance), 1, chance)
        items += [text for offer in offers if (text := text_of(cast(ListOf, ORDERS.keys[key]).of, offer.order))]
    return items if chance("drop plan", 5) > 1 else []
