"""What holds of marches, battles, sieges and conquests in any world."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import Dice, NoDice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.armies import full_hp
from kingdom.games.realm.hexmap import cost, label_of, neighbours
from kingdom.games.realm.state import Army, Hex, Kingdom, Route, Settlement, World, replace
from kingdom.games.realm.visibility.known import known
from tests.games.realm.kit import game_of, orders_of, rules_of
from tests.kit.examples import tries

RULES = rules_of()
GAME = game_of(["move_armies", "fight_battles"])
LABELS = [label_of(column, row) for column in range(1, 5) for row in range(1, 5)]
SEATS = ("borderia", "cravonia", "examplia")
DEEDS = ("garrison", "patrol", "blockade", "raid", "attack", "allow")
SIZES = ("medium", "large", "huge", "colossal")


@st.composite
def armies(draw: Any, seat: str) -> dict[str, Army]:
    """Up to three armies of a kingdom anywhere on the map, whole or wounded."""
    made = {}
    for number in range(draw(st.integers(1, 3))):
        army = Army("warrior", draw(st.sampled_from(SIZES)), draw(st.sampled_from(LABELS)), 1)
        hp = draw(st.integers(1, full_hp(army, RULES)))
        target = draw(st.sampled_from(["", "", "monsters", *(other for other in SEATS if other != seat)]))
        deed = draw(st.sampled_from((*DEEDS, "attack", "attack", "attack")))
        made[f"Army {number}"] = replace(
            army, hp=hp, deed=deed, target=target if deed == "attack" else "", routed=draw(st.booleans()) and hp == 1
        )
    return made


@st.composite
def wars(draw: Any) -> tuple[World, dict[str, Any]]:
    """Three kingdoms on a map of 4 by 4 with monsters, a trade route across it, and orders to march."""
    terrain = st.sampled_from(["plains", "hills", "mountains"])
    hexes = {label: Hex(draw(terrain), monsters=draw(st.sampled_from([0, 0, 0, 2]))) for label in LABELS}
    owners = {label: draw(st.sampled_from([*SEATS, ""])) for label in LABELS}
    kingdoms = {}
    for seat in SEATS:
        held = {label: draw(st.sampled_from([(), ("fort",)])) for label in LABELS if owners[label] == seat}
        settlements = {f"{seat} town": Settlement(next(iter(held)))} if held else {}
        kingdoms[seat] = Kingdom(
            seat, treasury=50, capital=next(iter(settlements), ""), hexes=held, settlements=settlements,
            revealed=tuple(held), edict_size=len(held), armies=draw(armies(seat)),
        )  # fmt: skip
    route = Route("borderia", ("0101", "0201", "0301", "0401"), at=3, open=True)
    kingdoms["examplia"] = replace(kingdoms["examplia"], routes={"trade_route-1": route})
    world = World(0, hexes, kingdoms)
    return world, orders_of({seat: {"armies": draw(_marches(kingdoms[seat]))} for seat in SEATS}, world, RULES)


@st.composite
def _marches(draw: Any, kingdom: Kingdom) -> list[dict[str, Any]]:
    orders = []
    for name, army in kingdom.armies.items():
        here, way = army.hex, []
        for _ in range(draw(st.integers(0, 3))):
            here = draw(st.sampled_from([near for near in neighbours(here) if near in LABELS]))
            way.append(here)
        orders.append({"army": name, **({"move": way} if way else {"strategy": "standard"})})
    return orders


def fought(world: World, orders: dict[str, Any]) -> Result:
    """The moves and battles of one turn; the books are proved after each step."""
    return resolve(GAME, world, orders, Dice("seed", 1), RULES)


@tries(8, 30)
@given(wars())
def test_after_a_war_everything_is_somewhere_and_held_once(war: tuple[World, dict[str, Any]]) -> None:
    world, orders = war
    kept = msgspec.json.encode(world)
    result = fought(world, orders)
    assert msgspec.json.encode(world) == kept, "a step changed its input"
    held = [label for kingdom in result.after.kingdoms.values() for label in kingdom.hexes]
    assert len(held) == len(set(held)) and set(held) <= set(LABELS)
    for seat, kingdom in result.after.kingdoms.items():
        assert all(settlement.hex in kingdom.hexes for settlement in kingdom.settlements.values())
        assert kingdom.capital in kingdom.settlements or not kingdom.settlements and not kingdom.capital
        assert set(kingdom.armies) <= set(world.kingdoms[seat].armies)
        for army in kingdom.armies.values():
            assert army.hex in LABELS and not army.came
            assert 1 <= army.hp <= full_hp(army, RULES)


@tries(6, 20)
@given(wars())
def test_nobody_loses_land_or_armies_to_peace(war: tuple[World, dict[str, Any]]) -> None:
    world, orders = war
    for filed in orders.values():
        for order in filed["armies"]:
            order["then"] = "garrison"
    result = fought(world, orders)
    assert not [notice for notice in result.notices if notice.kind == "battle"] and not result.rolls
    for seat, kingdom in result.after.kingdoms.items():
        assert kingdom.hexes == world.kingdoms[seat].hexes
        assert {name: army.hp for name, army in kingdom.armies.items()} == {
            name: army.hp for name, army in world.kingdoms[seat].armies.items()
        }


@tries(6, 20)
@given(wars())
def test_an_army_gets_a_hex_far_or_as_far_as_its_points(war: tuple[World, dict[str, Any]]) -> None:
    world, orders = war
    after = resolve(game_of("move_armies"), world, orders, Dice("seed", 1), RULES).after
    for seat, filed in orders.items():
        for order in filed["armies"]:
            way = [world.kingdoms[seat].armies[order["army"]].hex, *order.get("move", ())]
            there = after.kingdoms[seat].armies[order["army"]].hex
            assert there in way
            gone = way[1 : way.index(there) + 1]
            points = sum(cost(label, world, RULES) or 0 for label in gone)
            assert len(gone) <= 1 or points <= RULES.movement.points


@tries(8, 30)
@given(wars())
def test_the_order_of_the_kingdoms_counts_for_nothing(war: tuple[World, dict[str, Any]]) -> None:
    world, orders = war
    turned = replace(world, kingdoms=dict(reversed(world.kingdoms.items())))
    first, second = fought(world, orders).after, fought(turned, orders).after
    assert dict(sorted(first.kingdoms.items())) == dict(sorted(second.kingdoms.items())) and first.hexes == second.hexes


@tries(6, 20)
@given(wars())
def test_a_war_that_is_foreseen_is_only_marched_to(war: tuple[World, dict[str, Any]]) -> None:
    """From what a seat knows alone, without a die: nobody fights, nothing is taken."""
    world, orders = war
    for seat in SEATS:
        seen = known(world, seat, RULES)
        result = resolve(GAME, seen, {seat: orders[seat]}, NoDice(), RULES)
        assert result.after.kingdoms[seat].hexes == seen.kingdoms[seat].hexes
        assert {notice.kind for notice in result.notices} <= {"changed", "refusal"}
