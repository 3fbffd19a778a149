"""Armies and battles as rows for a report: the kingdom's own armies with what they do and were told; each battle of the turn as a
table, phase by phase, of what its sides did and what was left of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from kingdom.engine.dice import GM
from kingdom.engine.names import words
from kingdom.engine.step import Facts
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.armies import (
    acr,
    called,
    consumption,
    dv,
    escorts,
    full_hp,
    home_of,
    occupies,
    om,
    rating,
    tactics,
)
from kingdom.games.realm.report.parts import Part
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, Kingdom, World
from kingdom.games.realm.types import Result

GARRISON = "garrison"  # what an army does that was told nothing else


def armies(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[Facts]:
    """What a report shows of armies, for one seat: of each its figures, what it has, does and was told about battles. part: its part of the turn; seen: what it knows after it (known.py).

    Foreign armies that are seen come from sight.
    """
    kingdom = result.after.kingdoms[seat]
    return [_row(name, army, kingdom, seen, rules) for name, army in sorted(kingdom.armies.items())]


def _row(name: str, army: Army, kingdom: Kingdom, seen: World, rules: Rules) -> Facts:
    home, away, told = home_of(army, kingdom), escorts(kingdom, name), army.battle
    deed, target = words(army.deed or GARRISON), seen.kingdoms.get(army.target)
    resources = [(count, rules.army_resources[word].name) for word, count in army.resources.items()]
    has = {
        "Resources": [f"{count} {what}" if count > 1 else what for count, what in resources],
        "Tactics": [rules.tactics[word].name for word in tactics(army, rules)],
        "Boons of its commander": [rules.boons[word].name for word in army.commander.boons],
    }
    battle = [f"strategy {words(told.strategy)}"] if told.strategy else []
    battle += [f"tactic {rules.tactics[told.tactic].name}"] if told.tactic else []
    battle += [f"leaves at {told.withdraw} % of its hit points"] if told.withdraw else []
    return {
        "name": name,
        "what": called(army, rules),
        "where": f"away with {away}" if away else f"{army.hex} ({home})" if home else army.hex,
        "figures": [
            {"name": "ACR", "value": rating(acr(army.unit, army.size, rules), rules)},
            {"name": "hit points", "value": f"{army.hp} of {full_hp(army, rules)}"},
            {"name": "DV", "value": dv(army, rules)},
            {"name": "OM", "value": om(army, rules)},
            {"name": "morale", "value": f"{army.morale:+d}" if army.morale else "0"},
            {"name": "Consumption", "value": consumption(army, rules)},
        ],
        "has": [f"{kind}: {', '.join(found)}" for kind, found in has.items() if found],
        "does": f"{deed} against {target.name if target else army.target}" if army.target else deed,
        "battle": ", ".join(battle),
        "notes": _notes(army, rules),
    }


def _notes(army: Army, rules: Rules) -> list[str]:
    notes = []
    if not occupies(army, rules):
        notes.append(f"takes and besieges nothing: its ACR is below {in_force(rules.occupation).acr}")
    if army.reserve:
        paid = f"paid for {army.paid} more turn{'s' if army.paid > 1 else ''}"
        notes.append(f"in reserve, {paid if army.paid else 'its Consumption is due next turn'}")
    if army.unpaid:
        notes.append(f"not paid for {army.unpaid} turn{'s' if army.unpaid > 1 else ''}")
    if army.routed:
        notes.append("routed: it begins no fight until it takes courage")
    if army.illness:
        notes.append(f"ill: {-army.illness:+d} to OM and DV")
    return notes


# --- the battles of a turn

Who: TypeAlias = tuple[str, str]  # seat and name of a side


class Outcome(TypedDict):
    """What became of a side."""

    who: str
    outcome: str
    hp: int
    seat: str


class BattleRow(TypedDict):
    """A battle as a table."""

    hex: str
    terrain: str
    sides: list[Outcome]
    phases: list[Facts]


_PHASES = {"tactics": "Tactics", "ranged": "Shooting", "melee": "Melee", "pursuit": "Pursuit"}


def battles(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[BattleRow]:
    """What a report shows of battles, for one seat. part: its part of the turn; seen: what it knows after it (known.py)."""
    return [_battle(facts, seen, rules) for facts in _fought(part)]


def unheard_battles(part: Part, world: World, rules: Rules) -> list[BattleRow]:
    """The battles far away that only the GM knows of, from the GM's part of the turn: nobody heard how they went."""
    return [_battle(facts, world, rules) for facts in _fought(part) if {side["seat"] for side in facts["left"]} == {GM}]


def _fought(part: Part) -> Iterator[Facts]:
    """What the notices of battles say; the step that fights them writes these keys."""
    return (notice.facts for notice in part.notices if notice.kind == "battle")


def _battle(facts: Facts, seen: World, rules: Rules) -> BattleRow:
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


def _phase(row: Facts, several: bool, fought: dict[Who, tuple[str, str]], left: dict[Who, int], rules: Rules) -> Facts:
    """One phase. Among several, sides are left out that did nothing and lost nothing. left: the hit points before it."""
    title = _PHASES[row["phase"]]
    rows = []
    for side in row["sides"]:
        shown, key = _side(side, several, fought, rules), (side["seat"], side["name"])
        if not several or shown["notes"] or side["die"] is not None or left.get(key) != side["hp"]:
            rows.append(shown)
        left[key] = side["hp"]
    return {"name": f"{title} {row['round']}" if row["phase"] == "melee" else title, "rows": rows}


def _side(side: Facts, several: bool, fought: dict[Who, tuple[str, str]], rules: Rules) -> Facts:
    """One side in one phase, a figure that is not known as "". Its strategy and tactic are said where they are new, its target where there is a choice."""
    key, how = (side["seat"], side["name"]), (side["strategy"], side["tactic"])
    new = f"{side['strategy']} strategy, tactic {rules.tactics[side['tactic']].name}"
    said = [new] if fought.get(key) != how else []
    fought[key] = how
    said += [f"attacks {side['target']}"] if several and side["target"] else []
    return {
        "who": _who(side),
        **{figure: "" if side[figure] is None else side[figure] for figure in ("die", "check", "dv", "damage")},
        "hp": side["hp"],
        "notes": said + side["notes"],
    }


def _who(side: Facts) -> str:
    """Monsters have no kingdom."""
    return side["name"] if side["seat"] == GM else f"{side['name']} ({side['seat']})"
