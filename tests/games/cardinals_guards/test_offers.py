"""What a seat is offered: the engine accepts each offer, and an order that it accepts was offered."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import NoDice
from kingdom.engine.offer import Offer, together
from kingdom.engine.step import Orders
from kingdom.engine.turn import resolve
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Deal, Table, replace, with_player
from kingdom.games.cardinals_guards.steps import accounts
from tests.games.cardinals_guards.kit import GAME, RULES, order_of, table_of, turn, walk
from tests.games.cardinals_guards.test_always import castles, choices, every_rules
from tests.kit.orderkit import values

SEAT = "athos"
OPEN_ENDED = {
    "kingdom",
    "turn",
    "continue_from",
    "messages",
    "amend",
    "final",
    "token",
}  # keys that no offer stands for
HEAD = {"kingdom": SEAT, "turn": 1}


def read(records: list[dict[str, str]]) -> list[dict[str, str]]:
    """Records as they come out of a file: words and cells in small letters."""
    return [{key: text.lower() for key, text in record.items()} for record in records]


drawn = values(GAME.orders.keys["orders"], {"seats": (SEAT,)}).map(read)  # as declared, whether or not they are allowed


def at(deal: Deal, picks: list[int], by: Rules) -> Table:
    """A table whose seat has played so far."""
    played = walk(picks, deal, by)
    table = table_of(deal, SEAT)
    return with_player(table, SEAT, board=played[-1][1]) if played else table


def offered(table: Table, by: Rules, orders: Orders) -> list[Offer]:
    return GAME.offers(GAME.known(table, SEAT, by), SEAT, by, orders)


def refused(table: Table, by: Rules, orders: dict[str, Any]) -> list[str]:
    """The paths of the orders that the engine refuses."""
    result = resolve(GAME, table, {SEAT: orders}, NoDice(), by)
    return [notice.facts["order"] for notice in result.notices if notice.kind == "refusal"]


def with_one_more(orders: dict[str, Any], offer: Offer) -> dict[str, Any]:
    return together([offer], orders)


@every_rules
@given(castles, choices, st.lists(st.integers(0, 10_000), max_size=3))
def test_every_offer_is_accepted(by: Rules, deal: Deal, picks: list[int], chosen: list[int]) -> None:
    """As the castle stands, and behind offers that were chosen before."""
    table = at(deal, picks, by)
    orders: dict[str, Any] = dict(HEAD)
    for choice in chosen:
        listed = [offer for offer in offered(table, by, orders) if offer.key == "orders"]
        orders = with_one_more(orders, listed[choice % len(listed)]) if listed else orders
    for offer in offered(table, by, orders):
        assert not refused(table, by, with_one_more(orders, offer)), offer


@every_rules
@given(castles, choices, st.lists(st.integers(0, 10_000), max_size=2), drawn)
def test_every_order_that_is_accepted_was_offered(
    by: Rules, deal: Deal, picks: list[int], chosen: list[int], more: list[Any]
) -> None:
    """Orders as they are declared, one after the other behind offers: the engine takes what was offered, and no other."""
    table = at(deal, picks, by)
    orders: dict[str, Any] = dict(HEAD)
    for choice in chosen:
        listed = [offer for offer in offered(table, by, orders) if offer.key == "orders"]
        orders = with_one_more(orders, listed[choice % len(listed)]) if listed else orders
    for record in more:
        tried = {**orders, "orders": [*orders.get("orders", ()), record]}
        listed = [moves.order_of(offer.order) for offer in offered(table, by, orders) if offer.key == "orders"]
        order = moves.order_of(record)
        if refused(table, by, tried):
            assert order not in listed, order
        else:
            board = resolve(GAME, table, {SEAT: orders}, NoDice(), by, until="castle").after.seats[SEAT].board
            assert moves.settled(order, board, by) in listed, order
            orders = tried


def test_every_key_is_offered_or_open_ended() -> None:
    keys = {offer.key for offer in offered(table_of(), RULES, {})}
    assert keys | OPEN_ENDED == set(GAME.orders.keys) and not keys & OPEN_ENDED


@given(castles, choices)
def test_an_offer_says_what_it_does(deal: Deal, picks: list[int]) -> None:
    table = at(deal, picks, RULES)
    listed = offered(table, RULES, {})
    assert len({offer.id for offer in listed}) == len(listed)
    for offer in listed:
        if offer.key == "orders":
            assert moves.order_of(offer.order) == order_of(offer.short), "its short form is read as its long form"
            result = turn(table, athos=f"orders: [{offer.short}]\n")
            before, after = accounts(table, SEAT, RULES), accounts(result.after, SEAT, RULES)
            assert dict(offer.effect) == {
                account: after[account] - before[account] for account in before if after[account] != before[account]
            }
            assert offer.text


def test_nothing_is_offered_where_nothing_is_carried_out() -> None:
    table = table_of()
    assert offered(table, RULES, {"continue_from": 3}) == [], "orders for another position"
    assert offered(table, RULES, {"orders": [{"move": "c", "dir": "s", "exit": "a1"}]}) == [], (
        "a refused order stops them"
    )
    assert [offer.key for offer in offered(table, RULES, {"finish": True})].count("finish") == 0
    over = replace(table, over=True)
    assert offered(over, RULES, {}) == []
