"""Standard streams that are not there, or take nothing: a daemon, a panel or a wrapper of cron closed them, or a log's disk is full.
The work is done all the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.rows import sampled

ROOT = Path(__file__).parents[2]
CLOSED = sampled([[*chosen] for count in (1, 2, 3) for chosen in combinations((0, 1, 2), count)], [[1], [0, 1, 2]])
COMMANDS = [
    ["--version"], [], ["--help"], ["turn", "--help"], ["nonsense"], ["run", "."], ["status", "."], ["show", "."], ["map", "."],
    ["turn", ".", "--yes"], ["turn", "."], ["review", "."], ["ledger", ".", "--csv", "-"], ["ledger", "."], ["explain", ".", "ann", "coins"],
    ["check", "orders/0003/ann.yaml"], ["export", ".", "--to", "books.csv"], ["audit", "."], ["replay", "."], ["undo", "."], ["redo", "."],
    ["rules", "."], ["schema"], ["form", ".", "--to", "forms"], ["mail", "fetch", "."], ["mail", "send", "."], ["mail", "log", "."],
    ["rehearse", "."], ["release", "."], ["reseed", "."], ["games"], ["help", "run"], ["completion", "bash"], ["advise", ".", "ann"],
    ["correct", ".", "--turn", "1"], ["invite", ".", "ann", "ann@example.org"], ["chronicle", ".", "--to", "tale"], ["new", "made"],
    ["dice", "0" * 64, "x:1:20"], ["run", ".", ".", "--workers", "2"],
]  # fmt: skip
# Types each command in one process, without the streams that it is told, and writes down how each ended
TYPED = """
import json, os, sys
from kingdom.cli.start import run
from tests.kit import tiny_game
tiny_game.register()
closed, commands, result = json.loads(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3]
codes = []
for words in commands:
    for number in closed:
        os.close(number)
        setattr(sys, ("stdin", "stdout", "stderr")[number], None)
    sys.argv = ["kingdom", *words]
    codes.append(run())
    numbers = [os.path.realpath(f"/proc/self/fd/{number}") for number in range(3)]
    assert all(numbers[number] == os.devnull for number in closed), numbers
with open(result, "w") as file:
    json.dump(codes, file)
"""


def filed(folder: Path) -> Path:
    """A campaign with two kept turns and orders for the third."""
    tiny_game.register()
    tiny_game.played(folder)
    tiny_game.file_orders(folder, 3, "ann", "take: 2\n")
    return folder


@pytest.fixture
def tally(tmp_path: Path) -> Path:
    return filed(tmp_path / "tally")


def ended(folder: Path, closed: list[int]) -> list[int]:
    result = folder.parent / "codes"
    words = [sys.executable, "-c", TYPED, json.dumps(closed), json.dumps(COMMANDS), str(result)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0 and "Traceback" not in done.stderr + done.stdout, done.stderr
    codes: list[int] = json.loads(result.read_text())
    return codes


@pytest.fixture(scope="module")
def with_all(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[int], list[str]]:
    """(how each command ended that had all its streams, the turns that were kept then)."""
    folder = filed(tmp_path_factory.mktemp("all") / "tally")
    return ended(folder, []), sorted(os.listdir(folder / "turns"))


@pytest.mark.parametrize("closed", CLOSED, ids=str)
def test_every_command_ends_as_it_does_with_all_streams(
    closed: list[int], tally: Path, with_all: tuple[list[int], list[str]]
) -> None:
    codes, turns = with_all
    differing = [words for words, one, two in zip(COMMANDS, codes, ended(tally, closed), strict=True) if one != two]
    assert differing == []
    assert sorted(os.listdir(tally / "turns")) == turns


@pytest.mark.parametrize(
    "closing",
    ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "1</dev/null", "2</dev/null", "2>/dev/full", ">/dev/full 2>&1"],
)
def test_a_run_without_streams_does_its_work(closing: str, tally: Path) -> None:
    """As a process of its own, with what a shell can do to its streams; what runs need not be told is whether they were read."""
    program = "from tests.kit import tiny_game; tiny_game.register(); from kingdom.cli.start import run; raise SystemExit(run())"
    words = [f'exec "$@" {closing}', "sh", sys.executable, "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for command in (["run", str(tally)], ["turn", str(tally), "--yes"], ["--version"], ["status", str(tally / "none")]):
        done = subprocess.run(["sh", "-c", *words, *command], env=environment, capture_output=True, text=True)
        expected = int(command[0] == "status" or ">/dev/full 2" in closing or closing == "1</dev/null")
        assert done.returncode == expected, (command, done)
        assert "Traceback" not in done.stderr and "Error" not in done.stderr and "Exception" not in done.stderr
    assert (tally / "turns" / "0003" / "turn.json").exists()


def test_a_log_on_a_full_disk_stops_no_run(
    tally: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kingdom.cli.main._is_a_file", lambda stream: True)
    tiny_game.write(tally, "mail/inbox/1.eml", "From: ann@example.org\nMessage-ID: <1@x>\n\ntake: 1\n")
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["run", str(tally)]) == 1
    said = capsys.readouterr().err
    assert said.count("standard output: This can't be written: No space left on device.") == 1
    assert '"event":"handled"' in (tally / "mail" / "journal.jsonl").read_text()
