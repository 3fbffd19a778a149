"""Every ruling is shown by a test, and a test fails where one of its figures or branches is changed (trials.py).

The short run tries a few changes, the long one all of them; `scripts/try_rulings` tries and prints them by name.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import yaml
from msgspec import structs

from kingdom.engine.step import Phase, Turn
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.state import World
from kingdom.games.realm.steps.shared import attempt
from tests.games.realm import changes, trials
from tests.games.realm.changes import Broken, Change
from tests.games.realm.kit import MiddleDice, load_yaml, rules_of, world_of

RULINGS = changes.rulings()
PRINTED = load_yaml((Path(__file__).parent / "figures.yaml").read_text(encoding="utf-8"))
NOTHING_TO_CHANGE = ("terrain.unknown", "features.coast", "features.bridge") + tuple(  # on no map; do nothing by themselves; not played
    f"army_specials.{name}"
    for name in (
        "aquatic", "blindsense", "blindsight", "darkvision", "light_blindness", "light_sensitivity", "low_light_vision", "scent",
        "tremorsense", "vortex", "wild_shape",
    )
)  # fmt: skip
SAMPLE = ["unrest_floor"]  # tried in the short run


def test_every_ruling_is_named_by_a_test_and_has_something_to_change() -> None:
    unnamed = [name for name in RULINGS if not trials.tests_of(name)]
    assert unnamed == [], "name it in the `rule` of a case file, or list a test module for it in mutations.yaml"
    assert [name for name in RULINGS if not changes.changes_of(name)] == [], "declare in mutations.yaml what breaks it"


def test_every_row_is_tried() -> None:
    rows = changes.rows()
    assert [name for name in rows if not changes.changes_of(name) and name not in NOTHING_TO_CHANGE] == []
    assert [name for name in rows if not trials.tests_of(name.partition(".")[0])] == []


def test_mutations_are_of_rulings_and_tables_alone() -> None:
    whole = yaml.load((Path(__file__).parent / "mutations.yaml").read_bytes(), yaml.CSafeLoader)
    assert set(whole["rulings"]) == set(RULINGS) == set(PRINTED["rulings"])
    assert set(whole["tables"]) == set(changes.TABLES)


def test_every_declared_line_stands_in_the_code() -> None:
    for change in (change for name in RULINGS for change in changes.branches(changes.declared(name))):
        if change.module:
            changed = changes.changed_source(change)
            assert changed != changes.source(change.module), change.says
            compile(changed, f"{change.module}, where {change.says}", "exec", ast.PyCF_ONLY_AST)
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
@pytest.mark.parametrize("name", [name for name in changes.rows() if name not in NOTHING_TO_CHANGE])
def test_each_change_of_a_table_is_noticed(name: str) -> None:
    count, unnoticed = trials.tried(name)
    assert count and not unnoticed


def test_a_trial_finds_what_no_test_notices() -> None:
    elsewhere = Change("Unrest of an abandoned hex", rules={"abandon": {"unrest": 2}})
    assert trials.noticed_by(elsewhere, ["cases/income"]) == ""
    fine = Change("no change at all", module="steps.income", line="if works:", becomes="if bool(works):")
    assert trials.noticed_by(fine, ["cases/income"]) == ""


def test_a_trial_says_by_which_test_it_was_noticed() -> None:
    dearer = Change("two a claim", rules={"claim": {"cost": 2}})
    assert trials.noticed_by(dearer, ["cases/claim"]).startswith("claim: a hex beside the land costs 1 BP")
    unpaid = Change("no works", module="steps.income", line="if works:", becomes="if False:")
    assert trials.noticed_by(unpaid, ["cases/income"]) == "income: mines, quarries and sawmills add theirs"
    assert trials.noticed_by(Change("no sides", rules={"check": {"die": 0}}), ["cases/check"]) == "the tables"


def test_a_trial_that_proves_nothing_is_told() -> None:
    with pytest.raises(Broken, match="in steps.income.py this stands 0 times"):
        trials.noticed_by(Change("gone", module="steps.income", line="if no_such_line:"), ["cases/income"])
    with pytest.raises(Broken, match="SyntaxError"):
        trials.noticed_by(
            Change("nonsense", module="steps.income", line="if works:", becomes="if works"), ["cases/income"]
        )
    with pytest.raises(Broken, match="NameError"):
        trials.noticed_by(
            Change("a slip", module="steps.income", line="if works:", becomes="if work:"), ["cases/income"]
        )
    with pytest.raises(Broken, match="there is no ruling or table incone"):
        trials.tried("incone")


# --- what no case file can say


def test_ruling_check_bonuses_count() -> None:
    """No check of a turn has a bonus yet: that of an event against which adventurers are sent will."""

    def step(world: World, turn: Turn) -> World:
        attempt(turn, "examplia", world.kingdoms["examplia"], world.hexes, "economy", "economy", bonus=5)
        return world

    game = structs.replace(GAME, phases=(Phase("income", (step,)),))
    notice = resolve(game, world_of(), {}, MiddleDice(1, {}), rules_of()).notices[0]
    assert (notice.facts["bonus"], notice.facts["total"]) == (5, 10 + 3 + 5)
