"""One run at a time holds a campaign; whoever comes second is told, and readers need not wait."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kingdom.campaign import lock
from kingdom.cli.main import main
from tests.kit import tiny_game

HOLDER = """
import sys, time
from pathlib import Path
from kingdom.campaign import lock
with lock.held(Path(sys.argv[1]), "turn"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tiny_game.register()
    folder = tiny_game.played(tmp_path / "tally", turns=1)
    tiny_game.file_orders(folder, 2, "ann", "take: 2\n")
    return folder


@pytest.fixture
def holder(folder: Path) -> Iterator[subprocess.Popen]:
    """Another run that holds the campaign."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("words", [["turn"], ["undo"], ["undo", "--reopen"], ["redo", "--yes"]])
def test_a_second_run_ends_with_code_3_and_changes_nothing(folder: Path, holder, words: list[str], capsys) -> None:
    before = tiny_game.contents(folder)
    assert main([words[0], str(folder), *words[1:]]) == 3
    assert tiny_game.contents(folder) == before
    said = capsys.readouterr()
    assert said.err == (
        f"{folder}: another run holds this campaign (kingdom turn, process {holder.pid}). Wait until it ends, then run this again.\n"
    )


@pytest.mark.parametrize(
    "words",
    [["status"], ["show"], ["map"], ["ledger"], ["audit"], ["replay"], ["redo"], ["turn", "--dry-run"]],
    ids=lambda words: " ".join(words),
)
def test_who_only_reads_need_not_wait(folder: Path, holder, words: list[str]) -> None:
    assert main([words[0], str(folder), *words[1:]]) == 0


def test_a_killed_run_holds_nothing(folder: Path, holder) -> None:
    holder.kill()
    holder.wait()
    assert main(["turn", str(folder)]) == 0


def test_the_lock_is_let_go_when_the_work_fails(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), lock.held(tmp_path, "turn"):
        raise RuntimeError
    with lock.held(tmp_path, "undo"):
        with pytest.raises(lock.Held, match="kingdom undo, process"), lock.held(tmp_path, "turn"):
            pass
