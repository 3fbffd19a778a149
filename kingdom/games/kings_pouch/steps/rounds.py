"""The rounds: whose turn it is, whom the next run plays, and what follows a run and a round: new cards on display, a new turn order."""

from __future__ import annotations

from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import COLOURS, MIXED, Table, is_over, replace, with_lord
from kingdom.games.kings_pouch.steps.shared import at_top, joined, tell
from kingdom.games.kings_pouch.types import Turn

SET_UP = 0  # the round in which castles are chosen
TURNS = ("first_turn", "second_turn", "third_turn", "fourth_turn")  # the phases of a round, a player's turn each


def due(table: Table, rules: Rules) -> tuple[str, ...]:
    """The seats that the run after this state plays, in their order (table paces)."""
    if is_over(table):
        return ()
    rest = table.order[table.acted :]
    return rest[:1] if rules.paces[rules.pace].one_seat else rest


def acting(table: Table, turn: Turn) -> str:
    """The seat whose turn this phase is; "" where there is none, or it is not played in this run."""
    index = TURNS.index(turn.phase)
    before = turn.before
    if before.round == SET_UP or index >= len(before.order):
        return ""
    seat = before.order[index]
    return seat if seat in due(before, turn.rules) else ""


def round_ends(turn: Turn) -> bool:
    """Whether the run plays the last turn of a round, or the last choice of a castle."""
    before = turn.before
    return not is_over(before) and before.acted + len(due(before, turn.rules)) >= len(before.order)


def next_turns(table: Table, turn: Turn) -> Table:
    """Who plays in the next run. The cards and the order of a new round come last, so that all orders for it know them."""
    before = turn.before
    if table.ended:
        return replace(table, over=True)
    if not round_ends(turn):
        return replace(table, acted=table.acted + len(due(before, turn.rules)))
    if before.round >= turn.rules.rounds.count:
        return replace(table, over=True, acted=0)
    return begun(replace(table, round=before.round + 1, acted=0), turn)


def first_round(table: Table, turn: Turn) -> Table:
    """Round 1 begins in turn 0 where castles were drawn; else only its cards are shown, for who chooses a castle."""
    return table if table.round == SET_UP else begun(table, turn)


def begun(table: Table, turn: Turn) -> Table:
    """A new round: the display is discarded, cards are shown, the order is taken."""
    table = replace(table, discard=(*table.discard, *table.display), display=())
    for seat in table.lords:
        table = with_lord(table, seat, taxed=False, attacked=())
    order = at_top(table.lords)
    tell(turn, "", f"Round {table.round} begins; the order is {joined(order)}.")
    if table.round > turn.rules.rounds.building or turn.foreseeing:
        return replace(table, order=order)
    return revealed(replace(table, order=order), turn)


def revealed(table: Table, turn: Turn) -> Table:
    """So many cards of each pile on display, one of all colours as many as three."""
    rules = turn.rules
    board = board_for(rules, len(table.lords))
    shown = board.shown if board else 0
    display: list[str] = []
    decks: dict[str, tuple[str, ...]] = {}
    for name, cards in table.decks.items():
        count = shown * len(COLOURS) if name == MIXED else shown
        display += cards[:count]
        decks[name] = cards[count:]
    tell(turn, "", f"On display: {joined((rules.buildings[card].name for card in display), 'nothing')}.")
    return replace(table, display=tuple(display), decks=decks)
