"""Edict phase, after the moves: which armies meet, their battles, where they stand afterwards, and which land is taken.

Winners stay; armies that are driven out or leave go to the nearest refuge; beaten or fleeing monsters are gone; patrols that
strike are back at their posts after the battle. Rulings: battle_order, meeting, patrol, siege, occupation, safe_turns,
conquest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kingdom.engine.dice import GM
from kingdom.games.realm.armies import acr, occupies
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, Kingdom, World, owners, replace, with_kingdoms
from kingdom.games.realm.steps.exploring.monsters import tell_cleared, without_monsters
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.trade.open_routes import BLOCKADE, RAID
from kingdom.games.realm.steps.war.battle_aftermath import after_battle, tell_battle
from kingdom.games.realm.steps.war.battle_sides import Side, side_of_army, side_of_monsters
from kingdom.games.realm.steps.war.conquest import (
    Besieger,
    Fall,
    SiegeTurn,
    attacked_by,
    besieged,
    conquer,
    is_home,
    last_safe_turn,
    mended,
    price_due,
    problems_later,
    siege,
    walls,
)
from kingdom.games.realm.steps.war.meeting import (
    MONSTERS,
    Meeting,
    Ref,
    Theatre,
    aim,
    army_at,
    crossings,
    defending,
    leave,
    preys_on_others,
    put,
    quarrel,
    refuge,
    standing,
    strikes,
    theatre_of,
)
from kingdom.games.realm.steps.war.militia import after_fight, rallied, side_of_militia
from kingdom.games.realm.steps.war.occupation import held_by_its_own, occupied, takes_turns, told_again
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.steps.war.battle import Battle


def fight_battles(world: World, turn: Turn) -> World:
    """Patrols strike, armies that swapped hexes meet, armies in one hex fight; undefended land is besieged or taken.

    One step over the whole world: each battle finds the armies as earlier battles left them. A forecast leaves it out.
    """
    if turn.rules.meeting is None or turn.foreseeing:
        return world
    theatre = theatre_of(world)
    _make_unsafe(theatre, turn)
    stormed, militia = _fight(theatre, turn)
    falls, under_siege, waited_for = _unopposed(theatre, stormed, turn)
    busy = under_siege | militia | (waited_for if turn.rules.militia and turn.rules.militia.in_a_row else set())
    rested = {
        seat: rallied(_at_rest(kingdom, under_siege), busy, turn.rules) for seat, kingdom in theatre.kingdoms.items()
    }
    if theatre.hexes:
        world = replace(world, hexes={**world.hexes, **theatre.hexes})
    world = conquer(with_kingdoms(world, rested), turn, falls)
    told_again(world, turn, falls)
    return world


def _fight(theatre: Theatre, turn: Turn) -> tuple[set[str], set[str]]:
    """Fight every battle of the turn. Returns (the hexes whose defenders were beaten, those where a militia fought)."""
    for meeting in strikes(theatre, turn.rules):
        engage(theatre, meeting, turn)
    for meeting in crossings(theatre, turn.rules):
        engage(theatre, meeting, turn)
    stormed, militia = set[str](), set[str]()
    for label in sorted(theatre.stands):
        if fight := quarrel(theatre, label, _militia_at(theatre, label, turn)):
            militia.update([label] if fight.militia else [])
            engage(theatre, fight, turn)
            own = [ref for ref in fight.defenders if ref[0] == owners(theatre.world).get(label)]
            if own and not standing(theatre, label, own):
                stormed.add(label)
    return stormed, militia


def _militia_at(theatre: Theatre, label: str, turn: Turn) -> str:
    """The seat whose militia faces other kingdoms' armies in the hex, "" for none."""
    holder = owners(theatre.world).get(label, "")
    if not holder or all(seat == holder for seat, _ in standing(theatre, label)):
        return ""
    return holder if side_of_militia(holder, theatre.kingdoms[holder], label, theatre.world.hexes, turn.rules) else ""


