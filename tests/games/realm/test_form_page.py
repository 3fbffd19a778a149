"""The order form of the kingdom game in the real Chromium: its plans and its questions."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from kingdom.games.realm.rules.event_tables import PicksHost
from kingdom.games.realm.state import Event, replace, with_kingdoms
from kingdom.games.realm.steps.events.scene import question
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import FACTS, SMALL, Place, place_of, places_of

pytestmark = pytest.mark.package("chromium", PROGRAM)
TEXT = "OrderForm.draft.text()"
UNHELD = "OrderForm.draft.entries.filter(({ offer }) => !offer).map(({ line, own }) => line || own)"


def with_plans(place: Place) -> list[dict[str, Any]]:
    """The plans that the game has for that seat, as the form is given them."""
    known = place.game.known(place.state, place.seat, place.rules)
    assert place.game.advice
    plans = place.game.advice(known, place.seat, place.rules)
    return [{"title": "A plan", "effects": [], "text": plan["orders"]} for plan in plans]


SOME = [("war-of-the-ford", 6, "karrak"), ("war-of-the-ford", 15, "hartmark"), ("greenmarch", 9, "examplia")]
MANY = [pytest.param(None, marks=pytest.mark.long, id="many")]


@pytest.mark.parametrize("seat", [*SOME, *MANY])
def test_every_order_of_a_plan_has_its_control(
    browser: Browser, tmp_path: Path, seat: tuple[str, int, str] | None
) -> None:
    """Also an answer that is the default, a building of which it does not matter which, and what the page alone would not combine."""
    places = [place_of(*seat)] if seat else chain(places_of("greenmarch", 3), places_of("war-of-the-ford", 3))
    for place in places:
        plans = with_plans(place)
        place.show(browser, tmp_path, facts=FACTS._replace(advice=plans))
        for number, button in enumerate(browser.page.locator("#section-advice .add").all()):
            button.dispatch_event("click")
            assert browser.ask(UNHELD) == [], (place.name, plans[number]["text"])
            sent, meant = place.orders(browser.ask(TEXT)), place.orders(plans[number]["text"])
            assert {key: len(what) for key, what in sent.items() if isinstance(what, (list, dict))} == {
                key: len(what) for key, what in meant.items() if isinstance(what, (list, dict))
            }
            assert place.verdict(browser.ask(TEXT))[:2] == ([], []), (place.name, plans[number]["text"])
        assert browser.complaints == []


def test_questions_come_first_each_answer_with_its_price_and_its_odds(browser: Browser, tmp_path: Path) -> None:
    """What adds nothing to a cheaper answer is not offered: 16 BP make no more of a check that 8 BP make sure of."""
    place_of("war-of-the-ford", 6, "karrak").show(browser, tmp_path, 360)
    first = "document.querySelector('#section-answers').compareDocumentPosition(document.querySelector('#section-map'))"
    assert browser.ask(first) == 4  # it stands before
    page = browser.page.locator("#section-answers fieldset").nth(1)
    assert page.locator("legend").inner_text() == "Bandit activity"
    assert page.locator("p").inner_text() == "If you do nothing: nothing (80 %); BP -d6 (each 6 adds another) (20 %)."
    assert [row.replace("\u00a0", " ") for row in page.locator(".tick:visible label").all_inner_texts()] == [
        "do nothing its check succeeds: 80 %, if you say nothing",
        "hire adventurers 4 BP, its check succeeds: 90 %",
        "hire adventurers 8 BP, its check succeeds: 95 %",
    ]
    page.locator(".tick:visible input").nth(2).check()
    assert "answers: {bandit_activity-1: {adventurers: 8}}" in browser.ask(TEXT)
    assert browser.page.locator("#chosen .words").inner_text() == "Bandit activity: hire adventurers 8 BP"


@pytest.mark.parametrize("answer", ["none", "{adventurers: 16}"])
def test_an_answer_that_is_not_offered_comes_up_pressed_where_it_is_filed(
    browser: Browser, tmp_path: Path, answer: str
) -> None:
    place, filed = place_of("war-of-the-ford", 6, "karrak"), f"answers: {{bandit_activity-1: {answer}}}\n"
    place.show(browser, tmp_path, facts=FACTS._replace(filed=f"kingdom: karrak\nturn: 6\n{filed}"))
    assert browser.ask(UNHELD) == [] and filed in browser.ask(TEXT)
    assert browser.page.locator("#section-answers fieldset").nth(1).locator(".tick:visible").count() == 4


def test_tabs_lead_to_the_parts_and_no_control_is_too_small_for_a_finger(browser: Browser, tmp_path: Path) -> None:
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path, 360)
    tabs = browser.page.locator("#tabs button")
    assert tabs.all_inner_texts() == ["Map", "Towns", "Edicts", "Armies", "Send"]
    for number, heading in enumerate(["map-title", "section-towns-title", "section-edicts-title"]):
        tabs.nth(number).tap()
        assert browser.ask("document.activeElement.id") == heading
        assert 48 <= browser.ask("document.activeElement.getBoundingClientRect().top") < 370
    assert browser.ask(SMALL)[1] == [] and browser.complaints == []


def test_a_feast_is_asked_about_without_odds(browser: Browser, tmp_path: Path) -> None:
    """No check decides what comes of it."""
    place = place_of("greenmarch", 12, "examplia")
    kind = next(
        name for name, row in place.rules.event_kinds.items() if any(isinstance(each, PicksHost) for each in row.set_up)
    )
    feast = Event(kind, 12, facts={"cost": 3, "host": "borderia"})
    asked = question("feast-1", feast, place.rules)
    assert asked
    kingdom = replace(place.state.kingdoms["examplia"], events={"feast-1": feast}, pending=(asked,))
    place._replace(state=with_kingdoms(place.state, {"examplia": kingdom})).show(browser, tmp_path)
    rows = browser.page.locator("#section-answers .tick:visible label").all_inner_texts()
    assert rows == ["decline if you say nothing", "attend 3 BP"]
