"""One turn of any game: run the steps in order, and prove the books after each."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from kingdom.engine.dice import GM, Dice, NoDice
from kingdom.engine.ledger import Books
from kingdom.engine.step import Orders, Phase, Playable, Result, Turn

S = TypeVar("S")
R = TypeVar("R")

RULES = "rules"  # the step and the cause of entries for a change of the rules; their phase is the GM's


def resolve(
    game: Playable[S, R],
    state: S,
    orders: Mapping[str, Orders],
    dice: Dice | NoDice,
    rules: R,
    until: str = "",
    old_rules: R | None = None,
) -> Result[S]:
    """Resolve the turn after `state`. Pure: the same input gives the same result, and `state` is not changed.

    Runs every step of every phase, or stops at the end of the phase `until`.
    old_rules: the rules of the turn before, if the campaign changed them since; the change of the accounts is booked.
    Raises Unbalanced if a step changed an account without booking it, or made or lost a piece.
    """
    # every game's State is a msgspec Struct with the field `turn`, which a TypeVar's bound can't express
    before: Any = state
    number = before.turn + 1
    books = Books(number, {seat: game.accounts(state, seat, old_rules or rules) for seat in game.seats(state)})
    for seat in game.seats(state) if old_rules else ():
        books.enter(GM, RULES, seat, game.accounts(state, seat, rules), RULES, "the campaign's rules were changed")
    turn = Turn(game, number, rules, orders, dice, books)
    ran: Any = run(turn, game.phases, state, until)
    return Result(number, state, replace(ran, turn=number), orders, books.entries, turn.rolls, turn.notices)


def foreseen(
    game: Playable[S, R], state: S, orders: Mapping[str, Orders], rules: R, until: str = ""
) -> tuple[S, Turn[S, R]]:
    """Return the state at the end of the phase `until` of the turn after `state`, without a die and without books, and the turn as it was
    run. For previews, whose entries nobody reads."""
    before: Any = state
    turn = Turn(game, before.turn + 1, rules, orders)
    after: Any = run(turn, game.phases, state, until)
    return replace(after, turn=turn.number), turn


def run(turn: Turn[S, R], phases: Iterable[Phase[S, R]], state: S, until: str = "") -> S:
    """Run these phases, or stop at the end of the phase `until`, and return the state. If there are books, they are proved after each step."""
    turn.open(state)
    for phase in phases:
        turn.phase = phase.name
        for step in phase.steps:
            turn.step = step.__name__
            state = step(state, turn)
            turn.prove(state)
        if phase.name == until:
            break
    return state
