"""Each ruling where the rules are silent, and each ability of the house data, by an example."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.engine.standings import standings
from kingdom.games.royal_progress.state import Courtier, Table, replace, with_courtier, with_player
from kingdom.games.royal_progress.steps import Trial, pieces
from kingdom.games.royal_progress.steps.actions import Doing
from kingdom.games.royal_progress.steps.cards import holders, pair_for, single_for, wished
from kingdom.games.royal_progress.steps.moving import ways
from kingdom.games.royal_progress.steps.rounds import places, worth
from tests.games.royal_progress.kit import (
    GAME,
    NO_ABILITIES,
    RULES,
    SEATS,
    blank,
    laid,
    refusals,
    rules_with,
    told,
    trouble,
    turn_of,
)
from tests.games.royal_progress.test_examples import ANY_TWO, OFFER, TAKE, code_of, plan


def use(table: Table, order: dict[str, Any], *actions: dict[str, Any], rules: Any = RULES) -> Any:
    """Alice's turn with that ability."""
    return turn_of(table, {"alice": {"plans": [{"ability": order, "actions": list(actions) or [TAKE, TAKE]}]}}, rules)


def controls(name: str, **other: Any) -> Table:
    """Alice controls that courtier, by a card of his."""
    other.setdefault("offer", OFFER)
    piles = {name: {"alice": (2,)}, **other.pop("piles", {})}
    return laid(piles=piles, control={name: ("alice", ""), **other.pop("control", {})}, **other)


# --- the rulings of the rules' gaps, in their order


def test_1_cards_may_be_laid_on_a_courtier_at_court_whose_control_stays() -> None:
    table = laid(
        hands={"bob": ("lady 3", "lady 2")},
        piles={"lady": {"alice": (1,)}},
        control={"lady": ("alice", "")},
        at_court=("lady",),
        next="bob",
        offer=OFFER,
    )
    lay = {"do": "b", "courtier": "lady", "cards": [3, 2]}
    assert turn_of(table, {"bob": plan(lay, TAKE)}).after.courtiers["lady"].control == "alice"
    assert code_of(table, "bob", lay, TAKE, rules=rules_with(cards_at_court={"allowed": False})) == "lay_at_court"


def test_2_the_player_names_the_order_of_a_fresh_pile_and_later_cards_go_under_it() -> None:
    table = laid(hands={"alice": ("duke 0", "duke 1", "duke 3")}, offer=OFFER)

    def lay(*cards):
        return {"do": "b", "courtier": "duke", "cards": list(cards)}

    assert turn_of(table, {"alice": plan(lay(1, 3), lay(0))}).after.courtiers["duke"].piles["alice"] == (1, 3, 0)


def test_3_of_those_who_come_to_the_top_together_the_minor_holder_goes_first_then_the_seats_from_the_king_card() -> (
    None
):
    tied = {"bob": (1,), "carol": (1,), "alice": (0,)}
    assert holders(Courtier("london", control="alice", minor="carol", piles=tied), ["alice", "bob", "carol"]) == (
        "carol",
        "bob",
    )
    assert holders(Courtier("london", control="alice", piles=tied), ["alice", "bob", "carol"]) == ("bob", "carol")
    assert holders(Courtier("london", control="alice", piles=tied), ["carol", "alice", "bob"]) == ("carol", "bob")


def test_4_whom_nobody_controls_brings_no_pair_but_the_king_card() -> None:
    table = laid(places={"duke": "london"}, piles={}, offer=OFFER, next="bob")
    after = turn_of(table, {"bob": plan({"do": "a", "courtier": "duke", "to": "windsor"}, TAKE)}).after
    assert after.king_card == "bob" and not after.seats["bob"].gifts


def test_5_an_empty_pile_at_court_keeps_control_until_the_scoring() -> None:
    table = laid(
        piles={"lady": {"alice": (1,)}}, control={"lady": ("alice", "")}, places={"lady": "london"}, offer=OFFER
    )
    result = turn_of(table, {"alice": plan({"do": "a", "courtier": "lady", "to": "windsor"}, TAKE)})
    lady = result.after.courtiers["lady"]
    assert lady.piles == {} and lady.control == "alice"
    last = turn_of(replace(result.after, king=9, next="alice"), {})
    assert last.after.courtiers["lady"].control == "" and "for control of lady" not in told(last)


def test_6_a_place_as_far_as_before_may_be_entered() -> None:
    """From Andover to Marlborough: both are three steps from Windsor."""
    table = laid(offer=OFFER)
    assert "marlborough" in ways(table, "knight", RULES)
    assert "marlborough" not in ways(table, "knight", rules_with(equal_moves={"allowed": False}))


