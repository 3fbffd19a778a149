"""Every row of every table and every ruling against a listing of the printed figures (figures.yaml); what reads them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kingdom.engine.problems import Faults
from kingdom.games.realm.game import GAME
from kingdom.games.realm.rules import building_tables, kingdom_tables, land_tables, rules, types
from kingdom.orders import tables, yaml_text
from tests.games.realm.kit import load_yaml

REALM = Path(rules.__file__).parent.parent
PRINTED = load_yaml((Path(__file__).parent / "figures.yaml").read_text())
LOADED = tables.load(GAME)
OURS = ("name", "text")  # titles and sentences, which are not printed figures
INLINE = ("kingdom", "settlement", "not_played")  # groups that the listing does not keep apart
KEYED = (
    "buildings", "terrain", "features", "improvements", "alignments", "governments",
    "units", "army_sizes", "army_resources", "strategies", "tactics", "boons", "army_specials",
)  # fmt: skip


def figures(table: str, row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table in the form of the listing."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if key in INLINE and table != "features":
            flat.update(value)
        elif key == "effects":
            flat[key] = [effect for effect in value if effect["code"] != "not_played"]
        elif key not in OURS:
            flat[key] = value
    return {key: value for key, value in flat.items() if value != []}


@pytest.mark.parametrize("table", KEYED)
def test_each_row_has_the_printed_figures_and_no_others(table: str) -> None:
    found = {row: figures(table, LOADED.data[table][row]) for row in PRINTED[table]}
    assert {row: each for row, each in found.items() if each != PRINTED[table][row]} == {}


@pytest.mark.parametrize("table", KEYED)
def test_no_row_is_missing_and_none_is_extra(table: str) -> None:
    assert set(LOADED.data[table]) == set(PRINTED[table])


@pytest.mark.parametrize("category", ["holiday", "promotion", "taxation"])
def test_the_levels_of_an_edict_stand_from_the_lowest(category: str) -> None:
    assert list(LOADED.data["edicts"][category].items()) == list(PRINTED["edicts"][category].items())


def test_the_improvement_table() -> None:
    assert [list(msgspec.structs.astuple(row)) for row in LOADED.rules.improvement_limits] == PRINTED[
        "improvement_limits"
    ]


def test_each_ruling_has_its_figures_and_a_sentence() -> None:
    assert [name for name in PRINTED["rulings"] if not LOADED.data[name]["text"].endswith(".")] == []
    assert {
        name: {key: value for key, value in LOADED.data[name].items() if key != "text"} for name in PRINTED["rulings"]
    } == PRINTED["rulings"]


def test_every_table_and_ruling_of_the_vocabulary_is_listed() -> None:
    listed = {
        *KEYED,
        "edicts",
        "improvement_limits",
        *PRINTED["rulings"],
        "event_kinds",
        "event_tables",
    }  # test_event_tables.py
    assert {field.name for field in msgspec.structs.fields(rules.Rules)} == listed


def test_the_order_in_the_file_counts_for_nothing_but_rows() -> None:
    assert list(LOADED.data) == [field.name for field in msgspec.structs.fields(rules.Rules)]


# --- names -----------------------------------------------------------------------------------------------------------


def test_what_can_be_upgraded_has_more_room_or_as_much() -> None:
    buildings = LOADED.rules.buildings
    for name, kind in buildings.items():
        for better in kind.upgrades_to:
            assert buildings[better].lots >= kind.lots, f"{name} to {better}"


WRONG = {
    "buildings: {inn: {halves: [hause]}}": (
        "1:28: `hause` is unknown here (halves of buildings.inn). Did you mean `house`?"
    ),
    "improvements: {fort: {becomes: [barrack]}}": (
        "1:33: `barrack` is unknown here (becomes of improvements.fort). Did you mean `barracks`?"
    ),
    "improvements: {mine: {ground: [hill]}}": (
        "1:32: `hill` is unknown here (ground of improvements.mine). Did you mean `hills`?"
    ),
    "improvements: {farm: {own_water: {desrt: [river]}}}": (
        "1:35: `desrt` is unknown here (own_water of improvements.farm). Did you mean `desert`?"
    ),
    "improvements: {farm: {own_water: {desert: [rivr]}}}": (
        "1:44: `rivr` is unknown here (desert of improvements.farm.own_water). Did you mean `river`?"
    ),
    "improvements: {fort: {upgrade_of: watchtover}}": (
        "1:35: `watchtover` is unknown here (upgrade_of of improvements.fort). Did you mean `watchtower`?"
    ),
    "governments: {republic: {starting_building: taven}}": (
        "1:45: `taven` is unknown here (starting_building of governments.republic). Did you mean `tavern`?"
    ),
    "building_price: {exempt_from_crowding: [prak]}": (
        "1:41: `prak` is unknown here (exempt_from_crowding of building_price). Did you mean `park`?"
    ),
    "buildings: {waterway: {effects: [{code: counts_as, building: water_boarder}]}}": (
        "1:62: `water_boarder` is unknown here (building of buildings.waterway.effects). Did you mean `water_border`?"
    ),
    "terrain: {hills: {letter: p}}": "1:27: `p` is the letter of plains already. Each row of terrain needs its own.",
    "terrain: {hills: {letter: .}}": "1:27: `.` will not do (letter of terrain.hills). Write it like `h`.",
    "improvements: {mine: {cost: null}}": (
        "1:22: This can't be so (improvements.mine): its price is missing: write `cost` or `cost_of`."
    ),
    "buildings: {inn: {lots: 0}}": (
        "1:18: This can't be so (buildings.inn): `lots` must be 0 where `place` is not `lot`, and 1, 2 or 4 "
        "where it is."
    ),
    "improvement_limits: [{size: 5, settlements: 1, buildings: 1, terrain: 1, claims: 1}]": (
        "1:1: This can't be so (rules): the sizes of `improvement_limits` must grow from row to row, and the "
        "last must be null (any)."
    ),
    "event_tables: {dangerous_kingdm: [{upto: 100, event: plague}]}": (
        "1:16: `dangerous_kingdm` is unknown here (event_tables). Did you mean `dangerous_kingdom`?"
    ),
    "event_tables: {event_type: [{upto: 60, event: plague}, {upto: 60, event: feud}, {upto: 100, table: dangerous_kingdom}]}": (
        "1:1: This can't be so (rules): `upto` must grow from row to row in event_type of `event_tables`, and the last "
        "be 100."
    ),
    "event_tables: {dangerous_kingdom: []}": (
        "1:1: This can't be so (rules): `upto` must grow from row to row in dangerous_kingdom of `event_tables`, and the "
        "last be 100."
    ),
    "events: {chance: {normal: 101}}": "1:27: 101 is out of range (normal of events.chance): 0 to 100 are allowed.",
    "edicts: {holiday: {log: {loyalty: 2}}}": "1:20: `log` is not in edicts.holiday. Did you mean `long`?",
}


@pytest.mark.parametrize("overrides", WRONG)
def test_a_campaign_is_told_what_is_wrong_in(overrides: str) -> None:
    node, _ = yaml_text.read(overrides.encode(), "campaign.yaml")
    with pytest.raises(Faults) as raised:
        tables.load(GAME, node)
    assert [str(problem) for problem in raised.value.problems] == [f"campaign.yaml:{WRONG[overrides]}"]


def test_the_overrides_and_house_content_of_the_contract() -> None:
    text = """
    control_dc: {base: 10}
    events: {chance: {normal: 25, after_quiet_turn: 75}}
    add: {buildings: {hanging_garden: {cost: 12, lots: 1, kingdom: {loyalty: 2}, text: "Ours alone."}}}
    """
    node, problems = yaml_text.read(text.encode(), "campaign.yaml")
    assert not problems
    changed = tables.load(GAME, node)
    assert changed.changed == (
        "events.chance.normal",
        "events.chance.after_quiet_turn",
        "buildings.hanging_garden",
    )  # the other is the figure that holds anyway
    garden = changed.rules.buildings["hanging_garden"]
    assert (garden.name, garden.cost, garden.kingdom.loyalty) == ("Hanging Garden", 12, 2)
    again = tables.kept(GAME, tables.dump(changed))
    assert (again.rules, again.digest) == (changed.rules, changed.digest)


# --- use -------------------------------------------------------------------------------------------------------------

LATER = {"NotPlayed"}
LATER_FIGURES = {"Terrain": {"movement"}, "Improvement": {"defense"}, "BuildingKind": {"defense"}}  # armies, sight
COLUMNS = {f"{column}_cost" for column in ("preparation", "farm", "road")}  # which `cost_of` of an improvement names
UNPLAYED = {"not_played", "text"}
BY_NAME = {"Modifiers": types.ATTRIBUTES, "SettlementModifiers": types.SECONDARY}  # read by the names in these
DECLARED = {**vars(types), **vars(land_tables), **vars(building_tables), **vars(kingdom_tables), **vars(rules)}
RECORDS = [each for each in DECLARED.values() if isinstance(each, type) and issubclass(each, types.Table)]


@cache
def engine() -> str:
    """The program text of the realm, but for the vocabulary itself."""
    return "\n".join(path.read_text() for path in sorted(REALM.rglob("*.py")) if path.parent.name != "rules")


def test_every_effect_code_has_code_that_does_it() -> None:
    unread = {
        case.__name__ for case in building_tables.Effect.__args__ if not re.search(rf"\b{case.__name__}\b", engine())
    }
    assert unread == LATER


def test_every_figure_is_read() -> None:
    kinds = [kind for kind in RECORDS if kind.__name__ not in {*LATER, *BY_NAME}]
    assert kinds and {kind.__name__: sorted(unread) for kind in kinds if (unread := unread_figures(kind))} == {}


def unread_figures(kind: type) -> set[str]:
    """The figures of a kind of row that the engine never asks for."""
    names = {field.name for field in msgspec.structs.fields(kind)}
    return names - read_in_engine() - UNPLAYED - COLUMNS - LATER_FIGURES.get(kind.__name__, set())


@cache
def read_in_engine() -> set[str]:
    """Each word that stands behind a dot or in quotes."""
    return {word for found in re.findall(r"\.(\w+)\b|\"(\w+)\"", engine()) for word in found}


@pytest.mark.parametrize("kind", BY_NAME)
def test_every_modifier_is_of_an_attribute(kind: str) -> None:
    assert {field.name for field in msgspec.structs.fields(getattr(types, kind))} == set(BY_NAME[kind])


def test_every_ruling_with_figures_is_read() -> None:
    read = set(re.findall(r"\brules\.(\w+)\b", engine()))
    assert {name for name, figures in PRINTED["rulings"].items() if figures} <= read
