"""The example campaign: a contest of three on two castles, played to its end."""

from __future__ import annotations

from kingdom.campaign import audit, replay
from kingdom.campaign import campaign as campaigns
from kingdom.engine import standings
from tests.kit import archives

CAMPAIGN = campaigns.open_campaign(archives.example("normandy"))


def test_it_holds_and_runs_again_as_it_was() -> None:
    assert audit.audit(CAMPAIGN).problems == []
    assert [problem for _, problem in replay.replay(CAMPAIGN) if problem] == []


def test_it_is_over_and_athos_played_both_castles_perfectly() -> None:
    turn = campaigns.kept(CAMPAIGN)
    state, rules = campaigns.state_of(CAMPAIGN, turn), campaigns.rules_of(CAMPAIGN, turn).rules
    assert CAMPAIGN.game.finished(state) == "every castle is finished"
    rows = [(row.place, row.seat, row.figures["total"]) for row in standings.standings(CAMPAIGN.game, state, rules)]
    assert rows[0] == (1, "athos", 104) and len(rows) == 3


def test_every_report_says_what_is_asked_or_that_it_is_over() -> None:
    for file in sorted(CAMPAIGN.folder.glob("turns/*/reports/*.txt")):
        text = " ".join(file.read_text(encoding="utf-8").split())
        assert ("The game is over" in text) != ("Asked of you" in text), file