def _unopposed(theatre: Theatre, stormed: set[str], turn: Turn) -> tuple[list[Fall], set[str], set[str]]:
    """Sort the attacked hexes that nobody defends: those that fall, in order of label; the besieged ones, also a fallen one that may stay its
    holder's; those whose siege can't begin yet (ruling safe_turns)."""
    falls, under_siege, waited_for = list[Fall](), set[str](), set[str]()
    held = owners(theatre.world)
    stays = turn.rules.conquest is not None and turn.rules.conquest.stays
    for label in sorted(label for label in theatre.stands if label in held):
        holder = held[label]
        attackers = [ref for ref in standing(theatre, label) if ref[0] != holder and aim(theatre, ref) == holder]
        if not attackers or defending(theatre, label, holder, tuple(attackers)) or _militia_at(theatre, label, turn):
            continue
        attackers = _occupying(theatre, label, attackers, turn)
        if not attackers:
            continue
        if _is_safe(theatre, label, holder, attackers, turn):
            waited_for.add(label)
            continue
        takers, stands = _fallen_to(theatre, label, holder, attackers, label in stormed, turn)
        if takers:
            falls.append(Fall(label, holder, _force(theatre, takers, turn)))
        if stands and (stays or not takers):
            under_siege.add(label)
        if stands and stays:
            theatre.kingdoms[holder] = attacked_by(theatre.kingdoms[holder], label, {seat for seat, _ in attackers})
    return falls, under_siege, waited_for


def _fallen_to(
    theatre: Theatre, label: str, holder: str, attackers: list[Ref], stormed: bool, turn: Turn
) -> tuple[list[Ref], bool]:
    """(the armies to which the hex falls now, [] if it holds out; whether the attackers stand there as besiegers). Rulings:
    siege, occupation."""
    if takes_turns(turn.rules) and not settlement_in(theatre.kingdoms[holder], label):
        if held_by_its_own(theatre, label, holder, attackers, turn):
            return [], False
        return occupied(theatre, label, holder, attackers, _besiegers(theatre, attackers, turn), turn), True
    # in the first edition a won battle takes the walls, too
    won = stormed and not in_force(turn.rules.siege).lasts
    holds_out = not won and _holds_out(theatre, label, holder, attackers, turn)
    return ([] if holds_out else attackers), True


def besiegers_of(theatre: Theatre, label: str, holder: str, turn: Turn) -> dict[str, float]:
    """Seat -> the ACR of its armies that can take the hex and attack its holder there."""
    attackers = [ref for ref in standing(theatre, label) if ref[0] != holder and aim(theatre, ref) == holder]
    return _force(theatre, [ref for ref in attackers if occupies(army_at(theatre, ref), turn.rules)], turn)


def _make_unsafe(theatre: Theatre, turn: Turn) -> None:
    """End the safe turns of each kingdom that attacks, raids or blockades another kingdom. Ruling: safe_turns."""
    if not turn.rules.safe_turns:
        return
    held = owners(theatre.world)
    # an army that attacks on the way may end in a hex without its target
    warring = {seat for each in crossings(theatre, turn.rules) for seat, _ in each.attackers}
    for label, refs in theatre.stands.items():
        here = {held.get(label, ""), *(seat for seat, _ in refs)}
        for ref in refs:
            foe = aim(theatre, ref)
            attacks = foe != MONSTERS and foe in here and foe not in ("", ref[0])
            warring |= {ref[0]} if (attacks or preys_on_others(theatre, ref)) else set()
    for seat in sorted(warring):
        kingdom = theatre.kingdoms[seat]
        if last_safe_turn(kingdom, turn.rules) >= turn.number:
            text = "Your safe turns are over, since an army of yours attacked, raided or blockaded another kingdom (ruling safe_turns)."
            turn.tell(seat, "news", text=text)
        if not kingdom.unsafe:
            theatre.kingdoms[seat] = replace(kingdom, unsafe=True)


def _is_safe(theatre: Theatre, label: str, holder: str, attackers: list[Ref], turn: Turn) -> bool:
    """Whether that hex is still safe from conquest and siege; if so, holder and attackers are told. Ruling: safe_turns."""
    kingdom = theatre.kingdoms[holder]
    name, last = settlement_in(kingdom, label), last_safe_turn(kingdom, turn.rules)
    if turn.number > last or not is_home(kingdom, label, turn.rules) or name and kingdom.settlements[name].besieged:
        return False
    within = in_force(turn.rules.safe_turns).within
    place = f"{name} in {label}" if name else label
    text = (
        f"{place} is the capital of {kingdom.name}: no siege of it begins before turn {last + 1} (ruling safe_turns)."
    )
    if within:
        text = f"{place} is at most {within} hexes from where {kingdom.name} started: nobody takes or besieges it before turn {last + 1} (ruling safe_turns)."
    _tell(label, holder, attackers, text, turn)
    return True


