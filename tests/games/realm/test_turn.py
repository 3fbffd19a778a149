"""The table of contents of a turn, and what all its modules declare."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import Counter
from pathlib import Path

import pytest

import kingdom.games.realm as realm
from kingdom.games.realm import turn as contents
from kingdom.games.realm.game import GAME
from kingdom.games.realm.steps.events.events import KINDS

FOLDER = Path(realm.__file__).parent
STEPS = [(phase.name, step.__name__) for phase in GAME.phases for step in phase.steps]


def test_the_phases_and_steps_stand_in_the_order_of_the_rules() -> None:
    assert STEPS == [
        ("gm", "gm_orders"),
        ("event", "start"),
        ("event", "route_answers"),
        ("event", "ransoms"),
        ("event", "grow_secondary_territories"),
        ("event", "wilderness"),
        ("event", "events"),
        ("edict", "leadership_bonus"),
        ("edict", "abandon_hexes"),
        ("edict", "claim_hexes"),
        ("edict", "count_secondary_territories"),
        ("edict", "terrain_improvements"),
        ("edict", "found_settlements"),
        ("edict", "bring_into_service"),
        ("edict", "build"),
        ("edict", "create_army_units"),
        ("edict", "edict_levels"),
        ("edict", "capital_move"),
        ("edict", "doors"),
        ("edict", "special_edicts"),
        ("edict", "work_off_plans"),
        ("edict", "surrender"),
        ("edict", "move_armies"),
        ("edict", "fight_battles"),
        ("edict", "expeditions"),
        ("edict", "hired_adventurers"),
        ("edict", "clear_hazards"),
        ("edict", "caravans"),
        ("income", "trade"),
        ("income", "taxes"),
        ("upkeep", "modify_unrest"),
        ("upkeep", "stability_check"),
        ("upkeep", "loyalty_check"),
        ("upkeep", "pay_consumption"),
        ("upkeep", "keep_armies"),
        ("upkeep", "monsters_at_large"),
        ("upkeep", "end_of_turn"),
        ("upkeep", "count_secondary_territories"),
        ("upkeep", "remember"),
        ("upkeep", "roll_events"),
    ]


def test_every_position_has_its_reason() -> None:
    lines = (FOLDER / "turn.py").read_text(encoding="utf-8").splitlines()
    steps = [line for line in lines if re.match(r"\s+[a-z_]+\.[a-z_0-9]+,", line)]
    assert len(steps) == len(STEPS)
    assert [line for line in steps if not re.search(r",  # .{15}", line)] == []


def declaring() -> list[str]:
    """The modules of the realm that declare causes or refusals."""
    found = pkgutil.walk_packages([str(FOLDER)], "kingdom.games.realm.")
    modules = [importlib.import_module(each.name) for each in found if not each.ispkg]
    return [module.__name__ for module in modules if hasattr(module, "REFUSALS") or hasattr(module, "CAUSES")]


def test_the_words_of_every_module_are_the_games() -> None:
    assert sorted(declaring()) == sorted(module.__name__ for module in contents.MODULES)


def test_a_refusal_names_its_rule() -> None:
    for code, sentence in GAME.refusals.items():
        assert re.search(r"\(.*(ruling|step|phase|table|Edict|Aid|Route|GM orders).*\)", sentence), (
            f"{code} names no rule: {sentence}"
        )
        assert sentence.endswith("."), sentence


def test_no_figure_stands_in_a_sentence() -> None:
    """Figures of the rules come in as facts; the number of a step is a name."""
    for code, sentence in GAME.refusals.items():
        rest = re.sub(r"[Ss]teps? \d( to \d)?|below 0|0 or more|oldest is 1|lot: A1|\{[^}]*\}", "", sentence)
        assert not re.search(r"\d", rest), f"{code}: {sentence}"


@pytest.mark.parametrize("what", ["refusals", "causes"])
def test_every_word_is_used_in_the_code(what: str) -> None:
    code = "\n".join(file.read_text(encoding="utf-8") for file in FOLDER.rglob("*.py"))
    used = Counter(re.findall(r"(?<=[\"'])\w+(?=[\"'])", code))
    assert [word for word in getattr(GAME, what) if used[word] < 2 and word not in USED_BY_NAME] == []


USED_BY_NAME = (
    "holiday",
    "promotion",
    "taxation",
    *KINDS,
)  # the categories of edicts and the kinds of events, which are causes too
