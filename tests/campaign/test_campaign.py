"""A campaign's turns, from its files to its files: what is made, what is refused, what nothing is done about."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.tiny_game import contents, file_orders, write

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tiny_game.register()
    return tiny_game.campaign(tmp_path / "tally")


def turn(folder: Path, *words: str) -> int:
    return main(["turn", str(folder), *words])


def record(folder: Path, number: int) -> dict:
    return json.loads((folder / f"turns/{number:04}/turn.json").read_text())


def state(folder: Path, number: int) -> dict:
    return json.loads((folder / f"turns/{number:04}/state.json").read_text())


def ledger(folder: Path, number: int) -> list[str]:
    return (folder / f"turns/{number:04}/ledger.csv").read_text().splitlines()[1:]


# --- turn 0 and the next ones


def test_turn_0_is_the_start_and_its_ledger_holds_the_opening_balances(folder: Path) -> None:
    assert turn(folder) == 0
    assert ledger(folder, 0) == [
        "0,1,gm,opening,ann,coins,3,3,opening,opening of ann",
        "0,2,gm,opening,bob,coins,5,5,opening,opening of bob",
    ]
    assert state(folder, 0)["purses"]["bob"]["coins"] == 5
    assert not (folder / "turns/0001").exists()


def test_where_somebody_has_filed_turn_1_follows_at_once(folder: Path) -> None:
    file_orders(folder, 1, "ann", "take: 2\n")
    assert turn(folder) == 0
    assert ledger(folder, 1)[0] == "1,1,taking,take,ann,coins,2,5,take,2 taken"


def test_a_turn_folder_holds_what_came_in_and_what_came_of_it(folder: Path) -> None:
    tiny_game.played(folder)
    names = {
        path.relative_to(folder / "turns/0001").as_posix()
        for path in (folder / "turns/0001").rglob("*")
        if path.is_file()
    }
    files = {"orders/ann.yaml", "orders/bob.yaml", "rules.yaml", "dice.csv", "ledger.csv", "state.json"}
    assert names == {*files, "turn.json"}
    assert set(record(folder, 1)["files"]) == files
    assert (folder / "turns/0001/orders/ann.yaml").read_bytes() == (folder / "orders/0001/ann.yaml").read_bytes()
    assert (record(folder, 1)["turn"], record(folder, 1)["attempt"], record(folder, 1)["format"]) == (1, 1, 1)
    assert [notice["facts"]["order"] for notice in record(folder, 1)["notices"]] == ["take"]


def test_the_same_files_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    tiny_game.played(folder)
    tiny_game.played(tmp_path / "again")
    assert contents(folder) == contents(tmp_path / "again")


def test_a_dry_run_says_all_and_writes_nothing(folder: Path, capsys) -> None:
    tiny_game.played(folder)
    file_orders(folder, 3, "ann", "take: 2\n")
    before = contents(folder)
    capsys.readouterr()
    assert turn(folder, "--dry-run") == 0
    assert "Turn 3 of A tally is resolved and not kept (--dry-run)." in capsys.readouterr().out
    assert contents(folder) == before


def test_a_dry_run_makes_turn_0_in_mind_only(folder: Path) -> None:
    file_orders(folder, 1, "ann", "take: 2\n")
    assert turn(folder, "--dry-run", "--json") == 0
    assert not (folder / "turns").exists()


def test_json_of_a_turn(folder: Path, capsys) -> None:
    tiny_game.played(folder, turns=0)
    file_orders(folder, 1, "bob", "take: 9\n")
    capsys.readouterr()
    assert turn(folder, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    reason = "9 coins are too many (ruling take); take 5 or fewer."
    assert said["turn"] == 1
    assert said["kingdoms"]["bob"] == {
        "before": {"kingdom": "bob", "turn": 0, "coins": 5, "buried": 0, "rank": 0},
        "after": {"kingdom": "bob", "turn": 1, "coins": 5, "buried": 0, "rank": 0},
        "checks": [],
        "refused": [{"order": "take", "code": "too_greedy", "reason": reason}],
    }


# --- what stops a turn


def test_a_file_with_problems_stops_everything_even_turn_0(folder: Path, capsys) -> None:
    file_orders(folder, 1, "ann", "tke: 2\n")
    file_orders(folder, 1, "bob", "take: many\n")
    before = contents(folder)
    assert turn(folder) == 1
    assert contents(folder) == before
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"{folder}/orders/0001/ann.yaml:3:1: `tke` is not a key here. Did you mean `take`?"
    assert lines[1].startswith(f"{folder}/orders/0001/bob.yaml:3:7: `many` is not a whole number")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "anne.yaml",
            "This is not the name of an orders file here: KINGDOM.yaml or gm.yaml is. Did you mean `ann.yaml`?",
        ),
        ("ann.yml", "Did you mean `ann.yaml`?"),
        ("ann", "Did you mean `ann.yaml`?"),
        ("notes.txt", "KINGDOM.yaml or gm.yaml is."),
    ],
)
def test_orders_under_another_name_are_never_passed_over(folder: Path, capsys, name: str, said: str) -> None:
    write(folder, f"orders/0001/{name}", "kingdom: ann\nturn: 1\n")
    assert turn(folder) == 1
    assert said in capsys.readouterr().err


def test_what_editors_leave_behind_is_no_orders(folder: Path) -> None:
    for name in (".ann.yaml.swp", "ann.yaml~", ".DS_Store"):
        write(folder, f"orders/0001/{name}", "no orders")
    assert turn(folder) == 0


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("campaign.yaml", None, "{folder}: There is no campaign here"),
        (
            "kingdoms/bob.yaml",
            None,
            "{folder}/kingdoms/bob.yaml: This file is missing: `players` in campaign.yaml names bob.",
        ),
        (
            "kingdoms/bab.yaml",
            "coins: 1\n",
            "{folder}/kingdoms/bab.yaml: `players` in campaign.yaml does not name bab.",
        ),
        ("kingdoms/bob.yaml", "coins: lots\n", "{folder}/kingdoms/bob.yaml:1:8: `lots` is not a whole number"),
        (
            "kingdoms/bob.yaml",
            "",
            "{folder}/kingdoms/bob.yaml:1:1: The file is empty, or holds remarks alone. Write `key: value` lines.",
        ),
    ],
)
def test_a_broken_start_says_which_file_and_changes_nothing(
    folder: Path, capsys, name: str, text: str | None, said: str
) -> None:
    (folder / name).unlink(missing_ok=True)
    if text is not None:
        write(folder, name, text)
    assert turn(folder) == 1
    assert capsys.readouterr().err.startswith(said.format(folder=folder))
    assert not (folder / "turns").exists()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("state.json", "{}", "state.json: The file is not as it was kept"),
        ("rules.yaml", "take: {}", "rules.yaml: The file is not as it was kept"),
        ("turn.json", "{}", "turn.json: This is not a turn's record"),
        ("turn.json", None, "turn.json: This can't be read: No such file or directory."),
    ],
)
def test_nothing_is_built_on_a_turn_that_was_altered(
    folder: Path, capsys, name: str, text: str | None, said: str
) -> None:
    tiny_game.played(folder)
    (folder / "turns/0002" / name).unlink()
    if text is not None:
        write(folder, f"turns/0002/{name}", text)
    before = contents(folder)
    capsys.readouterr()
    assert turn(folder) == 1
    assert capsys.readouterr().err.startswith(f"{folder}/turns/0002/{said}")
    assert contents(folder) == before


def test_a_gap_in_the_turns_is_told(folder: Path, capsys) -> None:
    tiny_game.played(folder)
    (folder / "turns/0001").rename(folder / "elsewhere")
    assert turn(folder) == 1
    assert "Turn 1 is missing between kept ones." in capsys.readouterr().err


def test_after_the_last_turn_there_is_none(folder: Path, capsys) -> None:
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "ends: {turn: 1}\n")
    tiny_game.played(folder, turns=1)
    assert turn(folder) == 1
    assert "There is no turn 2: turn 1 was the last (`ends` in campaign.yaml)." in capsys.readouterr().err


def test_a_game_that_is_over_has_no_next_turn(folder: Path, capsys) -> None:
    write(folder, "kingdoms/bob.yaml", "coins: 100\n")
    assert turn(folder) == 0
    assert turn(folder) == 1
    assert "There is no turn 1: the bank is empty." in capsys.readouterr().err


def test_the_seats_that_play_stay(folder: Path, capsys) -> None:
    tiny_game.played(folder)
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN.replace("bob", "bert"))
    assert turn(folder) == 1
    assert (
        "`players` no longer names the kingdoms that play. Missing: bob. Never there: bert." in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "change", [("  borderia:", "  bordera:"), ("  borderia:", "  # borderia:")], ids=["renamed", "gone"]
)
def test_a_seat_that_players_lost_is_said_by_every_command(change: tuple[str, str], tmp_path: Path, capsys) -> None:
    """In a game that lets kingdoms join, with a journal of mails and a deadline that has passed."""
    folder = Path(shutil.copytree(ROOT / "campaigns" / "greenmarch", tmp_path / "greenmarch"))
    assert main(["run", str(folder)]) == 0
    settings = folder / "campaign.yaml"
    settings.write_text(settings.read_text().replace(*change))
    for words in (["status"], ["form", "--to", str(tmp_path / "forms")], ["run"], ["turn", "--yes"], ["mail", "fetch"]):
        capsys.readouterr()
        main([*words, str(folder)])
        said = " ".join("".join(capsys.readouterr()).split())
        assert "`players` no longer names the kingdoms that play. Missing: borderia" in said, words
        assert "KeyError" not in said and "fault of the program" not in said


# --- what the GM changes on the way


def test_edits_of_the_start_are_told_with_the_order_that_would_do_it(folder: Path, capsys) -> None:
    tiny_game.played(folder)
    write(folder, "kingdoms/ann.yaml", "coins: 30\n")
    write(folder, "kingdoms/eve.yaml", "coins: 30\n")
    (folder / "kingdoms/bob.yaml").unlink()
    capsys.readouterr()
    assert turn(folder) == 0
    lines = capsys.readouterr().err.splitlines()
    changed = "coins was 3 when turn 0 was made and is 30 now, which changes nothing any more. This GM order would: coins by 27"
    assert lines[0] == f"{folder}/kingdoms/ann.yaml:1:8: {changed}"
    assert lines[1].startswith(f"{folder}/kingdoms/bob.yaml: This file is not there any more")
    assert lines[2].startswith(f"{folder}/kingdoms/eve.yaml: This file came after turn 0")
    assert len(lines) == 3


def test_a_changed_rule_never_changes_the_past(folder: Path) -> None:
    tiny_game.played(folder)
    before = contents(folder)
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "rules: {take: {most: 2}}\n")
    file_orders(folder, 3, "ann", "take: 3\n")
    assert turn(folder) == 0
    assert record(folder, 3)["notices"][0]["facts"]["reason"] == "3 coins are too many (ruling take); take 2 or fewer."
    assert "most: 2" in (folder / "turns/0003/rules.yaml").read_text()
    assert record(folder, 3)["rules"] != record(folder, 2)["rules"]
    assert main(["replay", str(folder)]) == 0
    kept = {
        name: data for name, data in contents(folder).items() if name.startswith("turns/000") and name[6:10] < "0003"
    }
    assert kept == {name: data for name, data in before.items() if name.startswith("turns/")}


def test_what_a_changed_rule_does_to_an_account_is_booked(folder: Path) -> None:
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "rules: {take: {rank: 1}}\n")
    tiny_game.played(folder, turns=0)
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "rules: {take: {rank: 4}}\n")
    assert turn(folder) == 0
    assert ledger(folder, 1)[:1] == ["1,1,gm,rules,ann,rank,3,4,rules,the campaign's rules were changed"]
    assert main(["audit", str(folder)]) == 0


def test_a_seat_that_files_nothing_stands_or_idles(folder: Path) -> None:
    tiny_game.played(folder, turns=1)
    file_orders(folder, 2, "ann", "take: 3\n")
    assert turn(folder) == 0
    assert [line for line in ledger(folder, 2) if ",bob," in line] == []
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "missing_orders: nothing\n")
    assert turn(folder) == 0
    assert [line.split(",")[6] for line in ledger(folder, 3) if ",take,bob," in line] == ["1"]
    assert record(folder, 3)["missing_orders"] == "nothing"
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN)  # what the turn was run with stays with the turn
    assert main(["audit", str(folder)]) == 0


def test_where_messages_are_off_each_is_refused_and_the_rest_stands(folder: Path, capsys) -> None:
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "messages: off\n")
    assert turn(folder) == 0
    file_orders(folder, 1, "ann", "take: 2\nmessages: [hello, again]\n")
    capsys.readouterr()
    assert main(["check", str(folder / "orders/0001/ann.yaml"), "--campaign", str(folder), "--json"]) == 0
    foreseen = json.loads(capsys.readouterr().out)["refusals"]
    assert turn(folder, "--json") == 0
    refused = json.loads(capsys.readouterr().out)["kingdoms"]["ann"]["refused"]
    assert [each["order"] for each in refused] == ["messages[0]", "messages[1]"]
    assert refused == foreseen and refused[0]["code"] == "no_messages"
    assert state(folder, 1)["purses"]["ann"]["coins"] >= 5
    assert main(["audit", str(folder)]) == 0


# --- tapes


def test_a_tape_says_its_dice_and_what_it_leaves_out_is_rolled(folder: Path) -> None:
    tiny_game.played(folder, turns=0)
    file_orders(folder, 1, "ann", "take: 3\n")
    file_orders(folder, 1, "bob", "take: 3\n")
    tape = write(folder, "tape.yaml", "ann: {luck: 6}\n")
    assert turn(folder, "--dice", str(tape)) == 0
    dice = (folder / "turns/0001/dice.csv").read_text().splitlines()
    assert dice[1] == "1,ann,luck,1,6,6,tape"
    assert dice[2].startswith("1,bob,luck,1,6,") and dice[2].endswith(",seed")
    assert state(folder, 1)["purses"]["ann"]["coins"] == 9
    assert main(["audit", str(folder)]) == 0
    assert main(["replay", str(folder)]) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ann: {luck: [6, 5]}", "1:17: Nobody rolled ann's luck number 2."),
        ("bob: {luck: 6}", "1:13: Nobody rolled bob's luck number 1."),
        ("gm: {storm: 6}", "1:13: Nobody rolled gm's storm number 1."),
        ("ann: {luck: 7}", "1:13: 7 is not on a die with 6 sides (ann's luck number 1)."),
        ("ann: {luck: 0}", "1:13: 0 is out of range"),
        ("eve: {luck: 6}", "1:1: `eve` is unknown here"),
        ("ann: 6", "1:6: This must be `key: value`"),
    ],
)
def test_a_wrong_tape_is_told_entry_by_entry_and_nothing_is_done(folder: Path, capsys, text: str, said: str) -> None:
    tiny_game.played(folder, turns=0)
    file_orders(folder, 1, "ann", "take: 3\n")
    tape = write(folder, "tape.yaml", text + "\n")
    before = contents(folder)
    capsys.readouterr()
    assert turn(folder, "--dice", str(tape)) == 1
    assert capsys.readouterr().err.startswith(f"{tape}:{said}")
    assert contents(folder) == before


def test_turn_0_rolls_nothing_so_it_takes_no_tape(folder: Path, capsys) -> None:
    tape = write(folder, "tape.yaml", "ann: {luck: 6}\n")
    assert turn(folder, "--dice", str(tape)) == 1
    assert "Nobody rolled ann's luck number 1." in capsys.readouterr().err
    assert not (folder / "turns").exists()
