"""Every ruling is shown by a test, and a test fails where one of its figures or branches is changed (trials.py).

The short run tries a few changes, the long one all of them; `scripts/try_rulings` tries and prints them by name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kingdom.game import Phase
from kingdom.games.realm import GAME
from kingdom.games.realm.checks import attempt
from kingdom.games.realm.state import World
from kingdom.turn import Turn, resolve
from tests.realm import trials
from tests.realm.kit import MiddleDice, load_yaml, rules_of, world_of

RULINGS = trials.rulings()
DECLARED = trials.declared()
PRINTED = load_yaml((Path(__file__).parent / "figures.yaml").read_text(encoding="utf-8"))
SAMPLE = ["control_dc", "unrest_floor", "government", "canal"]  # tried in the short run: figures, code, tables, all three


@pytest.mark.parametrize("name", RULINGS)
def test_every_ruling_is_named_by_a_test_and_has_something_to_change(name: str) -> None:
    given = DECLARED["rulings"].get(name, {})
    assert trials.tests_of(name, given), "name it in the `rule` of a case file, or list its test module in mutations.yaml"
    figures = trials.figures(name, trials.tables()[name])
    assert figures or trials.branches(given), "declare in mutations.yaml what breaks it"


def test_every_ruling_of_the_listing_is_tried() -> None:
    assert set(RULINGS) == set(PRINTED["rulings"]) and set(DECLARED["rulings"]) == set(RULINGS)
    assert set(DECLARED["tables"]) == set(trials.TABLES)


@pytest.mark.parametrize("name", RULINGS)
def test_every_declared_line_stands_in_the_code(name: str) -> None:
    for change in trials.branches(DECLARED["rulings"][name]):
        if change.module:
            assert trials.changed_text(change) != trials.source(change.module), change.says
        else:
            assert change.rules, change.says


@pytest.mark.parametrize("name", SAMPLE)
def test_a_change_is_noticed(name: str) -> None:
    count, unnoticed = trials.tried(name)
    assert count and not unnoticed


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in RULINGS if name not in SAMPLE])
def test_each_change_of_a_ruling_is_noticed(name: str) -> None:
    count, unnoticed = trials.tried(name)
    assert count and not unnoticed


@pytest.mark.long
@pytest.mark.parametrize("name", trials.rows())
def test_each_change_of_a_table_is_noticed(name: str) -> None:
    _, unnoticed = trials.tried(name)
    assert not unnoticed


def test_a_trial_finds_what_no_test_notices() -> None:
    elsewhere = trials.Change("Unrest of an abandoned hex", rules={"abandon": {"unrest": 2}})
    assert trials.noticed_by(elsewhere, ["cases/income"]) == ""
    fine = trials.Change("no change at all", module="income", line="if works:", becomes="if bool(works):")
    assert trials.noticed_by(fine, ["cases/income"]) == ""


def test_a_trial_says_by_which_test_it_was_noticed() -> None:
    dearer = trials.Change("two a claim", rules={"claim": {"cost": 2}})
    assert trials.noticed_by(dearer, ["cases/claim"]).startswith("claim: a hex beside the land costs 1 BP")
    unpaid = trials.Change("no works", module="income", line="if works:", becomes="if False:")
    assert trials.noticed_by(unpaid, ["cases/income"]) == "income: mines, quarries and sawmills add theirs"
    assert trials.noticed_by(trials.Change("no sides", rules={"check": {"die": 0}}), ["cases/check"]) == "the tables"


def test_a_trial_that_proves_nothing_is_told() -> None:
    with pytest.raises(trials.Broken, match="in income.py this stands 0 times"):
        trials.noticed_by(trials.Change("gone", module="income", line="if no_such_line:"), ["cases/income"])
    with pytest.raises(trials.Broken, match="SyntaxError"):
        trials.noticed_by(trials.Change("nonsense", module="income", line="if works:", becomes="if works"), ["cases/income"])
    with pytest.raises(trials.Broken, match="NameError"):
        trials.noticed_by(trials.Change("a slip", module="income", line="if works:", becomes="if work:"), ["cases/income"])
    with pytest.raises(trials.Broken, match="there is no ruling or table incone"):
        trials.tried("incone")


# --- what no case file can say


def test_ruling_check_bonuses_count() -> None:
    """No check of a turn has a bonus yet: that of an event against which adventurers are sent will."""

    def step(world: World, turn: Turn) -> World:
        attempt(turn, "examplia", world.kingdoms["examplia"], world.hexes, "economy", "economy", bonus=5)
        return world

    game = GAME._replace(phases=(Phase("income", (step,)),))
    notice = resolve(game, world_of(), {}, MiddleDice(1, {}), rules_of()).notices[0]
    assert (notice.facts["bonus"], notice.facts["total"]) == (5, 10 + 3 + 5)
