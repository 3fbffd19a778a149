"""Trade routes: what holds always, and what no case file can say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kingdom.games.realm.routeparts import split
from kingdom.games.realm.traderolls import trade_bp, trade_by_size
from tests.realm.kit import rules_of

RULES = rules_of()


@given(st.integers(0, 1000), st.integers(0, 20))
def test_ruling_trade_route_nothing_is_lost_where_a_route_is_shared(amount: int, sharers: int) -> None:
    founders, each = split(amount, sharers)
    assert founders + sharers * each == amount
    assert 0 <= each <= founders <= each + sharers


@given(st.integers(0, 400), st.integers(0, 400))
def test_ruling_trade_what_the_larger_gains_by_size_the_smaller_loses(size: int, other: int) -> None:
    assert trade_by_size(size, other, RULES) == -trade_by_size(other, size, RULES)


def test_ruling_trade_the_bp_by_margin() -> None:
    assert [trade_bp(margin, RULES) for margin in (-1, 0, 1, 5, 6, 10, 11)] == [0, 1, 1, 1, 2, 2, 3]
