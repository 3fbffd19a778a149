"""Taking turns back, resolving them again, and running them once more as they were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import structs

from kingdom.campaign import store, undo
from kingdom.cli.main import main
from kingdom.engine.dice import commitment_of, key_of
from tests.kit import tiny_game
from tests.kit.tiny_game import contents, file_orders, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two turns are kept; the newest had orders of Ann alone."""
    tiny_game.register()
    return tiny_game.played(tmp_path / "tally")


def kingdom(command: str, folder: Path, *words: str) -> int:
    return main([command, str(folder), *words])


def record(folder: Path, place: str) -> dict:
    return json.loads((folder / place / "turn.json").read_text())


def dice(folder: Path, turn: int) -> str:
    return (folder / f"turns/{turn:04}/dice.csv").read_text()


# --- undo


def test_an_undone_turn_is_kept_aside_byte_for_byte(folder: Path) -> None:
    before = contents(folder)
    assert kingdom("undo", folder) == 0
    after = contents(folder)
    assert {name.replace("undone/0002-1", "turns/0002"): data for name, data in after.items()} == before
    assert not (folder / "turns/0002").exists()


def test_run_again_it_keeps_its_dice_and_takes_no_new_orders_of_players(folder: Path, capsys) -> None:
    rolled = dice(folder, 2)
    assert kingdom("undo", folder) == 0
    file_orders(folder, 2, "ann", "take: 5\n")
    file_orders(folder, 2, "bob", "take: 5\n")
    file_orders(folder, 2, "gm", "gm: [hear, hear]\n")
    capsys.readouterr()
    assert kingdom("turn", folder) == 0
    assert dice(folder, 2) == rolled
    assert (folder / "turns/0002/orders/ann.yaml").read_text() == "kingdom: ann\nturn: 2\ntake: 3\nbury: 1\n"
    assert sorted(path.name for path in (folder / "turns/0002/orders").iterdir()) == ["ann.yaml", "gm.yaml"]
    left_out = [line.split(":")[0] for line in capsys.readouterr().err.splitlines()]
    assert left_out == [f"{folder}/orders/0002/ann.yaml", f"{folder}/orders/0002/bob.yaml"]
    again = record(folder, "turns/0002")
    assert again["attempt"] == 1
    assert again["corrects"] == undo.store.kept(folder / "undone/0002-1").digest
    assert kingdom("audit", folder) == 0


def test_reopen_after_undo_opens_that_turn_and_takes_no_other_back(folder: Path, capsys) -> None:
    assert kingdom("undo", folder) == 0
    assert f"It takes no new orders of players: `kingdom undo {folder} --reopen` opens it." in capsys.readouterr().out
    assert kingdom("undo", folder, "--reopen") == 0
    said = capsys.readouterr().out
    assert said.startswith(
        f"Turn 2 was taken back before, and lies in {folder}/undone/0002-1.\nIt is now open for new orders"
    )
    assert (folder / "turns/0001").is_dir() and [path.name for path in sorted((folder / "undone").iterdir())] == [
        "0002-1",
        "0002-1.reopened",
    ]
    file_orders(folder, 2, "ann", "take: 5\n")
    assert kingdom("turn", folder) == 0 and record(folder, "turns/0002")["attempt"] == 2
    assert "take: 5" in (folder / "turns/0002/orders/ann.yaml").read_text()
    assert kingdom("audit", folder) == 0


def test_once_a_turn_is_open_reopen_takes_the_one_before_back(folder: Path) -> None:
    for words in ((), ("--reopen",), ("--reopen",)):
        assert kingdom("undo", folder, *words) == 0
    assert not (folder / "turns/0001").exists() and (folder / "turns/0000").is_dir()


