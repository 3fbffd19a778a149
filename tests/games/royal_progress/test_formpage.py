"""The order form in a browser: whatever is chosen there, the engine reads it and refuses nothing as the table lies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.state import figure, suit
from kingdom.orders.orders_file import read
from kingdom.orders.yaml_out import flow
from tests.games.royal_progress.filling import at_random, fits, offers_of, order_of
from tests.games.royal_progress.kit import GAME, RULES, foreseen, laid, opened, played, refusals, rules_with, trouble
from tests.games.test_offers import is_offered
from tests.kit.browser import Browser
from tests.kit.formkit import FACTS, Place
from tests.plays.royal_progress import offered_as, otherwise

STRICTER = rules_with(cards_at_court={"allowed": False}, equal_moves={"allowed": False})


@cache
def tables(stricter: bool = False) -> tuple[Any, ...]:
    """Some tables of a game of three, the first before the cards are given back."""
    rules = STRICTER if stricter else RULES
    return tuple([opened(3, "form", rules), *(result.after for result in played(3, "form", rules))][:-1:4])


def place(table: Any, seat: str) -> Place:
    return Place(
        f"turn {table.turn + 1} {seat}", GAME, table, seat, RULES, {**GAME.names(RULES), "seats": tuple(table.seats)}
    )


def read_plan(table: Any, seat: str, plan: dict[str, Any], rules: Any = RULES) -> dict[str, Any]:
    """The plan in its long form, read as a file holds it."""
    text = f"kingdom: {seat}\nturn: {table.turn + 1}\nplans:\n  - {flow(plan)}\n"
    filing = read(
        text.encode(), "form.yaml", GAME, {**GAME.names(rules), "seats": list(table.seats)}, seat, table.turn + 1
    )
    assert not filing.problems, (text, [str(problem) for problem in filing.problems])
    return filing.orders["plans"][0]


def legal(table: Any, seat: str, plan: dict[str, Any], rules: Any = RULES) -> str:
    """Why the plan is refused; "" where it is legal as the table lies."""
    wrong = trouble(GAME.known(table, seat, rules), seat, read_plan(table, seat, plan, rules), rules)
    return f"{plan}: {wrong.code} {wrong.below}" if wrong else ""


def offered(table: Any, seat: str, rules: Any = RULES) -> list[dict[str, Any]]:
    """The plans of the seat's form."""
    return offers_of(GAME.forms.page(GAME.known(table, seat, rules), seat, rules), "plans")


@pytest.mark.parametrize("stricter", [pytest.param(False, marks=pytest.mark.long), True])
def test_every_plan_that_can_be_chosen_is_legal_as_the_table_lies(stricter: bool) -> None:
    """stricter: nothing is laid at court, and no move leads to a place as far as before."""
    random, rules = Random("legal"), STRICTER if stricter else RULES
    for table in tables(stricter)[1:]:
        for seat in table.seats:
            for offer in offered(table, seat, rules) * 4:
                values = at_random(offer, random)
                assert values is None or not legal(table, seat, order_of(offer, values), rules)


@pytest.mark.long
def test_every_plan_that_is_legal_can_be_chosen() -> None:
    """Abilities and actions drawn at random: where the engine allows them the form has them. Of the cards under the open one the highest is first."""
    random, found = Random("complete"), []
    for table in tables()[1:]:
        for seat in table.seats:
            offers = GAME.offers(GAME.known(table, seat, RULES), seat, RULES, {})
            for ability, first, second in drawn(table, seat, random, 200):
                plan = {**({"ability": ability} if ability else {}), "actions": [first, second]}
                order = read_plan(table, seat, plan)
                if trouble(GAME.known(table, seat, RULES), seat, order) is None and not is_not_looked_at(
                    table, seat, order
                ):
                    found.append(ability)
                    assert any(is_offered(offer, order) for offer in offers), plan
    assert len(found) > 400 and len(list(filter(None, found))) > 40


def is_not_looked_at(table: Any, seat: str, order: dict[str, Any]) -> bool:
    return bool(offered_as("plans", order, table, seat) is None)


def drawn(table: Any, seat: str, random: Random, count: int) -> Iterator[tuple[str, str, str]]:
    """(ability or "", an action, another one) in short, whether legal or not, never back in the alphabet."""
    actions, abilities = actions_of(table, seat), abilities_of(table, seat)
    for _ in range(count):
        first, second = sorted(random.choice([kind for kind in actions if actions[kind]]) for _ in range(2))
        ability = random.choice(abilities) if abilities and random.random() < 0.5 else ""
        yield ability, random.choice(actions[first]), random.choice(actions[second])


def actions_of(table: Any, seat: str) -> dict[str, list[str]]:
    """Kind -> actions: moves of one and of two steps from where each stands, one or two cards of the hand on a courtier, ..."""
    near = board.beside(RULES)
    hand = table.seats[seat].hand
    far = {place: {*near[place], *(two for one in near[place] for two in near[one])} for place in near}
    lays = [f"B {suit(one)} {figure(one)}" for one in hand] + [
        f"B {suit(one)} {figure(one)} {figure(other)}" for one, other in permutations(hand, 2)
    ]
    lays += [f"B each {one}, {other}" for one, other in combinations(sorted(hand), 2) if suit(one) != suit(other)]
    return {
        "a": [f"A {name} to {place}" for name, courtier in table.courtiers.items() for place in sorted(far[courtier.place])],
        "b": lays, "c": ["C"], "d": [f"D {name}" for name in table.courtiers],
    }  # fmt: skip


