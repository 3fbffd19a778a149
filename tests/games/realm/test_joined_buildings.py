"""Buildings that wait since their settlement joined: where a player reads of them, and where they count for nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kingdom.games.realm.forecast.forecast import notes
from kingdom.games.realm.hexmap import piers_of
from kingdom.games.realm.offers.offers import form_page
from kingdom.games.realm.report.printed_sheet import sheet
from kingdom.games.realm.report.survey import settlements
from kingdom.games.realm.state import Event, Kingdom, World
from kingdom.games.realm.steps.events.scene import bonuses
from tests.games.realm.forecasts import standing_of
from tests.games.realm.kit import rules_of, run, world_of
from tests.games.realm.reportkit import section

RULES = rules_of()


def world(buildings: list[str], waiting: int) -> World:
    """Examplia with Oakhold in 0404, of whose buildings so many wait, the last ones."""
    stands = [{"id": kind, "lot": f"{'ABCDEF'[number]}1"} for number, kind in enumerate(buildings)]
    wait = stands[len(stands) - waiting :] if waiting else []
    town = {"hex": "0404", "buildings": stands, "waiting": wait}
    return world_of({"examplia": {}}, state={"examplia": {"settlements": {"Oakhold": town}}})


def kingdom(buildings: list[str], waiting: int) -> Kingdom:
    return world(buildings, waiting).kingdoms["examplia"]


def town_of(buildings: list[str], waiting: int) -> Any:
    """Oakhold as the report has it."""
    given = world(buildings, waiting)
    (town,) = settlements(given.kingdoms["examplia"], given.hexes, 1, RULES)
    return town


def test_the_report_names_those_that_wait_and_says_how_many_a_turn_come() -> None:
    town = town_of(["shrine", "inn", "smithy"], 2)
    said = "2 not in service yet, 1 a turn to come (ruling joined_buildings): Inn at B1, Smithy at C1"
    assert town["amiss"] == [said]
    town = town_of(["shrine", "inn", "smithy"], 0)
    assert town["amiss"] == []


def test_sheet_form_and_forecast_say_how_many() -> None:
    given = world(["shrine", "inn", "smithy"], 2)
    figures: Any = sheet(given, "examplia", RULES)
    assert figures["settlements"]["Oakhold"]["waiting"] == 2
    model: Any = form_page(given, "examplia", RULES)
    (towns,) = [section for section in model["sections"] if section["id"] == "towns"]
    assert [part["about"] for part in towns["parts"]] == [
        "in 0404; 1 of its buildings not in service yet"
    ]  # as the orders find it
    said = "Buildings that are not in service yet by then: 1 in Oakhold (ruling joined_buildings)."
    assert notes(standing_of(given, "examplia", RULES, {}), []) == [said]


@pytest.mark.parametrize(("waiting", "piers"), [(0, {"0404"}), (1, set())])
def test_nobody_puts_to_sea_from_a_pier_that_waits(waiting: int, piers: set[str]) -> None:
    assert piers_of(kingdom(["pier"], waiting), RULES) == piers


@pytest.mark.parametrize(("kind", "building"), [("plague", "cathedral"), ("sensational_crime", "barracks")])
def test_in_an_event_those_that_wait_count_for_nothing(kind: str, building: str) -> None:
    event = Event(kind, 1, "0404", "Oakhold")
    assert bonuses(event, kingdom([building], 0), RULES) and not bonuses(event, kingdom([building], 1), RULES)


def test_the_news_of_what_the_ledger_tells_in_the_same_words_stands_once() -> None:
    """With what it did; that another waits is news of its own."""
    first = run(world(["shrine", "inn"], 2), {})
    second = run(first.after, {})
    for result, lines in (
        (first, ["Shrine in Oakhold in service; 1 more waits", "Shrine in Oakhold in service"]),
        (second, ["Inn in Oakhold in service"]),
    ):
        told = " ".join(f"{section(result, 'WHAT HAPPENED, DIE BY DIE')} {section(result, 'THE LEDGER')}".split())
        assert re.findall(r"- (\w+ in Oakhold in service[^(]*?) \(ruling", told) == lines
