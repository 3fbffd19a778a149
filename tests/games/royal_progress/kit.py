"""Tables, turns and whole games of Royal Progress, for its tests."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from kingdom.engine.dice import Dice, NoDice
from kingdom.engine.ledger import Books
from kingdom.engine.step import Result, Turn
from kingdom.engine.turn import resolve, run
from kingdom.games.royal_progress.game import DECLARED, GAME
from kingdom.games.royal_progress.orders import PLANS
from kingdom.games.royal_progress.state import PLAY, Now, Table, replace, with_courtier
from kingdom.games.royal_progress.steps.rounds import table_for
from kingdom.orders import tables

RULES = tables.load(GAME).rules
SEATS = ("alice", "bob", "carol", "david", "emma")


def rules_with(**changed: Any) -> Any:
    """The rules with some figures changed: rules_with(abilities={"used": False}, pace="strict")."""
    made = {
        name: replace(getattr(RULES, name), **value) if isinstance(value, dict) else value
        for name, value in changed.items()
    }
    return replace(RULES, **made)


NO_ABILITIES = rules_with(abilities={"used": False})


def opened(seats: int = 4, seed: str = "a public seed", rules: Any = RULES) -> Table:
    """The table after turn 0."""
    table = table_for({seat: seat.title() for seat in SEATS[:seats]}, rules)
    books = Books(0, {seat: GAME.accounts(table, seat, rules) for seat in table.seats})
    return run(Turn(GAME, 0, rules, {}, Dice(seed, 0), books), GAME.opening.phases, table)


def played(
    seats: int = 4, seed: str = "a public seed", rules: Any = RULES, bots: Mapping[str, str] | None = None
) -> Iterator[Result]:
    """The turns of a whole game by bots, random ones where none is named; what they file goes as it is, not as a text."""
    table, chance = opened(seats, seed, rules), random.Random(seed)

    def roll(name: str, sides: int) -> int:
        return chance.randint(1, sides)

    while not GAME.finished(table):
        orders = {}
        for seat in table.seats:
            bot = DECLARED.bots[(bots or {}).get(seat, "random")]
            orders[seat] = bot(GAME.known(table, seat, rules), seat, rules, roll)
        result = resolve(GAME, table, orders, Dice(seed, table.turn + 1), rules)
        yield result
        table = result.after


def laid(table: Table | None = None, **changed: Any) -> Table:
    """A table in the midst of round 1 with an offer, to be changed as a test needs: hands and piles come out of the deck.

    hands: seat -> cards. piles: courtier -> seat -> symbols. places: courtier -> place. at_court: courtiers, in order.
    """
    table = table or blank()
    deck = list(table.deck)
    for card in changed.get("offer", ()):
        deck.remove(card)
    table = replace(table, offer=tuple(changed.get("offer", ())))
    for seat, hand in changed.get("hands", {}).items():
        for card in hand:
            deck.remove(card)
        table = replace(table, seats={**table.seats, seat: replace(table.seats[seat], hand=tuple(sorted(hand)))})
    for name, piles in changed.get("piles", {}).items():
        for symbols in (each for pile in piles.values() for each in pile):
            deck.remove(f"{name} {symbols}")
        table = with_courtier(table, name, piles={seat: tuple(pile) for seat, pile in piles.items()})
    for name, (control, minor) in changed.get("control", {}).items():
        table = with_courtier(table, name, control=control, minor=minor)
    for name, place in changed.get("places", {}).items():
        table = with_courtier(table, name, place=place)
    for number, name in enumerate(changed.get("at_court", ()), 1):
        table = with_courtier(table, name, place=table.castles[table.round - 1], arrived=number)
    return replace(
        table,
        deck=tuple(sorted(deck)),
        **{key: changed[key] for key in ("king", "king_card", "next", "round") if key in changed},
    )


def blank(seats: int = 3) -> Table:
    """A table in round 1 at Windsor: nobody has a card, and no offer is open; alice has the King card."""
    table = opened(seats)
    deck = tuple(sorted(card for of in table.seats.values() for card in of.hand) + list(table.deck))
    bare = {seat: replace(of, hand=()) for seat, of in table.seats.items()}
    castles = ("windsor", "guildford", "hatfield")
    return replace(
        table,
        turn=1,
        seats=bare,
        deck=tuple(sorted(deck)),
        castles=castles,
        phase=PLAY,
        king_card="alice",
        next="alice",
    )


def turn_of(
    table: Table, orders: Mapping[str, Any], rules: Any = NO_ABILITIES, seed: str = "a public seed", dice: Any = None
) -> Result:
    """One turn of the campaign on that table."""
    return resolve(
        GAME, table, {seat: dict(each) for seat, each in orders.items()}, dice or Dice(seed, table.turn + 1), rules
    )


def foreseen(table: Table, seat: str, orders: Mapping[str, Any], rules: Any = NO_ABILITIES) -> Result:
    """The turn as `kingdom check` sees it."""
    return resolve(GAME, GAME.known(table, seat, rules), {seat: dict(orders)}, NoDice(), rules, until="play")


def trouble(table: Table, seat: str, plan: Any, rules: Any = RULES) -> Any:
    """Why the plan is refused on this table as it lies, None where it is legal."""
    return PLANS.objection(Now(table, seat, rules), plan)


def refusals(result: Result) -> list[tuple[str, str, str]]:
    """(seat, path, code) of all that was refused."""
    return [(each.seat, each.facts["order"], each.facts["code"]) for each in result.notices if each.kind == "refusal"]


def told(result: Result) -> str:
    """What everybody was told, a line each."""
    return "\n".join(each.facts["text"] for each in result.notices if each.kind == "happened")
