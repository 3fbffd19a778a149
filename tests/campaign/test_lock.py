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


# --- a system without file locks, such as Windows


@pytest.fixture
def lockless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Importing fcntl fails, as it does on Windows."""
    monkeypatch.setitem(sys.modules, "fcntl", None)


@pytest.mark.parametrize(
    "words", [["turn"], ["undo"], ["redo", "--yes"], ["run"], ["mail", "fetch"], ["release"]], ids=" ".join
)
def test_without_file_locks_a_command_that_writes_says_what_it_needs(
    folder: Path, lockless, words: list[str], capsys
) -> None:
    before = tiny_game.contents(folder)
    command, *flags = (
        [word for word in words if not word.startswith("-")],
        *[word for word in words if word.startswith("-")],
    )
    assert main([*command, str(folder), *flags]) == 2
    assert tiny_game.contents(folder) == before
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        f"kingdom {' '.join(command)}: writing a campaign needs the file locks of Linux or macOS; on Windows, run it in WSL.\n",
    )


def test_without_file_locks_no_new_campaign_is_made(tmp_path: Path, lockless, capsys) -> None:
    assert main(["new", str(tmp_path / "new")]) == 2
    assert not (tmp_path / "new").exists() and "needs the file locks" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [["status"], ["show"], ["map"], ["ledger"], ["audit"], ["replay"], ["redo"], ["turn", "--dry-run"]],
    ids=" ".join,
)
def test_without_file_locks_a_campaign_can_still_be_read_and_proved(folder: Path, lockless, words: list[str]) -> None:
    assert main([words[0], str(folder), *words[1:]]) == 0


def test_every_command_loads_without_file_locks() -> None:
    code = (
        "import sys\nsys.modules['fcntl'] = None\nfrom importlib import import_module\nfrom kingdom.cli.table import COMMANDS\n"
        "for name in {command.module for command in COMMANDS.values()}:\n    import_module(f'kingdom.cli.commands.{name}')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
