"""Who can read what the program writes: the owner alone, whatever the umask; a group whose folder it is; all what is published."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from kingdom.campaign import modes
from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.tiny_game import write
from tests.mail.test_week import CAMPAIGN, FRIDAY, HOUR, Campaign

SECRET = "seed: 5c0e7d1f9a3b48c2e6d07f5b19a4c83e"
COMMANDS = (
    ("run", (), FRIDAY - 3 * HOUR),
    ("run", (), FRIDAY + HOUR),
    ("undo", ("--reopen",), FRIDAY + 2 * HOUR),
    ("run", (), FRIDAY + 3 * HOUR),
    ("turn", ("--yes",), FRIDAY + 4 * HOUR),
    ("redo", ("--yes",), FRIDAY + 4 * HOUR),
    ("correct", ("--turn", "1", "--yes"), FRIDAY + 5 * HOUR),
    ("invite", ("bob", "bea@example.org"), FRIDAY + 5 * HOUR),
    ("reseed", (), FRIDAY + 6 * HOUR),
    ("run", (), FRIDAY + 7 * HOUR),
)


@pytest.fixture(params=[0o000, 0o002, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    assert os.umask(before) == request.param  # no command leaves another behind


def lived(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A campaign with mail, in which every command that writes is typed. Its files were there before."""
    tiny_game.register()
    text = CAMPAIGN + "missing_limit: 1\npublish: {folder: ../pub}\n"
    tiny_game.campaign(folder)
    write(folder, "campaign.yaml", text)
    tally = Campaign(folder, monkeypatch, capsys)
    tally.mail("ann", "take: 5\n", subject="Orders ann 1")
    for command, words, at in COMMANDS:
        if command == "redo":
            write(folder, "campaign.yaml", (folder / "campaign.yaml").read_text() + "rules: {take: {most: 2}}\n")
        if command == "turn":  # a person forwards the mails about its dice
            for mail in (folder / "mail/outbox").glob("reopened-*"):
                mail.unlink()
        tally.run(*words, command=command, at=at)


def made(folder: Path, given: set[str]) -> dict[str, int]:
    """What the program made below a folder, with its mode. given: what was there before, or was written by hand."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            inside = path.relative_to(folder).as_posix()
            if inside not in given:
                found[inside] = stat.S_IMODE(path.lstat().st_mode)
    return found


GIVEN = {*tiny_game.FILES, "kingdoms", "mail", "mail/inbox"}


def test_what_is_secret_is_the_owner_s_alone_under_any_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], umask: int
) -> None:
    folder = tmp_path / "tally"
    lived(folder, monkeypatch, capsys)
    found = {name: mode for name, mode in made(folder, GIVEN).items() if not name.startswith("mail/inbox/")}
    assert {
        "turns",
        "undone",
        "orders",
        "mail/key",
        "mail/journal.jsonl",
        "mail/outbox",
        "turns/0001/state.json",
    } <= set(found)
    wrong = {name: oct(mode) for name, mode in found.items() if mode != (0o700 if (folder / name).is_dir() else 0o600)}
    assert wrong == {}
    pages = list((tmp_path / "pub").iterdir())
    assert len(pages) > 2 and {stat.S_IMODE(file.stat().st_mode) for file in pages} == {0o644}
    assert stat.S_IMODE((tmp_path / "pub").stat().st_mode) == 0o755


def test_a_folder_that_was_opened_to_a_group_stays_the_group_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], umask: int
) -> None:
    folder = tmp_path / "tally"
    folder.mkdir()
    folder.chmod(0o2770)
    lived(folder, monkeypatch, capsys)
    found = {name: mode for name, mode in made(folder, GIVEN).items() if not name.startswith("mail/")}
    assert {name: oct(mode) for name, mode in found.items() if mode not in (0o660, 0o2770)} == {}


def test_a_published_folder_that_is_there_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pub").mkdir()
    (tmp_path / "pub").chmod(0o711)
    lived(tmp_path / "tally", monkeypatch, capsys)
    assert stat.S_IMODE((tmp_path / "pub").stat().st_mode) == 0o711


def test_a_new_campaign_is_the_gm_s_alone(tmp_path: Path, umask: int) -> None:
    assert main(["new", str(tmp_path / "new")]) == 0
    folder = tmp_path / "new"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {oct(mode) for mode in made(folder, set()).values()} == {oct(0o600), oct(0o700)}


def test_status_warns_where_others_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(
        folder, "campaign.yaml", tiny_game.CAMPAIGN.replace("seed: public, this is a test\npublic_seed: true", SECRET)
    )
    for each in (tmp_path, *tmp_path.parents):
        if each.stat().st_mode & 0o001 == 0:
            monkeypatch.setattr(modes, "_mode", seen_from_below(each, modes._mode))
    folder.chmod(0o755)
    (folder / "campaign.yaml").chmod(0o644)
    (folder / "kingdoms").chmod(0o700)
    capsys.readouterr()
    assert main(["status", str(folder)]) == 0
    assert f"Anybody on this machine can read campaign.yaml in {folder}" in capsys.readouterr().err
    folder.chmod(0o700)
    assert main(["status", str(folder)]) == 0
    assert "Anybody" not in capsys.readouterr().err
    folder.chmod(0o755)
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN)  # an example
    (folder / "campaign.yaml").chmod(0o644)
    assert main(["status", str(folder)]) == 0
    assert "Anybody" not in capsys.readouterr().err


def seen_from_below(closed: Path, mode: object) -> object:
    """As if a folder above the tests were open to all."""
    return lambda file: 0o40755 if file == closed else mode(file)  # type: ignore[operator]
