"""Was it the dice or me? What orders had to be expected to bring, against what came: on average right, from what the seat knew."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from kingdom.engine.dice import Dice
from kingdom.engine.ledger import Entry
from kingdom.engine.turn import resolve
from kingdom.games.realm.forecast.exact import ends_of, standing_in
from kingdom.games.realm.forecast.expected import expected
from kingdom.games.realm.forecast.turn_preview import without_orders
from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.expected_actual import reckoned
from kingdom.games.realm.report.story import CheckRow
from kingdom.games.realm.state import World
from tests.games.realm.kit import orders_of, rules_of, world_of

SECOND = rules_of()
TURNS = 400
ORDERS: dict[str, Any] = {
    "examplia": {"leadership": ["stability"], "edicts": {"taxation": "heavy"}, "claim": ["0405"], "loyalty": {"change_minds_by_breaking_heads": ""}}
}  # fmt: skip


def the_world(treasury: int = 3, unrest: int = 4, **hidden: Any) -> World:
    own = {"treasury": treasury, "unrest": unrest, "attributes": {"economy": 6, "loyalty": 5, "stability": 4}}
    return world_of({"examplia": own, "borderia": {"treasury": hidden.pop("rival", 10)}}, {"hexes": {"0505": hidden}})


def test_over_many_turns_each_cause_brings_what_was_expected() -> None:
    rules, world = SECOND, the_world()
    orders = orders_of(ORDERS, world, rules)
    foreseen = expected(world, "examplia", rules, orders["examplia"])
    assert foreseen
    turns = [resolve(GAME, world, orders, Dice(f"expected {seed}", 1), rules) for seed in range(TURNS)]
    for account in ("treasury", "unrest"):
        for cause, average in foreseen[account].items():  # type: ignore[literal-required]
            came = fmean(
                sum(
                    entry.delta
                    for entry in turn.entries
                    if (entry.kingdom, entry.account, entry.cause) == ("examplia", account, cause)
                )
                for turn in turns
            )
            assert came == pytest.approx(average, abs=0.45), (account, cause)
    for name, chance in foreseen["checks"].items():
        passed = fmean(
            notice.facts["success"]
            for turn in turns
            for notice in turn.notices
            if (notice.kind, notice.seat, notice.facts.get("name")) == ("check", "examplia", name)
        )
        assert passed == pytest.approx(chance, abs=0.08), name


@pytest.mark.parametrize("treasury", [0, 5, 40])
@pytest.mark.parametrize("unrest", [0, 6])
def test_without_orders_its_sum_is_the_average_of_all_ends(treasury: int, unrest: int) -> None:
    rules, world = SECOND, the_world(treasury, unrest)
    known = GAME.known(world, "examplia", rules)
    foreseen = expected(world, "examplia", rules, {})
    assert foreseen
    ends = ends_of(standing_in(without_orders(known, "examplia", rules), "examplia"), rules)
    ways = sum(ends.values())
    mean = {
        "treasury": sum(end.treasury * many for end, many in ends.items()) / ways,
        "unrest": sum(end.unrest * many for end, many in ends.items()) / ways,
    }
    assert treasury + sum(foreseen["treasury"].values()) == pytest.approx(mean["treasury"], abs=0.05)
    assert unrest + sum(foreseen["unrest"].values()) == pytest.approx(mean["unrest"], abs=0.05)


def test_what_the_seat_does_not_know_changes_nothing() -> None:
    one, other = the_world(rival=1), the_world(rival=90, monsters={"acr": 9})
    found = [
        expected(
            GAME.known(world, "examplia", SECOND), "examplia", SECOND, orders_of(ORDERS, world, SECOND)["examplia"]
        )
        for world in (one, other)
    ]
    assert found[0] == found[1]


def test_edition_one_tells_none() -> None:
    rules = rules_of({"event_going_on": None})
    assert expected(the_world(), "examplia", rules, {}) is None


def test_a_row_names_the_die_and_what_nobody_foresaw() -> None:
    world = the_world(treasury=40)
    orders = orders_of(ORDERS, world, SECOND)
    foreseen = expected(world, "examplia", SECOND, orders["examplia"])
    assert foreseen
    turn = resolve(GAME, world, orders, Dice("one", 1), SECOND)
    entries = [entry for entry in turn.entries if entry.kingdom == "examplia"]
    entries.append(entries[0]._replace(account="treasury", cause="grant", delta=9, detail="a gift of the GM"))
    check: CheckRow = {"name": "Economy", "sum": "", "dc": 0, "success": False, "did": "", "said": ""}
    entries = [entry for entry in entries if entry.cause != "taxes"]
    (row,) = [row for row in reckoned(foreseen, entries, [check]) if row["name"] == "treasury"]
    assert "grant: expected 0, came +9: left out beforehand, a gift of the GM" in row["causes"]
    assert any(
        cause.startswith("taxes: expected +") and cause.endswith("the die, a failure") for cause in row["causes"]
    )
    assert row["came"] == sum(entry.delta for entry in entries if entry.account == "treasury")


def test_a_success_that_spares_more_unrest_than_foreseen_is_no_low_one() -> None:
    entry = Entry(7, 1, "upkeep", "stability_check", "examplia", "unrest", -1, 0, "stability", "the check")
    check: CheckRow = {"name": "Stability", "sum": "", "dc": 0, "success": True, "did": "", "said": ""}
    foreseen = {"treasury": {}, "unrest": {"stability": -0.4}, "checks": {}}
    (row,) = reckoned(foreseen, [entry], [check])
    assert row["causes"] == ["stability: expected 0, came -1: the die, a success"]


def test_a_consumption_that_an_event_moved_is_told_with_the_event() -> None:
    def entry(phase: str, account: str, delta: int, cause: str, detail: str) -> Entry:
        return Entry(7, 1, phase, phase, "examplia", account, delta, 0, cause, detail)

    entries = [
        entry("event", "consumption", 2, "food_shortage", "Food shortage: success"),
        entry("edict", "consumption", 1, "claim", "0614"),
        entry("upkeep", "treasury", -7, "consumption", "Consumption 7"),
    ]
    (row,) = reckoned({"treasury": {"consumption": -5.0}, "unrest": {}, "checks": {}}, entries, [])
    assert row["causes"] == ["consumption: expected -5, came -7: Consumption 7, +2 of it by Food shortage: success"]


@pytest.mark.parametrize(
    ("came", "why"), [(3, "the die, a success"), (4, "they brought more than was known when you ordered")]
)
def test_what_no_die_brought_is_not_the_dies(came: int, why: str) -> None:
    """Works worth 3 BP at a chance of 55 % bring 3 at a success; a fourth came of a resource that was found in the turn."""
    entry = Entry(7, 1, "income", "collect_taxes", "examplia", "treasury", came, 0, "works", "Sawmill in 1305")
    check: CheckRow = {"name": "Economy", "sum": "", "dc": 0, "success": True, "did": "", "said": ""}
    foreseen = {"treasury": {"works": 1.65}, "unrest": {}, "checks": {"economy": 0.55}}
    (row,) = reckoned(foreseen, [entry], [check])
    assert row["causes"] == [f"works: expected +2, came +{came}: {why}"]
