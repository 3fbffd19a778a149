"""How kingdoms live, fight and fall under the rules: the rows of docs/balance.md, played anew. Run it with `scripts/try_rules`.

Each row plays new campaigns (`kingdom new`, its default start) in memory by a simple script for each seat, which knows no more
than that seat may. The seeds are public; `--seed` plays others.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kingdom.campaign import opening
from kingdom.engine import game as games
from kingdom.engine.dice import Dice
from kingdom.engine.turn import resolve
from kingdom.games.realm.bots.fuzzers import PAYS_FOR_ITSELF
from kingdom.games.realm.forecast.turn_preview import before_orders
from kingdom.games.realm.hexmap import way
from kingdom.games.realm.offers.offers import Options, may_do
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, control_dc
from kingdom.games.realm.state import District, Kingdom, World, owners, replace
from kingdom.games.realm.steps.land.losing import capital_hex
from kingdom.games.realm.steps.shared import decide
from kingdom.games.realm.steps.towns.construction import Site, Work, site_of, work_of
from kingdom.games.realm.visibility.known import known
from kingdom.orders import tables

if TYPE_CHECKING:
    from kingdom.games.realm.orders.works import Build

GAME = games.load("realm")
Orders: TypeAlias = dict[str, object]  # of a seat, in the long form
Life: TypeAlias = Callable[[World, str, Rules], Orders]  # what a seat knows, its id, the rules -> its orders

KEPT = 4  # BP that are not spent on adventurers


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
    for word in PAYS_FOR_ITSELF:
        for row in offers["improvements"]:
            if row["order"] == word:
                yield row["hex"], word, row["price"]


def best_building(offers: Options, seen: World, kingdom: Kingdom, wants: str, purse: int, rules: Rules) -> Build | None:
    """The building that does most for its price, what the attribute that wants it gets counting double."""
    ideas: list[tuple[float, str, str]] = []
    for row in offers["buildings"]:
        price, kind = row["price"], row["order"]
        record = rules.buildings[kind]
        gain = sum((2 if name == wants else 1) * getattr(record.kingdom, name) for name in ATTRIBUTES)
        gain -= 2 * record.unrest if kingdom.unrest or record.unrest > 0 else 0
        if price <= purse and gain > 0:
            ideas.append((gain / max(1, price), kind, row["town"]))
    for _, kind_of, name in sorted(ideas, reverse=True):
        site = site_of(kingdom, seen.hexes, rules, name, [])
        order: Build = {"in": name, "build": kind_of}
        if isinstance(site, Site) and isinstance(work_of(site, order), Work):
            return order
    return None


# --- lives at peace ------------------------------------------------------------------------------------------------------


def silent(seen: World, seat: str, rules: Rules) -> Orders:
    """No orders at all."""
    return {}


def careful(seen: World, seat: str, rules: Rules, leads: str = "") -> Orders:
    """Leadership to the weakest attribute, a cheap useful building a turn, a claim when Stability looks safe, farms.

    leads: the attribute that is led in place of the weakest.
    """
    offers = may_do(seen, before_orders(seen, seat, rules), seat, rules)
    if offers is None:
        return {}
    kingdom = seen.kingdoms[seat]
    odds = chances(kingdom, seen, rules)
    wants = leads or weakest(odds)
    orders: Orders = {"leadership": [wants]}
    purse = purse_of(kingdom, seen, rules)
    for label, word, price in works(offers):
        if price <= purse:
            orders["improve"] = [{"hex": label, "build": word}]
            purse -= price
            break
    building = best_building(offers, seen, kingdom, wants, purse, rules)
    if building:
        orders["build"] = [building]
    land = best_land(offers, seen)
    if land and may_claim(kingdom, odds) and purse > 0:
        orders["claim"] = [land]
    return orders


def answering(seen: World, seat: str, rules: Rules) -> Orders:
    """As `careful`; what an event asks is answered with adventurers that the treasury can pay, and monsters are fought."""
    return _with_answers(careful(seen, seat, rules), seen, seat, rules)


def _with_answers(orders: Orders, seen: World, seat: str, rules: Rules) -> Orders:
    if not orders:
        return orders
    kingdom = seen.kingdoms[seat]
    purse, answers = kingdom.treasury - KEPT - accounts(kingdom, seen.hexes, rules)["consumption"], {}
    for question in kingdom.pending:
        prices = [bp for bp in question.figures.get("adventurers", ()) if bp <= purse]
        if prices:
            answers[question.key] = {"adventurers": min(prices)}
            purse -= min(prices)
    if answers:
        orders["answers"] = answers
    for event in kingdom.events.values():
        acr = seen.hexes[event.hex].monsters if event.kind == "monster_attack" and event.hex in seen.hexes else 0
        if acr and not event.done and 2 * (acr + 2) <= purse:
            orders["special"] = [{"edict": "adventurers", "bp": 2 * (acr + 2), "task": event.hex}]
            purse -= 2 * (acr + 2)
    return orders


def guided(seen: World, seat: str, rules: Rules) -> Orders:
    """The player guide's "A good start": events are answered; as soon as Unrest stands at 2 Stability is led and
    heads are broken, from 3 on the promotion is raised."""
    kingdom = seen.kingdoms[seat]
    troubled = kingdom.unrest >= TROUBLED
    orders = _with_answers(careful(seen, seat, rules, "stability" if troubled else ""), seen, seat, rules)
    if not orders:
        return orders
    loyalty = accounts(kingdom, seen.hexes, rules)["loyalty"]
    if troubled and chance(loyalty, kingdom, rules) >= CALMED:
        orders["loyalty"] = {"change_minds_by_breaking_heads": ""}
    orders["edicts"] = {"promotion": "standard" if kingdom.unrest >= 3 and kingdom.treasury >= 10 else "token"}
    return orders


# --- lives at war --------------------------------------------------------------------------------------------------------


class Host(NamedTuple):
    """What a rusher sends: so many armies of that unit and size."""

    armies: int
    unit: str
    size: str


def rush(host: Host, victim: str, path: Sequence[str]) -> Life:
    """A life that recruits a host as fast as it may and sends it along the path to the capital of the victim, all at once.

    It knows the way, as a rusher would that was told of it.
    """

    def orders(seen: World, seat: str, rules: Rules) -> Orders:
        kingdom = seen.kingdoms[seat]
        if kingdom.anarchy == seen.turn + 1 or not kingdom.capital:
            return {}
        armies: list[Orders] = []
        if len(kingdom.armies) < host.armies and all(army.hex == path[0] for army in kingdom.armies.values()):
            recruit = {"recruit": f"Host {seen.turn}", "size": host.size, "unit": host.unit, "from": kingdom.capital}
            armies.append({**recruit})
        for name, army in kingdom.armies.items() if not armies else ():
            ordered: Orders = {"army": name, "then": "attack", "target": victim, "strategy": "aggressive"}
            if army.hex in path[:-1]:
                ordered["move"] = list(path[path.index(army.hex) + 1 :])
            armies.append(ordered)
        return {"armies": armies, "leadership": ["stability"]}

    return orders


def path_to(goal: str, seat: str, world: World, rules: Rules) -> list[str]:
    """The way from the seat's capital to that hex, round monsters."""
    free = {label for label, hex in world.hexes.items() if not hex.monsters or label == goal}
    return way(capital_hex(world.kingdoms[seat]), goal, world, rules, free.__contains__, frozenset()) or []


