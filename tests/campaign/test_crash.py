"""Killed at any file-system call, or refused by the disk at any: the campaign is as before, or has the whole turn."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import store, undo
from kingdom.campaign.audit import audit
from kingdom.campaign.campaign import open_campaign
from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.tiny_game import contents, file_orders, write

CALLS = (
    "open",
    "write",
    "read",
    "fsync",
    "mkdir",
    "rename",
    "unlink",
    "rmdir",
    "ftruncate",
    "listdir",
    "scandir",
    "stat",
)
CHANGES = ("open", "write", "fsync", "mkdir", "rename", "unlink", "rmdir", "ftruncate")
# The short run stops at the first call, the last, and one in eight between them.
STEPS = pytest.mark.parametrize(
    "step", [8, pytest.param(1, marks=pytest.mark.long)], ids=["every eighth call", "every call"]
)


class Killed(BaseException):
    """The program is dead: nothing catches this, and it calls nothing more."""


class Calls:
    """Counts the file-system calls below a folder, and stops the program at one of them, or has the system refuse it."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, folder: Path, names: tuple[str, ...], at: int, refusal: int = 0
    ):
        self.count, self.at, self.refusal = 0, at, refusal
        self.folder = os.fspath(folder)
        self.ours: set[int] = set()  # descriptors of files below the folder
        for name in names:
            monkeypatch.setattr(os, name, self.counted(name, getattr(os, name)))
        monkeypatch.setattr(undo, "exchange", self.counted("rename", undo.exchange))

    def counted(self, name: str, call: Any) -> Any:
        def counting(*given: Any, **named: Any) -> Any:
            if not self.concerns(given[0] if given else None) and named.get("dir_fd") not in self.ours:
                return call(*given, **named)
            self.count += 1
            if self.refusal and self.count == self.at:
                raise OSError(self.refusal, os.strerror(self.refusal), str(given[0]))
            if not self.refusal and 0 < self.at <= self.count:
                raise Killed
            result = call(*given, **named)
            if name == "open":
                self.ours.add(result)
            return result

        return counting

    def concerns(self, what: Any) -> bool:
        if isinstance(what, int):
            return what in self.ours
        return what is not None and os.fspath(what).startswith(self.folder)


CASES = {
    "turn 0 and 1": (["turn"], 0),
    "turn": (["turn"], 2),
    "undo": (["undo"], 2),
    "undo --reopen": (["undo", "--reopen"], 2),
    "redo": (["redo", "--yes"], 2),
    "redo without exchange": (["redo", "--yes"], 2),
    "undo in an image": (["undo"], 2),
    "undo --reopen in an image": (["undo", "--reopen"], 2),
    "redo in an image": (["redo", "--yes"], 2),
}


@pytest.fixture(params=list(CASES))
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Path, list[str], bool]]:
    """(a campaign before a command, the same after it, the command's words, its name in CASES)"""
    tiny_game.register()
    words, turns = CASES[request.param]
    before, after = tmp_path / "before", tmp_path / "after"
    if turns:
        tiny_game.played(before, turns)
    else:
        tiny_game.campaign(before)
    file_orders(before, turns + 1, "ann", "take: 2\n")
    if words[0] == "redo":
        write(before, "campaign.yaml", tiny_game.CAMPAIGN + "rules: {take: {most: 2}}\n")
    shutil.copytree(before, after)
    assert command(after, words) == 0
    return before, after, words, request.param


def command(folder: Path, words: list[str]) -> int:
    return main([words[0], str(folder), *words[1:]])


def linked(before: Path, folder: Path) -> None:
    """A copy that shares the files: the program replaces a file and never writes into it, which the tests hold at their end."""
    shutil.copytree(before, folder, copy_function=os.link, ignore=shutil.ignore_patterns(".kingdom.lock"))


def chosen(calls: int, step: int) -> list[int]:
    """Every `step`th call, with the first and the last."""
    return sorted({*range(1, calls + 1, step), calls})


def kept(folder: Path) -> dict[str, bytes]:
    """What a reader sees of the kept turns, whatever else lies about."""
    return kept_of(contents(folder))


def kept_of(files: dict[str, bytes]) -> dict[str, bytes]:
    return {
        name: data
        for name, data in files.items()
        if name.startswith("turns/")
        and not name.startswith("turns/.")
        and f"turns/.{name[6:10]}{store.MOVED}" not in files
    }


def cleared(folder: Path) -> dict[str, bytes]:
    """What is there once the next run has cleared away; the mark of a turn that was not taken back after all means nothing."""
    undo.clear(open_campaign(folder))
    there = contents(folder)
    return {
        name: data
        for name, data in there.items()
        if not name.endswith(".reopened") or name[:13] + "/turn.json" in there
    }


