"""The worked examples of the rules, one after the other."""

from __future__ import annotations

import pytest

from kingdom.games.kings_pouch import opening
from kingdom.games.kings_pouch.state import COLOURS, Citizens
from kingdom.games.kings_pouch.steps import rounds
from kingdom.games.kings_pouch.steps.land import army_for
from tests.games.kings_pouch.kit import begun, moved, passed, played, refused, replace, rules, run, table, with_player

FOUR = Citizens(common=4)
ARMY = {
    "active": Citizens(soldier=5),
    "cards": ("watchtower", "armoury", "stronghold"),
}  # two army each, and one of the Barracks
SOLDIERS = "place: [soldier at Watchtower, soldier at Armoury, soldier at Stronghold, soldier at Barracks]\n"


def test_1_the_first_turn_fills_the_pouch_with_a_corrupt_official() -> None:
    result = run(table())
    alice = result.after.seats["alice"]
    assert alice.active == Citizens(common=4, corrupt=1)
    assert alice.pouch == alice.rest == Citizens()
    assert result.after.pool.corrupt == 28 - 2, "one each"
    assert moved(result, "corrupt", "refill") == 1


@pytest.mark.parametrize(("cards", "place", "army"), [
    ((), "common at Barracks", 1),
    (("stable",), "common at Stable", 0),
    (("war_college",), "{citizen: soldier, at: War College, lines: [1]}", 0),
])  # fmt: skip
def test_2_an_empty_territory_beside_the_castle(cards: tuple, place: str, army: int) -> None:
    laid = table(alice={"cards": cards, "active": Citizens(common=1, soldier=1)})
    result = run(laid, alice=f"place: [{place}]\nmanage: [{{occupy: [R1]}}]\n")
    assert refused(result) == []
    assert moved(result, "prestige", "occupy") == 2
    assert moved(result, "army", "occupy") == -army
    assert moved(result, "markers") == -1
    assert result.after.territories["r1"].owner == "alice"


@pytest.mark.parametrize(("stable", "army"), [(False, 4), (True, 3)])
def test_3_a_double_marker_of_another_player(stable: bool, army: int) -> None:
    cards = (*ARMY["cards"], "stable") if stable else ARMY["cards"]
    laid = table(alice={**ARMY, "cards": cards, "land": {"r1": 1}}, bob={"land": {"m0": 2}})
    place = SOLDIERS.replace("]", ", soldier at Stable]") if stable else SOLDIERS
    assert army_for(laid, "alice", "m0", rules()) == 2 + 2
    result = run(laid, alice=f"{place}manage: [{{occupy: [M0]}}]\n")
    assert moved(result, "army", "occupy") == -army
    assert moved(result, "prestige", "occupy") == 5
    assert moved(result, "markers", "driven_out", "bob") == 2
    assert result.after.territories["m0"].owner == "alice"


@pytest.mark.parametrize(("stable", "army"), [(False, 4), (True, 3)])
def test_4_the_castle_of_another_player(stable: bool, army: int) -> None:
    cards = (*ARMY["cards"], "stable") if stable else ARMY["cards"]
    place = SOLDIERS.replace("]", ", soldier at Stable]") if stable else SOLDIERS
    laid = table(3, alice={**ARMY, "cards": cards, "land": {"r2": 1, "r3": 1}})
    assert laid.seats["bob"].castle == "e3" and army_for(laid, "alice", "e3", rules()) == 3 + 1
    result = run(laid, alice=f"{place}manage: [{{occupy: [{{castle: bob}}]}}, {{occupy: [{{castle: bob}}]}}]\n")
    assert moved(result, "army", "castle_attack") == -army
    assert moved(result, "prestige", "castle_attack") == 5
    assert moved(result, "corrupt", "attacked", "bob") == 1
    assert refused(result) == [("manage[1].occupy[0]", "pouch_attacked_already")]
    assert moved(result, "markers", "castle_attack") == 0, "none is placed"


def test_4_another_player_may_attack_the_same_castle() -> None:
    laid = table(4, alice={**ARMY, "land": {"r2": 1}}, dan={**ARMY, "land": {"r5": 1, "m0": 1, "r3": 1}})
    assert laid.seats["bob"].castle == "e2"
    both = SOLDIERS + "manage: [{occupy: [{castle: bob}]}]\n"
    result = run(laid, alice=both, dan=both)
    assert refused(result) == refused(result, "dan") == []
    assert moved(result, "corrupt", "attacked", "bob") == 2


def test_5_characters_cost_two_three_four_and_a_double_marker_counts_twice() -> None:
    rich = {"active": Citizens(merchant=4), "cards": ("bank", "market", "yellow_mercenary_guild")}
    gold = "place: [merchant at Bank, merchant at Market, merchant at Mercenary Guild]\n"
    wishes = "manage: [claim queen, claim prince, claim jester]\n"
    result = run(table(alice=rich), alice=gold + wishes)
    assert [-each.delta for each in result.entries if each.cause == "claim" and each.account == "gold"] == [2, 3, 4]
    result = run(table(alice={**rich, "court": {"queen": 2}}), alice=gold + "manage: [claim prince]\n")
    assert moved(result, "gold", "claim") == -4


def test_6_the_chapel() -> None:
    laid = table(alice={"active": FOUR})
    result = run(laid, alice="place: [common at Chapel, common at Chapel]\n")
    assert moved(result, "prestige", "building_prestige") == 2 and moved(result, "cleric", "gain") == 1
    assert refused(run(laid, alice="place: [{citizen: common, at: Chapel, slot: 2}]\n")) == [
        ("place[0]", "pouch_slot_closed")
    ]
    laid = table(alice={"active": Citizens(cleric=2)})
    result = run(laid, alice="place: [cleric at Chapel, cleric at Chapel]\n")
    assert refused(result) == [("place[1]", "pouch_wrong_colour")]


