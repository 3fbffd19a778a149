"""Each row of the tables of edicts, limits, alignments, governments, leadership, terrain and improvements, as a turn plays it.

What a row should do is taken from figures.yaml, which has the printed figures apart from the game's own tables.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kingdom.engine.problems import Faults
from kingdom.games.realm.sheet import accounts, led, limits, tax_bp
from kingdom.games.realm.state import World, replace, with_kingdoms
from kingdom.games.realm.steps.land.improvements import price
from tests.games.realm.kit import load_yaml, orders_of, rules_of, run, world_of

RULES = rules_of()
PRINTED = load_yaml((Path(__file__).parent / "figures.yaml").read_text(encoding="utf-8"))
PRIMARY = ("economy", "loyalty", "stability")
PARTS = {
    "vigilance": ("lore", "law"),
    "debauchery": ("corruption", "crime"),
    "opulence": ("society", "productivity"),
}
WIDE = {"grid": "\n".join("p" * 12 for _ in range(12))}


def rows(table: str) -> Any:
    return pytest.mark.parametrize("name", list(PRINTED[table]))


def numbers(world: World) -> dict[str, int]:
    return accounts(world.kingdoms["examplia"], world.hexes, RULES)


def moved(before: World, after: World) -> dict[str, int]:
    """By how much each account differs."""
    old, new = numbers(before), numbers(after)
    return {account: new[account] - old[account] for account in new if new[account] != old[account]}


def wanted(row: dict[str, Any]) -> dict[str, int]:
    """What a row of the listing adds to the accounts."""
    sums = {name: row.get(name, 0) for name in PRIMARY}
    sums |= {account: sum(row.get(part, 0) for part in parts) for account, parts in PARTS.items()}
    return {account: by for account, by in sums.items() if by}


# --- alignments, governments


@rows("alignments")
def test_an_alignment_adds_what_its_row_says(name: str) -> None:
    assert moved(world_of(), world_of({"examplia": {"alignment": name}})) == wanted(PRINTED["alignments"][name])


@rows("governments")
def test_a_government_adds_what_its_row_says(name: str) -> None:
    assert moved(world_of(), world_of({"examplia": {"government": name}})) == wanted(PRINTED["governments"][name])


@rows("governments")
def test_a_government_founds_its_first_settlement_with_its_building(name: str) -> None:
    world = world_of({"examplia": {"government": name, "hexes": {"0404": ["prepared"]}, "settlements": {}}})
    orders = orders_of({"examplia": {"settle": "Newford 0404"}}, world, RULES)
    founded = run(world, orders, steps="found_settlements").after.kingdoms["examplia"].settlements["Newford"]
    assert [building.id for building in founded.buildings] == [PRINTED["governments"][name]["starting_building"]]


# --- edicts


@pytest.mark.parametrize(
    ("category", "level"), [(category, level) for category, levels in PRINTED["edicts"].items() for level in levels]
)
def test_an_edict_level_adds_what_its_row_says(category: str, level: str) -> None:
    levels = PRINTED["edicts"][category]
    lowest = next(iter(levels))
    world = world_of()
    after = run(world, orders_of({"examplia": {"edicts": {category: level}}}, world, RULES), steps="edict_levels").after
    differs = {name: levels[level].get(name, 0) - levels[lowest].get(name, 0) for name in (*PRIMARY, "consumption")}
    assert moved(world, after) == {name: by for name, by in differs.items() if by}


@pytest.mark.parametrize("category", list(PRINTED["edicts"]))
def test_the_lowest_level_holds_from_the_start(category: str) -> None:
    world = world_of()
    assert getattr(world.kingdoms["examplia"], category) == next(iter(PRINTED["edicts"][category]))
    rows = [next(iter(levels.values())) for levels in PRINTED["edicts"].values()]
    start = {name: sum(row.get(name, 0) for row in rows) for name in PRIMARY}
    leadership = PRINTED["rulings"]["leadership_default"]
    start[leadership["first"]] += leadership["bonus"]
    assert {name: numbers(world)[name] for name in PRIMARY} == start


# --- what the size of the kingdom gives


def of_size(size: int, **fields: Any) -> World:
    labels = [f"{column:02d}{row:02d}" for column in range(1, 13) for row in range(1, 13)][:size]
    return world_of({"examplia": {"hexes": {label: [] for label in labels}, **fields}}, WIDE)


LIMITS = PRINTED["improvement_limits"]
SIZES = [
    (first, row) for before, row in pairwise([[-1], *LIMITS]) for first in (before[0] + 1, row[0] or before[0] + 50)
]


@pytest.mark.parametrize(("size", "row"), SIZES)
def test_limits_at_the_first_and_the_last_size_of_each_row(size: int, row: list[int]) -> None:
    kingdom = replace(world_of().kingdoms["examplia"], edict_size=size)
    found = limits(kingdom, RULES)
    assert [found.settlements, found.buildings, found.terrain, found.claims] == row[1:]


# size, to how many attributes, how much: from the text of Edict step 1
LEADERSHIP = [
    (0, 1, 3),
    (1, 1, 3),
    (24, 1, 3),
    (25, 2, 3),
    (49, 2, 3),
    (50, 3, 3),
    (74, 3, 3),
    (75, 3, 4),
    (99, 3, 4),
    (100, 3, 5),
    (125, 3, 6),
]


@pytest.mark.parametrize(("size", "count", "bonus"), LEADERSHIP)
def test_the_leadership_bonus_of_each_size(size: int, count: int, bonus: int) -> None:
    world = of_size(size, leadership=list(PRIMARY))
    assert led(world.kingdoms["examplia"], RULES) == PRIMARY[:count]
    without = with_kingdoms(
        world, {"examplia": replace(world.kingdoms["examplia"], edict_size=0, leadership=("economy",))}
    )
    least = {"economy": 3}
    differs = {name: (bonus if index < count else 0) - least.get(name, 0) for index, name in enumerate(PRIMARY)}
    assert moved(without, world) == {name: by for name, by in differs.items() if by}


def test_ruling_leadership_default_the_same_one_twice_leaves_room_for_another() -> None:
    world = of_size(25)
    named = {"examplia": {"leadership": ["stability", "stability", "loyalty"]}}
    after = run(world, orders_of(named, world, RULES), steps="leadership_bonus").after
    assert led(after.kingdoms["examplia"], RULES) == ("stability", "loyalty")


# --- terrain and what lies on it


@rows("terrain")
def test_what_can_be_done_on_a_terrain_costs_what_its_row_says(name: str) -> None:
    row = PRINTED["terrain"][name]
    if row.get("unseen") or row.get("as_adjacent"):
        return  # no ground of its own: test_improvements.py, test_known.py
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": []}}}, {"hexes": {"0405": {"terrain": name}}})
    kingdom = world.kingdoms["examplia"]
    for improvement, column in (("prepared", "preparation_cost"), ("farm", "farm_cost"), ("road", "road_cost")):
        assert price(kingdom, "0405", improvement, world, RULES) == row[column]


@rows("features")
def test_a_feature_adds_what_its_row_says(name: str) -> None:
    row = PRINTED["features"][name]
    hex = {name: True} if row.get("hidden") else {"features": [name]}
    bare, road = {"examplia": {"hexes": {"0404": []}}}, {"examplia": {"hexes": {"0404": ["road"]}}}
    assert moved(world_of(bare), world_of(bare, {"hexes": {"0404": hex}})) == row.get("kingdom", {})
    with_road = {key: row.get("kingdom", {}).get(key, 0) + by for key, by in row.get("with_road", {}).items()}
    assert moved(world_of(road), world_of(road, {"hexes": {"0404": hex}})) == (with_road or row.get("kingdom", {}))


@rows("features")
def test_a_feature_counts_as_water_and_for_roads_as_its_row_says(name: str) -> None:
    row = PRINTED["features"][name]
    hex = {name: True} if row.get("hidden") else {"features": [name]}
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": []}}}, {"hexes": {"0405": hex}})
    orders = orders_of({"examplia": {"improve": "farm 0405, road 0405"}}, world, RULES)
    result = run(world, orders, steps="terrain_improvements")
    refused = {notice.facts["order"] for notice in result.notices}
    assert ("improve[0]" in refused) == (not row.get("water"))
    like_river = row.get("doubles_roads") or name == "canal"  # ruling canal
    assert ("bridge" in result.after.kingdoms["examplia"].hexes["0405"]) == bool(like_river)


@rows("features")
def test_a_feature_of_many_hexes_adds_a_point_for_every_so_many(name: str) -> None:
    row = PRINTED["features"][name]
    river = row.get("per_hexes") or (PRINTED["features"]["river"]["per_hexes"] if name == "canal" else [])
    labels = [f"{column:02d}{number:02d}" for column in (1, 2) for number in range(1, 9)]
    for count in (3, 4, 7, 8, 16):
        if row.get("hidden"):
            return
        held = {"examplia": {"hexes": {label: [] for label in labels[:count]}}}
        lies = {"hexes": {label: {"features": [name]} for label in labels[:count]}}
        by_number = {each["attribute"]: count // each["every"] for each in river if count // each["every"]}
        for account, by in row.get("kingdom", {}).items():
            by_number[account] = by_number.get(account, 0) + by * count
        assert moved(world_of(held, WIDE), world_of(held, {**WIDE, **lies})) == by_number


@rows("features")
def test_what_is_hidden_is_not_written_among_the_features(name: str) -> None:
    world = {"hexes": {"0404": {"features": [name]}}}
    if PRINTED["features"][name].get("hidden"):
        with pytest.raises(Faults):
            world_of(map=world)
    else:
        assert world_of(map=world).hexes["0404"].features == (name,)


# --- improvements


@rows("improvements")
@pytest.mark.parametrize("resource", [False, True], ids=["bare", "with a resource"])
def test_an_improvement_adds_what_its_row_says(name: str, resource: bool) -> None:
    row = PRINTED["improvements"][name]
    held = {"hexes": {"0404": [], "0405": []}, "edicts": {"holiday": "short"}}
    land = {"hexes": {"0405": {"resource": resource}}}
    before = world_of({"examplia": held}, land)
    after = world_of({"examplia": {**held, "hexes": {**held["hexes"], "0405": [name]}}}, land)
    boost = PRINTED["features"]["resource"]["boosts"] if resource and row.get("boosted") else 0
    saves = PRINTED["features"]["resource"]["saves"] if resource and row.get("saves_more") else 0
    adds = {account: row[account] + boost for account in PRIMARY if account in row}
    if row.get("consumption", 0) - saves:
        adds["consumption"] = row.get("consumption", 0) - saves
    assert moved(before, after) == adds
    pays = sum(bp for _, bp in tax_bp(after.kingdoms["examplia"], after.hexes, RULES))
    assert pays == (row.get("tax_bp", 0) + boost if row.get("tax_bp") else 0)


@rows("improvements")
def test_an_improvement_changes_unrest_once_when_it_is_completed(name: str) -> None:
    row = PRINTED["improvements"][name]
    if row.get("order") is False:
        return
    ground = row.get("ground", ["plains"])[0]
    below = [row["upgrade_of"]] if row.get("only_upgrade") else []
    rules = rules_of({"improvements": {"highway": {"min_size": 0}}})
    kingdom = {"treasury": 90, "unrest": 9, "hexes": {"0404": [], "0405": below}}
    lies = {"hexes": {"0405": {"terrain": ground}, "0406": {"features": ["river"]}}}
    world = world_of({"examplia": kingdom}, lies)
    after = run(
        world, orders_of({"examplia": {"improve": f"{name} 0405"}}, world, rules), rules, steps="terrain_improvements"
    ).after
    assert name in after.kingdoms["examplia"].hexes["0405"]
    assert after.kingdoms["examplia"].unrest - 9 == row.get("unrest", 0)


@rows("improvements")
def test_an_improvement_becomes_buildings_where_a_settlement_is_founded(name: str) -> None:
    row = PRINTED["improvements"][name]
    built = [name] if name == "prepared" else [name, "prepared"]
    if not (row.get("shares_hex") or row.get("becomes")):
        return  # it keeps a site from being prepared
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": built}}})
    after = run(
        world, orders_of({"examplia": {"settle": "Newford 0405"}}, world, RULES), steps="found_settlements"
    ).after
    kingdom = after.kingdoms["examplia"]
    assert [building.id for building in kingdom.settlements["Newford"].buildings] == row.get("becomes", [])
    assert kingdom.hexes["0405"] == (() if row.get("becomes") or name == "prepared" else (name,))
