"""What each release wrote can still be read, proved and played: tests/kept/VERSION/CAMPAIGN, see the README there.

tests/campaign/test_kept_mail.py does the same for mail under way, and for what was published.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec import structs

from kingdom import __version__
from kingdom.campaign import audit, examples, filings, keeping, replay, store
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign, Rulebook
from kingdom.campaign.store import KeptNotice
from kingdom.cli.main import main
from kingdom.engine import game as games
from kingdom.engine.problems import Faults
from kingdom.engine.step import Notice, Result
from kingdom.orders import tables
from kingdom.render.reports import CampaignFacts, rendered
from tests.campaign.test_audit import edit, forge
from tests.kit import archives
from tests.kit.campaignkit import as_kept

KEPT = archives.releases()
SCRIPTS = Path(__file__).parents[2] / "scripts"
SAME_WORDS: tuple[str, ...] = ()  # releases whose very words are still said; take one out where words change on purpose
FILED = {"realm": "holiday: long\n"}  # what is filed for a turn to come; in other games only that the orders are final
FOLDERS = [file.parent for file in sorted(KEPT.glob("*/*/campaign.yaml"))]
OLDEST = FOLDERS[0]
FIRST_GAMES = {"realm", "kings_progress", "royal_progress", "cardinals_guards", "kings_pouch"}  # those of 0.3.0
WITH_THE_SAME_WORDS = [folder for folder in FOLDERS if folder.parent.name in SAME_WORDS]


def named(folder: Path) -> str:
    return f"{folder.parent.name}-{folder.name}"


every_kept_campaign = pytest.mark.parametrize("kept", FOLDERS, ids=named)


def last_of(folder: Path) -> int:
    return max(store.numbers(folder / "turns"))


def copied(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder, to / folder.name))


def files_of(folder: Path) -> dict[str, bytes]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Loads a script anew, by its name."""
    monkeypatch.syspath_prepend(str(SCRIPTS))

    def loaded(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return loaded


def result_of(campaign: Campaign, number: int) -> Result:
    """A kept turn, from its files alone."""
    now, before = replay.loaded(campaign, number), replay.loaded(campaign, max(0, number - 1))
    orders = {Path(name).stem: data for name, data in now.files.items() if name.startswith("orders/")}
    found = filings.read(orders, now.folder / "orders", campaign.game, now.rules.rules, now.record.seats, number)
    entries = campaigns.decode_entries(now.files["ledger.csv"], now.folder / "ledger.csv")
    rolls = campaigns.decode_rolls(now.files["dice.csv"], now.folder / "dice.csv")
    notices = [Notice(**notice) for notice in now.record.notices]
    return Result(number, before.state, now.state, found.orders, entries, rolls, notices)


# --- what a release wrote --------------------------------------------------------------------------------------------------


@every_kept_campaign
def test_it_opens_and_its_audit_finds_nothing(kept: Path) -> None:
    found = audit.audit(campaigns.open_campaign(kept))
    assert found.problems == []
    assert found.turns == last_of(kept) + 1 and found.entries
    assert found.rolls == sum(len(file.read_text().splitlines()) - 1 for file in kept.glob("turns/*/dice.csv"))


@every_kept_campaign
def test_it_is_as_the_release_wrote_it(kept: Path) -> None:
    """Its version is that of its folder, and a turn of it was taken back, reopened, and resolved again."""
    records = [store.kept(folder).record for folder in sorted((kept / "turns").iterdir())]
    assert {record.program for record in records} == {kept.parent.name}
    assert all(record.format <= store.FORMAT for record in records)
    assert (records[-1].attempt, bool(records[-1].corrects)) == (2, True)
    assert all(any(name.startswith("reports/") for name in record.files) for record in records)


@every_kept_campaign
def test_every_turn_of_it_runs_again_with_its_own_rules(kept: Path) -> None:
    problems = [str(problem) for _, problem in replay.replay(campaigns.open_campaign(kept)) if problem]
    assert problems == []


@every_kept_campaign
def test_every_turn_of_it_refuses_the_same_orders_by_the_same_rule(kept: Path) -> None:
    campaign, before = campaigns.open_campaign(kept), None
    for number in store.numbers(kept / "turns"):
        now = replay.loaded(campaign, number)
        again = replay.notices_of(replay.again(campaign, now, before))
        assert refusals(again) == refusals(now.record.notices), f"turn {number}"
        before = now


def refusals(notices: Sequence[KeptNotice]) -> list[tuple[str, str, str]]:
    """Whose order was refused, its path, and the code of the reason, by its name of today."""
    # 0.1.0 said of what came later that it was not there yet; today it is off by the kept rules
    renamed = {f"{what}_not_yet": f"{what}_off" for what in ("armies", "doors", "plan", "special_edict")}
    renamed["smuggle_not_yet"] = "doors_off"
    codes = [(one["seat"], one["facts"]["order"], one["facts"]["code"]) for one in notices if one["kind"] == "refusal"]
    return sorted((seat, order, renamed.get(code, code)) for seat, order, code in codes)


if WITH_THE_SAME_WORDS:  # none at present

    @pytest.mark.parametrize("kept", WITH_THE_SAME_WORDS, ids=named)
    def test_its_turns_come_out_to_the_letter(
        kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: Callable[[str], ModuleType]
    ) -> None:
        """Played again from the start by its own rules, every turn but the last gives the same files, reports and all, but for the GM's
        book and a kingdom's offers, which are others since, and the digests that follow from them."""
        monkeypatch.setattr(
            keeping, "__version__", kept.parent.name
        )  # it stands in turn.json, whose digest reports tell
        last = last_of(kept) - 1
        source = shutil.copytree(kept, tmp_path / "source", ignore=shutil.ignore_patterns("undone"))
        with as_kept(kept):
            again = script("regold").played(Path(source), tmp_path / kept.name, last)
        digests: dict[bytes, bytes] = {}
        for number in range(last + 1):
            before, now = (files_of(folder / "turns" / store.name_of(number)) for folder in (kept, again))
            assert before.keys() == now.keys()
            for name in now:
                for digest, kept_then in digests.items():
                    now[name] = now[name].replace(digest, kept_then)
            other = {name for name in before if before[name] != now[name]} - {"reports/gm.html", store.RECORD}
            if campaigns.open_campaign(kept).game.name == "realm":
                other = {name for name in other if _without_offers(before[name]) != _without_offers(now[name])}
                other = {name for name in other if not name.endswith(".html")}  # the same as the texts
            assert other == set(), f"turn {number}"
            made = (store.kept(folder / "turns" / store.name_of(number)).digest.encode() for folder in (again, kept))
            new, old = made
            digests |= {new: old, new[:12]: old[:12]}  # whole in turn.json, short in reports


def _without_offers(report: bytes) -> bytes:
    """A text report without the part on what may be done and the offers of its form, each behind a #: since then each offer says what it
    does, no sets of orders stand there, and what the rules would refuse is not offered."""
    return re.sub(rb"WHAT YOU MAY DO IN TURN.*?\n\n\n|^#\w[^\n]*\n", b"", report, flags=re.DOTALL | re.MULTILINE)


@every_kept_campaign
def test_its_sheets_ledger_map_and_status_can_be_shown(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    folder = copied(kept, tmp_path)
    for number in store.numbers(folder / "turns"):
        capsys.readouterr()
        assert main(["show", str(folder), "--turn", str(number), "--json"]) == 0
        sheets = json.loads(capsys.readouterr().out)
        assert {sheet["turn"] for sheet in sheets} == {number}
    for words in (
        ["ledger", "--last", "0"],
        ["ledger", "--by", "account,cause"],
        ["map"],
        ["status"],
        ["replay"],
        ["audit"],
    ):
        assert main([words[0], str(folder), *words[1:]]) == 0, capsys.readouterr().err
    seat = sheets[0]["kingdom"]
    assert main(["map", str(folder), "--seat", seat]) == 0
    warned = [line for line in capsys.readouterr().err.splitlines() if "`seed` is too easy to guess" not in line]
    assert warned == []


@every_kept_campaign
def test_reports_of_its_turns_can_be_drawn(kept: Path) -> None:
    campaign = campaigns.open_campaign(kept)
    for number in store.numbers(kept / "turns"):
        result = result_of(campaign, number)
        rules = replay.loaded(campaign, number).rules.rules
        facts = CampaignFacts(campaign.settings.name, dict.fromkeys(campaign.seats, "Ada"))
        files = dict(rendered(campaign.game, result, rules, facts))
        there = (kept / "turns" / store.name_of(number) / "reports").iterdir()
        assert files.keys() == {path.name for path in there if path.suffix != ".json"}
        assert all(campaign.settings.name in text for text in files.values())


@every_kept_campaign
def test_its_next_turns_can_be_played(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = copied(kept, tmp_path)
    before = {path: path.read_bytes() for path in (folder / "turns").rglob("*") if path.is_file()}
    for number in (last_of(kept) + 1, last_of(kept) + 2):
        seat = campaigns.open_campaign(folder).seats[0]
        orders = folder / "orders" / store.name_of(number) / f"{seat}.yaml"
        orders.parent.mkdir(exist_ok=True)
        text = FILED.get(campaigns.open_campaign(folder).game.name, "final: true\n")
        orders.write_text(f"kingdom: {seat}\nturn: {number}\n{text}", encoding="utf-8")
        assert main(["check", str(orders), "--campaign", str(folder)]) == 0
        assert main(["turn", "--yes", str(folder)]) == 0, capsys.readouterr().err
    assert main(["audit", str(folder)]) == 0, capsys.readouterr().err
    assert main(["undo", str(folder)]) == 0 and main(["turn", "--yes", str(folder)]) == 0
    assert main(["audit", str(folder)]) == 0, capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before


def test_every_format_that_there_was_is_kept() -> None:
    """Where the format is raised, campaigns of the older one are here already."""
    formats = {store.kept(folder / "turns/0000").record.format for folder in FOLDERS}
    assert formats >= set(range(1, store.FORMAT)), "scripts/keep_release, before the format is raised"


def test_every_game_is_kept_since_0_3_0() -> None:
    for version in {folder.parent.name for folder in FOLDERS} - {"0.1.0"}:
        kept = {campaigns.open_campaign(folder).game.name for folder in FOLDERS if folder.parent.name == version}
        assert kept <= set(games.names()) and kept >= FIRST_GAMES, version


def test_no_kept_file_names_a_place_of_the_machine_that_wrote_it() -> None:
    texts = {path: path.read_bytes() for path in KEPT.glob("*/*/**/*") if path.is_file()}
    assert [path for path, text in texts.items() if re.search(rb"/(?:home|root|tmp|work|Users)/", text)] == []


def test_a_release_is_kept_once_and_never_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, script: Callable[[str], ModuleType]
) -> None:
    keep_release = script("keep_release")
    changed = {"ROOT": tmp_path, "GOLDEN": ("first_steps",), "BOARD": ("kings_progress",), "BY_MAIL": False}
    for name, value in changed.items():
        monkeypatch.setattr(keep_release, name, value)
    shutil.copytree(Path(__file__).parents[1] / "golden" / "first_steps", tmp_path / "tests/golden/first_steps")
    assert keep_release.main() == 0
    archive = tmp_path / "tests/kept" / f"{__version__}{examples.PACKED}"
    before = archive.read_bytes()
    store.write(tmp_path / "unpacked", examples.unpacked(archive))
    for name in ("first_steps", "kings_progress"):
        assert audit.audit(campaigns.open_campaign(tmp_path / "unpacked" / name)).problems == []
    assert keep_release.main() == 1
    assert f"tests/kept/{archive.name} is there already" in capsys.readouterr().err
    assert archive.read_bytes() == before


# --- a program to come -----------------------------------------------------------------------------------------------------
#
# The game as a later program may have it: a table, a ruling, a figure, and fields of the state that nobody knew before.


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """The oldest kept campaign, opened by such a program."""
    campaign = campaigns.open_campaign(OLDEST)
    rules, state = campaign.game.Rules, campaign.game.State
    frozen: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True}
    anarchy = msgspec.defstruct("Anarchy", [("hunger", int, 0)], bases=(rules.__annotations__["anarchy"],), **frozen)
    army = msgspec.defstruct("Army", [("cost", int)], **frozen)
    fog = msgspec.defstruct("Fog", [("text", str), ("sight", int)], **frozen)
    grown: list[Any] = [("anarchy", anarchy), ("armies", dict[str, army], {}), ("fog", fog | None, None)]
    world = msgspec.defstruct("World", [("weather", str, "fair")], bases=(state,), frozen=True)
    start = campaign.game.opening.start
    game = structs.replace(
        campaign.game,
        Rules=msgspec.defstruct("Rules", grown, bases=(rules,), **frozen),
        State=world,
        opening=structs.replace(
            campaign.game.opening,
            start=lambda setup, rules: msgspec.convert(msgspec.to_builtins(start(setup, rules)), world),
        ),
    )
    monkeypatch.setattr(replay, "__version__", "99.0")
    return campaign._replace(game=game, rules=Rulebook(game, campaign.rules.overrides, campaign.folder))


def test_what_kept_rules_do_not_have_is_off(later: Campaign) -> None:
    rules = campaigns.rules_of(later, campaigns.kept(later, 1)).rules
    assert (rules.armies, rules.fog, rules.anarchy.hunger) == ({}, None, 0)
    assert rules.anarchy.unrest == 20, "and what they have is as it was"


def test_what_a_kept_state_does_not_have_is_its_default(later: Campaign) -> None:
    assert campaigns.state_of(later, campaigns.kept(later, 1)).weather == "fair"


def test_a_later_program_finds_nothing_in_what_an_older_one_kept(later: Campaign) -> None:
    assert audit.audit(later).problems == []
    assert [problem for _, problem in replay.replay(later) if problem] == []


def test_it_still_finds_what_was_altered(later: Campaign, tmp_path: Path) -> None:
    folder = copied(OLDEST, tmp_path)
    change = edit("state.json", '"treasury": ', '"treasury": 1')
    change(folder / "turns/0001")
    found = [problem.code for problem in audit.audit(later._replace(folder=folder)).problems]
    assert found == ["digest"]  # what is condemned is not looked into
    forge(folder, 1, lambda place: None)
    found = [problem.code for problem in audit.audit(later._replace(folder=folder)).problems]
    assert {"sum", "differs"} <= set(found)


@pytest.mark.parametrize(
    ("taken_out", "named"),
    [
        ("control_dc", "The table or ruling `control_dc` is missing."),
        ("buildings", "The table or ruling `buildings` is missing."),
        ("  check_total: 0", "`check_total` is missing"),
    ],
)
def test_what_every_program_had_is_not_off_but_missing(taken_out: str, named: str) -> None:
    """The rules of the first release have no defaults: where one of them is gone the file was spoiled."""
    game = games.load("realm")
    lines, out = tables.dump(tables.load(game)).splitlines(), False
    kept = []
    for line in lines:
        out = line.startswith(taken_out) if not line.startswith(" ") or taken_out.startswith(" ") else out
        kept += [] if out else [line]
    assert len(kept) < len(lines)
    with pytest.raises(Faults) as raised:
        tables.kept(game, "\n".join(kept) + "\n")
    assert named in str(raised.value)


def test_a_newer_format_is_refused_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = copied(OLDEST, tmp_path)
    record = folder / "turns" / store.name_of(last_of(folder)) / "turn.json"
    record.write_text(record.read_text().replace(f'"format": {store.FORMAT}', f'"format": {store.FORMAT + 1}', 1))
    assert main(["turn", "--yes", str(folder)]) == 1
    assert "format" in capsys.readouterr().err
