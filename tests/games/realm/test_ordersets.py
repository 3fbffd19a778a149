"""The sets of orders that a report offers: none of it is refused, each costs and leaves what it says, nothing hidden is in it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import NoDice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.offers.course import before_orders, without_orders
from kingdom.games.realm.offers.offers import may_do
from kingdom.games.realm.report.order_sets import order_sets
from kingdom.games.realm.state import World, replace
from kingdom.games.realm.visibility.known import known
from kingdom.orders import orders_file as filing
from tests.games.realm.kit import rules_of, run, world_of
from tests.games.realm.reportkit import EXAMPLIA, KINGDOMS, MAP, section, the_turn
from tests.games.realm.worlds import filings, worlds

RULES = rules_of()


def sets_of(world: World, seat: str) -> list[dict[str, Any]]:
    seen = known(world, seat, RULES)
    offers = may_do(seen, before_orders(seen, seat, RULES), seat, RULES)
    return order_sets(seen, seat, RULES, without_orders(seen, seat, RULES), offers) if offers else []


def tried(world: World, seat: str, lines: list[str]) -> Result:
    """The Edict phase of the next turn with these lines filed, from what the seat knows."""
    names = {**GAME.names(RULES), "seats": list(world.kingdoms)}
    text = "\n".join([f"kingdom: {seat}", f"turn: {world.turn + 1}", *lines])
    filed = filing.read(text.encode(), "set.yaml", GAME, names, seat, world.turn + 1)
    assert filed.problems == [] and filed.orders
    return resolve(GAME, known(world, seat, RULES), {seat: filed.orders}, NoDice(), RULES, until=GAME.foreseen_to)


@given(worlds(), filings(), st.data())
def test_no_order_of_a_set_is_refused_and_it_costs_and_leaves_what_it_says(
    world: World, filed: dict[str, Any], data: st.DataObject
) -> None:
    after = run(world, filed).after
    seat = data.draw(st.sampled_from(list(after.kingdoms)))
    for found in sets_of(after, seat):
        result = tried(after, seat, found["lines"])
        assert [
            notice.facts["reason"] for notice in result.notices if notice.kind == "refusal" and notice.seat == seat
        ] == []
        assert result.after.kingdoms[seat].treasury == found["left"]


def test_the_same_sets_come_every_time_and_no_two_are_the_same() -> None:
    world = world_of(KINGDOMS, MAP)
    found = sets_of(world, "examplia")
    assert found == sets_of(world, "examplia") and found
    assert len({tuple(each["lines"]) for each in found}) == len(found) <= 3


def test_they_stand_in_the_report_with_their_cost_and_their_lines() -> None:
    text = section(the_turn(), "WHAT YOU MAY DO IN TURN 2")
    for found in sets_of(the_turn().after, "examplia"):
        assert f"    {found['name']}, {found['means'][:20]}" in text and f"        {found['lines'][0]}"[:60] in text
        assert f"costs {found['cost']} BP, leaves {found['left']}" in " ".join(text.split())


def test_a_kingdom_in_anarchy_or_destroyed_is_offered_none() -> None:
    world = world_of(
        {"examplia": {}, "borderia": {}},
        state={"examplia": {"anarchy": 1, "unrest": 20}, "borderia": {"destroyed": True, "hexes": {}}},
    )
    assert sets_of(world, "examplia") == [] and sets_of(world, "borderia") == []


@pytest.mark.parametrize("treasury", [0, 3, 60])
def test_there_are_three_of_them_however_poor_the_kingdom_is(treasury: int) -> None:
    found = sets_of(world_of({"examplia": {**EXAMPLIA, "treasury": treasury}}, MAP), "examplia")
    names = [each["name"] for each in found]
    assert len(names) == 3 and (treasury or names == ["Hold", "Earn", "Ease"])


def test_what_a_turn_used_up_of_its_limits_is_free_again_in_the_sets_of_the_next() -> None:
    world = world_of({"examplia": EXAMPLIA}, MAP)
    spent = {"terrain": 12, "buildings": 12, "settlements": 12}
    used = replace(world, kingdoms={"examplia": replace(world.kingdoms["examplia"], used=spent)})
    assert sets_of(used, "examplia") == sets_of(world, "examplia")
    assert [each["name"] for each in sets_of(used, "examplia")] == ["Work", "Build", "Hold"]


def lines_of(**sheet: Any) -> dict[str, list[str]]:
    """Set -> its lines, for a kingdom with that sheet."""
    world = world_of({"examplia": {**EXAMPLIA, "treasury": 40, "unrest": 0, **sheet}}, MAP)
    return {found["name"]: found["lines"] for found in sets_of(world, "examplia")}


FIRM = {"economy": 60, "loyalty": 60, "stability": 60}


def test_a_claim_is_offered_only_while_it_is_safe() -> None:
    assert any(line.startswith("claim: ") for line in lines_of(attributes=FIRM)["Grow"])
    assert "Grow" not in lines_of(attributes=FIRM, unrest=2)
    assert "Grow" not in lines_of(attributes={**FIRM, "stability": 0})


def test_in_trouble_stability_is_led_and_heads_are_broken_if_that_should_succeed() -> None:
    broken = "loyalty: change_minds_by_breaking_heads"
    assert {"leadership: stability", broken} <= set(lines_of(attributes={**FIRM, "economy": 0}, unrest=2)["Hold"])
    assert broken not in lines_of(attributes={**FIRM, "loyalty": 0}, unrest=2)["Hold"]
    assert broken not in lines_of(attributes=FIRM, unrest=1)["Hold"]


def test_higher_taxes_come_without_less_for_the_people() -> None:
    assert lines_of(treasury=0)["Earn"] == ["taxation: light"]


def test_an_army_is_offered_only_if_another_ones_is_in_sight() -> None:
    army = {"name": "Host", "unit": "warrior", "size": "medium", "hex": "0304"}
    for armies in ([], [army]):
        kingdoms = {"examplia": {**EXAMPLIA, "unrest": 0}, "borderia": {**KINGDOMS["borderia"], "armies": armies}}
        found = {each["name"]: each["lines"] for each in sets_of(world_of(kingdoms, MAP), "examplia")}
        assert any(line.startswith("armies: ") for line in found["Hold"]) == bool(armies)
