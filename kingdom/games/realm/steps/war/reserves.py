"""Armies in reserve: where they may rest, and what rouses them. Rulings: reserves, army_figures.

A reserve army rests in a settlement of its kingdom, in a building that holds an army of its size; one building holds one
army. It counts for Consumption in one turn of several (Army.paid).
"""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, Kingdom, replace
from kingdom.games.realm.steps.war.armies import home_of, rank, standing_in


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
