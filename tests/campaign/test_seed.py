"""The seed: too weak a one is refused, another one than was promised stops the turn, and one that leaked is changed before all eyes."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

import pytest

from kingdom.campaign import clock, commitment
from kingdom.campaign.audit import audit
from kingdom.campaign.campaign import kept, open_campaign
from kingdom.campaign.settings import SAFE, guesses_of
from kingdom.cli.main import main
from kingdom.engine.dice import commitment_of, key_of
from tests.kit import small_realm, tiny_game
from tests.kit.tiny_game import write
from tests.mail.test_following import MAILBOX, NOBODY_WAITS, Server, server  # noqa: F401 - a fixture
from tests.mail.test_week import FRIDAY, HOUR, Campaign

OLD = "public, this is a test"
STRONG = "5c0e7d1f9a3b48c2e6d07f5b19a4c83e"
SECRET = small_realm.CAMPAIGN.replace(OLD, STRONG).replace("public_seed: true\n", "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_realm.campaign(tmp_path / "fords")


@pytest.fixture
def played(folder: Path) -> Path:
    """Two turns are kept."""
    for _ in range(3):
        assert run(folder, "turn") == 0
    return folder


def run(folder: Path, *words: str) -> int:
    return main([words[0], str(folder), *words[1:]])


@pytest.mark.parametrize(
    "seed",
    [
        "abc",
        "5c0e",
        OLD,
        "a" * 64,
        "0123" * 16,
        "0123456789" * 3 + "01",
        "correct horse battery staple",
        "greenmarch-example-seed",
        STRONG[:30],
    ],
)
def test_a_seed_that_is_found_by_trying_makes_no_turn_0(
    folder: Path, capsys: pytest.CaptureFixture[str], seed: str
) -> None:
    write(folder, "campaign.yaml", SECRET.replace(STRONG, f'"{seed}"'))
    assert run(folder, "turn") == 1
    assert "`seed` is too easy to guess" in capsys.readouterr().err and not (folder / "turns").exists()


def test_a_missing_seed_is_asked_for_by_what_will_do(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "campaign.yaml", SECRET.replace(f"seed: {STRONG}\n", ""))
    assert run(folder, "turn") == 1
    said = capsys.readouterr().err
    assert "`seed` is missing" in said and "64 random digits of 0 to 9 and a to f" in said


def test_a_random_seed_is_strong_however_its_digits_fall() -> None:
    assert min(guesses_of(secrets.token_hex(16)) for _ in range(20_000)) > SAFE
    assert min(guesses_of(secrets.token_urlsafe(32).replace("-", "x").replace("_", "y")) for _ in range(1000)) > SAFE


def test_a_weak_seed_of_a_campaign_that_runs_is_warned_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "turn") == 0
    write(folder, "campaign.yaml", small_realm.CAMPAIGN.replace("public_seed: true\n", ""))
    for command in ("turn", "status"):
        capsys.readouterr()
        assert run(folder, command) == 0
        said = capsys.readouterr().err
        assert "`seed` is too easy to guess" in said and "random digits" not in said, (
            "another seed breaks what was promised"
        )
    assert f"`kingdom reseed {folder}` changes it" in said
    for words in (["reseed"], ["turn"], ["status"]):
        capsys.readouterr()
        assert run(folder, *words) == 0
    assert "seed" not in capsys.readouterr().err


def test_reports_say_that_a_seed_is_public(folder: Path) -> None:
    assert run(folder, "turn") == 0
    assert "The seed of this campaign is public" in report(folder, 0)
    write(folder, "campaign.yaml", SECRET)
    other = folder.with_name("other")
    small_realm.campaign(other)
    write(other, "campaign.yaml", SECRET)
    assert run(other, "turn") == 0
    assert "public" not in report(other, 0)


def report(folder: Path, turn: int) -> str:
    return " ".join((folder / f"turns/{turn:04}/reports/examplia.txt").read_text().split())


@pytest.mark.parametrize("words", [("turn",), ("turn", "--dry-run"), ("redo",), ("correct", "--turn", "1")])
def test_another_seed_than_was_promised_stops_what_would_roll_its_dice(
    played: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    write(played, "campaign.yaml", small_realm.CAMPAIGN.replace(OLD, "public, this is another"))
    capsys.readouterr()
    assert run(played, *words) == 1
    said = capsys.readouterr().err
    turn = 1 if words == ("redo",) else 2
    assert f"`seed` is not the one by which the report of turn {turn} promised the dice of turn {turn + 1}." in said
    assert not (played / "turns/0003").exists()


def test_a_campaign_that_goes_on_after_its_end_is_not_held_to_a_promise_that_nobody_gave(folder: Path) -> None:
    write(folder, "campaign.yaml", small_realm.CAMPAIGN + "ends: {turn: 1}\n")
    assert run(folder, "turn") == 0 and run(folder, "turn") == 0
    write(folder, "campaign.yaml", small_realm.CAMPAIGN)
    commitment.prove_seed(open_campaign(folder), kept(open_campaign(folder)))


def test_a_seed_that_leaked_is_changed_from_the_next_turn_on(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(played, "reseed") == 0
    said = capsys.readouterr().out
    assert "From turn 3 on the dice come from a new seed." in said
    settings = open_campaign(played).settings
    assert settings.old_seeds == {2: OLD} and guesses_of(settings.seed) > SAFE
    assert commitment_of(key_of(settings.seed, 3, "examplia")) in said
    for turn in (3, 4):
        assert run(played, "turn") == 0
        assert "The GM changed the seed after turn 2: the dice since turn 3 come from another" in report(played, turn)
    assert "The GM changed" not in report(played, 2)
    assert key_of(settings.seed, 3, "examplia") in report(played, 3) and key_of(OLD, 2, "examplia") in report(played, 2)
    assert audit(open_campaign(played)).problems == []
    assert run(played, "reseed") == 0
    assert open_campaign(played).settings.old_seeds == {2: OLD, 4: settings.seed}
    assert run(played, "undo", "--reopen") == 0 and run(played, "turn") == 0
    assert audit(open_campaign(played)).problems == []
    assert run(played, "replay") == 0


def test_its_commitments_are_mailed_before_the_turn_is_played(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    server: Server,  # noqa: F811
) -> None:
    tiny_game.register()
    tally = Campaign(tiny_game.campaign(tmp_path / "tally"), monkeypatch, capsys)
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    server.got.clear()
    tally.run(command="reseed", at=FRIDAY - HOUR)
    seed = open_campaign(tally.folder).settings.seed
    tally.now = FRIDAY + HOUR
    server.down = True
    monkeypatch.setattr(clock, "now", lambda: tally.now)
    assert main(["run", str(tally.folder)]) == 4 and not (tally.folder / "turns/0001").exists()
    server.down = False
    tally.run(at=FRIDAY + 2 * HOUR)
    kinds = [re.split(r"-\d", id)[0] for id in server.ids() if id.startswith(("seed", "report"))]
    assert kinds[:3] == ["seed", "seed", "seed"] and "report" in kinds[3:]
    mail = next(mail for to, mail in server.got if to == "ann@example.org" and "<seed" in mail["Message-ID"])
    assert commitment_of(key_of(seed, 1, "ann")) in mail.as_string().replace("=\n", "")