def _occupying(theatre: Theatre, label: str, attackers: list[Ref], turn: Turn) -> list[Ref]:
    """The attackers that are large enough to take or besiege the hex; a kingdom with none of these there is told. Ruling:
    occupation."""
    able = [ref for ref in attackers if occupies(army_at(theatre, ref), turn.rules)]
    for seat in sorted({seat for seat, _ in attackers} - {seat for seat, _ in able}):
        names = ", ".join(name for other, name in attackers if other == seat)
        least = in_force(turn.rules.occupation).acr
        text = f"{names}: too small to take {label} or besiege it. That needs one army of ACR {least} or more (ruling occupation)."
        turn.tell(seat, "news", hex=label, text=text)
    return able


def _holds_out(theatre: Theatre, label: str, holder: str, attackers: list[Ref], turn: Turn) -> bool:
    """Whether a settlement or fort in the hex holds out in this turn's siege; holder and attackers are told. Ruling: siege."""
    kingdom, hexes = theatre.kingdoms[holder], theatre.world.hexes
    name, lasts = settlement_in(kingdom, label), in_force(turn.rules.siege).lasts
    if name and lasts:
        return _besieged(theatre, label, holder, attackers, turn)
    before = sum(walls(kingdom, label, hexes, turn.rules).values())
    if not before or not name and not lasts:
        return False
    kingdom = besieged(kingdom, label, _besiegers(theatre, attackers, turn), hexes, turn)
    left = sum(walls(kingdom, label, hexes, turn.rules).values())
    theatre.kingdoms[holder] = kingdom
    place = f"{name} in {label} is besieged: its" if name else f"{label} is besieged: the"
    _tell(label, holder, attackers, f"{place} Defense falls from {before} to {left} (ruling siege).", turn)
    return left > 0


def _besieged(theatre: Theatre, label: str, holder: str, attackers: list[Ref], turn: Turn) -> bool:
    """Whether an undefended settlement still holds out; holder and attackers are told for how long."""
    besiegers = _besiegers(theatre, attackers, turn)
    found = siege(theatre.kingdoms[holder], label, besiegers, theatre.world.hexes, turn)
    theatre.kingdoms[holder] = found.kingdom
    if found.most == 0:
        return False
    name = settlement_in(found.kingdom, label)
    defense = sum(walls(found.kingdom, label, theatre.world.hexes, turn.rules).values())
    state = f"{name} in {label} is besieged, its Defense is {defense}"
    term = f"{state}: it falls {_when(found)} unless the besiegers are driven off (ruling siege)."
    seats = sorted({seat for seat, _ in attackers})
    # an attacker that can't take the town is not told when it falls
    problems = problems_later(seats, label, theatre.kingdoms, turn.rules)
    for seat, why in problems.items():
        told = (
            f"{state}. It doesn't fall to you: {why} (ruling conquest)."
            if why
            else term + price_due(theatre.kingdoms[seat], turn.rules)
        )
        turn.tell(seat, "news", hex=label, text=told)
    # the holder may know that the attackers' land does not touch the hex, but not their treasuries
    if all("touches" in why for why in problems.values()):
        term = f"{state}. It stays yours while no land of its besiegers touches {label} (ruling conquest)."
    turn.tell(holder, "news", hex=label, text=f"{term} {_ways_out(theatre, holder, name, attackers, turn)}")
    return True


def _when(term: SiegeTurn) -> str:
    """When a besieged settlement falls, in words."""
    if term.most is None:
        return "once siege engines have worn that off"
    latest = "in the next turn" if term.most == 1 else f"in {term.most} turns"
    if term.least in (None, term.most):
        return latest
    earliest = "the next turn" if term.least == 1 else f"{term.least} turns"
    return f"in at most {term.most} turns, as siege engines roll, and in {earliest} at the earliest,"


