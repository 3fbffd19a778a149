"""The end of a game: ties, the GM's orders, what is over."""

from __future__ import annotations

from kingdom.engine.standings import standings
from kingdom.games.kings_pouch.state import Citizens
from tests.games.kings_pouch.kit import GAME, moved, refused, replace, rules, run, table


def places(**lords: dict) -> list[tuple[str, int]]:
    """Who is at which place."""
    return [(row.seat, row.place) for row in standings(GAME, table(len(lords), **lords), rules())]


def test_ties_go_by_fewer_corrupt_officials_then_by_more_citizens_then_are_shared() -> None:
    even = {"prestige": 50, "active": Citizens(common=3, corrupt=1)}
    assert places(alice=even, bob={**even, "prestige": 51}) == [("bob", 1), ("alice", 2)]
    assert places(alice=even, bob={**even, "active": Citizens(common=3)}) == [("bob", 1), ("alice", 2)]
    assert places(alice=even, bob={**even, "rest": Citizens(cleric=1)}) == [("bob", 1), ("alice", 2)]
    assert places(alice=even, bob=even) == [("alice", 1), ("bob", 1)]


def test_the_gm_ends_a_campaign_which_is_scored_as_it_stands() -> None:
    laid = table(alice={"cards": ("cathedral",), "pouch": Citizens(corrupt=2, soldier=5)})
    result = run(laid, gm="gm: [{finish: campaign, reason: all agreed}]\n")
    assert GAME.finished(result.after) == "the GM ended it: all agreed"
    assert moved(result, "prestige", "final_buildings") == 8 and moved(result, "prestige", "final_corrupt") == -4


def test_the_gm_grants_prestige_and_voids_one_order() -> None:
    laid = table(alice={"active": Citizens(common=2)})
    orders = "gm: [{grant: alice, prestige: -3, reason: a fine}, {void: {kingdom: alice, order: 'place[0]'}, reason: a slip}]\n"
    result = run(laid, gm=orders, alice="place: [common at Chapel, common at Tavern]\n")
    assert moved(result, "prestige", "grant") == -3 and moved(result, "prestige", "building_prestige") == 0
    assert moved(result, "gold", "building_gold") == 1 and refused(result, "gm") == []
    told = [notice for notice in result.notices if notice.kind == "voided"]  # chapters leave it out by that
    assert [(notice.seat, notice.facts["order"]) for notice in told] == [("alice", "place[0]")]
    assert {
        "key": "place[0]",
        "text": "place[0]",
        "outcome": "refused",
        "why": "The GM voids it: a slip.",
    } in GAME.view(result, "alice", rules())["orders"]["rows"]


def test_in_the_last_round_citizens_are_drawn_all_the_same_and_nothing_is_built() -> None:
    laid = replace(table(2, 9, alice={"active": Citizens(merchant=1), "cards": ("bank",)}), councils=2, display=())
    result = run(laid, alice="place: merchant at Bank\nmanage: [build market]\n")
    assert refused(result) == [("manage[0].build[0]", "pouch_no_building_now")]
    assert sum(getattr(result.after.seats["alice"].active, kind) for kind in Citizens.__struct_fields__) == 5
    assert result.after.councils == 3 and result.after.over
