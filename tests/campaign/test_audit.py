"""The audit finds one changed byte in any kept file, and a history that was rewritten with all its digests."""

from __future__ import annotations

import json
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
    assert capsys.readouterr().out.endswith("The books balance, the dice are the seed's, and nothing was altered.\n")


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
    state = folder / "turns/0001/state.json"
    state.write_bytes(state.read_bytes().replace(b'"buried"', b'"\x80uried"', 1))
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
    assert any(problem.startswith("turns/0001/orders/bob.yaml:0:0: The file is missing") for problem in found)
    assert any(
        problem.startswith("turns/0001/orders/eve.yaml:0:0: The file is not one that turn.json names")
        for problem in found
    )


def test_a_turn_taken_out_is_found(folder: Path) -> None:
    (folder / "turns/0001").rename(folder / "elsewhere")
    assert any(problem.startswith("turns/0001:0:0: Turn 1 is missing") for problem in problems(folder))


# --- histories that were rewritten with all their digests


def forge(folder: Path, turn: int, change: Callable[[Path], None]) -> None:
    """Change files of a turn, then compute every digest anew, of this turn and all later ones."""
    change(folder / f"turns/{turn:04}")
    previous = ""
    for number in store.numbers(folder / "turns"):
        place = folder / f"turns/{number:04}"
        record = store.decode_record((place / "turn.json").read_bytes(), place / "turn.json")
        files = {name: store.digest_of((place / name).read_bytes()) for name in store.names_in(place)}
        data = store.sealed(store.msgspec.structs.replace(record, files=files, previous=previous))
        (place / "turn.json").write_bytes(data)
        previous = store.digest_of(data)
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
        (1, edit("ledger.csv", "coins,3,6,", "coins,3,9,"), "turns/0001/ledger.csv:0:0: The books do not add up: turn 1, entry 1"),
        (1, edit("ledger.csv", "coins,3,6,", "coins,6,9,"), "turns/0001/ledger.csv:0:0: The books do not add up: turn 1, entry 2"),
        (0, edit("ledger.csv", "coins,5,5,", "coins,6,6,"), "turns/0000/state.json:0:0: The books and the state differ after turn 0: coins of bob is 5 in the state, 6 by the ledger."),
        (1, edit("state.json", '"coins": 5,\n   "buried": 0', '"coins": 50,\n   "buried": 0'), "turns/0001/state.json:0:0: The books and the state differ after turn 1: coins of bob is 50"),
        (1, edit("ledger.csv", "1,1,taking", "1,7,taking"), "turns/0001/ledger.csv:2:1: Entry 7 of turn 1 stands here"),
        (2, edit("dice.csv", "luck,1,6,", "luck,1,6,1"), "turns/0002/dice.csv:2:1: ann's luck number 1 (d6) is 1"),
        (3, edit("dice.csv", ",6,tape", ",7,tape"), "turns/0003/dice.csv:2:1: ann's luck number 1 (d6) is 7"),
        (1, edit("dice.csv", "luck,1,6", "luck,2,6"), "turns/0001/dice.csv:2:1: ann's luck number 2 stands where number 1 should"),
        (1, edit("orders/ann.yaml", "take: 3", "take: 2"), "turns/0001/ledger.csv:2:1: Run again, turn 1 gives another entry"),
        (2, edit("rules.yaml", "most: 5", "most: 2"), "turns/0002/dice.csv:2:1: Run again, turn 2 gives another die"),
        (0, edit("start/kingdoms/bob.yaml", "5", "6"), "turns/0000/ledger.csv:3:1: Run again, turn 0 gives another entry"),
        (1, edit("turn.json", "are too many", "are fine"), "turns/0001/turn.json:0:0: Run again, turn 1 gives other notices"),
        (2, edit("turn.json", '"attempt": 2', '"attempt": 1'), "turns/0002/turn.json:0:0: This is attempt 1 of the turn"),
        (1, edit("turn.json", '"turn": 1', '"turn": 2'), "turns/0001/turn.json:0:0: This is the record of turn 2."),
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
        problem.startswith("turns/0002/turn.json:0:0: The turn before is not the one") for problem in problems(folder)
    )


def test_another_seed_is_found_in_every_die(folder: Path) -> None:
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN.replace("public", "other"))
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
    assert any(problem.startswith("turns/0001/state.json:0:0: This is not a state of the game") for problem in found)
    assert any(problem.startswith("turns/0003/ledger.csv") for problem in found)
