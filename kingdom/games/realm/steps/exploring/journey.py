"""How an expedition goes: week by week over the map, what it finds, and the monsters it meets. Ruling: exploration."""

from __future__ import annotations

from kingdom.engine.dice import GM
from kingdom.games.realm.armies import with_army
from kingdom.games.realm.hexmap import DIRECTIONS, beside, distance, finds, is_water, neighbours, piers_of, step_cost
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Expedition, Hex, Kingdom, Sighting, owners, replace
from kingdom.games.realm.steps.exploring.monsters import (
    BEATEN,
    UNDECIDED,
    WON,
    Land,
    army_fights,
    party_fights,
    without_monsters,
)
from kingdom.games.realm.steps.shared import attempt, harder_by
from kingdom.games.realm.visibility.known import as_seen, visible

EDGE = "the edge of the map"  # stands for the label of a hex beyond the map


def travel(key: str, expedition: Expedition, seat: str, kingdom: Kingdom, land: Land) -> Outcome:
    """Move an expedition for one turn: the kingdom afterwards, with the escort, and the expedition, None if it is lost."""
    rules = land.turn.rules
    if expedition.regroups:
        return kingdom, replace(expedition, regroups=expedition.regroups - 1)
    going: Expedition | None = expedition
    if expedition.fights and land.hex(expedition.at).monsters:
        kingdom, going = meet(key, expedition, seat, kingdom, land)
    elif expedition.fights:  # somebody else beat the monsters
        going = replace(expedition, fights=False)
    points, piers, first = in_force(rules.exploration).movement, piers_of(kingdom, rules), True
    while going and not going.fights and not going.regroups:
        there = next_hex(going, land, piers)
        if not there:
            break
        price = step_cost(going.at, there, land.world, rules, piers)
        if price is None or land.hex(there).terrain in going.until.split():
            going = _turned_back(going, there, kingdom, land)
            break
        if price > points and not first:  # the first hex of a turn is always possible
            break
        points, first = points - price, False
        kingdom, going = _enter(key, going, there, seat, kingdom, land)
    return kingdom, going


def next_hex(expedition: Expedition, land: Land, piers: frozenset[str]) -> str:
    """The hex that it goes to next; "" if its way is done or it has turned back."""
    if expedition.turned:
        return ""
    if expedition.ahead:
        return expedition.ahead[0]
    goal = expedition.toward
    if goal in DIRECTIONS:
        return beside(expedition.at, goal) or EDGE
    return _nearer(expedition, goal, land, piers) if goal and goal != expedition.at else ""


def _nearer(expedition: Expedition, goal: str, land: Land, piers: frozenset[str]) -> str:
    """The next hex on the way to the goal: the nearest to it that can be entered, and of equally near ones the cheapest.

    To get round an obstacle it may also go to a new hex that is as far from the goal as its own. If there is no way,
    the hex that stops it.
    """
    here, world, rules = expedition.at, land.world, land.turn.rules
    around = sorted(
        (distance(there, goal), step_cost(here, there, world, rules, piers) or 0, number, there)
        for number, there in enumerate(neighbours(here))
    )
    for far, _, _, there in around:
        fresh = far < distance(here, goal) or (far == distance(here, goal) and there not in expedition.noted)
        if fresh and step_cost(here, there, world, rules, piers) is not None:
            return there
    return around[0][-1]


def _turned_back(expedition: Expedition, there: str, kingdom: Kingdom, land: Land) -> Expedition:
    """The expedition, turned back at the hex `there`. It notes what it sees of that hex, unless it did before."""
    if there not in land.world.hexes or there in expedition.noted:
        return replace(expedition, turned=there)
    seen = _seen(there, as_seen(there, land.hex(there), kingdom, {}), land)
    return replace(expedition, turned=there, noted={**expedition.noted, there: seen})


def why_turned(expedition: Expedition, land: Land) -> str:
    """What stopped an expedition that turned back, for its report: ` It turned back before 0917: the map ends there.`"""
    there, world, rules = expedition.turned, land.world, land.turn.rules
    if not there:
        return ""
    back = f" It turned back before {there}"
    if not in_force(rules.exploration).returns or there == EDGE:  # earlier rules keep the words of their time
        return f"{back}."
    if there not in world.hexes:
        return f"{back}: the map ends there."
    terrain = world.hexes[there].terrain
    if terrain in expedition.until.split():
        return f"{back}: there is {terrain.replace('_', ' ')}, where it was to turn back."
    if is_water(there, world, rules):
        return f"{back}: there is water, and no pier of yours in {expedition.at}."
    return f"{back}: nobody can enter it ({terrain.replace('_', ' ')})."


