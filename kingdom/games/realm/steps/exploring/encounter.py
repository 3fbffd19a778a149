"""An expedition and monsters: its escort fights first; without one, or when it is beaten, Loyalty checks decide.

Ruling: exploration.
"""

from __future__ import annotations

from kingdom.engine.dice import GM
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Expedition, Kingdom, replace
from kingdom.games.realm.steps.checks import attempt
from kingdom.games.realm.steps.exploring.monsters import without_monsters
from kingdom.games.realm.steps.exploring.skirmish import BEATEN, UNDECIDED, WON, Land, army_fights, party_fights
from kingdom.games.realm.steps.special_edicts import harder_by

Outcome = tuple[Kingdom, Expedition | None]  # None: it is lost


def meet(key: str, expedition: Expedition, seat: str, kingdom: Kingdom, land: Land) -> Outcome:
    """What becomes of an expedition where it met monsters: it goes on, is held up by a fight, regroups, or is lost."""
    monsters = f"monsters of ACR {land.hex(expedition.at).monsters}"
    who, kingdom, expedition, outcome = _escort_fights(key, expedition, seat, kingdom, land)
    if outcome == WON:
        return kingdom, _met(_cleared(expedition), f"{who} beat {monsters}")
    if outcome == UNDECIDED:
        return kingdom, _met(replace(expedition, fights=True), f"{who} fought {monsters} without an end")
    return kingdom, _evade(key, replace(expedition, fights=False), monsters, seat, kingdom, land)


def _escort_fights(
    key: str, expedition: Expedition, seat: str, kingdom: Kingdom, land: Land
) -> tuple[str, Kingdom, Expedition, str]:
    """(who fought, the kingdom, the expedition with the escort that is left to it, how it went); "" where nobody can fight.

    An army that is beaten but not destroyed falls back and leaves the expedition; one that is undecided fights on next turn.
    """
    name, party = expedition.army, expedition.party
    if name:
        kingdom, outcome = army_fights(name, expedition.at, seat, kingdom, _behind(expedition), land)
        if outcome == BEATEN or name not in kingdom.armies:
            expedition = replace(expedition, army="")
        return name, kingdom, expedition, outcome
    if party and party.hp:
        party, outcome = party_fights(key, replace(party, hex=expedition.at), seat, land, secret=True)
        return "its adventurers", kingdom, replace(expedition, party=party), outcome
    return "", kingdom, expedition, BEATEN


def _cleared(expedition: Expedition) -> Expedition:
    """The expedition when it is no longer held up, and notes that no monsters are left there."""
    label, seen = expedition.at, expedition.noted[expedition.at]
    seen = replace(seen, hex=without_monsters(seen.hex))
    return replace(expedition, fights=False, noted={**expedition.noted, label: seen})


def _behind(expedition: Expedition) -> str:
    """The hex that it noted before the one where it is, else its home."""
    before = list(expedition.noted)
    place = before.index(expedition.at)
    return before[place - 1] if place else expedition.home


def _evade(
    key: str, expedition: Expedition, monsters: str, seat: str, kingdom: Kingdom, land: Land
) -> Expedition | None:
    """The Loyalty checks: all succeed, it goes on; none, it is lost; else it regroups and is back so much later."""
    turn, ruling, label = land.turn, in_force(land.turn.rules.exploration), expedition.at
    name, bonus = f"expedition_loyalty-{key}", harder_by(kingdom, turn.rules)
    successes = sum(
        bool(attempt(turn, seat, kingdom, land.world.hexes, "loyalty", name, bonus=bonus).success)
        for _ in range(ruling.loyalty_checks)
    )
    if not successes:
        text = f"The expedition {key} is lost to monsters, and its {expedition.bp} BP with it (ruling exploration)."
        turn.tell(seat, "news", text=text)
        turn.tell(GM, "news", hex=label, text=f"The expedition {key} of {seat} is lost in {label}.")
        return None
    if successes == ruling.loyalty_checks:
        return _met(expedition, f"evaded {monsters}")
    turn.tell(
        seat, "news", text=f"The expedition {key} has to regroup: it is back later, at no cost (ruling exploration)."
    )
    later = replace(expedition, left=expedition.left + ruling.delay, regroups=ruling.delay)
    return _met(later, f"got away with delay from {monsters}")


def _met(expedition: Expedition, how: str) -> Expedition:
    return replace(expedition, met={**expedition.met, expedition.at: how})
