"""What always holds, in games at random: pieces, points, symmetry, the bound, and that the search knows the same rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.orders.moves import Lure, Move, after, legal
from kingdom.games.cardinals_guards.solver import Castle, done
from kingdom.games.cardinals_guards.state import (
    COLUMNS,
    HOLE,
    POSTS,
    ROWS,
    SIDES,
    SUITS,
    TILES,
    Board,
    Deal,
    dealt,
    pawns_on,
)
from kingdom.games.cardinals_guards.steps import bound, coins, escaped, maximum
from tests.games.cardinals_guards.kit import RULES, random_deal, rules, score, walk

castles = st.integers(0, 30).map(lru_cache(maxsize=None)(random_deal))
choices = st.lists(st.integers(0, 10_000), max_size=60)
ALTERNATIVES = {
    "as they are": RULES,
    "own suits, no recruits": rules(variants={"own_suit_removal": True, "no_recruiting": True}),
    "passing and standing": rules(
        search={"pass_through_counts": True}, zero_length={"stop": True}, tunnel_removal={"when": "before_choosing"}
    ),
}
every_rules = pytest.mark.parametrize("by", ALTERNATIVES.values(), ids=ALTERNATIVES)


@given(castles)
def test_a_castle_has_every_tile_once_and_24_coins(deal: Deal) -> None:
    board = dealt(deal)
    assert sorted(deal.tiles.values()) == sorted(TILES) and HOLE not in deal.tiles
    assert list(deal.perimeter) == list(POSTS) and len(POSTS) == 20 and len(deal.supply) == 4
    assert coins(board, deal) == dict.fromkeys(SUITS, 6)
    assert all(deal.tiles[board.pawns[suit]] == f"{suit}0" for suit in SUITS)
    assert [sum(post[:2] == corner for post in POSTS) for corner in ("a1", "a5", "e1", "e5")] == [2, 2, 2, 2]


@every_rules
@given(castles, choices)
def test_pieces_and_points(by: object, deal: Deal, picks: list[int]) -> None:
    board = dealt(deal)
    for order, then in walk(picks, deal, by):
        assert coins(then, deal) == dict.fromkeys(SUITS, 6), "6 coins of each suit: perimeter, castle, supply, defeated"
        standing = [*pawns_on(then), *then.castle]
        assert len(standing) == len(set(standing)) and HOLE not in standing
        assert all(
            then.searched[suit] >= board.searched[suit] and then.defeated[suit] >= board.defeated[suit]
            for suit in SUITS
        )
        assert escaped(then) >= escaped(board)
        gained = score(then) - score(board)
        assert 0 <= gained <= (2 if not by.search.pass_through_counts else 6), moves.short(order)
        assert score(then) <= bound(then, deal, by) <= bound(board, deal, by) <= maximum(by)
        board = then
    lures = sum(order.startswith("lure") for order in board.trail)
    recruits = sum(order.endswith("recruit") for order in board.trail)
    assert lures + sum(board.supply.values()) == 4 + recruits


# --- symmetry

Place = Callable[[int, int], tuple[int, int]]
TURNS: dict[str, Place] = {
    "as it is": lambda x, y: (x, y), "a quarter": lambda x, y: (y, -x), "a half": lambda x, y: (-x, -y), "three quarters": lambda x, y: (-y, x),
    "mirrored": lambda x, y: (-x, y), "upside down": lambda x, y: (x, -y), "one diagonal": lambda x, y: (y, x), "the other": lambda x, y: (-y, -x),
}  # fmt: skip


def cell_at(cell: str, place: Place) -> str:
    """Where a cell comes to lie; a word that is no cell stays."""
    if len(cell) != 2:
        return cell
    x, y = place(COLUMNS.index(cell[0]) - 2, ROWS.index(cell[1]) - 2)
    return f"{COLUMNS[x + 2]}{ROWS[y + 2]}"


def side_at(side: str, place: Place) -> str:
    return next(word for word, step in SIDES.items() if step == place(*SIDES[side]))


def deal_at(deal: Deal, place: Place, suits: dict[str, str]) -> Deal:
    return Deal(
        {cell_at(cell, place): suits[tile[0]] + tile[1] for cell, tile in deal.tiles.items()},
        {cell_at(post[:2], place) + side_at(post[2], place): suits[suit] for post, suit in deal.perimeter.items()},
        "".join(suits[suit] for suit in deal.supply),
    )


def order_at(order: Move | Lure, place: Place, suits: dict[str, str]) -> Move | Lure:
    if isinstance(order, Lure):
        return Lure(suits[order.suit], cell_at(order.cell, place))
    return Move(
        suits[order.suit],
        side_at(order.side, place),
        cell_at(order.exit, place),
        cell_at(order.defeat, place),
        order.recruit,
    )


@given(castles, choices, st.sampled_from(list(TURNS.values())), st.sampled_from(list(permutations(SUITS))))
def test_a_castle_turned_mirrored_or_of_other_suits_gives_the_same_game(
    deal: Deal, picks: list[int], place: Place, names: tuple[str, ...]
) -> None:
    suits = dict(zip(SUITS, names, strict=True))
    turned = deal_at(deal, place, suits)
    board = dealt(turned)
    for order, then in walk(picks, deal):
        board = after(order_at(order, place, suits), board, turned, RULES)
        assert (score(board), bound(board, turned, RULES)) == (score(then), bound(then, deal, RULES))
        assert {suits[suit]: cell_at(cell, place) for suit, cell in then.pawns.items()} == board.pawns


# --- what a report offers, and what the search believes


@every_rules
@given(castles, choices)
def test_the_search_knows_the_rules_of_the_game(by: object, deal: Deal, picks: list[int]) -> None:
    """Wherever a game at random comes to, each step of the search is allowed, and leads where the engine of the game leads."""
    castle = Castle(deal, by)
    board = ([dealt(deal)] + [then for _, then in walk(picks, deal, by)])[-1]
    assert done(castle.position(board)) == sum(board.searched.values()) + sum(board.defeated.values())
    for position, _, step in castle.steps(castle.position(board)):
        then = board
        for order in castle.orders(step):
            then = after(order, then, deal, by)
        assert castle.position(then) == position, castle.orders(step)


@given(castles, choices)
def test_every_move_that_leaves_nobody_out_is_a_step_of_the_search(deal: Deal, picks: list[int]) -> None:
    castle = Castle(deal, RULES)
    board = ([dealt(deal)] + [then for _, then in walk(picks, deal)])[-1]
    known = {position for position, _, _ in castle.steps(castle.position(board))}
    for order in legal(board, deal, RULES):
        then = after(order, board, deal, RULES)
        if isinstance(order, Move) and list(then.pawns.values()).count("killed") + escaped(then) == list(
            board.pawns.values()
        ).count("killed") + escaped(board):
            assert castle.position(then) in known, moves.short(order)


@given(castles, choices)
def test_what_is_not_offered_is_forbidden(deal: Deal, picks: list[int]) -> None:
    board: Board = ([dealt(deal)] + [then for _, then in walk(picks, deal)])[-1]
    offered = set(legal(board, deal, RULES))
    for suit in SUITS:
        for side in SIDES:
            for more in ({}, {"recruit": True}, {"exit": "a1"}, {"exit": "e5", "defeat": "b2"}):
                order = Move(suit, side, **more)
                allowed = moves.forbidden(order, board, deal, RULES) is None
                assert allowed == (order in offered) or (allowed and not order.exit), moves.short(order)
