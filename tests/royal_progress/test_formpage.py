"""The order form in a browser: whatever is chosen there, the engine reads it and refuses nothing as the table lies."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, Iterator

import pytest

from kingdom.games.royal_progress.plans import trouble
from kingdom.orders import read
from tests.browser import Browser
from tests.formkit import AT_RANDOM, Place
from tests.pagekit import invalid, overflowing, shut_out
from tests.plays.royal_progress import otherwise
from tests.royal_progress.kit import GAME, RULES, opened, played, rules_with


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


def tables() -> list[Any]:
    """Some tables of a game of three, the first before the cards are given back."""
    return [opened(3, "form"), *(result.after for result in played(3, "form"))][:-1:4]


def place(table: Any, seat: str) -> Place:
    return Place(f"turn {table.turn + 1} {seat}", GAME, table, seat, RULES, {**GAME.names(RULES), "seats": tuple(table.seats)})


def filled(value: Any, choice: dict[str, Any]) -> Any:
    return [choice.get(each.strip("\x01"), each) for each in value]


def test_every_plan_that_is_offered_is_legal_as_the_table_lies() -> None:
    for table in tables()[1:]:
        for seat in table.seats:
            seen = GAME.known(table, seat, RULES)
            offers = [offer for section in GAME.form_page(seen, seat, RULES)["sections"] for part in section["parts"] for offer in part["offers"]]
            for offer in (offer for offer in offers if offer["key"] == "plans"):
                fields = offer.get("fields", [])
                for values in list(product(*([option["value"] for option in field["options"]] for field in fields)))[:20]:
                    actions = filled(offer["value"]["actions"], {field["name"]: value for field, value in zip(fields, values)})
                    text = f"kingdom: {seat}\nturn: 1\nplans: [{{actions: [{', '.join(actions) if not any(',' in each for each in actions) else actions}]}}]\n"
                    orders = read(text.encode(), "form.yaml", GAME, {**GAME.names(RULES), "seats": list(table.seats)}, seat, 1)
                    assert not orders.problems, (text, orders.problems)
                    wrong = trouble(seen, seat, orders.orders["plans"][0], RULES)
                    assert wrong is None, (text, wrong)


def test_the_form_is_the_same_whatever_others_hold() -> None:
    for table in tables():
        for seat in table.seats:
            seen = [GAME.form_page(GAME.known(each, seat, RULES), seat, RULES) for each in (table, otherwise(table, seat))]
            assert seen[0] == seen[1]


def test_who_decides_nothing_is_told_so() -> None:
    strict, table = rules_with(pace="strict"), tables()[1]
    waiting = next(seat for seat in table.seats if seat != table.next)
    page = GAME.form_page(table, waiting, strict)
    assert "You need not send orders." in page["notice"] and [section["id"] for section in page["sections"]] == ["letters"]


def test_whatever_is_chosen_the_engine_takes_it(browser: Browser, tmp_path: Path) -> None:
    for table in tables():
        each = place(table, "alice")
        each.show(browser, tmp_path)
        text = browser.page.evaluate(AT_RANDOM, [7919, 12])["text"]
        problems, refusals, _ = each.verdict(text)
        assert (problems, refusals) == ([], []), (each.name, text)
        assert browser.complaints == []


def test_it_fits_a_phone_shuts_nobody_out_and_is_valid(browser: Browser, tmp_path: Path) -> None:
    file = place(tables()[1], "alice").show(browser, tmp_path)
    assert overflowing(browser, file, 360) == overflowing(browser, file, 1280) == []
    assert shut_out(browser, file) == [] and invalid([file]) == []
