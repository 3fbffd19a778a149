"""The order form's page in the real Chromium, for every game that has one: what is pressed the engine takes, what is filed comes up
pressed, and every page fits a phone and shuts nobody out. What only one game's page does its own folder tests."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from kingdom.engine import game as games
from kingdom.engine.game import load
from kingdom.orders import yaml_out
from tests.games import example
from tests.games.test_every_game import PLAYED, play
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import FACTS, PRESSED, SMALL, Place
from tests.kit.pagekit import barriers, overflowing

pytestmark = pytest.mark.package("chromium", PROGRAM)
TEXT = "OrderForm.draft.text()"
LARGEST = 120_000  # bytes of a board game's form
SMALL_SHARE = 0.05  # of all controls
every_game = pytest.mark.parametrize("name", PLAYED)


@pytest.fixture(autouse=True)
def with_the_example() -> Iterator[None]:
    with example.found():
        yield


def pages_with_orders(name: str) -> list[tuple[Place, dict[str, Any]]]:
    """(a page, what its seat orders in that turn) of every turn and seat that the tests play."""
    return [
        (Place(f"{turn.where} {seat}", turn.game, turn.before, seat, turn.rules, {**turn.game.names(turn.rules), "seats": turn.seats}),
         turn.orders.get(seat, {}))
        for turn in play(name)
        for seat in turn.game.seats(turn.before)
    ]  # fmt: skip


def pages(name: str, most: int) -> list[Place]:
    """Pages of a game, evenly spread over those."""
    made = [place for place, _ in pages_with_orders(name)]
    return made[:: -(-len(made) // most)]


@every_game
@pytest.mark.parametrize(("most", "presses"), [(10, 12), pytest.param(100, 40, marks=pytest.mark.long)])
def test_whatever_is_pressed_the_engine_takes_and_filed_it_comes_up_pressed(
    browser: Browser, tmp_path: Path, name: str, most: int, presses: int
) -> None:
    places, amiss, chosen = pages(name, most), [], 0
    for number, place in enumerate(places if most < 100 else islice((each for _ in count() for each in places), most)):
        place.show(browser, tmp_path, 360 if number % 2 else 1280)
        text = browser.page.evaluate(PRESSED, [7919 * (number + 1), presses])["text"]
        problems, refusals, _ = place.verdict(text)
        amiss += [(place.name, text, wrong) for wrong in (*problems, *refusals, *browser.complaints)]
        if problems:
            continue
        place.show(browser, tmp_path, facts=FACTS._replace(filed=text))
        again = browser.ask(TEXT)
        if place.orders(again) != place.orders(text):
            amiss.append((place.name, text, f"filed it comes up as {again}"))
        if lost := browser.ask("OrderForm.draft.entries.filter((entry) => !entry.offer).map((entry) => entry.line)"):
            amiss.append((place.name, text, f"no control holds {lost}"))
        if "`" in browser.page.inner_text("main"):
            amiss.append((place.name, text, "it shows backticks"))
        chosen += text.count("\n") > 2
    assert amiss == [] and chosen > len(places) / 2


def test_a_list_that_was_emptied_comes_up_pressed(browser: Browser, tmp_path: Path) -> None:
    """`plan: []` ends the plan that stands: the control that says so holds it."""
    place = next(place for place, _ in pages_with_orders("realm") if place.name == "every_order, turn 3 examplia")
    place.show(browser, tmp_path, facts=FACTS._replace(filed="kingdom: examplia\nturn: 3\nplan: []\n"))
    assert browser.ask("OrderForm.draft.entries.map((entry) => entry.offer && entry.offer.id)") == ["no plan"]
    assert place.orders(browser.ask(TEXT))["plan"] == []


@every_game
def test_whatever_is_filed_stays_as_it_is(browser: Browser, tmp_path: Path, name: str) -> None:
    """Also what is not possible, which no control holds; a building alone gets the place that it would have taken."""
    filed = [(place, orders) for place, orders in pages_with_orders(name) if orders]
    for place, orders in filed[:: -(-len(filed) // 8)]:
        text = yaml_out.dump({key: value for key, value in orders.items() if key != "amend" and value != {}})
        place.show(browser, tmp_path, facts=FACTS._replace(filed=text))
        assert in_any_order(place.orders(browser.ask(TEXT))) == in_any_order(place.orders(text)), place.name
        assert browser.page.locator("#filed-problems li").count() == 0 and browser.complaints == []


def in_any_order(orders: dict[str, Any]) -> dict[str, Any]:
    """The orders without the order inside lists whose order says nothing, and without what the page adds: lots, and where a file goes on."""

    def rows(key: str, value: Any) -> Any:
        if not isinstance(value, list) or key in ("plan", "plans", "orders", "place"):
            return value
        bare = [
            {word: of for word, of in row.items() if word not in ("lot", "border")} if isinstance(row, dict) else row
            for row in value
        ]
        return sorted(bare, key=str)

    return {key: rows(key, value) for key, value in orders.items() if key != "continue_from"}


@pytest.mark.parametrize("name", [name for name in PLAYED if name not in ("realm", "royal_progress")])
def test_a_seat_that_decides_nothing_is_told_so(name: str) -> None:
    """In a text and in the page, which holds letters alone. The realm always asks, and Royal Progress for what may stand at any time."""
    last, *_ = reversed(play(name))
    over = importlib.import_module(f"tests.plays.{name}").over(last.before)
    for game, state, rules in [(turn.game, turn.before, turn.rules) for turn in play(name)] + [
        (last.game, over, last.rules)
    ]:
        for seat in {*game.seats(state)} - {*(games.asked(game, state, rules) if state is not over else ())}:
            page = game.forms.page(game.known(state, seat, rules), seat, rules)
            assert page["notice"] and [section["id"] for section in page["sections"]] == ["letters"], seat
            assert not [line for line in game.forms.text(state, seat, rules) if not line.startswith("#")]


def test_choices_stand_in_the_order_in_which_they_are_made(browser: Browser, tmp_path: Path) -> None:
    place = pages("kings_progress", 10)[0]
    place.show(browser, tmp_path)
    browser.ask("""(() => {
        const offer = (id) => OrderForm.draft.offers.find((each) => each.id === id);
        OrderForm.draft.add(offer('tile cara'), { tile: 0 });
        OrderForm.draft.add(offer('tile alice'), { tile: 5 });
    })()""")
    assert place.orders(browser.ask(TEXT))["city"] == [{"kingdom": "cara", "tile": 0}, {"kingdom": "alice", "tile": 5}]


def test_a_tile_that_is_there_once_is_not_placed_and_put_in_by_a_veto(browser: Browser, tmp_path: Path) -> None:
    """Which of the alternatives for a city is carried out nobody knows, so they may name it together."""
    place = next(place for place in pages("kings_progress", 1000) if place.name == "weekly, turn 3 alice")
    place.show(browser, tmp_path)
    added = browser.ask("""(() => {
        const { draft } = OrderForm;
        const add = (id, values) => draft.add(draft.offers.find((each) => each.id === id), values);
        const tile = draft.offers.find((each) => each.id === 'tile alice').fields[0].options[0].value;
        const cities = draft.offers.filter(({ id }) => id.startsWith('tile ')).slice(0, 2).map(({ id }) => add(id, { tile }));
        const veto = draft.offers.find(({ id }) => /^veto \\d/.test(id)).id;
        return [...cities, add(veto, { tile })];
    })()""")
    assert added == ["", "", "not together with what you chose: A tile in bob"]


def some_page(name: str) -> Place:
    places = pages(name, 10)
    return places[len(places) * 2 // 3]


@every_game
def test_it_fits_a_phone_and_shuts_nobody_out(browser: Browser, tmp_path: Path, name: str) -> None:
    place = some_page(name)
    file = place.show(browser, tmp_path, 1280)
    assert overflowing(browser, file, 1280) == overflowing(browser, file, 360) == []
    controls, small = browser.ask(SMALL)
    assert len(small) <= controls * SMALL_SHARE, small
    browser.page.evaluate(PRESSED, [7919, 20])
    assert barriers(browser) == [] and browser.complaints == []
    assert browser.ask("document.images.length") == 0 and browser.fetched == [file.absolute().as_uri()]
    browser.page.emulate_media(color_scheme="dark")
    assert barriers(browser, rules=("color-contrast",)) == []


@pytest.mark.parametrize("name", [name for name in PLAYED if name != "realm"])
def test_a_board_games_form_is_small(name: str) -> None:
    sizes = {place.name: len(place.html().encode()) for place in pages(name, 10)}
    assert max(sizes.values()) <= LARGEST, sizes


def valid_pages() -> list[str]:
    """Held against the HTML checker in tests/render/test_every_page.py, which starts it once for all."""
    return [some_page(name).html() for name in games.names() if load(name).forms]
