"""Armies: their derived figures, an army by its name, where it stands, how sizes compare, where it may rest in reserve.

ACR is a number; below 1 it is a fraction of the ladder (1/3). Everything else is whole. A reserve army rests in a settlement
of its kingdom, in a building that holds an army of its size; one building holds one army. It counts for Consumption in one
turn of several (Army.paid). Rulings: army_figures, reserves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from kingdom.engine import names
from kingdom.games.realm.rules.battle_tables import BattleEffect, Forages, KnowsMore
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, Kingdom, in_service, replace

# --- figures ----------------------------------------------------------------------------------------------------------


@cache
def number(rating: str) -> float:
    """A rating or a multiplier of the tables as a number: "1/3" or "4"."""
    over, _, under = rating.partition("/")
    return int(over) / int(under or 1)


@cache
def moved(rating: str, steps: int, ladder: tuple[str, ...]) -> float:
    """The rating that many steps up or down the ladder, whose whole numbers follow its fractions; never below its first."""
    place = ladder.index(rating) if rating in ladder else len(ladder) - 1 + int(rating)
    place = max(0, place + steps)
    return number(ladder[place]) if place < len(ladder) else place - len(ladder) + 1


def acr(unit: str, size: str, rules: Rules) -> float:
    """The army challenge rating of a unit in that size: the unit's rating moved along the ladder."""
    return moved(rules.units[unit].rating, rules.army_sizes[size].steps, in_force(rules.army_figures).ladder)


def rating(value: float, rules: Rules) -> str:
    """An ACR as the tables write it: "1/3" or "4"."""
    ladder = rules.army_figures.ladder if rules.army_figures else ()
    return next((each for each in ladder if number(each) == value), str(int(value)))


def hit_points(rating: float, hit_die: int) -> int:
    """ACR times the mean of the Hit Die, rounded down, at least 1."""
    return max(1, int(rating * (hit_die + 1) / 2))


def slight(rating: float, hit_die: int) -> bool:
    """Whether its hit points are less than 1, and 1 only because nothing has less. Ruling: damage_cap."""
    return rating * (hit_die + 1) < 2


def full_hp(army: Army, rules: Rules) -> int:
    """The hit points of the army when it is whole."""
    return hit_points(acr(army.unit, army.size, rules), rules.units[army.unit].hit_die)


def party_acr(bp: int, rules: Rules) -> int:
    """The ACR of adventurers who were paid so much. Ruling: adventurers."""
    return bp // in_force(rules.adventurers).bp_per_acr


def party_hp(bp: int, rules: Rules) -> int:
    """The hit points of hired adventurers who were paid so much, when they are whole."""
    return hit_points(party_acr(bp, rules), in_force(rules.adventurers).hit_die)


def dv(army: Army, rules: Rules) -> int:
    """Defense Value: with resources, specials and illness, without strategy, tactic and fortification."""
    rating, unit = acr(army.unit, army.size, rules), rules.units[army.unit]
    own = sum(rules.army_specials[special].own_dv for special in unit.specials)
    equipped = sum(rules.army_resources[name].dv for name in counting(army, rules))
    return in_force(rules.army_figures).dv_base + int(rating) + own + equipped - army.illness


def om(army: Army, rules: Rules) -> int:
    """Offense Modifier, in the same way."""
    equipped = sum(rules.army_resources[name].om for name in counting(army, rules))
    return int(acr(army.unit, army.size, rules)) + equipped - army.illness


def consumption(army: Army, rules: Rules) -> int:
    """BP this turn, as an active army: for its ACR, its resources, and what it took in or saved in this turn's battles."""
    figures = in_force(rules.army_figures)
    eaten = acr(army.unit, army.size, rules) / figures.consumption_divisor
    for effect in _effects(army, rules):
        eaten = eaten / effect.divisor if isinstance(effect, Forages) else eaten
    own = max(figures.least_consumption, int(eaten))
    scaled, each = 0, 0
    for name, count in army.resources.items():
        resource = rules.army_resources[name]
        if resource.one_size:
            each += resource.consumption * count
        elif name in counting(army, rules):
            scaled += resource.consumption
    return max(0, own + each + int(scaled * number(rules.army_sizes[army.size].times)) + army.fed)


def march_points(army: Army, rules: Rules) -> int:
    """How many points it moves in a turn: by its unit's speed, more with mounts. Ruling: movement."""
    ruling = in_force(rules.movement)
    if not ruling.by_speed:
        return ruling.points
    mounted = any(rules.army_resources[name].mounted for name in army.resources)
    speed = min(rules.units[army.unit].speed, len(ruling.by_speed))
    return ruling.by_speed[speed - 1] + (ruling.mounts if mounted else 0)


def resource_cost(resource: str, size: str, rules: Rules) -> int:
    """BP of equipping an army of that size with one such resource, at least 1; fractions are dropped."""
    row = rules.army_resources[resource]
    times = 1 if row.one_size else number(rules.army_sizes[size].times)
    return max(in_force(rules.army_figures).least_cost, int(row.cost * times))


