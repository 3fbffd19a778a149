"""Where a courtier may go by one step, and why not elsewhere."""

from __future__ import annotations

from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, castle
from kingdom.games.royal_progress.steps.shared import Refused, named

REFUSALS = {
    "move_at_court": "The {courtier} is at court already and does not move before the round's end (ruling move); move {others}.",
    "move_there_already": "The {courtier} is in {here} already (ruling move); he may go to {ways}.",
    "move_no_road": "No road leads from {here} to {to} (ruling move); the {courtier} may go to {ways}.",
    "move_farther": "{to} is {there} steps from {castle}, {here} only {steps} (ruling move); the {courtier} may go to {ways}.",
    "move_equal": "{to} is as far from {castle} as {here} (ruling equal_moves); the {courtier} may go to {ways}.",
    "move_other_castle": "{to} is not the castle of this round (ruling other_castles); that is {castle}. The {courtier} may go to {ways}.",
    "move_full": "{to} holds {capacity} and is full (ruling passing); the {courtier} may go to {ways}, or pass by two actions A in a row.",
}


def room(table: Table, place: str, rules: Rules) -> bool:
    """Whether one more courtier may stand there."""
    capacity = rules.places[place].capacity
    return not capacity or sum(courtier.place == place for courtier in table.courtiers.values()) < capacity


def onward(table: Table, here: str, rules: Rules, farther: int = 0) -> list[str]:
    """The places one step from there, whether full or not. farther: so many steps more than there from the castle."""
    far = board.distances(castle(table), rules)
    most = far[here] + farther
    if not farther and not rules.equal_moves.allowed:
        most -= 1
    return [place for place in board.beside(rules).get(here, ()) if place in far and far[place] <= most]


def ways(table: Table, name: str, rules: Rules, farther: int = 0, full: bool = False) -> list[str]:
    """The places to which one step may lead the courtier. farther: so many steps more than now from the castle; full: also full ones."""
    courtier = table.courtiers[name]
    if courtier.arrived:
        return []
    return [place for place in onward(table, courtier.place, rules, farther) if full or room(table, place, rules)]


def check_move(table: Table, name: str, to: str, rules: Rules, farther: int = 0, full: bool = False) -> None:
    """Raises Refused where the courtier may not go there by one step."""
    if to in ways(table, name, rules, farther, full):
        return
    here, far = table.courtiers[name].place, board.distances(castle(table), rules)
    told = {"courtier": name, "castle": named(castle(table), rules), "here": named(here, rules), "to": named(to, rules)}
    told["ways"] = ", ".join(named(place, rules) for place in ways(table, name, rules, farther, full)) or "nowhere now"
    if table.courtiers[name].arrived:
        others = ", ".join(other for other, courtier in table.courtiers.items() if not courtier.arrived)
        raise Refused("move_at_court", others=others, **told)
    if to == here:
        raise Refused("move_there_already", **told)
    if to not in board.beside(rules).get(here, ()):
        raise Refused("move_no_road", **told)
    if to not in far:
        raise Refused("move_other_castle", **told)
    if far[to] > far[here] + farther:
        raise Refused("move_farther", there=far[to], steps=far[here], **told)
    if room(table, to, rules):
        raise Refused("move_equal", **told)
    raise Refused("move_full", capacity=rules.places[to].capacity, **told)
