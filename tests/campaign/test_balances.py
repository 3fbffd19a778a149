"""The accounts of the last turns, reckoned backwards from the books: they are what each kept turn's state says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kingdom.campaign import balances, replay
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from tests.campaign.test_kept import result_of
from tests.kit import archives


def rows_of(campaign: Campaign, number: int) -> dict[str, list[balances.Row]]:
    return balances.last_turns(campaign, result_of(campaign, number), replay.loaded(campaign, number).rules.rules)


@pytest.mark.parametrize("name", ["greenmarch", "war-of-the-ford"])
def test_each_row_is_what_that_turn_left(name: str) -> None:
    campaign = campaigns.open_campaign(archives.example(name))
    newest = campaigns.newest(campaign)
    for seat, rows in rows_of(campaign, newest).items():
        assert [row["turn"] for row in rows] == list(range(max(0, newest - balances.TURNS + 1), newest + 1))[
            -len(rows) :
        ]
        for row in rows:
            turn = campaigns.kept(campaign, row["turn"])
            state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
            assert row == {"turn": row["turn"], **campaign.game.accounts(state, seat, rules)}


def test_the_start_has_one_row() -> None:
    campaign = campaigns.open_campaign(archives.example("greenmarch"))
    assert all([row["turn"] for row in rows] == [0] for rows in rows_of(campaign, 0).values())


def test_where_a_ledger_was_altered_the_rows_begin_behind_it(tmp_path: Path) -> None:
    folder = tmp_path / "greenmarch"
    shutil.copytree(archives.example("greenmarch"), folder)
    with open(folder / "turns" / "0004" / "ledger.csv", "a", encoding="utf-8") as ledger:
        ledger.write("4,999,gm,gm_orders,examplia,treasury,5,500,grant,forged\n")
    campaign = campaigns.open_campaign(folder)
    assert [row["turn"] for row in rows_of(campaign, 6)["examplia"]] == [4, 5, 6]
    (folder / "turns" / "0004" / "ledger.csv").unlink()
    assert [row["turn"] for row in rows_of(campaign, 6)["examplia"]] == [4, 5, 6]
