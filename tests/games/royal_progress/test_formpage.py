"""The order form in a browser: whatever is chosen there, the engine reads it and refuses nothing as the table lies."""

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
from tests.games.royal_progress.kit import (
    GAME,
    RULES,
    foreseen,
    laid,
    opened,
    played,
    refusals,
    rules_with,
    trouble,
    turn_of,
)
from tests.kit.browser import Browser
from tests.kit.formkit import FACTS, Place

STRICTER = rules_with(cards_at_court={"allowed": False}, equal_moves={"allowed": False})


def names_of(table: Any) -> dict[str, Any]:
    return {**GAME.names(RULES), "seats": tuple(table.seats)}


def offers(table: Any, key: str, rules: Any = RULES) -> dict[str, Offer]:
    """Id -> offer of what alice may order under that key."""
    seen = GAME.known(table, "alice", rules)
    return {offer.id: offer for offer in GAME.offers(seen, "alice", rules, {}) if offer.key == key}


def test_every_plan_that_is_offered_is_legal_where_less_is_allowed() -> None:
    """Nothing is laid at court, and no move leads to a place as far as before. The usual rules are those of tests/games/test_offers.py."""
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
    open_to = all(
        value in picks[name].values if value is not None else picks[name].none for name, value in whole.items()
    )
    return open_to and fits(whole, picks)


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
    table = opened(3, "form", rules)
    made = offers(table, "discard", rules).values()
    assert len(made) == len(set(combinations(sorted(table.seats["alice"].hand), count)))
    for offer in made:
        orders = Place("", GAME, table, "alice", rules, names_of(table)).orders(
            f"kingdom: alice\nturn: 1\ndiscard: {flow(offer.order)}\n"
        )
        assert not refusals(foreseen(table, "alice", orders, rules))


def test_who_decides_nothing_is_told_so() -> None:
    strict, table = rules_with(pace="strict"), laid()
    waiting = next(seat for seat in table.seats if seat != table.next)
    page = GAME.forms.page(table, waiting, strict)
    assert "You need not send orders." in page["notice"] and [section["id"] for section in page["sections"]] == [
        "standing",
        "letters",
    ]


def test_a_plan_with_an_ability_and_a_second_one_are_chosen_in_the_order_of_trying(
    browser: Browser, tmp_path: Path
) -> None:
    """The knight rides, the bishop moves on and is laid on; where that is not legal any more two cards are taken."""
    table = laid(
        piles={"knight": {"alice": (2,)}},
        control={"knight": ("alice", "")},
        hands={"alice": ("bishop 3", "lady 1")},
        offer=("duke 0", "lady 0", "duke 1"),
    )
    each = Place("a plan", GAME, table, "alice", RULES, names_of(table))
    each.show(browser, tmp_path)
    browser.ask("""(() => {
        const add = (id, values) => OrderForm.draft.add(OrderForm.draft.offers.find((offer) => offer.id === id), values);
        add("plan ab", { use: "knight: bishop to Maidstone", first: "bishop to Tonbridge", second: "bishop 3 and lady 1" });
        add("plan cc", { first_wish: "duke 1", second_wish: "any card" });
        add("standing no_plan", { do: "take twice", prefer: ["of the suit that I have most of", "any card"] });
        add("standing pair", { prefer_types: ["titles", "land"], then: "leftmost" });
    })()""")
    text = browser.ask("OrderForm.draft.text()")
    assert each.verdict(text)[:2] == ([], [])
    orders = each.orders(text)
    assert orders["plans"][0] == {
        "ability": {"use": "knight", "move": ["bishop", "maidstone"]},
        "actions": [
            {"do": "a", "courtier": "bishop", "to": "tonbridge"},
            {"do": "b", "each": [{"courtier": "bishop", "card": 3}, {"courtier": "lady", "card": 1}]},
        ],
    }
    assert orders["plans"][1]["actions"][0] == {"do": "c", "prefer": [{"suit": "duke", "card": 1}]}, (
        "if it still lies open"
    )
    assert orders["standing"] == {
        "no_plan": {"do": ["c", "c"], "prefer": [{"suit_in_hand": "most"}, "any"]},
        "pair": {"prefer_types": ["titles", "land"], "then": "leftmost"},
    }
    each.show(browser, tmp_path, facts=FACTS._replace(filed=text))
    assert each.orders(browser.ask("OrderForm.draft.text()")) == orders, "filed it comes up as the same"
