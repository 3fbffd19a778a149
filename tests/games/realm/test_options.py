"""What a report offers for the next turn, and at which price: what the order would then cost."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.offers.course import before_orders
from kingdom.games.realm.offers.offers import may_do, offers
from kingdom.games.realm.state import World
from kingdom.games.realm.visibility.known import known
from tests.games.realm.kit import rules_of, run, world_of

RULES = rules_of()


def offered(world: World) -> dict[str, Any]:
    return may_do(known(world, "examplia", RULES), world, "examplia", RULES)


def prices(world: World) -> dict[str, int]:
    """Building -> its price in the only settlement."""
    (town,) = offered(world)["towns"]
    return {kind["order"]: row["price"] for row in town["buildings"] for kind in row["kinds"]}


def test_what_was_torn_down_makes_building_there_cheaper() -> None:
    """Ruling building_price: a quarter of the Bank's 28, half of its own price for another one."""
    world = world_of(
        {"examplia": {"treasury": 100}},
        state={"examplia": {"settlements": {"Oakhold": {"rubble": [{"id": "bank", "lot": "A1"}]}}}},
    )
    now = prices(world)
    assert (now["smithy"], now["bank"], now["brewery"]) == (0, 14, 0) and now["mint"] == 30 - 7
    for kind in ("bank", "mint"):
        result = run(world, {"examplia": {"build": [{"in": "Oakhold", "build": kind}]}}, steps="build")
        assert [-entry.delta for entry in result.entries if entry.account == "treasury"] == [now[kind]]


def test_a_kingdom_without_a_bp_may_still_ask_the_free_city_in_its_land() -> None:
    """Ruling free_city: asking again costs nothing, so it is offered; the other claims are not."""
    map = {"hexes": {"0405": {"free_city": {"name": "Oldwick"}}}}
    world = world_of({"examplia": {"treasury": 0, "hexes": {"0404": [], "0405": []}}}, map)
    assert [(row["hex"], row["price"]) for row in offered(world)["claimable"]] == [("0405", 0)]


def test_what_a_plan_waits_to_do_has_used_up_nothing_of_what_orders_may_spend() -> None:
    """Ruling work_plan: explicit orders come first."""
    world = world_of({"examplia": {"treasury": 20, "hexes": {"0404": []}}}, state={"examplia": {"plan": ["farm 0404"]}})
    seen = known(world, "examplia", RULES)
    assert may_do(seen, before_orders(seen, "examplia", RULES), "examplia", RULES) == offered(
        world_of({"examplia": {"treasury": 20, "hexes": {"0404": []}}})
    )


def test_what_a_report_says_may_be_done_is_offered() -> None:
    """Both draw on one list of candidates; only whether a building finds a lot is left open in a report."""
    world = world_of({"examplia": {"treasury": 60, "hexes": {"0404": [], "0405": []}}})
    seen, shown = known(world, "examplia", RULES), offered(world)
    orders = [offer.order for offer in offers(seen, "examplia", RULES, {})]
    claims = [row["hex"] for row in shown["claimable"]]
    improvements = [{"hex": row["hex"], "build": each["order"]} for row in shown["hexes"] for each in row["options"]]
    assert claims and improvements
    assert [order for order in claims + improvements if order not in orders] == []
