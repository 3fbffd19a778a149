"""coverage.yaml: every sentence of the rules' text has what plays it and a test that shows it; the page is made of it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.games.realm import coverage

PAGE = Path(__file__).parents[3] / "docs" / "coverage-of-the-rules.md"
# of the text, in its order -> how many sentences it has: a mark of its end, a space and a capital letter or bracket part them; one
# that only introduces a list or a table counts too, and each row of a table with its heading
SECTIONS = {
    "Kingdom Turn Sequence": 12,
    "Event Phase": 5,
    "Edict Phase": 30,
    "Income Phase": 3,
    "Upkeep Phase": 13,
    "Losing Hexes": 11,
    "General Edicts": 5,
    "Maintenance Edicts": 3,
    "Holiday Edicts": 11,
    "Promotion Edicts": 8,
    "Taxation Edicts": 8,
    "Improvement Edicts": 11,
    "Recruiting Armies": 9,
    "Special Edicts": 2,
    "Exploration Edict": 26,
    "Hired Adventurers": 20,
    "Trade Route": 15,
    "Blockading a Trade Route": 4,
    "Raiding a Trade Route": 9,
    "Protecting a Trade Route": 5,
    "Sharing a Trade Route": 10,
    "Sending Aid": 18,
}


def test_the_page_is_what_the_file_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == coverage.page(), "run scripts/redoc"


def test_every_link_leads_to_a_heading() -> None:
    for name, place in coverage.links().items():
        page, _, anchor = place.partition("#")
        titles = re.findall(r"^#+ (.+)$", (PAGE.parent / page).read_text(encoding="utf-8"), re.M)
        assert anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}, name


def test_no_cell_is_empty() -> None:
    assert [each.says for each in coverage.sentences() if not (each.says and each.by and each.tests)] == []


def test_what_plays_a_sentence_is_there() -> None:
    assert list(coverage.missing_players()) == []


def test_what_shows_a_sentence_is_there() -> None:
    assert list(coverage.missing_tests()) == []


def test_every_sentence_of_the_text_has_its_row() -> None:
    counts: dict[str, int] = {}
    for each in coverage.sentences():
        counts[each.section] = counts.get(each.section, 0) + 1
    assert counts == SECTIONS


def test_every_step_plays_a_sentence() -> None:
    played = {
        name.removeprefix("step ") for each in coverage.sentences() for name in each.by if name.startswith("step ")
    }
    steps = {step.__name__ for phase in coverage.GAME.phases for step in phase.steps}
    silent = {
        "gm_orders",
        "ransoms",
        "bring_into_service",
        "capital_move",
        "work_off_plans",
        "surrender",
        "remember",
    }  # of which the text does not speak
    assert steps - played == silent


def test_what_bends_a_sentence_is_a_ruling_that_the_first_edition_has_not_or_otherwise() -> None:
    assert list(coverage.not_bending()) == []
