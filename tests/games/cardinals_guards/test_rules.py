"""The rules of a move, a lure and the tunnels: what happens, and what is forbidden. The castle is that of the golden game.

   c  c  s  s  c
s C5 C0 M2 A2 C1 a      musketeers on C0 b5, A0 d2, M0 d1, S0 e1; supply s s c a
s M1 C4 S4 S1 M5 c
m A3 S3 .. S2 M4 m
a A1 C2 A5 A0 A4 m
a M3 C3 S5 M0 S0 m
   a  a  c  m  m
"""

from __future__ import annotations

import pytest

from kingdom.games.cardinals_guards.state import KILLED, Board, dealt, replace
from kingdom.games.cardinals_guards.steps import bound
from tests.games.cardinals_guards.kit import DEAL, RULES, filing_of, order_of, played, refused, rules, score

START = dealt(DEAL)


def board(**changes: object) -> Board:
    """The start, with these fields changed; maps are changed key by key."""
    made = {
        name: {**getattr(START, name), **value} if isinstance(value, dict) else value for name, value in changes.items()
    }
    return replace(START, **made)


# --- sliding


def test_the_crown_slides_east_and_beats_the_guard_at_the_edge() -> None:
    after = played(["move C E"])
    assert after.pawns["C"] == "e5" and "e5E" not in after.perimeter and after.perimeter["e5N"] == "C", (
        "the other guard of the corner stays"
    )
    assert (after.searched["C"], after.defeated["A"], score(after)) == (1, 1, 2)


def test_in_front_of_a_musketeer_he_stops_and_beats_nobody() -> None:
    after = played(["move C E", "move C S"])
    assert after.pawns["C"] == "e2" and sum(after.defeated.values()) == 1


def test_a_castle_guard_is_not_beaten_by_running_into_it() -> None:
    after = played(["lure C b1", "move C S"])
    assert after.pawns["C"] == "b2" and after.castle == ("b1",) and sum(after.defeated.values()) == 0


def test_there_is_no_move_of_no_length() -> None:
    assert refused("move M E", START) == "guards_blocked"
    assert refused("move M S", START) == "guards_at_post"
    assert played(["move M S"], by=rules(zero_length={"stop": True})).perimeter.get("d1S") == "M", "his own suit stays"
    assert played(["move S E"], by=rules(zero_length={"stop": True})).defeated["M"] == 1


def test_who_has_left_moves_no_more() -> None:
    gone = played(["move C E", "move C W", "move C E"])
    assert gone.pawns["C"] == KILLED and gone.searched["C"] == 1, "what the die shows still counts"
    assert refused("move C N", gone) == "guards_gone"


# --- searching


def test_only_the_next_chamber_counts_and_only_where_the_move_ends() -> None:
    east = board(pawns={"A": "b2"}, searched={"A": 4})
    assert played(["move A E"], east).searched["A"] == 4, "over A5 on c2"
    assert played(["move A E"], east, by=rules(search={"pass_through_counts": True})).searched["A"] == 5
    assert played(["move C W"], board(searched={"C": 3})).searched["C"] == 3, "C5 comes after C4"


def test_five_chambers_and_out_is_an_escape_four_and_out_is_death() -> None:
    open_edge = {post: suit for post, suit in START.perimeter.items() if post != "b5N"}
    for searched, fate, more in ((5, "escaped", 2), (4, "killed", 0)):
        before = replace(board(searched={"C": searched}), perimeter=open_edge, defeated={**START.defeated, "C": 1})
        after = played(["move C N"], before)
        assert (after.pawns["C"], after.searched["C"], score(after) - score(before)) == (fate, searched, more)


# --- guards of the perimeter


def test_a_guard_of_his_own_suit_stays_or_is_recruited() -> None:
    before = board(supply={"A": 0}, defeated={"A": 1})
    stays, taken = played(["move A W"], before), played(["move A W recruit"], before)
    assert "a2W" in stays.perimeter and stays.defeated == before.defeated
    assert "a2W" not in taken.perimeter and taken.supply["A"] == 1 and taken.defeated == before.defeated
    assert score(taken) == score(stays) == score(before) + 1, "A1 is searched, and a recruit counts nothing"


def test_no_recruit_while_the_supply_holds_one_of_that_suit() -> None:
    assert refused("move A W recruit", START) == "guards_recruited_already"
    assert refused("move C E recruit", START) == "guards_nobody_to_recruit"
    assert (
        refused("move A W recruit", board(supply={"A": 0}), by=rules(variants={"no_recruiting": True}))
        == "guards_no_recruiting"
    )


def test_a_guard_of_another_suit_is_beaten_whatever_the_player_wants() -> None:
    assert played(["move A E"]).defeated["M"] == 1
    assert refused("move A E recruit", START) == "guards_nobody_to_recruit"


# --- luring


@pytest.mark.parametrize("order, code", [
    ("lure S b3", ""), ("lure S d3", ""), ("lure C a5", ""), ("lure M a5", "guards_not_in_supply"), ("lure S a5", "guards_lure_suit"),
    ("lure S c3", "guards_lure_hole"), ("lure S e1", "guards_lure_taken"),
])  # fmt: skip
def test_where_a_guard_can_be_lured(order: str, code: str) -> None:
    assert refused(order, START) == code


def test_two_guards_do_not_share_a_tile() -> None:
    assert refused("lure S b3", played(["lure S b3"])) == "guards_lure_taken"


