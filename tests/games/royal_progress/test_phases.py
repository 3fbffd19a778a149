"""The turn at the table and the end of a round, sentence by sentence of the rules. A player can read them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from kingdom.engine.standings import standings
from kingdom.games.royal_progress.state import Table, replace, with_courtier, with_player
from kingdom.games.royal_progress.steps import pieces
from kingdom.games.royal_progress.steps.cards import forced_discard, loyalty_discard
from kingdom.games.royal_progress.steps.moving import extra_move, room, ways
from tests.games.royal_progress.kit import (
    GAME,
    NO_ABILITIES,
    RULES,
    blank,
    laid,
    played,
    refusals,
    rules_with,
    told,
    turn_of,
)
from tests.games.royal_progress.test_examples import ANY_TWO, OFFER, TAKE, code_of, plan


def said(result: Any, *words: str) -> list[str]:
    """The lines told to everybody that hold one of these words."""
    return [line for line in told(result).split("\n") if any(word in line for word in words)]


# --- the King


def test_the_holder_of_the_king_card_scores_only_where_a_courtier_is_at_court() -> None:
    lonely = turn_of(laid(king=3, offer=OFFER), {"alice": ANY_TWO})
    assert lonely.after.king == 4 and lonely.after.seats["alice"].points == 0
    assert turn_of(laid(king=3, at_court=("duke",), offer=OFFER), {}).after.seats["alice"].points == 1


def test_the_king_moves_in_his_holders_turn_alone() -> None:
    result = turn_of(laid(king=3, king_card="bob", offer=OFFER), {})
    lines = said(result, "The King moves", "takes")
    assert [line.split()[0] for line in lines] == ["alice", "alice", "The", "bob", "bob", "carol", "carol"]


# --- action A


@pytest.mark.parametrize(
    ("place", "most"), [("tonbridge", 1), ("hertford", 2), ("london", 2), ("andover", None), ("windsor", None)]
)
def test_villages_hold_one_or_two_london_two_homes_and_castles_any_number(place: str, most: int | None) -> None:
    table = blank()
    names = list(table.courtiers)
    for count, name in enumerate(names[:6]):
        assert room(table, place, RULES) == (most is None or count < most)
        table = with_courtier(table, name, place=place)


def test_a_courtier_moves_along_roads_and_never_farther_from_the_castle() -> None:
    table = laid(places={"bishop": "tonbridge"}, offer=OFFER)  # as far as Horsham, nearer than Maidstone and Hastings
    assert code_of(table, "alice", {"do": "a", "courtier": "bishop", "to": "maidstone"}, TAKE) == "move_farther"
    assert code_of(table, "alice", {"do": "a", "courtier": "bishop", "to": "london"}, TAKE) == "move_no_road"
    assert {"croydon", "horsham"} <= set(ways(table, "bishop", RULES))


def test_anybody_moves_any_courtier_whoever_controls_him() -> None:
    table = laid(piles={"duke": {"bob": (3,)}}, control={"duke": ("bob", "")}, offer=OFFER)
    assert (
        turn_of(table, {"alice": plan({"do": "a", "courtier": "duke", "to": "tonbridge"}, TAKE)})
        .after.courtiers["duke"]
        .place
        == "tonbridge"
    )


def test_arrivals_are_counted_and_the_mover_gets_the_king_card_the_controller_the_pair() -> None:
    table = laid(
        at_court=("lady",), places={"duke": "london"}, piles={"duke": {"bob": (2, 1)}}, control={"duke": ("bob", "")}, offer=OFFER,
    )  # fmt: skip
    after = turn_of(table, {"alice": plan({"do": "a", "courtier": "duke", "to": "windsor"}, TAKE)}).after
    assert (after.courtiers["duke"].arrived, after.king_card) == (2, "alice")
    assert (
        len(after.seats["bob"].gifts) == 2
        and after.courtiers["duke"].piles["bob"] == (1,)
        and after.discards == ("duke 2",)
    )
    assert len(after.pairs) == RULES.box.pairs - 1 and not after.seats["alice"].gifts


# --- action B


def test_one_card_on_each_of_two_courtiers_and_control_of_both_is_looked_at_at_once() -> None:
    table = laid(
        hands={"alice": ("duke 3", "lady 2")}, piles={"duke": {"bob": (1,)}, "lady": {"bob": (2, 0)}},
        control={"duke": ("bob", ""), "lady": ("bob", "")}, offer=OFFER,
    )  # fmt: skip
    both = {"do": "b", "each": [{"courtier": "duke", "card": 3}, {"courtier": "lady", "card": 2}]}
    after = turn_of(table, {"alice": plan(both, TAKE)}).after
    assert (after.courtiers["duke"].control, after.courtiers["duke"].minor) == ("alice", "bob")
    assert (after.courtiers["lady"].control, after.courtiers["lady"].minor) == ("bob", "alice")


def test_a_card_each_is_for_two_different_courtiers() -> None:
    table = laid(hands={"alice": ("duke 3", "duke 2")}, offer=OFFER)
    twice = {"do": "b", "each": [{"courtier": "duke", "card": 3}, {"courtier": "duke", "card": 2}]}
    assert code_of(table, "alice", twice, TAKE) == "lay_each"


def test_laying_twice_is_two_actions_and_no_card_is_laid_twice() -> None:
    table = laid(hands={"alice": ("duke 3", "lady 2")}, offer=OFFER)
    duke, lady = {"do": "b", "courtier": "duke", "cards": [3]}, {"do": "b", "courtier": "lady", "cards": [2]}
    assert code_of(table, "alice", duke, lady) == "" and code_of(table, "alice", duke, duke) == "lay_not_held"


# --- action C, and the loyalty test


def test_the_offer_is_filled_at_once_so_that_a_second_take_sees_the_new_card() -> None:
    """All that is left in the deck are knights: the second take finds one."""
    table = laid(offer=("duke 0", "lady 1", "bishop 1"))
    knights = tuple(card for card in table.deck if card.startswith("knight"))
    table = replace(
        with_player(table, "carol", hand=tuple(card for card in table.deck if card not in knights)), deck=knights
    )
    first, second = {"do": "c", "prefer": [{"suit": "duke"}]}, {"do": "c", "prefer": [{"suit": "knight"}, "any"]}
    hand = turn_of(table, {"alice": plan(first, second)}).after.seats["alice"].hand
    assert "duke 0" in hand and any(card.startswith("knight") for card in hand)


def empty_deck(**other: Any) -> Table:
    """All that is not on the table is in carol's hand."""
    table = laid(offer=OFFER, **other)
    return replace(with_player(table, "carol", hand=tuple(sorted(table.deck))), deck=())


