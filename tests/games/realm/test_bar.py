"""The bar of the order form: it shows what `kingdom check` and `kingdom forecast` say of the orders that are chosen, whatever these are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain, count, zip_longest
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom.games.realm.forecast.forecast import forecast
from kingdom.games.realm.forecast.words import percent
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import PRESSED, Place, place_of, places_of, unfold, wild_places

pytestmark = pytest.mark.package("chromium", PROGRAM)
KINDS = ["claim", "abandon", "improve", "build", "leadership", "edicts", "armies", "loyalty"]
UNSURE = 0.15  # of all sets may hold an order that is worked out when it is filed
BAR = """Object.fromEntries([...document.querySelectorAll('#bar [data-figure]')].map((each) =>
    [each.dataset.figure, (each.querySelector('b') || each).textContent]))"""


def said_by_the_engine(place: Place, text: str) -> dict[str, str]:
    """The figures of the bar, of these orders without the plan that stands, of which it says that it is worked out when filed."""
    text += "" if "plan:" in text else "plan: []\n"
    known = place.game.known(place.state, place.seat, place.rules)
    told: Any = forecast(known, place.seat, place.rules, place.orders(text), 1, 0, None)  # type: ignore[arg-type]  # no face is drawn
    assert told["refused"] == []
    without: Any = forecast(known, place.seat, place.rules, {"plan": []}, 1, 0, None)  # type: ignore[arg-type]
    before, start = without["next"]["start"]["treasury"], told["next"]["start"]
    money = f"{before} > {start['treasury']} BP" if start["treasury"] != before else f"{before} BP"
    chances = {
        name: percent(told["checks"][name]).replace(" ", "\u00a0") if name in told["checks"] else "-"
        for name in ("economy", "stability", "loyalty")
    }
    return {"treasury": money, "unrest": str(start["unrest"]), **chances}


def some_places() -> Iterator[Place]:
    """Seats of both examples and of wild campaigns, in turns, in no order that means anything."""
    rows = [[*places_of("greenmarch", 1)], [*places_of("war-of-the-ford", 1)], [*wild_places(range(12))]]
    for row in rows:
        Random(5).shuffle(row)
    return (place for places in zip_longest(*rows) for place in places if place)


SETS = int(os.environ.get("KINGDOM_SETS", "300"))  # of the long run


@pytest.mark.parametrize("most", [8, pytest.param(SETS, marks=pytest.mark.long)])
def test_it_shows_what_check_and_forecast_say(browser: Browser, tmp_path: Path, most: int) -> None:
    amiss, unsure, sets = [], 0, 0
    for number, place in enumerate(chain.from_iterable(some_places() for _ in count())):
        place.show(browser, tmp_path, 360 if number % 2 else 1280)
        if not browser.ask("Boolean(OrderForm.draft.model.bar)"):
            continue  # a turn of anarchy
        text = browser.page.evaluate(PRESSED, [7919 * (number + 1), 30, KINDS])
        bar = browser.ask(BAR)
        del bar["unsure"]
        is_unsure = browser.ask("OrderForm.draft.unsure().length > 0")
        unsure += is_unsure
        if not is_unsure and bar != (told := said_by_the_engine(place, text)):
            amiss.append((place.name, text, bar, told))
        amiss += browser.complaints
        sets += 1
        if sets == most:
            break
    assert amiss == []
    assert sets == most and (most < 100 or unsure <= sets * UNSURE), unsure


@pytest.mark.parametrize("width", [320, 360])
def test_it_stays_in_view_and_is_no_higher_than_a_row_of_buttons(browser: Browser, tmp_path: Path, width: int) -> None:
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path, width)
    unfold(browser, "edicts", "letters", "own")
    browser.page.get_by_label("Rouse the people for Economy").check()
    browser.page.fill("#own-text", "final: true")
    browser.page.click("#own-add")
    browser.ask("document.getElementById('section-letters').scrollIntoView()")
    top, height = browser.ask(
        "(({ top, height }) => [top, height])(document.getElementById('bar').getBoundingClientRect())"
    )
    assert top == 0 and height <= 48
    browser.page.tap("#drawer")
    assert browser.ask("document.activeElement.id") == "chosen-title"


@pytest.mark.parametrize("width", [180, 320, 360])  # 180: a phone's page at twice its size
def test_all_tabs_are_seen_apart_at_the_foot_of_a_phone(browser: Browser, tmp_path: Path, width: int) -> None:
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path, width)
    tabs = browser.ask("""[...document.querySelectorAll('#tabs button')].map((tab) => {
        const words = document.createRange();
        words.selectNodeContents(tab);
        return [words.getBoundingClientRect().left, words.getBoundingClientRect().right];
    })""")
    ends = [0, *(end for tab in tabs for end in tab), width]
    assert len(tabs) == 6 and ends == sorted(ends)


def test_a_figure_that_changes_is_heard_with_its_name(browser: Browser, tmp_path: Path) -> None:
    """What is told of a change is the nearest part that is to be told as a whole."""
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path)
    heard = """[...document.querySelectorAll('#counters[aria-live=polite] b')].map((figure) =>
        figure.closest('[aria-atomic=true]').textContent)"""
    assert [words.split()[0] for words in browser.ask(heard)] == [
        "Treasury",
        "Unrest",
        "Economy",
        "Stability",
        "Loyalty",
    ]


def test_a_chance_below_a_half_is_red_and_loyalty_has_one_where_it_is_rolled(browser: Browser, tmp_path: Path) -> None:
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path)
    red = "[...document.querySelectorAll('#bar .bad')].map((each) => each.dataset.figure)"
    chances = browser.ask("Bar.figures(OrderForm.draft).chances")
    assert set(browser.ask(red)) == {name for name, chance in chances.items() if chance is not None and chance < 0.5}
    assert chances["loyalty"] is None and browser.ask(BAR)["loyalty"] == "-"
    unfold(browser, "edicts")
    browser.page.get_by_label("Rouse the people for Economy").check()
    assert browser.ask(BAR)["loyalty"].endswith("%")


def test_what_a_plan_comes_to_is_worked_out_when_filed(browser: Browser, tmp_path: Path) -> None:
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path)
    assert browser.ask(BAR)["unsure"] == ""
    unfold(browser, "land")
    browser.page.locator("#section-land .offer:visible").first.click()
    browser.page.locator("#chosen .later").first.click()
    assert browser.ask(BAR)["unsure"] == "+ 1 when filed"
    assert "worked out when filed" in browser.page.inner_text("#chosen")


def test_what_an_army_is_sold_for_is_counted(browser: Browser, tmp_path: Path) -> None:
    """Also what the army that takes its resources over has no use for."""
    place = place_of("war-of-the-ford", 11, "hartmark")
    for offer in ("Second Levy disband", "Second Levy Ford Levy disband"):
        place.show(browser, tmp_path)
        assert browser.ask(f"OrderForm.draft.add(OrderForm.draft.offers.find(({{ id }}) => id === '{offer}'))") == ""
        bar = browser.ask(BAR)
        del bar["unsure"]
        assert bar == said_by_the_engine(place, browser.ask("OrderForm.draft.text()")) and ">" in bar["treasury"]


def test_a_claim_of_a_hex_with_a_watchtower_on_a_route_of_ones_own_counts_what_the_tower_gives(
    browser: Browser, tmp_path: Path
) -> None:
    place = place_of("war-of-the-ford", 9, "wendwater")
    (route,) = place.state.kingdoms["wendwater"].routes.values()
    assert route.towers == ("0608",)
    place.show(browser, tmp_path, 360)
    orders = {
        "claim": ["0409", "0608"],
        "build": [{"in": "Wendmouth", "build": "district", "water": ["north", "east", "south", "west"]}],
    }
    browser.page.evaluate("orders => OrderForm.draft.load(orders)", orders)
    bar = browser.ask(BAR)
    assert bar.pop("unsure") == "" and bar["stability"] == "90\u00a0%"
    assert bar == said_by_the_engine(place, browser.ask("OrderForm.draft.text()"))
