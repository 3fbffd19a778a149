"""`kingdom pack`: old turns take less room, and whatever reads them finds what was there, to the byte."""

from __future__ import annotations

import errno
import os
import re
import shutil
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from kingdom.books import closing
from kingdom.campaign import clock, packed, packing, store
from kingdom.campaign.audit import audit
from kingdom.campaign.campaign import open_campaign
from kingdom.cli.main import main
from kingdom.engine.problems import Faults
from tests.campaign.test_crash import CALLS, CHANGES, Calls, Killed, chosen, linked
from tests.kit import tiny_game
from tests.kit.tiny_game import contents, file_orders

EXAMPLE = Path(__file__).parents[2] / "campaigns" / "greenmarch"
TURN = "turns/0002"


@pytest.fixture
def tally(tmp_path: Path) -> Path:
    """Five kept turns of a game of a few lines; the second one's folder has a file that is not ours."""
    tiny_game.register()
    return tiny_game.played(tmp_path / "tally", 5)


def pack(folder: Path, newest: int = 2) -> int:
    return main(["pack", str(folder), "--older-than", str(newest)])


def seen(folder: Path) -> dict[str, bytes]:
    """Every file of every turn, by the path that it had when the turn was kept."""
    found = {}
    for number in store.numbers(folder / "turns"):
        turn = store.kept(folder / "turns" / store.name_of(number))
        found |= {f"{number}/{name}": store.file_of(turn, name) for name in turn.record.files}
        found[f"{number}/{store.RECORD}"] = store.record_in(turn.folder)
    return found


