"""Edict step 3 as a whole: every improvement on every terrain, and what always holds. The rules one by one are in cases/."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import World
from kingdom.games.realm.steps.land.ground import terrain_of
from kingdom.games.realm.steps.land.improvements import possible, price
from tests.games.realm.kit import game_of, orders_of, rules_of, run, world_of

RULES = rules_of()
STEPS = ["terrain_improvements"]

# BP on each terrain, for a kingdom large enough, with fresh water beside the hex; `-`: not on that ground; `water`: a desert
# farm has no water of its own. The coastline lies beside hills.
ON_TERRAIN = """
             plains  hills  forest  mountains  marsh  desert  jungle  water  cavern  coastline
farm         2       4      -       -          -      water   -       -      -       4
fishery      -       -      -       -          4      -       -       4      -       4
mine         -       6      -       6          -      6       -       -      6       6
quarry       -       6      -       6          -      -       -       -      6       6
sawmill      -       -      3       -          -      -       3       -      -       -
road         1       3      2       4          4      4       4       -      4       3
canal        2       6      -       -          -      8       -       -      -       6
watchtower   12      12     12      12         12     12      12      -      12      12
fort         24      24     24      24         24     24      24      -      24      24
prepare      1       2      4       12         8      4       12      -      8       2
"""
HEAD, *ROWS = [line.split() for line in ON_TERRAIN.strip().splitlines()]
TABLE = [(row[0], terrain, cell) for row in ROWS for terrain, cell in zip(HEAD, row[1:], strict=False)]


def held(terrain: str, built: list[str] | None = None, features: tuple[str, ...] = (), **kingdom: Any) -> World:
    """Examplia with the capital in 0404 and this hex in 0405, beside a river in 0406; all around it are hills."""
    around = {label: {"terrain": "hills"} for label in ("0404", "0305", "0306", "0505", "0506")}
    hexes = {**around, "0406": {"terrain": "hills", "features": ["river"]}, "0405": {"terrain": terrain}}
    if features:
        hexes["0405"]["features"] = list(features)
    stated = {"treasury": 100, "hexes": {"0404": [], "0405": built or []}, **kingdom}
    return world_of({"examplia": stated}, {"hexes": hexes})


def outcome(world: World, improvement: str) -> str:
    """What came of the order: the BP that it cost, or the code of its refusal."""
    orders = orders_of({"examplia": {"improve": [{"hex": "0405", "build": improvement}]}}, world, RULES)
    result = run(world, orders, steps=STEPS)
    refused = [notice.facts["code"] for notice in result.notices]
    paid = world.kingdoms["examplia"].treasury - result.after.kingdoms["examplia"].treasury
    built = result.after.kingdoms["examplia"].hexes["0405"]
    assert bool(refused) != ({"prepare": "prepared"}.get(improvement, improvement) in built)
    return refused[0] if refused else str(paid)


def test_the_table_is_about_every_improvement_and_every_terrain() -> None:
    words = {name for name, kind in RULES.improvements.items() if kind.order} - {"highway"} | {"prepare"}
    assert {row[0] for row in ROWS} == words
    assert set(HEAD) == {name for name, terrain in RULES.terrain.items() if not terrain.unseen}


@pytest.mark.parametrize(("improvement", "terrain", "cell"), TABLE)
def test_every_improvement_on_every_terrain(improvement: str, terrain: str, cell: str) -> None:
    expected = {"-": "improve_ground", "water": "improve_own_water"}.get(cell, cell)
    assert outcome(held(terrain), improvement) == expected


@pytest.mark.parametrize("terrain", [terrain for terrain in HEAD if terrain != "water"])
def test_a_highway_costs_what_a_road_does_where_one_is(terrain: str) -> None:
    world = held(terrain, ["road"])
    kingdom = msgspec.structs.replace(
        world.kingdoms["examplia"],
        hexes={**world.kingdoms["examplia"].hexes, **{f"01{row:02d}": () for row in range(1, 27)}},
    )
    large = msgspec.structs.replace(world, kingdoms={"examplia": kingdom})
    assert price(kingdom, "0405", "highway", large, RULES) == price(kingdom, "0405", "road", held(terrain), RULES)
    assert ("highway", price(kingdom, "0405", "highway", large, RULES)) in possible(kingdom, "0405", large, RULES)


@pytest.mark.parametrize(("size", "allowed"), [(25, False), (26, True)])
def test_a_highway_needs_a_kingdom_of_size_26(size: int, allowed: bool) -> None:
    labels = [f"{column:02d}{row:02d}" for column in range(1, 6) for row in range(1, 8)]
    hexes = dict.fromkeys(["0405", *[label for label in labels if label != "0405"]][:size], ())
    world = held("plains")
    kingdom = msgspec.structs.replace(world.kingdoms["examplia"], hexes={**hexes, "0405": ("road",)})
    words = dict(possible(kingdom, "0405", msgspec.structs.replace(world, kingdoms={"examplia": kingdom}), RULES))
    assert ("highway" in words) == allowed


@pytest.mark.parametrize("feature", ["river", "coast"])
@pytest.mark.parametrize("terrain", ["plains", "hills", "forest", "mountains", "desert", "jungle", "cavern"])
def test_a_fishery_on_a_river_or_coast_of_any_land(terrain: str, feature: str) -> None:
    assert outcome(held(terrain, features=(feature,)), "fishery") == "4"


@pytest.mark.parametrize("feature", ["river", "coast", "canal"])
def test_a_desert_farm_with_water_of_its_own(feature: str) -> None:
    assert outcome(held("desert", features=(feature,)), "farm") == "8"


@pytest.mark.parametrize(("terrain", "ground"), [("plains", "hills"), ("hills", "forest or jungle")])
def test_the_refusal_says_on_which_ground(terrain: str, ground: str) -> None:
    improvement = "quarry" if terrain == "plains" else "sawmill"
    world = held(terrain)
    orders = orders_of({"examplia": {"improve": [{"hex": "0405", "build": improvement}]}}, world, RULES)
    reason = run(world, orders, steps=STEPS).notices[0].facts["reason"]
    assert reason.startswith(f"{improvement.capitalize()} is not built on {terrain}, as 0405 is") and ground in reason


# --- coastline


def coast(*beside: str) -> World:
    """Coastline in 0405, and land beside it clockwise from the north; the rest around it is water."""
    labels = ("0404", "0505", "0506", "0406", "0306", "0305")
    land = dict(zip(labels, beside, strict=False))
    hexes = {label: {"terrain": land.get(label, "water")} for label in labels}
    return world_of(
        {"examplia": {"hexes": {"0404": [], "0405": []}}}, {"hexes": {**hexes, "0405": {"terrain": "coastline"}}}
    )


@pytest.mark.parametrize(
    "beside, counts_as",
    [
        pytest.param(("hills",), "hills", id="the land beside it"),
        pytest.param(("mountains", "forest", "forest"), "forest", id="the cheapest to prepare"),
        pytest.param(("desert", "forest"), "forest", id="of equals the first in the table"),
        pytest.param(("marsh", "cavern"), "marsh", id="of equals the first in the table, however they lie"),
    ],
)
def test_coastline_counts_as_land_beside_it(beside: tuple[str, ...], counts_as: str) -> None:
    assert terrain_of("0405", coast(*beside).hexes, RULES) == counts_as


def test_coastline_beside_desert_has_a_coast_of_its_own() -> None:
    world = coast("desert")
    hexes = {**world.hexes, "0505": msgspec.structs.replace(world.hexes["0505"], features=("lake",))}
    world = msgspec.structs.replace(world, hexes=hexes)
    assert ("farm", 8) in possible(world.kingdoms["examplia"], "0405", world, RULES)


def test_coastline_without_land_beside_it_has_no_prices() -> None:
    hexes = {**coast("plains").hexes}
    hexes["0404"] = msgspec.structs.replace(hexes["0404"], terrain="water")
    assert terrain_of("0405", hexes, RULES) == "coastline"


# --- what is possible


def test_possible_lists_each_with_its_price() -> None:
    world = held("plains", features=("river",))
    kingdom = world.kingdoms["examplia"]
    assert dict(possible(kingdom, "0405", world, RULES)) == {
        "farm": 2, "fishery": 4, "road": 2, "canal": 2, "watchtower": 12, "fort": 24, "prepare": 1,
    }  # fmt: skip


def test_possible_leaves_limit_and_treasury_aside() -> None:
    world = held("plains", treasury=0)
    kingdom = msgspec.structs.replace(world.kingdoms["examplia"], used={"terrain": 99})
    assert ("watchtower", 12) in possible(kingdom, "0405", world, RULES)


def test_possible_offers_the_upgrade_at_the_difference() -> None:
    world = held("plains", ["watchtower"])
    assert ("fort", 12) in possible(world.kingdoms["examplia"], "0405", world, RULES)


def test_nothing_is_possible_where_a_monster_is_known() -> None:
    world = held("plains")
    hexes = {**world.hexes, "0405": msgspec.structs.replace(world.hexes["0405"], monsters=2)}
    assert possible(world.kingdoms["examplia"], "0405", msgspec.structs.replace(world, hexes=hexes), RULES) == []


def test_on_land_that_the_seat_does_not_know_nothing_is_foreseen() -> None:
    """A hex claimed beyond what is seen: before the turn runs nobody can say what may be built there."""
    world = held("plains")
    hexes = {**world.hexes, "0405": msgspec.structs.replace(world.hexes["0405"], terrain="unknown")}
    result = run(
        msgspec.structs.replace(world, hexes=hexes),
        {"examplia": {"improve": [{"hex": "0405", "build": "road"}]}},
        steps=STEPS,
    )
    assert [notice.facts["code"] for notice in result.notices] == ["improve_unseen"]


def test_it_is_foreseen_without_dice() -> None:
    world = held("plains")
    orders = orders_of({"examplia": {"improve": "farm 0405, road 0404"}}, world, RULES)
    foreseen = resolve(game_of(STEPS), world, orders, NoDice(), RULES)
    resolved = run(world, orders, steps=STEPS)
    assert (foreseen.after, foreseen.entries) == (resolved.after, resolved.entries)


# --- what always holds

WORDS = st.sampled_from([name for name, kind in RULES.improvements.items() if kind.order] + ["prepare"])
ORDERED = st.lists(
    st.fixed_dictionaries({"hex": st.sampled_from(["0404", "0405", "0406"]), "build": WORDS}), max_size=8
)
GROUND = st.sampled_from(list(HEAD))
LAND = st.fixed_dictionaries({"0405": GROUND, "0406": GROUND})


@given(LAND, ORDERED, st.integers(-1, 60), st.sampled_from([2, 30, 101]))
def test_every_improvement_is_paid_and_shares_its_hex_lawfully(
    land: dict, ordered: list, treasury: int, size: int
) -> None:
    hexes = {label: {"terrain": terrain, "features": ["river"]} for label, terrain in land.items()}
    stated = {"treasury": treasury, "hexes": {"0404": [], "0405": [], "0406": []}}
    world = world_of({"examplia": stated}, {"hexes": hexes}, RULES, {"examplia": {"edict_size": size}})
    kept = msgspec.json.encode(world)
    result = run(world, {"examplia": {"improve": ordered}}, steps=STEPS)
    assert msgspec.json.encode(world) == kept, "a step changed its input"
    before, after = world.kingdoms["examplia"], result.after.kingdoms["examplia"]
    done = len(ordered) - len(result.notices)
    assert done == after.used.get("terrain", 0) <= limits(before, RULES).terrain
    assert after.treasury == before.treasury or 0 <= after.treasury < before.treasury
    for built in after.hexes.values():
        assert len(built) == len(set(built))
        assert sum(not RULES.improvements[name].shares_hex for name in built) <= 1
        if "prepared" in built:
            assert all(RULES.improvements[name].shares_hex or RULES.improvements[name].becomes for name in built)
    assert not any(not RULES.improvements[name].shares_hex for name in after.hexes["0404"])


@given(LAND, WORDS, st.sampled_from(["0404", "0405", "0406"]))
def test_possible_is_what_an_order_would_get(land: dict, word: str, label: str) -> None:
    hexes = {at: {"terrain": terrain, "features": ["river"]} for at, terrain in land.items()}
    stated = {"treasury": 100, "hexes": {"0404": [], "0405": ["road", "bridge"], "0406": []}}
    world = world_of({"examplia": stated}, {"hexes": hexes})
    prices = dict(possible(world.kingdoms["examplia"], label, world, RULES))
    result = run(world, {"examplia": {"improve": [{"hex": label, "build": word}]}}, steps=STEPS)
    paid = None if result.notices else 100 - result.after.kingdoms["examplia"].treasury
    assert prices.get(word) == paid


def test_nothing_ordered_changes_nothing() -> None:
    world = world_of()
    after = run(world, {}, steps=STEPS).after
    assert after.kingdoms is world.kingdoms and after.hexes is world.hexes
