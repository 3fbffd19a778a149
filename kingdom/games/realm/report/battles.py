"""The battles of a turn as rows for a report: each a table, phase by phase, of what its sides did and what was left of them."""

from __future__ import annotations

from typing import Any

from kingdom.engine.dice import GM
from kingdom.games.realm.report.story import Part
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World
from kingdom.games.realm.types import Result

Who = tuple[str, str]  # seat and name of a side

_PHASES = {"tactics": "Tactics", "ranged": "Shooting", "melee": "Melee", "pursuit": "Pursuit"}


def battles(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[dict[str, Any]]:
    """What a report shows of battles, for one seat. part: its part of the turn; seen: what it knows after it (known.py)."""
    return [_battle(notice.facts, seen, rules) for notice in part.notices if notice.kind == "battle"]


def unheard_battles(part: Part, world: World, rules: Rules) -> list[dict[str, Any]]:
    """The battles far away that only the GM knows of, from the GM's part of the turn: nobody heard how they went."""
    told = [notice.facts for notice in part.notices if notice.kind == "battle"]
    return [_battle(facts, world, rules) for facts in told if {side["seat"] for side in facts["left"]} == {GM}]


def _battle(facts: dict[str, Any], seen: World, rules: Rules) -> dict[str, Any]:
    hex = seen.hexes.get(facts["hex"])
    several = len(facts["left"]) > 2
    strategies: dict[Who, tuple[str, str]] = {}
    left: dict[Who, int] = {}
    return {
        "hex": facts["hex"],
        "terrain": rules.terrain[hex.terrain].name if hex else "",
        "sides": [
            {"who": _who(each), "outcome": each["outcome"], "hp": each["hp"], "seat": each["seat"]}
            for each in facts["left"]
        ],
        "phases": [_phase(row, several, strategies, left, rules) for row in facts["rounds"]],
    }


def _phase(
    row: dict[str, Any], several: bool, fought: dict[Who, tuple[str, str]], left: dict[Who, int], rules: Rules
) -> dict[str, Any]:
    """One phase. Among several, sides are left out that did nothing and lost nothing. left: the hit points before it."""
    title = _PHASES[row["phase"]]
    rows = []
    for side in row["sides"]:
        shown, key = _side(side, several, fought, rules), (side["seat"], side["name"])
        rows += (
            [shown] if not several or shown["notes"] or side["die"] is not None or left.get(key) != side["hp"] else []
        )
        left[key] = side["hp"]
    return {"name": f"{title} {row['round']}" if row["phase"] == "melee" else title, "rows": rows}


def _side(side: dict[str, Any], several: bool, fought: dict[Who, tuple[str, str]], rules: Rules) -> dict[str, Any]:
    """One side in one phase. Its strategy and tactic are said where they are new, its target where there is a choice."""
    key, how = (side["seat"], side["name"]), (side["strategy"], side["tactic"])
    said = (
        [f"{side['strategy']} strategy, tactic {rules.tactics[side['tactic']].name}"] if fought.get(key) != how else []
    )
    fought[key] = how
    said += [f"attacks {side['target']}"] if several and side["target"] else []
    figures = {name: "" if side[name] is None else side[name] for name in ("die", "check", "dv", "damage")}
    return {"who": _who(side), **figures, "hp": side["hp"], "notes": said + side["notes"]}


def _who(side: dict[str, Any]) -> str:
    """Monsters have no kingdom."""
    return side["name"] if side["seat"] == GM else f"{side['name']} ({side['seat']})"
