"""Edict step 2 as a whole: what always holds of claims, contests and abandoned hexes. The rules one by one are in cases/."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import Dice, NoDice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.orders.claim import CLAIM, claim_problem
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import World, owners, replace
from tests.games.realm.kit import game_of, orders_of, rules_of, run, world_of

RULES = rules_of()
STEPS = ["abandon_hexes", "claim_hexes", "count_secondary_territories"]
LABELS = [f"{column:02d}{row:02d}" for column in range(1, 8) for row in range(1, 8)]
SEATS = ("borderia", "cravonia", "examplia")


def resolved(world: World, orders: dict[str, Any], dice: Any) -> Result:
    return resolve(game_of(STEPS), world, orders, dice, RULES)


# --- foreseen, without dice


def test_a_claim_is_foreseen() -> None:
    world = world_of()
    orders = orders_of({"examplia": {"claim": ["0405"]}}, world, RULES)
    assert resolved(world, orders, NoDice()).after == run(world, orders, steps=STEPS).after


def test_ruling_free_city_the_hex_is_foreseen_and_the_city_left_open() -> None:
    world = world_of(map={"hexes": {"0405": {"free_city": {"name": "Oldwick"}}}})
    orders = orders_of({"examplia": {"claim": ["0405"]}}, world, RULES)
    result = resolved(world, orders, NoDice())
    assert "0405" in result.after.kingdoms["examplia"].hexes and result.after.hexes["0405"].free_city
    assert [entry.cause for entry in result.entries if entry.account == "unrest"] == []


def test_ruling_contested_claim_a_contest_is_left_open() -> None:
    world = world_of({"examplia": {"hexes": {"0404": []}}, "borderia": {"hexes": {"0604": []}}})
    orders = orders_of({seat: {"claim": ["0504"]} for seat in ("examplia", "borderia")}, world, RULES)
    result = resolved(world, orders, NoDice())
    assert "0504" not in owners(result.after) and not result.rolls and not result.notices


def test_ruling_contested_claim_a_twenty_sided_die_is_rolled() -> None:
    world = world_of({"examplia": {"hexes": {"0404": []}}, "borderia": {"hexes": {"0604": []}}})
    result = run(world, {seat: {"claim": ["0504"]} for seat in ("examplia", "borderia")}, steps=STEPS)
    rolls = [(roll.kingdom, roll.name, roll.sides) for roll in result.rolls]
    assert rolls == [("borderia", "contest-0504", 20), ("examplia", "contest-0504", 20)]


def test_ruling_free_city_the_unrest_of_a_failure_is_a_four_sided_die() -> None:
    world = world_of(map={"hexes": {"0405": {"free_city": {"name": "Oldwick"}}}})
    result = run(world, {"examplia": {"claim": ["0405"]}}, steps=STEPS)
    assert [(roll.name, roll.sides) for roll in result.rolls] == [("free_city-0405", 20), ("free_city-0405", 4)]


# --- what may be claimed


def test_claimable_is_what_lies_beside_the_land_and_is_free() -> None:
    map = {"hexes": {"0504": {"terrain": "water"}, "0405": {"terrain": "water"}, "0505": {"features": ["coast"]}}}
    world = world_of({"examplia": {"hexes": {"0404": []}}, "borderia": {"hexes": {"0304": []}}}, map)
    assert CLAIM.claimable(world.kingdoms["examplia"], world, RULES) == ["0305", "0403", "0505"]


def test_claimable_beyond_the_edge_is_nothing() -> None:
    world = world_of({"examplia": {"hexes": {"0101": []}}})
    assert CLAIM.claimable(world.kingdoms["examplia"], world, RULES) == ["0102", "0201"]


def test_ruling_free_city_a_held_hex_with_one_inside_may_be_claimed_again() -> None:
    map = {"hexes": {"0102": {"free_city": {"name": "Oldwick"}}}}
    world = world_of({"examplia": {"hexes": {"0101": [], "0102": []}}}, map)
    assert CLAIM.claimable(world.kingdoms["examplia"], world, RULES) == ["0102", "0103", "0201", "0202"]


def test_ruling_no_hexes_any_hex_may_be_claimed() -> None:
    map = {"hexes": {"0303": {"terrain": "water"}}}
    world = world_of({"examplia": {"hexes": {}}, "borderia": {"hexes": {"0701": []}}}, map)
    expected = [label for label in LABELS if label not in ("0303", "0701")]
    assert CLAIM.claimable(world.kingdoms["examplia"], world, RULES) == expected


def test_ruling_no_hexes_one_that_lost_its_last_hex_this_turn_may_claim_any_next_turn() -> None:
    world = world_of({"examplia": {"hexes": {"0404": []}}})
    orders = orders_of({"examplia": {"abandon": ["0404"]}}, world, RULES)
    rules = rules_of({"no_hexes": {"near": False}})  # who gave all up of its own will may claim no other land, else
    after = run(world, orders, rules, steps=STEPS).after
    assert CLAIM.claimable(after.kingdoms["examplia"], after, rules) == LABELS
    after = run(world, orders, steps=STEPS).after
    assert CLAIM.claimable(after.kingdoms["examplia"], after, RULES) == sorted(["0404", *neighbours("0404")])


# --- what always holds


@st.composite
def worlds(draw: Any) -> World:
    """Three kingdoms on the 7 by 7 map, near enough to meet, some land of which is free cities or water."""
    places = draw(st.permutations(["0303", "0304", "0404", "0403", "0503", "0504", "0405", "0505", "0603"]))
    held = [places[0:2], places[2:4], places[4:6]]
    kingdoms = {
        seat: {
            "hexes": dict.fromkeys(labels, ["road"]),
            "treasury": draw(st.integers(0, 3)),
            "unrest": draw(st.integers(0, 6)),
            "attributes": {"stability": draw(st.integers(0, 12))},
        }
        for seat, labels in zip(SEATS, held, strict=False)
    }
    free = draw(
        st.lists(st.sampled_from([label for label in LABELS if label not in sum(held, [])]), max_size=4, unique=True)
    )
    hexes = {label: {"free_city": {"name": f"Free {label}"}} for label in free[:2]}
    hexes |= {label: {"terrain": "water"} for label in free[2:]}
    state = {seat: {"edict_size": draw(st.sampled_from([2, 11, 26, 101]))} for seat in SEATS}
    return world_of(kingdoms, {"hexes": hexes}, RULES, state)


NEAR = st.sampled_from(
    ["0302", "0303", "0304", "0305", "0402", "0403", "0404", "0405", "0406", "0503", "0504", "0505", "0603"]
)
FILED = st.fixed_dictionaries(
    {
        seat: st.fixed_dictionaries({"claim": st.lists(NEAR, max_size=5), "abandon": st.lists(NEAR, max_size=1)})
        for seat in SEATS
    }
)
SEEDS = st.integers(0, 9999).map(str)


@given(worlds(), FILED, SEEDS)
def test_the_order_of_filing_changes_nothing(world: World, filed: dict, seed: str) -> None:
    one = resolved(world, filed, Dice(seed, 1))
    other = resolved(world, dict(reversed(filed.items())), Dice(seed, 1))
    assert msgspec.json.encode(one.after) == msgspec.json.encode(other.after)
    assert (one.entries, one.rolls, one.notices) == (other.entries, other.rolls, other.notices)


@given(worlds(), FILED, SEEDS)
def test_every_claim_is_paid_counted_and_held_by_one(world: World, filed: dict, seed: str) -> None:
    kept = msgspec.json.encode(world)
    result = resolved(world, filed, Dice(seed, 1))
    assert msgspec.json.encode(world) == kept, "a step changed its input"
    held = [label for kingdom in result.after.kingdoms.values() for label in kingdom.hexes]
    assert len(held) == len(set(held))
    for seat, after in result.after.kingdoms.items():
        before = world.kingdoms[seat]
        gone = {entry.detail[:4] for entry in result.entries if entry.cause == "abandon" and entry.kingdom == seat}
        won = set(after.hexes) - (set(before.hexes) - gone)
        assert won <= set(filed[seat]["claim"])
        assert after.treasury == before.treasury - len(won) * RULES.claim.cost >= 0
        assert len(won) <= after.used.get("claims", 0) <= limits(before, RULES).claims


@given(worlds(), FILED, SEEDS)
def test_ruling_claim_what_is_won_joins_on_to_what_was_held(world: World, filed: dict, seed: str) -> None:
    after = resolved(world, filed, Dice(seed, 1)).after
    for seat, kingdom in after.kingdoms.items():
        joined = set(kingdom.hexes) & set(world.kingdoms[seat].hexes)
        for label in filed[seat]["claim"]:
            if label in kingdom.hexes and any(near in joined for near in neighbours(label)):
                joined.add(label)
        assert joined == set(kingdom.hexes)


@given(worlds(), FILED, SEEDS)
def test_ruling_contested_claim_only_the_highest_total_takes_the_hex(world: World, filed: dict, seed: str) -> None:
    result = resolved(world, filed, Dice(seed, 1))
    totals: dict[str, dict[str, int]] = {}
    for notice in result.notices:
        if "contest" in notice.facts:
            totals.setdefault(notice.facts["contest"], {})[notice.seat] = notice.facts["total"]
    for label, of in totals.items():
        holder, highest = owners(result.after).get(label), max(of.values())
        best = [seat for seat, total in of.items() if total == highest]
        assert len(of) > 1 and (holder is None or [holder] == best)
        if holder is None and len(best) == 1:  # won, then refused in the second walk
            refused = [
                notice.facts["order"] for notice in result.notices if (notice.seat, notice.kind) == (best[0], "refusal")
            ]
            assert f"claim[{filed[best[0]]['claim'].index(label)}]" in refused


@given(worlds(), FILED, SEEDS)
def test_each_order_is_done_refused_or_lost(world: World, filed: dict, seed: str) -> None:
    result = resolved(world, filed, Dice(seed, 1))
    for seat, kingdom in result.after.kingdoms.items():
        told = {
            notice.facts["order"]
            for notice in result.notices
            if notice.seat == seat and notice.kind in ("refusal", "changed")
        }
        done = [label for index, label in enumerate(filed[seat]["claim"]) if f"claim[{index}]" not in told]
        assert all(label in kingdom.hexes for label in done) and len(done) == len(set(done))


@given(worlds())
def test_claimable_is_what_a_claim_would_get(world: World) -> None:
    for kingdom in world.kingdoms.values():
        kingdom = replace(kingdom, treasury=9, edict_size=len(kingdom.hexes))
        allowed = [label for label in LABELS if claim_problem(kingdom, label, world, RULES) is None]
        assert CLAIM.claimable(kingdom, world, RULES) == allowed


def test_a_step_in_which_nobody_orders_anything_changes_nothing() -> None:
    world = world_of()
    after = run(world, {}, steps=STEPS).after
    assert after.kingdoms is world.kingdoms and after.hexes is world.hexes


def test_a_claim_of_bare_land_leaves_the_map_as_it_is() -> None:
    world = world_of()
    after = run(world, orders_of({"examplia": {"claim": ["0405"]}}, world, RULES), steps=STEPS).after
    assert after.hexes is world.hexes