def test_6_the_new_cleric_can_be_placed_at_once() -> None:
    laid = table(alice={"active": Citizens(common=2), "cards": ("shrine",)})
    result = run(laid, alice="place: [common at Chapel, common at Chapel, cleric at Shrine]\n")
    assert refused(result) == [] and moved(result, "prestige", "building_prestige") == 2 + 4


def test_7_the_city_watch() -> None:
    watch = {"active": Citizens(soldier=1), "pouch": Citizens(common=6), "cards": ("city_watch",)}
    result = run(table(alice=watch), alice="place: [{citizen: soldier, at: City Watch, lines: [1, 2]}]\n")
    assert refused(result) == [("place[0]", "pouch_line_impossible")]
    assert moved(result, "army") == 0 and "drew common" in str([each.facts for each in result.notices])
    result = run(table(alice=watch), alice="place: soldier at City Watch\n")
    assert refused(result) == [] and passed(result) == ["place[0]"], "where no line is named it is left out"
    result = run(table(alice={**watch, "rest": Citizens(corrupt=1)}), alice="place: soldier at City Watch\n")
    assert moved(result, "army", "building_army") == 1 and moved(result, "corrupt", "remove") == -1


def test_8_the_harbor_gives_gold_each_round_without_a_citizen() -> None:
    result = run(table(alice={"cards": ("harbor",)}))
    assert moved(result, "gold", "building_gold") == 1
    assert refused(run(table(alice={"cards": ("harbor",)}), alice="place: [Harbor, Harbor]\n")) == [
        ("place[1]", "pouch_used_already")
    ]


def test_9_the_pouch_is_filled_up_only_when_a_draw_finds_it_empty() -> None:
    laid = table(alice={"pouch": Citizens(soldier=2), "active": FOUR})
    alice = run(laid, tape={"alice": [1, 1, 1]}).after.seats["alice"]
    assert alice.active == Citizens(soldier=2, common=3) and alice.pouch == Citizens(common=1, corrupt=1)
    laid = table(alice={"pouch": Citizens(soldier=6), "active": FOUR, "land": {"m0": 1}})
    result = run(laid)
    alice = result.after.seats["alice"]
    assert alice.active == Citizens(soldier=6) and alice.rest == FOUR and alice.pouch == Citizens()
    assert moved(result, "corrupt") == 0


def test_10_both_mercenary_guilds_have_one_name() -> None:
    rich = {"active": Citizens(merchant=1), "cards": ("red_mercenary_guild", "bank")}
    laid = replace(table(alice=rich), display=("yellow_mercenary_guild",))
    laid = replace(
        laid, decks={**laid.decks, "red": tuple(card for card in laid.decks["red"] if card != "red_mercenary_guild")}
    )
    result = run(laid, alice="place: merchant at Bank\nmanage: [{build: [Yellow Mercenary Guild]}]\n")
    assert refused(result) == [("manage[0].build[0]", "pouch_same_name")]


def test_11_princesses_and_the_jester() -> None:
    laid = table(alice={"court": {"princess_1": 1, "princess_2": 1}})
    assert [rounds.value_of(laid, "alice", who, rules()) for who in ("princess_1", "princess_2")] == [7, 7]
    laid = table(alice={"court": {"jester": 1, "queen": 1, "prince": 1}})
    assert rounds.value_of(laid, "alice", "jester", rules()) == 9


def test_12_what_is_left_at_the_end_of_a_turn() -> None:
    laid = table(alice={"active": Citizens(soldier=1, merchant=1), "cards": ("market",)})
    result = run(laid, alice="place: [merchant at Market, soldier at Barracks]\n")
    assert moved(result, "prestige") == 3 + 3
    result = run(laid, alice="place: [merchant at Market, soldier at Barracks]\ntax: always\n")
    assert moved(result, "prestige") == 4, "the tax is one gold more and no bonus"


def test_13_the_second_council() -> None:
    laid = replace(table(4, 6, alice={"land": {"r1": 1, "c1": 1, "e6": 1, "r4": 1}}), councils=1)
    result = run(laid)
    assert moved(result, "prestige", "council_territories") == 2 * 4, "the castle and three; R4 is cut off"


def test_14_the_final_scoring() -> None:
    corrupt = {"pouch": Citizens(corrupt=4, common=6), "active": Citizens(), "cards": ("cathedral", "abbey")}
    result = run(replace(table(2, 9, alice=corrupt), councils=2, display=()))
    assert moved(result, "prestige", "final_buildings") == 14
    assert moved(result, "prestige", "final_corrupt") == -2 * 4
    assert result.after.over


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_15_behind_round_8_the_piles_are_empty(seats: int) -> None:
    left = {}
    played(
        seats,
        "piles",
        told=lambda result: left.update({result.after.round: (result.after.decks, result.after.display)}),
    )
    assert all(not cards for cards in left[8][0].values()) and left[8][1], "the last cards are on display in round 8"
    assert left[9] == (dict.fromkeys(COLOURS, ()), ())
    assert {len(cards) for cards in opening.piles(rules(), 1 if seats == 2 else 2).values()} == {
        8 if seats == 2 else 16
    }


def test_a_table_of_these_tests_has_everything_that_is_in_the_box() -> None:
    assert {
        kind: count for kind, count in rounds.pieces(table(), rules()).items() if not kind.startswith("markers of ")
    } == {kind: count for kind, count in rounds.pieces(begun(), rules()).items() if not kind.startswith("markers of ")}
    assert with_player(table(), "alice", markers=3).seats["alice"].markers == 3
