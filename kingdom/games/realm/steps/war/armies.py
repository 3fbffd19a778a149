"""What all that deals with armies asks: an army by its name, where it stands, how sizes compare, where it may rest in reserve.

A reserve army rests in a settlement of its kingdom, in a building that holds an army of its size; one building holds one
army. It counts for Consumption in one turn of several (Army.paid). Rulings: reserves, army_figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, Kingdom, replace
from kingdom.games.realm.steps.war.army_figures import acr, consumption, dv, full_hp, om


def army_named(kingdom: Kingdom, name: str) -> str:
    """The kingdom's army of that name, small and capital letters alike; "" where there is none."""
    return next((known for known in kingdom.armies if known.casefold() == name.casefold()), "")


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
    return [building.id for building in kingdom.settlements[name].buildings if building.lot not in damaged]


def called(army: Army, rules: Rules) -> str:
    """What an army is, for a person: "medium, Warriors"."""
    return f"{army.size}, {rules.units[army.unit].name}"


def tactics(army: Army, rules: Rules) -> list[str]:
    """The tactics that it knows besides those of all armies: its unit's and its own."""
    return list(dict.fromkeys((*rules.units[army.unit].tactics, *army.tactics)))


def armies_sheet(kingdom: Kingdom, rules: Rules) -> dict[str, dict[str, object]]:
    """The armies as the sheet shows them. One that is away with an expedition is where that started, until it is back: its
    way is the expedition's, and told with that (ruling exploration)."""
    found = {}
    for name, army in sorted(kingdom.armies.items()):
        found[name] = army_sheet(army, rules)
        away = escorts(kingdom, name)
        if away:
            found[name]["hex"] = kingdom.expeditions[away].home
    return found


def army_sheet(army: Army, rules: Rules) -> dict[str, object]:
    """An army as the sheet shows it. acr: rounded to three digits where it is a fraction; consumption: as an active army;
    tactics: those besides the default ones; paid: turns to come for which a reserve army has had its Consumption."""
    battle = army.battle
    return {
        "unit": army.unit,
        "size": army.size,
        "hex": army.hex,
        "acr": round(acr(army.unit, army.size, rules), 3),
        "hp": army.hp,
        "full_hp": full_hp(army, rules),
        "dv": dv(army, rules),
        "om": om(army, rules),
        "morale": army.morale,
        "consumption": consumption(army, rules),
        "resources": dict(sorted(army.resources.items())),
        "tactics": tactics(army, rules),
        "boons": list(army.commander.boons),
        "then": army.deed or "garrison",
        "target": army.target,
        "strategy": battle.strategy,
        "tactic": battle.tactic,
        "withdraw": battle.withdraw,
        "reserve": army.reserve,
        "paid": army.paid,
        "unpaid": army.unpaid,
        "routed": army.routed,
        "illness": army.illness,
    }


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