def _ways_out(theatre: Theatre, holder: str, name: str, attackers: list[Ref], turn: Turn) -> str:
    """The advice for the owner of a besieged settlement: who besieges it, and what to do."""
    names = sorted({theatre.kingdoms[seat].name for seat, _ in attackers})
    besiegers = f"{', '.join(names)} besiege{'s' if len(names) == 1 else ''} it"
    ruling, kingdom = in_force(turn.rules.siege), theatre.kingdoms[holder]
    surrender = f", or order `surrender: {name}`" if ruling.surrender_divisor else ""
    # only present besiegers count; the turns of those who left do not (`attacked_by`)
    turns = kingdom.besiegers.get(kingdom.settlements[name].hex, {})
    before = max(turns.get(seat, 0) for seat, _ in attackers)
    if surrender and before + 1 < ruling.surrender_after:
        surrender += f" (its loss costs less Unrest from turn {turn.number + ruling.surrender_after - before} on)"
    relief = "that attacks there"
    if last_safe_turn(kingdom, turn.rules) > turn.number:
        relief = "that goes there, not to attack, which would end your safe turns (ruling safe_turns)"
    return f"{besiegers}. Relieve it with an army {relief}, or recruit one in {name} that sallies{surrender}."


def _besiegers(theatre: Theatre, attackers: list[Ref], turn: Turn) -> list[Besieger]:
    """The attackers, each with the seat that throws for its engines: the army's own seat, or the first attacker's. Ruling:
    nobody_first."""
    first = min(attackers)[0]
    return [(ref[0] if turn.rules.nobody_first else first, army_at(theatre, ref)) for ref in attackers]


def _tell(label: str, holder: str, attackers: list[Ref], text: str, turn: Turn) -> None:
    for seat in sorted({holder, *(seat for seat, _ in attackers)}):
        turn.tell(seat, "news", hex=label, text=text)


def _force(theatre: Theatre, attackers: list[Ref], turn: Turn) -> dict[str, float]:
    """Seat -> the total ACR of its armies among these."""
    force: dict[str, float] = {}
    for ref in attackers:
        army = army_at(theatre, ref)
        force[ref[0]] = force.get(ref[0], 0) + acr(army.unit, army.size, turn.rules)
    return force


def _at_rest(kingdom: Kingdom, under_siege: set[str]) -> Kingdom:
    """The kingdom after the battles: its armies have arrived, and places that are not besieged have their walls mended."""
    kingdom = mended(kingdom, under_siege)
    if any(army.came for army in kingdom.armies.values()):
        kingdom = replace(kingdom, armies={name: _arrived(army) for name, army in kingdom.armies.items()})
    return kingdom


def _arrived(army: Army) -> Army:
    return replace(army, came="") if army.came else army


# --- one meeting ------------------------------------------------------------------------------------------------------


STANDS = ("victorious", "undecided")  # outcomes after which a side stays in its hex


def engage(theatre: Theatre, meeting: Meeting, turn: Turn) -> None:
    """Fight the battle and record its results in the theatre."""
    from kingdom.games.realm.steps.war.battle import fight  # most commands fight no battle

    label, stood = meeting.label, {ref: army_at(theatre, ref).hex for ref in (*meeting.attackers, *meeting.defenders)}
    attackers = [_side(theatre, meeting, ref, turn) for ref in meeting.attackers]
    defenders = [_side(theatre, meeting, ref, turn) for ref in meeting.defenders]
    monsters, militia = _monsters(theatre, meeting, turn), _militia(theatre, meeting, turn)
    terrain = theatre.world.hexes[label].terrain
    battle = fight(
        attackers, defenders + monsters + militia, lambda *die: turn.roll(*die) or 1, turn.rules, label, terrain
    )
    tell_battle(battle, turn)
    for seat in sorted({seat for seat, _ in stood}):
        theatre.kingdoms[seat] = after_battle(seat, theatre.kingdoms[seat], battle, theatre.world.hexes, turn)
    _part(theatre, meeting, stood, battle, turn)
    for side in monsters:
        left, hex = battle.left[side.key], theatre.world.hexes[label]
        if left.outcome in STANDS:
            theatre.hexes[label] = replace(hex, wounds=side.full_hp - left.hp)
        else:
            theatre.hexes[label] = without_monsters(hex)
            tell_cleared(turn, theatre.world, label)
    for side in militia:
        left = battle.left[side.key]
        theatre.kingdoms[side.seat] = after_fight(theatre.kingdoms[side.seat], label, side.full_hp - left.hp)
        held = f"holds out, with {left.hp} of {side.full_hp} hit points" if left.outcome in STANDS else "is beaten"
        for seat in sorted({each.seat for each in battle.left.values()}):
            turn.tell(seat, "news", hex=label, text=f"{side.name} {held} (ruling militia).")


