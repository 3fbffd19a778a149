"""Adventurers at work, whom orders/adventurers.py hires against the monsters or the hazard of a hex. Rulings: adventurers, hazards.

They set out from the settlement nearest to their task and fight the monsters there. The task ends when the monsters or
the adventurers are beaten, or when the hazard is cleared (hazards.py).
"""

from __future__ import annotations

from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.realm.armies import party_hp
from kingdom.games.realm.hexmap import distance, piers_of, step_along, way
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Kingdom, Party, World, replace, with_kingdoms
from kingdom.games.realm.steps.exploring.monsters import UNDECIDED, WON, Land, after_all, lands, party_fights
from kingdom.games.realm.steps.war.battle_sides import random_specials
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.sight import whereabouts

CONFRONTING = ("attack", "patrol")  # adventurers step back before an army with one of these deeds


def hired(seat: str, key: str, bp: int, start: str, task: str, turn: Turn) -> Party:
    """A party for those BP, unhurt, with random specials; without specials if the turn is only foreseen."""
    specials = random_specials(lambda name, sides: turn.roll(seat, f"{name}-{key}", sides), turn.rules)
    return Party(bp, start, task, party_hp(bp, turn.rules), specials)


# --- at work


def hired_adventurers(world: World, turn: Turn) -> World:
    """Parties travel to their task and fight it. A forecast leaves it out: it depends on dice and on unknown land."""
    if turn.foreseeing or turn.rules.adventurers is None:
        return world
    land, fights, changed = lands(world, turn), dict[tuple[str, str], Fight](), {}
    for seat, kingdom in world.kingdoms.items():
        if kingdom.parties and not kingdom.destroyed:
            after: dict[str, Party | None] = {}
            for key, party in kingdom.parties.items():
                after[key], fought = _a_turn_of(key, party, seat, kingdom, land[seat])
                if fought and turn.rules.nobody_first:
                    fights[seat, key] = fought
                elif fought:
                    after[key] = _ended(key, fought, seat, turn)
            changed[seat] = after
    world, first = after_all(land, world, turn)
    for (seat, key), fight in fights.items():
        gone = fight.party.task in first
        mine = first.get(fight.party.task) == seat
        outcome = (WON if mine else OTHERS) if gone else fight.outcome
        changed[seat][key] = _ended(key, fight._replace(outcome=outcome), seat, turn)
    kept = {seat: {key: party for key, party in after.items() if party} for seat, after in changed.items()}
    return with_kingdoms(
        world, {seat: replace(world.kingdoms[seat], parties=parties) for seat, parties in kept.items()}
    )


class Fight(NamedTuple):
    """A party after its battle with the monsters of its task. acr: the monsters'."""

    party: Party
    acr: int
    outcome: str


def _a_turn_of(key: str, party: Party, seat: str, kingdom: Kingdom, land: Land) -> tuple[Party | None, Fight | None]:
    """(the party after its turn, None if its task ended; the fight at the end of its turn)."""
    if _confronted(party.hex, seat, land):
        return _step_back(key, party, seat, kingdom, land), None
    party = replace(party, hex=_walked(party, seat, kingdom, land))
    if party.hex != party.task:
        return party, None
    acr = land.hex(party.task).monsters
    if not acr and party.hazard:
        return party, None
    if not acr:
        text = f"{key} found no monsters in {party.task} any more: their task is done (ruling adventurers)."
        land.turn.tell(seat, "news", hex=party.task, text=text)
        return None, None
    party, outcome = party_fights(key, party, seat, land)
    return party, Fight(party, acr, outcome)


def _confronted(label: str, seat: str, land: Land) -> bool:
    """Whether an army of another kingdom is out for a fight there."""
    return any(
        other != seat and army.deed in CONFRONTING and army.target in ("", seat)
        for other, _, army in whereabouts(land.world).armies.get(label, ())
    )


def _walked(party: Party, seat: str, kingdom: Kingdom, land: Land) -> str:
    """The hex that the party reaches this turn: at least one hex along the cheapest way, but not into a hex with an
    army that would confront it."""
    world, rules = land.world, land.turn.rules
    piers = piers_of(kingdom, rules)
    path = way(party.hex, party.task, world, rules, piers=piers) or [party.hex]
    free = next((place for place, label in enumerate(path) if _confronted(label, seat, land)), len(path))
    return path[step_along(path[:free], 0, in_force(rules.movement).points, world, rules)]


def _step_back(key: str, party: Party, seat: str, kingdom: Kingdom, land: Land) -> Party:
    """Move the party one hex back toward the nearest settlement, unless such an army stands there too; it does nothing
    else this turn."""
    world, rules, piers = land.world, land.turn.rules, piers_of(kingdom, land.turn.rules)
    towns = sorted((distance(party.hex, town.hex), town.hex) for town in kingdom.settlements.values())
    path = way(party.hex, towns[0][1], world, rules, piers=piers) if towns else None
    back = path[1] if path and len(path) > 1 and not _confronted(path[1], seat, land) else party.hex
    text = f"{key} stepped back before an army, from {party.hex} to {back} (ruling adventurers)."
    land.turn.tell(seat, "news", hex=back, text=text)
    return replace(party, hex=back)


OTHERS = "others"  # the monsters were beaten by several seats, and another one wounded them more


def _ended(key: str, fight: Fight, seat: str, turn: Turn) -> Party | None:
    """The party after the battle; None if the party or the monsters are destroyed."""
    party, acr, outcome = fight
    task = party.task
    if outcome == UNDECIDED:
        turn.tell(
            seat, "news", hex=task, text=f"{key} and the monsters of {task} fight on next turn (ruling adventurers)."
        )
        return party
    then = "the hazard is next" if party.hazard else "their task is done"
    if outcome == WON:
        text = f"{key} have beaten the monsters of ACR {acr} in {task}: {then} (ruling adventurers)."
        turn.tell(seat, "news", hex=task, text=text)
    if outcome == OTHERS:
        then = then if party.hazard else f"the task of {key} is done"
        text = f"The monsters of ACR {acr} in {task} are beaten, and others did most of it: {then}"
        turn.tell(seat, "news", hex=task, text=f"{text} (ruling nobody_first).")
    if not party.hp:
        text = f"{key} met their end in {task}; there is no penalty for it (ruling adventurers)."
        turn.tell(seat, "news", hex=task, text=text)
    return party if party.hazard and party.hp and outcome in (WON, OTHERS) else None
