"""Three sets of orders that a kingdom could give in the next turn, each tried beforehand, with what it costs and leaves.

The first three aims that come to something are taken: a kingdom without means is shown what it can do with its edicts.
They follow the player guide's "A good start", which scripts/try_rules measures. By the rules of edition 1 the bots' habits think
of them, from what the seat knows, each set with the habits of one aim and with the same fixed chance every time. What would be
refused as things stand is left out. For newcomers see opening/first_orders.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from kingdom.engine.dice import NoDice
from kingdom.engine.step import Orders, Phase, Play
from kingdom.engine.turn import resolve
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.bots import court, home, war
from kingdom.games.realm.bots.mind import BUILDER, TRADER, WARLORD, Mind, T, Temper
from kingdom.games.realm.offers.course import begun
from kingdom.games.realm.offers.land import improvements_of
from kingdom.games.realm.offers.offers import Options
from kingdom.games.realm.orders import ORDERS
from kingdom.games.realm.report.text_form import lines_of_order
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, control_dc, limits
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.shared import decide
from kingdom.games.realm.steps.towns.construction import Site, Work, site_of, work_of
from kingdom.games.realm.turn import FORESEEN_TO, PLAY

if TYPE_CHECKING:
    from kingdom.games.realm.order_types import Build

HEAD = ("kingdom", "turn")
MOST = 3  # sets
LAST_STEP = "edict_levels"  # of the Edict phase that carries out anything of these sets
FIXED = 40  # percent: a habit that acts at least so often acts
FROM_THE_LAST = ("needed", "size")  # what is picked from lists whose last item is the best


# --- a good start: which land, improvement, building and attribute a careful ruler orders next

SAFE = 80  # percent that a Stability check should succeed with, before a hex is claimed
FAIR = 60  # the same of an Economy check
CALMED = 60  # percent that a Loyalty check should succeed with, before heads are broken
TROUBLED = 2  # Unrest from which on Stability is led
RESERVE = 2  # turns of Consumption that stay in the treasury
SELDOM_ASKED = 15  # percent by which Loyalty may be worse than the others, since it is asked less often


def purse_of(kingdom: Kingdom, world: World, rules: Rules) -> int:
    """The BP that may be spent."""
    return kingdom.treasury - RESERVE * accounts(kingdom, world.hexes, rules)["consumption"]


def chances(kingdom: Kingdom, world: World, rules: Rules) -> dict[str, int]:
    """Attribute -> the chance in percent that its check succeeds as things stand."""
    sheet = accounts(kingdom, world.hexes, rules)
    return {name: chance(sheet[name], kingdom, rules) for name in ATTRIBUTES}


def chance(value: int, kingdom: Kingdom, rules: Rules) -> int:
    """The chance in percent that a check of an attribute of that value succeeds as things stand."""
    dc, sides = control_dc(kingdom, rules), rules.check.die
    won = sum(decide(die, die + value - kingdom.unrest, dc, rules)[0] for die in range(1, sides + 1))
    return 100 * won // sides


def weakest(odds: Mapping[str, int]) -> str:
    """The attribute that wants the leadership most."""
    return min(ATTRIBUTES, key=lambda name: (odds[name] + (SELDOM_ASKED if name == "loyalty" else 0), name))


def may_claim(kingdom: Kingdom, odds: Mapping[str, int]) -> bool:
    """Whether one more hex is safe."""
    return kingdom.unrest < TROUBLED and odds["stability"] >= SAFE and odds["economy"] >= FAIR


def best_land(offers: Options, seen: World) -> str:
    """The first of the hexes in reach in which a farm could stand by a river or lake, else the first of all; "" for none."""
    labels = [row["hex"] for row in offers["claimable"]]
    wet = [
        label
        for label in labels
        if seen.hexes[label].terrain in ("plains", "hills") and {"river", "lake"} & set(seen.hexes[label].features)
    ]
    return next(iter(wet or labels), "")


def works(offers: Options) -> Iterator[tuple[str, str, int]]:
    """(hex, improvement, BP) of what pays for itself in held land, the best first."""
    for word in home.PAYS_FOR_ITSELF:
        for row in offers["hexes"]:
            for option in row["options"]:
                if option["order"] == word:
                    yield row["hex"], word, option["price"]


def works_in(kingdom: Kingdom, label: str, world: World, rules: Rules) -> Iterator[tuple[str, str, int]]:
    """The same in one hex of the kingdom."""
    prices = {improving.word: improving.cost for improving in improvements_of(kingdom, label, world, rules)}
    for word in home.PAYS_FOR_ITSELF:
        if word in prices:
            yield label, word, prices[word]


def best_building(offers: Options, seen: World, kingdom: Kingdom, wants: str, purse: int, rules: Rules) -> Build | None:
    """The building that does most for its price, what the attribute that wants it gets counting double."""
    ideas: list[tuple[float, str, str]] = []
    for town in offers["towns"]:
        for row in (*town["buildings"], *offers["everywhere"]):
            for kind in row["kinds"]:
                record = rules.buildings[kind["order"]]
                gain = sum((2 if name == wants else 1) * getattr(record.kingdom, name) for name in ATTRIBUTES)
                gain -= 2 * record.unrest if kingdom.unrest or record.unrest > 0 else 0
                if kind["price"] <= purse and gain > 0:
                    ideas.append((gain / max(1, kind["price"]), kind["order"], town["name"]))
    for _, kind_of, name in sorted(ideas, reverse=True):
        site = site_of(kingdom, seen.hexes, rules, name, [])
        order: Build = {"in": name, "build": kind_of}
        if isinstance(site, Site) and isinstance(work_of(site, order), Work):
            return order
    return None


# --- the aims


class Aim(Struct, frozen=True):
    """What a set is for: its name, what it means, the temper and the habits that think of it."""

    name: str
    means: str
    temper: Temper
    habits: tuple[Callable[[_Careful], None], ...]


class _Careful(Mind):
    """A mind that thinks of no more buildings than the turn allows, and takes items by their place, since its chance is fixed.

    offers: what the kingdom may do in the next turn.
    """

    offers: Options

    def some(self, what: str, items: Sequence[T], most: int) -> list[T]:
        left = list(items)
        return [left.pop(self.roll(what, len(left)) - 1) for _ in range(min(most, len(left)))]

    def enough(self, key: str) -> bool:
        return key == "build" and len(self.given(key)) >= limits(self.kingdom, self.rules).buildings


def _raise(mind: Mind) -> None:
    """An army is raised, made larger, equipped or mended; none is disbanded for want of money."""
    if not mind.poor() and mind.kingdom.hexes:
        war.muster(mind)


def _lead(mind: Mind) -> None:
    """The attribute that stands worst is led; where it is so now it is ordered again."""
    court.lead(mind)
    mind.orders.setdefault("leadership", [mind.weakest()])


def _turn(mind: Mind, **by: int) -> None:
    """Turn edicts that many levels up or down, those that can be."""
    turned: dict[str, str] = {}
    for category, more in by.items():
        words, now = list(getattr(mind.rules.edicts, category)), getattr(mind.kingdom, category)
        then = words[max(0, min(len(words) - 1, words.index(now) + more))]
        turned |= {category: then} if then != now else {}
    if turned:
        mind.orders["edicts"] = turned


def _grow(mind: _Careful) -> None:
    """A hex is claimed if that is safe, and put to use at once."""
    label, price = _safe_claim(mind)
    if label:
        mind.give("claim", label)
        mind.holds({**mind.kingdom.hexes, label: ()})
        new = works_in(mind.kingdom, label, mind.after(), mind.rules)
        _improve(mind, [*new, *works(mind.offers)], _purse(mind) - price)


def _work(mind: _Careful) -> None:
    """The land that the kingdom holds is put to use, while more of it would not be safe."""
    if not _safe_claim(mind)[0]:
        _improve(mind, works(mind.offers), _purse(mind))


def _safe_claim(mind: _Careful) -> tuple[str, int]:
    """(the hex to claim, its price), ("", 0) while that is not safe."""
    label = best_land(mind.offers, mind.world)
    price = next((row["price"] for row in mind.offers["claimable"] if row["hex"] == label), 0)
    odds = chances(mind.kingdom, mind.world, mind.rules)
    safe = label and price <= _purse(mind) and may_claim(mind.kingdom, odds)
    return (label, price) if safe else ("", 0)


def _purse(mind: Mind) -> int:
    return purse_of(mind.world.kingdoms[mind.seat], mind.world, mind.rules)


def _improve(mind: _Careful, works: Iterable[tuple[str, str, int]], purse: int) -> None:
    hexes: list[str] = []
    for label, word, price in works:
        if label not in hexes and price <= purse and len(hexes) < limits(mind.kingdom, mind.rules).terrain:
            hexes.append(label)
            purse -= price
            mind.give("improve", {"hex": label, "build": word})


def _build(mind: _Careful) -> None:
    """The building that does most for its price."""
    kingdom, world, rules = mind.kingdom, mind.world, mind.rules
    wants = weakest(chances(kingdom, world, rules))
    order = best_building(mind.offers, world, kingdom, wants, _purse(mind), rules)
    if order:
        mind.give("build", order)


def _hold(mind: _Careful) -> None:
    """The weakest attribute is led, in trouble Stability, and the people are calmed."""
    odds = chances(mind.kingdom, mind.world, mind.rules)
    troubled = mind.kingdom.unrest >= TROUBLED
    mind.orders["leadership"] = ["stability" if troubled else weakest(odds)]
    if troubled and odds["loyalty"] >= CALMED:
        mind.orders["loyalty"] = {"change_minds_by_breaking_heads": ""}


def _arm(mind: Mind) -> None:
    """An army is raised or bettered if another kingdom's is seen: its keep slows down a kingdom that nobody threatens."""
    if any(kingdom.armies for seat, kingdom in mind.world.kingdoms.items() if seat != mind.seat):
        _raise(mind)


