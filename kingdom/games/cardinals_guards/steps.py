"""What a board counts, and what it can count at most; and the steps of a turn that end a deal and begin the next.

Rulings: scoring, maximum, killed, tunnel_shut, variants. game.py has the order of the steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from kingdom.engine import step
from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import CHAMBERS, COINS, SUITS, Board, Deal, Table, dealt, replace, with_player
from kingdom.games.kit.table import shuffled
from kingdom.orders.kit import order
from kingdom.render.plain_text import counted

Turn: TypeAlias = step.Turn[Table, Rules]
Now: TypeAlias = order.Now[Table, Rules]


def points(board: Board, rules: Rules) -> int:
    """The score as it stands."""
    return worth(sum(board.searched.values()), escaped(board), sum(board.defeated.values()), rules)


def worth(searched: int, escapes: int, defeated: int, rules: Rules) -> int:
    """What that many chambers, escapes and guards are worth."""
    scoring = rules.scoring
    return searched * scoring.chamber + escapes * scoring.escaped + defeated * scoring.guard


def maximum(rules: Rules) -> int:
    """What a perfect game scores."""
    return worth(CHAMBERS * len(SUITS), len(SUITS), len(COINS), rules)


def escaped(board: Board) -> int:
    """How many musketeers have escaped."""
    return sum(cell == state.ESCAPED for cell in board.pawns.values())


def accounts(table: Table, seat: str, rules: Rules) -> Mapping[str, int]:
    """What is counted of a seat, as Seat says."""
    of = table.seats[seat]
    board, now = of.board, points(of.board, rules)
    return {
        "points": now,
        "searched": sum(board.searched.values()),
        "escaped": escaped(board),
        "defeated": sum(board.defeated.values()),
        "orders": board.orders,
        "perimeter": len(board.perimeter),
        "castle": len(board.castle),
        "supply": sum(board.supply.values()),
        "total": now + sum(score.points for score in of.past) + of.granted,
        "all_orders": board.orders + sum(score.orders for score in of.past),
    }


def pieces(table: Table, rules: Rules) -> Mapping[str, int]:
    """The pieces of the box, and of the boxes of the seats, wherever they lie: every tile, coins by suit, pawns."""
    box: Counter[str] = Counter({f"tile {tile}": 1 for tile in state.TILES if tile in table.stack})
    box.update(f"tile {tile}" for tile in table.deal.tiles.values())
    for seat, of in table.seats.items():
        for suit, count in coins(of.board, table.deal).items():
            box[f"coins of suit {suit} of {seat}"] = count
        box[f"pawns of {seat}"] = len(of.board.pawns)
        standing = [*state.pawns_on(of.board), *of.board.castle]
        pawns = sum(cell in state.pawns_on(of.board) for cell in of.board.pawns.values())
        box[f"pieces of {seat} on a tile of another"] = len({*standing}) - pawns - len(of.board.castle)
    return box


def coins(board: Board, deal: Deal) -> dict[str, int]:
    """Suit -> its coins, wherever they are: never more or fewer than in the box."""
    lying = Counter([*board.bag, *board.perimeter.values(), *(deal.tiles[cell][0] for cell in board.castle)])
    return {suit: lying[suit] + board.supply[suit] + board.defeated[suit] for suit in SUITS}


# --- the most that can still be reached


class Reach(NamedTuple):
    """The most chambers, escapes and guards that a play can come to; those that it has are counted."""

    chambers: int
    escapes: int
    guards: int


def bound(board: Board, deal: Deal, rules: Rules) -> int:
    """A score that no play from here on can exceed: the maximum without what is lost for good."""
    return points(board, rules) if board.finished else worth(*reach(board, deal, rules), rules)


def reach(board: Board, deal: Deal, rules: Rules) -> Reach:
    """What is not lost for good: at least all that can still be reached, and perhaps more."""
    inside = state.inside(board)
    shut = all(corner in board.castle for corner in state.CORNERS)  # a castle guard leaves through the tunnels alone
    ranks = {suit: _last_chamber(suit, board, deal, shut) if suit in inside else board.searched[suit] for suit in SUITS}
    escapes = sum(board.pawns[suit] == state.ESCAPED or (suit in inside and ranks[suit] == CHAMBERS) for suit in SUITS)
    return Reach(sum(ranks.values()), escapes, len(COINS) - _guards_left(board, deal, inside, shut, rules))


def lost(board: Board, deal: Deal, rules: Rules) -> list[str]:
    """What no play can bring any more, in words."""
    most = reach(board, deal, rules)
    missing = (CHAMBERS * len(SUITS) - most.chambers, len(SUITS) - most.escapes, len(COINS) - most.guards)
    words = (("chamber", "chambers"), ("escape", "escapes"), ("guard", "guards"))
    return [
        f"{count} {one if count == 1 else many}" for count, (one, many) in zip(missing, words, strict=True) if count
    ]


def _last_chamber(suit: str, board: Board, deal: Deal, shut: bool) -> int:
    """The last chamber that a musketeer inside may come to; he comes to no chamber where a guard stands for good."""
    under = {deal.tiles[cell] for cell in board.castle} if shut else set()
    rank = board.searched[suit]
    while rank < CHAMBERS and f"{suit}{rank + 1}" not in under:
        rank += 1
    return rank


def _guards_left(board: Board, deal: Deal, inside: list[str], shut: bool, rules: Rules) -> int:
    """Guards that can't be defeated any more. One of the perimeter falls to a musketeer of another suit, or is recruited,
    lured and removed through the tunnels; one of supply or castle is removed through the tunnels."""
    removable = [] if shut else inside if rules.variants.own_suit_removal else list(SUITS) if inside else []
    inner = Counter([deal.tiles[cell][0] for cell in board.castle])
    inner.update(board.supply)
    left = sum(count for suit, count in inner.items() if suit not in removable)
    for suit in board.perimeter.values():
        by_others = any(other != suit for other in inside)
        recruited = suit in inside and suit in removable and not rules.variants.no_recruiting
        left += not (by_others or recruited)
    return left


# --- the end of a deal


CAUSES = {"deal": "a new castle"}


def finish_games(table: Table, turn: Turn) -> Table:
    """A seat that says so is done, and so is a seat without a pawn; after a deal's last turn every seat is done. Rulings: finishing, missing."""
    window = table.window + 1
    last = window >= turn.rules.pace.turns or bool(table.ended)
    # if the orders did not do what the player expected the game stays open
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
    best_first = sorted(results.items(), key=lambda result: (-result[1]["points"], result[1]["orders"]))
    made = ", ".join(
        f"{table.seats[seat].name} {counted(of['points'], 'point')} in {counted(of['orders'], 'order')}"
        for seat, of in best_first
    )
    text = f"Deal {table.deal_number} is over: {made}."
    turn.tell("all", "result", deal=table.deal_number, results=results, text=text)
    return table


# --- the next deal


def gather_pieces(table: Table, turn: Turn) -> Table:
    """All pieces go back into their box for the next deal, and what each seat made of this one is written down."""
    if table.over or not all(of.board.finished for of in table.seats.values()):
        return table
    tiles = tuple(sorted(table.deal.tiles.values()))
    table = replace(table, stack=tiles, deal=Deal())
    for seat, of in table.seats.items():
        score = state.Score(points(of.board, turn.rules), of.board.orders)
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
    # clockwise from the north-west corner
    laid = [*layout.north, *layout.east, *reversed(layout.south), *reversed(layout.west), *layout.supply]
    drawn = laid if given else shuffled(COINS, turn, f"coin-{table.deal_number + 1}")
    if drawn is None:
        return table
    perimeter = dict(zip(state.POSTS, drawn[: len(state.POSTS)], strict=True))
    deal = replace(table.deal, perimeter=perimeter, supply="".join(drawn[len(state.POSTS) :]))
    table = replace(table, deal=deal, deal_number=table.deal_number + 1, window=0)
    for seat in table.seats:
        table = with_player(table, seat, board=dealt(deal))
        turn.book(seat, accounts(table, seat, turn.rules), "deal", f"deal {table.deal_number}")
    return table
