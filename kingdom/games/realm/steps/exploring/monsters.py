"""Monsters in hexes: what a hex hides from a kingdom, the GM's orders that put them there, and fights against them.

Hired adventurers fight them, and the army that escorts an expedition. Rulings: exploration, wilderness, adventurers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from kingdom.engine.dice import GM
from kingdom.engine.refusal import Refusal
from kingdom.games.realm.armies import with_army
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, Party, Sighting, World, owners, replace
from kingdom.games.realm.steps.gm_kingdoms import hex_problem
from kingdom.games.realm.steps.land.ground import OPEN_AGAIN
from kingdom.games.realm.steps.shared import most
from kingdom.games.realm.steps.war.battle_aftermath import after_battle, tell_battle
from kingdom.games.realm.steps.war.battle_sides import MONSTERS, Side, side_of_army, side_of_monsters, side_of_party
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.orders.rulings import GmMonsters
    from kingdom.games.realm.steps.war.battle import Battle


AGAINST = "against-"  # prefix of a monsters' roll in fights with each kingdom apart. Ruling: nobody_first
REFUSALS = {
    "gm_no_monsters": "There is neither monster nor hazard in {hex} (GM orders); name an ACR to place a monster.",
}


def without_monsters(hex: Hex) -> Hex:
    """The hex when its monsters are beaten or gone."""
    return replace(hex, monsters=0, wounds=0)


def tell_cleared(turn: Turn, world: World, label: str) -> None:
    """Tell the holder of a hex that its monsters are gone and it can build there now."""
    holder = owners(world).get(label)
    if holder and label in world.kingdoms[holder].revealed:
        turn.tell(holder, "news", hex=label, text=f"{label} is cleared of its monsters; {OPEN_AGAIN}.")


def monsters_come(world: World, monsters: dict[str, int], rules: Rules) -> World:
    """The world after monsters (label -> ACR) come to hexes. A kingdom that had seen such a hex does not know of the
    monsters, unless it holds the hex."""
    hexes = {label: replace(world.hexes[label], monsters=acr, wounds=0) for label, acr in monsters.items()}
    kingdoms = {seat: hidden_from(kingdom, monsters, world, rules) for seat, kingdom in world.kingdoms.items()}
    return replace(world, hexes={**world.hexes, **hexes}, kingdoms=kingdoms)


def hidden_from(kingdom: Kingdom, labels: Iterable[str], world: World, rules: Rules) -> Kingdom:
    """The kingdom, unaware of what came to those hexes.

    What its expeditions found there is out of date; it remembers what it had seen. world: before the monsters came.
    """
    new = set(labels).difference(kingdom.hexes)
    old = new.intersection(kingdom.revealed)
    if old:
        kingdom = replace(kingdom, revealed=tuple(label for label in kingdom.revealed if label not in old))
    if old and rules.vision is not None:
        known = {label: Sighting(world.turn, without_monsters(world.hexes[label])) for label in sorted(old)}
        kingdom = replace(kingdom, memory={**known, **kingdom.memory})
    if any(not new.isdisjoint(expedition.found) for expedition in kingdom.expeditions.values()):
        left = {key: tuple(at for at in each.found if at not in new) for key, each in kingdom.expeditions.items()}
        kingdom = replace(
            kingdom, expeditions={key: replace(each, found=left[key]) for key, each in kingdom.expeditions.items()}
        )
    return kingdom


def monsters(world: World, turn: Turn, order: GmMonsters) -> World | Refusal:
    """Put monsters of that ACR in the hex. An ACR of 0 takes the monsters away, or the hazard if the hex has no
    monsters."""
    label, acr = order["monsters"], order["acr"]
    if refusal := hex_problem(world, label):
        return refusal
    hex = world.hexes[label]
    if not (acr or hex.monsters or hex.hazard):
        return Refusal("gm_no_monsters", {"hex": label})
    if acr:
        world, what = monsters_come(world, {label: acr}, turn.rules), f"monsters of ACR {acr} are in {label}"
    elif hex.monsters:
        world = replace(world, hexes={**world.hexes, label: without_monsters(hex)})
        what = f"the monsters of {label} are gone"
    else:
        world = replace(world, hexes={**world.hexes, label: replace(hex, hazard="")})
        what = f"{label} is safe now: {hex.hazard}"
    turn.tell(GM, "news", hex=label, text=f"By your order {what}.")
    for seat, kingdom in world.kingdoms.items():
        if label in kingdom.revealed:
            turn.tell(seat, "ruling", hex=label, reason=order["reason"], text=f"The GM: {what}: {order['reason']}.")
    return world


# --- fights -----------------------------------------------------------------------------------------------------------


WON, BEATEN, UNDECIDED = "won", "beaten", "undecided"  # how a fight went for those who fought the monsters
_BEYOND = Hex("")


class Land(Struct, frozen=True):
    """The land in which expeditions and adventurers act: the world as their step found it, and the hexes that they have
    changed.

    wounded: label -> the hit points that they took off the monsters there; holding: labels where the fight goes on next turn;
    won: (label, army) of each victory from which the army has still to learn; cleared: labels whose hazard they cleared.
    """

    world: World
    turn: Turn
    changed: dict[str, Hex]
    wounded: dict[str, int] = {}
    holding: set[str] = set()
    won: list[tuple[str, str]] = []
    cleared: set[str] = set()

    def hex(self, label: str) -> Hex:
        """The hex as it is now; for a label off the map an empty hex that nobody enters."""
        return self.changed.get(label) or self.world.hexes.get(label) or _BEYOND


def lands(world: World, turn: Turn) -> dict[str, Land]:
    """Seat -> the land in which it acts: each seat its own, so that all meet the monsters as the step found them; else
    one for all.

    Ruling: nobody_first.
    """
    shared = Land(world, turn, {})
    return {seat: Land(world, turn, {}) if turn.rules.nobody_first else shared for seat in world.kingdoms}


def after_all(found: Mapping[str, Land], world: World, turn: Turn) -> tuple[World, dict[str, str]]:
    """(the world with the changes of all seats; label -> the seat that wounded the beaten monsters most)."""
    if turn.rules.nobody_first is None:
        hexes, first = next(iter(found.values())).changed, dict[str, str]()
    else:
        hexes, first = _joined(found, world, turn)
    for label in {label for land in found.values() for label in land.cleared}:
        hexes[label] = replace(hexes.get(label, world.hexes[label]), hazard="")
    return (replace(world, hexes={**world.hexes, **hexes}) if hexes else world), first


def _joined(found: Mapping[str, Land], world: World, turn: Turn) -> tuple[dict[str, Hex], dict[str, str]]:
    """(the hexes that all seats together changed; label -> the seat that wounded the beaten monsters most).

    Wounds add up. Monsters recover when nobody goes on fighting them.
    """
    hexes: dict[str, Hex] = {}
    first: dict[str, str] = {}
    for label in sorted({label for land in found.values() for label in land.changed}):
        here = {seat: land for seat, land in found.items() if label in land.changed}
        wounds = {seat: land.wounded.get(label, 0) for seat, land in here.items()}
        hex = world.hexes[label]
        left = side_of_monsters(label, hex.monsters, hex.wounds, turn.rules).hp - sum(wounds.values())
        if left <= 0 or any(not land.changed[label].monsters for land in here.values()):
            hexes[label] = without_monsters(hex)
            first[label] = most(wounds, f"wounds-{label}", turn)
            tell_cleared(turn, world, label)
        elif any(label in land.holding for land in here.values()):
            hexes[label] = replace(hex, wounds=hex.wounds + sum(wounds.values()))
        else:
            hexes[label] = replace(hex, wounds=0)
    return hexes, first


def party_fights(key: str, party: Party, seat: str, land: Land, secret: bool = False) -> tuple[Party, str]:
    """(the party after its fight with the monsters of its hex, the outcome); a party without hit points is destroyed.

    secret: the party is away with an expedition, so the dice are the GM's and nobody else hears of the battle.
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
    """(the kingdom after its army's fight with the monsters of that hex, the outcome). behind: the hex to which the
    army falls back."""
    turn = land.turn
    side = side_of_army(name, seat, kingdom.armies[name], turn.rules)
    battle = _battle(side, label, "", land)
    tell_battle(battle, turn)
    # another kingdom may have wounded the same monsters more, so the lesson waits
    later = turn.rules.nobody_first is not None
    kingdom = after_battle(seat, kingdom, battle, land.world.hexes, turn, learns=not later)
    outcome = _outcome(battle, side, land)
    if later and battle.left[side.key].outcome == "victorious":
        land.won.append((label, name))
    if outcome == BEATEN and name in kingdom.armies:
        kingdom = with_army(kingdom, name, replace(kingdom.armies[name], hex=behind))
    return kingdom, outcome


