"""The order form in a browser: whatever is chosen there, the engine reads it, and refuses nothing but a piece that was placed before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kingdom.games.kings_progress.game import GAME
from tests.games.kings_progress.kit import begun, game_of, own_rules, rules_with
from tests.kit.browser import Browser
from tests.kit.formkit import AT_RANDOM, FACTS, Place, press_at_random
from tests.kit.pagekit import overflowing, shut_out
from tests.plays.kings_progress import otherwise


def places(pace: str, every: int = 1) -> Iterator[Place]:
    """Every seat before every so many turns of a game."""
    rules = rules_with(pace)
    tables = [begun(), *(result.after for result in game_of(("form", pace), rules=rules))]
    for table in tables[:-1:every]:
        for seat in table.kingdoms:
            yield place(table, seat, rules)


def place(table: Any, seat: str, rules: Any) -> Place:
    return Place(f"turn {table.turn + 1} {seat}", GAME, table, seat, rules, {"seats": tuple(table.kingdoms)})


@pytest.mark.parametrize(
    ("seeds", "fewer"), [((1,), 2), pytest.param((1, 2, 3), 1, marks=pytest.mark.long)], ids=["once", "again"]
)
@pytest.mark.parametrize(
    ("pace", "every", "allowed"),
    [
        pytest.param("standard", 4, (), marks=pytest.mark.long),
        pytest.param("strict", 16, (), marks=pytest.mark.long),
        ("weekly", 2, ("no tile", "no veto left")),
    ],
)
def test_whatever_is_chosen_the_engine_takes_it(
    pace: str,
    every: int,
    allowed: tuple[str, ...],
    seeds: tuple[int, ...],
    fewer: int,
    browser: Browser,
    tmp_path: Path,
) -> None:
    """At the weekly pace a tile can be placed and then be missing for a veto: that hangs on which alternative counts."""
    for each in places(pace, every * fewer):
        each.show(browser, tmp_path)
        for seed in seeds:
            filled = browser.page.evaluate(AT_RANDOM, [seed * 7919, 25])
            problems, refusals, _ = each.verdict(filled["text"])
            assert problems == [] and [one for one in refusals if not any(said in one for said in allowed)] == [], (
                each.name,
                filled["text"],
            )
        assert browser.complaints == []


def test_it_is_filled_in_with_a_pointer_and_a_keyboard(browser: Browser, tmp_path: Path) -> None:
    each = list(places("weekly", 2))[3]
    each.show(browser, tmp_path, 360)
    filled = press_at_random(browser, 3, 20)
    assert each.verdict(filled["text"])[0] == [] and filled["chosen"]


def test_choices_stand_in_the_order_in_which_they_are_made(browser: Browser, tmp_path: Path) -> None:
    each = place(begun(), "alice", own_rules())
    each.show(browser, tmp_path)
    browser.ask("""(() => {
        const offer = (id) => OrderForm.draft.offers.find((each) => each.id === id);
        OrderForm.draft.add(offer('tile cara'), { tile: 0 });
        OrderForm.draft.add(offer('tile alice'), { tile: 5 });
    })()""")
    text = browser.ask("OrderForm.draft.text()")
    from kingdom.orders import orders_file

    filed = orders_file.read(text.encode(), "form.yaml", GAME, each.names, "alice", 1).orders
    assert filed["city"] == [{"kingdom": "cara", "tile": 0}, {"kingdom": "alice", "tile": 5}]


def in_the_middle() -> Place:
    return list(places("weekly", 2))[4]


def valid_pages() -> list[str]:
    """Held against the HTML checker in tests/render/test_every_page.py, which starts it once for all."""
    return [in_the_middle().html()]


def test_it_fits_a_phone_and_shuts_nobody_out(browser: Browser, tmp_path: Path) -> None:
    file = in_the_middle().show(browser, tmp_path)
    assert overflowing(browser, file, 360) == overflowing(browser, file, 1280) == []
    assert shut_out(browser, file) == []


def test_who_decides_nothing_is_told_so() -> None:
    page = GAME.forms.page(begun(first="bob"), "alice", rules_with("strict"))
    assert page["notice"].startswith("Nothing of yours is decided in the next turn: bob decides cities.")
    assert [section["id"] for section in page["sections"]] == ["letters"]


def test_a_form_tells_nothing_hidden() -> None:
    for result in game_of("form", 3):
        for seat in () if GAME.finished(result.after) else result.after.kingdoms:
            here, there = (
                place(table, seat, own_rules()).html(FACTS) for table in (result.after, otherwise(result.after, seat))
            )
            assert here == there
