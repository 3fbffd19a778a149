"""Special edicts over the whole world: aid that crosses, what the recipient learns, who touches whom."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.realm.hexmap import label_of, neighbours
from kingdom.games.realm.orders.aid import aid_cost
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.steps.land.ground import borders
from kingdom.games.realm.steps.shared import most_special_edicts
from tests.games.realm.kit import game_of, rules_of, run, world_of

RULES = rules_of()


def aid(to: str, attribute: str = "stability") -> dict[str, Any]:
    return {"special": [{"edict": "aid", "to": to, "attribute": attribute}]}


def three() -> World:
    return world_of(
        {"examplia": {"hexes": {"0404": []}}, "borderia": {"hexes": {"0405": []}}, "cravonia": {"hexes": {"0505": []}}}
    )


def test_the_order_of_filing_changes_nothing() -> None:
    """Ruling send_aid: all pay, then all roll; each circle of aid comes to the same."""
    orders = {"examplia": aid("borderia"), "borderia": aid("cravonia"), "cravonia": aid("borderia", "loyalty")}
    results = [
        run(three(), {seat: orders[seat] for seat in order}, steps="special_edicts") for order in permutations(orders)
    ]
    assert all(result == results[0]._replace(orders=result.orders) for result in results)
    coming = results[0].after.kingdoms["borderia"].coming
    assert [(modifier.account, modifier.text) for modifier in coming] == [
        ("loyalty", "aid from Cravonia"), ("stability", "aid from Examplia"),
    ]  # fmt: skip


def test_what_is_sent_this_turn_pays_for_nothing_this_turn() -> None:
    """Aid is no BP: the recipient's treasury and Opulence are untouched, so a circle of aid does not feed itself."""
    result = run(three(), {"examplia": aid("borderia"), "borderia": aid("examplia")}, steps="special_edicts")
    assert [(entry.kingdom, entry.account, entry.delta) for entry in result.entries] == [
        ("borderia", "treasury", -1), ("examplia", "treasury", -1),
    ]  # fmt: skip


def test_the_recipient_learns_what_it_gets_and_not_the_senders_opulence() -> None:
    rich = {"hexes": {"0404": []}, "settlements": {"Oakhold": {"buildings": ["inn", "shop", "shop"]}}}
    world = world_of({"examplia": rich, "borderia": {"hexes": {"0405": []}}})
    result = run(world, {"examplia": aid("borderia")}, steps="special_edicts")
    told = [notice for notice in result.notices if notice.seat == "borderia"]
    assert [notice.facts for notice in told] == [
        {
            "sender": "examplia",
            "attribute": "stability",
            "bonus": 6,
            "text": "Aid from Examplia for stability: +6 to stability next turn.",
        }
    ]


def test_what_is_foreseen_is_paid_for_and_comes_to_nothing_yet() -> None:
    result = resolve(game_of("special_edicts"), three(), {"examplia": aid("borderia")}, NoDice(), RULES)
    assert result.after.kingdoms["examplia"].treasury == 49
    assert result.after.kingdoms["borderia"].coming == () and not result.rolls
    assert not [notice for notice in result.notices if notice.kind in ("check", "aid")]


def test_ruling_special_edicts_a_palace_completed_this_turn_counts_at_once() -> None:
    world = world_of({"examplia": {"hexes": {"0404": []}, "treasury": 300}, "borderia": {"hexes": {"0405": []}}})
    orders = {
        "build": [{"in": "Oakhold", "build": "palace"}],
        "special": [*aid("borderia")["special"], *aid("borderia")["special"]],
    }
    result = run(world, {"examplia": orders}, steps=["build", "special_edicts"])
    assert not [notice for notice in result.notices if notice.kind == "refusal"]
    assert [notice.facts["bonus"] for notice in result.notices if notice.kind == "check"] == [-2, -2]


def test_without_a_palace_there_is_no_penalty_to_speak_of() -> None:
    assert most_special_edicts(world_of().kingdoms["examplia"], RULES) == (1, 0)


def test_aid_costs_a_fifth_of_the_size_rounded_up() -> None:
    assert [aid_cost(size, RULES) for size in (0, 1, 5, 6, 22, 25, 26)] == [0, 1, 1, 2, 5, 5, 6]


def test_a_kingdom_far_away_is_not_told_who_else_there_is() -> None:
    """The refusal names only those that touch."""
    world = world_of(
        {"examplia": {"hexes": {"0404": []}}, "borderia": {"hexes": {"0405": []}}, "cravonia": {"hexes": {"0701": []}}}
    )
    result = run(world, {"examplia": aid("cravonia")}, steps="special_edicts")
    (refusal,) = [notice.facts["reason"] for notice in result.notices if notice.kind == "refusal"]
    assert refusal.endswith("name one that has (now: borderia).")


LABELS = st.builds(label_of, st.integers(1, 6), st.integers(1, 6))


@given(st.lists(st.sets(LABELS, max_size=8), min_size=1, max_size=4))
def test_kingdoms_touch_where_a_hex_of_one_lies_beside_a_hex_of_the_other(lands: list[set[str]]) -> None:
    taken: set[str] = set()
    kingdoms = {}
    for number, land in enumerate(lands):
        kingdoms[f"k{number}"] = Kingdom(f"K{number}", hexes=dict.fromkeys(sorted(land - taken), ()))
        taken |= land
    touching = borders(World(0, {}, kingdoms))
    for seat, kingdom in kingdoms.items():
        near = {label for held in kingdom.hexes for label in neighbours(held)}
        assert touching[seat] == {other for other in kingdoms if other != seat and near & set(kingdoms[other].hexes)}
