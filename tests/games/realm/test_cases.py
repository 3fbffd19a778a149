"""Runs the case files under cases/; their form is in cases/README.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kingdom.engine.problems import Faults
from kingdom.games.realm.state import owners
from kingdom.games.realm.visibility.known import known
from kingdom.games.realm.visibility.sight import levels
from tests.games.realm.kit import load_yaml, merged, orders_of, rules_of, run, world_of
from tests.kit.rows import each_row

CASES = Path(__file__).parent / "cases"
FILES = sorted(CASES.glob("*.yaml"))
WORLD = {"map", "kingdoms", "rules", "turn", "state"}
TURN = {"orders", "dice", "steps", "until"}
OUTCOME = {
    "expect", "change", "ledger", "not_in_ledger", "refused", "checks", "notices", "not_in_notices", "rolls", "not_rolled", "hexes",
    "buildings", "problem", "levels", "known",
}  # fmt: skip
HEAD = {"rule", "says", "cases"}


def cases_of(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each case of a file with its name, and with what the file says for all of them."""
    whole = load_yaml(file.read_text(encoding="utf-8"))
    common = {key: value for key, value in whole.items() if key not in HEAD}
    for name, case in whole.get("cases", {"": {}}).items():
        yield f"{file.stem}: {name}" if name else file.stem, merged(common, case or {})


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_case_file_says_its_rule(file: Path) -> None:
    whole = load_yaml(file.read_text(encoding="utf-8"))
    assert whole.get("rule") and whole.get("says")
    assert set(whole) <= HEAD | WORLD | TURN | OUTCOME | {"turns"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_a_case_file_expects_comes_out(file: Path) -> None:
    each_row((name, partial(play, case)) for name, case in cases_of(file))


def play(case: dict[str, Any]) -> None:
    """Run the turns of a case, and hold what they came to against what it expects."""
    assert set(case) <= WORLD | TURN | OUTCOME | {"turns"}, f"unknown keys {sorted(set(case) - WORLD - TURN - OUTCOME)}"
    turns = case.get("turns", [case])
    assert any(OUTCOME & set(each) for each in turns), "the case expects nothing"
    rules = rules_of(case.get("rules"))
    if "problem" in case:
        with pytest.raises(Faults) as caught:
            orders_of(case.get("orders"), _world(case, rules), rules)
        assert case["problem"] in str(caught.value)
        return
    world = _world(case, rules)
    for each in turns:
        assert set(each) <= WORLD | TURN | OUTCOME, f"unknown keys {sorted(set(each) - TURN - OUTCOME)}"
        kept = msgspec.json.encode(world)
        orders = orders_of(each.get("orders"), world, rules)
        steps, until = each.get("steps", case.get("steps")), each.get("until", case.get("until", ""))
        result = run(world, orders, rules, each.get("dice"), steps, until)
        assert msgspec.json.encode(world) == kept, "a step changed its input"
        check(each, result, rules)
        world = result.after


def _world(case: Mapping[str, Any], rules: Any) -> Any:
    return world_of(case.get("kingdoms"), case.get("map"), rules, case.get("state"), case.get("turn", 1))


def check(wanted: Mapping[str, Any], result: Any, rules: Any) -> None:
    """Compare what a turn came to with what the case expects of it."""
    for seat, values in wanted.get("expect", {}).items():
        assert_part(values, sheet_of(result.after, seat, rules), seat)
    for seat, values in wanted.get("change", {}).items():
        before, after = sheet_of(result.before, seat, rules), sheet_of(result.after, seat, rules)
        assert {key: after[key] - before[key] for key in values} == values, f"change of {seat}"
    entries = [entry._asdict() for entry in result.entries]
    assert_in_order(wanted.get("ledger", []), entries, "ledger")
    for entry in wanted.get("not_in_ledger", []):
        assert not [found for found in entries if matches(entry, found)], f"the ledger has {entry}"
    assert_refused(wanted.get("refused", {}), result)
    notices = [{"kind": notice.kind, "kingdom": notice.seat, **notice.facts} for notice in result.notices]
    assert_in_order([{"kind": "check", **each} for each in wanted.get("checks", [])], notices, "checks")
    assert_in_order(wanted.get("notices", []), notices, "notices")
    for notice in wanted.get("not_in_notices", []):
        assert not [found for found in notices if matches(notice, found)], f"{notice} is told"
    assert_in_order(wanted.get("rolls", []), [roll._asdict() for roll in result.rolls], "rolls")
    for name in wanted.get("not_rolled", []):
        assert name not in [roll.name for roll in result.rolls], f"{name} was rolled"
    for label, values in wanted.get("hexes", {}).items():
        assert_part(values, full(result.after.hexes[label]), label)
    for seat, labels in wanted.get("levels", {}).items():
        found = levels(result.after, seat, rules)
        assert {label: found.get(label) for label in labels} == labels, f"levels of {seat}: {found}"
    for seat, labels in wanted.get("known", {}).items():
        world = known(result.after, seat, rules)
        for label, values in labels.items():
            assert_part(values, known_hex(label, world, seat), f"{label} as {seat} knows it")
    kingdoms = result.after.kingdoms.values()
    settlements = {name: each for kingdom in kingdoms for name, each in kingdom.settlements.items()}
    for name, buildings in wanted.get("buildings", {}).items():
        assert [f"{building.id} {building.lot}" for building in settlements[name].buildings] == buildings, name


def sheet_of(world: Any, seat: str, rules: Any) -> dict[str, Any]:
    """The sheet, and beside it every field of the kingdom's record that the sheet does not have."""
    from kingdom.games.realm.report.printed_sheet import sheet

    found = {**full(world.kingdoms[seat]), **sheet(world, seat, rules)}
    for name, army in world.kingdoms[seat].armies.items():
        found["armies"][name]["hex"] = army.hex  # of one that is away with an expedition the sheet does not tell it
    return found


def known_hex(label: str, world: Any, seat: str) -> dict[str, Any] | None:
    """A hex of a known world with its holder and its foreign armies, "KINGDOM: SIZE UNIT"; None where it is not there."""
    if label not in world.hexes:
        return None
    armies = [
        f"{other}: {army.size} {army.unit}"
        for other, kingdom in world.kingdoms.items()
        for army in (kingdom.armies.values() if other != seat else ())
        if army.hex == label
    ]
    return {**full(world.hexes[label]), "holder": owners(world).get(label, ""), "armies": armies}


def full(record: Any) -> dict[str, Any]:
    """The fields of a record as plain data, those at their defaults too."""
    return {name: msgspec.json.decode(msgspec.json.encode(getattr(record, name))) for name in record.__struct_fields__}


def assert_part(wanted: Any, found: Any, where: str) -> None:
    """Of maps only what is named is compared, and null asks that the key is not there."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            if value is None and key not in found:
                continue
            assert key in found, f"{where} has no {key}; it has {sorted(found)}"
            assert_part(value, found[key], f"{where}.{key}")
    else:
        assert found == wanted, where


def matches(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether each named field is equal; a part of a sentence is enough."""
    return all(
        value in found.get(key, "") if key in ("detail", "reason", "text", "why") else found.get(key) == value
        for key, value in wanted.items()
    )


def assert_in_order(wanted: list[Any], found: list[Any], what: str) -> None:
    rest = iter(found)
    for each in wanted:
        assert any(matches(each, other) for other in rest), f"{what}: no {each} (in this place) among\n" + "\n".join(
            map(str, found)
        )


def assert_refused(wanted: Mapping[str, Any], result: Any) -> None:
    """All refusals, and no others: order -> code or part of the sentence; where two kingdoms play, by kingdom."""
    found: dict[str, dict[str, Any]] = {}
    for notice in result.notices:
        if notice.kind == "refusal":
            found.setdefault(notice.seat, {})[notice.facts["order"]] = notice.facts
    if not any(isinstance(value, Mapping) for value in wanted.values()):
        wanted = {next(iter(result.after.kingdoms)): wanted} if wanted else {}
    told = {seat: {order: facts["reason"] for order, facts in orders.items()} for seat, orders in found.items()}
    assert {seat: set(each) for seat, each in wanted.items()} == {seat: set(each) for seat, each in told.items()}
    for seat, orders in wanted.items():
        for order, value in orders.items():
            facts = found[seat][order]
            assert value in (facts["reason"] if " " in value else facts["code"]), told
