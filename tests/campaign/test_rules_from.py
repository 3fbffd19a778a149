"""`rules: {from: 9, ...}`: announced in every report ahead, in force from that turn on, and the first report says what changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from tests.kit import small_realm
from tests.kit.tiny_game import file_orders, write

QUIET = "events: {chance: {normal: 0, after_quiet_turn: 0}}, trade: {between_neighbours: false}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_realm.played(tmp_path / "fords")


def ruled(folder: Path, rules: str) -> None:
    text = small_realm.CAMPAIGN.replace(f"rules: {{{QUIET}}}", f"rules: {rules}")
    assert text != small_realm.CAMPAIGN
    write(folder, "campaign.yaml", text)


@pytest.fixture
def start(tmp_path: Path) -> Path:
    """A campaign without a kept turn, for whose turn 1 somebody has filed: the first command makes turns 0 and 1."""
    folder = small_realm.campaign(tmp_path / "start")
    file_orders(folder, 1, "examplia", "claim: 0102\n")
    return folder


def report(folder: Path, turn: int, kind: str = "txt") -> str:
    return (folder / f"turns/{turn:04}/reports/examplia.{kind}").read_text(encoding="utf-8")


def test_a_change_is_announced_then_in_force_and_said(folder: Path) -> None:
    ruled(folder, f"{{from: 4, control_dc: {{base: 12}}, {QUIET}}}")
    assert main(["turn", str(folder)]) == 0
    assert "From turn 4 on the rules will be changed:\n  - Control DC: base changes from 10 to 12.\n" in report(
        folder, 3
    )
    assert "The rules will be changed" in report(
        folder, 3, "html"
    ) and "Control DC: base changes from 10 to 12." in report(folder, 3, "html")
    campaign = campaigns.open_campaign(folder)
    assert campaigns.rules_of(campaign, campaigns.kept(campaign)).rules.control_dc.base == 10
    assert main(["turn", str(folder)]) == 0
    assert "The rules are changed from turn 4 on:\n  - Control DC: base changes from 10 to 12.\n" in report(folder, 4)
    assert "will be changed" not in report(folder, 4)
    assert campaigns.rules_of(campaign, campaigns.kept(campaign)).rules.control_dc.base == 12
    assert main(["turn", str(folder)]) == 0
    assert "rules are changed" not in report(folder, 5)
    assert main(["audit", str(folder)]) == 0 and main(["replay", str(folder)]) == 0


def test_until_then_the_rules_stay_those_that_the_last_turn_had(folder: Path) -> None:
    ruled(folder, f"{{claim: {{cost: 2}}, {QUIET}}}")
    assert main(["turn", str(folder)]) == 0
    assert "The rules are changed from turn 3 on:\n  - Claim: cost changes from 1 to 2.\n" in report(folder, 3)
    ruled(folder, f"{{from: 9, claim: {{cost: 3}}, {QUIET}}}")
    assert main(["turn", str(folder)]) == 0
    assert "From turn 9 on the rules will be changed:\n  - Claim: cost changes from 2 to 3.\n" in report(folder, 4)
    assert campaigns.rules_today(campaigns.open_campaign(folder)).rules.claim.cost == 2


def test_what_is_wrong_in_a_change_to_come_is_told_now(folder: Path, capsys) -> None:
    ruled(folder, "{from: 9, claim: {cosst: 3}}")
    assert main(["turn", str(folder)]) == 1 and "Did you mean `cost`?" in capsys.readouterr().err
    ruled(folder, "{from: soon, claim: {cost: 3}}")
    assert main(["turn", str(folder)]) == 1 and "campaign.yaml:5:15" in capsys.readouterr().err


def test_a_house_building_is_announced_by_its_name(folder: Path) -> None:
    garden = "add: {buildings: {hanging_garden: {cost: 12, lots: 1, kingdom: {loyalty: 2}}}}"
    ruled(folder, f"{{from: 5, {garden}, {QUIET}}}")
    assert main(["turn", str(folder)]) == 0
    assert "  - New in Buildings: Hanging Garden (cost 12).\n" in report(folder, 3)


@pytest.mark.parametrize("edition", ["", "edition: 2\n"], ids=["no edition", "edition 2"])
@pytest.mark.parametrize("first", [1, 2, 3])
def test_from_the_start_a_change_is_announced_and_comes_in_its_turn(edition: str, first: int, start: Path) -> None:
    """Also where turns 0 and 1 are made together, and in a campaign that goes on by what it began with."""
    ruled(start, f"{{from: {first}, control_dc: {{base: 12}}, {QUIET}}}")
    write(start, "campaign.yaml", edition + (start / "campaign.yaml").read_text())
    for _ in range(3):
        assert main(["turn", str(start)]) == 0
    campaign = campaigns.open_campaign(start)
    for turn in range(4):
        rules = campaigns.rules_of(campaign, campaigns.kept(campaign, turn)).rules
        assert rules.control_dc.base == (10 if turn < first else 12)
        assert (f"From turn {first} on the rules will be changed:\n" in report(start, turn)) == (turn < first)
        assert (f"The rules are changed from turn {first} on:\n" in report(start, turn)) == (turn == first)
    assert main(["audit", str(start)]) == 0 and main(["replay", str(start)]) == 0
