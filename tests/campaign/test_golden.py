"""Golden campaigns: each turn that is kept in tests/golden comes out again, byte for byte, with the rules as they are today.

A golden campaign is a campaign's folder: copy one there and its turns are tests. Of a turn its orders are used (of turn 0 the
start), and its state, ledger, dice and notices are compared; reports and rules.yaml may be left out. After a deliberate
change `scripts/regold` rewrites them and prints what changed.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import examples, filings, keeping, next_turn, opening, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.replay import notices_of
from kingdom.cli.main import main
from kingdom.engine import game as games
from kingdom.engine.dice import Dice
from kingdom.engine.step import Result
from kingdom.orders import editions

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parents[1] / "golden"
CAMPAIGNS = [file.parent for file in sorted(GOLDEN.glob("*/campaign.yaml"))]
TURNS = [
    pytest.param(folder, number, id=f"{folder.name}, turn {number}")
    for folder in CAMPAIGNS
    for number in store.numbers(folder / "turns")
]
HINT = "If this change is meant, run scripts/regold, and review the lines that it prints."


def again(campaign: Campaign, number: int) -> Result:
    """The turn, run again from its kept orders, the kept state before it and its tape, with today's rules."""
    folder, today = campaign.turns / store.name_of(number), campaigns.rules_today(campaign)
    record = store.decode_record((folder / store.RECORD).read_bytes(), folder / store.RECORD)
    if not number:
        names = [file.relative_to(folder / opening.KEPT).as_posix() for file in (folder / opening.KEPT).rglob("*.yaml")]
        files = {name: (folder / opening.KEPT / name).read_bytes() for name in sorted(names)}
        given = opening.setup(files, folder / opening.KEPT, campaign.game, today.rules, record.seats)
        return opening.opened(campaign.game, given, today.rules, Dice(campaign.settings.seed, 0, record.attempt))
    orders = filings.files_in(folder / "orders", record.seats)
    found = filings.read(orders, folder / "orders", campaign.game, today.rules, record.seats, number)
    tape = campaigns.tape_of(campaigns.decode_rolls((folder / "dice.csv").read_bytes(), folder / "dice.csv"))
    dice = Dice(campaign.settings.seed, number, record.attempt, tape)
    before = campaign.turns / store.name_of(number - 1) / "state.json"
    state = campaigns.decode_state(campaign.game, before.read_bytes(), before)
    return next_turn.resolved(campaign.game, state, found, dice, today, today, record, record.seats)


def difference(folder: Path, number: int) -> str:
    """Where the turn comes out otherwise: the first file, and in it the first line, that is not as it is kept. "": nowhere."""
    campaign = campaigns.open_campaign(folder)
    turn = campaign.turns / store.name_of(number)
    result = again(campaign, number)
    made = {name: data.decode().splitlines() for name, data in keeping.data_of(result).items()}
    kept = {name: (turn / name).read_text(encoding="utf-8").splitlines() for name in made}
    made["notices"] = [json.dumps(notice) for notice in notices_of(result)]
    kept["notices"] = [json.dumps(notice) for notice in json.loads((turn / store.RECORD).read_bytes())["notices"]]
    for name in ("dice.csv", "ledger.csv", "notices", "state.json"):
        for line in range(max(len(kept[name]), len(made[name]))):
            old, new = (lines[line] if line < len(lines) else "nothing" for lines in (kept[name], made[name]))
            if old != new:
                where = f"notice {line + 1} of turn.json" if name == "notices" else f"line {line + 1} of {name}"
                return f"{folder.name}, turn {number}, {where}:\n  kept: {old}\n  now:  {new}\n{HINT}"
    return ""


@pytest.mark.parametrize(("folder", "number"), TURNS)
def test_a_golden_turn_comes_out_as_it_is_kept(folder: Path, number: int) -> None:
    found = difference(folder, number)
    if found:
        pytest.fail(found, pytrace=False)


@pytest.mark.parametrize("folder", CAMPAIGNS, ids=lambda folder: folder.name)
def test_the_orders_of_a_golden_campaign_are_those_of_its_turns(folder: Path) -> None:
    """Orders were edited, or filed for another turn: scripts/regold has it played."""
    numbers = store.numbers(folder / "turns")
    assert numbers == list(range(len(numbers))) and len(numbers) > 1
    for number in numbers[1:]:
        filed = folder / "orders" / store.name_of(number)
        used = folder / "turns" / store.name_of(number) / "orders"
        for file in filed.glob("*.yaml"):
            assert file.read_bytes() == (used / file.name).read_bytes(), f"{file} was edited. {HINT}"