def test_a_packed_turn_has_two_files_and_gives_back_every_byte(tally: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = seen(tally)
    (tally / TURN / ".DS_Store").write_bytes(b"the system's")
    capsys.readouterr()
    assert pack(tally) == 0
    assert re.fullmatch(
        r"Turns 1 to 3 are packed. They had \d+ files and \d+\.\d MB; now \d+ and \d+\.\d MB.\n",
        " ".join(capsys.readouterr().out.split()) + "\n",
    )
    shape = {name: sorted(os.listdir(tally / "turns" / name)) for name in sorted(os.listdir(tally / "turns"))}
    assert shape["0001"] == shape["0003"] == [store.RECORD, packed.ARCHIVE]
    assert shape["0002"] == [".DS_Store", store.RECORD, packed.ARCHIVE], "what is not ours stays"
    assert all("state.json" in shape[name] for name in ("0000", "0004", "0005")), "the start and the newest two stay"
    assert seen(tally) == before
    was = contents(tally)
    capsys.readouterr()
    assert pack(tally) == 0 and contents(tally) == was
    assert (
        "There is nothing to pack: turn 0 and the newest 2 stay as they are, and all others are packed."
        in capsys.readouterr().out
    )


def test_commands_say_of_packed_turns_what_they_said_before(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    folder = shutil.copytree(EXAMPLE, tmp_path / "greenmarch")

    def said() -> dict[str, bytes]:
        outputs = {}
        for words in (
            "audit", "replay --turn 3", "show --turn 3", "show --turn 3 --json", "ledger --last 0", "ledger --by account,cause", "map", "status",
            "explain examplia treasury", "forecast examplia", "correct --turn 4",
        ):  # fmt: skip
            capsysbinary.readouterr()
            name, *rest = words.split()
            assert main([name, str(folder), *rest]) == 0, words
            outputs[words] = capsysbinary.readouterr().out
        for words, name in (("export --to", "books.csv"), ("review --html", "review.html"), ("chronicle", "chronicle")):
            first, *rest = words.split()
            assert (
                main([first, str(folder), *rest, str(tmp_path / name), *(["--force"] if first != "chronicle" else [])])
                == 0
            )
            outputs |= {f"{words} {file}": data for file, data in contents(tmp_path).items() if file.startswith(name)}
            shutil.rmtree(tmp_path / name) if (tmp_path / name).is_dir() else (tmp_path / name).unlink()
        return outputs

    before = said()
    assert pack(folder) == 0
    assert said() == before


def test_turns_are_taken_back_into_packed_ones_and_played_again(tally: Path) -> None:
    before = seen(tally)
    assert pack(tally, 1) == 0
    for number in (5, 4, 3):
        assert main(["undo", str(tally)]) == 0, number
    assert audit(open_campaign(tally)).problems == []
    for _ in (3, 4, 5):
        assert main(["turn", "--yes", str(tally)]) == 0
    again = seen(tally)
    books = ("state.json", "ledger.csv", "dice.csv", "orders/ann.yaml", "rules.yaml")
    assert {name for name in before if name.endswith(books) and before[name] != again[name]} == set()
    assert audit(open_campaign(tally)).problems == []


def test_the_archive_of_a_campaign_that_is_over_has_its_turns_unpacked_and_no_token(tmp_path: Path) -> None:
    folder = tmp_path / "tally"
    tiny_game.register()
    tiny_game.write(folder, "campaign.yaml", tiny_game.CAMPAIGN.replace("{name: Ann}", "{name: Ann, token: aaaa1}"))
    for name in ("kingdoms/ann.yaml", "kingdoms/bob.yaml"):
        tiny_game.write(folder, name, tiny_game.FILES[name])
    assert main(["turn", "--yes", str(folder)]) == 0
    for turn in (1, 2, 3):
        file_orders(folder, turn, "ann", "token: aaaa1\ntake: 3\n")
        assert main(["turn", "--yes", str(folder)]) == 0

    def archived() -> dict[str, bytes]:
        return dict(closing._contents(open_campaign(folder), tmp_path / "chronicle"))

    before = archived()
    assert pack(folder, 1) == 0
    assert archived() == before and "turns/0002/orders/ann.yaml" in before
    assert not any(b"aaaa1" in data for data in before.values())


# --- killed, refused, damaged


STEPS = pytest.mark.parametrize(
    "step", [9, pytest.param(1, marks=pytest.mark.long)], ids=["every ninth call", "every call"]
)


@STEPS
def test_killed_at_any_call_every_turn_can_be_read_and_packing_once_more_ends_it(
    tally: Path, step: int, tmp_path: Path
) -> None:
    before, after = seen(tally), tmp_path / "after"
    shutil.copytree(tally, after)
    with pytest.MonkeyPatch.context() as patch:
        calls = Calls(patch, after, CALLS, at=0)
        assert pack(after, 3) == 0
    end = contents(after)
    for number in chosen(calls.count, step):
        folder = tmp_path / f"killed-{number}"
        linked(tally, folder)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            Calls(patch, folder, CALLS, at=number)
            pack(folder, 3)
        assert seen(folder) == before, f"killed at call {number}"
        assert audit(open_campaign(folder)).problems == [], f"killed at call {number}"
        assert pack(folder, 3) == 0
        assert contents(folder) == end, f"killed at call {number}, packing did not end"
        shutil.rmtree(folder)


@STEPS
def test_refused_at_any_call_one_sentence_says_so_and_nothing_is_lost(
    tally: Path, step: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = seen(tally)
    with pytest.MonkeyPatch.context() as patch:
        calls = Calls(patch, shutil.copytree(tally, tmp_path / "counted"), CHANGES, at=0)
        assert pack(tmp_path / "counted", 3) == 0
    for number in chosen(calls.count, step):
        folder = tmp_path / f"refused-{number}"
        linked(tally, folder)
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            Calls(patch, folder, CHANGES, at=number, refusal=errno.ENOSPC)
            code = pack(folder, 3)
        said = capsys.readouterr().err
        assert code == 0 or code == 1 and said.count("\n") == 1 and os.strerror(errno.ENOSPC) in said, said
        assert "fault of the program" not in said and seen(folder) == before
        assert audit(open_campaign(folder)).problems == []
        shutil.rmtree(folder)


def _cut(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-40])


def _flipped(archive: Path) -> None:
    """A byte of the reports."""
    data = bytearray(archive.read_bytes())
    data[data.index(b"\xfd7zXZ") + 60] ^= 255
    archive.write_bytes(bytes(data))


def _bent(archive: Path) -> None:
    """Reports that are no .xz, in an archive that is one."""
    inside = packed.files(archive.read_bytes(), archive)
    with zipfile.ZipFile(archive, "w") as file:
        for name in inside:
            if not name.startswith("reports/"):
                file.writestr(name, inside[name])
        file.writestr("reports.tar.xz", b"\xfd7zXZ\0 no more")


def _outside(archive: Path) -> None:
    """A file that would lie beside the campaign if somebody unpacked it."""
    archive.write_bytes(packed.archive({**packed.files(archive.read_bytes(), archive), "../../../evil.txt": b"x"}))


def _text(archive: Path) -> None:
    archive.write_text("my own notes\n")


def _link(archive: Path) -> None:
    archive.rename(archive.parents[2] / "elsewhere.zip")
    archive.symlink_to(archive.parents[2] / "elsewhere.zip")


def _pipe(archive: Path) -> None:
    archive.unlink()
    os.mkfifo(archive)


def _bomb(archive: Path) -> None:
    inside = packed.files(archive.read_bytes(), archive)
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in inside.items():
            file.writestr(name, data)
        with file.open("state.old", "w", force_zip64=True) as out:
            for _ in range(40):
                out.write(bytes(1 << 24))
    archive.write_bytes(made.getvalue())


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_cut, "turn.zip: This is no archive of a turn (File is not a zip file). Put the file back from a copy."),
        (
            _flipped,
            "turn.zip: This is no archive of a turn (Bad CRC-32 for file 'reports.tar.xz'). Put the file back from a copy.",
        ),
        (_bent, "turn.zip: This is no archive of a turn (not an lzma file). Put the file back from a copy."),
        (
            _outside,
            "turn.zip: This is no archive of a turn (it names a file that is in no turn). Put the file back from a copy.",
        ),
        (_text, "turn.zip: This is no archive of a turn (File is not a zip file). Put the file back from a copy."),
        (_link, "turn.zip: This is no plain file, but a link, a pipe or a folder. Put the file back from a copy."),
        (_pipe, "turn.zip: This is no plain file, but a link, a pipe or a folder. Put the file back from a copy."),
        (_bomb, "turn.zip: This is no archive of a turn (it has more than 512 MB). Put the file back from a copy."),
        (Path.unlink, "turn.zip: This can't be read: No such file or directory."),
    ],
)
def test_an_archive_that_was_harmed_is_named_and_the_other_turns_are_proved(
    tally: Path, harm: Callable[[Path], object], said: str
) -> None:
    assert pack(tally) == 0
    harm(tally / TURN / packed.ARCHIVE)
    problems = [str(problem) for problem in audit(open_campaign(tally)).problems]
    assert [problem for problem in problems if "0002" in problem][0] == f"{tally / TURN}/{said}"
    assert not any("/0003/" in problem and "before" not in problem for problem in problems)
    assert main(["status", str(tally)]) == 0 and main(["turn", "--yes", str(tally)]) == 0, "the newest turn is whole"