# --- campaigns -----------------------------------------------------------------------------------------------------------


class Fate(NamedTuple):
    """What became of a seat. fell: the turn in which it lost its last settlement, 0 if it did not."""

    alive: bool
    size: int
    unrest: int
    anarchy: int
    early: int
    fell: int


def new_world(seed: str, kingdoms: int, rules: Rules) -> World:
    """A new campaign after turn 0."""
    given = {"name": "Tried", "seed": seed, "tokens": (), "bots": 0, "size": None}
    made = GAME.opening.new(kingdoms, given)
    files = {name: text.encode() for name, text in made.items() if name != "campaign.yaml"}
    seats = tuple(sorted(Path(name).stem for name in files if name.startswith("kingdoms/")))
    start = opening.setup(files, Path(seed), GAME, rules, seats)
    world: World = opening.opened(GAME, start, rules, Dice(seed, 0)).after
    return world


def live(world: World, lives: Mapping[str, Life], turns: int, seed: str, rules: Rules) -> dict[str, Fate]:
    """What became of each seat after so many turns; `EARLY` counts turns of anarchy before turn 12."""
    anarchy, early, fell = dict.fromkeys(lives, 0), dict.fromkeys(lives, 0), dict.fromkeys(lives, 0)
    for _ in range(turns):
        if GAME.finished(world):
            break
        orders = {
            seat: life(known(world, seat, rules), seat, rules)
            for seat, life in lives.items()
            if not world.kingdoms[seat].destroyed
        }
        world = resolve(GAME, world, orders, Dice(seed, world.turn + 1), rules).after
        for seat, kingdom in world.kingdoms.items():
            if kingdom.anarchy == world.turn:
                anarchy[seat] += 1
                early[seat] += world.turn < EARLY
            if not kingdom.settlements and not fell[seat]:
                fell[seat] = world.turn
    return {
        seat: Fate(
            not kingdom.destroyed and bool(kingdom.hexes), len(kingdom.hexes), kingdom.unrest, anarchy[seat], early[seat], fell[seat]
        )
        for seat, kingdom in world.kingdoms.items()
    }  # fmt: skip


