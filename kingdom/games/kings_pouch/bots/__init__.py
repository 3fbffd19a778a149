"""The bots: each writes orders from what its seat may know, for whatever its run plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kingdom.engine.game import Chance
from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.bots import random_play, steward
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.orders.yaml_out import dump

WANTED: Mapping[str, Callable[[Table, str, Rules, Chance], Orders]] = {
    "steward": steward.wanted,
    "random": random_play.wanted,
}


def orders(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> Orders:
    """The bot's orders in the long form, the head included."""
    head = {"kingdom": seat, "turn": known.turn + 1}
    if seat not in due(known, rules):
        return head
    if known.round == SET_UP:
        board = board_for(rules, len(known.lords))
        return {**head, "castle": list(board.castles if board else ())}
    return {**head, **WANTED[name](known, seat, rules, chance)}


def text(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """The same as a text."""
    return dump(orders(name, known, seat, rules, chance))
