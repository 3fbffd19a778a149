"""Every building of the printed listing (figures.yaml) is built once, and does what its row there says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Building, District, Settlement, replace
from kingdom.games.realm.steps.towns.buildings import price_of
from kingdom.games.realm.steps.towns.lots import REFUSALS, find
from kingdom.games.realm.steps.towns.plan import Plan, covered_by
from tests.games.realm.kit import load_yaml, orders_of, rules_of, run, world_of

RULES = rules_of()
ROWS: dict[str, dict[str, Any]] = load_yaml((Path(__file__).parent / "figures.yaml").read_text("utf-8"))["buildings"]
SECONDARY = {
    "vigilance": ("lore", "law"),
    "debauchery": ("corruption", "crime"),
    "opulence": ("society", "productivity"),
}

NEEDS = {kind: (row["beside"]["count"], row["beside"]["any_of"]) for kind, row in ROWS.items() if "beside" in row}

# what must stand, with its lots, before a building can; a border of water is in the north
BEFORE = {kind: [f"{some[0]} {lot}" for lot in ("C3", "C5")[:count]] for kind, (count, some) in NEEDS.items()} | {
    "everflowing_spring": ["academy C3", "park A3"], "magical_streetlamps": ["temple C3"], "watergate": ["city_wall south"],
}  # fmt: skip
AT_WATER = {kind for kind, row in ROWS.items() if row.get("beside_water")}


def village(*buildings: str, **more: Any):
    """A kingdom of 30 hexes with Oakhold, in which these buildings stand, written `house A1`."""
    hexes = {f"{column:02d}{row:02d}": [] for column in range(1, 6) for row in range(1, 7)}
    made = [{"id": kind, "lot": lot, "tall": bool(tall)} for kind, lot, *tall in (each.split() for each in buildings)]
    oakhold = {"districts": [{"water": ["north"]}], "buildings": made}
    return world_of(
        {"examplia": {"treasury": 500, "unrest": 10, "hexes": hexes, "settlements": {"Oakhold": {"hex": "0303"}}}},
        map={"hexes": {"0303": {"terrain": "plains", "features": ["lake"]}}},
        state={"examplia": {"settlements": {"Oakhold": oakhold}, **more}},
    )


def build(world: Any, *orders: dict[str, Any]):
    """The result of these orders in Oakhold."""
    orders = {"examplia": {"build": [{"in": "Oakhold", **order} for order in orders]}}
    return run(world, orders_of(orders, world, RULES), steps=["build"])


def changes(result: Any) -> dict[str, int]:
    """By how much each account was moved."""
    worlds = (result.before, result.after)
    before, after = (accounts(world.kingdoms["examplia"], world.hexes, RULES) for world in worlds)
    return {account: after[account] - before[account] for account in after if after[account] != before[account]}


def wanted(row: dict[str, Any], price: int, old: dict[str, Any] | None = None) -> dict[str, int]:
    """What a row says that its building does to the accounts, in place of an older one where there is one."""

    def figure(column: str) -> int:
        return row.get(column, 0) - (old.get(column, 0) if old else 0)

    moved = {name: figure(name) for name in ("economy", "loyalty", "stability")}
    moved |= {account: sum(map(figure, columns)) for account, columns in SECONDARY.items()}
    moved |= {"treasury": -price, "unrest": row.get("unrest", 0)}
    return {account: by for account, by in moved.items() if by}


@pytest.mark.parametrize("kind", ROWS)
def test_a_building_costs_and_does_what_its_row_says(kind):
    row = ROWS[kind]
    result = build(village(*BEFORE.get(kind, ())), {"build": kind})
    assert not result.notices
    assert changes(result) == wanted(row, row["cost"])
    assert (RULES.buildings[kind].lots, RULES.buildings[kind].defense) == (row["lots"], row.get("defense", 0))
    built = result.after.kingdoms["examplia"].settlements["Oakhold"].buildings[-1]
    covered = covered_by(built, RULES)
    assert (len(covered.lots) if covered else 0) == (row["lots"] or (1 if covered else 0))


PAIRS = [(old, new) for old, row in ROWS.items() for new in row.get("upgrades_to", ())]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_an_upgrade_costs_the_difference_and_keeps_its_lots(old, new):
    around = [] if old == "pier" else ["house B2", "house C1"]
    at = "C1" if old == "pier" else "C2"
    result = build(village(*around, f"{old} {at}"), {"upgrade": old, "to": new})
    assert not result.notices
    price = max(0, ROWS[new]["cost"] - ROWS[old]["cost"])
    assert changes(result) == wanted(ROWS[new], price, ROWS[old])
    buildings = result.after.kingdoms["examplia"].settlements["Oakhold"].buildings
    assert [each.id for each in buildings] == ["house"] * len(around) + [new]
    assert set(covered_by(Building(old, at), RULES).lots) <= set(covered_by(buildings[-1], RULES).lots)


def test_nothing_else_is_an_upgrade():
    for kind, row in ROWS.items():
        assert set(RULES.buildings[kind].upgrades_to) == set(row.get("upgrades_to", ())), kind


HALVES = [(granter, kind) for granter, row in ROWS.items() for kind in row.get("halves", ())]


@pytest.mark.parametrize(("granter", "kind"), HALVES)
def test_a_granter_halves_the_price_once(granter, kind):
    lot = "1" if granter == "sewer_system" else "A1"
    settlement, full = Settlement("0404", buildings=(Building(granter, lot),)), ROWS[kind]["cost"]
    price = price_of(settlement, kind, RULES)
    assert price.bp == (full + 1) // 2
    assert price_of(replace(settlement, half_prices_used=(price.half,)), kind, RULES).bp == full


def test_nothing_else_is_halved():
    for kind, row in ROWS.items():
        assert set(RULES.buildings[kind].halves) == set(row.get("halves", ())), kind


def code_of(ground: Plan, kind: str, lot: str) -> str:
    place, objection = find(ground, kind, lot)
    return objection.code if objection else ""


@pytest.mark.parametrize(("kind", "neighbour"), [(kind, each) for kind, (_, kinds) in NEEDS.items() for each in kinds])
def test_a_building_stands_only_beside_what_its_row_asks_for(kind, neighbour):
    count = NEEDS[kind][0]
    there = [Building(neighbour, lot) for lot in ("C2", "B3")][:count]
    one_less = Plan([District()], there[:-1], RULES)
    assert code_of(one_less, kind, "C3") == "lot_no_neighbour"
    apart = Plan([District()], [Building(neighbour, lot) for lot in ("A1", "E1")][:count], RULES)
    assert code_of(apart, kind, "C3") == "lot_no_neighbour"
    assert code_of(Plan([District()], there, RULES), kind, "C3") == ""


def test_nothing_else_needs_a_neighbour():
    beside = {kind: building.beside for kind, building in RULES.buildings.items() if building.beside}
    assert {kind: (needed.count, list(needed.any_of)) for kind, needed in beside.items()} == NEEDS


FORBIDDEN = [(kind, other) for kind, row in ROWS.items() for other in row.get("not_beside", ())]


@pytest.mark.parametrize(("kind", "other"), FORBIDDEN)
def test_what_may_not_be_side_by_side_may_not_in_either_order(kind, other):
    assert code_of(Plan([District()], [Building(other, "C2")], RULES), kind, "B2") == "lot_forbidden_neighbour"
    at_kind = Plan([District()], [Building(kind, "B2"), Building("house", "C1"), Building("house", "C4")], RULES)
    assert code_of(at_kind, other, "C2") == "lot_forbidden_neighbour"


def test_nothing_else_is_forbidden():
    for kind, row in ROWS.items():
        assert list(RULES.buildings[kind].not_beside) == list(row.get("not_beside", ())), kind


@pytest.mark.parametrize("kind", sorted(AT_WATER))
def test_a_building_of_the_water_is_refused_on_dry_land(kind):
    assert code_of(Plan([District()], [], RULES), kind, "") == "lot_no_water"
    assert code_of(Plan([District(("north",))], [], RULES), kind, "C2") == "lot_no_water"
    assert code_of(Plan([District(("north",))], [], RULES), kind, "C1") == ""


def test_no_other_building_needs_water():
    assert {kind for kind, building in RULES.buildings.items() if building.beside_water} == AT_WATER


ONE_EACH = {kind for kind, row in ROWS.items() if "per_settlement" in row}


@pytest.mark.parametrize("kind", sorted(ONE_EACH))
def test_a_settlement_has_only_one(kind):
    ground = Plan([District(("north",))] * 2, [Building(kind, "A1")], RULES)
    assert code_of(ground, kind, "") == "settlement_full_of_kind"
    assert {name for name, building in RULES.buildings.items() if building.per_settlement} == ONE_EACH


def test_every_refusal_of_a_place_says_what_would_be_right():
    for code, sentence in REFUSALS.items():
        assert "(" in sentence and sentence.rstrip(".").count(". ") >= 1, code
