"""The audit finds one changed byte in any kept file, and a history that was rewritten with all its digests."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.campaign import store
from kingdom.campaign.audit import audit
from kingdom.campaign.campaign import open_campaign
from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.examples import tries
from tests.kit.tiny_game import contents, file_orders, write


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three turns, one of them resolved a second time and one reopened."""
    tiny_game.register()
    return history(tmp_path_factory.mktemp("honest") / "tally")


@pytest.fixture
def folder(honest: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(honest, tmp_path / "tally"))


def history(folder: Path) -> Path:
    tiny_game.played(folder)
    tape = write(folder, "tape.yaml", "ann: {luck: 6}\n")
    file_orders(folder, 3, "ann", "take: 2\n")
    assert main(["undo", str(folder), "--reopen"]) == 0
    assert main(["turn", str(folder)]) == 0
    assert main(["turn", str(folder), "--dice", str(tape)]) == 0
    assert main(["undo", str(folder)]) == 0
    assert main(["turn", str(folder)]) == 0
    return folder


def problems(folder: Path) -> list[str]:
    return [str(problem).removeprefix(f"{folder}/") for problem in audit(open_campaign(folder)).problems]


def kept_files(folder: Path) -> list[str]:
    return [
        name for name in contents(folder) if name.startswith(("turns/", "undone/")) and not name.endswith(".reopened")
    ]


def test_an_honest_history_holds(folder: Path, capsys) -> None:
    found = audit(open_campaign(folder))
    assert found.problems == []
    assert (found.turns, found.entries, found.rolls) == (4, 11, 3)
    capsys.readouterr()
    assert main(["audit", str(folder)]) == 0
    said = capsys.readouterr().out
    assert (
        "The books balance, the dice are the seed's but for 1 roll of the GM's own dice, and each turn follows from its orders.\n"
        in said
        and "altered" not in said
    )
    assert said.endswith("whether these are the turns that were mailed; compare with `kingdom verify`.\n")


def test_a_changed_byte_in_any_file_is_found_and_the_file_is_named(folder: Path) -> None:
    names = kept_files(folder)
    assert len(names) > 30
    for name in names:
        file, data = folder / name, (folder / name).read_bytes()
        file.write_bytes(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:] if len(data) > 1 else b"x")
        assert any(problem.startswith(f"{name}:") for problem in problems(folder)), name
        file.write_bytes(data)
    assert problems(folder) == []


def test_a_key_of_the_state_that_is_no_text_is_found(folder: Path) -> None:
    """A reader who looks for known keys alone passes it over."""

    def change(place: Path) -> None:
        state = place / "state.json"
        state.write_bytes(state.read_bytes().replace(b'"buried"', b'"\x80uried"', 1))

    forge(folder, 1, change)
    assert any("a text that can't be read" in problem for problem in problems(folder))


