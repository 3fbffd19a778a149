"""Where a courtier may go by one step, and why not elsewhere; the move, and the arrival at court."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from kingdom.games.kit.memo import remember
from kingdom.games.kit.table import without
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, Turn, at_court, castle, replace, with_courtier, with_gifts
from kingdom.games.royal_progress.steps import Refused, booked, named, scored, tell
from kingdom.games.royal_progress.steps.cards import discard_open, pair_for, standing
from kingdom.games.royal_progress.words import FARTHEST_OWN, NEAREST_ANY, NEAREST_MINOR, NEAREST_OWN, NONE, Loyalty

REFUSALS = {
    "move_at_court": "The {courtier} is at court already and does not move before the round's end (ruling move); move {others}.",
    "move_there_already": "The {courtier} is in {here} already (ruling move); he may go to {ways}.",
    "move_no_road": "No road leads from {here} to {to} (ruling move); the {courtier} may go to {ways}.",
    "move_farther": "{to} is {there} steps from {castle}, {here} only {steps} (ruling move); the {courtier} may go to {ways}.",
    "move_equal": "{to} is as far from {castle} as {here} (ruling equal_moves); the {courtier} may go to {ways}.",
    "move_other_castle": "{to} is not the castle of this round (ruling other_castles); that is {castle}. The {courtier} may go to {ways}.",
    "move_full": "{to} holds {capacity} and is full (ruling passing); the {courtier} may go to {ways}, or pass by two actions A in a row.",
}


# --- the map


class Map(NamedTuple):
    """Which places lie side by side, by name; and castle -> place -> steps to it, for every place from which it can be reached."""

    beside: Mapping[str, tuple[str, ...]]
    far: Mapping[str, Mapping[str, int]]


@remember(lambda rules: ((rules,), ()), size=100)
def map_of(rules: Rules) -> Map:
    """The map of a game, worked out once."""
    beside = dict[str, list[str]]()
    for one, other in rules.roads:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    castles = [place for place, of in rules.places.items() if of.kind == "castle"]
    shut = () if rules.other_castles.enterable else castles
    return Map(
        {place: tuple(sorted(others)) for place, others in beside.items()},
        {castle: _far(castle, beside, shut) for castle in castles},
    )


def _far(castle: str, beside: Mapping[str, Iterable[str]], shut: Container[str]) -> dict[str, int]:
    far, edge = {castle: 0}, [castle]
    for here in edge:
        further = [place for place in beside.get(here, ()) if place not in far and place not in shut]
        far |= dict.fromkeys(further, far[here] + 1)
        edge += further
    return far


def distances(castle: str, rules: Rules) -> Mapping[str, int]:
    """Place -> steps to that castle. No way leads through other castles (ruling other_castles)."""
    return map_of(rules).far.get(castle, {})


# --- where one step leads


def room(table: Table, place: str, rules: Rules) -> bool:
    """Whether one more courtier may stand there."""
    capacity = rules.places[place].capacity
    return not capacity or sum(courtier.place == place for courtier in table.courtiers.values()) < capacity


def ways(table: Table, name: str, rules: Rules, farther: int = 0, full: bool = False) -> list[str]:
    """The places to which one step may lead the courtier. farther: so many steps farther from the castle than now; full: full places too."""
    courtier, far = table.courtiers[name], distances(castle(table), rules)
    if courtier.arrived:
        return []
    nearer = not farther and not rules.equal_moves.allowed
    most = far[courtier.place] + (-1 if nearer else farther)
    beside = map_of(rules).beside.get(courtier.place, ())
    return [place for place in beside if far.get(place, most + 1) <= most and (full or room(table, place, rules))]


def check_move(table: Table, name: str, to: str, rules: Rules, farther: int = 0, full: bool = False) -> None:
    """Check one step. Raises Refused if the courtier may not go there."""
    if to in ways(table, name, rules, farther, full):
        return
    here, far = table.courtiers[name].place, distances(castle(table), rules)
    told = {"courtier": name, "castle": named(castle(table), rules), "here": named(here, rules), "to": named(to, rules)}
    told["ways"] = ", ".join(named(place, rules) for place in ways(table, name, rules, farther, full)) or "nowhere now"
    if table.courtiers[name].arrived:
        others = ", ".join(other for other, courtier in table.courtiers.items() if not courtier.arrived)
        raise Refused("move_at_court", others=others, **told)
    if to == here:
        raise Refused("move_there_already", **told)
    if to not in map_of(rules).beside.get(here, ()):
        raise Refused("move_no_road", **told)
    if to not in far:
        raise Refused("move_other_castle", **told)
    if far[to] > far[here] + farther:
        raise Refused("move_farther", there=far[to], steps=far[here], **told)
    if room(table, to, rules):
        raise Refused("move_equal", **told)
    raise Refused("move_full", capacity=rules.places[to].capacity, **told)


# --- the move, and the arrival


CAUSES = {
    "kings_company": "the King card held while a courtier is at court",
    "arrival": "a courtier brought to court: the King card",
    "pair": "a pair of gifts for the seat that controls a courtier who arrives",
}


def move(table: Table, turn: Turn, seat: str, name: str, to: str) -> Table:
    """The courtier goes to a place to which he may go. At the castle he arrives."""
    here = table.courtiers[name].place
    tell(turn, f"{seat} moves the {name} from {named(here, turn.rules)} to {named(to, turn.rules)}.")
    table = with_courtier(table, name, place=to)
    return arrive(table, turn, seat, name) if to == castle(table) else table


def arrive(table: Table, turn: Turn, seat: str, name: str) -> Table:
    """The courtier takes the next place at court, the mover the King card, and who controls him a pair of gifts for an open card."""
    position = 1 + len(at_court(table))
    table = replace(with_courtier(table, name, arrived=position), king_card=seat)
    holder = table.courtiers[name].control
    tell(turn, f"The {name} is number {position} at court; {seat} has the King card.")
    table = booked(table, turn, "arrival", f"{name} brought to court")
    if not holder or not table.pairs:  # (ruling no_controller)
        return table
    pair = pair_for(table, holder, turn.rules)
    table = with_gifts(replace(table, pairs=without(table.pairs, pair)), holder, *pair)
    tell(turn, f"{holder} takes the pair {' and '.join(pair)}.")
    table = booked(table, turn, "pair", f"{' and '.join(pair)} for the {name}", holder)
    if holder not in table.courtiers[name].piles:
        return table
    return discard_open(table, turn, holder, name, "pair", " for the pair")


def extra_move(table: Table, seat: str, rules: Rules) -> tuple[str, str] | None:
    """(courtier, place) of the extra move in a loyalty test; None if the seat makes no move or no move is possible."""
    loyalty: Loyalty = standing(table, seat).get("loyalty") or {}
    said = loyalty.get("extra_move") or NEAREST_OWN
    if said == NONE:
        return None
    far = distances(castle(table), rules)
    sign = -1 if said == FARTHEST_OWN else 1
    whose = {NEAREST_MINOR: "minor", NEAREST_ANY: ""}.get(said, "control")
    steps = [
        (sign * far[courtier.place], name, far[place], place)
        for name, courtier in table.courtiers.items()
        if not whose or getattr(courtier, whose) == seat
        for place in ways(table, name, rules)
        if far[place] < far[courtier.place]
    ]
    if not steps:
        return None
    _, name, _, place = min(steps)
    return name, place


def kings_step(table: Table, turn: Turn, seat: str) -> Table:
    """The seat with the King card moves the King on, and scores if a courtier is at court (rulings king_card, track_end)."""
    if table.king_card != seat:
        return table
    table = replace(table, king=table.king + 1)
    tell(turn, f"The King moves on to {table.king} of {turn.rules.track.end}.")
    points = turn.rules.points.kings_company
    if points and at_court(table):
        tell(turn, f"{seat} scores {points} for the King's company.")
        detail = f"the King at {table.king} of {turn.rules.track.end} with company"
        table = scored(table, turn, seat, points, "kings_company", detail)
    return table
