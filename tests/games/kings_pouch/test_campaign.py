"""The example campaign: a game played to its end, by hand and by a bot."""

from __future__ import annotations

import re

from kingdom.campaign import audit, replay
from kingdom.campaign import campaign as campaigns
from kingdom.engine.standings import standings
from kingdom.render import reports
from tests.kit import archives

FOLDER = archives.example("the-kings-pouch")


def test_it_is_over_and_holds() -> None:
    campaign = campaigns.open_campaign(FOLDER)
    state = campaigns.state_of(campaign, campaigns.kept(campaign))
    rules = campaigns.rules_today(campaign).rules
    assert campaign.game.finished(state) and state.turn == 10
    assert [(row.seat, row.place) for row in standings(campaign.game, state, rules)] == [
        ("cara", 1),
        ("bob", 2),
        ("alice", 3),
    ]
    assert audit.audit(campaign).problems == []
    assert [problem for _, problem in replay.replay(campaign) if problem] == []


def test_every_report_says_what_to_do_next_and_that_cards_and_map_are_house_data() -> None:
    for turn in range(11):
        for seat in ("alice", "bob", "cara"):
            text = (FOLDER / f"turns/{turn:04}/reports/{seat}.txt").read_text(encoding="utf-8")
            assert "house data" in text and all(
                len(line) <= 78 or "  kingdom dice " in line for line in text.splitlines()
            )
            assert ("WHAT TO DECIDE" in text and "ORDER FORM" in text) if turn < 10 else "Final standings" in text


def test_the_rules_page_marks_house_data_and_names_every_ruling() -> None:
    campaign = campaigns.open_campaign(FOLDER)
    page = reports.rules_page(campaign.game, campaigns.rules_today(campaign), "The King's Pouch")
    assert "House data, edition 1" in page
    tables = ("pace", "paces", "buildings", "characters", "map", "boards")
    anchors = {
        *re.findall(r'<a id="([a-z_]+)">', page),
        *re.findall(r"^### ([a-z_]+)$", page, re.M),
    }  # a heading is one
    missing = [name for name in campaign.game.Rules.__struct_fields__ if name not in (*tables, *anchors)]
    assert missing == [] and page.count("| invented |") >= 15
    linked = set(re.findall(r"\]\(#([a-z_]+)\)", page))
    assert linked <= anchors