@tries(10, 30)
@given(st.data())
def test_whichever_byte_it_is(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = _made_once(tmp_path_factory)
    name = data.draw(st.sampled_from(kept_files(folder)))
    file, kept = folder / name, (folder / name).read_bytes()
    place = data.draw(st.integers(0, len(kept) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != kept[place]))
    try:
        file.write_bytes(kept[:place] + bytes([byte]) + kept[place + 1 :])
        assert any(problem.startswith(f"{name}:") for problem in problems(folder)), (name, place)
    finally:
        file.write_bytes(kept)


_made: list[Path] = []


def _made_once(factory: pytest.TempPathFactory) -> Path:
    if not _made:
        tiny_game.register()
        _made.append(history(factory.mktemp("audit") / "tally"))
    return _made[0]


def test_a_file_taken_out_or_put_in_is_found(folder: Path) -> None:
    (folder / "turns/0001/orders/bob.yaml").rename(folder / "turns/0001/orders/eve.yaml")
    found = problems(folder)
    assert any(problem.startswith("turns/0001/orders/bob.yaml: The file is missing") for problem in found)
    assert any(
        problem.startswith("turns/0001/orders/eve.yaml: The file is not one that turn.json names") for problem in found
    )


def test_a_turn_taken_out_is_found(folder: Path) -> None:
    (folder / "turns/0001").rename(folder / "elsewhere")
    assert any(problem.startswith("turns/0001: Turn 1 is missing") for problem in problems(folder))


# --- histories that were rewritten with all their digests


def forge(folder: Path, turn: int, change: Callable[[Path], None]) -> None:
    """Change files of a turn, then compute every digest anew, of this turn, of all later ones and of those that were taken back."""
    was = {file: store.digest_of(file.read_bytes()) for file in folder.glob("*/*/turn.json")}
    change(folder / f"turns/{turn:04}")
    new = {"": ""}
    for number in store.numbers(folder / "turns"):
        for place in (*sorted((folder / "undone").glob(f"{number:04}-?")), folder / f"turns/{number:04}"):
            record = store.decode_record((place / "turn.json").read_bytes(), place / "turn.json")
            files = {name: store.digest_of((place / name).read_bytes()) for name in store.names_in(place)}
            previous, corrects = new.get(record.previous, record.previous), new.get(record.corrects, record.corrects)
            data = store.sealed(
                store.msgspec.structs.replace(record, files=files, previous=previous, corrects=corrects)
            )
            (place / "turn.json").write_bytes(data)
            new[was[place / "turn.json"]] = store.digest_of(data)
            assert store.altered(place)[2] == []


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(place: Path) -> None:
        text = (place / name).read_text()
        assert old in text
        (place / name).write_text(text.replace(old, new, 1))

    return change


@pytest.mark.parametrize(
    ("turn", "change", "said"),
    [
        (1, edit("ledger.csv", "coins,3,6,", "coins,3,9,"), "turns/0001/ledger.csv: The books do not add up: turn 1, entry 1"),
        (1, edit("ledger.csv", "coins,3,6,", "coins,6,9,"), "turns/0001/ledger.csv: The books do not add up: turn 1, entry 2"),
        (0, edit("ledger.csv", "coins,5,5,", "coins,6,6,"), "turns/0000/state.json: The books and the state differ after turn 0: coins of bob is 5 in the state, 6 by the ledger."),
        (1, edit("state.json", '"coins": 5,\n   "buried": 0', '"coins": 50,\n   "buried": 0'), "turns/0001/state.json: The books and the state differ after turn 1: coins of bob is 50"),
        (1, edit("ledger.csv", "1,1,taking", "1,7,taking"), "turns/0001/ledger.csv:2:1: Entry 7 of turn 1 stands here"),
        (2, edit("dice.csv", "luck,1,6,", "luck,1,6,1"), "turns/0002/dice.csv:2:1: ann's luck number 1 (d6) is 1"),
        (3, edit("dice.csv", ",6,tape", ",7,tape"), "turns/0003/dice.csv:2:1: ann's luck number 1 (d6) is 7"),
        (1, edit("dice.csv", "luck,1,6", "luck,2,6"), "turns/0001/dice.csv:2:1: ann's luck number 2 stands where number 1 should"),
        (1, edit("orders/ann.yaml", "take: 3", "take: 2"), "turns/0001/ledger.csv:2:1: Run again, turn 1 gives another entry"),
        (2, edit("rules.yaml", "most: 5", "most: 2"), "turns/0002/dice.csv:2:1: Run again, turn 2 gives another die"),
        (0, edit("start/kingdoms/bob.yaml", "5", "6"), "turns/0000/ledger.csv:3:1: Run again, turn 0 gives another entry"),
        (1, edit("turn.json", "are too many", "are fine"), "turns/0001/turn.json: Run again, turn 1 gives other notices"),
        (2, edit("turn.json", '"attempt": 2', '"attempt": 1'), "turns/0002/turn.json: This is attempt 1 of the turn"),
        (1, edit("turn.json", '"turn": 1', '"turn": 2'), "turns/0001/turn.json: This is the record of turn 2."),
    ],
)  # fmt: skip
def test_a_forged_history_is_found(folder: Path, turn: int, change: Callable[[Path], None], said: str) -> None:
    forge(folder, turn, change)
    assert any(problem.startswith(said) for problem in problems(folder)), problems(folder)


def test_a_turn_that_was_not_made_from_the_one_before_is_found(folder: Path) -> None:
    place = folder / "turns/0001"
    record = store.kept(place).record
    (place / "turn.json").write_bytes(store.sealed(store.msgspec.structs.replace(record, program="0.0.1")))
    assert any(
        problem.startswith("turns/0002/turn.json: The turn before is not the one") for problem in problems(folder)
    )


def test_another_seed_is_found_in_every_die(folder: Path) -> None:
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN.replace("public,", "other,"))
    assert {problem.partition(":")[0] for problem in problems(folder)} >= {"turns/0001/dice.csv", "turns/0002/dice.csv"}


def test_a_newer_program_is_not_held_to_the_wording_of_an_older_one(folder: Path) -> None:
    def older(place: Path) -> None:
        for name in ("turn.json", "ledger.csv"):
            text = (place / name).read_text().replace("too many", "very many").replace("3 taken", "took 3")
            (place / name).write_text(text.replace('"program": "', '"program": "0.0.0-'))

    forge(folder, 1, older)
    assert problems(folder) == []
    assert json.loads((folder / "turns/0001/turn.json").read_text())["program"].startswith("0.0.0-")


