"""How often a run reads the same file: the rules of a campaign once while it is open, however many mails there are."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.games.realm.game import GAME
from tests.kit import tiny_game
from tests.kit.tiny_game import write

ROOT = Path(__file__).parents[2]
MOST = 3  # times that a run reads a table: for the rules in play, and where no cache has these, for those that they are made of


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[Path]:
    """How often each file was read whole."""
    count: Counter[Path] = Counter()
    real = Path.read_bytes

    def read(path: Path) -> bytes:
        count[path] += 1
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read)
    return count


def test_the_week_of_the_readme_reads_the_tables_of_its_game_once(tmp_path: Path, reads: Counter[Path]) -> None:
    folder = shutil.copytree(ROOT / "campaigns" / "greenmarch", tmp_path / "greenmarch")
    assert main(["run", str(folder)]) == 0
    tables = {path.name: times for path, times in reads.items() if path.parent == GAME.data}
    assert tables and max(tables.values()) <= MOST, tables


def test_an_open_campaign_has_its_rules_and_who_opens_it_again_reads_them_again(tmp_path: Path) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    first = campaigns.open_campaign(folder)
    rules: Any = campaigns.rules_today(first)
    assert campaigns.rules_today(first) is rules and campaigns.own_rules(first) is not None
    text = (folder / "campaign.yaml").read_text()
    write(folder, "campaign.yaml", f"{text}rules: {{take: {{most: 7}}}}\n")
    assert campaigns.rules_today(first) is rules
    again = campaigns.open_campaign(folder)
    assert campaigns.rules_today(again).digest != rules.digest == campaigns.own_rules(again).digest