def test_7_only_the_castle_of_the_round_can_be_entered_and_homes_hold_any_number() -> None:
    table = laid(places={"knight": "farnham"}, offer=OFFER)
    assert code_of(table, "alice", {"do": "a", "courtier": "knight", "to": "guildford"}, TAKE) == "move_other_castle"
    crowd = laid(
        places={"knight": "andover", "marshal": "andover", "lady": "andover", "duke": "salisbury"}, offer=OFFER
    )
    assert "andover" in ways(crowd, "duke", RULES)


def test_8_three_who_share_a_position_use_up_three() -> None:
    keys = {"a": (2,), "b": (2,), "c": (2,), "d": (1,)}
    assert [(position, len(seats), worth(position, len(seats), 3, RULES)) for position, seats in places(keys)] == [
        (0, 3, 3),
        (3, 1, 0),
    ]
    assert worth(1, 2, 1, RULES) == worth(2, 2, 2, RULES) == 0, "never below none"


@pytest.mark.parametrize(("discards", "said"), [(True, 2), (False, 0)])
def test_9_who_shares_the_first_position_discards_too(discards: bool, said: int) -> None:
    table = laid(piles={"duke": {"alice": (2,), "bob": (2,)}}, control={"duke": ("alice", "bob")}, king=9)
    for seat in ("alice", "bob"):
        table = with_player(table, seat, gifts=("castles 1",))
    assert (
        told(turn_of(table, {}, rules_with(tied_firsts_discard={"discard": discards}))).count("as first for castles")
        == said
    )


def test_10_a_hand_has_no_limit() -> None:
    table = laid(
        hands={"alice": [f"{name} {symbols}" for name in ("duke", "lady", "knight") for symbols in (0, 1, 2, 3)]},
        offer=("bishop 0",) * 2 + ("bishop 1",),
    )
    assert len(turn_of(table, {"alice": ANY_TWO}).after.seats["alice"].hand) == 14


def loyalty(**other: Any) -> Table:
    """An empty deck: all that is left is in carol's hand."""
    table = laid(offer=OFFER, **other)
    return replace(with_player(table, "carol", hand=tuple(sorted(table.deck))), deck=())


def test_11_who_has_no_open_card_makes_no_extra_move_and_an_extra_move_may_arrive() -> None:
    table = loyalty(piles={"duke": {"bob": (3, 2)}}, control={"duke": ("bob", "")}, places={"duke": "london"})
    result = turn_of(table, {"alice": ANY_TWO})
    assert "alice makes" not in told(result) and "bob moves the duke from London to Windsor." in told(result)
    assert "bob has the King card." in told(result)


def test_12_where_there_are_too_few_cards_there_lies_what_there_is() -> None:
    result = turn_of(loyalty(), {"alice": ANY_TWO})
    assert (
        "A loyalty test" in told(result).replace("a loyalty", "A loyalty") and len(result.after.offer) < RULES.box.offer
    )


def test_12_where_no_card_was_left_those_that_are_discarded_later_are_laid_out() -> None:
    """Carol holds all that is not on the table; alice discards, and bob finds her card open."""
    table = replace(loyalty(piles={"duke": {"alice": (3, 0)}}), offer=())
    cards = {seat: plan({"do": "d", "courtier": "duke"}, {"do": "d", "courtier": "duke"}) for seat in ("alice",)}
    result = turn_of(table, {**cards, "bob": ANY_TWO})
    assert "No card lay open: those that were discarded since are laid out." in told(result)
    assert "bob takes duke 3." in told(result)


def test_13_one_ability_a_turn_before_the_actions_once_in_a_spell_of_control() -> None:
    table = with_courtier(controls("treasurer"), "treasurer", used=True)
    assert ("alice", "plans[0].ability", "ability_used") in refusals(use(table, {"use": "treasurer"}))
    after = use(controls("treasurer"), {"use": "treasurer"}).after
    assert after.courtiers["treasurer"].used and len(after.seats["alice"].hand) == 3


def test_14_the_last_tie_break_counts_the_cards_of_hand_and_table() -> None:
    table = laid(hands={"alice": ("duke 1",)}, piles={"lady": {"alice": (1, 2), "bob": (3, 3)}})
    assert [(row.place, row.seat) for row in standings(GAME, table, RULES)] == [(1, "alice"), (2, "bob"), (3, "carol")]


@pytest.mark.parametrize(("road", "points"), [(True, 2), (False, 0)])
def test_15_courtiers_on_the_road_score_for_control(road: bool, points: int) -> None:
    table = laid(piles={"duke": {"bob": (2,)}}, control={"duke": ("bob", "")}, king=9)
    assert turn_of(table, {}, rules_with(control_payout={"on_the_road": road})).after.seats["bob"].points == points


def test_16_and_18_the_kings_last_step_scores_and_ends_the_turns() -> None:
    result = turn_of(laid(king=9, at_court=("duke",), offer=OFFER), dict.fromkeys(SEATS[:3], ANY_TWO))
    assert result.after.seats["alice"].points == 1 and "takes" not in told(result)


