"""The militia: the people of a settlement, who fight for their settlement behind its walls and nowhere else. Ruling:
militia."""

from __future__ import annotations

from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.realm.armies import hit_points, number, slight
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import accounts, control_dc
from kingdom.games.realm.state import Hex, Kingdom, with_settlement
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.war.battle_sides import MILITIA, Side
from kingdom.games.realm.steps.war.conquest import firm, walls


def acr_of_militia(kingdom: Kingdom, name: str, hexes: dict[str, Hex], rules: Rules) -> float:
    """The ACR of the whole militia of that settlement; 0 where the rules have none."""
    ruling = rules.militia
    if ruling is None or not ruling.acr:
        return 0
    districts = len(kingdom.settlements[name].districts)
    row = min(districts, ruling.by_districts or districts) + (ruling.capital if name == kingdom.capital else 0)
    rating = number(ruling.acr[min(row, len(ruling.acr)) - 1])
    loyalty = accounts(kingdom, hexes, rules)["loyalty"]
    if (loyalty - kingdom.unrest) * ruling.loyal_divisor >= control_dc(kingdom, rules):
        rating += ruling.loyal
    if kingdom.unrest < ruling.unrest:
        return rating
    return max(number(ruling.least), int(rating / ruling.unrest_divisor))


class Militia(NamedTuple):
    """The militia of a settlement now: its full ACR, the hit points left, and the full hit points."""

    acr: float
    hp: int
    full_hp: int


def militia_of(kingdom: Kingdom, name: str, hexes: dict[str, Hex], rules: Rules) -> Militia | None:
    """The militia of that settlement, with no hit points left during a siege; None if the rules have no militia."""
    rating = acr_of_militia(kingdom, name, hexes, rules)
    if not rating:
        return None
    full = hit_points(rating, in_force(rules.militia).hit_die)
    settlement = kingdom.settlements[name]
    # the militia was beaten; people who came since don't fight
    if settlement.besieged and rules.siege and rules.siege.fixed:
        return Militia(rating, 0, full)
    return Militia(rating, max(0, full - settlement.levy), full)


def side_of_militia(seat: str, kingdom: Kingdom, label: str, hexes: dict[str, Hex], rules: Rules) -> Side | None:
    """The militia of the settlement in that hex as it goes into battle; None if nobody is left. A militia never routs."""
    name = settlement_in(kingdom, label)
    people = militia_of(kingdom, name, hexes, rules) if name else None
    if people is None or not people.hp:
        return None
    rating, hp, full = people
    defense = walls(kingdom, label, hexes, rules)
    sound = tuple(word for word in defense if firm(word, rules))
    base, level = in_force(rules.army_figures).dv_base, int(rating)
    return Side(
        _called(kingdom, name), seat, MILITIA, rating, hp, full, base + level, level, defense=defense, sound=sound,
        slight=slight(rating, in_force(rules.militia).hit_die),
    )  # fmt: skip


def _called(kingdom: Kingdom, name: str) -> str:
    """The militia's name, which no army of the kingdom in the same battle may bear."""
    called = f"Militia of {name}"
    while called in kingdom.armies:
        called = f"The {called}"
    return called


def after_fight(kingdom: Kingdom, label: str, lost: int) -> Kingdom:
    """The kingdom after its militia in that hex has fought and lost so many hit points in all."""
    return with_settlement(kingdom, settlement_in(kingdom, label), levy=lost, rested=0)


def rallied(kingdom: Kingdom, busy: set[str], rules: Rules) -> Kingdom:
    """The kingdom after a turn in which the militias in those hexes fought or were besieged; all others rest and recover."""
    ruling = rules.militia
    for name, settlement in kingdom.settlements.items() if ruling else ():
        if settlement.hex in busy:
            if settlement.rested and in_force(ruling).in_a_row:
                kingdom = with_settlement(kingdom, name, rested=0)
        elif settlement.levy:
            whole = settlement.rested + 1 >= in_force(ruling).whole
            changed = {"levy": 0, "rested": 0} if whole else {"rested": settlement.rested + 1}
            kingdom = with_settlement(kingdom, name, **changed)
    return kingdom