def test_run_again_it_takes_no_tape_and_keeps_the_one_that_it_had(folder: Path, capsys) -> None:
    tape = write(folder, "tape.yaml", "ann: {luck: 6}\n")
    file_orders(folder, 3, "ann", "take: 3\n")
    assert kingdom("turn", folder, "--dice", str(tape)) == 0
    rolled = dice(folder, 3)
    assert kingdom("undo", folder) == 0
    assert kingdom("turn", folder, "--dice", str(tape)) == 1
    assert "it keeps its dice and takes no tape" in capsys.readouterr().err
    assert kingdom("turn", folder) == 0
    assert dice(folder, 3) == rolled and rolled.endswith(",6,6,tape\n")


def test_reopened_it_takes_new_orders_and_new_dice(folder: Path, capsys) -> None:
    assert kingdom("undo", folder, "--reopen") == 0
    promised = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    keys = {seat: key_of("public, this is a test", 2, seat, attempt=2) for seat in ("ann", "bob", "gm")}
    assert promised == [[seat, commitment_of(key)] for seat, key in keys.items()]
    file_orders(folder, 2, "ann", "take: 5\n")
    file_orders(folder, 2, "bob", "take: 5\n")
    assert kingdom("turn", folder) == 0
    again = record(folder, "turns/0002")
    assert (again["attempt"], again["corrects"]) == (2, "")
    assert len(dice(folder, 2).splitlines()) == 3
    assert kingdom("audit", folder) == 0


def test_a_later_turn_that_was_taken_back_first_is_reopened_too(folder: Path) -> None:
    """Its orders and dice were for another history, and its dice have been revealed."""
    for words in ((), (), ("--reopen",)):
        assert kingdom("undo", folder, *words) == 0
    assert kingdom("turn", folder) == 0
    assert kingdom("turn", folder) == 0
    assert [record(folder, f"turns/{turn:04}")["attempt"] for turn in (0, 1, 2)] == [1, 2, 2]
    assert kingdom("undo", folder) == 0
    assert kingdom("turn", folder) == 0
    assert record(folder, "turns/0002")["attempt"] == 2
    assert kingdom("audit", folder) == 0


def test_every_turn_can_be_taken_back_to_the_start(folder: Path, capsys) -> None:
    for _ in range(3):
        assert kingdom("undo", folder) == 0
    before = contents(folder)
    assert kingdom("undo", folder) == 1
    assert "No turn has been kept, so there is none to take back." in capsys.readouterr().err
    assert contents(folder) == before
    write(folder, "kingdoms/bob.yaml", "coins: 7\n")
    assert kingdom("turn", folder) == 0
    assert json.loads((folder / "turns/0000/state.json").read_text())["purses"]["bob"]["coins"] == 7


# --- redo


def test_redo_says_what_would_change_and_does_nothing(folder: Path, capsys) -> None:
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "rules: {take: {most: 2}}\n")
    before = contents(folder)
    capsys.readouterr()
    assert kingdom("redo", folder) == 0
    assert contents(folder) == before
    said = capsys.readouterr().out
    assert "Resolved again, turn 2 comes out otherwise:" in said
    assert "\nann:\n  coins is 4, and was 7\n" in said
    assert "no longer: coins +3 (3 taken)" in said
    assert "now: refusal: 3 coins are too many (ruling take); take 2 or fewer." in said
    assert "bob" not in said


def test_redo_yes_puts_it_in_the_turns_place_with_the_same_dice(folder: Path, capsys) -> None:
    old, rolled = contents(folder), dice(folder, 2)
    file_orders(folder, 2, "ann", "take: 5\n")  # too late
    file_orders(folder, 2, "gm", "tell: [Well done.]\n")
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "rules: {take: {most: 4, rank: 2}}\n")
    assert kingdom("redo", folder, "--yes") == 0
    aside = {name: data for name, data in contents(folder).items() if name.startswith("undone/0002-1/")}
    assert aside == {
        name.replace("turns/0002", "undone/0002-1"): data for name, data in old.items() if "turns/0002" in name
    }
    assert dice(folder, 2) == rolled
    assert (folder / "turns/0002/orders/ann.yaml").read_text() == "kingdom: ann\nturn: 2\ntake: 3\nbury: 1\n"
    assert (folder / "turns/0002/orders/gm.yaml").exists()
    again = record(folder, "turns/0002")
    assert (again["attempt"], again["corrects"]) == (1, undo.store.kept(folder / "undone/0002-1").digest)
    assert kingdom("audit", folder) == 0
    assert kingdom("turn", folder) == 0


