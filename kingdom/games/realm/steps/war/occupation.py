"""Open land on which foreign armies stand: when it falls, and what its holder and the attackers are told.

A fort or watchtower there must be worn down first. Rulings: occupation, siege, conquest.
"""

from __future__ import annotations

from kingdom.games.realm.armies import acr, march_points
from kingdom.games.realm.hexmap import piers_of, ways
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.war.conquest import (
    Besieger,
    Fall,
    besieged,
    conquest_problem,
    engines,
    last_safe_turn,
    price_due,
    problems_later,
    turns_of_wear,
    walls,
)
from kingdom.games.realm.steps.war.meeting import Ref, Theatre, army_at, standing, theatre_of
from kingdom.games.realm.types import Turn


def takes_turns(rules: Rules) -> bool:
    """Whether an army must stand on open land for some turns before the land falls. Ruling: occupation."""
    return rules.occupation is not None and rules.occupation.turns > 0


def occupied(
    theatre: Theatre, label: str, holder: str, attackers: list[Ref], besiegers: list[Besieger], turn: Turn
) -> list[Ref]:
    """The attackers to whom open land falls now, in the last turn of their stay; if it falls to none, all concerned are told
    when it will.

    attackers: the armies that could take the undefended land. besiegers: the same armies, each with the seat that throws for
    its engines.
    """
    kingdom, hexes, rules = theatre.kingdoms[holder], theatre.world.hexes, turn.rules
    if before := sum(walls(kingdom, label, hexes, rules).values()):
        kingdom = besieged(kingdom, label, besiegers, hexes, turn)
        theatre.kingdoms[holder] = _with_occupiers(kingdom, label, {})
        left = sum(walls(kingdom, label, hexes, rules).values())
        state = f"{label} is besieged: the Defense falls from {before} to {left} (ruling siege)."
        dice = [die for _, army in besiegers for die in engines(army.resources, rules)]
        wear = [turns_of_wear(kingdom, label, breached, hexes, rules) for breached in (len(dice), sum(dice))]
        _tell(theatre, label, holder, attackers, turn, state, wear)
        return []
    was, stood = kingdom.occupiers.get(label, {}), dict[str, dict[str, int]]()
    for seat, name in attackers:
        stood.setdefault(seat, {})[name] = was.get(seat, {}).get(name, 0) + 1
    theatre.kingdoms[holder] = _with_occupiers(kingdom, label, stood)
    turns = in_force(rules.occupation).turns
    ready = [(seat, name) for seat, name in attackers if stood[seat][name] >= turns]
    if not ready:
        _tell(theatre, label, holder, attackers, turn, "", [0, 0])
    return ready


def told_again(world: World, turn: Turn, falls: list[Fall]) -> None:
    """Tell when open land that nobody could take this turn falls to those who can take it later; conquests of this turn may
    have made it touch their land."""
    theatre = theatre_of(world)
    for fall in falls:
        stood = world.kingdoms[fall.holder].occupiers.get(fall.label, {})
        near = [
            seat
            for seat in stood
            if "touches" not in conquest_problem(world.kingdoms[seat], fall.label, turn.rules, later=True)
        ]
        if near and fall.label in world.kingdoms[fall.holder].hexes:
            attackers = [(seat, name) for seat in near for name in stood[seat]]
            _tell(theatre, fall.label, fall.holder, attackers, turn, "", [0, 0])


def held_by_its_own(theatre: Theatre, label: str, holder: str, attackers: list[Ref], turn: Turn) -> bool:
    """Whether an army of the holder stands on the land without fighting for it: then the land does not fall, and the attackers
    are told."""
    own = [name for seat, name in standing(theatre, label) if seat == holder]
    for seat in sorted({seat for seat, _ in attackers}) if own else ():
        text = (
            f"{label} doesn't fall: {', '.join(own)} of {theatre.kingdoms[holder].name} stands there and lets you pass. "
            f"Order `armies: {next(name for other, name in attackers if other == seat)} then attack target {holder}` to fight it (ruling occupation)."
        )
        turn.tell(seat, "news", hex=label, text=text)
    return bool(own)