PEACE = 6  # turns before a measured war begins
EARLY = 12  # the turn before which a good start knows no anarchy


class Row(NamedTuple):
    """A row of the table: what is played, how often, and what is counted of it."""

    name: str
    campaigns: int
    play: Callable[[str, Rules], dict[str, Fate]]
    told: Callable[[Sequence[Fate]], str]


def peaceful(life: Life, kingdoms: int, turns: int, events: bool = True) -> Callable[[str, Rules], dict[str, Fate]]:
    """Play a campaign in which every seat leads that life."""

    def play(seed: str, rules: Rules) -> dict[str, Fate]:
        rules = rules if events else without_events(rules)
        world = new_world(seed, kingdoms, rules)
        return live(world, dict.fromkeys(world.kingdoms, life), turns, seed, rules)

    return play


def at_the_border(world: World, seat: str, path: Sequence[str]) -> World:
    """The world in which that seat's land reaches along the path to the capital at its end, and its people bear with it.

    Else what its armies beat could not be taken, since it would touch no land of theirs.
    """
    kingdom = world.kingdoms[seat]
    land = {label: () for label in path[1:-1] if label not in owners(world)}
    attributes = {name: points + len(land) for name, points in kingdom.attributes.items()}
    kingdom = replace(kingdom, hexes={**kingdom.hexes, **land}, attributes=attributes)
    return replace(world, kingdoms={**world.kingdoms, seat: kingdom})


def rushed(host: Host, turns: int = 14) -> Callable[[str, Rules], dict[str, Fate]]:
    """Play a campaign of two in which one rushes the other, which lives carefully and has no army; the fate is the victim's."""

    def play(seed: str, rules: Rules) -> dict[str, Fate]:
        rules = without_events(rules)
        world = new_world(seed, 2, rules)
        attacker, victim = world.kingdoms
        path = path_to(capital_hex(world.kingdoms[victim]), attacker, world, rules)
        world = at_the_border(world, attacker, path)
        fates = live(world, {attacker: rush(host, victim, path), victim: careful}, turns, seed, rules)
        return {victim: fates[victim]}

    return play


