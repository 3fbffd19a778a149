"""Every ruling of the rules page, with its alternatives, as a table on which it decides."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.engine.problems import Faults
from kingdom.games.kings_pouch.rules import Building, Effect, Slot, board_for
from kingdom.games.kings_pouch.state import Citizens, Purse
from kingdom.games.kings_pouch.steps import at_top, rounds
from kingdom.games.kings_pouch.steps.effects import Use, possible, take_effect
from kingdom.games.kings_pouch.steps.land import army_for, connected, distance, land, within_reach
from kingdom.orders import tables, yaml_text
from tests.games.kings_pouch.kit import (
    GAME,
    begun,
    moved,
    passed,
    played,
    refused,
    replace,
    rules,
    run,
    table,
    with_player,
)

RICH = {"active": Citizens(merchant=3), "cards": ("bank", "market", "yellow_mercenary_guild")}
GOLD = "place: [merchant at Bank, merchant at Market, merchant at Mercenary Guild]\n"
STRONG = {"active": Citizens(soldier=4), "cards": ("watchtower", "armoury", "siege_workshop")}
ARMY = "place: [soldier at Watchtower, soldier at Armoury, soldier at Siege Workshop]\n"


def test_1_who_comes_last_to_a_space_lies_on_top() -> None:
    laid = replace(table(alice={"stamp": 2, "prestige": 10}, bob={"stamp": 1, "prestige": 10}), serial=2)
    assert at_top(laid.seats) == ("alice", "bob")
    after = run(laid).after
    assert after.seats["alice"].prestige == after.seats["bob"].prestige == 13
    assert after.order == ("bob", "alice"), "bob moved last"
    result = run(laid, alice="tax: always\n")
    assert result.after.seats["alice"].stamp > 2, "the gold of the tax is donated"


def test_1_a_gain_of_nothing_moves_no_marker() -> None:
    laid = table(alice={"active": Citizens(common=1), "cards": ("harbor",), "stamp": 9})
    laid = replace(laid, serial=9, display=("almshouse", "stable"))
    result = run(laid, alice="manage: [build stable]\ntax: if_needed\n")
    assert refused(result) == [] and result.after.seats["alice"].stamp == 10, "the bonus moved it"
    result = run(laid, alice="place: common at Tavern\nmanage: [build inn, claim queen]\ntax: always\n")
    assert refused(result)[0] == ("manage[0].build[0]", "pouch_not_on_display") and moved(result, "prestige") == 1
    result = run(laid, alice="manage: [claim queen]\ntax: always\n")
    assert moved(result, "prestige") == 0 and result.after.seats["alice"].stamp == 9


def test_1_no_marker_moves_for_nothing_where_an_action_brings_nothing() -> None:
    own = rules(occupy=frozenset({"empty": 0}.items()), tax=frozenset({"prestige": 0}.items()))
    laid = replace(table(alice={"active": Citizens(common=1), "stamp": 2}, bob={"stamp": 1}), serial=2)
    after = run(laid, own, alice="place: common at Barracks\nmanage: [occupy R1]\n").after
    assert (
        after.territories["r1"].owner == "alice" and after.seats["alice"].stamp == 2 and after.order == ("alice", "bob")
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_1_who_chooses_first_is_first_in_round_1(seats: int) -> None:
    for number in range(4):
        laid = begun(seats, seed=f"stack {number}")
        assert run(laid).after.order == laid.order == at_top(laid.seats)


def test_the_tax_and_an_attack_can_be_made_again_in_the_next_round() -> None:
    army = {
        "active": Citizens(soldier=1),
        "cards": ("siege_workshop",),
        "land": {"r1": 1, "m0": 1, "r4": 1},
        "pouch": Citizens(soldier=9),
    }
    order = (
        "place: [soldier at Siege Workshop, soldier at Barracks]\nmanage: [{occupy: [{castle: bob}]}]\ntax: always\n"
    )
    first = run(with_player(table(alice=army), "alice", active=Citizens(soldier=2)), alice=order)
    second = run(first.after, alice=order)
    for result in (first, second):
        assert (
            refused(result) == []
            and moved(result, "corrupt", "attacked", "bob") == 1
            and moved(result, "gold", "tax") == 1
        )


@pytest.mark.parametrize(("via", "steps"), [("any", 2), ("own", 4)])
def test_2_the_distance(via: str, steps: int) -> None:
    own = rules(distance=frozenset({"via": via}.items()))
    laid = table(4, alice={"land": {"r1": 1, "r6": 1, "e6": 1}}, cara={"land": {"r2": 1}})
    assert distance(laid, "alice", "m0", own) == 2
    laid = table(4, alice={"land": {"c1": 1, "e6": 1, "r6": 1}})
    assert distance(laid, "alice", "m0", own) == steps


def test_3_nobody_is_connected_through_a_castle() -> None:
    laid = table(4, alice={"land": {"c2": 1, "c3": 1}})
    assert laid.seats["bob"].castle == "e2"
    assert connected(laid, "alice", rules()) == {"e1", "c2"}
    assert "e2" in within_reach(laid, "alice", rules()) and "e3" not in within_reach(laid, "alice", rules())


def test_4_cut_off_markers_stay_score_nothing_and_are_no_bases() -> None:
    laid = table(4, alice={"land": {"r4": 1}})
    assert rounds.connected_markers(laid, "alice", rules()) == 1
    assert refused(run(laid, alice="manage: [{occupy: [M0, R4]}]\n")) == [
        ("manage[0].occupy[0]", "pouch_not_connected"), ("manage[0].occupy[1]", "pouch_yours"),
    ]  # fmt: skip
    again = table(4, alice={**STRONG, "land": {"r4": 1, "r1": 1}})
    after = run(again, alice=ARMY + "manage: [occupy M0]\n").after
    assert connected(after, "alice", rules()) == {"e1", "r1", "m0", "r4"}, "connected again"


def test_5_no_discount_goes_below_nothing() -> None:
    cards = ("stable", "masons_lodge")
    laid = replace(table(alice={"active": Citizens(common=3), "cards": cards}), display=("inn",))
    result = run(
        laid, alice="place: [common at Stable, common at Masons' Lodge]\nmanage: [{occupy: [R1]}, {build: [Inn]}]\n"
    )
    assert refused(result) == [] and moved(result, "gold", "construct") == 0
    assert moved(result, "gold", "donation") == -1, "the gold of the Lodge is not touched"


def test_5_the_floor_of_discounts_is_a_figure() -> None:
    own = rules(discount_floor=frozenset({"least": 1}.items()))
    laid = table(alice={"active": Citizens(common=2), "cards": ("stable",)})
    both = "place: [common at Stable, common at Barracks]\nmanage: [occupy R1]\n"
    assert (
        moved(run(laid, own, alice=both), "army", "occupy") == -1
        and moved(run(laid, alice=both), "army", "occupy") == 0
    )


def test_6_discounts_add_up_and_hold_for_every_action() -> None:
    laid = table(alice={"cards": ("counting_house", "bank"), "active": Citizens(merchant=2)})
    result = run(
        laid,
        alice="place: [merchant at Bank, merchant at Counting House]\nmanage: [claim queen, claim prince, claim jester]\n",
    )
    assert [-each.delta for each in result.entries if each.cause == "claim" and each.account == "gold"] == [1, 2, 3]
    laid = replace(laid, purse=Purse("alice"))
    for n in (1, 2):
        laid = take_effect(Effect("discount", n, "claim"), laid, Use("alice", {}, where="x"), None)
    assert laid.purse.discount == {"claim": 3}


@pytest.mark.parametrize(("per", "markers"), [("effect", 2), ("round", 1)])
def test_7_free_actions(per: str, markers: int) -> None:
    own = rules(free_action=frozenset({"per": per}.items()))
    twice = Building("Two Colleges", "red", 3, slots=(Slot(("soldier",), ((Effect("free", 2, "occupy"),),)),))
    own = replace(own, buildings={**own.buildings, "war_college": twice})
    laid = table(alice={"cards": ("war_college",), "active": Citizens(soldier=1)})
    result = run(laid, own, alice="place: [soldier at War College]\nmanage: [occupy R1, occupy M0]\n")
    assert moved(result, "territories") == markers


def test_8_the_owner_chooses_whom_a_numbered_refresh_returns() -> None:
    monk = {"cards": ("monastery",), "active": Citizens(cleric=1, common=2, corrupt=1), "pouch": Citizens(soldier=9)}
    place = "place: [cleric at Monastery]\n"
    assert run(table(alice=monk), alice=place).after.seats["alice"].rest == Citizens(common=1, corrupt=1), (
        "clerics go before commons"
    )
    chosen = run(table(alice=monk), alice=f"{place}rest: {{refresh: [corrupt, common]}}\n").after.seats["alice"]
    assert chosen.rest == Citizens(common=1, cleric=1)
    assert run(table(alice=monk), alice=f"{place}rest: {{refresh: [soldier]}}\n").after.seats["alice"].rest == Citizens(
        common=2, corrupt=1, cleric=1
    )


def test_9_a_draw_in_the_middle_fills_the_pouch_in_the_same_way() -> None:
    laid = table(alice={"cards": ("inn",), "active": Citizens(common=1), "rest": Citizens(merchant=3)})
    result = run(laid, alice="place: common at Inn\n")
    assert "drew merchant and merchant" in str([each.facts for each in result.notices])
    assert moved(result, "corrupt", "refill") == 2, "once in the middle, once at the end"


def test_10_nobody_anywhere() -> None:
    laid = table(alice={"active": Citizens()})
    alice = run(laid).after.seats["alice"]
    assert alice.active == Citizens(corrupt=5), "a corrupt official, again and again"
    empty = replace(
        laid,
        pool=replace(laid.pool, corrupt=0),
        seats={**laid.seats, "bob": replace(laid.seats["bob"], rest=Citizens(corrupt=28))},
    )
    result = run(empty)
    assert result.after.seats["alice"].active == Citizens()
    assert moved(result, "prestige", "no_citizen") == -2


def test_11_what_the_pool_does_not_have_is_not_received() -> None:
    laid = table(alice={"active": Citizens(common=2)}, bob={"rest": Citizens(cleric=20)})
    assert laid.pool.cleric == 0
    result = run(laid, alice="place: [common at Chapel, common at Chapel]\n")
    assert (
        refused(result) == [] and moved(result, "cleric") == 0 and moved(result, "prestige", "building_prestige") == 2
    )


def test_12_all_markers_come_back() -> None:
    laid = table(4, 3, alice={"court": {"queen": 2, "jester": 1}})
    result = run(laid)
    assert moved(result, "markers", "characters_return") == 3 and result.after.claimed == {}


def test_13_prestige_goes_on_past_the_track_and_below_nothing() -> None:
    laid = table(alice={"prestige": 159})
    assert run(laid).after.seats["alice"].prestige == 162
    poor = {"active": Citizens()}
    laid = table(alice=poor)
    laid = replace(
        laid,
        pool=replace(laid.pool, corrupt=0),
        seats={**laid.seats, "bob": replace(laid.seats["bob"], rest=Citizens(corrupt=28))},
    )
    assert run(laid, alice="tax: always\n").after.seats["alice"].prestige == 1 - 2


def test_14_a_council_takes_its_order_when_it_begins() -> None:
    laid = table(2, 3, alice={"prestige": 20}, bob={"prestige": 19, "court": {"prince": 1, "princess_1": 1}})
    result = run(laid)
    told = [notice.facts["text"] for notice in result.notices if notice.kind == "happened"]
    order = [text.partition(" ")[0] for text in told if " scores " in text]
    assert order == ["alice", "bob"]
    assert result.after.order[0] == "bob", "who has more now"


@pytest.mark.parametrize(
    ("optional", "wish", "drawn"),
    [(True, "", 6), (True, "rest: {palace_draw: false}\n", 5), (False, "rest: {palace_draw: false}\n", 6)],
)
def test_15_the_citizen_of_the_palace(optional: bool, wish: str, drawn: int) -> None:
    own = rules(palace_draw=frozenset({"optional": optional}.items()))
    laid = table(alice={"land": {"m0": 1}, "pouch": Citizens(soldier=9)})
    assert run(laid, own, alice=wish).after.seats["alice"].active == Citizens(soldier=drawn)


def test_16_reductions_and_free_actions_hold_for_a_castle() -> None:
    college = {"cards": ("war_college",), "active": Citizens(soldier=1), "land": {"r1": 1, "m0": 1, "r4": 1}}
    laid = table(alice=college)
    assert army_for(laid, "alice", "e4", rules()) == distance(laid, "alice", "e4", rules()) + 1
    result = run(
        laid, alice="place: [{citizen: soldier, at: War College, lines: [1]}]\nmanage: [{occupy: [{castle: bob}]}]\n"
    )
    assert refused(result) == [] and moved(result, "prestige", "castle_attack") == 5 and moved(result, "army") == 0


@pytest.mark.parametrize("needs", [True, False])
def test_16_an_attack_asks_for_a_marker_in_hand(needs: bool) -> None:
    own = rules(castle_attack=frozenset({"needs_marker": needs}.items()))
    laid = with_player(table(alice={**STRONG, "land": {"r1": 1, "m0": 1, "r4": 1}}), "alice", markers=0)
    codes = refused(run(laid, own, alice=ARMY + "manage: [{occupy: [{castle: bob}]}]\n"))
    assert codes == ([("manage[0].occupy[0]", "pouch_no_marker")] if needs else [])


def test_17_characters_by_the_seed_by_name_or_all_of_them() -> None:
    standard = {"prince", "princess_1", "princess_2", "queen", "jester"}
    drawn = {frozenset(begun(4, seed=f"seed {number}").characters) for number in range(4)}
    assert len(drawn) > 1 and all(standard < each and len(each) == 9 for each in drawn)
    named = "characters: prince princess_1 princess_2 queen jester mayor scholar\n"
    assert set(begun(3, files={"table.yaml": named}).characters) == {*standard, "mayor", "scholar"}
    varied = {
        frozenset(begun(2, rules(extra_characters=frozenset({"varied": True}.items())), f"seed {number}").characters)
        for number in range(4)
    }
    assert len(varied) > 1 and all(len(each) == 5 for each in varied)


def test_18_castles_in_the_order_of_the_stack_or_by_the_dice() -> None:
    laid = begun(2)
    top, other = laid.order
    result = run(laid, **{top: "castle: [E4, E1]\n", other: "castle: [E4, E1]\n"})
    assert (result.after.seats[top].castle, result.after.seats[other].castle) == ("e4", "e1")
    assert passed(result, other) == ["castle[0]"] and result.after.round == 1
    assert refused(run(laid, **{top: "castle: M0\n"}), top) == [("castle[0]", "pouch_no_castle")]
    drawn = begun(4, rules(castle_choice=frozenset({"by": "drawn"}.items())))
    assert (
        drawn.round == 1
        and {lord.castle for lord in drawn.seats.values()} == {"e1", "e2", "e4", "e5"}
        and len(drawn.display) == 6
    )


def test_19_a_line_is_used_all_or_none() -> None:
    laid = table(alice={"cards": ("confessional",), "active": Citizens(cleric=1)})
    result = run(laid, alice="place: [{citizen: cleric, at: Confessional, lines: [1]}]\n")
    assert refused(result) == [("place[0]", "pouch_line_impossible")]
    assert moved(result, "prestige", "building_prestige") == 0


@pytest.mark.parametrize(("corrupt", "wish", "rest", "pouch"), [
    (True, "", Citizens(), 3), (True, "rest: {refresh_all: false}\n", Citizens(common=1, corrupt=2), 0), (False, "", Citizens(corrupt=2), 1),
])  # fmt: skip
def test_20_a_refresh_without_a_number(corrupt: bool, wish: str, rest: Citizens, pouch: int) -> None:
    own = rules(full_refresh=frozenset({"corrupt": corrupt}.items()))
    laid = table(
        alice={
            "cards": ("festival_plaza",),
            "active": Citizens(common=1),
            "rest": Citizens(corrupt=2),
            "pouch": Citizens(soldier=7),
        }
    )
    alice = run(laid, own, alice=f"place: [{{citizen: common, at: Festival Plaza, lines: [1]}}]\n{wish}").after.seats[
        "alice"
    ]
    assert alice.rest == rest and alice.pouch == Citizens(soldier=2, common=min(pouch, 1), corrupt=max(pouch - 1, 0))


# --- the rules' own sentences ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_are_shown_era_by_era(seats: int) -> None:
    """Two of each colour a round, one with two players: the first era in rounds 1 to 3, the second in 4 to 6, then the third."""
    shown: dict[int, Any] = {}
    played(seats, "eras", told=lambda result: shown.update({result.after.round: result.after.display}))
    for number in range(1, 9):
        cards = [rules().buildings[card] for card in shown[number]]
        assert {card.era for card in cards} == {(number - 1) // 3 + 1}
        assert [card.colour for card in cards] == [
            colour for colour in ("red", "yellow", "green") for _ in range(1 if seats == 2 else 2)
        ]
    assert shown[9] == ()


def test_cards_that_are_left_are_discarded() -> None:
    laid = table(alice=RICH)
    after = run(laid, alice=GOLD + "manage: [build market, build cathedral]\n").after
    assert after.discard == ("market", "red_mercenary_guild", "yellow_mercenary_guild"), (
        "the cathedral is built, and no second market"
    )
    assert len(after.display) == 3 and not {*after.display} & {*after.discard}


def test_who_sent_nothing_has_the_first_castle_that_is_free() -> None:
    laid = begun(3)
    top, second, third = laid.order
    result = run(laid, **{second: "castle: [E1]\n", third: "castle: [E3, E1]\n"})
    assert [result.after.seats[seat].castle for seat in laid.order] == ["e1", "e3", "e5"]
    assert refused(result, second) == [("castle[0]", "pouch_castle_taken")] and not refused(result, top)


@pytest.mark.parametrize(("card", "citizen", "what", "wished", "first"), [
    ("stronghold", "soldier", "land", "r2", "r1"), ("chapter_house", "cleric", "court", "queen", "prince"),
])  # fmt: skip
def test_a_second_marker_where_one_lies_and_never_a_third(
    card: str, citizen: str, what: str, wished: str, first: str
) -> None:
    lord = {"cards": (card,), "active": Citizens(**{citizen: 1}), what: {first: 1, wished: 1}}
    order = f"place: [{{citizen: {citizen}, at: {card}, add_marker: [{wished}]}}]\n"
    places = run(table(alice=lord), alice=order).after
    held = places.territories if what == "land" else places.claimed
    assert (held[wished].markers, held[first].markers) == (2, 1) and places.seats["alice"].markers == 12 - 3
    full = {**lord, what: {first: 2, wished: 2}}
    result = run(table(alice=full), alice=order)
    assert passed(result) == ["place[0]"] and moved(result, "markers", "add_marker") == 0
    result = run(with_player(table(alice=lord), "alice", markers=0), alice=order)
    assert passed(result) == ["place[0]"], "none is in hand"
    nowhere = {"cards": (card,), "active": Citizens(**{citizen: 1})}
    assert passed(run(table(alice=nowhere), alice=order)) == ["place[0]"], "the castle bears no second one"


def test_new_land_can_be_a_base_in_the_same_turn() -> None:
    result = run(table(alice=STRONG), alice=ARMY + "manage: [occupy R1, occupy M0]\n")
    assert refused(result) == [] and moved(result, "army", "occupy") == -3 and moved(result, "prestige", "occupy") == 4


def test_a_sweep_fills_slots_building_by_building_specialists_first() -> None:
    laid = table(alice={"active": Citizens(common=3, soldier=1, cleric=1), "cards": ("stable",)})
    alice = run(laid, alice="place: [{citizen: any, at: any}]\n")
    text = [
        notice.facts["text"].partition(":")[0]
        for notice in alice.notices
        if notice.kind == "happened" and " places a " in notice.facts["text"]
    ]
    assert [told.removeprefix("alice places a ") for told in text] == [
        "soldier on the Barracks", "common on the Barracks", "common on the Tavern", "common on the Tavern", "cleric on the Chapel",
        "soldier on the Farmstead",
    ]  # fmt: skip


@pytest.mark.parametrize("area", ["active", "rest"])
def test_the_corrupt_official_goes_from_where_the_order_says(area: str) -> None:
    laid = table(
        alice={
            "cards": ("city_watch",),
            "active": Citizens(soldier=1, corrupt=1),
            "rest": Citizens(corrupt=1),
            "pouch": Citizens(common=8),
        }
    )
    order = f"place: [{{citizen: soldier, at: City Watch, lines: [1], remove_from: {area}}}, corrupt at Almshouse]\n"
    result = run(with_player(laid, "alice", buildings=(*laid.seats["alice"].buildings, "almshouse")), alice=order)
    assert moved(result, "corrupt", "remove") == -1
    assert refused(result) == ([("place[1]", "pouch_not_active")] if area == "active" else [])


# --- effects that no card of the house data has -----------------------------------------------------------------------------


def with_effect(*effects: Effect) -> object:
    """The rules with these effects, each a line, on the Stable."""
    stable = Building("Stable", "red", 1, slots=(Slot(("common",), tuple((effect,) for effect in effects)),))
    return replace(rules(), buildings={**rules().buildings, "stable": stable})


def test_citizens_are_moved_between_the_areas() -> None:
    own = with_effect(Effect("move", 2, "any", "active"), Effect("move", 1, "any", "rest"))
    laid = table(
        alice={"cards": ("stable",), "active": Citizens(common=1, corrupt=1, soldier=1), "rest": Citizens(merchant=1)}
    )
    order = "place: [{citizen: common, at: Stable, lines: [1], move: [corrupt, soldier]}, merchant at Tavern]\n"
    result = run(laid, own, alice=order)
    assert refused(result) == [("place[1]", "pouch_not_active")]
    order = "place: [{citizen: common, at: Stable, lines: [2], move: [merchant]}, merchant at Tavern]\n"
    result = run(laid, own, alice=order)
    assert refused(result) == [] and moved(result, "gold", "building_gold") == 1


def test_citizens_are_exchanged_where_they_are() -> None:
    own = with_effect(Effect("exchange", 1, "corrupt", "either", "any_cube"))
    laid = table(alice={"cards": ("stable",), "active": Citizens(common=1), "rest": Citizens(corrupt=1)})
    result = run(laid, own, alice="place: [{citizen: common, at: Stable, gain: [merchant]}, merchant at Tavern]\n")
    assert moved(result, "corrupt", "exchange") == -1 and moved(result, "merchant", "exchange") == 1
    assert refused(result) == [("place[1]", "pouch_not_active")], "the merchant came to the rest area"
    laid = replace(laid, purse=Purse("alice"))
    assert not possible(Effect("exchange", 2, "corrupt", "either", "soldier"), laid, Use("alice", {}, where="x"), None)


@pytest.mark.parametrize("to", ["active", "rest"])
def test_any_area_is_the_players_choice(to: str) -> None:
    own = with_effect(Effect("gain", 1, "soldier", "either"))
    laid = table(alice={"cards": ("stable",), "active": Citizens(common=1)})
    result = run(laid, own, alice=f"place: [{{citizen: common, at: Stable, to: {to}}}, soldier at Barracks]\n")
    assert (refused(result) == []) == (to == "active")


@pytest.mark.parametrize("what", ["construct", "claim"])
def test_free_actions_of_other_kinds(what: str) -> None:
    laid = table(alice={"cards": ("stable",), "active": Citizens(common=1)})
    result = run(
        laid,
        with_effect(Effect("free", 1, what)),
        alice="place: common at Stable\nmanage: [build Cathedral, claim queen]\n",
    )
    assert len(refused(result)) == 1
    assert moved(result, "buildings" if what == "construct" else "characters") == 1


# --- play by mail ----------------------------------------------------------------------------------------------------------


def test_a_missing_mail_collects_no_tax_and_uses_what_is_free() -> None:
    result = run(table(alice={"cards": ("harbor",), "active": Citizens(common=3)}))
    assert moved(result, "prestige") == 3 + 1 and not result.after.seats["alice"].taxed


def test_the_tax_is_collected_only_where_a_wish_lacks_just_that_gold() -> None:
    laid = table(alice={"active": Citizens(merchant=1)})
    assert (
        moved(run(laid, alice="place: merchant at Tavern\nmanage: [claim queen]\ntax: if_needed\n"), "gold", "tax") == 1
    )
    assert moved(run(laid, alice="manage: [claim queen]\ntax: if_needed\n"), "gold", "tax") == 0
    assert refused(run(laid, alice="place: merchant at Tavern\nmanage: [claim queen]\n")) == [
        ("manage[0].claim[0]", "pouch_gold_character")
    ]


def test_an_order_that_anothers_move_made_impossible_falls_to_its_next_alternative() -> None:
    laid = table(alice=RICH, bob=RICH)
    both = GOLD + "manage: [{claim: [queen, prince]}]\n"
    result = run(laid, alice=both, bob=both)
    assert {who: each.owner for who, each in result.after.claimed.items()} == {"queen": "alice", "prince": "bob"}
    assert passed(result, "bob") == ["manage[0].claim[0]"]


def test_a_condition_that_does_not_hold_skips_its_order() -> None:
    laid = table(alice={"active": Citizens(common=1)})
    result = run(laid, alice="place: [{if_active: {merchant: 1}, citizen: common, at: Tavern}, common at Chapel]\n")
    assert passed(result) == ["place[0]"] and moved(result, "prestige", "building_prestige") == 2


def test_the_shape_of_each_draw_may_be_wished() -> None:
    pouch = {"active": Citizens(), "pouch": Citizens(common=3, soldier=4)}
    assert run(table(alice=pouch)).after.seats["alice"].active == Citizens(soldier=4, common=1)
    wished = run(table(alice=pouch), alice="rest: {draw: [prism, prism, cube]}\n").after.seats["alice"]
    assert wished.active == Citizens(common=2, soldier=3)


@pytest.mark.parametrize(("pace", "runs"), [("round", {2: 10, 3: 10, 4: 10}), ("turn", {2: 20, 3: 30, 4: 40})])
def test_a_game_takes_so_many_runs(pace: str, runs: dict[int, int]) -> None:
    """One for the castles and one for each of nine rounds, or for each player as many."""
    for seats, count in runs.items():
        assert played(seats, "by turns", own=rules(pace=pace)).turn == count


def test_a_run_may_be_one_players_turn() -> None:
    own = rules(pace="turn")
    laid = table()
    result = run(laid, own, bob="tax: always\n")
    assert refused(result, "bob") == [("tax", "pouch_not_your_turn")] and result.after.acted == 1


def test_one_pile_of_all_colours() -> None:
    own = rules(piles=frozenset({"mixed": True}.items()))
    sizes = []
    played(
        2,
        "mixed",
        own=own,
        told=lambda result: sizes.append(
            len(result.after.display) if result.after.round == result.before.round + 1 else 0
        ),
    )
    assert list(begun(2, own).decks) == ["mixed"] and sizes[:8] == [3] * 8


# --- the tables of a campaign's own ----------------------------------------------------------------------------------------


def of_campaign(text: str) -> Any:
    node, _ = yaml_text.read(text.encode(), "campaign.yaml")
    return tables.load(GAME, node).rules


@pytest.mark.parametrize(("seats", "in_use"), [(2, 9), (3, 13), (4, 19)])
def test_so_many_territories_are_in_use(seats: int, in_use: int) -> None:
    """And the palace is two steps from every castle, so that all seats are alike."""
    board = board_for(rules(), seats)
    assert len(land(rules(), seats)) == in_use and len(board.castles) == seats
    laid = table(seats)
    assert {distance(laid, seat, "m0", rules()) for seat in laid.seats} == {2}


def test_a_campaign_may_use_other_territories_and_castles() -> None:
    board = "{players: 2, castles: [c1, c4], unused: [e3, e6], copies: 1, shown: 1, extra_characters: 2}"
    own = of_campaign(f"boards: [{board}]\n")
    assert len(land(own, 2)) == 17
    laid = begun(2, own)
    assert len(laid.characters) == 7
    result = run(laid, own, **{laid.order[0]: "castle: [E1, C4]\n"})
    assert {lord.castle for lord in result.after.seats.values()} == {"c1", "c4"}
    first = result.after.order[0]
    placed = "place: [common at Barracks]\n"
    assert refused(run(result.after, own, **{first: f"{placed}manage: [occupy E3]\n"}), first) == [
        ("manage[0].occupy[0]", "pouch_not_in_use")
    ]


@pytest.mark.parametrize(("text", "said"), [
    ("boards: [{players: 2, castles: [e1, x9], copies: 1, shown: 1, extra_characters: 0}]", "x9 of the board for 2 players is no territory"),
    ("boards: [{players: 2, castles: [e1, e4], unused: [e4], copies: 1, shown: 1, extra_characters: 0}]", "needs 2 places for castles"),
    ("boards: [{players: 2, castles: [e1, e4], copies: 1, shown: 1, extra_characters: 8}]", "more characters than there are"),
    ("box: {first_commons: 8}", "fewer commons than its most players begin with"),
])  # fmt: skip
def test_tables_that_do_not_go_together_are_refused(text: str, said: str) -> None:
    with pytest.raises(Faults, match=said):
        of_campaign(f"{text}\n")


def test_the_real_cards_can_take_the_place_of_the_invented_ones() -> None:
    """Who owns the game changes a row of the table, and says that nothing is house data any more."""
    own = of_campaign(
        "buildings: {bank: {cost: 6, slots: [{accepts: [common], lines: [[{does: gold, 'n': 3}]]}]}}\nhouse: {edition: 0}\n"
    )
    laid = table(alice={"active": Citizens(common=1), "cards": ("bank",)})
    assert (
        moved(run(laid, own, alice="place: common at Bank\n"), "gold", "building_gold") == 3 and own.house.edition == 0
    )


EXAMPLE = """\
place:
  - {citizen: soldier, at: City Watch, remove_from: rest, draw: [cube]}
  - {citizen: common, at: Tavern}
  - {citizen: common, at: Tavern}          # second slot
  - {if_active: {merchant: 1}, citizen: merchant, at: Market}
  - {citizen: any, at: any}                # sweep the rest by printed order
