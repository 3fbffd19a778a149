"""The order form's page in the real Chromium, for every game that has one: what is pressed the engine takes, what is filed comes up
pressed, and every page fits a phone and shuts nobody out. What only one game's page does its own folder tests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins

from kingdom.engine import game as games
from kingdom.engine.game import load
from kingdom.engine.offer import together
from kingdom.orders import yaml_out
from kingdom.render.order_form import as_data
from tests.games import example
from tests.games.test_every_game import PLAYED, play, plays
from tests.games.test_offers import filled_in
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import ALONE, FACTS, PRESSED, SMALL, TEXT, UNHELD, Place, add, amiss, unpacked
from tests.kit.pagekit import barriers, overflowing

pytestmark = pytest.mark.package("chromium", PROGRAM)
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
    places = pages(name, most)
    every = places if most < 100 else islice((each for _ in count() for each in places), most)
    found, chosen = pressed(browser, tmp_path, every, presses)
    assert found == [] and chosen > len(places) / 2


MORE = [(name, label) for name in PLAYED for label in getattr(plays(name), "PAGES", {})]


@pytest.mark.long
@pytest.mark.parametrize(("name", "label"), MORE)
def test_whatever_is_pressed_on_more_pages_the_engine_takes(
    browser: Browser, tmp_path: Path, name: str, label: str
) -> None:
    """Other campaigns, and other rules."""
    found: list[str] = []
    for number, place in enumerate(plays(name).PAGES[label](tmp_path)):
        found += refused_alone(browser, tmp_path, place)
        found += amiss(browser, place, browser.page.evaluate(PRESSED, [7919 * (number + 1), 60]))
    assert found == []


def pressed(browser: Browser, folder: Path, places: Iterable[Place], presses: int) -> tuple[list[str], int]:
    """(what is amiss with pages on which is pressed so often at random, on how many of them something was chosen)."""
    found, chosen = [], 0
    for number, place in enumerate(places):
        place.show(browser, folder, 360 if number % 2 else 1280)
        text = browser.page.evaluate(PRESSED, [7919 * (number + 1), presses])
        wrong = amiss(browser, place, text)
        if not wrong:
            place.show(browser, folder, facts=FACTS._replace(filed=text))
            if place.orders(again := browser.ask(TEXT)) != place.orders(text):
                wrong.append(f"{place.name}: filed it comes up as {again}\n{text}")
            if lost := browser.ask(
                "OrderForm.draft.entries.filter((entry) => !entry.offer).map((entry) => entry.line)"
            ):
                wrong.append(f"{place.name}: no control holds {lost}\n{text}")
            if "`" in browser.page.inner_text("main"):
                wrong.append(f"{place.name}: it shows backticks\n{text}")
        found += wrong
        chosen += text.count("\n") > 2
    return found, chosen


def refused_alone(browser: Browser, folder: Path, place: Place) -> list[str]:
    """The controls of a page whose order the engine refuses although it stands alone, or that no file of orders can hold."""
    place.show(browser, folder)
    return [
        f"{place.name}: {id}: {why}"
        for id, text in browser.page.evaluate(ALONE)
        for why in sum(place.verdict(text)[:2], [])
    ]


@every_game
@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.long)])
def test_what_a_control_orders_is_taken_alone_and_what_is_offered_has_a_control(
    browser: Browser, tmp_path: Path, name: str, every: int
) -> None:
    """What is offered the engine takes and nothing else: tests/games/test_offers.py. `as_pressed` of tests/plays/NAME.py says which
    of it a page holds otherwise, or leaves out."""
    as_pressed = getattr(plays(name), "as_pressed", lambda place, orders: orders)
    for place in pages(name, 6)[::every]:
        assert refused_alone(browser, tmp_path, place) == []
        known, random = place.game.known(place.state, place.seat, place.rules), Random(place.name)
        ways = filled_in(place.game.offers(known, place.seat, place.rules, {}), random)
        some = (together([way]) for way in random.sample(ways, min(60, len(ways))))
        offered = (as_pressed(place, place.orders(place.head() + yaml_out.dump(orders))) for orders in some)
        assert [each for each in browser.page.evaluate(UNHELD, [*filter(None, offered)]) if each] == [], place.name


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
    turns = [(turn.game, turn.before, turn.rules) for turn in play(name)]
    over = plays(name).over(turns[-1][1])
    for game, state, rules in [*turns, (turns[-1][0], over, turns[-1][2])]:
        for seat in {*game.seats(state)} - {*(games.asked(game, state, rules) if state is not over else ())}:
            page = game.forms.page(game.known(state, seat, rules), seat, rules)
            assert page["notice"] and [section["id"] for section in page["sections"]] == ["letters"], seat
            assert not [line for line in game.forms.text(state, seat, rules) if not line.startswith("#")]


def test_choices_stand_in_the_order_in_which_they_are_made(browser: Browser, tmp_path: Path) -> None:
    place = pages("kings_progress", 10)[0]
    place.show(browser, tmp_path)
    assert [add(browser, "tile cara", {"tile": 0}), add(browser, "tile alice", {"tile": 5})] == ["", ""]
    assert place.orders(browser.ask(TEXT))["city"] == [{"kingdom": "cara", "tile": 0}, {"kingdom": "alice", "tile": 5}]


def test_a_tile_that_is_there_once_is_not_placed_and_put_in_by_a_veto(browser: Browser, tmp_path: Path) -> None:
    """Which of the alternatives for a city is carried out nobody knows, so they may name it together."""
    place = next(place for place in pages("kings_progress", 1000) if place.name == "weekly, turn 3 alice")
    place.show(browser, tmp_path)
    ids = browser.ask("OrderForm.draft.offers.map((offer) => offer.id)")
    tile = browser.ask("OrderForm.draft.offers.find(({ id }) => id === 'tile alice').fields[0].options[0].value")
    cities, vetoes = ([id for id in ids if re.match(kind, id)] for kind in (r"tile ", r"veto \d"))
    added = [add(browser, id, {"tile": tile}) for id in (*cities[:2], vetoes[0])]
    assert added == ["", "", "not together with what you chose: A tile in bob"]


@every_game
def test_there_is_a_control_for_every_key_but_those_of_files_alone(name: str) -> None:
    """No town is besieged in these turns, so none surrenders."""
    parts = [part for place in pages(name, 1000) for section in place.page()["sections"] for part in section["parts"]]
    found = {each.get("key") for part in parts for each in (part, *part.get("offers", ()))} - {None}
    assert found == load(name).orders.keys.keys() - {"kingdom", "turn", "amend", "token", "surrender", "continue_from"}


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


@every_game
def test_what_the_data_holds_once_the_page_puts_back(browser: Browser, tmp_path: Path, name: str) -> None:
    place = some_page(name)
    place.show(browser, tmp_path)
    offers = [
        offer for section in place.page()["sections"] for part in section["parts"] for offer in part.get("offers", ())
    ]
    held = browser.ask(
        "OrderForm.draft.offers.map(({ id, key, rank, how, deed }) => ({ id, key, rank, how, deed: deed ?? null }))"
    )
    named = ("id", "key", "rank", "how", "deed")
    assert held == to_builtins([{name: offer.get(name) for name in named} for offer in offers])
    model = json.loads(as_data({"sections": place.page()["sections"]}))
    assert unpacked(browser, model) == model["sections"]
    orders = {(offer["key"], offer["how"], offer["rank"], offer["id"].split(" ")[0]) for offer in offers}
    assert place.html().count('{"offer":{') == len(orders)


@pytest.mark.parametrize("name", [name for name in PLAYED if name not in ("realm", "harbour")])
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_a_board_is_scaled_and_not_cut(browser: Browser, tmp_path: Path, name: str, width: int) -> None:
    some_page(name).show(browser, tmp_path, width)
    shown, board = browser.ask(
        "(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight])(document.getElementById('map'))"
    )
    assert 0 < board <= shown


@pytest.mark.parametrize("name", [name for name in PLAYED if name != "realm"])
def test_a_board_games_form_is_small(name: str) -> None:
    sizes = {place.name: len(place.html().encode()) for place in pages(name, 10)}
    assert max(sizes.values()) <= LARGEST, sizes


def valid_pages() -> list[str]:
    """Held against the HTML checker in tests/render/test_every_page.py, which starts it once for all."""
    return [some_page(name).html() for name in games.names() if load(name).forms]
