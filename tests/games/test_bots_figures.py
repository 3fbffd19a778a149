"""`scripts/bots` plays what docs/bots.md says of the bots, and prints its table."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from statistics import median

import bots
import bots_kingdoms
import bots_mixed
import bots_raids
import bots_workers
import pytest

from kingdom.engine import game as games

ROOT = Path(__file__).parents[2]


def said(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "scripts/bots.py", *words], capture_output=True, text=True, cwd=ROOT)


def rows(text: str, head: str = "| game |") -> list[list[str]]:
    """The cells of each row of the table whose first line begins so."""
    table = next(block for block in text.split("\n\n") if block.strip().startswith(head))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]


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


def test_steady_bots_and_stewards_keep_their_kingdoms_and_nothing_that_they_order_is_refused() -> None:
    """A short campaign of each; the long run plays whole ones, and docs/bots.md has the figures of many."""
    grown = bots_kingdoms.campaign("steady", 12, "a public seed")
    assert all(life.size >= 4 and min(life.treasury) >= 0 for life in grown.lives) and not grown.refused
    kept = bots_kingdoms.campaign("steward", 12, "a public seed")
    assert all(life.size == 1 and life.unrest[-1] <= 1 for life in kept.lives) and not kept.refused
    assert bots_kingdoms.campaign("steward", 3, "a public seed") == bots_kingdoms.campaign(
        "steward", 3, "a public seed"
    )


def test_a_table_of_all_tempers_says_how_each_kept_its_kingdom() -> None:
    """A row for each, and one for all; of a short campaign, in which no turn is a late one."""
    years = bots_mixed.year("a public seed 1", turns=3)
    assert sorted(each.bot for each in years) == sorted(bots_mixed.BOTS) and all(len(each.size) == 3 for each in years)
    late = [each._replace(treasury=[9] * bots_mixed.TURNS, idle=[True, False]) for each in years]
    cells = [cell.strip() for cell in bots_mixed.row("all", late).strip("|").split("|")]
    assert cells[:2] == ["`all`", "6"] and cells[4:5] == ["50 %"] and cells[6:8] == ["9", "0.0 %"]


def test_whoever_plays_them_campaigns_are_the_same() -> None:
    play, seeds = partial(bots_kingdoms.campaign, "steady", 1), ["public 1", "public 2"]
    parser = argparse.ArgumentParser()
    bots_workers.options(parser)
    with bots_workers.team_of(parser.parse_args(["--workers", "2"])) as team:
        assert bots_workers.played(play, seeds, team) == [play(seed) for seed in seeds] and not team.news()


@pytest.mark.long
@pytest.mark.parametrize("number", range(3))
def test_nearly_all_kingdoms_of_steady_bots_live_for_a_year(number: int) -> None:
    played = bots_kingdoms.campaign("steady", 52, f"long run {number}")
    assert sum(life.size > 0 for life in played.lives) >= bots_kingdoms.KINGDOMS - 1
    assert median(life.size for life in played.lives) >= 15 and played.refused <= played.given / 100


@pytest.mark.long
@pytest.mark.parametrize(("bot", "turns", "guards", "most"), [("strong", 14, 0, 6), ("steady", 8, 2, 2)])
def test_a_raid_brings_little_and_no_proposal_of_peace(bot: str, turns: int, guards: int, most: int) -> None:
    """A sample; docs/bots.md has the figures of many. A bot with guards that lost nothing may propose peace."""
    played = [bots_raids.raid(bot, turns, f"long run raid {number}", guards) for number in range(3)]
    assert sum(raid.held for raid in played) / 3 <= most, played
    assert not sum(raid.peaces for raid in played if raid.most or not guards), played


@pytest.mark.long
def test_two_years_of_six_steady_bots_are_played_proved_and_played_again(tmp_path: Path) -> None:
    """docs/bots.md has what ten years take."""
    place = tmp_path / "two years"
    kingdom("new", "--kingdoms", "6", "--bots", "6", str(place))
    settings = place / "campaign.yaml"
    settings.write_text(re.sub(r"bot: \w+", "bot: steady", settings.read_text()))
    kingdom("turn", "--turns", "104", "--yes", str(place))
    assert len([*(place / "turns").iterdir()]) == 105
    assert "The books balance, the dice are the seed's, and each turn follows from its orders." in kingdom(
        "audit", str(place)
    )
    assert kingdom("replay", str(place)).count("the same state, dice and ledger") == 105


def kingdom(*words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "kingdom", *words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