def test_a_file_inside_that_was_altered_is_named(tally: Path) -> None:
    assert pack(tally) == 0
    archive = tally / TURN / packed.ARCHIVE
    inside = packed.files(archive.read_bytes(), archive)
    inside["ledger.csv"] = inside["ledger.csv"].replace(b"ann", b"bob")
    archive.write_bytes(packed.archive({**inside, "reports/eve.txt": b"hello"}))
    emptied = tally / "turns/0003" / packed.ARCHIVE
    emptied.write_bytes(packed.archive({store.RECORD: packed.files(emptied.read_bytes(), emptied)[store.RECORD]}))
    problems = {problem.code: problem.file for problem in audit(open_campaign(tally)).problems}
    assert problems["digest"] == str(tally / TURN / "ledger.csv")
    assert problems["missing"].startswith(str(tally / "turns/0003"))
    assert problems["stranger"] == str(tally / TURN / "reports/eve.txt")


def test_a_turn_that_was_altered_is_not_packed_and_stops_packing(
    tally: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tally / TURN / "ledger.csv").write_bytes(b"mine\n")
    before = contents(tally / TURN)
    assert pack(tally) == 1
    assert f"{TURN}/ledger.csv: The file is not as it was kept" in capsys.readouterr().err
    assert contents(tally / TURN) == before and packed.is_note((tally / "turns/0001/turn.json").read_bytes())


def test_an_older_program_says_that_it_cannot_read_a_packed_turn(tally: Path) -> None:
    """It reads turn.json as a turn's record; this is what it does then, since the first release."""
    assert pack(tally) == 0
    file = tally / TURN / store.RECORD
    with pytest.raises(
        Faults, match="Turn 2 was kept in format 2; this program knows formats up to 1. Use a newer program."
    ):
        store.decode_record(file.read_bytes(), file)


def test_a_note_whose_line_ends_git_changed_is_still_one(tally: Path) -> None:
    before = seen(tally)
    assert pack(tally) == 0
    file = tally / TURN / store.RECORD
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert seen(tally) == before and audit(open_campaign(tally)).problems == []


def test_unpacked_by_any_program_the_turn_is_as_it_was(tally: Path) -> None:
    before = contents(tally)
    assert pack(tally) == 0
    for folder in sorted((tally / "turns").iterdir()):
        if (archive := folder / packed.ARCHIVE).exists():
            shutil.unpack_archive(archive, folder)
            shutil.unpack_archive(folder / "reports.tar.xz", folder, filter="data")
            archive.unlink()
            (folder / "reports.tar.xz").unlink()
    assert contents(tally) == before


def test_a_turn_that_is_packed_while_it_is_read_is_no_altered_one(tally: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, names_in = store.altered(tally / TURN), store.names_in

    def packed_meanwhile(folder: Path) -> list[str]:
        names = names_in(folder)
        monkeypatch.setattr(store, "names_in", names_in)
        assert pack(tally) == 0
        return names

    monkeypatch.setattr(store, "names_in", packed_meanwhile)
    assert store.altered(tally / TURN) == whole and whole[2] == []


def test_packing_tells_how_far_it_is(tally: Path) -> None:
    told: list[tuple[str, int, int]] = []
    packing.pack(tally / "turns", 2, lambda what, done, of: told.append((what, done, of)))
    assert told == [(f"turn {number} is packed", number - 1, 3) for number in (1, 2, 3)]


def test_a_run_from_packed_turns_sends_the_same_mails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where so many turns were taken back that the newest one is packed."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 28, 12, tzinfo=UTC))
    made = []
    for is_packed in (False, True):
        folder = shutil.copytree(EXAMPLE, tmp_path / "greenmarch")
        if is_packed:
            assert pack(folder, 1) == 0
        assert main(["undo", str(folder)]) == 0 and main(["undo", str(folder)]) == 0
        assert main(["run", str(folder)]) == 0
        made.append({name: data for name, data in contents(folder).items() if name.startswith(("turns/0010", "mail/"))})
        shutil.rmtree(folder)
    assert made[0] == made[1] and any(name.startswith("mail/outbox/report-0010-examplia") for name in made[0])