# --- the tunnels


def entering(**changes: object) -> Board:
    """The moon musketeer on c5, north of the hole, with guards of the castle on a2 and d4."""
    pawns = {"M": "c5", **changes.pop("pawns", {})}  # type: ignore[dict-item]
    return replace(board(pawns=pawns, supply={"A": 0, "S": 1}, **changes), castle=("a2", "d4"))


def test_through_the_tunnels_one_castle_guard_falls() -> None:
    after = played(["move M S exit e5 defeat a2"], entering())
    assert (after.pawns["M"], after.castle, after.defeated["A"]) == ("e5", ("d4",), 1)
    assert after.perimeter == START.perimeter, "the guards of the corner did not stop him"
    assert played(["move M S exit e5"], entering()).castle == ("a2", "d4"), "he may"


def test_the_tunnels_search_too() -> None:
    assert played(["move M S exit a1"], entering(searched={"M": 2})).searched["M"] == 3


def test_a_guard_of_the_perimeter_never_falls_to_the_tunnels() -> None:
    assert refused("move M S exit e5 defeat a3", entering()) == "guards_no_castle_guard"


def test_the_exit_must_be_free_before_he_enters() -> None:
    beside = replace(entering(), castle=("a5", "d4"))
    assert refused("move M S exit a5 defeat a5", beside) == "guards_exit_taken"
    assert refused("move M S exit a5 defeat a5", beside, by=rules(tunnel_removal={"when": "before_choosing"})) == ""
    assert refused("move M S exit c1", entering()) == "guards_exit_taken", "no corner"
    assert refused("move M S", entering()) == "guards_exit_unnamed"


def test_where_one_corner_alone_is_free_it_need_not_be_named() -> None:
    one = replace(entering(pawns={"C": "e5", "A": "a1"}), castle=("a2",))
    after = played(["move M S defeat a2"], one)
    assert after.pawns["M"] == "a5" and after.trail[-1] == "move M S exit a5 defeat a2"


def test_with_all_corners_taken_the_hole_is_a_wall() -> None:
    shut = board(pawns={"S": "e1", "C": "e5", "A": "a1", "M": "c2"}, castle=("a5",), supply={"C": 0})
    assert refused("move M N", shut) == "guards_tunnel_shut"
    assert played(["move M N"], replace(shut, pawns={**shut.pawns, "M": "c1"})).pawns["M"] == "c2"


def test_the_variant_of_own_suits_alone() -> None:
    by = rules(variants={"own_suit_removal": True})
    assert refused("move M S exit e5 defeat a2", entering(), by=by) == "guards_other_suit"
    assert refused("move M S exit e5 defeat a4", replace(entering(), castle=("a4",)), by=by) == ""


def test_exit_and_defeat_are_for_the_tunnels() -> None:
    assert refused("move C E exit a1", START) == "guards_no_tunnel"
    assert refused("move C E defeat a1", START) == "guards_no_tunnel"


# --- how orders are written


def test_every_form_of_an_order_is_the_same_order() -> None:
    forms = [
        "move C E exit e5 defeat a2", "move c e EXIT e5 defeat A2", "move crown east exit e5 defeat a2", "move C E defeat a2 exit e5",
        "{move: C, dir: E, exit: e5, defeat: a2, recruit: false}", "{dir: e, move: crown, exit: e5, defeat: a2}",
    ]  # fmt: skip
    assert {order_of(form) for form in forms} == {order_of(forms[0])}
    assert {
        order_of(form)
        for form in (
            "move S N recruit",
            "{move: S, dir: 'N', recruit: true}",
            "{move: s, dir: north, recruit: recruit}",
        )
    } == {order_of("move S N recruit")}
    assert order_of("lure A a2") == order_of("{lure: A, cell: a2}") == order_of("lure arms to a2")


def test_the_whole_example_of_a_filing() -> None:
    text = "continue_from: 12\norders:\n  - move C E\n  - lure A a2\n  - move A E exit e5 defeat a2\n  - move S N recruit\nfinish: false\n"
    filed = filing_of("athos", 3, text)
    assert (filed["continue_from"], filed["finish"], len(filed["orders"])) == (12, False, 4)
    assert filing_of("athos", 3, "orders: move C E, lure A a2\n")["orders"] == filed["orders"][:2]


# --- what can still be had


def test_what_is_lost_for_good_lowers_the_bound() -> None:
    assert bound(START, DEAL, RULES) == 52
    assert bound(played(["move C E", "move C W", "move C E"]), DEAL, RULES) == 52 - 4 - 2, "four chambers and an escape"
    assert bound(replace(START, finished=True), DEAL, RULES) == 0
    nobody = board(pawns=dict.fromkeys("SMCA", KILLED))
    assert bound(nobody, DEAL, RULES) == 0, "and 24 guards that nobody beats"
    shut = replace(
        board(supply={"S": 0, "C": 0, "A": 0}),
        castle=("a1", "a5", "e1", "e5"),
        pawns={"S": "b3", "M": "d1", "C": "b5", "A": "d2"},
    )
    assert bound(shut, DEAL, RULES) < 52 - 4, "four guards and the chambers below them"
    alone = board(pawns={"S": KILLED, "M": KILLED, "A": KILLED})
    assert bound(alone, DEAL, rules(variants={"no_recruiting": True})) == bound(alone, DEAL, RULES) - 5, (
        "five guards of crown on the perimeter"
    )
