"""The worked examples of worked_examples.yaml, played with the program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from kingdom.games.realm.effects import edict_levels
from kingdom.games.realm.sheet import DERIVED, accounts, control_dc, leadership_bonus, limits, raw_consumption
from kingdom.games.realm.state import Building, Kingdom, Modifier, Rubble, Settlement, World, replace, with_kingdoms
from kingdom.games.realm.steps.income import taxes_of
from kingdom.games.realm.steps.towns.buildings import price_of
from tests.games.realm.kit import load_yaml, rules_of, run, world_of

EXAMPLES = load_yaml((Path(__file__).parent / "worked_examples.yaml").read_text(encoding="utf-8"))
RULES = rules_of()
WIDE = "\n".join("p" * 14 for _ in range(14))


def examples(section: str) -> Any:
    return pytest.mark.parametrize("given", [pytest.param(each, id=str(each["id"])) for each in EXAMPLES[section]])


def land(size: int, column: int = 1) -> dict[str, list[str]]:
    """So many hexes in columns of 14, side by side."""
    return {f"{column + number // 14:02d}{1 + number % 14:02d}": [] for number in range(size)}


def realm(kingdoms: Mapping[str, Any], map: Mapping[str, Any] | None = None) -> World:
    return world_of(kingdoms, {"grid": WIDE, **(map or {})})


def at(world: World, seat: str = "examplia", rules: Any = RULES, without_edicts: bool = False, **numbers: int) -> World:
    """The world with these numbers on the seat's sheet, made so by lasting modifiers.

    without_edicts: what the edict levels add or take comes on top of them.
    """
    kingdom = world.kingdoms[seat]
    now = {**accounts(kingdom, world.hexes, rules), "consumption": raw_consumption(kingdom, world.hexes, rules)}
    for account, by, _ in edict_levels(kingdom, rules) if without_edicts else ():
        now[account] -= by
    more = {name: number - now[name] for name, number in numbers.items() if name in DERIVED}
    modifiers = tuple(Modifier(name, by, "set", "as the example has it", True) for name, by in more.items() if by)
    rest = {name: number for name, number in numbers.items() if name not in DERIVED}
    return with_kingdoms(world, {seat: replace(kingdom, modifiers=modifiers, **rest)})


def with_dc(dc: int, size: int = 1, districts: int = 1) -> Any:
    """The rules with that Control DC for a kingdom of that size."""
    return rules_of({"control_dc": {"base": dc - size - districts}})


@examples("send_aid")
def test_send_aid(given: dict[str, Any]) -> None:
    """The text's example: cost 5, 16 + 18 - 1 = 33 against 30, +2 to Stability in the next turn."""
    world = realm(
        {"notsoevil": {"hexes": land(given["sender_size"])}, "examplia": {"hexes": land(given["recipient_size"], 3)}}
    )
    world = at(world, "notsoevil", opulence=given["opulence"])
    orders = {"notsoevil": {"special": [{"edict": "aid", "to": "examplia", "attribute": "stability"}]}}
    result = run(world, orders, dice={"notsoevil": {"aid-examplia": given["d20"]}}, steps=["start", "special_edicts"])
    check = next(notice.facts for notice in result.notices if notice.kind == "check")
    assert (check["total"], check["dc"], check["success"]) == (given["total"], given["dc"], True)
    assert [(entry.account, entry.delta) for entry in result.entries] == [("treasury", -given["cost"])]
    after = run(result.after, {}, steps=["start"])
    assert [(entry.account, entry.delta) for entry in after.entries] == [("stability", given["bonus"])]


@examples("improvement_limits")
def test_improvement_limits(given: dict[str, Any]) -> None:
    row = limits(Kingdom("Examplia", edict_size=given["size"]), RULES)
    assert {name: getattr(row, name) for name in ("settlements", "buildings", "terrain", "claims")} == {
        name: given[name] for name in ("settlements", "buildings", "terrain", "claims")
    }