def most_tactics(army: Army, rules: Rules) -> int:
    """How many tactics it may know besides the default ones: by its ACR, its commander's boons and its specials."""
    more = sum(effect.tactics for effect in _effects(army, rules) if isinstance(effect, KnowsMore))
    return int(acr(army.unit, army.size, rules) / in_force(rules.army_figures).tactics_divisor) + more


def counting(army: Army, rules: Rules) -> list[str]:
    """The army's resources without those in whose place a better one counts."""
    outdone = {rules.army_resources[name].instead_of for name in army.resources}
    return [name for name in army.resources if name not in outdone]


def _effects(army: Army, rules: Rules) -> Iterator[BattleEffect]:
    for special in rules.units[army.unit].specials:
        yield from rules.army_specials[special].effects
    for boon in army.commander.boons:
        yield from rules.boons[boon].effects


# --- armies -----------------------------------------------------------------------------------------------------------


def army_named(kingdom: Kingdom, name: str) -> str:
    """The kingdom's army of that name as it is spelt; "" where there is none."""
    return names.find(name, kingdom.armies)


def with_army(kingdom: Kingdom, name: str, army: Army) -> Kingdom:
    """The kingdom with this army under that name."""
    return replace(kingdom, armies={**kingdom.armies, name: army})


def without_army(kingdom: Kingdom, name: str) -> Kingdom:
    """The kingdom without the army of that name."""
    return replace(kingdom, armies={other: army for other, army in kingdom.armies.items() if other != name})


def home_of(army: Army, kingdom: Kingdom) -> str:
    """The name of the kingdom's settlement in which the army stands, "" where it stands in none."""
    return next((name for name, settlement in kingdom.settlements.items() if settlement.hex == army.hex), "")


def escorts(kingdom: Kingdom, name: str) -> str:
    """The key of the expedition that the army of that name escorts, "" for none."""
    return next((key for key, expedition in kingdom.expeditions.items() if expedition.army == name), "")


def rank(size: str, rules: Rules) -> int:
    """The place of a size in the table, from the smallest."""
    return list(rules.army_sizes).index(size)


def standing_in(kingdom: Kingdom, name: str) -> list[str]:
    """The kinds of the buildings that stand in that settlement, in the order of building, those that are damaged aside."""
    damaged = kingdom.damaged.get(name, ())
    return [building.id for building in in_service(kingdom.settlements[name]) if building.lot not in damaged]


def called(army: Army, rules: Rules) -> str:
    """What an army is, for a person: "medium, Warriors"."""
    return f"{army.size}, {rules.units[army.unit].name}"


def tactics(army: Army, rules: Rules) -> list[str]:
    """The tactics that it knows besides those of all armies: its unit's and its own."""
    return list(dict.fromkeys((*rules.units[army.unit].tactics, *army.tactics)))


def occupies(army: Army, rules: Rules) -> bool:
    """Whether the army is strong enough by itself to take a hex or besiege what stands there. Ruling: occupation."""
    return not rules.occupation or acr(army.unit, army.size, rules) >= rules.occupation.acr


def roused(army: Army) -> Army:
    """The army that moves or fights in this turn: out of reserve, where it was in it, and not at rest."""
    return replace(army, reserve=False, paid=0, busy=True)


def counts(army: Army) -> bool:
    """Whether the army's Consumption is due this turn: of one in reserve only where it has none left in advance."""
    return not army.reserve or army.paid == 0


def rooms(kingdom: Kingdom, name: str, rules: Rules) -> list[str]:
    """The largest size that each building of that settlement has room for, the largest first. Ruling: reserves."""
    holds = in_force(rules.reserves).holds
    found = [holds[kind] for kind in standing_in(kingdom, name) if kind in holds]
    return sorted(found, key=lambda size: rank(size, rules), reverse=True)


def has_room(kingdom: Kingdom, army: Army, others: Sequence[Army], rules: Rules) -> bool:
    """Whether the army finds room where it stands beside these others in reserve: each in a building of its own."""
    home = home_of(army, kingdom)
    if not home:
        return False
    resting = sorted((rank(each.size, rules) for each in (army, *others)), reverse=True)
    places = [rank(size, rules) for size in rooms(kingdom, home, rules)]
    return len(resting) <= len(places) and all(size <= place for size, place in zip(resting, places, strict=False))


def in_reserve(kingdom: Kingdom, label: str) -> list[Army]:
    """The kingdom's armies that rest in reserve in that hex."""
    return [army for army in kingdom.armies.values() if army.reserve and army.hex == label]


def without_room(kingdom: Kingdom, rules: Rules) -> list[str]:
    """The names of the reserve armies for which there is no room any more, the first by name keep theirs."""
    kept: dict[str, list[Army]] = {}
    lost = []
    for name, army in sorted(kingdom.armies.items()):
        if army.reserve:
            others = kept.setdefault(army.hex, [])
            if has_room(kingdom, army, others, rules):
                others.append(army)
            else:
                lost.append(name)
    return lost