LESS = partial(_turn, holiday=-1, promotion=-1, taxation=1)
EASE = Aim("Ease", "lower taxes, and more rest", BUILDER, (partial(_turn, holiday=1, taxation=-1),))
AIMS = (
    Aim("Grow", "more land, and use made of it", TRADER, (home.begin_anew, _grow)),
    Aim("Work", "use made of the land that you hold", TRADER, (_work,)),
    Aim("Build", "the building that does most for its price", BUILDER, (home.begin_anew, _build)),
    Aim(
        "Hold",
        "the leadership where it is needed, the people calmed, an army if another's is in sight",
        WARLORD,
        (_hold, _arm),
    ),
    Aim("Earn", "higher taxes", TRADER, (partial(_turn, taxation=1),)),
    EASE,
)
FIRST_AIMS = (
    Aim("Grow", "more land, and use made of it", TRADER, (home.begin_anew, home.claim, home.improve, home.settle)),
    Aim("Build", "works in the settlements", BUILDER, (home.begin_anew, home.build)),
    Aim("Hold", "the leadership where it is weakest, an army, the people calmed", WARLORD, (_lead, _raise, court.calm)),
    Aim("Earn", "higher taxes, and less spent on the people", TRADER, (LESS,)),
    EASE,
)


class OrderSet(TypedDict):
    """A set of orders: its cost in BP, what it leaves in the treasury, and lines of an orders file without its head."""

    name: str
    means: str
    left: int
    cost: int
    lines: list[str]


