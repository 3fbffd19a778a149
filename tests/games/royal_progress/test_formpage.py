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
from tests.games.royal_progress.filling import at_random, filled, fits, offers_of
from tests.games.royal_progress.kit import GAME, RULES, foreseen, laid, opened, played, refusals, rules_with, trouble
from tests.kit.browser import Browser
from tests.kit.formkit import FACTS, Place
from tests.plays.royal_progress import otherwise

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


def legal(table: Any, seat: str, plan: dict[str, Any], rules: Any = RULES) -> str:
    """Why the plan is refused, read as a file holds it; "" where it is legal as the table lies."""
    text = f"kingdom: {seat}\nturn: {table.turn + 1}\nplans:\n  - {flow(plan)}\n"
    filing = read(
        text.encode(), "form.yaml", GAME, {**GAME.names(rules), "seats": list(table.seats)}, seat, table.turn + 1
    )
    assert not filing.problems, (text, [str(problem) for problem in filing.problems])
    wrong = trouble(GAME.known(table, seat, rules), seat, filing.orders["plans"][0], rules)
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
                assert values is None or not legal(table, seat, filled(offer["value"], values), rules)


@pytest.mark.long
def test_every_plan_that_is_legal_can_be_chosen() -> None:
    """Abilities and actions drawn at random: where the engine allows them the form has them."""
    random, found = Random("complete"), []
    for table in tables()[1:]:
        for seat in table.seats:
            offers = {offer["id"].split()[1]: offer for offer in offered(table, seat)}
            for ability, first, second in drawn(table, seat, random, 200):
                plan = {**({"ability": ability} if ability else {}), "actions": [first, second]}
                if not legal(table, seat, plan):
                    found.append(ability)
                    values = {
                        **chosen("first", first),
                        **chosen("second", second),
                        **({"ability": ability} if ability else {}),
                    }
                    assert fits(offers[f"{first[0].lower()}{second[0].lower()}"], values), plan
    assert len(found) > 400 and len(list(filter(None, found))) > 40


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


def chosen(name: str, action: str) -> dict[str, Any]:
    """What is chosen for the action."""
    if action == "C":
        return {f"{name}_wish_1": "any"}
    return {name: action, **({f"{name}_on": action.split()[1]} if action[0] == "B" else {})}


def test_a_full_place_is_passed_and_a_condition_can_be_set() -> None:
    """The bishop behind Tonbridge, which is full; a card that must still lie open."""
    table = laid(places={"bishop": "maidstone", "duke": "tonbridge"}, offer=("bishop 1", "knight 1", "lady 0"))
    moves, takes = (
        next(offer for offer in offered(table, "alice") if offer["id"] == f"plan {kinds}") for kinds in ("aa", "cc")
    )
    way = {"first": "A bishop to tonbridge", "second": "A bishop to croydon"}
    assert fits(moves, way) and not fits(moves, {**way, "second": "A duke to croydon"}), "who passes goes on"
    wish = {"first_wish_1": "knight-1", "second_wish_1": "any"}
    assert fits(takes, wish) and fits(takes, {**wish, "first_wish_1": "duke", "first_wish_2": "any"})
    assert not fits(takes, {**wish, "first_wish_1": "duke"}), "no duke lies open, so the plan would not count"


def test_standing_preferences_can_be_set_one_by_one() -> None:
    table = laid()
    offers = {offer["id"]: offer for offer in offers_of(GAME.forms.page(table, "alice", RULES), "standing")}
    assert list(offers) == [f"standing {key}" for key in ("pair", "single", "forced_discard", "loyalty", "no_plan")]
    pair = filled(offers["standing pair"]["value"], {"type_1": "titles", "type_2": "land", "then": "leftmost"})
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
        add("plan ab", { ability: "knight moves bishop maidstone", first: "A bishop to tonbridge", second_on: "each", second: "B each bishop 3, lady 1" });
        add("plan cc", { first_wish_1: "duke-1", second_wish_1: "any" });
        add("standing no_plan", { first: "c", second: "c", wish_1: "most in hand" });
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
