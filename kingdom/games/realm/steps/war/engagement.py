"""One meeting as a battle: its sides, and where everybody stands afterwards. Rulings: battle_order, meeting.

Who wins stays; who is driven out or leaves goes to the nearest refuge; monsters that are beaten or flee are gone;
patrols that struck are at their posts all the while.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kingdom.engine.dice import GM
from kingdom.games.realm.state import replace
from kingdom.games.realm.steps.exploring.monsters import tell_cleared, without_monsters
from kingdom.games.realm.steps.trade.open_routes import BLOCKADE, RAID
from kingdom.games.realm.steps.war.battle_aftermath import after_battle, tell_battle
from kingdom.games.realm.steps.war.battle_sides import Side, side_of_army, side_of_monsters
from kingdom.games.realm.steps.war.conquest import walls
from kingdom.games.realm.steps.war.meeting import Meeting
from kingdom.games.realm.steps.war.theatre import MONSTERS, Ref, Theatre, army_at, leave, put, refuge
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.steps.war.battle import Battle

STANDS = ("victorious", "undecided")  # outcomes after which a side is still where it was


def engage(theatre: Theatre, meeting: Meeting, turn: Turn) -> None:
    """Fight the battle and keep in the theatre what it leaves."""
    from kingdom.games.realm.steps.war.battle import Field, fight  # most commands fight no battle

    label, stood = meeting.label, {ref: army_at(theatre, ref).hex for ref in (*meeting.attackers, *meeting.defenders)}
    attackers = [_side(theatre, meeting, ref, turn) for ref in meeting.attackers]
    defenders = [_side(theatre, meeting, ref, turn) for ref in meeting.defenders]
    monsters = _monsters(theatre, meeting, turn)
    field = Field(label, theatre.world.hexes[label].terrain)
    battle = fight(attackers, defenders + monsters, lambda *die: turn.roll(*die) or 1, turn.rules, field)
    tell_battle(battle, turn)
    for seat in sorted({seat for seat, _ in stood}):
        theatre.kingdoms[seat] = after_battle(seat, theatre.kingdoms[seat], battle, theatre.world.hexes, turn)
    for ref, there in stood.items():
        if ref[1] in theatre.kingdoms[ref[0]].armies:
            _retreat(theatre, meeting, ref, battle, turn)
        else:
            leave(theatre, ref, there)
    for side in monsters:
        _keep_monsters(theatre, label, side, battle, turn)


def _side(theatre: Theatre, meeting: Meeting, ref: Ref, turn: Turn) -> Side:
    """The army as it goes into the battle: behind the walls where it stands, and cornered where no way leads out."""
    (seat, name), army = ref, army_at(theatre, ref)
    defense = {}
    if not meeting.on_the_way and army.hex == meeting.label:
        defense = walls(theatre.kingdoms[seat], meeting.label, theatre.world.hexes, turn.rules)
    foes = tuple(GM if foe == MONSTERS else foe for foe in meeting.foes.get(ref, ()))
    cornered = not (_at_post(meeting, ref) or refuge(theatre, seat, _from(theatre, meeting, ref), turn.rules))
    return side_of_army(name, seat, army, turn.rules, defense, foes, cornered)


def _monsters(theatre: Theatre, meeting: Meeting, turn: Turn) -> list[Side]:
    """The monsters of the hex, against those who are after them; [] where nobody is."""
    if not meeting.monsters:
        return []
    hunters = {seat for (seat, _), foes in meeting.foes.items() if MONSTERS in foes}
    side = side_of_monsters(meeting.label, meeting.monsters, theatre.world.hexes[meeting.label].wounds, turn.rules)
    return [side._replace(foes=tuple(sorted(hunters)))]


def _retreat(theatre: Theatre, meeting: Meeting, ref: Ref, battle: Battle, turn: Turn) -> None:
    """Bring an army that left the battle to its refuge; where others took that meanwhile, it stays."""
    seat, name = ref
    if battle.left[ref].outcome in STANDS or _at_post(meeting, ref):
        return
    there = refuge(theatre, seat, _from(theatre, meeting, ref), turn.rules)
    if there:
        army = army_at(theatre, ref)
        deed = (
            "" if army.deed in (BLOCKADE, RAID) else army.deed
        )  # who was driven off a route does not plunder the next one
        put(theatre, ref, replace(army, hex=there, deed=deed))
        turn.tell(seat, "news", hex=there, text=f"{name} has retreated to {there} (ruling meeting).")


def _keep_monsters(theatre: Theatre, label: str, side: Side, battle: Battle, turn: Turn) -> None:
    """The hex with its monsters as the battle left them."""
    left, hex = battle.left[side.key], theatre.world.hexes[label]
    if left.outcome in STANDS:
        theatre.hexes[label] = replace(hex, wounds=side.full_hp - left.hp)
    else:
        theatre.hexes[label] = without_monsters(hex)
        tell_cleared(turn, theatre.world, label)


def _at_post(meeting: Meeting, ref: Ref) -> bool:
    """Whether it is a patrol that struck from its post, to which nobody followed it."""
    return meeting.strike and ref in meeting.attackers


def _from(theatre: Theatre, meeting: Meeting, ref: Ref) -> str:
    """The hex out of which the army would retreat."""
    return army_at(theatre, ref).came if meeting.on_the_way else army_at(theatre, ref).hex
