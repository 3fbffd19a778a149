"""The finished game in campaigns/the-summer-progress.tar.xz: it is sound, its orders make it, and what a newcomer should see occurs in it.

After a change of the rules: `scripts/regold campaigns/the-summer-progress.tar.xz`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kingdom.campaign import audit, replay
from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from tests.kit import archives

FOLDER = archives.example("the-summer-progress")
LAST = 21


def report(turn: int, seat: str) -> str:
    return " ".join((FOLDER / f"turns/{turn:04}/reports/{seat}.txt").read_text(encoding="utf-8").split())


def test_it_is_audited_and_replayed() -> None:
    campaign = campaigns.open_campaign(FOLDER)
    assert audit.audit(campaign).problems == []
    assert [problem for _, problem in replay.replay(campaign) if problem] == []
    assert campaigns.over(campaign, LAST + 1, campaigns.state_of(campaign, campaigns.kept(campaign)))


@pytest.mark.long
def test_its_orders_make_it_again(tmp_path: Path) -> None:
    copy = tmp_path / FOLDER.name
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("turns"))
    for _ in range(LAST + 1):
        if not (copy / f"turns/{LAST:04}").exists():
            assert main(["turn", str(copy)]) == 0
    assert (copy / f"turns/{LAST:04}/state.json").read_bytes() == (FOLDER / f"turns/{LAST:04}/state.json").read_bytes()


def test_what_occurs_in_it() -> None:
    assert "Give back 1 of your 4 cards" in report(0, "alice")
    assert "done Plan 1: B lady 3, chancellor 3" in report(2, "alice"), "a card on each of two courtiers"
    assert "knight 2 goes back to the hand of carol." in report(3, "bob"), "an ability"
    assert "The knight is in Winchester already (ruling move)" in report(
        4, "alice"
    ) and "done Plan 3: C knight" in report(4, "alice")
    assert "bob takes the pair castles 3 and land 3." in report(4, "alice")
    assert "bob scores 1 for the King's company." in report(5, "alice")
    assert "Chelmsford holds 1 and is full (ruling passing)" in report(7, "bob")
    assert "The King moves on to 10 of 10." in report(8, "alice") and "the round ended before your turn" in report(
        8, "alice"
    )
    assert "Round 2 begins: the King goes to Windsor." in report(
        8, "bob"
    ) and "carol controls the duke now, no longer bob." in report(8, "bob")
    assert "a bot gave its orders, as steward" in report(11, "carol")
    assert "alice scores 2 for castles: position 1, shared by 2" in report(14, "bob")
    assert "The last round is over." in report(LAST, "david")


def test_messages_reach_whom_they_are_for() -> None:
    assert "The bishop arrives today" in report(4, "carol") and "The bishop arrives today" not in report(4, "alice")
    assert "A fine summer to everybody" in report(1, "david")


def test_how_it_ends() -> None:
    assert "1. Carol: points 39, gifts 5, crowns 11" in report(LAST, "alice") and "4. David: points 4" in report(
        LAST, "alice"
    )