def lacking(patch: pytest.MonkeyPatch, name: str) -> None:
    """Take away what the disk of a case can't do: folders change places; and a folder that came with a container's image, which lies in a
    layer below what can be written, gets another name."""
    if "without exchange" in name or "image" in name:
        patch.setattr(undo, "exchange", lambda one, other: False)
    if "image" in name:
        rename, came = os.rename, set[str]()

        def renaming(old: Any, new: Any) -> None:
            place = Path(old)
            if place.parent.name == "turns" and place.name.isdigit() and str(place) not in came:
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(old))
            came.add(str(new))
            rename(old, new)

        patch.setattr(os, "rename", renaming)


def total(case: tuple[Path, Path, list[str], bool], tmp_path: Path, names: tuple[str, ...]) -> int:
    """How many calls the command makes."""
    before, _, words, name = case
    folder = tmp_path / "counted"
    linked(before, folder)
    with pytest.MonkeyPatch.context() as patch:
        lacking(patch, name)
        calls = Calls(patch, folder, names, at=0)
        assert command(folder, words) == 0
    return calls.count


@STEPS
def test_killed_at_any_call_the_campaign_is_as_before_or_has_the_whole_turn(case, step: int, tmp_path: Path) -> None:
    before, after, words, name = case
    calls = total(case, tmp_path, CALLS)
    start, end, fresh = contents(before), contents(after), cleared(before)
    readable = stages(start, end, name)
    seen = set()
    for number in chosen(calls, step):
        folder = tmp_path / f"killed-{number}"
        linked(before, folder)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            lacking(patch, name)
            Calls(patch, folder, CALLS, at=number)
            command(folder, words)
        left = kept(folder)
        assert left in readable, f"killed at call {number} of {calls}"
        whole = left == kept_of(end)
        seen.add(whole)
        assert audit(open_campaign(folder)).problems == []
        there = cleared(folder)
        if words == ["turn"] and not whole:
            assert command(folder, words) == 0
            there = contents(folder)
            assert there == end, f"killed at call {number} of {calls}, the next run made another turn"
        else:
            assert there in (fresh, end), f"killed at call {number} of {calls}"
        shutil.rmtree(folder)
    assert seen == {False, True}  # some were killed before the rename, and some after it
    assert (contents(before), contents(after)) == (start, end)


def stages(before: dict[str, bytes], after: dict[str, bytes], name: str = "") -> list[dict[str, bytes]]:
    """The states that a reader may see: before and after; turn 0 alone where two turns are made; and the moment between two
    renames where folders can't be exchanged."""
    old, new = kept_of(before), kept_of(after)
    found = [old, new]
    if not old:
        found.append({name: data for name, data in new.items() if name.startswith("turns/0000")})
    if name in ("redo without exchange", "redo in an image"):
        found.append({name: data for name, data in old.items() if not name.startswith("turns/0002")})
    return found


@STEPS
@pytest.mark.parametrize("refusal", [errno.ENOSPC, errno.EROFS], ids=["disk full", "read-only"])
def test_refused_at_any_call_one_sentence_says_so_and_nothing_has_changed(
    case, step: int, tmp_path: Path, capsys, refusal: int
) -> None:
    before, after, words, name = case
    calls = total(case, tmp_path, CHANGES)
    start, end, fresh = contents(before), contents(after), cleared(before)
    readable = stages(start, end)
    for number in chosen(calls, step):
        folder = tmp_path / f"refused-{number}"
        linked(before, folder)
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            lacking(patch, name)
            Calls(patch, folder, CHANGES, at=number, refusal=refusal)
            code = command(folder, words)
        said = capsys.readouterr().err
        where = f"refused at call {number} of {calls}: {said}"
        if code == 0:  # a folder that could not be synced: it is done all the same
            assert kept(folder) == kept_of(end), where
        else:
            assert code == 1 and said.count("\n") == 1, where
            assert os.strerror(refusal) in said and "Traceback" not in said and "fault of the program" not in said, (
                where
            )
            assert kept(folder) in readable, where
        assert audit(open_campaign(folder)).problems == []
        assert cleared(folder) in (fresh, end, {**fresh, **kept(folder)}), where
        shutil.rmtree(folder)
    assert (contents(before), contents(after)) == (start, end)


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (["undo"], "kingdom.cli.commands.undo.tell"),
        (["redo", "--yes"], "kingdom.cli.commands.undo._settle"),
        (["reseed"], "kingdom.cli.commands.seed.Afterwards"),
        (["turn"], "kingdom.cli.commands.turn.turns_are_kept"),
        (["release"], "kingdom.cli.commands.mail._stands"),
        (["invite", "ann", "ann@example.org"], "kingdom.mail.outgoing.inviting._said"),
    ],
)
def test_a_fault_of_the_program_after_the_change_never_says_that_nothing_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], where: str
) -> None:
    tiny_game.register()
    folder = tiny_game.played(tmp_path / "tally")
    if words[0] == "redo":
        write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "rules: {take: {most: 2}}\n")

    def broken(*given: object) -> None:
        raise RuntimeError("broken")

    before = contents(folder)
    monkeypatch.setattr(where, broken)
    capsys.readouterr()
    assert command(folder, words) == 1
    said = capsys.readouterr()
    assert contents(folder) != before and "RuntimeError: broken" in said.err
    assert "Nothing" not in said.err and ("Some of it may be done" in said.err or "`kingdom" in said.err)


