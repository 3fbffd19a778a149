"""docs/coverage-of-the-rules.md: every sentence of the rules' text has what plays it and a test that shows it."""

from __future__ import annotations

from pathlib import Path

from tests.realm import coverage

PAGE = Path(__file__).parent.parent.parent / "docs" / "coverage-of-the-rules.md"
SECTIONS = {  # of the text, in its order -> how many sentences it has; one that only introduces a list or a table counts too
}


def test_the_page_is_what_the_file_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == coverage.page(), "run scripts/redoc"


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
    played = {name.removeprefix("step ") for each in coverage.sentences() for name in each.by if name.startswith("step ")}
    steps = {step.__name__ for phase in coverage.GAME.phases for step in phase.steps}
    assert steps - played <= {"gm_orders", "work_off_plans", "remember"}  # of which the text does not speak