manage:
  - build: [Masons' Lodge, Armoury]
  - claim: [queen, prince]
  - occupy: [R1, M0, {castle: bob}]
tax: if_needed
rest:
  refresh: [merchant, soldier, cleric, common]
  draw: [cube, cube, cube, prism, prism, prism]
  palace_draw: true
"""


def test_orders_read_in_their_long_and_short_forms() -> None:
    laid = table(
        alice={
            "cards": ("city_watch", "market"),
            "active": Citizens(soldier=1, common=3, merchant=1),
            "rest": Citizens(corrupt=1),
        }
    )
    result = run(laid, alice=EXAMPLE)
    assert refused(result) == [
        ("manage[0].build[0]", "pouch_not_on_display"),
        ("manage[0].build[1]", "pouch_not_on_display"),
    ]
    assert result.after.claimed["queen"].owner == "alice" and result.after.territories["r1"].owner == "alice"
    short = "place: soldier at City Watch, common at Tavern\nmanage: [build market, claim queen prince, occupy R1 M0]\nrest: {draw: cube prism}\n"
    read = run(laid, alice=short).orders["alice"]
    assert read["place"] == [{"citizen": "soldier", "at": "city_watch"}, {"citizen": "common", "at": "tavern"}]
    assert read["manage"] == [{"build": ["market"]}, {"claim": ["queen", "prince"]}, {"occupy": ["r1", "m0"]}]
    assert read["rest"] == {"draw": ["cube", "prism"]}
