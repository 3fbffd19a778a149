"""The participants of a battle: armies, monsters, hired adventurers or a militia, each as a Side with its starting figures.

Rulings: army_figures, battle_order, adventurers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from kingdom.engine.dice import GM
from kingdom.games.realm import armies
from kingdom.games.realm.rules.army_tables import BattleOrder
from kingdom.games.realm.rules.battle_tables import Shoots
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, BattleOrders, Party
from kingdom.games.realm.steps.war.conquest import firm

ARMY, MONSTERS, PARTY, MILITIA = "army", "monsters", "party", "militia"

# the possible outcomes of a side
OUTCOMES = {
    "victorious": "it holds the field, and no enemy does",
    "undecided": "it stands, and so does an enemy",
    "withdrew": "it left in good order",
    "routed": "it fled",
    "surrendered": "it routed and could not leave",
    "defeated": "it is destroyed",
}


class Side(Struct, frozen=True):
    """One army, the monsters of a hex, a party, or the militia of a settlement; seat and name together are unique in a battle.

    seat: the owner of its dice, "gm" for monsters. dv, om: as armies.py works them out; armor: the part of dv that comes from
    equipment. defense: fortification -> points that they add to DV; those of `sound` are immune to siege engines. morale: the
    bonus of its checks of morale, including the commander's. foes: the seats that it wants to fight; () means those on the
    other side. cornered: it can't leave. slight: its full hit points are less than 1 before rounding.
    """

    name: str
    seat: str
    kind: str
    acr: float
    hp: int
    full_hp: int
    dv: int
    om: int
    unit: str = ""
    armor: int = 0
    resources: Mapping[str, int] = {}
    tactics: tuple[str, ...] = ()
    specials: tuple[str, ...] = ()
    boons: tuple[str, ...] = ()
    ranged: bool = False
    mounted: bool = False
    morale: int = 0
    orders: BattleOrders = BattleOrders()
    times: float = 1  # the Consumption of its resources, as a multiple of a Medium army's
    defense: Mapping[str, int] = {}
    sound: tuple[str, ...] = ()
    foes: tuple[str, ...] = ()
    cornered: bool = False
    slight: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """(seat, name), which sorts and identifies sides."""
        return self.seat, self.name

    @property
    def level(self) -> int:
        """The ACR without its fraction, as effects use it: at least 1."""
        return max(1, int(self.acr))


def side_of_army(
    name: str,
    seat: str,
    army: Army,
    rules: Rules,
    defense: Mapping[str, int] | None = None,
    foes: tuple[str, ...] = (),
    cornered: bool = False,
) -> Side:
    """An army as it goes into battle.

    defense: building or improvement -> the DV that it gives the army where it stands. foes: seats that it wants to fight, ()
    for all on the other side. cornered: there is no hex to which it could retreat.
    """
    unit, battle = rules.units[army.unit], ruling(rules)
    held = [rules.army_resources[resource] for resource in army.resources]
    counting = [rules.army_resources[resource] for resource in armies.counting(army, rules)]
    unlucky = battle.unlucky_morale if army.commander.unlucky else 0
    return Side(
        name, seat, ARMY, armies.acr(army.unit, army.size, rules), army.hp, armies.full_hp(army, rules),
        armies.dv(army, rules), armies.om(army, rules), army.unit,
        armor=sum(resource.dv for resource in counting if not resource.mounted),
        resources=dict(army.resources),
        tactics=tuple(dict.fromkeys((*army.tactics, *unit.tactics))),
        specials=unit.specials,
        boons=army.commander.boons,
        ranged=unit.ranged or shoots(unit.specials, rules) or any(resource.ranged for resource in held),
        mounted=unit.mounted or any(resource.mounted for resource in held),
        morale=army.morale + army.commander.morale + unlucky,
        orders=army.battle,
        times=armies.number(rules.army_sizes[army.size].times),
        defense=dict(defense or {}),
        sound=tuple(kind for kind in defense or {} if firm(kind, rules)),
        foes=foes,
        cornered=cornered,
        slight=armies.slight(armies.acr(army.unit, army.size, rules), unit.hit_die),
    )  # fmt: skip


def side_of_monsters(label: str, acr: int, wounds: int, rules: Rules) -> Side:
    """The monsters of a hex, with that ACR and without the lost hit points: a Medium army of no unit, without a commander."""
    full = armies.hit_points(acr, ruling(rules).monster_hit_die)
    base = rules.army_figures.dv_base if rules.army_figures else 0
    return Side(f"monsters in {label}", GM, MONSTERS, acr, max(1, full - wounds), full, base + acr, acr)


def side_of_party(key: str, seat: str, party: Party, rules: Rules) -> Side:
    """Hired adventurers. Ruling: adventurers."""
    rating, base = armies.party_acr(party.bp, rules), in_force(rules.adventurers).dv_base
    ranged, full = shoots(party.specials, rules), armies.party_hp(party.bp, rules)
    return Side(
        key, seat, PARTY, rating, party.hp, full, base + rating, rating, specials=party.specials, ranged=ranged
    )  # fmt: skip


def random_specials(roll: Callable[[str, int], int | None], rules: Rules) -> tuple[str, ...]:
    """The specials of a party: a roll for their number, then rolls for each, none twice. roll: (name of the roll, sides) ->
    result; None if no die is thrown, and then there are no specials."""
    ruling = in_force(rules.adventurers)
    left = list(ruling.specials)
    count = roll("adventurers_count", ruling.specials_die)
    drawn = []
    for _ in range(min(count or 0, len(left))):
        place = roll("adventurers_special", len(left))
        drawn.append(left.pop((place or 1) - 1))
    return tuple(drawn)


def shoots(specials: tuple[str, ...], rules: Rules) -> bool:
    """Whether one of these specials is an attack from afar."""
    return any(isinstance(effect, Shoots) for special in specials for effect in rules.army_specials[special].effects)


def ruling(rules: Rules) -> BattleOrder:
    """The ruling battle_order; rules without it have neither armies nor battles."""
    return in_force(rules.battle_order)
