"""The player guide's "A good start": which land, improvement, building and attribute a careful ruler orders next.

The sets of orders in a report and scripts/try_rules, which measures them, both draw on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from kingdom.games.realm.offers.land import improvements_of
from kingdom.games.realm.offers.offers import Options
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, control_dc
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.steps.shared import decide
from kingdom.games.realm.steps.towns.construction import Site, Work, site_of, work_of

if TYPE_CHECKING:
    from kingdom.games.realm.order_types import Build

SAFE = 80  # percent that a Stability check should succeed with, before a hex is claimed
FAIR = 60  # the same of an Economy check
CALMED = 60  # percent that a Loyalty check should succeed with, before heads are broken
TROUBLED = 2  # Unrest from which on Stability is led
RESERVE = 2  # turns of Consumption that stay in the treasury
SELDOM_ASKED = 15  # percent by which Loyalty may be worse than the others, since it is asked less often
WORKS = ("farm", "fishery", "mine", "quarry", "sawmill")  # improvements that pay for themselves


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
    for word in WORKS:
        for row in offers["hexes"]:
            for option in row["options"]:
                if option["order"] == word:
                    yield row["hex"], word, option["price"]


def works_in(kingdom: Kingdom, label: str, world: World, rules: Rules) -> Iterator[tuple[str, str, int]]:
    """The same in one hex of the kingdom."""
    prices = {improving.word: improving.cost for improving in improvements_of(kingdom, label, world, rules)}
    for word in WORKS:
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
