"""`scripts/bots` plays what docs/bots.md says of the bots, and prints its table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import bots
import pytest

from kingdom.engine import game as games

ROOT = Path(__file__).parents[2]


def said(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "scripts/bots.py", *words], capture_output=True, text=True, cwd=ROOT)


def rows(text: str) -> list[list[str]]:
    """The cells of each row of the table."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]


@pytest.mark.long
def test_the_table_in_the_docs_is_the_one_that_the_command_prints() -> None:
    """But for the figures, which take some minutes."""
    told, printed = rows((ROOT / "docs" / "bots.md").read_text(encoding="utf-8")), rows(said("--games", "1").stdout)
    assert [row[:3] for row in told] == [row[:3] for row in printed] and {len(row) for row in (*told, *printed)} == {6}


def test_every_game_of_the_table_is_one_and_its_bots_are() -> None:
    assert {row.game for row in bots.ROWS} <= {*games.names()}
    assert all(row.bot in games.load(row.game).bots for row in bots.ROWS)


def test_the_same_seeds_give_the_same_games() -> None:
    row = next(row for row in bots.ROWS if row.game == "kings_pouch")
    assert list(bots.contest(row, (2, 3), 4)) == list(bots.contest(row, (2, 3), 4))


def test_a_share_of_a_first_place_is_told() -> None:
    row = next(row for row in bots.ROWS if row.bot == "random")
    assert 0 < sum(each.won for each in bots.contest(row, (2,), 30)) < 30


def test_a_game_that_is_none_is_wrong_usage() -> None:
    done = said("chess")
    assert done.returncode == 2 and "kings_pouch" in done.stderr