def test_17_the_holder_moves_the_king_in_every_turn_of_his() -> None:
    first = turn_of(laid(king=3, at_court=("duke",), offer=OFFER), {})
    second = turn_of(first.after, {})
    assert (first.after.king, second.after.king, second.after.seats["alice"].points) == (4, 5, 2)


def test_19_gifts_are_picked_by_the_standing_preferences_then_by_crowns_then_the_leftmost() -> None:
    table = replace(
        blank(),
        pairs=(("land 1", "land 2"), ("castles 3", "money 3"), ("money 1", "titles 1")),
        singles=("land 3", "titles 1", "offices 3"),
    )
    assert (pair_for(table, "alice", RULES), single_for(table, "alice", RULES)) == (table.pairs[1], "land 3")
    table = with_player(
        table,
        "alice",
        standing={"pair": {"prefer_types": ["titles"]}, "single": {"prefer_types": ["money"], "then": "fewest_crowns"}},
    )
    assert (pair_for(table, "alice", RULES), single_for(table, "alice", RULES)) == (table.pairs[2], "titles 1")


# --- our own


def test_wishes_take_the_first_that_fits_and_of_several_the_best() -> None:
    offer = ("duke 1", "lady 2", "duke 3")
    assert wished(offer, [{"suit": "bishop"}, {"suit": "duke"}], ()) == "duke 3"
    assert wished(offer, [{"min": 2, "max": 2}], ()) == "lady 2"
    assert wished(offer, [{"suit_in_hand": "most"}], ("lady 0", "lady 1", "duke 0")) == "lady 2"
    assert wished(offer, [{"suit": "bishop"}], ()) == ""


@pytest.mark.parametrize(
    ("wanted", "done"),
    [
        (["c", "d"], ["alice takes", "alice discards duke 0"]),
        (["d", "d"], ["alice discards duke 0", "alice discards lady 2"]),
        (["c", "c"], ["alice takes", "alice takes"]),
    ],
)
def test_without_a_plan_the_standing_order_is_done(wanted: list[str], done: list[str]) -> None:
    """Each discard is of the open card that is lowest then."""
    table = with_player(
        laid(piles={"duke": {"alice": (0,)}, "lady": {"alice": (2,)}}, offer=OFFER),
        "alice",
        standing={"no_plan": {"do": wanted}},
    )
    said = [line for line in told(turn_of(table, {})).split("\n") if line.startswith("alice ")]
    assert [line.startswith(what) for line, what in zip(said, done, strict=True)] == [True, True]


def test_who_can_discard_nothing_without_a_plan_takes_instead() -> None:
    table = with_player(
        laid(piles={"duke": {"alice": (0,)}}, offer=OFFER), "alice", standing={"no_plan": {"do": ["d", "d"]}}
    )
    said = [line for line in told(turn_of(table, {})).split("\n") if line.startswith("alice ")]
    assert said[0].startswith("alice takes") and said[1] == "alice discards duke 0." and len(said) == 2


def test_without_a_plan_too_actions_never_go_back_in_the_alphabet() -> None:
    said = {"standing": {"no_plan": {"do": ["d", "c"]}, "pair": {"prefer_types": ["land"]}}}
    result = turn_of(laid(offer=OFFER), {"alice": said})
    assert ("alice", "standing.no_plan.do[1]", "back_in_alphabet") in refusals(result)
    assert result.after.seats["alice"].standing == {"pair": {"prefer_types": ["land"]}}, "the others are kept"


def test_standing_preferences_are_kept_until_they_are_said_otherwise() -> None:
    first = turn_of(
        laid(offer=OFFER),
        {"alice": {"standing": {"pair": {"prefer_types": ["land"]}, "loyalty": {"extra_move": "none"}}}},
    ).after
    second = turn_of(first, {"alice": {"standing": {"pair": {"prefer_types": ["money"]}}}}).after
    assert second.seats["alice"].standing == {"pair": {"prefer_types": ["money"]}, "loyalty": {"extra_move": "none"}}
    assert GAME.known(second, "bob", RULES).seats["alice"].standing == {}


def test_the_gm_grants_voids_and_ends() -> None:
    orders = {
        "alice": plan(TAKE, TAKE),
        "gm": {"gm": [
            {"grant": "bob", "points": 2, "reason": "a gift"}, {"void": {"kingdom": "alice", "order": "plans[0]"}, "reason": "a slip"},
            {"finish": "campaign", "reason": "the summer is over"},
        ]},
    }  # fmt: skip
    result = turn_of(laid(offer=OFFER), orders)
    assert result.after.seats["bob"].points == 2 and not any(each.kind == "used" for each in result.notices)
    assert GAME.finished(result.after) == "the GM ended it: the summer is over"


