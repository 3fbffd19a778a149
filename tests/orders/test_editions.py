"""Editions of a game's rules: a campaign plays the one that it names, the first where it names none, until it is told otherwise."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.engine import game as games
from kingdom.engine.problems import Faults
from kingdom.orders import editions, tables
from tests.kit import archives, small_realm
from tests.kit.tiny_game import file_orders, write

REALM = games.load("realm")
KEPT = archives.releases() / "0.3.0"


def named(folder: Path, edition: str) -> Path:
    write(folder, "campaign.yaml", f"{edition}\n{small_realm.CAMPAIGN}")
    return folder


def test_the_first_edition_is_what_0_3_0_played() -> None:
    """To the byte, so that an old campaign's next turn has the rules of its last."""
    turn = campaigns.kept(campaigns.open_campaign(KEPT / "every_order"))
    own = campaigns.open_campaign(KEPT / "every_order")
    assert tables.changes(campaigns.rules_of(own, turn), campaigns.rules_today(own)) == []
    assert campaigns.rules_of(own, turn).digest == campaigns.rules_today(own).digest


@pytest.mark.parametrize("name", games.names())
def test_every_edition_of_every_game_can_be_played(name: str) -> None:
    game = games.load(name)
    newest = editions.newest(game)
    found = [tables.load(game, edition=number) for number in range(1, newest + 1)]
    assert found[-1] == tables.load(game)
    assert all(tables.changes(*pair) for pair in zip(found, found[1:], strict=False)), "an edition that changes nothing"


def test_a_campaign_that_names_none_plays_the_first_and_a_new_one_the_newest(tmp_path: Path) -> None:
    old = campaigns.open_campaign(named(small_realm.campaign(tmp_path / "old"), ""))
    assert old.settings.edition == 1 and campaigns.rules_today(old).rules.muster is None
    assert main(["new", str(tmp_path / "new")]) == 0
    new = campaigns.open_campaign(tmp_path / "new")
    assert new.settings.edition == editions.newest(REALM) and campaigns.rules_today(new).rules.muster is not None


def test_what_a_campaign_changes_is_laid_over_its_edition(tmp_path: Path) -> None:
    folder = small_realm.campaign(tmp_path / "fords")
    line = "rules: {recruit_cost: {consumption: 3}}"
    write(folder, "campaign.yaml", small_realm.CAMPAIGN.replace("rules: ", "#rules: ") + line)
    rules = campaigns.rules_today(campaigns.open_campaign(folder)).rules
    assert rules.recruit_cost.consumption == 3 and rules.recruit_cost.per_acr == 0 and rules.muster is None


def test_an_old_campaign_plays_by_new_rules_once_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Recruits march in the turn before, and stay from then on; the report says what changed."""
    folder = small_realm.campaign(tmp_path / "fords")
    armies = "armies: recruit {0} as medium warrior from Oakhold, {0} to 0202\n"
    for turn, name in ((1, "First"), (2, "Second")):
        file_orders(folder, turn, "examplia", armies.format(name))
        assert main(["turn", str(folder), "--yes"]) == 0
        named(folder, "edition: 2")
    own = campaigns.open_campaign(folder)
    armies_now = campaigns.state_of(own, campaigns.kept(own)).kingdoms["examplia"].armies
    assert (armies_now["First"].hex, armies_now["Second"].hex) == ("0202", "0203")
    said = " ".join((folder / "turns/0002/reports/examplia.txt").read_text().split())
    assert "muster: new. An army that was recruited" in said


def test_a_new_edition_is_announced_ahead(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = small_realm.campaign(tmp_path / "fords")
    assert main(["turn", str(folder)]) == 0
    write(folder, "campaign.yaml", "edition: 2\n" + small_realm.CAMPAIGN.replace("rules: {", "rules: {from: 3, "))
    for turn, words in (
        (1, "From turn 3 on the rules will be changed"),
        (2, "From turn 3 on"),
        (3, "The rules are changed from turn 3 on"),
    ):
        assert main(["turn", str(folder), "--yes"]) == 0
        assert words in (folder / f"turns/{turn:04}/reports/examplia.txt").read_text(), turn
    own = campaigns.open_campaign(folder)
    played = [campaigns.rules_of(own, campaigns.kept(own, turn)).rules.muster is None for turn in (1, 2, 3)]
    assert played == [True, True, False]


def test_an_edition_that_is_not_there_is_named_with_the_newest(tmp_path: Path) -> None:
    folder = named(small_realm.campaign(tmp_path / "fords"), "edition: 77")
    with pytest.raises(Faults, match="edition 77; the newest is 2"):
        campaigns.open_campaign(folder)


def test_an_edition_names_only_what_the_tables_have() -> None:
    data = tables.load(REALM).data
    for text in editions.steps_back(REALM, 1):
        for name, older in msgspec.yaml.decode(text).items():
            assert not set(older or ()) - set(data[name]), name


def test_what_an_edition_says_is_laid_over_the_tables() -> None:
    older = b"siege: {hunger: 3, walls: null}\nmuster: null\nnobody: {has: it}"
    found = editions.step_back({"siege": {"hunger": 2, "walls": 1}, "muster": {"waits": True}}, older)
    assert found == {"siege": {"hunger": 3}}


def test_every_line_that_leads_back_can_be_typed_and_plays_what_the_first_edition_has(tmp_path: Path) -> None:
    """But for the sentence of a ruling, which no campaign sets, and a map of figures, which a campaign can only add to."""
    first = tables.load(REALM, edition=1)
    assert tables.ways_back(REALM, first.data) == []
    folder = small_realm.campaign(tmp_path / "fords")
    text = small_realm.CAMPAIGN.replace("rules: ", "#rules: ")
    ways = dict(tables.ways_back(REALM, tables.load(REALM).data))
    assert (
        ways["muster"] == "rules: {muster: null}"
        and ways["siege"] == "rules: {siege: {lasts: false, turns: 0, capital: 0, later: false, surrender_divisor: 0}}"
    )
    for name, line in ways.items():
        write(folder, "campaign.yaml", f"edition: 2\n{text}{line}\n")
        played = msgspec.to_builtins(getattr(campaigns.rules_today(campaigns.open_campaign(folder)).rules, name))
        was = msgspec.to_builtins(getattr(first.rules, name))
        if played is not None:
            maps = {key for key, value in was.items() if value == {}}
            assert {**played, "text": "", **{key: {} for key in maps}} == {**was, "text": ""}, name
        else:
            assert was is None
