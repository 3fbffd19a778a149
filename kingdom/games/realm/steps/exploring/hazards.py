"""Hazards of the land, and those who clear them: hired adventurers, armies with the deed `clear`, escorts of expeditions.

Ruling: hazards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kingdom.engine.dice import GM
from kingdom.engine.refusal import Refusal
from kingdom.games.realm.armies import acr, escorts, party_acr, with_army
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, Expedition, Hex, Kingdom, World, owners, replace, with_kingdoms
from kingdom.games.realm.steps.exploring.monsters import Land
from kingdom.games.realm.steps.land.ground import OPEN_AGAIN
from kingdom.games.realm.steps.shared import tell_roll
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.known import known, known_hex

REFUSALS = {
    "clear_off": "No army clears hazards in this campaign (ruling hazards); ask the GM for it in `requests`.",
    "clear_nothing": "No hazard is known to be in {hex} (ruling hazards); send {army} to a hex where you know of one: {known}.",
}
CLEAR: Final = "clear"  # deeds of an army
GARRISON: Final = "garrison"


# --- what is known, and the odds


def known_hazard(label: str, world: World, seat: str, rules: Rules) -> str:
    """The hazard that the seat knows of in a hex; "" for none, or if the rules let nobody clear hazards."""
    hex = known_hex(label, world, seat, rules) if rules.hazards else None
    return hex.hazard if hex else ""


def known_hazards(world: World, seat: str, rules: Rules) -> list[str]:
    """The labels of the hexes with a hazard that the seat knows of; none if the rules let nobody clear hazards."""
    hexes = known(world, seat, rules).hexes if rules.hazards else {}
    return sorted(label for label, hex in hexes.items() if hex.hazard)


def clear_problem(name: str, label: str, world: World, seat: str, rules: Rules) -> Refusal | None:
    """Why that army can't be told to clear the hazard of a hex."""
    if rules.hazards is None:
        return Refusal("clear_off", {})
    if known_hazard(label, world, seat, rules):
        return None
    known = ", ".join(known_hazards(world, seat, rules)) or "none"
    return Refusal("clear_nothing", {"hex": label, "army": name, "known": known})


def hazard_dc(hex: Hex, rules: Rules) -> int:
    """The number that an attempt to clear the hazard of that hex must reach."""
    ruling = in_force(rules.hazards)
    return ruling.dc + ruling.per_movement * rules.terrain[hex.terrain].movement


def chance(rating: int, hex: Hex, rules: Rules) -> int:
    """The chance in percent that one attempt clears the hazard, rounded down. rating: the ACR of the army or party."""
    sides = in_force(rules.hazards).die
    faces = sides + 1 + rating - hazard_dc(hex, rules)
    return 100 * min(sides, max(0, faces)) // sides


def army_rating(army: Army, rules: Rules) -> int:
    """The ACR with which an army tries."""
    return int(acr(army.unit, army.size, rules))


# --- adventurers and armies


def clear_hazards(world: World, turn: Turn) -> World:
    """All who were sent against a hazard and have reached it try to clear it, as the step found it. A forecast leaves
    it out."""
    if turn.foreseeing or turn.rules.hazards is None:
        return world
    changed, cleared = dict[str, Kingdom](), dict[str, set[str]]()  # cleared: label -> the seats that cleared it
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed and (kingdom.parties or kingdom.armies):
            done = set[str]()
            changed[seat] = _armies_try(seat, _parties_try(seat, kingdom, done, world, turn), done, world, turn)
            for label in done:
                cleared.setdefault(label, set()).add(seat)
    world = with_kingdoms(world, changed)
    if not cleared:
        return world
    _tell_holders(cleared, world, turn)
    return replace(world, hexes={**world.hexes, **{label: safe(world.hexes[label]) for label in cleared}})


def safe(hex: Hex) -> Hex:
    """The hex when its hazard is cleared."""
    return replace(hex, hazard="")


def _parties_try(seat: str, kingdom: Kingdom, done: set[str], world: World, turn: Turn) -> Kingdom:
    """The kingdom after the attempts of its adventurers. done: the labels that they clear are added here."""
    most = in_force(turn.rules.hazards).turns
    for key, party in kingdom.parties.items():
        label, hex, tried = party.task, world.hexes[party.task], party.tried + 1
        if not party.hazard or party.hex != label or hex.monsters:
            continue
        stays = False
        if not hex.hazard or label in done:
            text = f"{key} found no hazard in {label} any more: their task is done"
        elif _try(f"hazard-{label}", party_acr(party.bp, turn.rules), hex, seat, turn):
            done.add(label)
            text = f"{key} cleared the hazard of {label} ({hex.hazard}){_open(label, kingdom)}: their task is done"
        elif tried < most:
            stays = True
            text = f"{key} tried to clear the hazard of {label} ({hex.hazard}), in turn {tried} of {most}"
        else:
            text = f"{key} could not clear the hazard of {label} ({hex.hazard}) and went home, after turn {tried} of {most}"
        turn.tell(seat, "news", hex=label, text=f"{text} (ruling hazards).")
        parties = {other: each for other, each in kingdom.parties.items() if stays or other != key}
        if stays:
            parties[key] = replace(party, tried=tried)
        kingdom = replace(kingdom, parties=parties)
        if not hex.hazard or label in done:
            kingdom = _remembers_safe(label, kingdom)
    return kingdom


