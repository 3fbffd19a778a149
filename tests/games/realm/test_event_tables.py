"""The five percentile tables, face by face, against the printed widths; every kind in them has its row of effects."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.games.realm.state import Chance, Event, replace
from kingdom.games.realm.steps.events.events import KINDS
from tests.games.realm.kit import rules_of, run, world_of

RULES = rules_of()
# table -> (first face, last face, what comes up, whether one rolls again, what a second one does), as printed
PRINTED = {
    "event_type": [
        (1, 2, "natural_blessing", True, "stop"), (3, 4, "good_weather", True, "stop"),
        (5, 25, "beneficial_kingdom", False, ""), (26, 50, "dangerous_kingdom", False, ""),
        (51, 75, "beneficial_settlement", False, ""), (76, 96, "dangerous_settlement", False, ""),
        (97, 97, "bandit_activity", True, "elsewhere"), (98, 98, "squatters", True, "elsewhere"),
        (99, 99, "monster_attack", True, "elsewhere"), (100, 100, "vandals", True, "elsewhere"),
    ],
    "beneficial_kingdom": [
        (1, 7, "archaeological_find"), (8, 12, "diplomatic_overture"), (13, 20, "discovery"), (21, 31, "economic_boom"),
        (32, 39, "festive_invitation"), (40, 53, "food_surplus"), (54, 66, "good_weather"), (67, 75, "land_rush"),
        (76, 85, "natural_blessing"), (86, 90, "new_subjects"), (91, 100, "political_calm"),
    ],
    "dangerous_kingdom": [
        (1, 5, "assassination_attempt"), (6, 18, "bandit_activity"), (19, 28, "feud"), (29, 41, "food_shortage"),
        (42, 51, "improvement_demand"), (52, 59, "inquisition"), (60, 64, "large_disaster"), (65, 76, "monster_attack"),
        (77, 84, "plague"), (85, 92, "public_scandal"), (93, 100, "smugglers"),
    ],
    "beneficial_settlement": [
        (1, 14, "boomtown"), (15, 26, "discovery"), (27, 40, "justice_prevails"), (41, 46, "noblesse_oblige"),
        (47, 58, "outstanding_success"), (59, 66, "pilgrimage"), (67, 72, "remarkable_treasure"), (73, 81, "unexpected_find"),
        (82, 93, "visiting_celebrity"), (94, 100, "wealthy_immigrant"),
    ],
    "dangerous_settlement": [
        (1, 10, "building_demand"), (11, 17, "crop_failure"), (18, 25, "cult_activity"), (26, 33, "drug_den"),
        (34, 41, "feud"), (42, 49, "inquisition"), (50, 54, "localized_disaster"), (55, 61, "monster_attack"),
        (62, 66, "plague"), (67, 74, "sensational_crime"), (75, 80, "slavers"), (81, 90, "squatters"), (91, 100, "vandals"),
    ],
}  # fmt: skip


def test_no_table_and_no_kind_is_missing_or_extra() -> None:
    assert set(RULES.event_tables) == set(PRINTED)
    assert set(RULES.event_kinds) == set(KINDS), "KINDS stands in steps/events"


@pytest.mark.parametrize("table", PRINTED)
def test_every_face_brings_what_is_printed(table: str) -> None:
    for face in range(1, 101):
        row = next(row for row in RULES.event_tables[table] if face <= row.upto)
        printed = next(each for each in PRINTED[table] if each[0] <= face <= each[1])
        assert (row.event or row.table, row.again, row.twice) == (*printed[2:], False, "")[:3], f"{table} {face}"


def test_what_a_settlement_table_brings_strikes_a_settlement() -> None:
    for table, rows in RULES.event_tables.items():
        for row in rows:
            if row.event and table.endswith("_settlement"):
                kind = RULES.event_kinds[row.event]
                assert "settlement" in kind.scope and (row.place or kind.scope[0]) == "settlement", row.event


def test_every_kind_comes_up_in_some_table() -> None:
    assert {row.event for rows in RULES.event_tables.values() for row in rows if row.event} == set(KINDS)


def test_ruling_events_when_everything_is_forbidden_there_is_an_end_to_rolling() -> None:
    world = replace(world_of(), banned=tuple(sorted(KINDS)), chance=Chance(100, 100))
    result = run(world, {}, RULES, steps="roll_events")
    assert not result.after.kingdoms["examplia"].events
    assert sum(roll.name == "event_type" for roll in result.rolls) == 100


def test_ruling_event_substitutes_what_nobody_touches_is_invited_by_an_unnamed_realm() -> None:
    world = replace(world_of(), chance=Chance(100, 100))
    dice = {"examplia": {"event_type": 5, "event_beneficial_kingdom": 32}}
    event = run(world, {}, RULES, dice, steps="roll_events").after.kingdoms["examplia"].events["festive_invitation-1"]
    assert event.facts["host"] == "an unnamed realm"


# kind -> what it may strike, and whether it is one of the good ones, as printed
KINDS_PRINTED = {
    "archaeological_find": (["kingdom"], True), "assassination_attempt": (["kingdom"], False),
    "bandit_activity": (["kingdom"], False), "boomtown": (["settlement"], True), "building_demand": (["settlement"], False),
    "crop_failure": (["settlement"], False), "cult_activity": (["settlement"], False),
    "diplomatic_overture": (["kingdom"], True), "discovery": (["kingdom", "settlement"], True),
    "drug_den": (["settlement"], False), "economic_boom": (["kingdom"], True), "festive_invitation": (["kingdom"], True),
    "feud": (["kingdom", "settlement"], False), "food_shortage": (["kingdom"], False), "food_surplus": (["kingdom"], True),
    "good_weather": (["kingdom"], True), "improvement_demand": (["hex"], False),
    "inquisition": (["kingdom", "settlement"], False), "justice_prevails": (["settlement"], True),
    "land_rush": (["kingdom"], True), "large_disaster": (["hex"], False), "localized_disaster": (["settlement"], False),
    "monster_attack": (["hex", "settlement"], False), "natural_blessing": (["kingdom"], True),
    "new_subjects": (["kingdom"], True), "noblesse_oblige": (["settlement"], True),
    "outstanding_success": (["settlement"], True), "pilgrimage": (["settlement"], True), "plague": (["hex", "settlement"], False),
    "political_calm": (["kingdom"], True), "public_scandal": (["kingdom"], False), "remarkable_treasure": (["settlement"], True),
    "sensational_crime": (["settlement"], False), "slavers": (["settlement"], False), "smugglers": (["kingdom"], False),
    "squatters": (["settlement"], False), "unexpected_find": (["settlement"], True), "vandals": (["settlement"], False),
    "visiting_celebrity": (["settlement"], True), "wealthy_immigrant": (["settlement"], True),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS_PRINTED)
def test_what_a_kind_strikes_and_whether_it_is_good(kind: str) -> None:
    record = rules_of().event_kinds[kind]
    assert (list(record.scope), record.good) == KINDS_PRINTED[kind]


@pytest.mark.parametrize(
    ("face", "offer"),
    [(1, "embassy"), (60, "embassy"), (61, "treaty"), (90, "treaty"), (91, "alliance"), (100, "alliance")],
)
def test_what_an_envoy_offers(face: int, offer: str) -> None:
    facts = forced("diplomatic_overture", {"diplomatic_overture-offer": face}).facts
    assert facts["offer"] == offer


@pytest.mark.parametrize(("face", "demand"), [(1, "build"), (75, "build"), (76, "tear_down"), (100, "tear_down")])
def test_what_the_people_demand(face: int, demand: str) -> None:
    towns = {"Oakhold": {"hex": "0404", "buildings": ["inn"]}}
    assert forced("building_demand", {"building_demand-0404-demand": face}, towns).facts["demand"] == demand
    land = {"0404": ["road"]}
    assert forced("improvement_demand", {"improvement_demand-0404-demand": face}, towns, land).facts["demand"] == demand


@pytest.mark.parametrize(
    ("kind", "face", "building"),
    [
        ("noblesse_oblige", 50, "monument"), ("noblesse_oblige", 51, "park"), ("noblesse_oblige", 100, "park"),
        ("wealthy_immigrant", 75, "mansion"), ("wealthy_immigrant", 76, "noble_villa"), ("wealthy_immigrant", 100, "noble_villa"),
    ],
)  # fmt: skip
def test_what_somebody_builds_for_nothing(kind: str, face: int, building: str) -> None:
    assert forced(kind, {f"{kind}-0404-building": face}, {"Oakhold": {"hex": "0404"}}).facts["building"] == building


@pytest.mark.parametrize("holy", ["cathedral", "shrine", "temple"])
def test_each_holy_place_draws_pilgrims_and_makes_loyal(holy: str) -> None:
    towns = {"Oakhold": {"hex": "0404", "buildings": [holy]}}
    assert forced("pilgrimage", {}, towns)
    world = world_of({"examplia": {"settlements": towns}})
    kingdom = replace(world.kingdoms["examplia"], events={"pilgrimage-1": Event("pilgrimage", 1, "0404", "Oakhold")})
    after = run(replace(world, kingdoms={"examplia": kingdom}), {}, rules_of(), steps="events").after.kingdoms[
        "examplia"
    ]
    assert [(each.account, each.by) for each in after.modifiers] == [("loyalty", 1)]


@pytest.mark.parametrize(
    ("terrain", "what"), [("plains", "farm"), ("hills", "mine"), ("hills", "quarry"), ("forest", "sawmill")]
)
def test_what_settlers_build_where_the_ground_allows_it(terrain: str, what: str) -> None:
    grid = "www\nwpw\nw" + {"plains": "p", "hills": "h", "forest": "f"}[terrain] + "w\n"
    world = world_of({"examplia": {"hexes": {"0202": []}}}, {"grid": grid})
    orders = {"gm": {"gm": [{"event": "land_rush", "to": "examplia", "reason": "so be it"}]}}
    places = [("farm", "plains"), ("farm", "hills"), ("mine", "hills"), ("quarry", "hills"), ("sawmill", "forest")]
    there = [name for name, ground in places if ground == terrain]
    dice = {"land_rush-place": there.index(what) + 1} if len(there) > 1 else {}
    event = (
        run(world, orders, rules_of(), {"examplia": dice}, steps="gm_orders")
        .after.kingdoms["examplia"]
        .events["land_rush-1"]
    )
    assert (event.facts["at"], event.facts["what"]) == ("0203", what)


def forced(kind: str, dice: dict[str, int], towns: Any = None, land: Any = None) -> Event:
    """An event of that kind as the GM's order announces it to a kingdom of one hex."""
    rules = rules_of()
    world = world_of({"examplia": {**({"settlements": towns} if towns else {}), **({"hexes": land} if land else {})}})
    orders = {"gm": {"gm": [{"event": kind, "to": "examplia", "reason": "so be it"}]}}
    return (
        run(world, orders, rules, {"examplia": dice}, steps="gm_orders").after.kingdoms["examplia"].events[f"{kind}-1"]
    )
