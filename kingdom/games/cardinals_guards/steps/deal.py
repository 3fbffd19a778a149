"""The steps of a turn: the end of a deal, and the next one. The order of the steps is in game.py."""

from __future__ import annotations

from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.rules import Layout
from kingdom.games.cardinals_guards.state import POSTS, Board, Deal, Score, Table, dealt, replace, with_player
from kingdom.games.cardinals_guards.steps import Turn, accounts, points
from kingdom.games.kit.table import shuffled
from kingdom.render.plain_text import counted

CAUSES = {"deal": "a new castle"}


def finish_games(table: Table, turn: Turn) -> Table:
    """Who says so is done, and who has no pawn left; after a deal's last turn everybody is. Rulings: finishing, missing."""
    window = table.window + 1
    last = window >= turn.rules.pace.turns or bool(table.ended)
    # a game that did not come where its player thought stays open
    stopped = {notice.seat for notice in turn.notices if notice.kind == "refusal"}
    for seat, of in table.seats.items():
        said = turn.orders.get(seat, {}).get("finish", False) and seat not in stopped
        gone = not state.inside(of.board)
        if not of.board.finished and (said or gone or last):
            table = with_player(table, seat, board=replace(of.board, finished=True))
    return replace(table, window=window)


def end_deal(table: Table, turn: Turn) -> Table:
    """Where all are done the deal is over: its results are for everybody. After the last deal the campaign is. Ruling: pace."""
    if not all(of.board.finished for of in table.seats.values()):
        return table
    table = replace(table, over=table.deal_number >= turn.rules.pace.deals or bool(table.ended))
    results = {
        seat: {"points": points(of.board, turn.rules), "orders": of.board.orders} for seat, of in table.seats.items()
    }
    turn.tell("all", "result", deal=table.deal_number, results=results, text=_said(table, results))
    return table


def _said(table: Table, results: dict[str, dict[str, int]]) -> str:
    """What each made of a deal, the best first."""
    best_first = sorted(results.items(), key=lambda result: (-result[1]["points"], result[1]["orders"]))
    made = [
        f"{table.seats[seat].name} {counted(of['points'], 'point')} in {counted(of['orders'], 'order')}"
        for seat, of in best_first
    ]
    return f"Deal {table.deal_number} is over: {', '.join(made)}."


# --- the next deal


def gather_pieces(table: Table, turn: Turn) -> Table:
    """All pieces go back into their box for the next deal, and what each seat made of this one is written down."""
    if table.over or not all(of.board.finished for of in table.seats.values()):
        return table
    tiles = tuple(sorted(table.deal.tiles.values()))
    table = replace(table, stack=tiles, deal=Deal())
    for seat, of in table.seats.items():
        score = Score(points(of.board, turn.rules), of.board.orders)
        table = with_player(table, seat, past=(*of.past, score), board=Board())
        turn.book(seat, accounts(table, seat, turn.rules), "deal", f"deal {table.deal_number} is put away")
    return table


def lay_tiles(table: Table, turn: Turn) -> Table:
    """The castle: the tiles, shuffled, in a square around the hole. Rulings: pieces, layout."""
    if not table.stack:
        return table
    layout = turn.rules.layout
    given = layout.given and table.deal_number == 0
    laid = [tile for row in layout.tiles for tile in row.split() if tile != "--"]
    tiles = laid if given else shuffled(table.stack, turn, f"tile-{table.deal_number + 1}")
    if tiles is None:
        return table
    return replace(table, stack=(), deal=replace(table.deal, tiles=dict(zip(state.CELLS, tiles, strict=True))))


def draw_guards(table: Table, turn: Turn) -> Table:
    """The coins: around the castle, clockwise, the last for each player's supply; musketeers on their null tiles.

    Rulings: one_per_edge, same_deal."""
    if table.stack or table.deal.perimeter:
        return table
    layout = turn.rules.layout
    given = layout.given and table.deal_number == 0
    coins = _given_coins(layout) if given else shuffled(state.COINS, turn, f"coin-{table.deal_number + 1}")
    if coins is None:
        return table
    perimeter = dict(zip(POSTS, coins[: len(POSTS)], strict=True))
    deal = replace(table.deal, perimeter=perimeter, supply="".join(coins[len(POSTS) :]))
    table = replace(table, deal=deal, deal_number=table.deal_number + 1, window=0)
    for seat in table.seats:
        table = with_player(table, seat, board=dealt(deal))
        turn.book(seat, accounts(table, seat, turn.rules), "deal", f"deal {table.deal_number}")
    return table


def _given_coins(layout: Layout) -> list[str]:
    """Clockwise from the north-west corner."""
    return [*layout.north, *layout.east, *reversed(layout.south), *reversed(layout.west), *layout.supply]