def test_after_a_broken_turn_the_later_ones_are_still_looked_at(folder: Path) -> None:
    (folder / "turns/0001/state.json").write_text("{}")
    forge(folder, 3, edit("ledger.csv", "coins,2,", "coins,3,"))
    found = problems(folder)
    assert any(problem.startswith("turns/0001/state.json: This is not a state of the game") for problem in found)
    assert any(problem.startswith("turns/0003/ledger.csv") for problem in found)


# --- what stops it nowhere, and what is not where it should be


def test_what_its_digest_condemns_is_not_decoded_and_the_rest_is_looked_at(folder: Path) -> None:
    edit("state.json", '"coins"', '"coinz"')(folder / "turns/0001")
    edit("dice.csv", "6,6,tape", "6,5,tape")(folder / "turns/0003")
    assert problems(folder) == [
        "turns/0001/state.json: The file is not as it was kept: its digest is not the one in turn.json. Put it back from a copy.",
        "turns/0003/dice.csv: The file is not as it was kept: its digest is not the one in turn.json. Put it back from a copy.",
    ]


def test_a_field_longer_than_any_is_a_finding_of_its_file(folder: Path) -> None:
    forge(folder, 1, edit("ledger.csv", "3 taken", "x" * 140_000))
    assert any(one.startswith("turns/0001/ledger.csv:2:1: This line is not a row") for one in problems(folder))


def test_a_state_in_which_a_key_is_missing_is_a_finding_of_its_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def accounts(state: object, seat: str, rules: object) -> dict[str, int]:
        raise KeyError("stability")

    campaign = open_campaign(folder)
    game = store.msgspec.structs.replace(campaign.game, accounts=accounts)
    found = audit(campaign._replace(game=game)).problems
    assert [one.message for one in found if one.file.endswith("0002/state.json")] == [
        "What stands in it can't be looked at ('stability'). Put the file back from a copy."
    ]


