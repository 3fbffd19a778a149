"""What is offered in this game alone: plans of two actions with conditions, standing preferences. What every game's offers and form do,
tests/games/test_offers.py and tests/games/test_form_pages.py ask."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom.engine.offer import Offer, Picks, filled, fits
from kingdom.games.royal_progress.orders import STANDING
from kingdom.orders.kit import Now
from kingdom.orders.kit.offering import possible
from kingdom.orders.kit.random_play import draw
from kingdom.orders.yaml_out import flow
from tests.games.royal_progress.kit import GAME, RULES, laid, opened, played, refusals, rules_with, trouble, turn_of
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import FACTS, TEXT, Place, add, unfold

STRICTER = rules_with(cards_at_court={"allowed": False}, equal_moves={"allowed": False})


def place(table: Any, rules: Any = RULES) -> Place:
    """Before a turn of alice's."""
    return Place("a plan", GAME, table, "alice", rules, {**GAME.names(rules), "seats": tuple(table.seats)})


def offers(table: Any, key: str, rules: Any = RULES) -> dict[str, Offer]:
    """Id -> offer of what alice may order under that key."""
    seen = GAME.known(table, "alice", rules)
    return {offer.id: offer for offer in GAME.offers(seen, "alice", rules, {}) if offer.key == key}


def test_every_plan_that_is_offered_is_legal_where_less_is_allowed() -> None:
    """Nothing is laid at court, and no move leads to a place as far as before."""
    random, tried = Random("legal"), 0
    for table in [result.after for result in played(3, "form", STRICTER)][:-1:4]:
        seen = GAME.known(table, "alice", STRICTER)
        for offer in offers(table, "plans", STRICTER).values():
            for plan in filter(None, (draw(offer, lambda name, sides: random.randint(1, sides)) for _ in range(4))):
                assert trouble(seen, "alice", plan.order, STRICTER) is None, plan
                tried += 1
    assert tried > 50


def test_a_full_place_is_passed_and_a_condition_can_be_set() -> None:
    """The bishop behind Tonbridge, which is full; a card that must still lie open."""
    table = laid(places={"bishop": "maidstone", "duke": "tonbridge"}, offer=("bishop 1", "knight 1", "lady 0"))
    moves, takes = offers(table, "plans")["plan aa"].picks, offers(table, "plans")["plan cc"].picks
    way = {"first": "bishop to Tonbridge", "second": "bishop to Croydon"}
    assert chosen(way, moves) and not chosen({**way, "second": "duke to Croydon"}, moves), "who passes goes on"
    wish = {"first_wish": "knight 1", "second_wish": "any card"}
    assert chosen(wish, takes) and chosen({**wish, "first_wish": "any duke", "first_else": "any card"}, takes)
    assert not chosen({**wish, "first_wish": "any duke"}, takes), "no duke lies open, so the plan would not count"
    later = {**wish, "first_wish": "any duke", "first_else": "at least 3 symbols", "first_last": "lady 0"}
    assert chosen(later, takes), "what does not lie open yet comes before what does"
    assert not chosen({**later, "first_last": None}, takes)


def test_the_card_that_an_ability_draws_can_be_laid_once() -> None:
    """Alone, or with a card of the hand; as the second action too, and whatever is drawn, the plan counts."""
    piles, control = {"bishop": {"alice": (2,)}}, {"bishop": ("alice", "")}
    assert RULES.courtiers["bishop"].ability == "blessing"
    table = laid(piles=piles, control=control, hands={"alice": ("duke 1",)}, offer=("lady 0", "lady 1", "duke 3"))
    listed = offers(table, "plans")
    lays, way = listed["plan bb"].picks, {"use": "bishop: draw a card", "first": "duke 1"}
    for second in ("drawn drawn", "knight drawn"):
        assert chosen({**way, "second": second}, lays), second
        assert not chosen({**way, "use": None, "second": second}, lays), "no card is drawn without the ability"
        assert not chosen({**way, "first": "duke 1, drawn", "second": second}, lays), "it is laid once"
    for value, action in listed["plan bc"].picks["first"].means.items():
        plan = {"ability": {"use": "bishop"}, "actions": [action, {"do": "c"}]}
        if "drawn" in value:
            assert [refusals(turn_of(table, {"alice": {"plans": [plan]}}, RULES, seed)) for seed in "abc"] == [
                []
            ] * 3, value


def chosen(values: dict[str, Any], picks: Picks) -> bool:
    """Whether these values can be chosen together, and nothing else."""
    whole = {name: values.get(name) for name in picks}
    held = [value in picks[name].values if value is not None else picks[name].none for name, value in whole.items()]
    return all(held) and fits(whole, picks)


