"""What a building costs: crowding, upgrades, half prices, rebuilding. Ruling: building_price."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.games.realm.state import Building, HalfPrice, Rubble, Settlement
from kingdom.games.realm.steps.towns.buildings import Price, half_prices, price_of
from tests.games.realm.kit import rules_of

RULES = rules_of()


def oakhold(*buildings: str, used: tuple[HalfPrice, ...] = (), rubble: str = "") -> Settlement:
    """A settlement of buildings and rubble written `house A1`."""
    made = [Building(*building.split()) for building in buildings]
    left = [Rubble(*each.split()) for each in rubble.split(", ") if each]
    return Settlement("0404", buildings=tuple(made), rubble=tuple(left), half_prices_used=used)


def cost(settlement: Settlement, kind: str, *lots: str, old: str = "", ruin: str = "") -> int:
    return price_of(settlement, kind, RULES, lots, old, ruin).bp


# --- crowding and upgrades


def test_the_second_of_a_kind_in_a_settlement_costs_twice_its_price():
    shops = ["shop A1", "shop B1", "shop C1"]
    assert [cost(oakhold(*shops[:number]), "shop") for number in (0, 1, 2, 3)] == [8, 16, 24, 32]


@pytest.mark.parametrize(("kind", "list_price"), [("house", 3), ("tenement", 1), ("park", 4)])
def test_houses_tenements_and_parks_never_cost_more(kind, list_price):
    assert cost(oakhold(*[f"{kind} A{row}" for row in range(1, 7)]), kind) == list_price


def test_a_second_market_from_a_shop_costs_88():
    assert cost(oakhold("market A1", "shop C1"), "market", old="shop") == 2 * 48 - 8 == 88


def test_an_upgrade_never_costs_less_than_nothing():
    cheap = rules_of({"buildings": {"garrison": {"cost": 2}}})
    assert price_of(oakhold("barracks A1"), "garrison", cheap, old="barracks") == Price(0, "2 - 6", None)


def test_the_price_says_what_it_comes_from():
    assert price_of(oakhold("market A1", "shop C1"), "market", RULES, old="shop").why == "2 x 48 - 8"
    assert price_of(oakhold("castle A1"), "town_hall", RULES).why == "half of 22, by the Castle at A1"
    assert price_of(oakhold(rubble="castle A1"), "house", RULES, ("A1",)).why == "3 - 3 for rebuilding"


# --- half prices


@pytest.mark.parametrize(
    ("granter", "kind", "half"),
    [
        ("university", "academy", 26),
        ("university", "museum", 15),
        ("stockyard", "stable", 5),
        ("stockyard", "tannery", 3),
        ("castle", "noble_villa", 12),
        ("town_hall", "barracks", 3),
        ("town_hall", "watchtower", 6),
        ("temple", "graveyard", 2),
    ],
)
def test_half_prices_of_posted_turns(granter, kind, half):
    assert cost(oakhold(f"{granter} A1"), kind) == half


def test_what_no_granter_names_costs_its_full_price():
    assert cost(oakhold("university A1", "stockyard C1"), "shrine") == 8


def test_a_half_price_is_rounded_up():
    odd = rules_of({"buildings": {"inn": {"cost": 11}}})
    assert price_of(oakhold("market A1"), "inn", odd).bp == 6


def test_each_granter_halves_each_kind_once_and_the_oldest_comes_first():
    two = oakhold("theater A1", "market C1")
    first = price_of(two, "inn", RULES)
    assert (first.bp, first.half) == (5, HalfPrice("A1", "inn"))
    second = price_of(oakhold("theater A1", "market C1", used=(first.half,)), "inn", RULES)
    assert (second.bp, second.half) == (5, HalfPrice("C1", "inn"))
    assert cost(oakhold("theater A1", "market C1", used=(first.half, second.half)), "inn") == 10
    assert cost(oakhold("theater A1", "market C1", used=(first.half, second.half)), "tavern") == 6


def test_the_half_price_is_of_the_crowded_price():
    assert cost(oakhold("market A1", "inn D1"), "inn") == 10


def test_an_upgrade_is_halved_too():
    price = price_of(oakhold("waterfront A1", "shop C1"), "market", RULES, old="shop")
    assert (price.bp, price.why) == (20, "half of 48 - 8, by the Waterfront at A1")


def test_a_ruin_in_the_hex_halves_its_own_kind_once():
    assert cost(oakhold(), "temple", ruin="temple") == 16
    assert cost(oakhold(), "shrine", ruin="temple") == 8
    used = price_of(oakhold(), "temple", RULES, ruin="temple").half
    assert cost(oakhold(used=(used,)), "temple", ruin="temple") == 32


# --- rebuilding


def test_an_academy_made_a_mansion_and_a_luxury_store_takes_6_off_each():
    ruins = oakhold(rubble="academy A1, academy B1")
    assert 10 - cost(ruins, "mansion", "A1") == 6
    assert 28 - cost(ruins, "luxury_store", "B1") == 6


def test_rebuilding_the_same_kind_costs_half():
    assert cost(oakhold(rubble="academy A1, academy B1"), "academy", "A1", "B1") == 26


def test_half_a_lot_of_the_same_kind_is_not_the_same_place():
    assert cost(oakhold(rubble="academy A1, academy B1"), "academy", "B1", "C1") == 52 - 6


def test_rebuilding_takes_a_quarter_of_the_list_price_off_rounded_down():
    assert cost(oakhold(rubble="academy A1, academy B1"), "guildhall", "A1", "B1") == 34 - 13
    assert cost(oakhold(rubble="castle A1, castle B1, castle A2, castle B2"), "guildhall", "A1", "B1") == 34 - 6


def test_rebuilding_takes_at_least_1_off():
    assert cost(oakhold(rubble="tenement A1"), "shop", "A1") == 7


def test_rebuilding_elsewhere_takes_nothing_off():
    assert cost(oakhold(rubble="academy A1, academy B1"), "mansion", "C1") == 10


def test_only_the_larger_discount_counts():
    # a quarter of a palace on one of its four lots: 6; half an inn: 5
    price = price_of(oakhold("market C1", rubble="palace A1"), "inn", RULES, ("A1",))
    assert (price.bp, price.half) == (10 - 6, None)
    price = price_of(oakhold("market C1", rubble="academy A1"), "black_market", RULES, ("A1",))
    assert (price.bp, price.half) == (25, HalfPrice("C1", "black_market"))


def test_of_two_equal_discounts_the_half_price_is_kept():
    price = price_of(oakhold("market C1", rubble="inn A1"), "inn", RULES, ("A1",))
    assert (price.bp, price.half) == (5, None)


KINDS = st.sampled_from(sorted(RULES.buildings))


@given(st.lists(KINDS, max_size=6), KINDS, st.lists(KINDS, max_size=2))
def test_a_price_is_never_below_0_nor_above_the_crowded_price(standing, kind, rubble):
    settlement = oakhold(
        *(f"{each} A{row}" for row, each in enumerate(standing, 1)), rubble=", ".join(f"{each} B1" for each in rubble)
    )
    full = RULES.buildings[kind].cost * (1 if kind in ("house", "tenement", "park") else 1 + standing.count(kind))
    price = price_of(settlement, kind, RULES, ("B1",))
    assert 0 <= price.bp <= full
    assert price.half is None or price.half in half_prices(settlement, kind, RULES)
