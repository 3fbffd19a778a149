"""Step 4 as a whole: what always holds, what a destroyed building leaves. The rules one by one are in cases/."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Building, Rubble
from kingdom.games.realm.steps.towns.buildings import destroy_building, price_of
from kingdom.games.realm.steps.towns.lots import find
from kingdom.games.realm.steps.towns.plan import Plan
from tests.games.realm.kit import orders_of, rules_of, run, world_of

RULES = rules_of()
STEPS = ["found_settlements", "build"]


def kingdom_of(*buildings: str, **more: Any):
    """Examplia with these buildings in Oakhold, written `house A1`, and prepared ground beside it; and its world."""
    made = [{"id": kind, "lot": lot, "tall": bool(tall)} for kind, lot, *tall in (each.split() for each in buildings)]
    world = world_of(
        {"examplia": {"hexes": {"0404": [], "0405": ["prepared"]}, "settlements": {"Oakhold": {"hex": "0404"}}}},
        state={"examplia": {"settlements": {"Oakhold": {"buildings": made}}, **more}},
    )
    return world.kingdoms["examplia"], world


# --- a destroyed building


def test_a_destroyed_building_leaves_rubble_and_1_unrest_a_lot():
    kingdom, _ = kingdom_of("castle B2", "house A1")
    after = destroy_building(kingdom, "Oakhold", kingdom.settlements["Oakhold"].buildings[0], 1, RULES)
    assert after.unrest == kingdom.unrest + 4
    assert after.settlements["Oakhold"].buildings == (Building("house", "A1"),)
    assert after.settlements["Oakhold"].rubble == tuple(Rubble("castle", lot) for lot in ("B2", "C2", "B3", "C3"))


def test_a_destroyed_wall_takes_no_lot_and_stirs_no_unrest():
    kingdom, _ = kingdom_of("city_wall north", "watergate north")
    after = destroy_building(kingdom, "Oakhold", kingdom.settlements["Oakhold"].buildings[0], 1, RULES)
    assert after.unrest == kingdom.unrest
    assert after.settlements["Oakhold"].buildings == () == after.settlements["Oakhold"].rubble


def test_foreseen_without_dice_the_step_does_the_same():
    _, world = kingdom_of("tenement A1")
    filed = {"examplia": {"settle": "Newford 0405", "build": "house in Newford, inn in Oakhold"}}
    orders = orders_of(filed, world, RULES)
    foreseen = resolve(GAME, world, orders, NoDice(), RULES, until="edict")
    resolved = run(world, orders, until="edict")
    assert foreseen.after == resolved.after and foreseen.entries == resolved.entries


# --- what always holds

KINDS = st.sampled_from(sorted(RULES.buildings))
NAMED = [{"lot": "A1"}, {"lot": "C3"}, {"lot": "2-F6"}, {"border": "north"}, {"lot": "F6"}]
PLACES = st.sampled_from([{}, {}, {}, *NAMED])
WHERE = st.sampled_from(["Oakhold", "Newford"])
UPGRADES = st.sampled_from([(old, new) for old, kind in RULES.buildings.items() for new in kind.upgrades_to])
ORDERS = st.one_of(
    st.builds(lambda name, kind, place: {"in": name, "build": kind, **place}, WHERE, KINDS, PLACES),
    st.builds(lambda name, pair: {"in": name, "upgrade": pair[0], "to": pair[1]}, WHERE, UPGRADES),
    st.builds(lambda name, kind: {"in": name, "demolish": kind}, WHERE, KINDS),
    st.builds(lambda name: {"in": name, "build": "district"}, WHERE),
)


def village(size: int):
    """Examplia of that size in the eyes of the limits, with something of each sort in Oakhold, and money enough."""
    homes = ["tenement A1", "house B1", "mansion D4"]
    others = ["shop B2", "barracks F1", "cistern A1", "city_wall south", "library E6"]
    return kingdom_of(*homes, *others, edict_size=size, treasury=150)[1]


@given(st.lists(ORDERS, max_size=12), st.sampled_from([5, 30, 120]))
def test_whatever_is_ordered_the_limits_the_treasury_and_the_lots_hold(orders, size):
    world = village(size)
    kept = msgspec.json.encode(world)
    filed = {"examplia": {"settle": [{"hex": "0405", "name": "Newford"}], "build": orders}}
    result = run(world, filed, steps=STEPS)
    assert msgspec.json.encode(world) == kept
    kingdom = result.after.kingdoms["examplia"]
    assert kingdom.treasury >= 0 and kingdom.unrest >= 0
    assert kingdom.used.get("buildings", 0) <= limits(kingdom, RULES).buildings
    for settlement in kingdom.settlements.values():
        ground = Plan(settlement.districts, (), RULES)
        for building in settlement.buildings:
            assert ground.fits(building)
            ground.add(building)
    assert msgspec.json.decode(msgspec.json.encode(result.after), type=GAME.State) == result.after


@given(st.lists(ORDERS, min_size=1, max_size=8), st.integers(0, 7))
def test_a_refused_order_is_as_if_it_had_not_been_given(orders, index):
    """Ruling: refused_is_free."""
    filed = {"examplia": {"settle": [{"hex": "0405", "name": "Newford"}], "build": orders}}
    result = run(village(30), filed, steps=STEPS)
    refused = [notice.facts["order"] for notice in result.notices if notice.kind == "refusal"]
    stood = [order for number, order in enumerate(orders) if f"build[{number}]" not in refused]
    again = run(village(30), {"examplia": {**filed["examplia"], "build": stood}}, steps=STEPS)
    assert again.after == result.after and again.entries == result.entries and not again.notices


def refusals(result):
    return [notice.facts["code"] for notice in result.notices if notice.kind == "refusal"]


@given(st.lists(KINDS, max_size=8))
@example(["city_wall", "waterway"])
def test_the_price_that_a_report_names_is_the_price_that_is_paid(kinds):
    world = village(120)
    for kind in kinds:
        kingdom = world.kingdoms["examplia"]
        oakhold = kingdom.settlements["Oakhold"]
        place, objection = find(Plan(oakhold.districts, oakhold.buildings, RULES), kind)
        named = price_of(oakhold, kind, RULES).bp
        result = run(world, {"examplia": {"build": [{"in": "Oakhold", "build": kind}]}}, steps=["build"])
        after = result.after.kingdoms["examplia"]
        if objection or named > kingdom.treasury or refusals(result) == ["wall_wants_gate"]:
            assert after is kingdom and len(result.notices) == 1
        else:
            assert kingdom.treasury - after.treasury == named
            assert after.settlements["Oakhold"].buildings[-1] == place
        world = result.after


@pytest.mark.parametrize("name", ["OAKHOLD", "oakhold", "Oakhold"])
def test_a_settlement_is_found_by_its_name_however_it_is_written(name):
    _, world = kingdom_of()
    result = run(world, {"examplia": {"build": [{"in": name, "build": "brewery"}]}}, steps=["build"])
    assert not result.notices
