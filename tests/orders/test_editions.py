"""Editions of a game's rules: a campaign plays the one that it names, the first where it names none, until it is told otherwise."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.engine import game as games
from kingdom.engine.problems import Faults
from kingdom.mail.outgoing import welcoming
from kingdom.orders import editions, rule_changes, tables
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
    assert rule_changes.told(campaigns.rules_of(own, turn), campaigns.rules_today(own)) == []
    assert campaigns.rules_of(own, turn).digest == campaigns.rules_today(own).digest


@pytest.mark.parametrize("name", games.names())
def test_every_edition_of_every_game_can_be_played(name: str) -> None:
    game = games.load(name)
    newest = editions.newest(game)
    found = [tables.load(game, edition=number) for number in range(1, newest + 1)]
    assert found[-1] == tables.load(game)
    assert all(rule_changes.told(*pair) for pair in zip(found, found[1:], strict=False)), (
        "an edition that changes nothing"
    )


def test_a_campaign_that_names_none_plays_the_first_and_a_new_one_the_newest(tmp_path: Path) -> None:
    old = campaigns.open_campaign(named(small_realm.campaign(tmp_path / "old"), ""))
    assert not old.settings.edition and campaigns.rules_today(old).rules.muster is None
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
    report = (folder / "turns/0002/reports/examplia.txt").read_text()
    lines = report.partition("The rules are changed from turn 2 on:\n")[2].partition("\n\n")[0]
    sentences = " ".join(lines.split()).split(" - ")
    assert sentences[0].endswith("The campaign plays edition 2 of the rules in place of what it played before.")
    assert len(sentences) == 10
    assert re.fullmatch(r"\d\d more changes: ask your GM, whose book has them all\.", sentences[-1])
    book = (folder / "turns/0002/reports/gm.html").read_text()
    told = book.partition('<h2 id="ruled">')[2].partition("</section>")[0]
    assert "New rule, Muster: An army that was recruited" in told and told.count("<li>") == 9 + int(
        sentences[-1].split()[0]
    )


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
        and ways["siege"]
        == "rules: {siege: {lasts: false, turns: 0, capital: 0, later: false, fixed: false, surrender_after: 0, surrender_divisor: 0}}"
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


# --- older than editions -------------------------------------------------------------------------------------------------------

OLDER = archives.releases() / "0.1.0"  # of which edition 1 has armies, events and much else that it lacks


@pytest.fixture(params=("unrest", "every_order"))
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copytree(OLDER / request.param, tmp_path / request.param))


def says(folder: Path, line: str) -> None:
    file = folder / "campaign.yaml"
    file.write_text(f"{line}\n{file.read_text()}")


def next_turn(folder: Path) -> str:
    """Play it; return the report of the first kingdom."""
    assert main(["turn", str(folder), "--yes"]) == 0
    own = campaigns.open_campaign(folder)
    return (folder / f"turns/{campaigns.newest(own):04}/reports/{own.seats[0]}.txt").read_text()


def test_an_older_campaign_goes_on_by_what_it_began_with(older: Path) -> None:
    own = campaigns.open_campaign(older)
    before = campaigns.rules_of(own, campaigns.kept(own))
    for _ in range(2):
        assert "rules are changed" not in next_turn(older)
        assert campaigns.rules_of(own, campaigns.kept(own)).digest == before.digest
    assert not any(roll.name.startswith("event") for roll in campaigns.rolls_of(campaigns.kept(own)))
    for words in (["undo"], ["turn", "--yes"], ["redo"], ["audit"], ["replay"]):
        assert main([words[0], str(older), *words[1:]]) == 0, words
    assert campaigns.rules_of(own, campaigns.kept(own)).digest == before.digest


def test_an_older_campaign_of_which_every_turn_is_taken_back_begins_again_by_what_it_began_with(tmp_path: Path) -> None:
    older = Path(shutil.copytree(OLDER / "unrest", tmp_path / "unrest"))
    says(older, "public_seed: true")
    own = campaigns.open_campaign(older)
    before = campaigns.rules_of(own, campaigns.kept(own, 0))
    while campaigns.newest(own) >= 0:
        assert main(["undo", str(older)]) == 0
    assert "Event " not in next_turn(older)
    assert campaigns.rules_of(own, campaigns.kept(own)).digest == before.digest
    assert main(["undo", str(older)]) == 0
    says(older, "edition: 1")
    assert campaigns.rules_today(campaigns.open_campaign(older)).rules.units


def test_the_players_guide_of_an_older_campaign_tells_of_nothing_that_it_lacks(tmp_path: Path) -> None:
    older = Path(shutil.copytree(OLDER / "unrest", tmp_path / "unrest"))
    says(older, "gm: {name: Gwen, email: gm@example.org, token: aaa222}")
    lacks = re.compile(
        r"arm(?:y|ies)\b|\bevents?\b(?! phase)|adventurers|expedition|\broutes?\b|\bplan\b", re.IGNORECASE
    )

    def guide() -> str:
        (own,) = welcoming.guide(campaigns.open_campaign(older))
        return own.data.decode()

    assert not lacks.findall(guide())
    says(older, "edition: 1")
    assert len({word.lower() for word in lacks.findall(guide())}) > 6


def test_a_campaign_that_leaves_its_edition_says_which_it_plays_then(tmp_path: Path) -> None:
    older = Path(shutil.copytree(OLDER / "unrest", tmp_path / "unrest"))
    says(older, "edition: 2")
    next_turn(older)
    file = older / "campaign.yaml"
    file.write_text(file.read_text().replace("edition: 2\n", ""))
    assert "The campaign plays edition 1 of the rules in place of what" in " ".join(next_turn(older).split())


def test_an_older_campaign_has_the_first_edition_when_it_says_so_and_keeps_it(older: Path) -> None:
    says(older, "edition: 1")
    report = next_turn(older)
    assert "The campaign plays edition 1 of the rules in place of what it played before." in " ".join(report.split())
    assert report.partition("rules are changed")[2].partition("\n\n")[0].count("\n  - ") == 10
    own = campaigns.open_campaign(older)
    assert campaigns.rules_today(own).rules.units
    file = older / "campaign.yaml"
    file.write_text(file.read_text().replace("edition: 1\n", ""))
    assert campaigns.rules_today(campaigns.open_campaign(older)).rules.units


def test_a_change_of_an_older_campaign_is_laid_over_what_it_began_with(tmp_path: Path) -> None:
    """Also one that is taken away, and one of what it has not: that is refused with the line that brings it."""
    older = Path(shutil.copytree(OLDER / "unrest", tmp_path / "unrest"))
    file = older / "campaign.yaml"
    text = file.read_text()
    file.write_text(text.replace("hex_loss: {unrest: 9}", "claim: {cost: 2}"))
    lines = " ".join(next_turn(older).split())
    assert "Claim: cost changes from 1 to 2. - Hex loss: unrest changes from 9 to 11." in lines
    assert "edition" not in lines.partition("rules are changed")[2].partition("Claim")[0]
    for rules, named in (
        ("movement: {points: 3}", "movement"),
        ("event_kinds: {plague: {name: Pest}}", "event_kinds"),
        ("add: {units: {watch: {name: Watch, rating: '1', hit_die: 10}}}", "units"),
    ):
        file.write_text(text.replace("hex_loss: {unrest: 9}", rules))
        with pytest.raises(Faults, match=f"`{named}` is not in the rules that this campaign plays.*`edition: 1`"):
            campaigns.rules_today(campaigns.open_campaign(older))
        says(older, "edition: 1")
        assert campaigns.rules_today(campaigns.open_campaign(older))
    file.write_text(text.replace("hex_loss: {unrest: 9}", "movement: null"))
    assert "movement" not in campaigns.rules_today(campaigns.open_campaign(older)).data


def test_events_by_figures_alone_bring_none_to_an_older_campaign(tmp_path: Path) -> None:
    older = Path(shutil.copytree(OLDER / "unrest", tmp_path / "unrest"))
    file = older / "campaign.yaml"
    events = "events: {chance: {normal: 100, after_quiet_turn: 100}, tries: 9}"
    file.write_text(file.read_text().replace("hex_loss: {unrest: 9}", events))
    next_turn(older)
    own = campaigns.open_campaign(older)
    assert not any(kingdom.events for kingdom in campaigns.state_of(own, campaigns.kept(own)).kingdoms.values())


def test_what_an_older_campaign_does_not_play_is_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older = Path(shutil.copytree(OLDER / "unrest", tmp_path / "unrest"))
    orders = """
