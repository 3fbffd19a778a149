"""A report as its player reads it: the castle drawn, what can be done, what was done, and what is asked; in 78 columns."""

from __future__ import annotations

import re

import pytest

from kingdom.games.cardinals_guards.report import board_text, picture
from kingdom.games.cardinals_guards.state import dealt
from kingdom.orders import tables
from kingdom.render.plain_text import width
from kingdom.render.reports import rules_page
from tests.games.cardinals_guards.kit import DEAL, GAME, GOLDEN, RULES, filing_of, played, rules, table_of, turn
from tests.games.cardinals_guards.test_contest import listed, reports

BOARD = """\
         c      c      s      s      c
      +------+------+------+------+------+
  5 s | C5   | C0   | M2   | A2   | C1<  | a
      |      | [C]  |      |      |      |
      +------+------+------+------+------+
  4 s | M1<  | C4   | S4   | S1<  | M5   | c
      |      |      |      |      |      |
      +------+------+------+------+------+
  3 m | A3   | S3   | .... | S2   | M4   | m
      |      |      | .... |      |      |
      +------+------+------+------+------+
  2 a | A1<  | C2   | A5   | A0   | A4   | m
      | (a)  |      |      | [A]  |      |
      +------+------+------+------+------+
  1 a | M3   | C3   | S5   | M0   | S0   | m
      |      |      |      | [M]  | [S]  |
      +------+------+------+------+------+
         a      a      c      m      m
         a      b      c      d      e

  Supply: s s c
  Dice: sun 0, moon 0, crown 0, arms 0
"""


def test_the_castle_in_characters() -> None:
    assert board_text(played(["lure A a2"]), DEAL) == BOARD


def test_the_castle_as_a_picture() -> None:
    drawn = picture(table_of(), "athos", RULES)
    assert drawn.startswith("<svg ") and drawn.count("<circle") == 20 and drawn.count("<polygon") == 4
    assert "<title>The castle of Athos</title>" in drawn and "http" not in drawn.replace(
        "http://www.w3.org/2000/svg", ""
    )


def test_a_report_says_where_the_game_stands_and_what_is_asked() -> None:
    shown = reports(
        turn(table_of(DEAL, "athos", "porthos"), athos="orders: [move C E, move C S, move C S, move A W]\n")
    )["athos.txt"]
    assert "2 of 52 points: 1 of 20 chambers, 0 of 4 escaped, 1 of 24" in shown
    assert "Orders from number 3 on" in shown and "At most 59 turns" in " ".join(shown.split())
    assert "move C E: searches C1 on e5, defeats a guard of arms at e5 east (+2)" in shown
    assert (
        "changed  4. move A W" in shown
        and "4 orders came, 2 carried out." in shown
        and "refused  3. move C S" in shown
        and "continue_from: 2" in shown
    )
    assert "sun (S) on e1, next S1 on d4" in shown


@pytest.mark.parametrize("count", [0, 20, 64])
def test_the_text_fits_78_columns(count: int) -> None:
    orders = listed([row["order"] for row in GOLDEN["orders"]][:count]) if count else ""
    shown = reports(turn(table_of(DEAL, "athos", "porthos"), athos=orders or "continue_from: 0\n"))["athos.txt"]
    assert max(width(line) for line in shown.split("\n")) <= 78


def test_the_page_has_its_sections_and_folds() -> None:
    page = reports(turn(table_of(DEAL, "athos", "porthos"), athos="orders: [move C E]\n"))["athos.html"]
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and "<!-- links -->" in page and "<script" not in page and "src=" not in page
    assert all(link in ids for link in re.findall(r'href="#([^"]+)"', page))


def test_a_new_castle_comes_with_the_score_of_the_last() -> None:
    shown = reports(
        turn(table_of(DEAL, "athos", "porthos"), rules(pace={"turns": 1, "deals": 2}), athos="orders: [move C E]\n")
    )["athos.txt"]
    assert "Last castle     2 points in 1 orders" in shown and "0 of 52 points" in shown


def test_what_is_lost_for_good_is_told() -> None:
    shown = reports(turn(table_of(), athos="orders: [move C E, move C W, move C E]\n"))["athos.txt"]
    assert "at most 46: 4 chambers, 1 escape can't be had any more" in " ".join(shown.split())


def test_the_form_is_orders_as_it_stands_and_its_examples_are_allowed() -> None:
    form = "\n".join(GAME.forms.text(table_of(), "athos", RULES))
    assert filing_of("athos", 1, form)["continue_from"] == 0
    tried = re.sub(r"^#(orders:|  - )", r"\1", form, flags=re.MULTILINE)
    for order in re.findall(r"  - (.*)", tried):
        assert turn(table_of(), athos=f"orders: [{order}]\n").after.seats["athos"].board != dealt(DEAL)


def test_the_rules_page_has_every_ruling_once_and_marks_what_is_of_the_house() -> None:
    page = rules_page(GAME, tables.load(GAME))
    assert sorted(re.findall(r'<a id="(\w+)">', page)) == sorted(GAME.Rules.__struct_fields__)
    assert page.count("**(house)**") > 8 and "[house]" not in page


def test_the_book_of_the_gm_shows_every_board() -> None:
    book = reports(turn(table_of(DEAL, "athos", "porthos"), rules(pace={"turns": 3}), porthos="orders: [move C E]\n"))[
        "gm.html"
    ]
    assert "The board of <bdi>Athos</bdi>" in book and "The board of <bdi>Porthos</bdi>" in book
