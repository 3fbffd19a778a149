"""Players of Cardinal's Guards that are programs: each writes the orders of a whole game from what its seat may know."""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.engine.game import Chance
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.orders.legality import after, legal
from kingdom.games.cardinals_guards.orders.moves import Lure, Move, Order
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.solver import best_play
from kingdom.games.cardinals_guards.state import CELLS, CORNERS, SIDES, SUITS, Board, Table

_WIDTH = 12  # of the captain's search: it plays well, not perfectly
_ENOUGH = 1_000_000  # positions: more than a search of that width comes to
_MOST = 80  # orders of a random game


def captain(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """Searches some way ahead, and plays the best game that it finds."""
    board = known.seats[seat].board
    orders = best_play(board, known.deal, rules, _ENOUGH, chance, (_WIDTH,))[0]
    return _text(known, seat, orders)


def random(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """Gives one allowed order after the other, any of them, until nothing is left to do or it is tired."""
    board = known.seats[seat].board
    orders: list[Order] = []
    while len(orders) < _MOST and (allowed := _allowed(known, board, rules)):
        order = allowed[chance("order", len(allowed)) - 1]
        orders.append(order)
        board = after(order, board, known.deal, rules)
    return _text(known, seat, orders)


def _allowed(known: Table, board: Board, rules: Rules) -> list[Order]:
    return [] if board.finished else list(legal(board, known.deal, rules))


def _text(known: Table, seat: str, orders: Sequence[Order]) -> str:
    board = known.seats[seat].board
    head = f"kingdom: {seat}\nturn: {known.turn + 1}\n"
    if board.finished:
        return head
    listed = "".join(f"  - {moves.short(order)}\n" for order in orders)
    return f"{head}continue_from: {board.orders}\n" + (f"orders:\n{listed}" if orders else "") + "finish: true\n"


def muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """An order that is likely not to be allowed, at times for another number than is due."""

    def one_of(name: str, words: Sequence[str]) -> str:
        return words[chance(name, len(words)) - 1]

    order: Move | Lure = Lure(one_of("suit", SUITS), one_of("cell", (*CELLS, "c3")))
    if chance("kind", 3) > 1:
        tunnel = chance("tunnel", 2) == 1
        order = Move(one_of("suit", SUITS), one_of("side", tuple(SIDES)), one_of("exit", CORNERS) if tunnel else "",
                     one_of("defeat", ("", *CELLS)) if tunnel else "", chance("recruit", 3) == 1)  # fmt: skip
    done = known.seats[seat].board.orders
    said = done + (chance("late", 8) == 1)
    return f"kingdom: {seat}\nturn: {known.turn + 1}\ncontinue_from: {said}\norders:\n  - {moves.short(order)}\n"


def gm(state: Table, rules: Rules, chance: Chance) -> str:
    """A GM who grants, voids and tells now and then, and at times ends the campaign, twice."""
    seat = list(state.seats)[chance("seat", len(state.seats)) - 1]
    rulings = [
        f"{{grant: {seat}, by: {chance('by', 5) - 3}, reason: a slip}}",
        f"{{void: {{kingdom: {seat}, order: 'orders[{chance('order', 3) - 1}]'}}, reason: sent by mistake}}",
        *["{finish: campaign, reason: holidays}"] * (2 if chance("finish", 20) == 1 else 0),
    ]
    tells = f"tell: {{{seat}: Well played.}}\n" if chance("tell", 3) == 1 else ""
    return f"turn: {state.turn + 1}\n" + "gm:\n" + "".join(f"  - {ruling}\n" for ruling in rulings) + tells


PLAYERS = {"captain": captain, "random": random}


def text(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """The orders of the bot of that name."""
    return PLAYERS[name](known, seat, rules, chance)