def _armies_try(seat: str, kingdom: Kingdom, done: set[str], world: World, turn: Turn) -> Kingdom:
    """The kingdom after its armies with the order to clear have tried. done: the labels that they clear are added
    here."""
    for name, army in kingdom.armies.items():
        label, hex, stays = army.hex, world.hexes[army.hex], False
        if army.deed != CLEAR or escorts(kingdom, name):
            continue
        if not known_hazard(label, world, seat, turn.rules):
            if army.busy:  # it is still on its way to the hazard
                continue
            text = f"{name} knows of no hazard in {label} and garrisons"
        elif hex.monsters:
            stays, text = True, f"{name} can't clear the hazard of {label} while monsters are there"
        elif not hex.hazard or label in done:
            text = f"{name} found no hazard in {label} any more and garrisons"
        elif _try(f"hazard-{label}", army_rating(army, turn.rules), hex, seat, turn):
            done.add(label)
            text = f"{name} cleared the hazard of {label} ({hex.hazard}){_open(label, kingdom)}, and garrisons"
        else:
            stays, text = True, f"{name} tried to clear the hazard of {label} ({hex.hazard}) and tries again next turn"
        turn.tell(seat, "news", hex=label, text=f"{text} (ruling hazards).")
        if not stays:
            kingdom = _remembers_safe(label, with_army(kingdom, name, replace(army, deed=GARRISON)))
    return kingdom


def _try(name: str, rating: int, hex: Hex, seat: str, turn: Turn) -> bool:
    """Whether one attempt clears the hazard of that hex. name: the roll's; seat: it throws the die and reads the
    result."""
    die = turn.roll(seat, name, in_force(turn.rules.hazards).die) or 1
    dc = hazard_dc(hex, turn.rules)
    return tell_roll(turn, seat, name, "acr", die, rating, dc) >= dc


def _open(label: str, kingdom: Kingdom) -> str:
    return ", which may be built on" if label in kingdom.hexes else ""


def _remembers_safe(label: str, kingdom: Kingdom) -> Kingdom:
    """The kingdom that remembers no hazard there."""
    seen = kingdom.memory.get(label)
    if seen is None or not seen.hex.hazard:
        return kingdom
    return replace(kingdom, memory={**kingdom.memory, label: replace(seen, hex=safe(seen.hex))})


def _tell_holders(cleared: Mapping[str, set[str]], world: World, turn: Turn) -> None:
    """Tell the holder of a hex that others cleared its hazard."""
    held = owners(world)
    for label, seats in cleared.items():
        holder = held.get(label)
        if holder and holder not in seats and label in world.kingdoms[holder].revealed:
            text = f"The hazard of {label} ({world.hexes[label].hazard}) is cleared; {OPEN_AGAIN}."
            turn.tell(holder, "news", hex=label, text=text)


# --- the escort of an expedition


def escort_tries(key: str, expedition: Expedition, seat: str, kingdom: Kingdom, land: Land) -> Expedition:
    """The expedition after its escort's attempt in its hex, if it knows of a hazard there. The die is the GM's:
    the kingdom hears of the result when the expedition is back."""
    label, hex, rules = expedition.at, land.hex(expedition.at), land.turn.rules
    if rules.hazards is None or not hex.hazard or hex.monsters or label in owners(land.world):
        return expedition
    army, party = kingdom.armies.get(expedition.army), expedition.party
    if label not in (*expedition.found, *kingdom.revealed) or not (army or (party and party.hp)):
        return expedition
    who = expedition.army if army else "its adventurers"
    rating = army_rating(army, rules) if army else party_acr(party.bp, rules) if party else 0
    cleared = _try(f"hazard-{seat}-{label}", rating, hex, GM, land.turn)
    how = f"{who} {'cleared' if cleared else 'could not clear'} the hazard ({hex.hazard})"
    land.turn.tell(GM, "news", hex=label, text=f"{key} of {seat} in {label}: {how}.")
    met = expedition.met.get(label, "")
    if not met.endswith(how):
        expedition = replace(expedition, met={**expedition.met, label: f"{met}; {how}" if met else how})
    if not cleared:
        return expedition
    land.cleared.add(label)
    seen = expedition.noted.get(label)
    return (
        replace(expedition, noted={**expedition.noted, label: replace(seen, hex=safe(seen.hex))})
        if seen
        else expedition
    )