def test_all_who_show_most_symbols_move_a_courtier_from_the_left_of_the_king_card() -> None:
    table = empty_deck(
        piles={"duke": {"alice": (2, 1)}, "lady": {"bob": (2, 1)}, "knight": {"carol": (1, 0)}},
        control={"duke": ("alice", ""), "lady": ("bob", ""), "knight": ("carol", "")},
    )  # fmt: skip
    result = turn_of(table, {"alice": plan(TAKE, TAKE)})
    assert [line.split()[0] for line in said(result, " moves the ")][:2] == ["bob", "alice"], (
        "alice holds the King card"
    )
    discards = said(result, "in the loyalty test")[:3]
    assert [line.split()[0] for line in discards] == ["bob", "carol", "alice"]


def test_offer_and_discards_become_the_deck_before_the_extra_moves() -> None:
    table = empty_deck(piles={"duke": {"bob": (2, 1)}}, control={"duke": ("bob", "")}, places={"duke": "london"})
    result = turn_of(table, {"alice": plan(TAKE, TAKE)})
    lines = told(result).split("\n")
    assert lines.index("bob discards duke 2 in the loyalty test.") < lines.index(
        "bob moves the duke from London to Windsor."
    )
    assert "duke 2" not in result.after.discards and pieces(result.after, RULES) == pieces(table, RULES)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("nearest_own", ("duke", "croydon")), ("farthest_own", ("lady", "marlborough")), ("nearest_minor", ("knight", "newbury")),
        ("nearest_any", ("jester", "windsor")), ("none", None),
    ],
)  # fmt: skip
def test_the_extra_move_goes_by_the_standing_preference(said: str, expected: tuple[str, str] | None) -> None:
    table = laid(
        places={"duke": "tonbridge", "lady": "cirencester", "knight": "andover", "jester": "london"},
        control={"duke": ("alice", ""), "lady": ("alice", ""), "knight": ("bob", "alice"), "jester": ("bob", "")},
    )  # fmt: skip
    assert (
        extra_move(with_player(table, "alice", standing={"loyalty": {"extra_move": said}}), "alice", RULES) == expected
    )