def test_a_turn_that_breaks_off_when_it_is_run_again_is_a_finding(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(campaign: object, turn: object, before: object) -> object:
        raise ZeroDivisionError("of the rules")

    monkeypatch.setattr("kingdom.campaign.replay.again", again)
    assert "turns/0002: Run again from these files, turn 2 breaks off (of the rules)." in problems(folder)


def test_a_turn_of_the_far_future_costs_nothing_and_is_found(folder: Path) -> None:
    (folder / "turns/999999999").mkdir()
    found = problems(folder)
    assert "turns: Turns 4 to 999999998 are missing between kept ones. Put their folders back from a copy." in found
    assert any(one.startswith("turns/999999999/turn.json: This can't be read") for one in found)


def test_pipes_links_and_other_names_are_found_and_stop_nothing(folder: Path) -> None:
    os.mkfifo(folder / "turns/0001/pipe")
    (folder / "turns/0001/orders/ann.yaml").unlink()
    os.mkfifo(folder / "turns/0001/orders/ann.yaml")
    (folder / "turns/0002/rules.yaml").rename(folder / "elsewhere")
    (folder / "turns/0002/rules.yaml").symlink_to(folder / "elsewhere")
    shutil.copytree(folder / "turns/0003", folder / "turns/00003")
    shutil.copytree(folder / "turns/0003", folder / "turns/0002-old")
    (folder / "turns/0004").symlink_to(folder / "turns/0003")
    shutil.copytree(folder / "undone/0003-1", folder / "undone/0003-01")
    found = problems(folder)
    starts = (
        "turns/00003: This is no folder of a turn",
        "turns/0002-old: This is no folder of a turn",
        "turns/0004: This is no folder of a turn",
        "undone/0003-01: This is no folder of a turn",
        "turns/0001/pipe: The file is not one that turn.json names",
        "turns/0001/orders/ann.yaml: This is no plain file",
        "turns/0002/rules.yaml: This is no plain file",
    )
    assert [start for start in starts if not any(one.startswith(start) for one in found)] == []


@pytest.mark.parametrize("command", ["turn", "status"])
def test_another_spelling_of_a_turn_s_number_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (folder / "turns/0003").rename(folder / "turns/00003")
    capsys.readouterr()
    assert main([command, str(folder)]) == 0
    assert (
        f"{folder}/turns/00003: This is no folder of a turn: such a folder is called like 0001"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("source", "place", "said"),
    [
        ("turns/0002", "undone/0003-2", "undone/0003-2/turn.json: This is the record of turn 2."),
        ("turns/0001", "undone/0001-1", "turns/0001/turn.json: By what was taken back this turn was made instead of "),
        ("undone/0002-1", "undone/0002-2", "undone/0002-2/turn.json: This is attempt 1 of the turn, and by what was taken back it should be 2."),
        ("undone/0003-1", "undone/0003-2", "undone/0003-2/turn.json: By what was taken back this turn was made instead of "),
    ],
)  # fmt: skip
def test_a_copy_among_the_undone_turns_is_found(folder: Path, source: str, place: str, said: str) -> None:
    shutil.copytree(folder / source, folder / place)
    assert any(one.startswith(said) for one in problems(folder)), problems(folder)


def test_a_turn_of_another_campaign_among_the_undone_turns_is_found(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    tiny_game.campaign(other)
    write(other, "campaign.yaml", tiny_game.CAMPAIGN.replace("public,", "another,"))
    tiny_game.played(other)
    shutil.rmtree(folder / "undone/0003-1")
    shutil.copytree(other / "turns/0002", folder / "undone/0002-3")
    assert any(one.startswith("undone/0002-3/turn.json: No turn 1 that is kept") for one in problems(folder))


def test_a_copy_of_an_earlier_turn_gives_the_next_one_no_new_dice(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(folder / "turns/0003", folder / "undone/0004-1")
    capsys.readouterr()
    assert main(["turn", str(folder)]) == 1
    assert "undone/0004-1/turn.json: This is the record of turn 3." in capsys.readouterr().err
    assert not (folder / "turns/0004").exists()


# --- what players hold: the reports that were mailed


def test_a_mailed_turn_that_was_removed_or_rewritten_is_found(mailed: Path) -> None:
    assert problems(mailed) == []
    gone, kept = mailed / "gone", mailed / "turns/0002"
    kept.rename(gone)
    assert [one.partition(" (")[0] for one in problems(mailed)] == [
        "turns/0002: Turn 2 is missing, and its reports were mailed"
    ]
    file_orders(mailed, 2, "bob", "take: 1\n")
    assert main(["turn", "--yes", str(mailed)]) == 0
    assert [one.partition(":")[0] for one in problems(mailed)] == ["turns/0002/turn.json"]
    assert "This is not the turn 2 whose reports were mailed" in problems(mailed)[0]


def test_a_report_that_was_withdrawn_hides_no_other_that_went_out(mailed: Path) -> None:
    digest = store.digest_of((mailed / "turns/0002/turn.json").read_bytes())
    with (mailed / "mail/journal.jsonl").open("a") as journal:
        for event in ("queued", "withdrawn"):
            line = {
                "at": "2026-12-04T18:00:00+00:00",
                "event": event,
                "mail": f"report-0002-bob-{digest[:8]}",
                "turn": 2,
            }
            journal.write(json.dumps(line, separators=(",", ":")) + "\n")
    shutil.rmtree(mailed / "turns/0002")
    assert any(one.startswith("turns/0002: Turn 2 is missing") for one in problems(mailed))


def test_a_turn_that_went_out_with_a_welcome_alone_is_known(mailed: Path) -> None:
    assert main(["invite", str(mailed), "bob", "bob@example.org"]) == 0
    journal = mailed / "mail/journal.jsonl"
    journal.write_text("".join(line for line in journal.open() if '"welcome-bob' in line))
    shutil.rmtree(mailed / "turns/0002")
    assert any(one.startswith("turns/0002: Turn 2 is missing") for one in problems(mailed))


@pytest.mark.parametrize(
    "words", [["undo"], ["undo", "--reopen"], ["redo", "--yes"], ["undo", "turn"], ["undo", "undo"]]
)
def test_what_the_program_itself_takes_back_is_no_finding(mailed: Path, words: list[str]) -> None:
    if words[0] == "redo":
        write(mailed, "campaign.yaml", (mailed / "campaign.yaml").read_text() + "rules: {take: {most: 2}}\n")
    for command in [words] if words[-1].startswith("-") else [[word] for word in words]:
        assert main([command[0], str(mailed), *command[1:], *(["--yes"] if command == ["turn"] else [])]) == 0
    assert problems(mailed) == []


def test_a_backup_that_was_put_back_is_no_finding(mailed: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(mailed, tmp_path / "backup")
    assert main(["turn", "--yes", str(mailed)]) == 0
    shutil.rmtree(mailed)
    shutil.copytree(copy, mailed)
    assert problems(mailed) == []


@pytest.fixture
def mailed(tmp_path: Path) -> Path:
    """A campaign whose reports lie in the outbox of a folder mailbox, from where a person forwards them."""
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "mailed")
    players = "players: {ann: {name: Ann, email: ann@example.org, token: a1b2c}, bob: {}}"
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN.replace("players: {ann: {name: Ann}, bob: {}}", players))
    for turn in range(3):
        if turn:
            file_orders(folder, turn, "ann", "take: 3\n")
            assert main(["turn", "--yes", str(folder)]) == 0
        assert main(["run", str(folder)]) == 0
    return folder