@pytest.mark.parametrize("words", [["undo"], ["turn"], ["reseed"]])
def test_a_fault_of_the_program_before_the_change_says_that_nothing_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    tiny_game.register()
    folder = tiny_game.played(tmp_path / "tally")

    def broken(*given: object) -> None:
        raise RuntimeError("broken")

    for where in ("undo.undo", "next_turn.drafts", "reseeding.reseed"):
        monkeypatch.setattr(f"kingdom.campaign.{where}", broken)
    time.sleep(
        0.02
    )  # the clock of the files ticks a few times in that: what was written before is older than the command
    capsys.readouterr()
    assert command(folder, words) == 1
    assert "(RuntimeError: broken). Nothing was changed. This is a fault of the program" in capsys.readouterr().err


def test_what_a_killed_new_campaign_left_is_cleared_by_the_next(tmp_path: Path) -> None:
    tiny_game.register()
    folder = tmp_path / "fresh"
    with pytest.MonkeyPatch.context() as patch:
        calls = Calls(patch, tmp_path, CHANGES, at=0)
        assert main(["new", str(folder), "--game", "tally"]) == 0
    names = sorted(contents(folder))
    shutil.rmtree(folder)
    for number in range(1, calls.count + 1):
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            Calls(patch, tmp_path, CHANGES, at=number)
            main(["new", str(folder), "--game", "tally"])
        assert not folder.exists() or sorted(contents(folder)) == names
        if not folder.exists():
            assert main(["new", str(folder), "--game", "tally"]) == 0
        assert sorted(contents(folder)) == names
        assert os.listdir(tmp_path) == ["fresh"]
        shutil.rmtree(folder)


DICE = {  # commands after which other dice are promised -> the words, whether the campaign is over before
    "reseed": (["reseed"], False),
    "undo --reopen": (["undo", "--reopen"], False),
    "undo of an end": (["undo"], True),
    "undo --reopen of an end": (["undo", "--reopen"], True),
    "correct": (["correct", "--turn", "1", "--yes"], False),
}


@pytest.fixture(params=list(DICE))
def promised(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[str]]:
    """(a campaign with a secret seed before a command, the command's words)"""
    tiny_game.register()
    words, is_over = DICE[request.param]
    monkeypatch.setattr(secrets, "token_hex", lambda count: "0badc0de9a3b48c2e6d07f5b19a4c83e"[:count])
    folder = tiny_game.campaign(tmp_path / "before")
    text = tiny_game.CAMPAIGN.replace("public, this is a test", "5c0e7d1f9a3b48c2e6d07f5b19a4c83e")
    text = text.replace("public_seed: true\n", "")
    write(folder, "campaign.yaml", text + ("ends: {turn: 2}\n" if is_over else ""))
    for _ in range(3):
        assert command(folder, ["turn"]) == 0
    if words[0] == "correct":
        file_orders(folder, 1, "ann", "take: 2\n")
    return folder, words


@STEPS
@pytest.mark.parametrize("refusal", [0, errno.ENOSPC], ids=["killed", "disk full"])
def test_stopped_at_any_call_the_dice_that_are_promised_are_those_that_fall(
    promised: tuple[Path, list[str]], step: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], refusal: int
) -> None:
    """Nothing is torn: the audit finds nothing, the command can be typed again, and then the turn is played and proved."""
    before, words = promised
    names = CHANGES if refusal else CALLS
    counted = tmp_path / "counted"
    shutil.copytree(before, counted)
    with pytest.MonkeyPatch.context() as patch:
        calls = Calls(patch, counted, names, at=0)
        assert command(counted, words) == 0
    for number in chosen(calls.count, step):
        folder, where = tmp_path / f"stopped-{number}", f"stopped at call {number} of {calls.count}"
        shutil.copytree(before, folder)
        with pytest.MonkeyPatch.context() as patch, contextlib.suppress(Killed):
            Calls(patch, folder, names, at=number, refusal=refusal)
            command(folder, words)
        assert audit(open_campaign(folder)).problems == [], where
        text = (folder / "campaign.yaml").read_text()
        if "ends:" in text:
            write(folder, "campaign.yaml", text.replace("ends: {turn: 2}\n", "ends: {turn: 9}\n"))
        capsys.readouterr()
        for _ in range(2):
            if command(folder, ["turn"]):
                assert "`kingdom reseed" in capsys.readouterr().err, where
                assert command(folder, ["reseed"]) == 0 and command(folder, ["turn"]) == 0, where
        assert audit(open_campaign(folder)).problems == [], where
        left = [file for place in ("turns", "undone", "promises") for file in (folder / place).glob(".*")]
        assert left == [], where
        shutil.rmtree(folder)
