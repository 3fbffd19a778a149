"""How a report tells the battles of a turn, as text and as a page, and to whom."""

from __future__ import annotations

from functools import cache
from typing import Any

from kingdom.engine.dice import GM
from kingdom.engine.step import Notice
from kingdom.games.realm.report.armies import unheard_battles
from kingdom.games.realm.report.parts import Part
from tests.games.realm.kit import rules_of, world_of
from tests.games.realm.reportkit import KINGDOMS, MAP, files_of, sections, turn_of, words

FIRST = {"name": "First Foot", "unit": "fighter", "size": "colossal", "hex": "0403", "tactics": ["expert_flankers"]}
GUARD = {"name": "Guard", "unit": "fighter", "size": "large", "hex": "0403"}
ATTACK = {"examplia": {"armies": [{"army": "First Foot", "then": "attack", "target": "borderia"}]}}
DICE = {
    "examplia": {"battle-0403-offense": [3, 12], "battle_loyalty-0403": [1, 1]},
    "borderia": {"battle-0403-offense": [20, 1]},
}
TABLE = """\
  Battle in 0403 (Forest)
  Phase      Who                                 Die  Check   DV  Damage   HP
  Tactics    Guard (borderia)                                              16
             - standard strategy, tactic Standard
             First Foot (examplia)                                         49
             - aggressive strategy, tactic Expert flankers
  Shooting   Guard (borderia)                                              16
             First Foot (examplia)                                         49
  Melee 1    Guard (borderia)                     20     23   15       8   10
             First Foot (examplia)                 3     16   13       6   41
  Melee 2    Guard (borderia)                      1      4   15       0    0
             - stumbles and will not attack in the next phase
             - defeated
             First Foot (examplia)                12     25   13      15   41\
"""


@cache
def reports() -> dict[str, str]:
    armies = {"examplia": [FIRST], "borderia": [GUARD]}
    world = world_of({seat: {**each, "armies": armies.get(seat, [])} for seat, each in KINGDOMS.items()}, MAP)
    return files_of(turn_of(world, ATTACK, DICE))


def test_a_battle_is_a_table_phase_by_phase_the_same_for_both_sides() -> None:
    for seat in ("examplia", "borderia"):
        assert TABLE in sections(reports()[f"{seat}.txt"])["WHAT HAPPENED, DIE BY DIE"]


def test_the_page_has_the_same_rows() -> None:
    page = words(reports()["examplia.html"])
    assert "Battle in 0403 (Forest) Blow by blow" in page
    assert "Melee 1 Guard (borderia) 20 23 15 8 10 First Foot (examplia) 3 16 13 6 41 Melee 2" in page


def test_who_took_no_part_is_not_told() -> None:
    assert "Battle in 0403" not in reports()["cravonia.txt"] and "Battle in 0403" not in words(
        reports()["cravonia.html"]
    )


def test_the_gm_reads_battles_of_which_nobody_else_heard() -> None:
    rows: list[dict[str, Any]] = [{"phase": "tactics", "round": 0, "sides": []}]

    def told(*seats: str) -> Notice:
        left = [{"seat": seat, "name": "monsters in 0203", "hp": 3, "outcome": "undecided"} for seat in seats]
        return Notice("battle", "edict", "expeditions", GM, {"hex": "0203", "rounds": rows, "left": left})

    part = Part([], [told(GM, GM), told(GM, "examplia")], [])
    assert [battle["hex"] for battle in unheard_battles(part, world_of(map=MAP), rules_of())] == ["0203"]


def test_the_first_tier_says_who_won_and_what_was_lost_and_the_dice_stand_further_down() -> None:
    ends = "Battle in 0403: Guard (Borderia) defeated (0 hit points left), First Foot (Examplia) victorious (41 hit points left)."
    won, lost = (" ".join(sections(reports()[f"{seat}.txt"])[""].split()) for seat in ("examplia", "borderia"))
    assert ends in won and won.count("Guard (Borderia) defeated") == 1, "a battle is told once"
    assert f"! {ends}" in lost and " You lost the army Guard. " in lost
    assert "Your safe turns are over, since an army of yours attacked" in won
    assert "Battle " not in reports()["cravonia.txt"]
    dice = " ".join(sections(reports()["examplia.txt"])["WHAT HAPPENED, DIE BY DIE"].split())
    assert "Loyalty after the battle in 0403 check: 1 (d20)" in dice


def test_among_several_only_those_are_told_who_did_or_lost_something() -> None:
    def side(name: str, hp: int, die: int | None = None, notes: tuple[str, ...] = ()) -> dict[str, Any]:
        return {
            "seat": "examplia", "name": name, "strategy": "standard", "tactic": "standard", "target": "", "die": die,
            "check": die, "dv": die, "damage": die and 0, "hp": hp, "notes": list(notes),
        }  # fmt: skip

    rounds = [
        {"phase": "tactics", "round": 0, "sides": [side("A", 9), side("B", 9), side("C", 9)]},
        {"phase": "ranged", "round": 0, "sides": [side("A", 9), side("B", 7), side("C", 9, die=3)]},
        {"phase": "melee", "round": 1, "sides": [side("A", 9), side("B", 7, notes=("heals",)), side("C", 9)]},
    ]
    left = [{"seat": "examplia", "name": name, "hp": 9, "outcome": "undecided"} for name in "ABC"]
    (shown,) = battles_of({"hex": "0403", "rounds": rounds, "left": left})
    assert [[row["who"][0] for row in phase["rows"]] for phase in shown["phases"]] == [
        ["A", "B", "C"],
        ["B", "C"],
        ["B"],
    ]


def battles_of(facts: dict[str, Any]) -> list[dict[str, Any]]:
    part = Part(
        [],
        [
            Notice(
                "battle",
                "edict",
                "fight_battles",
                GM,
                {**facts, "left": [{**side, "seat": GM} for side in facts["left"]]},
            )
        ],
        [],
    )
    return unheard_battles(part, world_of(map=MAP), rules_of())
