"""Several campaigns side by side: `kingdom review A B`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kingdom.cli.main import main
from tests.books.test_exports import entries, sheets
from tests.kit import archives

WAR, GREENMARCH = archives.example("war-of-the-ford"), archives.example("greenmarch")


def said(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> str:
    """What `kingdom review` of these prints, in one line; errors too."""
    capsys.readouterr()
    assert main(["review", *map(str, words)]) == code
    printed = capsys.readouterr()
    return " ".join((printed.out + printed.err).split())


def test_length_standings_and_downfalls_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, WAR, GREENMARCH)
    last = [accounts for turn, _, accounts in sheets(WAR) if turn == 14]
    sizes, treasuries = ([accounts[account] for accounts in last] for account in ("size", "treasury"))
    mean = f"{sum(sizes) / len(sizes):.1f} {sum(treasuries) / len(treasuries):.1f}"
    assert f"war-of-the-ford 14 5 1 The Hartmark {mean}" in text
    assert (
        "war-of-the-ford: 1 The Hartmark (size 20, treasury 66), 2 The Queendom of the Karrak (size 18, treasury -9),"
        in text
    )
    lost = [entry for entry in entries(WAR) if entry[4:6] == ("saltgate", "size") and 11 <= entry[0] <= 14]
    retired = sum(entry[6] for entry in lost if entry[8] == "retire")
    assert (
        f"The Salt Cities is out of play since turn 14: size from {lost[0][7] - lost[0][6]} to 0 (retire {retired}, claim +1)."
        in text
    )
    assert "greenmarch: Dunmoor is out of play since turn 6: size from 4 to 0 (abandon -4);" in text


def test_campaigns_of_other_games_and_a_folder_of_campaigns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("six-cities", "the-kings-pouch"):
        shutil.copytree(archives.example(name), tmp_path / name)
    text = said(capsys, tmp_path)
    assert "six-cities" in text and "the-kings-pouch" in text and "Every kingdom is in play." in text


def test_one_that_cant_be_read_stops_no_other_and_errors_of_the_books_are_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    wrong = shutil.copytree(GREENMARCH, tmp_path / "wrong")
    ledger = wrong / "turns/0009/ledger.csv"
    ledger.write_bytes(ledger.read_bytes().replace(b",examplia,", b",borderia,", 1))
    text = said(capsys, WAR, wrong, tmp_path / "none", code=1)
    assert "The Hartmark" in text and "There is no campaign here" in text
    assert "wrong: the books have 1 error" in text
    assert "are of one campaign" in said(capsys, WAR, GREENMARCH, "--turn", "3", code=2)
