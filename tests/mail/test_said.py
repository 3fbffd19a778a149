"""Refused by the disk at any call by which it changes something: what the command said is what is so.

"Nothing was changed" is said if nothing was, and typed again the command does its work. What is done is said as done, and what
the next run is to do, that run does.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from kingdom.campaign import undone_turns
from kingdom.engine.problems import Faults
from kingdom.mail.journal import Journal
from tests.kit.tiny_game import contents, write
from tests.mail.test_killed import AFTERWARDS, CASES, FRIDAY, REVIEW, WEEK, Bed, Case, assert_true_mails
from tests.shim.commands import Ended

pytestmark = [
    pytest.mark.package("gcc", "cc"),
    pytest.mark.package("libc6-dev", "gencat"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
UNCHANGED = ("Nothing was changed", "Nothing is released yet")
STAYS = "What is done stays done"
CASES = {
    "turn": Case(("turn",), state="due"),
    "turns": Case(("turn", "--turns", "2", "--yes"), state="due"),
    **{name: CASES[name] for name in ("undo", "undo --reopen", "redo", "correct", "release", "invite", "run")},
}
DONE = {  # what a command says of itself once it is done
    "turn": r"Turn 2 of .* is kept in|Turn 2 is kept\.",
    "turns": r"Turn 2 of .* is kept in|Turn 2 is kept\.|Turns 2 and 3 are kept\.",
    "undo": r"Turn 2 is taken back",
    "undo --reopen": r"Turn 2 is taken back",
    "redo": r"Turn 2 is replaced",
    "correct": r"They are filed in ",
    "release": r"reports? (is|are) released",
    "invite": r"borderia is Bea's now",
    "run": r"Turn 2 is due: ",
}
# the short run: which part of the way to the end of the calls is refused, so that it is before the commit here and after it there
SHORT = {
    "turn": 0.97,
    "undo": 0.5,
    "undo --reopen": 0.9,
    "redo": 0.99,
    "correct": 0.3,
    "release": 0.7,
    "invite": 0.6,
    "run": 0.8,
}


class Published(Bed):
    """The same campaigns, which show their pages in a folder."""

    def settings(self, folder: Path, review: str = "", rules: str = "") -> None:
        """Write campaign.yaml."""
        super().settings(folder, review, rules)
        file = folder / "campaign.yaml"
        file.write_text(file.read_text() + "publish: {folder: ../pub}\n")

    def refused(self, folder: Path, case: Case, at: int, how: str) -> Ended:
        """The command, typed in a campaign whose disk refuses a call; none for 0."""
        self.post.received.clear()
        self.now = FRIDAY + WEEK + timedelta(minutes=90)
        words = [case.words[0], str(folder), *case.words[1:]]
        return self.commands.killed(words, self.now, folder, at, how)


@pytest.fixture(scope="module")
def bed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    made = Published(tmp_path_factory.mktemp("refused"))
    yield made
    made.stop()


def so(folder: Path) -> dict[str, object]:
    """What a person would call the campaign: its turns, its orders, its settings, its pages, and what was released."""
    files = {name: data for name, data in contents(folder).items() if "/." not in f"/{name}"}
    own = {name: data for name, data in files.items() if not name.startswith(("mail/", ".kingdom.lock"))}
    own = {name: data for name, data in own.items() if not name.endswith(".reopened")}
    opened = sorted(name for name in undone_turns.reopened(folder) if (folder / "undone" / name).is_dir())
    return {**own, "opened": opened, "released": Journal(folder / "mail").released}


def committed(name: str, before: dict[str, object], now: dict[str, object]) -> bool:
    """Whether the command did what it is for."""
    if name in ("release", "invite"):
        key = {"release": "released", "invite": "campaign.yaml"}[name]
        return before[key] != now[key]
    where = {"correct": "orders/0003/gm.yaml", "run": "turns/0002/turn.json"}.get(name, "turns/0002/turn.json")
    return before.get(where) != now.get(where)


CHOSEN = [
    *(pytest.param(name, "full", part, id=f"{name}-full-one call") for name, part in SHORT.items()),
    *(
        pytest.param(name, how, 0.0, id=f"{name}-{how}-every call", marks=pytest.mark.long)
        for name in CASES
        for how in ("full", "read-only")
    ),
]


@pytest.mark.parametrize(("name", "how", "part"), CHOSEN)
def test_what_is_said_is_what_is_so(bed: Published, tmp_path: Path, name: str, how: str, part: float) -> None:
    case = CASES[name]
    before = tmp_path / "before"
    shutil.copytree(bed.held if case.state == "held" else bed.due, before)
    bed.settings(before, REVIEW if case.state == "held" else "", case.rules)
    for file, text in case.files:
        write(before, file, text)
    start = so(before)
    sent = {entry["mail"] for entry in Journal(before / "mail").mails.values() if entry["fate"] == "sent"}
    whole = tmp_path / "whole" / "campaign"  # each beside pages of its own
    shutil.copytree(before, whole)
    ended = bed.refused(whole, case, 0, how)
    assert ended.code == 0 and re.search(DONE[name], ended.said) and committed(name, start, so(whole)), ended.said
    there = named(whole)
    pages = published(bed, whole)
    if name.startswith("undo"):  # the run plays the turn again: pages of the turn before are written by the undo alone
        pages -= there
        assert pages
    disk = [number for number, call in enumerate(ended.calls, 1) if "socket:" not in call]
    assert len(disk) > 5
    wrong = []
    for number in [disk[int(len(disk) * part)]] if part else disk:
        folder = tmp_path / "refused" / "campaign"
        shutil.copytree(before, folder)
        ended = bed.refused(folder, case, number, how)
        where = f"{name}, {how} at call {number} ({ended.calls[number - 1]}) said:\n{ended.said}"
        try:
            assert_true(bed, folder, name, start, ended, how, where)
            assert_true_mails(bed, folder, where, sent, ended.calls)
            # a new token makes new names of pages, and a later turn is not typed again
            if name not in ("invite", "turns"):
                assert published(bed, folder) >= pages, where
        except AssertionError as error:
            wrong.append(str(error) or repr(error))
        shutil.rmtree(folder.parent)
    print(f"FIGURES {name} {how}: {len(disk)} points, {len(wrong)} wrong", flush=True)
    assert not wrong, f"{len(wrong)} of {len(disk)}:\n" + "\n\n".join(wrong)


def assert_true(
    bed: Published, folder: Path, name: str, start: dict[str, object], ended: Ended, how: str, where: str
) -> None:
    """What it said is so; if it said that nothing was changed, the command does its work when it is typed again."""
    assert ended.code >= 0 and "Traceback" not in ended.said and "fault of the program" not in ended.said, where
    assert_so(name, start, so(folder), ended, where)
    if any(words in ended.said for words in UNCHANGED):
        again = bed.refused(folder, CASES[name], 0, how)
        assert again.code == 0 and committed(name, start, so(folder)), f"{where}typed again it said:\n{again.said}"


def assert_so(name: str, before: dict[str, object], now: dict[str, object], ended: Ended, where: str) -> None:
    """The words that begin or end what was said fit what is there."""
    done, unchanged = committed(name, before, now), any(words in ended.said for words in UNCHANGED)
    assert done == bool(re.search(DONE[name], ended.said)), where
    if unchanged:
        assert {key: value for key, value in now.items() if before.get(key) != value} == {}, where
        assert ended.code == 1, where
    if ended.code and not done and not unchanged:
        assert STAYS in ended.said and name == "run", where
    if "--turns" in CASES[name].words:
        assert ("turns/0003/turn.json" in now) == bool(re.search(r"Turn 3 of .* is kept in", ended.said)), where


def published(bed: Published, folder: Path) -> set[str]:
    """The pages after a run, when all reports are released."""
    for days in (0, 2):  # a turn that the first run plays again waits for its release
        bed.now = FRIDAY + WEEK + AFTERWARDS + timedelta(days=days)
        bed.run(folder)
    return named(folder)


def named(folder: Path) -> set[str]:
    """The pages that are there."""
    place = folder.parent / "pub"
    return {file.name for file in place.iterdir() if not file.name.startswith(".")} if place.is_dir() else set()


def test_a_line_of_the_journal_that_was_not_synced_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path)
    journal.add("hold", FRIDAY, turn=2)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(Faults):
        patch.setattr(os, "fsync", full)
        journal.add("release", FRIDAY, turn=0)
    assert Journal(tmp_path).held == 2 and journal.held == 2
    journal.add("hold", FRIDAY, turn=3)
    assert Journal(tmp_path).held == 3