special: [{edict: explore, from: Brakewater, weeks: 2, toward: ne}, {edict: adventurers, bp: 6, task: "0304"}]
armies: [{recruit: First, size: medium, unit: warrior, from: Brakewater}, {army: First, move: ["0405"]}]
plan: [farm 0101]
doors: {dunmoor: closed}
smuggle: [dunmoor]
"""
    file_orders(older, 6, "brakewater", orders)
    report = " ".join(next_turn(older).split())
    for sentence in (
        "The edict explore is not among the rules that this campaign plays by",
        "The edict adventurers is not among the rules that this campaign plays by",
        "There are no armies in the rules of this campaign",
        "Plans are not among the rules that this campaign plays by",
        "Trade is not among the rules that this campaign plays by",
    ):
        assert sentence in report
    for words in (["advise", "brakewater"], ["forecast", "brakewater"], ["review"], ["rules"]):
        assert main([words[0], str(older), *words[1:]]) == 0
    assert main(["form", str(older), "brakewater", "--to", str(tmp_path / "form.html")]) == 0
    form = (tmp_path / "form.html").read_text()
    assert "recruit" not in form.partition("ORDER FORM")[2]


def test_an_older_campaign_is_simulated_by_what_it_began_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", str(OLDER / "unrest"), "--turns", "3", "--games", "1", "--seed", "old"]) == 0
    said = capsys.readouterr().out
    assert "All campaigns came to their end" in said and "event_kinds" not in said


@pytest.mark.parametrize("name", sorted(file.parent.name for file in KEPT.glob("*/campaign.yaml")))
def test_a_campaign_of_0_3_0_of_any_game_has_the_rules_of_its_last_turn(name: str) -> None:
    own = campaigns.open_campaign(KEPT / name)
    assert campaigns.rules_of(own, campaigns.kept(own)).digest == campaigns.rules_today(own).digest


def test_what_an_edition_lacks_can_not_be_changed(tmp_path: Path) -> None:
    folder = small_realm.campaign(tmp_path / "fords")
    text = small_realm.CAMPAIGN.replace("rules: ", "#rules: ")
    write(folder, "campaign.yaml", f"edition: 1\n{text}rules: {{siege: {{turns: 4}}, muster: {{deeds: []}}}}\n")
    with pytest.raises(Faults, match="`muster` is not in the rules that this campaign plays.*`edition: 2`") as raised:
        campaigns.rules_today(campaigns.open_campaign(folder))
    assert len(raised.value.problems) == 1
