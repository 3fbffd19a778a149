"""One battle: tactics, one round of shooting, then melee until nobody is left who fights. Pure. Ruling: battle_order.

Within a phase all attack at once: what one does to another counts when all have attacked.
"""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Sequence

from kingdom.games.realm.battleside import Side, ruling
from kingdom.games.realm.rules import Rules

# what a battle makes of a side
OUTCOMES = {
    "victorious": "it holds the field, and no enemy does",
    "undecided": "it stands, and so does an enemy",
    "withdrew": "it left in good order",
    "routed": "it fled",
    "surrendered": "it routed and could not leave",
    "defeated": "it is destroyed",
}


class Field(NamedTuple):
    """Where a battle is fought. terrain: some of it is high ground, which helps defenders."""

    label: str
    terrain: str = ""


class Left(NamedTuple):
    """A side after a battle. morale: by how much it changes; fed: what the battle adds to its Consumption of this turn."""

    seat: str
    name: str
    kind: str
    hp: int
    outcome: str
    morale: int = 0
    resources: Mapping[str, int] = {}
    illness: int = 0
    fed: int = 0


class Battle(NamedTuple):
    """A battle fought. left: (seat, name) -> what became of that side. rounds: each phase as plain data, the first of them
    `tactics`: {phase, round, sides: [{seat, name, strategy, tactic, target, die, check, dv, damage, hp, notes}]}."""

    label: str
    rounds: tuple[dict[str, Any], ...]
    left: dict[tuple[str, str], Left]
