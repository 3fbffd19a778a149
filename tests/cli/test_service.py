"""`kingdom service`: the line for cron and the commands for systemd do the weekly job when they are followed to the letter."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kingdom.cli.main import main
from kingdom.cli.reading import parsed
from kingdom.orders import places
from tests.kit import small_realm
from tests.kit.tiny_game import write

PROGRAM = '#!/bin/sh\necho "$FORDS_PASSWORD: $*"\n'
MAIL = """\
mail:
  address: fords@example.org
  imap: {host: imap.example.org, username: fords, password_env: FORDS_PASSWORD}
  smtp: {host: smtp.example.org, username: fords, password_env: FORDS_PASSWORD}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the passwords, and with programs on its PATH that tell what they were called with."""
    folder = tmp_path / "home of Ada"
    for name in ("kingdom", "systemctl", "loginctl"):
        script = folder / ".local/bin" / name
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(PROGRAM)
        script.chmod(0o755)
    (folder / ".kingdom-passwords").write_text("FORDS_PASSWORD='abcd efgh'\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", f"{folder}/.local/bin:{os.environ['PATH']}")
    return folder


def printed(capsys: pytest.CaptureFixture[str], folder: Path, *words: str, program: str = "kingdom") -> list[str]:
    capsys.readouterr()
    assert main(["service", str(folder), *words], program=program) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("name", ["fords", '100 % of \'em, $5 "new"'])
def test_the_line_for_cron_runs_the_campaign(home: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    folder = small_realm.campaign(home / "kingdoms" / name)
    write(folder, "campaign.yaml", small_realm.CAMPAIGN + MAIL)
    *notes, line = printed(capsys, folder)
    assert all(note.startswith("#") for note in notes) and "#     FORDS_PASSWORD='...'" in notes
    minute, *others, command = line.split(" ", 5)
    assert (minute, others) == ("*/5", ["*"] * 4)
    typed = command.replace("\\%", "%")  # as cron hands it on
    assert "%" not in command.replace("\\%", "")
    subprocess.run(["sh", "-c", typed], env={"HOME": "/nowhere", "PATH": "/usr/bin:/bin"}, check=True)
    (log,) = home.glob("*.log")
    said = log.read_text()
    assert said == f"abcd efgh: run {folder}\n"
    assert parsed(["run", str(folder)]).campaigns == [str(folder)]


@pytest.mark.parametrize("name", ["fords", '100 % of \'em, $5 "new"'])
def test_what_is_printed_for_systemd_makes_a_timer_when_a_shell_reads_it(
    home: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    folder = small_realm.campaign(home / "kingdoms" / name)
    write(folder, "campaign.yaml", small_realm.CAMPAIGN + MAIL)
    text = "\n".join(printed(capsys, folder, "--systemd"))
    ran = subprocess.run(["sh", "-e"], input=text, text=True, capture_output=True, check=True)
    made = sorted((home / ".config/systemd/user").iterdir())
    assert [file.suffix for file in made] == [".service", ".timer"] and made[0].stem == made[1].stem
    assert ran.stdout.split("\n")[:3] == [
        ": --user daemon-reload",
        f": --user enable --now {made[1].name}",
        ": enable-linger",
    ]
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.read(made[0])
    assert unit["Service"]["EnvironmentFile"] == "%h/.kingdom-passwords"
    started = unit["Service"]["ExecStart"].replace("%%", "%").replace("$$", "$")
    assert shlex.split(started) == [f"{home}/.local/bin/kingdom", "run", str(folder)]
    if analyze := shutil.which("systemd-analyze"):
        proved = subprocess.run([analyze, "--user", "verify", made[1]], capture_output=True, text=True)
        assert made[0].name not in proved.stderr and made[1].name not in proved.stderr, proved.stderr


def test_without_a_password_from_the_environment_nothing_is_read_from_a_file(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or a run would end before it began: a shell stops at a file that is not there."""
    folder = small_realm.campaign(home / "fords")
    assert "passwords" not in "\n".join([*printed(capsys, folder), *printed(capsys, folder, "--systemd")])


def test_a_house_and_a_folder_of_campaigns_have_one_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = home / "house"
    small_realm.campaign(folder / "fords")
    assert printed(capsys, folder)[-1].count(f"run '{folder}' ") == 1
    write(folder, "house.yaml", f"name: House\nhost: {{email: ann@example.org}}\n{MAIL.replace('FORDS', 'HOUSE')}")
    assert "#     HOUSE_PASSWORD='...'" in printed(capsys, folder)
    assert main(["service", str(home / ".local")]) == 2
    assert "is no campaign and holds none" in capsys.readouterr().err


def test_the_program_is_named_by_its_whole_path_however_it_was_typed(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_realm.campaign(home / "fords")
    monkeypatch.chdir(home)
    for program, words in (
        ("kingdom", [f"{home}/.local/bin/kingdom"]),
        (".local/bin/kingdom", [f"{home}/.local/bin/kingdom"]),
        (f"{sys.executable} -m kingdom", [sys.executable, "-m", "kingdom"]),
    ):
        line = printed(capsys, folder, program=program)[-1]
        assert shlex.split(line)[5:][: len(words) + 2] == [*words, "run", str(folder)]


# --- the pages, as who installed the program reads them


@pytest.mark.parametrize("page", ["readme", "mail", "hosting", "tour-gm", "tour-player"])
def test_a_page_speaks_to_who_installed_the_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    assert main(["help", page]) == 0
    of_a_checkout = capsys.readouterr().out
    monkeypatch.setattr(places, "is_installed", lambda: True)
    assert main(["help", page]) == 0
    said = capsys.readouterr().out
    for text in (said, of_a_checkout):
        assert "<!--" not in text and "-->" not in text
    assert not any(word in said for word in ("scripts/", "checkout", "~/kingdom/")) and not re.search(
        r"\bgit (?:checkout|clone|pull)", said
    )
    if page == "tour-gm":
        assert {
            f"kingdom new campaigns/{name} --example {name}" in said for name in ("greenmarch", "war-of-the-ford")
        } == {True}
    if page == "readme":
        assert of_a_checkout.startswith("# Kingdom turns by mail") and "scripts/test --install" in of_a_checkout