@pytest.mark.parametrize(
    ("said", "expected"),
    [("lowest_symbols", "lady"), ("highest_symbols", "knight"), ("smallest_pile", "duke"), ("largest_pile", "lady")],
)
def test_a_forced_discard_goes_by_the_standing_preference(said: str, expected: str) -> None:
    """The lady's pile is worth 6, the knight's 4, the duke's 3."""
    table = laid(piles={"lady": {"alice": (0, 3, 3, 2, 2, 1)}, "knight": {"alice": (3,)}, "duke": {"alice": (2,)}})
    table = with_player(table, "alice", standing={"forced_discard": {"from": said}, "loyalty": {"discard": said}})
    assert forced_discard(table, "alice") == loyalty_discard(table, "alice") == expected
    kept = with_player(table, "alice", standing={"forced_discard": {"from": said, "keep": [expected]}})
    assert forced_discard(kept, "alice") != expected


# --- the end of a round


def test_without_a_second_pile_there_is_no_single_gift() -> None:
    table = laid(at_court=("lady",), piles={"lady": {"alice": (3,)}}, control={"lady": ("alice", "")}, king=9)
    assert not said(turn_of(table, {}), "minor control")


def test_when_a_round_ends_gifts_leave_discards_go_into_the_deck_and_the_offer_stays() -> None:
    table = laid(
        king=9,
        at_court=("lady",),
        places={"duke": "croydon"},
        piles={"lady": {"alice": (2,)}},
        control={"lady": ("alice", "")},
        offer=OFFER,
    )
    table = with_courtier(replace(table, deck=table.deck[1:], discards=table.deck[:1]), "lady", used=True)
    before = {*table.singles, *(gift for pair in table.pairs for gift in pair)}
    after = turn_of(table, {}).after
    assert (
        after.round == 2
        and after.king == 3
        and after.discards == ()
        and table.discards[0] in after.deck
        and Counter(after.offer) == Counter(OFFER)
    )
    assert Counter(after.gone) >= Counter(before), "nobody took any"
    assert (len(after.pairs), len(after.singles)) == (RULES.box.pairs, RULES.box.singles)
    assert after.courtiers["lady"].place == RULES.courtiers["lady"].home and after.courtiers["duke"].place == "croydon"
    assert after.courtiers["lady"].used, "an ability comes back when control changes, not with the round"


def test_the_three_rounds_go_to_three_castles_and_six_gifts_are_never_seen() -> None:
    last = [*played(3, "castles")][-1].after
    assert sorted(last.castles) == ["guildford", "hatfield", "windsor"] and len(last.gift_deck) == 6


@pytest.mark.parametrize(
    ("alice", "bob"),
    [
        ({"points": 5}, {"points": 4, "gifts": ("land 3", "land 3")}),
        (
            {"points": 4, "gifts": ("land 1", "land 1")},
            {"points": 4, "gifts": ("titles 3",), "hand": ("duke 1", "duke 2")},
        ),
        ({"gifts": ("titles 3",)}, {"gifts": ("land 2",), "hand": ("duke 1", "duke 2")}),
        ({"hand": ("duke 1", "duke 2")}, {"hand": ("lady 3",)}),
    ],
)
def test_who_wins_points_then_gifts_then_crowns_then_influence_cards(
    alice: dict[str, Any], bob: dict[str, Any]
) -> None:
    table = with_player(with_player(blank(), "alice", **alice), "bob", **bob)
    assert [(row.place, row.seat) for row in standings(GAME, table, RULES)][:2] == [(1, "alice"), (2, "bob")]


