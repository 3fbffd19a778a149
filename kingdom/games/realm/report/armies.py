"""Armies and battles as rows for a report: the kingdom's own armies with what they do and were told; each battle of the turn as a
table, phase by phase, of what its sides did and what was left of them."""

from __future__ import annotations

from typing import Any

from kingdom.engine.dice import GM
from kingdom.games.realm.report.filed import words
from kingdom.games.realm.report.parts import Part
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, BattleOrders, Kingdom, World
from kingdom.games.realm.steps.war.armies import (
    acr,
    called,
    consumption,
    dv,
    escorts,
    full_hp,
    home_of,
    number,
    om,
    tactics,
)
from kingdom.games.realm.types import Result

GARRISON = "garrison"  # what an army does that was told nothing else


def armies(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[dict[str, Any]]:
    """What a report shows of armies, for one seat. part: its part of the turn; seen: what it knows after it (known.py).

    Foreign armies that are seen come from sight.
    """
    kingdom = result.after.kingdoms[seat]
    return [_row(name, army, kingdom, seen, rules) for name, army in sorted(kingdom.armies.items())]


def _row(name: str, army: Army, kingdom: Kingdom, seen: World, rules: Rules) -> dict[str, Any]:
    home, away = home_of(army, kingdom), escorts(kingdom, name)
    return {
        "name": name,
        "what": called(army, rules),
        "where": f"away with {away}" if away else f"{army.hex} ({home})" if home else army.hex,
        "figures": [{"name": what, "value": value} for what, value in _figures(army, rules).items()],
        "has": _has(army, rules),
        "does": _does(army, seen),
        "battle": _in_battle(army.battle, rules),
        "notes": _notes(army),
    }


def _figures(army: Army, rules: Rules) -> dict[str, Any]:
    return {
        "ACR": rating(acr(army.unit, army.size, rules), rules),
        "hit points": f"{army.hp} of {full_hp(army, rules)}",
        "DV": dv(army, rules),
        "OM": om(army, rules),
        "morale": f"{army.morale:+d}" if army.morale else "0",
        "Consumption": consumption(army, rules),
    }


def rating(acr: float, rules: Rules) -> str:
    """An ACR as the tables write it: "1/3" or "4"."""
    ladder = rules.army_figures.ladder if rules.army_figures else ()
    return next((each for each in ladder if number(each) == acr), str(int(acr)))


def _has(army: Army, rules: Rules) -> list[str]:
    """Its resources, tactics and boons, each kind in a text."""
    resources = [
        f"{count} {rules.army_resources[word].name}" if count > 1 else rules.army_resources[word].name
        for word, count in army.resources.items()
    ]
    known = [rules.tactics[word].name for word in tactics(army, rules)]
    boons = [rules.boons[word].name for word in army.commander.boons]
    rows = [("Resources", resources, ""), ("Tactics", known, "")]
    rows.append(("Boons of its commander", boons, ""))
    return [f"{name}: {', '.join(found)}{more}" for name, found, more in rows if found]


def _does(army: Army, seen: World) -> str:
    deed, target = words(army.deed or GARRISON), seen.kingdoms.get(army.target)
    return f"{deed} against {target.name if target else army.target}" if army.target else deed


def _in_battle(told: BattleOrders, rules: Rules) -> str:
    """What it was told about battles, "" where it was told nothing."""
    parts = [f"strategy {words(told.strategy)}"] if told.strategy else []
    parts += [f"tactic {rules.tactics[told.tactic].name}"] if told.tactic else []
    parts += [f"leaves at {told.withdraw} % of its hit points"] if told.withdraw else []
    return ", ".join(parts)


def _notes(army: Army) -> list[str]:
    notes = []
    if army.reserve:
        paid = (
            f"paid for {army.paid} more turn{'s' if army.paid > 1 else ''}"
            if army.paid
            else "its Consumption is due next turn"
        )
        notes.append(f"in reserve, {paid}")
    if army.unpaid:
        notes.append(f"not paid for {army.unpaid} turn{'s' if army.unpaid > 1 else ''}")
    if army.routed:
        notes.append("routed: it begins no fight until it takes courage")
    if army.illness:
        notes.append(f"ill: {-army.illness:+d} to OM and DV")
    return notes


# --- the battles of a turn


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
