"""Land taken in a last rush wins nothing. Ruling: final_size."""

from __future__ import annotations

import msgspec

from kingdom.engine.standings import standings
from kingdom.games.realm.game import GAME
from kingdom.games.realm.state import World, replace
from tests.games.realm.kit import orders_of, rules_of, run, world_of

RULES = rules_of()
KINGDOMS = {
    "examplia": {"hexes": {"0404": []}, "attributes": {"economy": 40, "loyalty": 40, "stability": 40}},
    "borderia": {"hexes": {"0701": [], "0702": []}, "attributes": {"economy": 40, "loyalty": 40, "stability": 40}},
}
CLAIMS = ("0403", "0405", "0304", "0503", "0305")


def after_claims(turns: int) -> World:
    """Examplia claims a hex in each of these turns, borderia orders nothing."""
    world = world_of(KINGDOMS, rules=RULES)
    for number in range(turns):
        orders = {"examplia": {"claim": [CLAIMS[number]]}} if number < len(CLAIMS) else {}
        world = run(world, orders_of(orders, world, RULES), RULES).after
    return world


def places(world: World) -> dict[str, int]:
    """Seat -> the size that the standings count."""
    return {row.seat: row.figures["size"] for row in standings(GAME, world, RULES, ["size"])}


def test_the_size_that_counts_is_what_was_held_four_turns_before() -> None:
    world = after_claims(5)
    assert len(world.kingdoms["examplia"].hexes) == 6
    assert places(world) == {"borderia": 2, "examplia": 2}
    assert places(after_claims(6)) == {"examplia": 3, "borderia": 2}


def test_what_was_lost_since_counts_no_more() -> None:
    world = after_claims(5)
    kingdom = world.kingdoms["examplia"]
    fallen = replace(kingdom, hexes={"0404": kingdom.hexes["0404"]})
    assert places(replace(world, kingdoms={**world.kingdoms, "examplia": fallen}))["examplia"] == 1


def test_without_the_ruling_all_that_is_held_counts() -> None:
    off = msgspec.structs.replace(RULES, final_size=None)
    rows = standings(GAME, after_claims(5), off, ["size"])
    assert rows[0].figures == {"size": 6}


def test_a_report_says_what_wins_and_of_others_only_what_is_known() -> None:
    result = run(after_claims(5), {}, RULES)
    goal = GAME.view(result, "examplia", RULES)["goal"]
    assert goal == {"size": 3, "turns": 4, "rivals": []}
    assert GAME.view(result, "examplia", msgspec.structs.replace(RULES, final_size=None))["goal"] is None
