"""The program installed from its wheel: templates and tables are in it, and it runs a turn without the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "campaigns" / "greenmarch"
pytestmark = pytest.mark.long  # an environment is made and the package built


def run(*command: str | Path, at: Path) -> str:
    """What the command prints. Nothing of the checkout is on the way to it, and it must succeed."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "KINGDOM_"))}
    environment["KINGDOM_CACHE"] = str(at / "cache")
    done = subprocess.run(list(map(str, command)), cwd=at, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def having_pip() -> str:
    """The Python that runs the tests, or the one that its environment was made with: scripts/environment.py needs one in either."""
    pythons = (sys._base_executable, sys.executable)
    return next(python for python in pythons if not subprocess.run([python, "-c", "import pip"]).returncode)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as `pip install` takes it."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, at=ROOT)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an empty environment in which the wheel alone is installed.

    What the program needs is not fetched once more: a .pth file lends it the packages of the environment that runs the
    tests, behind its own. So the test needs no network, and a module of ours that the wheel lacks is still missed.
    """
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", at=folder)
    python = folder / "venv" / "bin" / "python"
    pip = (having_pip(), "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--no-compile", "--no-deps", "--no-index", wheel, at=folder)
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", at=folder).strip()
    Path(packages, "lent.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return folder / "venv" / "bin"


def test_the_program_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    say = "import kingdom, kingdom.orders.places; print(kingdom.__file__); print(kingdom.orders.places.templates())"
    for line in run(installed / "python", "-c", say, at=tmp_path).splitlines():
        assert Path(line).is_relative_to(installed.parent)


def test_every_template_table_and_page_is_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    say = "import kingdom; print(kingdom.__path__[0])"
    package = Path(run(installed / "python", "-c", say, at=tmp_path).strip())
    assert (package / "py.typed").is_file()
    pages = [page.name for page in (ROOT / "docs").iterdir() if page.is_file()]
    assert sorted(pages) == sorted(os.listdir(package / "docs"))
    for folder, inside in (
        (ROOT / "templates", package / "templates"),
        (ROOT / "kingdom" / "games", package / "games"),
        (ROOT / "kingdom" / "render" / "fonts", package / "render" / "fonts"),
    ):
        kept = [path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")]
        assert kept
        assert [path for path in kept if not (inside / path.relative_to(folder)).is_file()] == []


CAMPAIGN = {
    "campaign.yaml": "{name: The March, game: realm, seed: march, public_seed: true, players: {examplia: {name: Ada}}}\n",
    "map.yaml": "grid: |\n  ppp\n  ppp\n  ppp\n",
    "kingdoms/examplia.yaml": """\
name: Examplia
treasury: 20
capital: Oakhold
hexes: {"0202": []}
settlements: {Oakhold: {hex: "0202", districts: 1, buildings: [house]}}
""",
    "orders/0001/examplia.yaml": "{kingdom: examplia, turn: 1, claim: 0203}\n",
}


@pytest.fixture
def march(tmp_path: Path) -> Path:
    """A campaign before its turn 0."""
    folder = tmp_path / "march"
    for name, text in CAMPAIGN.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_the_installed_program_runs_a_turn(installed: Path, march: Path, tmp_path: Path) -> None:
    kingdom = installed / "kingdom"
    assert "realm" in run(kingdom, "games", at=tmp_path)
    run(kingdom, "turn", "--yes", march, at=tmp_path)
    report = (march / "turns" / "0001" / "reports" / "examplia.txt").read_text()
    assert "0203" in report
    assert (march / "turns" / "0001" / "reports" / "examplia.html").exists()
    run(kingdom, "audit", march, at=tmp_path)


def test_the_examples_can_be_played_without_the_checkout(installed: Path, tmp_path: Path) -> None:
    kingdom, march = installed / "kingdom", tmp_path / "march"
    run(kingdom, "new", march, "--example", "greenmarch", at=tmp_path)
    copied = {file.relative_to(march) for file in march.rglob("*") if file.is_file()}
    assert copied == {file.relative_to(EXAMPLE) for file in EXAMPLE.rglob("[!.]*") if file.is_file()}
    assert all((march / name).read_bytes() == (EXAMPLE / name).read_bytes() for name in copied)
    assert "Turn 12 is due" in run(kingdom, "run", march, at=tmp_path)
    assert "# A campaign by mail" in run(kingdom, "help", "mail", at=tmp_path)
    run(kingdom, "new", tmp_path / "cities", "--example", "six-cities", at=tmp_path)
    run(kingdom, "audit", tmp_path / "cities", at=tmp_path)


def test_the_first_page_can_be_followed_by_who_has_the_wheel_alone(installed: Path, tmp_path: Path) -> None:
    """Each command of `kingdom help readme`, typed in an empty home, prints what the page says."""
    page = run(installed / "kingdom", "help", "readme", at=tmp_path)
    typed = {
        "HOME": str(tmp_path),
        "PATH": f"{installed}:{os.environ['PATH']}",
        "KINGDOM_CACHE": str(tmp_path / "cache"),
    }
    for block in re.findall(r"^```\n(\$ .*?)^```", page, re.M | re.S):
        for command, says in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=typed, capture_output=True, text=True)
            assert done.returncode == 0, (command, done.stderr)
            printed = done.stdout.replace(str(tmp_path), "/home/you").splitlines()
            shown = says.splitlines()
            assert shown == (printed if shown[-1:] != ["..."] else [*printed[: len(shown) - 1], "..."]), command
    line = run(installed / "kingdom", "service", tmp_path / "greenmarch", at=tmp_path).splitlines()[-1]
    assert f"* {installed}/kingdom run {tmp_path}/greenmarch >> " in line


def test_the_page_on_an_index_speaks_to_who_installs_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        (name,) = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
        page = message_from_bytes(files.read(name)).get_payload()
    assert "# Kingdom turns by mail" in page and "pipx" in page
    assert not re.search(r"scripts/|checkout|\bgit\b|\]\((?!https:)", page)


def test_the_source_package_is_small_and_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", tmp_path, at=ROOT)
    (source,) = tmp_path.glob("*.tar.gz")
    assert source.stat().st_size <= 4_000_000
    with tarfile.open(source) as files:
        files.extractall(tmp_path, filter="data")
    again = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path)
    run(*again, at=tmp_path / source.name.removesuffix(".tar.gz"))
    assert sums_of(tmp_path / wheel.name) == sums_of(wheel)


def sums_of(wheel: Path) -> dict[str, int]:
    """What is in a wheel, by its names; without the list of it, which has another order each time."""
    with zipfile.ZipFile(wheel) as files:
        return {file.filename: file.CRC for file in files.infolist() if not file.filename.endswith("/RECORD")}


# --- the oldest packages that pyproject.toml allows

MAIL = """\
From: Ada <ada@example.org>
To: Gwen <gwen@example.org>
Message-ID: <turn-2@example.org>
Date: Fri, 05 Jan 2024 10:00:00 +0000
Subject: Turn 2
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<html><body><p>token: adastoken</p><p>kingdom: examplia<br>turn: 2<br>claim: 0302</p></body></html>
"""
BY_MAIL = """\
name: The March
game: realm
seed: march
public_seed: true
gm: {name: Gwen, email: gwen@example.org, token: gwenstoken}
players: {examplia: {name: Ada, email: ada@example.org, token: adastoken}}
calendar: {deadline: 2024-01-01T18:00, zone: Europe/Berlin, every: 7d}
"""


@pytest.fixture(scope="module")
def oldest(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment with the wheel and the lowest version of each package that it asks for by name.

    These are fetched. Where this Python has no wheel of a version, the lowest that has one counts.
    """
    folder = tmp_path_factory.mktemp("oldest")
    uv = (sys.executable, "-m", "uv", "--quiet")
    run(*uv, "venv", "--python", sys.executable, folder / "venv", at=folder)
    python = folder / "venv" / "bin" / "python"
    lowest = ("--resolution", "lowest-direct", "--only-binary", ":all:")
    run(*uv, "pip", "install", *lowest, "--python", python, "-r", ROOT / "pyproject.toml", wheel, at=folder)
    return folder / "venv" / "bin"


def test_with_the_lowest_versions_allowed_a_turn_is_played_and_a_mail_is_taken_and_answered(
    oldest: Path, march: Path, tmp_path: Path
) -> None:
    say = "import importlib.metadata as packages; print(packages.version('selectolax'))"
    assert run(oldest / "python", "-c", say, at=tmp_path) == "0.4.4\n"
    (march / "campaign.yaml").write_text(BY_MAIL)
    run(oldest / "kingdom", "turn", "--yes", march, at=tmp_path)
    (march / "mail" / "inbox").mkdir(parents=True)
    (march / "mail" / "inbox" / "ada.eml").write_text(MAIL)
    ran = run(oldest / "kingdom", "run", march, at=tmp_path)
    assert "ada@example.org: filed." in ran
    assert "Turn 2 is due" in ran
    assert "0302" in (march / "turns" / "0002" / "reports" / "examplia.txt").read_text()
    assert any(b"image/png" in mail.read_bytes() for mail in (march / "mail" / "outbox").iterdir())  # drawn by resvg
    run(oldest / "kingdom", "ledger", march, "--html", "ledger.html", at=tmp_path)  # by pandas
    run(oldest / "kingdom", "forecast", march, "examplia", at=tmp_path)  # by numpy
    run(oldest / "kingdom", "export", march, "--to", "books.xlsx", at=tmp_path)