# --- by mail


def test_the_pace_is_a_lap_a_turn_unless_the_campaign_says_otherwise() -> None:
    assert RULES.pace == "lap" and set(RULES.paces) == {"lap", "strict"}


def test_a_card_drawn_unseen_can_be_named_only_as_drawn() -> None:
    """All that is left in the deck is one card; who names it by its symbols can't know that."""
    table = laid(piles={"bishop": {"alice": (2,)}}, control={"bishop": ("alice", "")}, offer=OFFER)
    table = replace(with_player(table, "carol", hand=table.deck[1:]), deck=table.deck[:1])
    name, _, symbols = table.deck[0].partition(" ")
    by_name = {
        "plans": [
            {"ability": {"use": "bishop"}, "actions": [{"do": "b", "courtier": name, "cards": [int(symbols)]}, TAKE]}
        ]
    }
    assert ("alice", "plans[0].actions[0]", "lay_not_held") in refusals(turn_of(table, {"alice": by_name}, RULES))
    drawn = {
        "plans": [
            {"ability": {"use": "bishop"}, "actions": [{"do": "b", "courtier": "drawn", "cards": ["drawn"]}, TAKE]}
        ]
    }
    assert f"alice lays {table.deck[0]}." in told(turn_of(table, {"alice": drawn}, RULES))


def test_without_an_ability_no_card_is_drawn() -> None:
    lay = {"do": "b", "courtier": "drawn", "cards": ["drawn"]}
    assert code_of(laid(offer=OFFER), "alice", lay, TAKE, rules=NO_ABILITIES) == "lay_not_drawn"


def test_longer_tracks_and_other_points_are_a_campaigns_own_affair() -> None:
    rules = rules_with(points={"kings_company": 2, "control": 3}, track={"end": 12}, abilities={"used": False})
    table = laid(king=3, at_court=("duke",), piles={"duke": {"bob": (2,)}}, control={"duke": ("bob", "")}, offer=OFFER)
    assert turn_of(table, {}, rules).after.seats["alice"].points == 2
    assert turn_of(replace(table, king=11), {}, rules).after.seats["bob"].points == 3


# --- the first turn


@pytest.mark.parametrize(
    ("named", "voided", "refused", "back"),
    [
        (["knight 3"], "", [], ["knight 3"]),
        (["knight 3"], "discard[0]", [], ["bishop 0"]),
        (["knight 3", "lady 1"], "", [("alice", "discard", "give_back_count")], ["bishop 0"]),
        (["duke 3"], "", [("alice", "discard[0]", "give_back_not_held")], ["bishop 0"]),
        ([], "", [("alice", "discard", "give_back_count")], ["bishop 0"]),
    ],
    ids=["held", "void", "too many", "not held", "none"],
)
def test_a_card_that_cant_be_given_back_is_refused_and_another_goes(
    named: list[str], voided: str, refused: list[Any], back: list[str]
) -> None:
    """One that the GM made void goes no more than one that is not held."""
    hand = ("bishop 0", "knight 3", "lady 1")
    table = replace(laid(hands={"alice": hand}), phase="discard")
    cards = [{"suit": card.split()[0], "card": int(card.split()[1])} for card in named]
    void = [{"void": {"kingdom": "alice", "order": voided}, "reason": "a slip"}] if voided else []
    result = turn_of(table, {"alice": {"discard": cards}, "gm": {"gm": void}})
    assert refusals(result) == refused
    assert sorted(result.after.seats["alice"].hand) == [card for card in hand if card not in back]