# --- the test itself, and scripts/regold -----------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the golden campaign `unrest` to spoil."""
    return Path(shutil.copytree(GOLDEN / "unrest", tmp_path / "golden" / "unrest"))


@pytest.fixture
def regold() -> ModuleType:
    spec = importlib.util.spec_from_file_location("regold", ROOT / "scripts/regold.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_changed_rule_names_turn_file_and_first_line_that_differs(copy: Path) -> None:
    edit(copy / "campaign.yaml", "rules:\n", "rules:\n  abandon: {unrest: 2}\n")
    assert difference(copy, 0) == ""
    assert difference(copy, 1) == (
        "unrest, turn 1, line 2 of ledger.csv:\n"
        "  kept: 1,1,edict,abandon_hexes,cinderford,unrest,1,1,abandon,0703\n"
        "  now:  1,1,edict,abandon_hexes,cinderford,unrest,2,2,abandon,0703\n"
        "If this change is meant, run scripts/regold, and review the lines that it prints."
    )
    assert difference(copy, 2) == "", "each turn is run from the kept one before it"


@pytest.mark.parametrize(
    ("file", "old", "new", "where"),
    [
        ("dice.csv", ",brakewater,economy,1,20,13,", ",brakewater,economy,1,20,14,", "line 2 of dice.csv"),
        ("state.json", '"treasury": 15', '"treasury": 16', "of state.json"),
        ("turn.json", "Unrest is 10", "Unrest is 11", "notice 4 of turn.json"),
    ],
)
def test_whatever_is_other_than_it_is_kept_is_found(copy: Path, file: str, old: str, new: str, where: str) -> None:
    edit(copy / "turns/0001" / file, old, new)
    assert difference(copy, 1).startswith("unrest, turn 1, ") and where in difference(copy, 1)


def test_a_real_campaign_becomes_golden_by_copying_it(tmp_path: Path, regold: ModuleType) -> None:
    folder = tmp_path / "real"
    assert main(["new", str(folder), "--kingdoms", "2"]) == 0
    assert main(["turn", str(folder)]) == 0
    assert main(["turn", str(folder)]) == 0
    golden = Path(shutil.copytree(folder, tmp_path / "golden" / "real"))
    assert [difference(golden, number) for number in (0, 1)] == ["", ""]
    assert regold.regold(golden) == [f"{golden}: every turn comes out as it is kept."]
    assert not (golden / "turns/0001/reports").exists() and not (golden / "turns/0001/rules.yaml").exists()
    assert [difference(golden, number) for number in (0, 1)] == ["", ""]


@pytest.mark.long
def test_regold_prints_the_entries_that_went_and_came_and_the_turns_are_golden_again(
    copy: Path, regold: ModuleType
) -> None:
    edit(copy / "campaign.yaml", "rules:\n", "rules:\n  abandon: {unrest: 2}\n")
    before = contents(copy)
    lines = regold.regold(copy, check=True)
    assert contents(copy) == before, "--check writes nothing"
    assert lines[:3] == [
        f"{copy}, turn 1:",
        "  ledger.csv: - edict, abandon_hexes, cinderford, unrest, 1, 1, abandon, 0703",
        "  ledger.csv: + edict, abandon_hexes, cinderford, unrest, 2, 2, abandon, 0703",
    ]
    assert regold.regold(copy) == lines
    assert [difference(copy, number) for number in range(6)] == [""] * 6
    assert regold.regold(copy) == [f"{copy}: every turn comes out as it is kept."]


def test_regold_plays_a_turn_that_was_added_and_orders_that_were_edited(copy: Path, regold: ModuleType) -> None:
    orders = copy / "orders/0006/cinderford.yaml"
    orders.parent.mkdir()
    orders.write_text("kingdom: cinderford\nturn: 6\nclaim: 0802\n", encoding="utf-8")
    edit(copy / "orders/0005/brakewater.yaml", "taxation: minimalist", "taxation: light")
    lines = regold.regold(copy)
    assert lines[0] == f"{copy}, turn 5:" and lines[-1] == f"{copy}, turn 6: new"
    assert "taxation light instead of heavy" in "".join(lines)
    assert (copy / "turns/0006/ledger.csv").exists()
    assert (copy / "turns/0005/orders/brakewater.yaml").read_bytes() == (
        copy / "orders/0005/brakewater.yaml"
    ).read_bytes()


def test_regold_keeps_rolls_made_by_hand(tmp_path: Path, regold: ModuleType) -> None:
    folder = tmp_path / "golden" / "taped"
    shutil.copytree(GOLDEN / "unrest", folder, ignore=shutil.ignore_patterns("turns", "000[2-9]"))
    (tmp_path / "tape.yaml").write_text("brakewater: {stability: 20}\n", encoding="utf-8")
    assert main(["turn", str(folder), "--dice", str(tmp_path / "tape.yaml")]) == 0
    assert regold.regold(folder) == [f"{folder}: every turn comes out as it is kept."]
    assert ",brakewater,stability,1,20,20,tape" in (folder / "turns/0001/dice.csv").read_text()
    assert difference(folder, 1) == ""


def test_regold_makes_another_campaign_whole(tmp_path: Path, regold: ModuleType) -> None:
    folder = Path(shutil.copytree(GOLDEN / "first_steps", tmp_path / "valley", ignore=shutil.ignore_patterns("turns")))
    for _ in range(2):  # turns 0 and 1, and turn 2
        assert main(["turn", str(folder)]) == 0
    before = contents(folder)
    assert regold.regold(folder) == [f"{folder}: every turn comes out as it is kept."]
    assert contents(folder).keys() == before.keys(), "orders for the next turn are there, and it is not played"
    edit(folder / "orders/0002/oakmark.yaml", "farm 0302", "road 0302")
    lines = regold.regold(folder)
    assert any("road in 0302" in line for line in lines)
    assert lines[-1].endswith("other files are written anew, such as 0002/orders/oakmark.yaml")
    assert main(["audit", str(folder)]) == 0


def test_regold_makes_a_campaign_in_an_archive_whole_and_packs_it_the_same_each_time(
    tmp_path: Path, regold: ModuleType
) -> None:
    folder = Path(shutil.copytree(GOLDEN / "first_steps", tmp_path / "valley", ignore=shutil.ignore_patterns("turns")))
    assert main(["turn", str(folder)]) == 0
    archive = tmp_path / "packed" / "valley.tar.xz"
    archive.parent.mkdir()
    regold.pack(folder, archive)
    before, packed = contents(folder), archive.read_bytes()
    assert examples.unpacked(archive) == {name: data for name, data in before.items() if not name.startswith(".")}
    assert regold.regold(archive) == [f"{archive}: every turn comes out as it is kept."]
    assert archive.read_bytes() == packed, "whoever packs it, and whenever"
    edit(folder / "orders/0001/oakmark.yaml", "claim:", "claim: 0303 #")
    regold.pack(folder, archive)
    lines = regold.regold(archive, check=True)
    assert lines == regold.regold(archive) and lines[0] == f"{archive}, turn 1:"
    assert regold.regold(archive) == [f"{archive}: every turn comes out as it is kept."]


def test_regold_never_touches_what_a_release_wrote(tmp_path: Path, regold: ModuleType, capsys) -> None:
    folder = Path(shutil.copytree(GOLDEN / "first_steps", tmp_path / "tests/kept/0.1.0/first_steps"))
    before = contents(folder)
    assert regold.main([str(folder)]) == 1
    assert "it is never rewritten" in capsys.readouterr().err
    assert contents(folder) == before


def test_regold_says_what_keeps_a_campaign_from_being_played(copy: Path, regold: ModuleType, capsys) -> None:
    edit(copy / "orders/0002/cinderford.yaml", "build:", "biuld:")
    before = contents(copy)
    assert regold.main([str(copy)]) == 1
    assert capsys.readouterr().err.startswith(f"{copy}/orders/0002/cinderford.yaml:3:1: `biuld` is not a key here.")
    assert contents(copy) == before


def test_each_edition_of_the_rules_has_a_golden_campaign_that_names_it() -> None:
    named = {folder.name: (folder / "campaign.yaml").read_text(encoding="utf-8") for folder in CAMPAIGNS}
    for number in range(1, editions.newest(games.load("realm")) + 1):
        assert any(f"\nedition: {number}\n" in text for text in named.values()), number