def _battle(side: Side, label: str, prefix: str, land: Land) -> Battle:
    """Fight the battle; with a prefix all its dice are the GM's and their names begin with the prefix."""
    from kingdom.games.realm.steps.war.battle import fight  # most commands fight no battle

    hex, turn = land.hex(label), land.turn

    def roll(seat: str, name: str, sides: int) -> int:
        if turn.rules.nobody_first and seat == GM and not prefix:  # others may fight the same monsters in this step
            name = f"{AGAINST}{side.seat}-{name}"
        return turn.roll(GM if prefix else seat, f"{prefix}{name}", sides) or 1

    monsters = side_of_monsters(label, hex.monsters, hex.wounds, turn.rules)
    return fight([side], [monsters], roll, turn.rules, label, hex.terrain)


def _outcome(battle: Battle, side: Side, land: Land) -> str:
    """The outcome for that side. Beaten monsters are gone; while the fight goes on they keep their wounds."""
    label, after = battle.label, battle.left[side.key].outcome
    monsters = next(left for left in battle.left.values() if left.kind == MONSTERS)
    before = side_of_monsters(label, land.hex(label).monsters, land.hex(label).wounds, land.turn.rules)
    land.wounded[label] = land.wounded.get(label, 0) + before.hp - monsters.hp
    if monsters.outcome not in ("victorious", "undecided"):
        land.changed[label] = without_monsters(land.hex(label))
        if land.turn.rules.nobody_first is None:
            tell_cleared(land.turn, land.world, label)
        return WON
    wounds = before.full_hp - monsters.hp if after == "undecided" else 0
    land.changed[label] = replace(land.hex(label), wounds=wounds)
    if after == "undecided":
        land.holding.add(label)
    return UNDECIDED if after == "undecided" else BEATEN