def _with_occupiers(kingdom: Kingdom, label: str, stood: dict[str, dict[str, int]]) -> Kingdom:
    others = {other: seats for other, seats in kingdom.occupiers.items() if other != label}
    return replace(kingdom, occupiers={**others, label: stood} if stood else others)


def _tell(
    theatre: Theatre, label: str, holder: str, attackers: list[Ref], turn: Turn, state: str, wear: list[int | None]
) -> None:
    """Tell holder and attackers when the hex falls, and which order prevents it. wear: the most and the fewest turns until a
    fort or tower there is worn down; None for never."""
    kingdom, rules = theatre.kingdoms[holder], turn.rules
    seats = sorted({seat for seat, _ in attackers})
    problems = problems_later(seats, label, theatre.kingdoms, rules)
    stood = kingdom.occupiers.get(label, {})
    turns = in_force(rules.occupation).turns
    days = {seat: max(1, turns - max(stood.get(seat, {}).values(), default=0)) for seat in seats}
    for seat in seats:
        names = ", ".join(name for other, name in attackers if other == seat)
        where = f"{state} {names} in {label} of {kingdom.name}".strip()
        text = f"{where}: {label} falls to you {_when(turn.number + days[seat], wear)} if the army stays there with the deed attack and no army of {kingdom.name} comes (ruling occupation)."
        lost, latest = theatre.kingdoms[seat].lost.get(label), turn.number + days[seat] + (wear[0] or 0)
        is_retaken = lost is not None and lost + in_force(rules.conquest).own_turns >= latest
        if in_force(rules.conquest).within_claims and not is_retaken:
            text += " It counts with what you claim in that turn (ruling conquest)."
        text += price_due(theatre.kingdoms[seat], rules)
        if problems[seat]:
            text = f"{where}: {label} doesn't fall to you: {problems[seat]} (ruling conquest)."
        turn.tell(seat, "news", hex=label, text=text)
    there = " and ".join(f"{name} of {theatre.kingdoms[seat].name}" for seat, name in attackers)
    stand = "stands" if len(attackers) == 1 else "stand"
    where = f"{state} {there} {stand} in {label}, where no army of yours is".strip()
    # the attackers' treasuries stay hidden from the holder
    if takers := [seat for seat in seats if "touches" not in problems[seat]]:
        first = min(takers, key=lambda seat: days[seat])
        text = f"{where}: {label} falls {_when(turn.number + days[first], wear)} unless one stands there at the end of that turn (ruling occupation). {_answer(theatre, label, holder, first, turn)}"
    else:
        text = f"{where}. It stays yours while no land of theirs touches {label} (ruling conquest)."
    turn.tell(holder, "news", hex=label, text=text)


def _when(last: int, wear: list[int | None]) -> str:
    """The turn in which open land falls, in words. last: the last turn of the stay if no fort or tower delays it."""
    most, least = wear
    if most is None:
        return "some turns after siege engines have worn its Defense off"
    if least is None or most == least:
        return f"in turn {last + most}"
    return f"in turn {last + most} at the latest, as siege engines roll, and in turn {last + least} at the earliest,"


def _answer(theatre: Theatre, label: str, holder: str, foe: str, turn: Turn) -> str:
    """The order that prevents the fall: it sends the holder's strongest army that gets there in one turn."""
    kingdom, rules = theatre.kingdoms[holder], turn.rules
    piers, able = piers_of(kingdom, rules), dict[str, float]()
    for name in kingdom.armies:
        army = army_at(theatre, (holder, name))
        if not army.routed and (holder, name) not in theatre.escorts:
            points = march_points(army, rules)
            if label in ways({army.hex: 0}, points, theatre.world, rules, piers=piers, goals={label}):
                able[name] = acr(army.unit, army.size, rules)
    if not able:
        return f"No army of yours gets to {label} in one turn, and one that you recruit marches a turn later."
    best = max(able, key=lambda name: (able[name], name))
    if last_safe_turn(kingdom, rules) > turn.number:
        return f"Order `armies: {best} to {label}`: it defends the hex; to attack would end your safe turns (ruling safe_turns)."
    return f"Order `armies: {best} to {label} then attack target {foe}`."
