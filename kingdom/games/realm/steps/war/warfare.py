"""Edict phase, after the moves: who meets whom, the battles, and what is taken.

Rulings: battle_order, meeting, patrol, siege, conquest.
"""

from __future__ import annotations

from kingdom.games.realm.state import Army, Kingdom, World, owners, replace, with_kingdoms
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.war.army_figures import acr
from kingdom.games.realm.steps.war.conquest import Fall, besieged, conquer, mended, walls
from kingdom.games.realm.steps.war.meeting import crossings, defending, quarrel, strikes
from kingdom.games.realm.steps.war.theatre import Ref, Theatre, aim, army_at, standing, theatre_of
from kingdom.games.realm.types import Turn


def fight_battles(world: World, turn: Turn) -> World:
    """Patrols strike, armies that swapped hexes meet, those in one hex fight; what nobody defends is besieged or taken.

    One step over the whole world: each battle finds the armies as those before it left them. Nothing is foreseen.
    """
    if turn.rules.meeting is None or turn.foreseeing:
        return world
    theatre = theatre_of(world)
    stormed = _fight(theatre, turn) if theatre.stands else set()
    falls, under_siege = _unopposed(theatre, stormed, turn) if theatre.stands else ([], set())
    rested = {seat: _at_rest(kingdom, under_siege) for seat, kingdom in theatre.kingdoms.items()}
    changed = {seat: kingdom for seat, kingdom in rested.items() if kingdom is not world.kingdoms[seat]}
    if theatre.hexes:
        world = replace(world, hexes={**world.hexes, **theatre.hexes})
    return conquer(with_kingdoms(world, changed), turn, falls)


def _fight(theatre: Theatre, turn: Turn) -> set[str]:
    """Every battle of the turn; the labels of the hexes whose defenders were beaten, so that their walls are won."""
    from kingdom.games.realm.steps.war.engagement import engage  # most commands fight no battle

    for meeting in strikes(theatre, turn.rules):
        engage(theatre, meeting, turn)
    for meeting in crossings(theatre):
        engage(theatre, meeting, turn)
    stormed = set()
    for label in sorted(theatre.stands):
        fight = quarrel(theatre, label)
        if fight:
            engage(theatre, fight, turn)
            own = [ref for ref in fight.defenders if ref[0] == owners(theatre.world).get(label)]
            if own and not standing(theatre, label, own):
                stormed.add(label)
    return stormed


def _unopposed(theatre: Theatre, stormed: set[str], turn: Turn) -> tuple[list[Fall], set[str]]:
    """(the hexes that fall, in the order of their labels; those that hold out in a siege)."""
    falls, under_siege = [], set()
    held = owners(theatre.world)
    for label in sorted(label for label in theatre.stands if label in held):
        holder = held[label]
        attackers = [ref for ref in standing(theatre, label) if ref[0] != holder and aim(theatre, ref) == holder]
        if attackers and not defending(theatre, label, holder, tuple(attackers)):
            if label not in stormed and _holds_out(theatre, label, holder, attackers, turn):
                under_siege.add(label)
            else:
                falls.append(Fall(label, holder, _victor(theatre, attackers, turn)))
    return falls, under_siege


def _holds_out(theatre: Theatre, label: str, holder: str, attackers: list[Ref], turn: Turn) -> bool:
    """Whether a settlement in the hex holds out in this turn's siege; all who take part are told. Ruling: siege."""
    kingdom, hexes = theatre.kingdoms[holder], theatre.world.hexes
    name = settlement_in(kingdom, label)
    before = sum(walls(kingdom, label, hexes, turn.rules).values())
    if not name or not before:
        return False
    armies = [army_at(theatre, ref) for ref in attackers]
    kingdom = besieged(kingdom, label, armies, hexes, turn, min(attackers)[0])
    left = sum(walls(kingdom, label, hexes, turn.rules).values())
    theatre.kingdoms[holder] = kingdom
    text = f"{name} in {label} is besieged: its Defense falls from {before} to {left} (ruling siege)."
    for seat in sorted({holder, *(seat for seat, _ in attackers)}):
        turn.tell(seat, "news", hex=label, text=text)
    return left > 0


def _victor(theatre: Theatre, attackers: list[Ref], turn: Turn) -> str:
    """The seat to which a hex falls: the one with the most ACR among its attackers; of equals none."""
    strength: dict[str, float] = {}
    for ref in attackers:
        army = army_at(theatre, ref)
        strength[ref[0]] = strength.get(ref[0], 0) + acr(army.unit, army.size, turn.rules)
    best = [seat for seat, points in strength.items() if points == max(strength.values())]
    return best[0] if len(best) == 1 else ""


def _at_rest(kingdom: Kingdom, under_siege: set[str]) -> Kingdom:
    """The kingdom after the battles: its armies have arrived, the walls of settlements that are free are mended."""
    kingdom = mended(kingdom, under_siege)
    if any(army.came for army in kingdom.armies.values()):
        kingdom = replace(kingdom, armies={name: _arrived(army) for name, army in kingdom.armies.items()})
    return kingdom


def _arrived(army: Army) -> Army:
    return replace(army, came="") if army.came else army