def test_redo_of_what_comes_out_the_same_does_nothing(folder: Path, capsys) -> None:
    before = contents(folder)
    assert kingdom("redo", folder, "--yes") == 0
    assert "Resolved again, turn 2 comes out the same.\nThe turn stays as it is.\n" in capsys.readouterr().out
    assert contents(folder) == before


def test_turn_0_has_nothing_to_redo(tmp_path: Path, capsys) -> None:
    folder = tiny_game.played(tmp_path / "new", turns=0)
    assert kingdom("redo", folder) == 1
    assert "Turn 0 has no orders to resolve again." in capsys.readouterr().err


@pytest.mark.parametrize("can", [True, False])
def test_redo_works_where_folders_cannot_be_exchanged(folder: Path, monkeypatch: pytest.MonkeyPatch, can: bool) -> None:
    if not can:
        monkeypatch.setattr(undo, "exchange", lambda one, other: False)
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "rules: {take: {most: 2}}\n")
    assert kingdom("redo", folder, "--yes") == 0
    assert sorted(path.name for path in (folder / "turns").iterdir()) == ["0000", "0001", "0002"]
    assert [path.name for path in (folder / "undone").iterdir()] == ["0002-1"]
    assert kingdom("audit", folder) == 0


# --- replay


def test_replay_finds_every_turn_the_same(folder: Path, capsys) -> None:
    capsys.readouterr()
    assert kingdom("replay", folder) == 0
    assert capsys.readouterr().out == "".join(f"Turn {turn}: the same state, dice and ledger.\n" for turn in (0, 1, 2))
    assert kingdom("replay", folder, "--turn", "1") == 0
    assert capsys.readouterr().out == "Turn 1: the same state, dice and ledger.\n"


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (
            "ledger.csv",
            "3 taken",
            "4 taken",
            "ledger.csv:2:1: Run again, turn 1 gives another entry: ann's coins +3 to 6 by take (4 taken)",
        ),
        (
            "state.json",
            '"buried": 1',
            '"buried": 9',
            "state.json: Run again, turn 1 gives another state (purses.ann.buried): 9 is",
        ),
        (
            "dice.csv",
            "1,ann,luck,1,6,",
            "1,ann,luck,1,6,1",
            "dice.csv:2:1: Run again, turn 1 gives another die: ann's luck number 1 (d6): 1",
        ),
    ],
)
def test_replay_names_the_first_entry_that_differs(
    folder: Path, capsys, name: str, old: str, new: str, said: str
) -> None:
    file = folder / "turns/0001" / name
    file.write_text(file.read_text().replace(old, new, 1))
    assert kingdom("replay", folder, "--turn", "1") == 1
    error = capsys.readouterr().err
    assert error.startswith(f"{folder}/turns/0001/{said}")
    assert error.endswith(f"Its files were edited: {name}.\n")


