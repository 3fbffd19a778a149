"""What a seat may order as things stand, for reports, bots and tests: the orders' own candidates at the moment of its turn.

Orders are carried out one after the other, so what may be ordered hangs on those before: they are played first, without
dice and without the orders of others, as `kingdom check` does.
"""

from __future__ import annotations

from itertools import takewhile

from kingdom.engine.dice import NoDice
from kingdom.engine.ledger import Books
from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders, Play
from kingdom.engine.turn import run
from kingdom.games.kings_pouch import turn as contents
from kingdom.games.kings_pouch.orders import CASTLE, MANAGE, PLACE, REST, TAX
from kingdom.games.kings_pouch.orders.placing import building_of
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.steps import accounts
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
    if seat not in due(known, rules):
        return []
    if known.round == SET_UP:
        return [] if "castle" in orders else kit.offers(CASTLE, Now(known, seat, rules), orders)
    now = Now(_before_turn(known, seat, rules), seat, rules)
    lord = known.lords[seat]
    named = {building_of(lord, order["at"], rules) for _, order in PLACE.filed(orders)}
    return [
        *(offer for offer in kit.offers(PLACE, now, orders) if offer.id not in named),
        *([] if "tax" in orders else kit.offers(TAX, now)),
        *kit.offers(MANAGE, now, orders),
        *(offer for offer in kit.offers(REST, now) if offer.order[0] not in (orders.get("rest") or {})),
    ]


def wanted(known: Table, seat: str, rules: Rules) -> list[kit.Wanted[Table, Rules]]:
    """What the seat decides in the next run, each behind nothing that it orders."""
    if seat not in due(known, rules):
        return []
    if known.round == SET_UP:
        return [(CASTLE, Now(known, seat, rules))]
    now = Now(_before_turn(known, seat, rules), seat, rules)
    return [(PLACE, PLACE.behind(now, {})), (TAX, now), (MANAGE, MANAGE.behind(now, {})), (REST, now)]


def _before_turn(known: Table, seat: str, rules: Rules) -> Table:
    """The table when the seat's turn comes, as far as it can be foreseen."""
    books = Books(known.turn + 1, {other: accounts(known, other, rules) for other in known.lords})
    turn: Turn = Turn(_PLAY, known.turn + 1, rules, {}, NoDice(), books)
    word = TURNS[known.order.index(seat)]
    return run(turn, takewhile(lambda phase: phase.name != word, contents.PHASES), known)
