"""Runs the battles under battles/; their form is in battles/README.md. And what is always so in a battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import throw
from kingdom.games.realm.armies import full_hp, party_hp
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, BattleOrders, Commander, Party, replace
from kingdom.games.realm.steps.war import battle, battle_sides
from tests.games.realm.kit import load_yaml, merged, rules_of
from tests.kit.examples import tries

BATTLES = Path(__file__).parent / "battles"
KEYS = {"attack", "defend", "terrain", "dice", "phases", "left", "rounds", "rules"}
ARMY = {"unit", "size", "hp", "morale", "resources", "tactics", "strategy", "tactic", "withdraw", "boons", "unlucky"}
SIDE = ARMY | {"specials", "walls", "foes", "cornered", "monsters", "party", "dv", "om", "seat"}
EITHER = {"attack": {"red": {}}, "defend": {"blue": {}}}


class Dice:
    """Dice that show what the case says, and their middle where it is silent; `4 of 6` says which die it is too."""

    def __init__(self, given: Mapping[str, Mapping[str, list[int | str]]]):
        self.left = {(seat, what): list(shown) for seat, rolls in given.items() for what, shown in rolls.items()}

    def __call__(self, seat: str, name: str, sides: int) -> int:
        label, what = name.removeprefix("battle-").split("-")
        assert label == "0404"
        shown = self.left.get((seat, what), [])
        if not shown:
            return (sides + 1) // 2
        result, _, die = str(shown.pop(0)).partition(" of ")
        assert int(die or sides) == sides, f"a die of {sides} was thrown, not one of {die}"
        assert int(result) <= sides, f"a die of {sides} never shows {result}"
        return int(result)


def cases() -> Iterator[Any]:
    for file in sorted(BATTLES.glob("*.yaml")):
        whole = load_yaml(file.read_text(encoding="utf-8"))
        common = {key: value for key, value in whole.items() if key not in ("rule", "says", "cases")}
        for name, case in whole["cases"].items():
            yield pytest.param(merged(merged(EITHER, common), case), id=f"{file.stem}: {name}")


@pytest.mark.parametrize("case", list(cases()))
def test_battle(case: dict[str, Any]) -> None:
    assert set(case) <= KEYS, f"unknown keys {sorted(set(case) - KEYS)}"
    assert {"phases", "left", "rounds"} & set(case), "the case expects nothing"
    rules = rules_of(case.get("rules"))
    attackers, defenders = (
        [side(name, each or {}, rules) for name, each in case[key].items()] for key in ("attack", "defend")
    )
    dice = Dice(case.get("dice", {}))
    fought = battle.fight(attackers, defenders, dice, rules, "0404", case.get("terrain", "plains"))
    assert not any(dice.left.values()), f"nobody rolled {dice.left}"
    found = {
        f"{row['phase']} {row['round']}" if row["phase"] == "melee" else row["phase"]: row for row in fought.rounds
    }
    for phase, sides in case.get("phases", {}).items():
        _compare_phase(phase, found[phase]["sides"], sides)
    outcomes = {left.name: left._asdict() for left in fought.left.values()}
    for name, expected in case.get("left", {}).items():
        assert {key: outcomes[name][key] for key in expected} == expected, name
    if "rounds" in case:
        assert sum(row["phase"] in ("ranged", "melee") for row in fought.rounds) == case["rounds"]


def _compare_phase(phase: str, rows: list[dict[str, Any]], sides: dict[str, Any]) -> None:
    for name, expected in sides.items():
        row = next(row for row in rows if row["name"] == name)
        expected = {"check": None} if expected is None else dict(expected)
        note = expected.pop("note", "")
        assert {key: row[key] for key in expected} == expected, f"{phase}, {name}: {row}"
        assert any(note in each for each in row["notes"]) or not note, f"{phase}, {name}: {row['notes']}"


def side(name: str, given: Mapping[str, Any], rules: Rules) -> battle_sides.Side:
    """The side that a case states."""
    assert set(given) <= SIDE, f"unknown keys {sorted(set(given) - SIDE)}"
    seat = given.get("seat", name)
    if "monsters" in given:
        made = replace(battle_sides.side_of_monsters("0404", given["monsters"], 0, rules), name=name)
    elif "party" in given:
        whole = party_hp(given["party"], rules)
        party = Party(given["party"], "0404", "0404", given.get("hp", whole), tuple(given.get("specials", ())))
        return battle_sides.side_of_party(name, seat, party, rules)
    else:
        made = battle_sides.side_of_army(
            name,
            seat,
            army(given, rules),
            rules,
            given.get("walls"),
            tuple(given.get("foes", ())),
            given.get("cornered", False),
        )
    specials = (*made.specials, *given.get("specials", ()))
    made = replace(made, specials=specials, ranged=made.ranged or battle_sides.shoots(specials, rules))
    return replace(made, **{key: given[key] for key in ("dv", "om") if key in given})


def army(given: Mapping[str, Any], rules: Rules) -> Army:
    made = Army(
        given.get("unit", "fighter"), given.get("size", "colossal"), "0404", 1, given.get("morale", 0),
        dict(given.get("resources", {})), tuple(given.get("tactics", ())),
        battle=BattleOrders(given.get("strategy", ""), given.get("tactic", ""), given.get("withdraw", 0)),
        commander=Commander(0, tuple(given.get("boons", ())), given.get("unlucky", False)),
    )  # fmt: skip
    return replace(made, hp=given.get("hp", full_hp(made, rules)))


def test_every_tactic_boon_resource_and_special_that_is_played_has_a_case() -> None:
    rules = rules_of()
    said = "".join(file.read_text(encoding="utf-8") for file in BATTLES.glob("*.yaml"))
    tables = (rules.tactics, rules.boons, rules.army_resources, rules.army_specials, rules.strategies)
    played = {name for table in tables for name, row in table.items() if getattr(row, "effects", True)}
    assert not [name for name in sorted(played) if name not in said]


# --- what is always so


@st.composite
def sides(draw: Any, seat: str, rules: Rules) -> battle_sides.Side:
    """Any army, equipped and led in any way, with any three specials more."""
    made = Army(
        draw(st.sampled_from(list(rules.units))), draw(st.sampled_from(list(rules.army_sizes))), "0404", 1,
        draw(st.integers(-4, 4)),
        {name: draw(st.integers(1, 2)) for name in draw(st.sets(st.sampled_from(list(rules.army_resources)), max_size=3))},
        tuple(draw(st.sets(st.sampled_from(list(rules.tactics)), max_size=2))),
        battle=BattleOrders(
            draw(st.sampled_from(["", *rules.strategies])), draw(st.sampled_from(["", *rules.tactics])),
            draw(st.sampled_from([0, 50, 90])),
        ),
        commander=Commander(0, tuple(draw(st.sets(st.sampled_from(list(rules.boons)), max_size=1))), draw(st.booleans())),
    )  # fmt: skip
    made = replace(made, hp=draw(st.integers(1, full_hp(made, rules))))
    walls = draw(st.sampled_from([{}, {"castle": 8}, {"moat": 1, "city_wall": 1}]))
    foes = draw(st.sampled_from([(), ("red",), ("blue", "green")]))
    one = battle_sides.side_of_army(draw(st.sampled_from("ABC")), seat, made, rules, walls, foes, draw(st.booleans()))
    more = tuple(draw(st.sets(st.sampled_from(list(rules.army_specials)), max_size=3)))
    return replace(one, specials=one.specials + more)


@st.composite
def armies(draw: Any) -> tuple[list[battle_sides.Side], list[battle_sides.Side], int]:
    """Attackers, defenders and a seed."""
    rules = rules_of()
    attackers = [draw(sides(seat, rules)) for seat in ("red", "green")[: draw(st.integers(1, 2))]]
    defenders = [draw(sides("blue", rules))]
    if draw(st.booleans()):
        defenders.append(battle_sides.side_of_monsters("0404", draw(st.integers(1, 9)), 0, rules))
    return attackers, defenders, draw(st.integers(0, 999))


def fought(attackers: list[battle_sides.Side], defenders: list[battle_sides.Side], seed: int) -> battle.Battle:
    counts: dict[tuple[str, str], int] = {}

    def roll(seat: str, name: str, sides: int) -> int:
        counts[seat, name] = count = counts.get((seat, name), 0) + 1
        return throw(f"{seed}:{seat}", name, count, sides)

    return battle.fight(attackers, defenders, roll, rules_of(), "0404", "hills")


@tries(20, 80)
@given(armies())
def test_a_battle_ends_and_hit_points_stay_between_nothing_and_all(given: Any) -> None:
    attackers, defenders, seed = given
    result = fought(attackers, defenders, seed)
    whole = {side.key: side.full_hp for side in attackers + defenders}
    for row in result.rounds:
        assert all(0 <= side["hp"] <= whole[side["seat"], side["name"]] for side in row["sides"])
    assert sum(row["phase"] in ("ranged", "melee") for row in result.rounds) <= rules_of().battle_order.rounds
    for key, left in result.left.items():
        assert left.outcome in battle_sides.OUTCOMES
        assert 0 <= left.hp <= whole[key] and (left.hp == 0) <= (left.outcome in ("defeated", "surrendered"))


@tries(10, 30)
@given(armies())
def test_the_order_in_which_sides_are_named_counts_for_nothing(given: Any) -> None:
    attackers, defenders, seed = given
    assert fought(attackers, defenders, seed) == fought(attackers[::-1], defenders[::-1], seed)


@tries(10, 30)
@given(armies())
def test_parties_and_monsters_neither_rout_nor_leave(given: Any) -> None:
    attackers, defenders, seed = given
    plain = [replace(side, kind=battle_sides.PARTY) for side in attackers]
    outcomes = {left.outcome for left in fought(plain, defenders, seed).left.values() if left.kind != battle_sides.ARMY}
    assert not outcomes & {"routed", "withdrew", "surrendered"}