@examples("full_turn")
def test_full_turn(given: dict[str, Any]) -> None:
    """A farm on plains, work week long, no promotion, heavy taxes."""
    start = given["start"]
    rules = rules_of({
        "leadership_default": {"bonus": 0},
        "control_dc": {"base": given["control_dc"] - start["size"] - start["districts"]},
    })  # fmt: skip
    kingdom = {
        "hexes": land(start["size"]),
        "settlements": {"Oakhold": {"hex": "0101", "districts": start["districts"]}},
    }
    world = realm({"examplia": kingdom}, {"hexes": {"0102": {"terrain": "plains", "features": ["lake"]}}})
    numbers = {name: value for name, value in start.items() if name not in ("size", "districts")}
    world = at(world, rules=rules, without_edicts=True, **numbers)
    orders = {
        "improve": [{"hex": "0102", "build": "farm"}],
        "edicts": {"holiday": "long", "promotion": "none", "taxation": "heavy"},
    }
    result = run(world, {"examplia": orders}, rules, {"examplia": given["rolls"]})
    kingdom = result.after.kingdoms["examplia"]
    assert control_dc(kingdom, rules) == given["control_dc"]
    assert {name: accounts(kingdom, result.after.hexes, rules)[name] for name in given["end"]} == given["end"]


@examples("income")
def test_income(given: dict[str, Any]) -> None:
    """A total that is not broken down is made of a die of 10 and the rest."""
    die, unrest = given.get("d20", 10), given.get("unrest", 0)
    economy = given.get("economy", given.get("total", 0) - die)
    hexes = {"0404": [], **({"0405": ["mine"]} if "mines" in given else {})}
    rules = with_dc(given.get("dc", 2), size=len(hexes))
    world = realm({"examplia": {"hexes": hexes}}, {"hexes": {"0405": {"terrain": "hills"}}})
    world = at(world, rules=rules, economy=economy, unrest=unrest, treasury=0)
    orders = {"edicts": {"taxation": given.get("taxation", "minimalist")}}
    result = run(world, {"examplia": orders}, rules, {"examplia": {"economy": die}}, steps=["edict_levels", "taxes"])
    assert result.after.kingdoms["examplia"].treasury == given["bp"]


def test_taxes_of_a_check_is_its_total_by_three() -> None:
    """By the formula alone, for every total that the examples name."""
    from kingdom.games.realm.steps.shared import Check

    for given in EXAMPLES["income"]:
        if "total" in given and given["bp"]:
            check = Check("economy", "economy", 10, 0, 0, 0, given["total"], 0, True, 0)
            assert taxes_of(check, RULES) == given["bp"] - given.get("mines", 0)


@examples("stability")
def test_stability(given: dict[str, Any]) -> None:
    """The Stability check and then Consumption: a BP of a stable kingdom comes before it pays."""
    rules = with_dc(given["dc"])
    world = at(
        realm({"examplia": {"hexes": {"0404": []}}}), rules=rules, stability=given["stability"], unrest=given["unrest"],
        treasury=given["treasury"], consumption=given["consumption"],
    )  # fmt: skip
    dice = {
        "stability": given["d20"],
        **({"stability_failure": given["failure_die"]} if "failure_die" in given else {}),
    }
    kingdom = run(world, {}, rules, {"examplia": dice}, steps=["stability_check", "pay_consumption"]).after.kingdoms[
        "examplia"
    ]
    assert (kingdom.unrest, kingdom.treasury) == (given["unrest_after"], given["treasury_after"])


@examples("half_price")
def test_half_price(given: dict[str, Any]) -> None:
    kinds = [kind for kind in given if kind != "id"]
    granters = {kind: next(name for name, each in RULES.buildings.items() if kind in each.halves) for kind in kinds}
    settlements = {kind: Settlement("0404", buildings=(Building(granters[kind], "A1"),)) for kind in kinds}
    assert {kind: price_of(settlements[kind], kind, RULES).bp for kind in kinds} == {
        kind: given[kind] for kind in kinds
    }