def test_replay_tells_edited_rules_from_changed_code(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = folder / "turns/0001/rules.yaml"
    kept = rules.read_text()
    rules.write_text(kept.replace("most: 5", "most: 2"))
    assert kingdom("replay", folder, "--turn", "1") == 1
    assert "Its rules were edited: rules.yaml is not the one that it was resolved by." in capsys.readouterr().err
    rules.write_text(kept)

    import kingdom.games.tally.game as tally

    def generous(table, turn):
        return tally._with(table, turn, "bob", tally.replace(table.purses["bob"], coins=99), "take", "a gift")

    phases = (tally.GAME.phases[0]._replace(steps=(generous,)),)
    monkeypatch.setattr(tally, "GAME", structs.replace(tally.GAME, phases=phases))
    assert kingdom("replay", folder, "--turn", "1") == 1
    assert "Its files are as they were kept: the code has changed" in capsys.readouterr().err


def test_there_is_no_turn_beyond_the_newest(folder: Path, capsys) -> None:
    assert kingdom("replay", folder, "--turn", "7") == 1
    assert "There is no kept turn 7; the newest is 2." in capsys.readouterr().err


# --- several turns at once


def test_several_turns_are_kept_one_after_the_other_up_to_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_game.register()
    campaign = tiny_game.CAMPAIGN.replace("{ann: {name: Ann}, bob: {}}", "{ann: {bot: taker}, bob: {bot: taker}}")
    for name, text in {**tiny_game.FILES, "campaign.yaml": campaign + "ends: {turn: 5}\n"}.items():
        tiny_game.write(tmp_path / "tally", name, text)
    assert main(["turn", str(tmp_path / "tally"), "--turns", "3"]) == 0
    assert sorted(folder.name for folder in (tmp_path / "tally/turns").iterdir()) == ["0000", "0001", "0002", "0003"]
    assert main(["turn", str(tmp_path / "tally"), "--turns", "99"]) == 0
    assert len(list((tmp_path / "tally/turns").iterdir())) == 6, "up to the last turn that the campaign has"
    assert "Turn 5 of A tally is kept" in capsys.readouterr().out
    assert main(["turn", str(tmp_path / "tally"), "--turns", "2", "--dry-run"]) == 2
    assert "of one turn" in capsys.readouterr().err


def test_a_file_where_the_pages_should_lie_is_told_after_the_turn_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_game.register()
    folder = tmp_path / "game"
    tiny_game.played(folder, 2)
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "publish: {folder: ../pub}\n")
    write(folder, "../pub", "a file")
    capsys.readouterr()
    assert main(["turn", str(folder)]) == 1
    said = capsys.readouterr()
    assert "Turn 3 of" in said.out
    assert (
        said.err
        == f"Turn 3 is kept. Its pages could not be written ({folder}/../pub: File exists). The next `kingdom run` writes them.\n"
    )


def test_a_broken_journal_stops_undo_before_it_does_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_game.register()
    folder = tmp_path / "game"
    tiny_game.played(folder, 2)
    write(folder, "mail/journal.jsonl", "no line of a journal\n")
    assert main(["undo", str(folder)]) == 1
    assert "This is not a line of the journal" in capsys.readouterr().err
    assert (folder / "turns/0002").is_dir() and not (folder / "undone").exists()


def test_turns_that_are_kept_before_one_that_cannot_be_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_game.register()
    folder = tmp_path / "game"
    tiny_game.played(folder, 1)
    file_orders(folder, 3, "ann", "take: many\n")
    assert main(["turn", str(folder), "--turns", "3"]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("Turn 2 is kept. Turn 3 is not (") and "Turn 2 of" in said.out


# --- beside others


@pytest.mark.parametrize("command", ["show", "status", "audit", "ledger", "map"])
def test_a_command_that_looks_while_a_turn_is_taken_back_looks_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    reading, taken_back = store.kept, []

    def kept(place: Path) -> store.Kept:
        if place.name == "0002" and not taken_back:
            taken_back.append(place)
            (folder / "undone").mkdir()
            place.rename(folder / "undone/0002-1")
        return reading(place)

    monkeypatch.setattr(store, "kept", kept)
    said = kingdom(command, folder)
    monkeypatch.undo()
    looked = capsys.readouterr()
    assert (said, looked.err) == (0, "")
    if taken_back:
        kingdom(command, folder)
        assert looked.out == capsys.readouterr().out
