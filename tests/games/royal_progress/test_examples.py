"""The rules by example: piles and control, scoring, the four actions, the King. A player can read them."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.games.royal_progress.state import Table, replace, value, with_player
from kingdom.games.royal_progress.steps.rounds import places, variety, worth
from tests.games.royal_progress.kit import (
    NO_ABILITIES,
    RULES,
    blank,
    foreseen,
    laid,
    refusals,
    rules_with,
    told,
    trouble,
    turn_of,
)

TAKE, ANY_TWO = {"do": "c"}, {"plans": [{"actions": [{"do": "c"}, {"do": "c"}]}]}
OFFER = ("bishop 1", "knight 1", "lady 0")


def plan(*actions: dict[str, Any], **other: Any) -> dict[str, Any]:
    """Orders of one plan."""
    return {"plans": [{"actions": list(actions), **other}]}


def code_of(table: Table, seat: str, *actions: dict[str, Any], rules: Any = NO_ABILITIES) -> str:
    """The code by which the plan is refused, "" where it is legal."""
    wrong = trouble(table, seat, {"actions": list(actions)}, rules)
    return wrong.code if wrong else ""


# --- piles and control


def test_a_pile_is_worth_its_cards_and_the_symbols_of_the_open_one() -> None:
    assert [value(pile) for pile in [(2, 0, 3), (0, 3), (3,), ()]] == [5, 2, 4, 0]


def test_discarding_a_zero_over_a_three_raises_a_pile() -> None:
    table = laid(piles={"bishop": {"alice": (2, 0, 3)}}, control={"bishop": ("alice", "")}, offer=OFFER)
    discard = {"do": "d", "courtier": "bishop"}
    after = turn_of(table, {"alice": plan(discard, discard)}).after
    assert after.courtiers["bishop"].piles["alice"] == (3,) and after.discards[:2] == ("bishop 0", "bishop 2")


def test_a_tie_takes_no_control_one_more_does() -> None:
    table = laid(
        hands={"bob": ("bishop 1", "bishop 0")}, piles={"bishop": {"alice": (3, 2), "bob": (2, 3)}},
        control={"bishop": ("alice", "bob")}, offer=("lady 0", "lady 1", "lady 2"), next="bob",
    )  # fmt: skip

    def lay(*cards):
        return {"do": "b", "courtier": "bishop", "cards": list(cards)}

    tied = turn_of(table, {"bob": plan(lay(1), TAKE)}).after.courtiers["bishop"]
    assert (value(tied.piles["alice"]), value(tied.piles["bob"])) == (5, 5)
    assert (tied.control, tied.minor) == ("alice", "bob")
    table = replace(table, courtiers={**table.courtiers, "bishop": replace(table.courtiers["bishop"], used=True)})
    over = turn_of(table, {"bob": plan(lay(1, 0), TAKE)}).after.courtiers["bishop"]
    assert (over.control, over.minor, over.used) == ("bob", "alice", False)


def test_control_of_a_courtier_at_court_changes_when_the_round_is_scored_and_not_before() -> None:
    """The card discarded on arrival drops alice below bob; she keeps control until the scoring."""
    table = laid(
        piles={"bishop": {"alice": (3, 0), "bob": (2, 0)}}, control={"bishop": ("alice", "bob")}, places={"bishop": "london"},
        offer=OFFER,
    )  # fmt: skip
    arrive = {"do": "a", "courtier": "bishop", "to": "windsor"}
    result = turn_of(table, {"alice": plan(arrive, TAKE)})
    bishop = result.after.courtiers["bishop"]
    assert bishop.arrived == 1 and bishop.piles == {"alice": (0,), "bob": (2, 0)} and bishop.control == "alice"
    assert len(result.after.seats["alice"].gifts) == 2 and result.after.king_card == "alice"
    last = turn_of(replace(result.after, king=9, next="alice"), {})  # the King reaches the end of his track
    assert last.after.courtiers["bishop"].control == "bob" and "bob scores 2 for control of bishop" in told(last)


def test_who_has_no_card_left_loses_control_to_the_next() -> None:
    table = laid(piles={"bishop": {"alice": (3,), "bob": (0,)}}, control={"bishop": ("alice", "bob")}, offer=OFFER)
    discard = {"do": "d", "courtier": "bishop"}
    bishop = turn_of(table, {"alice": plan(TAKE, discard)}).after.courtiers["bishop"]
    assert (bishop.control, bishop.minor) == ("bob", "")
    assert code_of(table, "alice", discard, discard) == "discard_none", "the second finds no card any more"


def test_the_first_card_of_a_fresh_pile_is_the_open_one() -> None:
    table = laid(hands={"alice": ("duke 0", "duke 3")}, offer=OFFER)
    lay = {"do": "b", "courtier": "duke", "cards": [3, 0]}
    assert turn_of(table, {"alice": plan(lay, TAKE)}).after.courtiers["duke"].piles == {"alice": (3, 0)}


# --- scoring


def points(keys: dict[str, tuple[int, ...]], number: int) -> dict[str, int]:
    """Seat -> points of one scoring in round `number`."""
    return {seat: worth(position, len(seats), number, RULES) for position, seats in places(keys) for seat in seats}


@pytest.mark.parametrize(
    ("number", "keys", "scored"),
    [
        (2, {"a": (3, 5), "b": (3, 4), "c": (1, 3)}, {"a": 3, "b": 1, "c": 0}),
        (2, {"a": (3, 5), "b": (3, 5), "c": (1, 3)}, {"a": 2, "b": 2, "c": 0}),
        (1, {"a": (2, 3), "b": (2, 3)}, {"a": 1, "b": 1}),
        (3, {"a": (3, 3), "b": (2, 3), "c": (2, 3), "d": (1, 3)}, {"a": 4, "b": 1, "c": 1, "d": 0}),
        (3, {"a": (3, 3), "b": (3, 3), "c": (3, 3), "d": (1, 3)}, {"a": 3, "b": 3, "c": 3, "d": 0}),
        (1, {"a": (2, 3), "b": (1, 3), "c": (1, 3)}, {"a": 2, "b": 0, "c": 0}),
    ],
)
def test_positions_are_scored_by_the_table_and_shared_for_one_less(number: int, keys: Any, scored: Any) -> None:
    assert points(keys, number) == scored


def test_most_types_goes_by_the_rarest_type_before_the_number_of_cards() -> None:
    table = with_player(blank(), "alice", gifts=("castles 1", "castles 1", "land 2", "money 2"))
    table = with_player(table, "bob", gifts=("castles 1", "castles 2", "castles 2", "land 1", "money 1"))
    assert variety(table, "alice", RULES) == (3, 1, 2, 1, 2, 2, 2)
    assert variety(table, "bob", RULES) == (3, 1, 1, 1, 1, 3, 5)
    assert points({seat: variety(table, seat, RULES) for seat in ("alice", "bob")}, 2) == {"alice": 3, "bob": 1}


def test_every_first_discards_an_open_card_by_its_standing_preferences() -> None:
    table = laid(
        piles={"duke": {"alice": (2, 0)}, "lady": {"alice": (1,), "bob": (3,)}}, control={"duke": ("alice", ""), "lady": ("bob", "alice")},
        king=9,
    )  # fmt: skip
    table = with_player(
        table, "alice", gifts=("castles 1", "castles 2"), standing={"forced_discard": {"keep": ["lady"]}}
    )
    table = with_player(table, "bob", gifts=("land 1",))
    result = turn_of(table, {})
    assert "alice discards duke 2 as first for castles." in told(
        result
    ) and "bob discards lady 3 as first for land." in told(result)
    assert "alice discards duke 0 as first for most types." in told(result)


# --- the actions


def test_two_cards_where_the_offer_shows_no_symbol_one_otherwise() -> None:
    bare = laid(offer=("bishop 0", "knight 0", "lady 0"))
    after = turn_of(bare, {"alice": plan({"do": "c", "prefer": [{"suit": "lady"}, "any"]}, TAKE)}).after.seats["alice"]
    assert {"lady 0", "bishop 0"} <= set(after.hand) and len(after.hand) >= 3
    table = laid(offer=("bishop 0", "knight 1", "lady 0"))
    assert code_of(table, "alice", {"do": "c", "two": True}, TAKE) == "take_not_two"
    assert len(turn_of(table, {"alice": plan(TAKE, {"do": "c", "two": False})}).after.seats["alice"].hand) == 2


def test_a_full_village_is_passed_by_two_actions_and_not_entered_by_one() -> None:
    """The bishop at Maidstone, the duke in Tonbridge, which has one inn; Croydon lies behind."""
    table = laid(places={"bishop": "maidstone", "duke": "tonbridge"}, offer=OFFER)

    def step(to):
        return {"do": "a", "courtier": "bishop", "to": to}

    assert code_of(table, "alice", step("tonbridge"), TAKE) == "move_full"
    assert code_of(table, "alice", step("tonbridge"), step("croydon")) == ""
    assert (
        turn_of(table, {"alice": plan(step("tonbridge"), step("croydon"))}).after.courtiers["bishop"].place == "croydon"
    )


def test_actions_never_go_back_in_the_alphabet() -> None:
    table = laid(hands={"alice": ("duke 1",)}, piles={"lady": {"alice": (1,)}}, offer=OFFER)
    move, lay = {"do": "a", "courtier": "duke", "to": "tonbridge"}, {"do": "b", "courtier": "duke", "cards": [1]}
    assert code_of(table, "alice", lay, move) == "back_in_alphabet"
    assert code_of(table, "alice", TAKE, {"do": "d", "courtier": "lady"}) == ""
    assert code_of(table, "alice", move, {"do": "a", "courtier": "lady", "to": "marlborough"}) == ""


def test_the_king_at_the_end_of_his_track_ends_the_round_before_any_action() -> None:
    table = laid(king=9, at_court=("lady",), hands={"alice": ("duke 1",)}, offer=OFFER)
    result = turn_of(table, {"alice": plan({"do": "b", "courtier": "duke", "cards": [1]}, TAKE)})
    assert "The King moves on to 10 of 10." in told(result) and "alice lays" not in told(result)
    assert result.after.seats["alice"].points == 1, "for the company at court"
    assert (result.after.round, result.after.king, result.after.next) == (2, 3, "alice")


def test_the_fifth_arrival_ends_the_round_in_the_midst_of_a_turn() -> None:
    table = laid(at_court=("lady", "knight", "marshal", "jester"), places={"bishop": "london"}, offer=OFFER, next="bob")
    result = turn_of(table, {"bob": plan({"do": "a", "courtier": "bishop", "to": "windsor"}, TAKE)})
    assert "bob takes" not in told(result) and "Round 2 begins" in told(result)
    assert result.after.king_card == result.after.next == "bob"
    homes = {name: RULES.courtiers[name].home for name in ("bishop", "lady")}
    assert {name: result.after.courtiers[name].place for name in homes} == homes


def test_courtiers_on_the_road_stay_where_they_are_for_the_next_round() -> None:
    table = laid(king=9, places={"duke": "croydon"})
    assert turn_of(table, {}).after.courtiers["duke"].place == "croydon"


def test_nobody_controls_an_arriving_courtier_and_no_pair_is_taken() -> None:
    table = laid(places={"bishop": "london"}, offer=OFFER, next="bob")
    after = turn_of(table, {"bob": plan({"do": "a", "courtier": "bishop", "to": "windsor"}, TAKE)}).after
    assert after.king_card == "bob" and len(after.pairs) == 6


def test_minor_control_brings_a_single_gift_the_last_arrived_first() -> None:
    table = laid(
        at_court=("lady", "knight"), piles={"lady": {"alice": (3,), "bob": (1,)}, "knight": {"bob": (3,), "carol": (0,)}},
        control={"lady": ("alice", "bob"), "knight": ("bob", "carol")}, king=9,
    )  # fmt: skip
    taken = [line for line in told(turn_of(table, {})).split("\n") if "minor control" in line]
    assert [line.split()[0] for line in taken] == ["carol", "bob"]


def test_an_empty_deck_calls_for_a_loyalty_test() -> None:
    """Each discards, bob shows most and moves his courtier; offer and discards become the deck again."""
    table = laid(
        piles={"bishop": {"alice": (1,), "bob": (3,)}, "duke": {"carol": (0, 3)}}, control={"bishop": ("bob", "alice"), "duke": ("carol", "")},
        places={"duke": "lewes"}, offer=OFFER,
    )  # fmt: skip
    with_all = with_player(table, "carol", hand=tuple(sorted(table.deck)))
    table = replace(with_all, deck=())
    result = turn_of(table, {"alice": ANY_TWO})
    said = told(result)
    order = [line.split()[0] for line in said.split("\n") if "in the loyalty test" in line]
    assert order[:3] == ["bob", "carol", "alice"], "from the left of the King card on"
    assert "bob makes no extra move" in said, "he discarded his only card, so he controls nobody"
    assert result.after.offer


# --- plans


def test_the_first_plan_that_is_legal_is_carried_out_and_the_report_says_why_not_the_others() -> None:
    """Alice's move fills the village; bob's first plan falls to his second."""
    table = laid(places={"bishop": "maidstone", "duke": "hastings"}, offer=OFFER)

    def to(name):
        return {"do": "a", "courtier": name, "to": "tonbridge"}

    orders = {
        "alice": plan(to("bishop"), TAKE),
        "bob": {"plans": [plan(to("duke"), TAKE)["plans"][0], plan(TAKE, TAKE)["plans"][0]]},
    }
    result = turn_of(table, orders)
    assert refusals(result) == [("bob", "plans[0].actions[0]", "move_full")]
    assert [each.facts["order"] for each in result.notices if each.kind == "used"] == ["plans[0]", "plans[1]"]


def test_who_files_nothing_takes_two_cards() -> None:
    result = turn_of(laid(offer=OFFER), {})
    assert {len(of.hand) for of in result.after.seats.values()} == {2}


def test_a_turn_of_everybody_or_of_one() -> None:
    table = laid(offer=OFFER)
    assert turn_of(table, {}).after.next == "alice"
    one = turn_of(table, {"bob": ANY_TWO}, rules=rules_with(pace="strict"))
    assert one.after.next == "bob" and ("bob", "plans", "turn_of_another") in refusals(one)


def test_check_foresees_the_own_turn_alone() -> None:
    table = laid(hands={"bob": ("duke 1",)}, offer=OFFER)
    result = foreseen(table, "bob", plan({"do": "b", "courtier": "duke", "cards": [1]}, TAKE))
    assert result.after.courtiers["duke"].control == "bob" and not refusals(result) and not result.rolls
    assert ("bob", "plans[0].actions[0]", "lay_not_held") in refusals(
        foreseen(table, "bob", plan({"do": "b", "courtier": "duke", "cards": [2]}, TAKE))
    )
