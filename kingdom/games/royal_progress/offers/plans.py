"""The plans that a form offers: every two actions, and an ability before them, that are legal as the table lies.

An offer is a kind of plan, as "Move, then lay"; what is chosen in one field decides what the others have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from kingdom.engine.offer import LIST
from kingdom.games.royal_progress.offers import actions, lays
from kingdom.games.royal_progress.offers.actions import take_fields, take_value
from kingdom.games.royal_progress.offers.conditions import Button, Conditions, Field, Row, choice, slot
from kingdom.games.royal_progress.offers.uses import Use, uses
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table
from kingdom.games.royal_progress.steps.actions import DISCARD, LAY, MOVE, TAKE, two_may_be_taken

WORDS = {MOVE: "Move", LAY: "Lay", TAKE: "Take", DISCARD: "Discard"}
PLANS = "plans"  # the counter of how many go into one file
ABILITY = "ability"


class Ground(NamedTuple):
    """What plans are made on. uses: of abilities, none first. lays: all ways to lay."""

    table: Table
    seat: str
    rules: Rules
    uses: list[Use]
    lays: lays.Legal


def plan_parts(table: Table, seat: str, rules: Rules) -> list[tuple[str, list[Button]]]:
    """(title, offers) of each kind of first action."""
    every = uses(table, seat, rules)
    ground = Ground(table, seat, rules, every, lays.all_lays(every, seat, rules))
    found = []
    for first in WORDS:
        offers = [_offer(ground, first, second) for second in WORDS if second >= first]
        found.append((f"{WORDS[first]}, then something", [offer for offer in offers if offer]))
    return found


def _offer(ground: Ground, first: str, second: str) -> Button | None:
    """The plans of these two kinds of actions; None where there is none."""
    abilities: list[Row] = [(use.value, use.text, {}) for use in ground.uses[1:]]
    before = [choice(ABILITY, "Ability before that", abilities, "none")] if abilities else []
    fields = [*_first(ground, first, second), *_second(ground, first, second)]
    if not all(field["options"] for field in fields):
        return None
    both = [take_value(name) if kind == TAKE else slot(name) for kind, name in ((first, "first"), (second, "second"))]
    value: dict[str, object] = {"actions": both}
    text = f"{WORDS[first]}, then {WORDS[second].lower()}" + (" again" if first == second else "")
    offer = {"id": f"plan {first}{second}", "rank": 1, "key": "plans", "how": LIST, "text": text, "costs": {PLANS: 1}}
    return {**offer, "value": {ABILITY: slot(ABILITY), **value} if before else value, "fields": [*before, *fields]}


def _first(ground: Ground, kind: str, second: str) -> list[Field]:
    table, seat, rules = ground.table, ground.seat, ground.rules
    made: Mapping[str, Callable[[], list[Field]]] = {
        MOVE: lambda: actions.move_first(ground.uses, rules, second == MOVE),
        LAY: lambda: lays.lay_first(ground.lays, ground.uses),
        TAKE: lambda: take_fields("first", "Take", table.offer, rules, two_may_be_taken(table, rules)),
        DISCARD: lambda: actions.discard_first(ground.uses, seat),
    }
    return made[kind]()


def _second(ground: Ground, first: str, kind: str) -> list[Field]:
    table, rules = ground.table, ground.rules
    again = first == kind
    if kind == MOVE:
        return actions.move_again(ground.uses, rules)
    if kind == LAY:
        if again:
            return lays.lay_again(ground.lays, ground.uses, ground.seat)
        return lays.lay_behind_move(ground.lays, ground.uses, rules)
    if kind == TAKE:
        two = again or two_may_be_taken(table, rules)
        return take_fields("second", "Then take", table.offer, rules, two, again)
    return actions.discard_second(ground.uses, {name: _discards(ground, first, name) for name in table.courtiers})


def _discards(ground: Ground, first: str, name: str) -> list[Conditions]:
    """When an open card on the courtier can be discarded behind that kind of action."""
    if first == MOVE:
        return actions.behind_move(ground.uses, ground.seat, name, ground.rules)
    if first == LAY:
        return actions.behind_lay(ground.uses, ground.seat, name, ground.lays)
    return (actions.behind_discard if first == DISCARD else actions.any_pile)(ground.uses, ground.seat, name)