def _side(theatre: Theatre, meeting: Meeting, ref: Ref, turn: Turn) -> Side:
    """The army as it goes into the battle: behind the walls of its hex, and cornered if it has no refuge."""
    (seat, name), army = ref, army_at(theatre, ref)
    defense = {}
    if not meeting.on_the_way and army.hex == meeting.label:
        defense = walls(theatre.kingdoms[seat], meeting.label, theatre.world.hexes, turn.rules)
    foes = tuple(GM if foe == MONSTERS else foe for foe in meeting.foes.get(ref, ()))
    cornered = not (_at_post(meeting, ref) or refuge(theatre, ref, _from(theatre, meeting, ref), turn.rules))
    return side_of_army(name, seat, army, turn.rules, defense, foes, cornered)


def _monsters(theatre: Theatre, meeting: Meeting, turn: Turn) -> list[Side]:
    """The monsters of the hex, who fight those who attack them; [] if nobody does."""
    if not meeting.monsters:
        return []
    hunters = {seat for (seat, _), foes in meeting.foes.items() if MONSTERS in foes}
    side = side_of_monsters(meeting.label, meeting.monsters, theatre.world.hexes[meeting.label].wounds, turn.rules)
    return [replace(side, foes=tuple(sorted(hunters)))]


def _militia(theatre: Theatre, meeting: Meeting, turn: Turn) -> list[Side]:
    """The militia that fights there; [] if none does."""
    seat, hexes = meeting.militia, theatre.world.hexes
    side = side_of_militia(seat, theatre.kingdoms[seat], meeting.label, hexes, turn.rules) if seat else None
    return [side] if side else []


def _part(theatre: Theatre, meeting: Meeting, stood: dict[Ref, str], battle: Battle, turn: Turn) -> None:
    """Take destroyed armies out of the hex, and bring those that left the battle to their refuges: all at once, or one after
    another if the ruling nobody_first is off."""
    if turn.rules.nobody_first is None:
        for ref, there in stood.items():
            if ref[1] in theatre.kingdoms[ref[0]].armies:
                _retreat(theatre, ref, _refuge(theatre, meeting, ref, battle, turn), turn)
            else:
                leave(theatre, ref, there)
        return
    for ref, there in stood.items():
        if ref[1] not in theatre.kingdoms[ref[0]].armies:
            leave(theatre, ref, there)
    alive = [ref for ref in stood if ref[1] in theatre.kingdoms[ref[0]].armies]
    refuges = {ref: _refuge(theatre, meeting, ref, battle, turn) for ref in alive}
    for ref, there in refuges.items():
        _retreat(theatre, ref, there, turn)


def _refuge(theatre: Theatre, meeting: Meeting, ref: Ref, battle: Battle, turn: Turn) -> str:
    """The hex to which an army that left the battle retreats; "" if it stays, or if others have meanwhile taken every
    refuge."""
    if battle.left[ref].outcome in STANDS or _at_post(meeting, ref):
        return ""
    return refuge(theatre, ref, _from(theatre, meeting, ref), turn.rules)


def _retreat(theatre: Theatre, ref: Ref, there: str, turn: Turn) -> None:
    """Bring an army to its refuge; without one it stays."""
    seat, name = ref
    if there:
        army = army_at(theatre, ref)
        # an army driven off a route does not raid or blockade at its refuge
        deed = "" if army.deed in (BLOCKADE, RAID) else army.deed
        put(theatre, ref, replace(army, hex=there, deed=deed))
        turn.tell(seat, "news", hex=there, text=f"{name} has retreated to {there} (ruling meeting).")


def _at_post(meeting: Meeting, ref: Ref) -> bool:
    """Whether the army is a patrol that struck from its post; nobody follows it there."""
    return meeting.strike and ref in meeting.attackers


def _from(theatre: Theatre, meeting: Meeting, ref: Ref) -> str:
    """The hex from which the army would retreat."""
    return army_at(theatre, ref).came if meeting.on_the_way else army_at(theatre, ref).hex
