"""The order form in a browser: whatever is chosen there, the engine reads it, and refuses nothing but a piece that was placed before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingdom.games.kings_progress.game import GAME
from tests.games.kings_progress.kit import begun, game_of, own_rules, rules_with
from tests.kit.browser import Browser
from tests.kit.formkit import FACTS, Place
from tests.plays.kings_progress import otherwise


def place(table: Any, seat: str, rules: Any) -> Place:
    return Place(f"turn {table.turn + 1} {seat}", GAME, table, seat, rules, {"seats": tuple(table.seats)})


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


def test_who_decides_nothing_is_told_so() -> None:
    page = GAME.forms.page(begun(first="bob"), "alice", rules_with("strict"))
    assert page["notice"].startswith("Nothing of yours is decided in the next turn: bob decides cities.")
    assert [section["id"] for section in page["sections"]] == ["letters"]


def test_a_form_tells_nothing_hidden() -> None:
    for result in game_of("form", 3):
        for seat in () if GAME.finished(result.after) else result.after.seats:
            here, there = (
                place(table, seat, own_rules()).html(FACTS) for table in (result.after, otherwise(result.after, seat))
            )
            assert here == there
