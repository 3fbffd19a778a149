"""The figures of armies: the printed sample armies against the formulas, and what sizes and resources do to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kingdom.games.realm import armies
from kingdom.games.realm.state import Army, Commander
from kingdom.games.realm.steps.war.battle_sides import side_of_army
from tests.games.realm.kit import load_yaml, orders_of, rules_of, run, world_of

RULES = rules_of()
SAMPLES = load_yaml((Path(__file__).parent / "sample_armies.yaml").read_text(encoding="utf-8"))["armies"]
SIZES = ["fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"]


def army(unit: str = "fighter", size: str = "medium", **given: Any) -> Army:
    return Army(unit, size, "0404", 1, **given)


def figures(sample: dict[str, Any]) -> dict[str, int]:
    equipped = dict.fromkeys(sample.get("resources", ()), 1)
    one = army(sample["unit"], sample["size"], resources=equipped)
    return {
        "hp": armies.full_hp(one, RULES),
        "dv": armies.dv(one, RULES),
        "om": armies.om(one, RULES),
        "consumption": armies.consumption(one, RULES),
        "price": sum(armies.resource_cost(name, one.size, RULES) for name in equipped),
    }


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample["name"] for sample in SAMPLES])
def test_a_sample_army_has_the_figures_of_the_formulas(sample: dict[str, Any]) -> None:
    printed = {name: sample[name] for name in ("hp", "dv", "om", "consumption", "price") if name in sample}
    assert armies.acr(sample["unit"], sample["size"], RULES) == armies.number(sample["acr"])
    reckoned = figures(sample)
    assert {name: reckoned[name] for name in printed} == {**printed, **sample.get("formula", {})}


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample["name"] for sample in SAMPLES])
def test_a_sample_army_marches_as_fast_as_is_printed(sample: dict[str, Any]) -> None:
    assert RULES.units[sample["unit"]].speed == sample["speed"]
    assert armies.march_points(army(sample["unit"]), RULES) == {1: 6, 2: 8, 3: 10}[sample["speed"]]


def test_who_is_faster_than_the_table_goes_by_its_last_row() -> None:
    rules = rules_of({"movement": {"by_speed": [5, 7]}})
    assert [armies.march_points(army(unit), rules) for unit in ("fighter", "warrior", "worg")] == [5, 7, 7]


def test_of_45_sample_armies_8_are_printed_otherwise() -> None:
    differ = [sample["name"] for sample in SAMPLES if set(sample.get("formula", ())) - {"price"}]
    assert (len(SAMPLES), len(differ)) == (45, 8)


# --- ACR


def test_sizes_move_a_rating_along_the_ladder() -> None:
    assert [armies.acr("fighter", size, RULES) for size in SIZES] == [1 / 8, 1 / 8, 1 / 6, 1 / 3, 1, 3, 5, 7, 9]


def test_so_does_a_higher_rating() -> None:
    assert [armies.acr("elite_fighter", size, RULES) for size in SIZES] == [
        1 / 8,
        1 / 6,
        1 / 3,
        1,
        3,
        5,
        7,
        9,
        11,
    ]


def test_larger_armies_use_more_settlements_of_the_improvement_table() -> None:
    assert [RULES.army_sizes[size].slots for size in SIZES] == [1, 1, 1, 1, 1, 2, 4, 8, 16]


def test_acr_is_never_below_an_eighth() -> None:
    assert [armies.acr("warrior", size, RULES) for size in SIZES[:4]] == [1 / 8, 1 / 8, 1 / 8, 1 / 6]


def test_the_smallest_army_has_a_hit_point() -> None:
    assert armies.full_hp(army("warrior", "fine"), RULES) == 1


# --- resources

PRICES = {  # of each size, from fine to colossal
    "healing_potions": [1, 1, 2, 5, 10, 20, 40, 100, 200],
    "improved_armor": [1, 1, 1, 1, 3, 6, 12, 30, 60],
    "magic_armor": [1, 2, 3, 7, 15, 30, 60, 150, 300],
    "improved_weapons": [1, 1, 1, 2, 5, 10, 20, 50, 100],
    "magic_weapons": [6, 8, 12, 25, 50, 100, 200, 500, 1000],
    "mounts": [1, 1, 1, 1, 1, 2, 4, 10, 20],
    "ranged_weapons": [1, 1, 1, 1, 2, 4, 8, 20, 40],
    "siege_engines": [15] * 9,
}


@pytest.mark.parametrize("resource", PRICES)
def test_a_resource_costs_by_the_size_and_at_least_1_bp(resource: str) -> None:
    assert [armies.resource_cost(resource, size, RULES) for size in SIZES] == PRICES[resource]


ADDS = {  # resource -> DV, OM, Consumption of a Medium army
    "healing_potions": (0, 0, 0),
    "improved_armor": (1, 0, 1),
    "magic_armor": (2, 0, 2),
    "improved_weapons": (0, 1, 1),
    "magic_weapons": (0, 2, 2),
    "mounts": (2, 2, 1),
    "ranged_weapons": (0, 0, 1),
    "siege_engines": (0, 2, 3),
}


@pytest.mark.parametrize("resource", ADDS)
def test_what_a_resource_adds(resource: str) -> None:
    plain, equipped = army(), army(resources={resource: 1})
    found = [of(equipped, RULES) - of(plain, RULES) for of in (armies.dv, armies.om, armies.consumption)]
    assert tuple(found) == ADDS[resource]


def test_there_are_8_resources() -> None:
    assert set(RULES.army_resources) == set(ADDS) == set(PRICES)


def test_of_two_armours_the_better_counts() -> None:
    both = army(resources={"improved_armor": 1, "magic_armor": 1})
    assert (armies.dv(both, RULES), armies.consumption(both, RULES)) == (13, 3)


def test_of_two_kinds_of_weapons_the_better_counts() -> None:
    assert armies.om(army(resources={"magic_weapons": 1, "improved_weapons": 1}), RULES) == 3


def test_more_siege_engines_eat_more_and_add_no_more() -> None:
    three = army(resources={"siege_engines": 3})
    assert (armies.om(three, RULES), armies.consumption(three, RULES)) == (3, 10)


def test_resources_eat_by_the_size_and_siege_engines_do_not() -> None:
    resources = {"mounts": 1, "improved_armor": 1, "siege_engines": 1}
    assert armies.consumption(army("fighter", "huge", resources=resources), RULES) == 2 + 2 * 4 + 3
    assert armies.consumption(army("fighter", "small", resources=resources), RULES) == 1 + 1 + 3


# --- the rest


def test_illness_takes_off_dv_and_om() -> None:
    ill = army(illness=2)
    assert (armies.dv(ill, RULES), armies.om(ill, RULES)) == (9, -1)


def test_what_a_battle_adds_is_eaten_once_and_never_makes_consumption_negative() -> None:
    assert armies.consumption(army(fed=3), RULES) == 4
    assert armies.consumption(army(fed=-5), RULES) == 0


def test_an_army_knows_half_its_acr_in_tactics() -> None:
    assert [armies.most_tactics(army(size=size), RULES) for size in SIZES] == [0, 0, 0, 0, 0, 1, 2, 3, 4]


def test_boons_that_count_outside_of_battle() -> None:
    colossal = army(size="colossal")
    learned = army(size="colossal", commander=Commander(boons=("bonus_tactic", "live_off_the_land")))
    assert armies.most_tactics(learned, RULES) == armies.most_tactics(colossal, RULES) + 1
    assert (armies.consumption(colossal, RULES), armies.consumption(learned, RULES)) == (4, 2)


def test_a_tactician_knows_a_tactic_more() -> None:
    rules = rules_of({"units": {"fighter": {"specials": ["tactician"]}}})
    assert armies.most_tactics(army(), rules) == 1


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample["name"] for sample in SAMPLES])
def test_a_sample_army_fights_with_what_is_printed(sample: dict[str, Any]) -> None:
    unit = RULES.units[sample["unit"]]
    side = side_of_army("First", "examplia", army(sample["unit"], sample["size"]), RULES)
    assert sorted(side.specials) == sorted(sample.get("specials", ()))
    assert sorted(side.tactics) == sorted(sample.get("tactics", ()))
    assert (side.ranged, unit.evil) == (sample.get("ranged", False), sample.get("evil", False))
    assert side.mounted == sample.get("mounted", False)


PEOPLES = [
    "warrior",
    "fighter",
    "knight",
    "elite_fighter",
    "dwarf",
    "elf",
    "gnome",
    "half_orc",
    "halfling",
    "goblin",
    "goblin_warrior",
    "hobgoblin",
    "kobold",
    "orc",
    "orc_fighter",
    "boggard",
    "centaur",
    "drow",
    "duergar",
    "gnoll",
    "lizardfolk",
    "svirfneblin",
    "tengu",
    "troglodyte",
]


def test_peoples_may_be_recruited_and_creatures_not() -> None:
    assert {name for name, unit in RULES.units.items() if unit.recruit} == set(PEOPLES)
    assert {sample["unit"] for sample in SAMPLES} == set(RULES.units)


SELLS = {  # resource -> the buildings any one of which will do
    "healing_potions": "alchemist casters_tower cathedral herbalist magic_shop magical_academy temple",
    "improved_armor": "foreign_quarter military_academy smithy",
    "magic_armor": "foreign_quarter military_academy smithy",
    "improved_weapons": "foreign_quarter military_academy smithy",
    "magic_weapons": "foreign_quarter military_academy smithy",
    "mounts": "foreign_quarter stable stockyard",
    "ranged_weapons": "",
    "siege_engines": "academy foreign_quarter military_academy university",
}


TRIED = [(resource, building) for resource in SELLS for building in (*SELLS[resource].split(), "inn")]


@pytest.mark.parametrize(("resource", "building"), TRIED)
def test_a_resource_is_bought_where_one_of_its_buildings_stands(resource: str, building: str) -> None:
    capital = {"hex": "0404", "buildings": [building]}
    guard = {"name": "Guard", "unit": "fighter", "size": "medium"}
    world = world_of({"examplia": {"treasury": 99, "settlements": {"Oakhold": capital}, "armies": [guard]}})
    orders = orders_of({"examplia": {"armies": [{"equip": "Guard", "with": resource}]}}, world, RULES)
    after = run(world, orders, RULES, steps="create_army_units").after
    sold = building in SELLS[resource].split() or not SELLS[resource]
    assert (resource in after.kingdoms["examplia"].armies["Guard"].resources) == sold