# --- the abilities


def test_the_knight_moves_a_courtier() -> None:
    assert (
        use(controls("knight"), {"use": "knight", "move": ["duke", "tonbridge"]}).after.courtiers["duke"].place
        == "tonbridge"
    )


def test_the_marshal_lets_courtiers_into_full_places_for_a_turn() -> None:
    table = controls("marshal", places={"bishop": "maidstone", "duke": "tonbridge"})
    move = {"do": "a", "courtier": "bishop", "to": "tonbridge"}
    after = use(table, {"use": "marshal"}, move, TAKE).after
    assert [name for name, of in after.courtiers.items() if of.place == "tonbridge"] == ["bishop", "duke"]
    assert "tonbridge" not in ways(with_courtier(after, "lady", place="maidstone"), "lady", RULES), "nobody else enters"


def test_the_bishop_draws_a_card_that_nobody_else_sees_and_it_can_be_laid_at_once() -> None:
    table = controls("bishop")
    result = use(
        table,
        {"use": "bishop"},
        {"do": "b", "courtier": "drawn", "cards": ["drawn"]},
        {"do": "b", "courtier": "drawn", "cards": ["drawn"]},
    )
    (drawn,) = [each for each in result.notices if "that you drew" in each.facts.get("text", "")]
    assert drawn.seat == "alice" and pieces(result.after, RULES) == pieces(table, RULES)
    kept = use(table, {"use": "bishop"}).after
    assert sum(card not in kept.seats["alice"].seen for card in kept.seats["alice"].hand) <= 1
    assert GAME.known(kept, "bob", RULES).seats["alice"].hand.count("?") == 1


def test_a_drawn_card_of_another_suit_stays_in_the_hand() -> None:
    table = controls("bishop", hands={"alice": ("duke 3",)})
    result = use(table, {"use": "bishop"}, {"do": "b", "courtier": "duke", "cards": [3, "drawn"]}, TAKE)
    pile = result.after.courtiers["duke"].piles["alice"]
    drawn = next(each.facts["text"] for each in result.notices if "that you drew" in each.facts.get("text", ""))
    assert pile[0] == 3 and len(pile) == (2 if "duke" in drawn else 1)


def test_the_treasurer_takes_one_open_card() -> None:
    assert (
        "lady 0"
        in use(controls("treasurer"), {"use": "treasurer", "prefer": [{"suit": "lady"}]}).after.seats["alice"].hand
    )


def test_the_chancellor_lays_one_card() -> None:
    table = controls("chancellor", hands={"alice": ("duke 3",)})
    assert use(table, {"use": "chancellor", "courtier": "duke", "card": 3}).after.courtiers["duke"].control == "alice"
    assert ("alice", "plans[0].ability", "ability_needs") in refusals(use(table, {"use": "chancellor"}))


def test_the_duke_opens_another_card_of_an_own_pile() -> None:
    table = controls("duke", piles={"lady": {"alice": (0, 3), "bob": (1, 1)}}, control={"lady": ("bob", "alice")})
    lady = use(table, {"use": "duke", "courtier": "lady", "card": 3}).after.courtiers["lady"]
    assert lady.piles["alice"] == (3, 0) and (lady.control, lady.minor) == ("alice", "bob")


def test_the_lady_sends_a_rivals_open_card_home() -> None:
    table = controls("lady", piles={"knight": {"bob": (3,), "alice": (1,)}}, control={"knight": ("bob", "alice")})
    after = use(table, {"use": "lady", "courtier": "knight", "of": "bob"}).after
    assert "knight 3" in after.seats["bob"].hand and after.courtiers["knight"].control == "alice"
    at_court = controls("lady", piles={"knight": {"bob": (3,)}}, at_court=("knight",))
    assert ("alice", "plans[0].ability", "ability_at_court") in refusals(
        use(at_court, {"use": "lady", "courtier": "knight", "of": "bob"})
    )


def test_the_jester_leads_a_courtier_one_step_back() -> None:
    table = controls("jester", places={"duke": "tonbridge"})
    assert use(table, {"use": "jester", "move": ["duke", "hastings"]}).after.courtiers["duke"].place == "hastings"


def test_a_campaign_may_play_without_abilities() -> None:
    assert ("alice", "plans[0].ability", "ability_off") in refusals(
        use(controls("knight"), {"use": "knight"}, rules=NO_ABILITIES)
    )


def test_looking_at_a_plan_changes_and_draws_nothing() -> None:
    table = controls("bishop")
    assert trouble(table, "alice", {"ability": {"use": "bishop"}, "actions": [TAKE, TAKE]}, RULES) is None
    assert Trial(RULES).roll("gm", "influence", 6) is None and Doing().drawn == ""