def abilities_of(table: Any, seat: str) -> list[str]:
    """Uses of the abilities of whom the seat controls."""
    moves = [action[2:].replace(" to ", " ") for action in actions_of(table, seat)["a"]]
    needs = {
        "knight": [f"moves {move}" for move in moves], "jester": [f"moves {move}" for move in moves], "marshal": [""], "bishop": [""],
        "treasurer": [f"takes {suit(card)}-{figure(card)}" for card in table.offer], "chancellor": table.seats[seat].hand,
        "duke": [f"{name} {symbols}" for name in table.courtiers for symbols in range(4)],
        "lady": [f"{name} of {other}" for name in table.courtiers for other in table.seats],
    }  # fmt: skip
    return [f"{name} {each}".strip() for name in needs if table.courtiers[name].control == seat for each in needs[name]]


def test_a_full_place_is_passed_and_a_condition_can_be_set() -> None:
    """The bishop behind Tonbridge, which is full; a card that must still lie open."""
    table = laid(places={"bishop": "maidstone", "duke": "tonbridge"}, offer=("bishop 1", "knight 1", "lady 0"))
    moves, takes = (
        next(offer for offer in offered(table, "alice") if offer["id"] == f"plan {kinds}") for kinds in ("aa", "cc")
    )
    way = {"first": "bishop to Tonbridge", "second": "bishop to Croydon"}
    assert fits(moves, way) and not fits(moves, {**way, "second": "duke to Croydon"}), "who passes goes on"
    wish = {"first_wish": "knight 1", "second_wish": "any card"}
    assert fits(takes, wish) and fits(takes, {**wish, "first_wish": "any duke", "first_else": "any card"})
    assert not fits(takes, {**wish, "first_wish": "any duke"}), "no duke lies open, so the plan would not count"


def test_standing_preferences_can_be_set_one_by_one() -> None:
    table = laid()
    offers = {offer["id"]: offer for offer in offers_of(GAME.forms.page(table, "alice", RULES), "standing")}
    assert list(offers) == [f"standing {key}" for key in ("pair", "single", "forced_discard", "loyalty", "no_plan")]
    pair = order_of(offers["standing pair"], {"type_1": "titles", "type_2": "land", "then": "leftmost"})
    assert pair == ["pair", {"prefer_types": ["titles", "land"], "then": "leftmost"}]
    assert not fits(offers["standing pair"], {"type_1": "titles", "type_2": "titles"}), "each type once"
    assert not fits(offers["standing no_plan"], {"first": "d", "second": "c"}), "never back in the alphabet"


@pytest.mark.parametrize("count", [1, 2])
def test_the_first_turn_gives_back_as_many_cards_as_the_rules_say(count: int) -> None:
    rules = rules_with(box={"given_back": count})
    table = opened(3, "form", rules)
    made = offers_of(GAME.forms.page(GAME.known(table, "alice", rules), "alice", rules), "discard")
    assert len(made) == len(set(combinations(sorted(table.seats["alice"].hand), count)))
    for button in made:
        text = f"kingdom: alice\nturn: 1\ndiscard: {flow(button['value'])}\n"
        filing = read(text.encode(), "form.yaml", GAME, {**GAME.names(rules), "seats": list(table.seats)}, "alice", 1)
        assert not filing.problems and not refusals(foreseen(table, "alice", filing.orders, rules))


def test_the_form_is_the_same_whatever_others_hold() -> None:
    for table in tables():
        for seat in table.seats:
            seen = [
                GAME.forms.page(GAME.known(each, seat, RULES), seat, RULES) for each in (table, otherwise(table, seat))
            ]
            assert seen[0] == seen[1]


def test_who_decides_nothing_is_told_so() -> None:
    strict, table = rules_with(pace="strict"), tables()[1]
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
    each = place(table, "alice")
    each.show(browser, tmp_path)
    browser.ask("""(() => {
        const add = (id, values) => OrderForm.draft.add(OrderForm.draft.offers.find((offer) => offer.id === id), values);
        add("plan ab", { use: "knight: bishop to Maidstone", first: "bishop to Tonbridge", second: "bishop 3 and lady 1" });
        add("plan cc", { first_wish: "duke 1", second_wish: "any card" });
        add("standing no_plan", { first: "c", second: "c", wish_1: "of the suit that I have most of" });
    })()""")
    text = browser.ask("OrderForm.draft.text()")
    assert each.verdict(text)[:2] == ([], [])
    orders = read(text.encode(), "form.yaml", GAME, each.names, "alice", table.turn + 1).orders
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
    assert orders["standing"] == {"no_plan": {"do": ["c", "c"], "prefer": [{"suit_in_hand": "most"}]}}
    each.show(browser, tmp_path, facts=FACTS._replace(filed=text))
    assert each.orders(browser.ask("OrderForm.draft.text()")) == orders, "filed it comes up as the same"