def _enter(key: str, expedition: Expedition, there: str, seat: str, kingdom: Kingdom, land: Land) -> Outcome:
    """Enter a hex. On the first visit the expedition notes what it sees; a hex that nobody holds it also searches."""
    expedition = replace(expedition, at=there, ahead=expedition.ahead[1:])
    if expedition.army:
        army = replace(kingdom.armies[expedition.army], hex=there, busy=True)
        kingdom = with_army(kingdom, expedition.army, army)
    if there in expedition.noted:
        return kingdom, expedition
    hex, held = land.hex(there), there in owners(land.world)
    found = not held and _looked(there, seat, kingdom, land)
    seen = _seen(there, hex if found else as_seen(there, hex, kingdom, {}), land)
    expedition = replace(expedition, noted={**expedition.noted, there: seen})
    if found:
        expedition = replace(expedition, found=(*expedition.found, there))
        land.turn.tell(GM, "news", hex=there, text=f"{key} of {seat} found in {there}: {_hidden(hex, land)}.")
    if hex.monsters and not held and (found or there in kingdom.revealed):
        return meet(key, expedition, seat, kingdom, land)
    return kingdom, expedition


def _looked(there: str, seat: str, kingdom: Kingdom, land: Land) -> bool:
    """Whether the Stability check finds what the hex hides.

    The die is the GM's. If it were the player's, its result would tell whether something may still be hidden there.
    """
    turn, rules = land.turn, land.turn.rules
    name, bonus = f"explore-{seat}-{there}", harder_by(kingdom, rules)
    check = attempt(turn, seat, kingdom, land.world.hexes, "stability", name, bonus=bonus, secret=True)
    return bool(check.success)


def _seen(label: str, hex: Hex, land: Land) -> Sighting:
    """The hex as it is now, for the expedition's notes. hex: the part of it that the expedition found."""
    holder = owners(land.world).get(label, "")
    standing = land.world.kingdoms[holder].hexes[label] if holder else hex.left
    return Sighting(land.turn.number, hex, holder, visible(standing, land.turn.rules))


def _hidden(hex: Hex, land: Land) -> str:
    return ", ".join(finds(hex, land.turn.rules)) or "nothing hidden"


Outcome = tuple[Kingdom, Expedition | None]  # None: the expedition is lost


def meet(key: str, expedition: Expedition, seat: str, kingdom: Kingdom, land: Land) -> Outcome:
    """Meet the monsters of the hex. The expedition goes on, is held up by a fight, regroups, or is lost."""
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
    """(who fought, or "" if nobody could; the kingdom; the expedition with what is left of its escort; the outcome).

    An army that is beaten but not destroyed falls back and leaves the expedition. If the fight is undecided, the army fights on next turn.
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
    """The expedition after its fight is won: free to go on, with the hex noted without its monsters."""
    label, seen = expedition.at, expedition.noted[expedition.at]
    seen = replace(seen, hex=without_monsters(seen.hex))
    return replace(expedition, fights=False, noted={**expedition.noted, label: seen})


def _behind(expedition: Expedition) -> str:
    """The hex from which it came: the one that it noted before this one, or its home if this is the first."""
    before = list(expedition.noted)
    place = before.index(expedition.at)
    return before[place - 1] if place else expedition.home


def _evade(
    key: str, expedition: Expedition, monsters: str, seat: str, kingdom: Kingdom, land: Land
) -> Expedition | None:
    """Make the Loyalty checks. If all succeed, the expedition goes on; if none does, it is lost; otherwise it regroups first and comes back later."""
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
    later = replace(expedition, left=expedition.left + ruling.delay, regroups=ruling.delay)
    text = f"The expedition {key} has to regroup: it is back later, at no cost (ruling exploration)."
    if ruling.returns:
        later = replace(later, left=1 + ruling.delay, ahead=(), toward="")  # this turn counts, too
        text = f"The expedition {key} has to regroup: it explores no further and then returns (ruling exploration)."
    turn.tell(seat, "news", text=text)
    return _met(later, f"got away with delay from {monsters}")


def _met(expedition: Expedition, how: str) -> Expedition:
    return replace(expedition, met={**expedition.met, expedition.at: how})