def test_standing_preferences_can_be_set_one_by_one() -> None:
    made = {candidate.id: candidate for candidate in possible(STANDING, Now(laid(), "alice", RULES), later=True)}
    assert list(made) == [f"standing {key}" for key in ("pair", "single", "forced_discard", "loyalty", "no_plan")]
    pair = made["standing pair"]
    assert filled(pair.order, {"prefer_types": "titles", "then": "leftmost"}, pair.picks) == (
        "pair",
        {"prefer_types": ["titles"], "then": "leftmost"},
    )
    assert pair.picks["prefer_types"].kind == "ranked", "each type once, the best first"
    assert ["d", "c"] not in made["standing no_plan"].picks["do"].means.values(), "never back in the alphabet"


@pytest.mark.parametrize("count", [1, 2])
def test_the_first_turn_gives_back_as_many_cards_as_the_rules_say(count: int) -> None:
    rules = rules_with(box={"given_back": count})
    first, made = place(opened(3, "form", rules), rules), offers(opened(3, "form", rules), "discard", rules).values()
    assert len(made) == len(set(combinations(sorted(first.state.seats["alice"].hand), count)))
    for offer in made:
        assert first.verdict(f"{first.head()}discard: {flow(offer.order)}\n")[:2] == ([], [])


def test_who_decides_nothing_is_told_so() -> None:
    strict, table = rules_with(pace="strict"), laid()
    page = GAME.forms.page(table, next(seat for seat in table.seats if seat != table.next), strict)
    assert "You need not send orders." in page["notice"]
    assert [section["id"] for section in page["sections"]] == ["standing", "letters"]


@pytest.mark.package("chromium", PROGRAM)
def test_a_plan_with_an_ability_and_a_second_one_are_chosen_in_the_order_of_trying(
    browser: Browser, tmp_path: Path
) -> None:
    """The knight rides, the bishop moves on and is laid on; where that is not legal any more two cards are taken."""
    mine = {"control": {"knight": ("alice", "")}, "hands": {"alice": ("bishop 3", "lady 1")}}
    each = place(laid(piles={"knight": {"alice": (2,)}}, offer=("duke 0", "lady 0", "duke 1"), **mine))
    each.show(browser, tmp_path)
    for id, values in {
        "plan ab": {"use": "knight: bishop to Maidstone", "first": "bishop to Tonbridge", "second": "bishop 3 and lady 1"},
        "plan cc": {"first_wish": "duke 1", "second_wish": "any card"},
        "standing no_plan": {"do": "take twice", "prefer": ["of the suit that I have most of", "any card"]},
        "standing pair": {"prefer_types": ["titles", "land"], "then": "leftmost"},
    }.items():  # fmt: skip
        assert add(browser, id, values) == ""
    text = browser.ask(TEXT)
    assert each.verdict(text)[:2] == ([], [])
    orders = each.orders(text)
    cards = [{"courtier": "bishop", "card": 3}, {"courtier": "lady", "card": 1}]
    assert orders["plans"][0] == {
        "ability": {"use": "knight", "move": ["bishop", "maidstone"]},
        "actions": [{"do": "a", "courtier": "bishop", "to": "tonbridge"}, {"do": "b", "each": cards}],
    }
    first, *_ = orders["plans"][1]["actions"]
    assert first == {"do": "c", "prefer": [{"suit": "duke", "card": 1}]}, "if it still lies open"
    assert orders["standing"] == {
        "no_plan": {"do": ["c", "c"], "prefer": [{"suit_in_hand": "most"}, "any"]},
        "pair": {"prefer_types": ["titles", "land"], "then": "leftmost"},
    }
    each.show(browser, tmp_path, facts=FACTS._replace(filed=text))
    assert each.orders(browser.ask(TEXT)) == orders, "filed it comes up as the same"


def test_what_is_not_offered_is_typed_as_a_line_of_ones_own(browser: Browser, tmp_path: Path) -> None:
    """Cards below the open one in another order, a wish of two conditions; a plan that is pressed must be given there, too."""
    table = laid(hands={"alice": ("bishop 1", "bishop 2", "bishop 3")}, offer=("duke 0", "lady 0", "duke 1"))
    mine = place(table)
    line = "plans:\n- actions: [B bishop 3 1 2, {do: C, prefer: [{suit: duke, min: 1}]}]"
    mine.show(browser, tmp_path)
    assert "bishop 3, 1, 2" not in offers(table, "plans")["plan bc"].picks["first"].values
    unfold(browser, "own")
    browser.page.fill("#own-text", line)
    browser.page.click("#own-add")
    text = browser.ask("OrderForm.draft.text()")
    assert mine.verdict(text)[:2] == ([], []) and mine.orders(text)["plans"] == [
        {
            "actions": [
                {"do": "b", "courtier": "bishop", "cards": [3, 1, 2]},
                {"do": "c", "prefer": [{"suit": "duke", "min": 1}]},
            ]
        }
    ]
    added = add(browser, "plan cc", {"first_wish": "any card", "second_wish": "any card"})
    assert "plans" in added, "a key stands once in a file"
