"""The program installed from its wheel: templates and tables are in it, and it runs a turn without the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
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
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an empty environment in which the wheel alone is installed.

    What the program needs is not fetched once more: a .pth file lends it the packages of the environment that runs the
    tests, behind its own. So the test needs no network, and a module of ours that the wheel lacks is still missed.
    """
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, at=ROOT)
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", at=folder)
    python = folder / "venv" / "bin" / "python"
    (wheel,) = folder.glob("*.whl")
    pip = (having_pip(), "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--no-compile", "--no-deps", "--no-index", wheel, at=folder)
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", at=folder).strip()
    Path(packages, "lent.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return folder / "venv" / "bin"


def test_the_program_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    say = "import kingdom, kingdom.orders.places; print(kingdom.__file__); print(kingdom.orders.places.templates())"
    for line in run(installed / "python", "-c", say, at=tmp_path).splitlines():
        assert Path(line).is_relative_to(installed.parent)


def test_every_template_and_table_is_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    say = "import kingdom; print(kingdom.__path__[0])"
    package = Path(run(installed / "python", "-c", say, at=tmp_path).strip())
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


def test_the_installed_program_runs_a_turn(installed: Path, tmp_path: Path) -> None:
    kingdom, march = installed / "kingdom", tmp_path / "march"
    for name, text in CAMPAIGN.items():
        (march / name).parent.mkdir(parents=True, exist_ok=True)
        (march / name).write_text(text)
    assert "realm" in run(kingdom, "games", at=tmp_path)
    run(kingdom, "turn", "--yes", march, at=tmp_path)
    report = (march / "turns" / "0001" / "reports" / "examplia.txt").read_text()
    assert "0203" in report
    assert (march / "turns" / "0001" / "reports" / "examplia.html").exists()
    run(kingdom, "audit", march, at=tmp_path)
