"""How orders are written: the long forms and the short ones, which say the same."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.engine.game import load
from kingdom.orders import tables
from kingdom.orders.orders_file import read
from kingdom.render import reports
from tests.games.royal_progress.kit import GAME, RULES, SEATS

LONG = """\
kingdom: alice
turn: 9
plans:
  - ability: {use: knight, move: [jester, Hertford]}
    actions:
      - {do: A, courtier: bishop, to: Tonbridge}
      - {do: B, courtier: bishop, cards: [3, 1]}
  - actions:
      - {do: C, prefer: [{suit: bishop}, {min: 2}, any]}
      - {do: C, prefer: [{suit: knight}, any]}
standing:
  pair: {prefer_types: [titles, land], then: most_crowns}
  single: {prefer_types: [money, castles]}
  forced_discard: {keep: [bishop, knight], from: lowest_symbols}
  loyalty: {discard: lowest_symbols, extra_move: nearest_own}
  no_plan: {do: [C, C], prefer: [{suit_in_hand: most}, any]}
"""


def orders_of(text: str) -> dict[str, Any]:
    filing = read(text.encode(), "alice.yaml", GAME, {**GAME.names(RULES), "seats": SEATS}, "alice", 9)
    assert not filing.problems, [str(problem) for problem in filing.problems]
    return filing.orders


def action(text: str) -> dict[str, Any]:
    return orders_of(f"kingdom: alice\nturn: 9\nplans: [{{actions: [{text}, C]}}]\n")["plans"][0]["actions"][0]


def ability(text: str) -> dict[str, Any]:
    return orders_of(f"kingdom: alice\nturn: 9\nplans: [{{ability: {text}, actions: [C, C]}}]\n")["plans"][0]["ability"]


@pytest.mark.parametrize(
    ("short", "wishes"),
    [
        ("most in hand any", [{"suit_in_hand": "most"}, "any"]),
        ("Most  In Hand", [{"suit_in_hand": "most"}]),
        ("at least 2 bishop-3 least in hand", [{"min": 2}, {"suit": "bishop", "card": 3}, {"suit_in_hand": "least"}]),
        ("bishop 3 at most 1 any", [{"suit": "bishop", "card": 3}, {"max": 1}, "any"]),
        ("bishop knight any", [{"suit": "bishop"}, {"suit": "knight"}, "any"]),
        ("any bishop 3", ["any", {"suit": "bishop", "card": 3}]),
    ],
)
def test_wishes_of_several_words_are_read_in_a_row(short: str, wishes: list[Any]) -> None:
    """As the page of the rules offers them."""
    assert action(f"C {short}") == {"do": "c", "prefer": wishes}


@pytest.mark.parametrize("short", ["most in", "at least", "3 any", "at bishop 3", "most in hand at"])
def test_half_a_wish_is_a_problem(short: str) -> None:
    text = f"kingdom: alice\nturn: 9\nplans: [{{actions: [C {short}, C]}}]\n"
    assert read(text.encode(), "alice.yaml", GAME, {**GAME.names(RULES), "seats": SEATS}, "alice", 9).problems


def test_long_orders_are_read_as_they_stand() -> None:
    orders = orders_of(LONG)
    assert orders["plans"][0] == {
        "ability": {"use": "knight", "move": ["jester", "hertford"]},
        "actions": [
            {"do": "a", "courtier": "bishop", "to": "tonbridge"},
            {"do": "b", "courtier": "bishop", "cards": [3, 1]},
        ],
    }
    assert orders["plans"][1]["actions"][0] == {"do": "c", "prefer": [{"suit": "bishop"}, {"min": 2}, "any"]}
    assert orders["standing"]["loyalty"] == {"discard": "lowest_symbols", "extra_move": "nearest_own"}
    assert orders["standing"]["no_plan"] == {"do": ["c", "c"], "prefer": [{"suit_in_hand": "most"}, "any"]}


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("{do: A, courtier: jester, to: Bury St Edmunds}", "A jester to Bury St Edmunds"),
        ("{do: B, courtier: duke, cards: [3, 0]}", "B duke 3 0"),
        ("{do: B, each: {knight: 2, lady: 1}}", '"B each knight 2, lady 1"'),
        ("{do: B, courtier: drawn, cards: [drawn]}", "B drawn drawn"),
        ("{do: C, prefer: [{suit: duke, card: 3}, {suit: lady}, any]}", "C duke-3 lady any"),
        ("{do: C, prefer: [{min: 2}, {suit_in_hand: most}]}", "{do: C, prefer: [at least 2, most in hand]}"),
        ("{do: D, courtier: duke}", "D duke"),
    ],
)
def test_an_action_in_short_says_the_same(long: str, short: str) -> None:
    assert action(long) == action(short)


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("{use: knight, move: [jester, Hertford]}", "knight moves jester hertford"),
        ("{use: marshal}", "marshal"),
        ("{use: treasurer, prefer: [{suit: duke, card: 3}, any]}", "treasurer takes duke-3 any"),
        ("{use: chancellor, courtier: duke, card: 3}", "chancellor duke 3"),
        ("{use: lady, courtier: knight, of: bob}", "lady knight of bob"),
    ],
)
def test_an_ability_in_short_says_the_same(long: str, short: str) -> None:
    assert ability(long) == ability(short)


def test_the_orders_on_the_rules_page_can_be_read() -> None:
    page = reports.rules_page(load("royal_progress"), tables.load(GAME))
    example = page.partition("```yaml\n")[2].partition("```")[0]
    orders = orders_of(example)
    assert orders["plans"][0] == orders["plans"][1] and orders["plans"][2] == orders["plans"][3], "the same in short"
    assert set(orders["standing"]) == {"pair", "single", "forced_discard", "loyalty", "no_plan"}
