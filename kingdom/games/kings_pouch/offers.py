"""What a seat may order as things stand, for reports, bots and tests: the orders' own candidates at the moment of its turn.

Orders are carried out one after the other, so what may be ordered hangs on those before: they are played first, without
dice and without the orders of others, as `kingdom check` does.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from kingdom.engine.dice import NoDice
from kingdom.engine.ledger import Books
from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders, Play
from kingdom.engine.turn import run
from kingdom.games.kings_pouch import turn as contents
from kingdom.games.kings_pouch.orders import CASTLE, MANAGE, PLACE, REST, TAX, counting
from kingdom.games.kings_pouch.orders.placing import building_of
from kingdom.games.kings_pouch.report.board import picture
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.steps import accounts, counted, joined, said
from kingdom.games.kings_pouch.steps.land import army_for, castles, land
from kingdom.games.kings_pouch.steps.rounds import SET_UP, TURNS, due
from kingdom.games.kings_pouch.types import Now, Turn
from kingdom.orders import kit

# What no offer stands for: the head and foot of a file and free text; how a citizen is placed, as far as it is a matter of
# wishes that are passed over where they can't be had; and which kinds and shapes come first in the rest phase.
OPEN_ENDED = ("kingdom", "turn", "messages", "amend", "final", "token")
WISHES = ("slot", "lines", "if_active", "remove_from", "to", "draw", "gain", "remove", "move", "exchange", "add_marker")
# What a turn is played by here.
_PLAY = Play(contents.PHASES, contents.REFUSALS, lambda table: list(table.lords), accounts)


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """What more the seat may order behind these orders."""
    offered = [offer for kind, now in wanted(known, seat, rules) for offer in kit.offers(kind, now, orders)]
    if known.round == SET_UP:
        return [] if "castle" in orders else offered
    named = {building_of(known.lords[seat], order["at"], rules) for _, order in PLACE.filed(orders)}
    return [offer for offer in offered if offer.id not in named]


def wanted(known: Table, seat: str, rules: Rules) -> list[kit.Wanted[Table, Rules]]:
    """What the seat decides in the next run, and the moment before its turn."""
    if seat not in due(known, rules):
        return []
    if known.round == SET_UP:
        return [(CASTLE, Now(known, seat, rules))]
    now = Now(_before_turn(known, seat, rules), seat, rules)
    return [(kind, now) for kind in (PLACE, TAX, MANAGE, REST)]


def form_text(table: Table, seat: str, rules: Rules) -> list[str]:
    """The order form as text, below its head."""
    decisions = wanted(table, seat, rules)
    return kit.text_form(decisions) if decisions else kit.remark(waits(table, rules))


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """What the seat's order form offers for the run after `seen`, which is what it knows."""
    decisions = wanted(seen, seat, rules)
    if not decisions:
        return kit.page([], seen.lords, seat, notice=waits(seen, rules))
    now = decisions[0][1]
    if seen.round != SET_UP:
        now = PLACE.begun(now, {})
    page = kit.page(
        decisions, seen.lords, seat, counting.counters(now.state, seat, rules), counting.facts(now.state, seat, rules)
    )
    key, done = ("castle", "chosen") if seen.round == SET_UP else ("manage", "ordered")
    board = {"thing": "territory", "key": key, "done": done, "open": "may be occupied", "small": True}
    places = {said(place): _in_words(seen, seat, place, rules) for place in land(rules, len(seen.lords))}
    return {**page, "picture": picture(seen, seat, rules, pressed=True), "places": places, "board": board}


def _in_words(seen: Table, seat: str, place: str, rules: Rules) -> str:
    """A territory, with the army that it takes as things stand."""
    homes, held, board = castles(seen), seen.territories.get(place), board_for(rules, len(seen.lords))
    whose = (
        f"the castle of {homes[place]}"
        if place in homes
        else f"{held.owner}, {counted(held.markers, 'marker')}"
        if held
        else "empty"
    )
    words = [*(["the palace"] if place == rules.map.palace else []), whose]
    if seen.round == SET_UP and board and place in board.castles and place not in homes:
        words.append("a castle may stand here")
    elif seen.lords[seat].castle and (homes.get(place) or (held.owner if held else "")) != seat:
        words.append(f"{army_for(seen, seat, place, rules)} army")
    return ", ".join(words)


def _before_turn(known: Table, seat: str, rules: Rules) -> Table:
    """The table when the seat's turn comes, as far as it can be foreseen."""
    books = Books(known.turn + 1, {other: accounts(known, other, rules) for other in known.lords})
    turn: Turn = Turn(_PLAY, known.turn + 1, rules, {}, NoDice(), books)
    word = TURNS[known.order.index(seat)]
    return run(turn, takewhile(lambda phase: phase.name != word, contents.PHASES), known)


def waits(table: Table, rules: Rules) -> str:
    """What is said to a seat of which the next run asks nothing."""
    seats = due(table, rules)
    return (
        f"You need not send orders: it is the turn of {joined(seats)}."
        if seats
        else "The game is over; there is nothing to order."
    )
