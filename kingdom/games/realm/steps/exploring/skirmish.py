"""Fights against the monsters of a hex: of hired adventurers, and of who escorts an expedition.

Rulings: adventurers, exploration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kingdom.engine.dice import GM
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Hex, Kingdom, Party, World, replace
from kingdom.games.realm.steps.exploring.monsters import tell_cleared, without_monsters
from kingdom.games.realm.steps.war.armies import with_army
from kingdom.games.realm.steps.war.battle_aftermath import after_battle, tell_battle
from kingdom.games.realm.steps.war.battle_sides import MONSTERS, Side, side_of_army, side_of_monsters, side_of_party
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.steps.war.battle import Battle

WON, BEATEN, UNDECIDED = "won", "beaten", "undecided"  # how a fight went for who is not the monsters
_BEYOND = Hex("")


class Land(NamedTuple):
    """Where expeditions and adventurers go: the world as their step found it, and the hexes that they have changed since."""

    world: World
    turn: Turn
    changed: dict[str, Hex]

    def hex(self, label: str) -> Hex:
        """The hex as it is now; beyond the map there is none, and nobody enters it."""
        return self.changed.get(label) or self.world.hexes.get(label) or _BEYOND


def party_acr(bp: int, rules: Rules) -> int:
    """The ACR of adventurers who were paid so much. Ruling: adventurers."""
    return bp // in_force(rules.adventurers).bp_per_acr


def party_fights(key: str, party: Party, seat: str, land: Land, secret: bool = False) -> tuple[Party, str]:
    """(the party after its fight with the monsters of the hex where it is, how that went); without hit points it is no more.

    secret: they are far away with an expedition; the dice are the GM's, and nobody else hears of the battle.
    """
    turn = land.turn
    side = side_of_party(key, seat, party, turn.rules)
    battle = _battle(side, party.hex, f"explore-{seat}-" if secret else "", land)
    told = (
        battle._replace(left={each: left._replace(seat=GM) for each, left in battle.left.items()}) if secret else battle
    )
    tell_battle(told, turn)
    return replace(party, hp=battle.left[side.key].hp), _outcome(battle, side, land)


def army_fights(name: str, label: str, seat: str, kingdom: Kingdom, behind: str, land: Land) -> tuple[Kingdom, str]:
    """(the kingdom after its army's fight with the monsters of that hex, how that went). behind: where it falls back to when
    it leaves the field."""
    turn = land.turn
    side = side_of_army(name, seat, kingdom.armies[name], turn.rules)
    battle = _battle(side, label, "", land)
    tell_battle(battle, turn)
    kingdom = after_battle(seat, kingdom, battle, land.world.hexes, turn)
    outcome = _outcome(battle, side, land)
    if outcome == BEATEN and name in kingdom.armies:
        kingdom = with_army(kingdom, name, replace(kingdom.armies[name], hex=behind))
    return kingdom, outcome


def _battle(side: Side, label: str, prefix: str, land: Land) -> Battle:
    """The battle; with a prefix all its dice are the GM's, under names that begin with it."""
    from kingdom.games.realm.steps.war.battle import Field, fight  # most commands fight no battle

    hex, turn = land.hex(label), land.turn

    def roll(seat: str, name: str, sides: int) -> int:
        return turn.roll(GM if prefix else seat, f"{prefix}{name}", sides) or 1

    monsters = side_of_monsters(label, hex.monsters, hex.wounds, turn.rules)
    return fight([side], [monsters], roll, turn.rules, Field(label, hex.terrain))


def _outcome(battle: Battle, side: Side, land: Land) -> str:
    """How it went for that side; the monsters are gone, or keep their wounds while the fight goes on."""
    label, after = battle.label, battle.left[side.key].outcome
    monsters = next(left for left in battle.left.values() if left.kind == MONSTERS)
    if monsters.outcome not in ("victorious", "undecided"):
        land.changed[label] = without_monsters(land.hex(label))
        tell_cleared(land.turn, land.world, label)
        return WON
    full = side_of_monsters(label, land.hex(label).monsters, 0, land.turn.rules).full_hp
    wounds = full - monsters.hp if after == "undecided" else 0
    land.changed[label] = replace(land.hex(label), wounds=wounds)
    return UNDECIDED if after == "undecided" else BEATEN