def besieged(host: Host, purse: int, turns: int = 20) -> Callable[[str, Rules], dict[str, Fate]]:
    """Play a war of a rich kingdom against a capital of two districts without an army, after both lived in peace for some turns.

    purse: BP that the attacker has besides what the armies cost, to keep them."""

    def play(seed: str, rules: Rules) -> dict[str, Fate]:
        rules = without_events(rules)
        world = new_world(seed, 2, rules)
        for _ in range(PEACE):
            world = resolve(GAME, world, {}, Dice(seed, world.turn + 1), rules).after
        attacker, victim = world.kingdoms
        town = world.kingdoms[victim].settlements[world.kingdoms[victim].capital]
        towns = {world.kingdoms[victim].capital: replace(town, districts=(*town.districts, District()))}
        rich = replace(world.kingdoms[attacker], treasury=purse)
        larger = replace(world.kingdoms[victim], settlements=towns)
        world = replace(world, kingdoms={**world.kingdoms, attacker: rich, victim: larger})
        path = path_to(town.hex, attacker, world, rules)
        world = at_the_border(world, attacker, path)
        fates = live(world, {attacker: rush(host, victim, path), victim: silent}, turns, seed, rules)
        return {victim: fates[victim]}

    return play


def without_events(rules: Rules) -> Rules:
    """The rules with a chance of 0 for events."""
    chance = replace(rules.events.chance, normal=0, after_quiet_turn=0)
    return replace(rules, events=replace(rules.events, chance=chance))


def _alive(fates: Sequence[Fate]) -> str:
    alive = [fate for fate in fates if fate.alive]
    anarchy = sum(fate.anarchy for fate in fates)
    size = median(fate.size for fate in alive) if alive else 0
    return f"alive {len(alive)} of {len(fates)}; median size {size:g}; {anarchy} turns of anarchy, {sum(fate.early for fate in fates)} before turn {EARLY}"


def _calm(fates: Sequence[Fate]) -> str:
    return f"Unrest below 8: {sum(fate.unrest < 8 for fate in fates)} of {len(fates)}"


def _fallen(fates: Sequence[Fate]) -> str:
    return f"last settlement lost: {sum(bool(fate.fell) for fate in fates)} of {len(fates)}"


ROWS = (
    Row("careful, 36 turns, events not answered", 30, peaceful(careful, 3, 36), _alive),
    Row("careful, 36 turns, events answered", 30, peaceful(answering, 3, 36), _alive),
    Row("the guide's good start, 26 turns", 10, peaceful(guided, 3, 26), _alive),
    Row("silent, 12 turns, no events", 10, peaceful(silent, 3, 12, events=False), _calm),
    *(
        Row(f"rushed by {host.armies} x {host.size} {host.unit}", 20, rushed(host), _fallen)
        for host in (Host(5, "warrior", "fine"), Host(2, "fighter", "medium"), Host(3, "fighter", "medium"),
                     Host(1, "elite_fighter", "medium"), Host(2, "elite_fighter", "medium"), Host(3, "elite_fighter", "medium"))
    ),
    Row("60 BP of armies against a capital of two districts", 20, besieged(Host(5, "elite_fighter", "medium"), 200), _fallen),
)  # fmt: skip


def one(job: tuple[int, str]) -> list[Fate]:
    """The fates of one campaign of a row, by its number."""
    number, seed = job
    return list(ROWS[number].play(seed, tables.load(GAME).rules).values())


def measured(number: int, count: int, seed: str, workers: ProcessPoolExecutor | None = None) -> str:
    """A row of the table in words."""
    jobs = [(number, f"{seed} {campaign}") for campaign in range(count)]
    fates = workers.map(one, jobs) if workers else map(one, jobs)
    return ROWS[number].told([fate for campaign in fates for fate in campaign])


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/try_rules")
    parser.add_argument("rows", nargs="*", metavar="WORD", help="only rows with this word in their name")
    parser.add_argument("--seed", default="public", help="what the seeds begin with (public)")
    parser.add_argument("--campaigns", type=int, metavar="N", help="so many campaigns a row")
    given = parser.parse_args()
    with ProcessPoolExecutor() as workers:
        for number, row in enumerate(ROWS):
            if all(word in row.name for word in given.rows):
                told = measured(number, given.campaigns or row.campaigns, given.seed, workers)
                print(f"| {row.name} | {told} |", flush=True)


if __name__ == "__main__":
    main()