@examples("full_price")
def test_full_price(given: dict[str, Any]) -> None:
    world = realm(
        {"examplia": {"hexes": {"0404": [], "0405": []}}},
        {"hexes": {"0405": {"terrain": "hills", "features": ["lake"]}}},
    )
    orders = {"improve": [{"hex": "0405", "build": "farm"}], "build": [{"in": "Oakhold", "build": "shrine"}]}
    result = run(world, {"examplia": orders}, steps=["terrain_improvements", "build"])
    paid = [-entry.delta for entry in result.entries if entry.account == "treasury"]
    assert paid == [given["farm_hills"], given["shrine"]]


@examples("shopping")
def test_shopping(given: dict[str, Any]) -> None:
    hexes = {"0405": {"terrain": "hills", "features": ["lake"]}, "0406": {"terrain": "plains"}}
    world = realm({"examplia": {"hexes": {"0404": [], "0405": []}, "treasury": given["treasury"]}}, {"hexes": hexes})
    orders = {
        "claim": ["0406"],
        "improve": [{"hex": "0405", "build": "farm"}, {"hex": "0405", "build": "road"}],
        "build": [{"in": "Oakhold", "build": "granary"}],
    }
    result = run(world, {"examplia": orders}, until="edict")
    paid = [-entry.delta for entry in result.entries if entry.account == "treasury"]
    assert paid == [given["claim"], given["farm_hills"], given["road_hills"], given["granary"]]
    assert result.after.kingdoms["examplia"].treasury == given["treasury_after"]


@examples("rebuilding")
def test_rebuilding(given: dict[str, Any]) -> None:
    """A quarter of the old price, split evenly over what is built on its two lots."""
    settlement = Settlement("0404", rubble=(Rubble(given["old"], "A1"), Rubble(given["old"], "B1")))
    for kind, lot in zip(given["new"], ("A1", "B1"), strict=False):
        price = price_of(settlement, kind, RULES, [lot])
        assert RULES.buildings[kind].cost - price.bp == given["discount_each"]


@examples("consumption")
def test_consumption(given: dict[str, Any]) -> None:
    places = dict(
        zip(
            ("Oakhold", "Newford", "Millford"), zip(land(given["size"]), given["districts"], strict=False), strict=False
        )
    )
    settlements = {name: {"hex": hex, "districts": districts} for name, (hex, districts) in places.items()}
    world = realm({"examplia": {"hexes": land(given["size"]), "settlements": settlements}})
    assert raw_consumption(world.kingdoms["examplia"], world.hexes, RULES) == given["before_reductions"]


@pytest.mark.parametrize("given", EXAMPLES["leadership_bonus"], ids=lambda given: f"size {given['size']}")
def test_leadership_bonus(given: dict[str, Any]) -> None:
    assert leadership_bonus(given["size"], RULES) == (given["attributes"], given["bonus"])


@pytest.mark.parametrize("given", EXAMPLES["leadership_bonus"], ids=lambda given: f"size {given['size']}")
def test_leadership_bonus_in_a_turn(given: dict[str, Any]) -> None:
    """All three named: those to whom the size gives the bonus have it, the others not."""
    world = realm({"examplia": {"hexes": land(given["size"])}})
    orders = {"leadership": ["stability", "loyalty", "economy"]}
    result = run(world, {"examplia": orders}, steps=["leadership_bonus"])
    numbers = accounts(result.after.kingdoms["examplia"], result.after.hexes, RULES)
    bonus = [numbers["stability"] + 1, numbers["loyalty"], numbers["economy"]]  # promotion none takes 1 off Stability
    assert bonus == [given["bonus"]] * given["attributes"] + [0] * (3 - given["attributes"])


@examples("anarchy")
def test_anarchy(given: dict[str, Any]) -> None:
    world = at(realm({"examplia": {"hexes": land(given["size"])}}), unrest=20, anarchy=1)
    result = run(world, {})
    kingdom = result.after.kingdoms["examplia"]
    assert (len(kingdom.hexes), kingdom.unrest) == (given["size_after"], given["unrest_after"])
    assert sum(entry.account == "size" for entry in result.entries) == given["lost"]