def order_sets(seen: World, seat: str, rules: Rules, idle: World, offers: Options) -> list[OrderSet]:
    """The sets that hold an order, no two with the same.

    seen: what the seat knows (known.py). idle: the kingdom at the end of the Edict phase where it orders nothing (course.py).
    offers: what the kingdom may do in the next turn.
    """
    near = {other: kingdom for other, kingdom in seen.kingdoms.items() if other == seat or kingdom.hexes}
    world, own = replace(seen, kingdoms=near), seen.kingdoms[seat]
    if own.destroyed or own.anarchy == seen.turn + 1:
        return []
    sheet = accounts(own, world.hexes, rules)
    alone = begun(seen, seat, rules)  # since no aim deals with others, and land of theirs is not thought of
    found: list[OrderSet] = []
    for aim in AIMS if rules.event_going_on else FIRST_AIMS:  # kept reports of older rules stay as they were
        if len(found) == MOST:
            break
        cost, lines = _tried(_thought_of(aim, world, seat, rules, offers, sheet), alone, seat, rules)
        if lines and all(lines != other["lines"] for other in found):
            left = idle.kingdoms[seat].treasury - cost
            found.append({"name": aim.name, "means": aim.means, "left": left, "cost": cost, "lines": lines})
    return found


@cache
def _last_part() -> Play[World, Rules]:
    """The game with, of its Edict phase alone, the steps that carry out what the aims order."""
    edict = next(phase for phase in PLAY.phases if phase.name == FORESEEN_TO)
    last = [step.__name__ for step in edict.steps].index(LAST_STEP) + 1
    return PLAY._replace(phases=(Phase(edict.name, edict.steps[:last]),))


def _tried(wanted: Orders, alone: World, seat: str, rules: Rules) -> tuple[int, list[str]]:
    """(the cost of these orders, their lines in an orders file), without those that would be refused."""
    if not wanted:
        return 0, []
    result = resolve(_last_part(), alone, {seat: dict(wanted)}, NoDice(), rules)
    # paths as `claim[1]`, or a key with all that is in it
    refused = {notice.facts["order"] for notice in result.notices if notice.kind == "refusal"}
    lines: list[str] = []
    for key, value in wanted.items():
        if isinstance(value, list):
            value = [each for index, each in enumerate(value) if f"{key}[{index}]" not in refused]
        if value and key not in refused:
            lines += lines_of_order(key, value)
    return -sum(entry.delta for entry in result.entries if entry.account == "treasury" and entry.delta < 0), lines


def _thought_of(aim: Aim, world: World, seat: str, rules: Rules, offers: Options, sheet: Mapping[str, int]) -> Orders:
    """The orders in the long form, in the order in which a file has them."""
    mind = _Careful(world, seat, rules, _fixed(), aim.temper, sheet)
    mind.offers = offers
    for habit in aim.habits:
        habit(mind)
    return {key: mind.orders[key] for key in ORDERS.keys if key in mind.orders and key not in HEAD}


def _fixed() -> Callable[[str, int], int]:
    """A chance that is the same every time: of percents FIXED, else one after the other from the first, or from the last."""
    counts: dict[str, int] = {}

    def chance(what: str, sides: int) -> int:
        if sides == 100:
            return FIXED
        count = counts[what] = counts.get(what, -1) + 1
        return sides - count % sides if what in FROM_THE_LAST else 1 + count % sides

    return chance
