"""Armies at home: how kingdoms start with them, what a report and the form tell of them, and what always holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.games.realm.armies import rating
from kingdom.games.realm.report.printed_sheet import sheet
from kingdom.games.realm.report.text_form import form_of
from kingdom.games.realm.report.view import view
from kingdom.games.realm.sheet import sources
from kingdom.games.realm.state import World
from tests.games.realm.kit import load_yaml, orders_of, rules_of, run, world_of
from tests.kit.examples import tries

RULES = rules_of()
GUARD = {"name": "Guard", "unit": "dwarf", "size": "large", "resources": ["mounts", "siege_engines", "siege_engines"]}


def kingdom_of(*armies: dict[str, Any], **more: Any) -> World:
    settlements = {"Oakhold": {"buildings": ["smithy", "barracks"]}}
    given = {"hexes": {"0404": [], "0405": []}, "settlements": settlements, "armies": list(armies), **more}
    return world_of({"examplia": given})


# --- the start


def test_armies_of_a_start_are_whole_and_stand_in_the_capital() -> None:
    army = sheet(kingdom_of(GUARD), "examplia", RULES)["armies"]["Guard"]
    assert (army["hex"], army["hp"], army["full_hp"], army["morale"]) == ("0404", 16, 16, 0)
    assert army["resources"] == {"mounts": 1, "siege_engines": 2}
    assert army["tactics"] == ["defensive_wall"]  # its people's


def test_a_start_may_name_hex_tactics_and_reserve() -> None:
    scouts = {
        "name": "Scouts",
        "unit": "elf",
        "size": "small",
        "hex": "0606",
        "tactics": ["taunt", "standard", "taunt"],
    }
    watch = {"name": "Watch", "unit": "warrior", "size": "medium", "reserve": True}
    armies = sheet(kingdom_of(scouts, watch), "examplia", RULES)["armies"]
    assert armies["Scouts"]["hex"] == "0606" and armies["Scouts"]["tactics"] == ["sniper_support", "taunt"]
    assert armies["Watch"]["reserve"]


def test_consumption_says_which_army_eats_it() -> None:
    world = kingdom_of(GUARD)
    rows = sources(world.kingdoms["examplia"], world.hexes, RULES)
    assert ("consumption", 1 + 2 + 2 * 3, "Guard (large, Dwarven defenders)") in rows  # ACR 3, mounts by two, engines


# --- its end


def test_a_destroyed_kingdom_has_no_armies() -> None:
    world = world_of(
        {"examplia": {"hexes": {}, "settlements": {}, "armies": [{**GUARD, "hex": "0606"}]}, "borderia": {}},
        state={"examplia": {"began_empty": True}},
    )
    result = run(world, {}, steps="end_of_turn")
    assert result.after.kingdoms["examplia"].destroyed and not result.after.kingdoms["examplia"].armies
    assert [(entry.account, entry.delta) for entry in result.entries if entry.cause == "destroyed"] == [
        ("consumption", -9)
    ]


# --- whom to recruit, and with what

MONSTERS = {"ghoul", "skeleton", "zombie", "worg", "yeti", "tarrasque"}
SLOTS = {
    "fine": 1,
    "diminutive": 1,
    "tiny": 1,
    "small": 1,
    "medium": 1,
    "large": 2,
    "huge": 4,
    "gargantuan": 8,
    "colossal": 16,
}
SMITHS = ["foreign_quarter", "military_academy", "smithy"]
NEEDS = {  # resource -> the buildings, any of which will do; BP for a Medium army and for a Large one
    "healing_potions": (
        ["alchemist", "casters_tower", "cathedral", "herbalist", "magic_shop", "magical_academy", "temple"],
        10,
        20,
    ),
    "improved_armor": (SMITHS, 3, 6),
    "magic_armor": (SMITHS, 15, 30),
    "improved_weapons": (SMITHS, 5, 10),
    "magic_weapons": (SMITHS, 50, 100),
    "mounts": (["foreign_quarter", "stable", "stockyard"], 1, 2),
    "ranged_weapons": ([], 2, 4),
    "siege_engines": (["academy", "foreign_quarter", "military_academy", "university"], 15, 15),
}


def ordered(
    order: dict[str, Any], buildings: Sequence[str] = (), size: int = 101, **kingdom: Any
) -> tuple[int, list[str], int]:
    """(BP paid, codes of refusals, settlements of the improvement table used) of one order to an army."""
    given = {"treasury": 900, "settlements": {"Oakhold": {"buildings": list(buildings)}}, **kingdom}
    world = world_of({"examplia": given}, state={"examplia": {"edict_size": size}})
    result = run(world, {"examplia": {"armies": [order]}}, steps="create_army_units")
    after = result.after.kingdoms["examplia"]
    refused = [notice.facts["code"] for notice in result.notices if notice.kind == "refusal"]
    return 900 - after.treasury, refused, after.used.get("settlements", 0)


@pytest.mark.parametrize("unit", RULES.units)
def test_kingdoms_recruit_people_and_no_monsters(unit: str) -> None:
    _, refused, _ = ordered({"recruit": "First Foot", "size": "medium", "unit": unit, "from": "Oakhold"})
    assert refused == (["recruit_unit"] if unit in MONSTERS else [])


@pytest.mark.parametrize("size", RULES.army_sizes)
def test_a_new_army_uses_settlements_by_its_size(size: str) -> None:
    assert ordered({"recruit": "First Foot", "size": size, "unit": "warrior", "from": "Oakhold"})[2] == SLOTS[size]


@pytest.mark.parametrize("resource", RULES.army_resources)
def test_a_resource_needs_one_of_its_buildings(resource: str) -> None:
    needs, medium, large = NEEDS[resource]
    order = {"equip": "First Foot", "with": resource}
    armies = [[{"name": "First Foot", "unit": "warrior", "size": size}] for size in ("medium", "large")]
    for building in needs:
        assert ordered(order, [building], armies=armies[0])[:2] == (medium, [])
    assert ordered(order, needs[:1], armies=armies[1])[:2] == (large, [])
    others = ["house", "smithy" if "smithy" not in needs else "stable"]
    assert ordered(order, others, armies=armies[0])[1] == (["equip_needs"] if needs else [])


@pytest.mark.parametrize("resource", RULES.army_resources)
def test_an_army_has_a_resource_once_but_for_engines(resource: str) -> None:
    armies = [{"name": "First Foot", "unit": "warrior", "size": "medium", "resources": [resource]}]
    _, refused, _ = ordered({"equip": "First Foot", "with": resource}, NEEDS[resource][0][:1], armies=armies)
    assert refused == ([] if resource == "siege_engines" else ["equip_has"])


# --- what is told


def test_the_report_shows_the_kingdoms_own_armies() -> None:
    world = world_of({"examplia": {"armies": [GUARD]}, "borderia": {"armies": [{**GUARD, "name": "Foes"}]}})
    result = run(
        world,
        orders_of({"examplia": {"armies": [{"army": "Guard", "strategy": "cautious", "withdraw": 50}]}}, world, RULES),
    )
    (row,) = view(result, "examplia", RULES)["armies"]
    assert (row["name"], row["what"], row["where"]) == ("Guard", "large, Dwarven defenders", "0404 (Oakhold)")
    assert {each["name"]: each["value"] for each in row["figures"]} == {
        "ACR": "3", "hit points": "16 of 16", "DV": 15, "OM": 7, "morale": "0", "Consumption": 9,
    }  # fmt: skip
    assert row["has"] == ["Resources: Mounts, 2 Siege engines", "Tactics: Defensive wall"]


def test_what_is_amiss_with_an_army_is_told() -> None:
    state = {
        "examplia": {
            "armies": {"Guard": {"unpaid": 2, "routed": True, "illness": 1, "reserve": True, "paid": 1, "morale": -2}}
        }
    }
    world = world_of(
        {"examplia": {"settlements": {"Oakhold": {"buildings": ["castle"]}}, "armies": [GUARD]}}, state=state
    )
    (row,) = view(run(world, {}, steps="doors"), "examplia", RULES)["armies"]
    assert row["notes"] == [
        "in reserve, paid for 1 more turn", "not paid for 2 turns", "routed: it begins no fight until it takes courage",
        "ill: -1 to OM and DV",
    ]  # fmt: skip


@pytest.mark.parametrize(("number", "text"), [(1 / 8, "1/8"), (1 / 3, "1/3"), (1 / 2, "1/2"), (1, "1"), (12, "12")])
def test_an_acr_is_written_as_in_the_tables(number: float, text: str) -> None:
    assert rating(number, RULES) == text


@pytest.mark.parametrize(
    ("armies", "line"),
    [
        ([], "#armies: recruit First Foot as fine warrior from Oakhold"),
        ([GUARD], "#armies: Guard to 0304, recruit First Foot as fine warrior from Oakhold"),
        (
            [{**GUARD, "name": "first foot"}],
            "#armies: first foot to 0304, recruit First Foot 2 as fine warrior from Oakhold",
        ),
    ],
)
def test_the_form_has_a_line_for_armies_which_is_an_order(armies: list[dict[str, Any]], line: str) -> None:
    world = kingdom_of(*armies)
    assert [each for each in form_of(world, "examplia", RULES) if each.startswith("#armies")] == [line]
    assert orders_of({"examplia": load_yaml(line.removeprefix("#"))}, world, RULES)["examplia"]["armies"]


def test_a_form_with_many_armies_shows_what_fits_a_line() -> None:
    world = kingdom_of(*({**GUARD, "name": f"The Guard of the {number}th Gate"} for number in range(5)))
    (line,) = [line for line in form_of(world, "examplia", RULES) if line.startswith("#armies")]
    assert line == "#armies: The Guard of the 0th Gate to 0304"  # a recruit as well would need a second line


# --- what always holds

NAMES = st.sampled_from(["Guard", "guard", "First Foot", "Third", "Nobody"])
ORDERS = st.lists(
    st.one_of(
        st.fixed_dictionaries({
            "recruit": NAMES, "size": st.sampled_from(list(RULES.army_sizes)), "unit": st.sampled_from(list(RULES.units)),
            "from": st.sampled_from(["Oakhold", "Millford"]),
            "with": st.lists(st.sampled_from(list(RULES.army_resources)), max_size=3),
        }),
        st.fixed_dictionaries({"expand": NAMES, "to": st.sampled_from(list(RULES.army_sizes))}),
        st.fixed_dictionaries({"equip": NAMES, "with": st.sampled_from(list(RULES.army_resources)), "count": st.integers(1, 3)}),
        st.fixed_dictionaries({"repair": NAMES}),
        st.fixed_dictionaries({"disband": NAMES}),
        st.fixed_dictionaries({"disband": NAMES, "to": NAMES}),
        st.fixed_dictionaries({"reserve": NAMES}),
    ),
    max_size=8,
)  # fmt: skip


@tries(30, 150)
@given(ORDERS, st.integers(-5, 60), st.sampled_from([1, 20, 101]))
def test_whatever_is_ordered_limits_and_treasury_hold(orders: list[dict[str, Any]], treasury: int, size: int) -> None:
    """And the books balance, which is proved after every step."""
    world = world_of({"examplia": {"treasury": treasury, "settlements": {"Oakhold": {"buildings": ["smithy", "stable", "garrison", "university"]}}, "armies": [GUARD]}},
                     state={"examplia": {"edict_size": size}})  # fmt: skip
    result = run(
        world,
        {"examplia": {"armies": orders}},
        steps=["create_army_units", "pay_consumption", "keep_armies"],
        until="edict",
    )
    after = result.after.kingdoms["examplia"]
    assert after.treasury >= min(0, treasury)
    assert after.used.get("settlements", 0) <= {1: 1, 20: 2, 101: 16}[size]
    assert len({name.casefold() for name in after.armies}) == len(after.armies)
    assert sum(army.reserve for army in after.armies.values()) <= 1  # the garrison holds one
    for army in sheet(result.after, "examplia", RULES)["armies"].values():
        assert 0 < army["hp"] <= army["full_hp"] and army["consumption"] >= 1
        assert all(count == 1 or RULES.army_resources[name].one_size for name, count in army["resources"].items())
    assert len([notice for notice in result.notices if notice.kind == "refusal"]) <= len(orders)
    done = run(world, {"examplia": {"armies": orders}}, steps=["create_army_units", "pay_consumption", "keep_armies"])
    assert set(done.after.kingdoms["examplia"].armies) == set(after.armies)
