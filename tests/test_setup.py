"""A newcomer's first minute: scripts/kingdom makes its environment by itself, once, and says what it lacks."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SAY = "import sys\n\ndef run(script):\n    print('said', *sys.argv[1:])\n    return 3\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of a program that only repeats its arguments, and that needs no other packages."""
    folder = tmp_path / "check out"
    (folder / "kingdom" / "cli").mkdir(parents=True)
    (folder / "kingdom" / "__init__.py").write_text("")
    (folder / "kingdom" / "cli" / "__init__.py").write_text("")
    (folder / "kingdom" / "cli" / "start.py").write_text(SAY)
    (folder / "requirements.lock").write_text("# nothing\n")
    (folder / "requirements-test.lock").write_text("# nothing for the tests\n")
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    return folder


@pytest.fixture
def empty_path(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "sh").symlink_to("/bin/sh")
    return folder


def kingdom(checkout: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(checkout / "scripts" / "kingdom"), *words]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, cwd=checkout.parent)


@pytest.mark.long
def test_two_first_starts_at_once_make_one_environment_and_both_run(checkout: Path) -> None:
    (checkout / ".venv" / "bin").mkdir(parents=True)  # half made by a start that was killed, or its Python is gone
    (checkout / ".venv" / "bin" / "python").symlink_to("/nowhere/python3")
    command = [str(checkout / "scripts" / "kingdom"), "one two", "three"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate() for process in both]
    assert [out for out, _ in said] == ["said one two three\n"] * 2
    assert [process.returncode for process in both] == [3, 3]
    assert "".join(err for _, err in said).count("making .venv") == 1

    python = checkout / ".venv" / "bin" / "python"
    made = python.lstat().st_ctime_ns
    again = kingdom(checkout, "again")
    assert (again.stdout, again.stderr) == ("said again\n", "")

    (checkout / "requirements.lock").touch()  # as a change of branch does
    assert kingdom(checkout).stderr == ""
    (checkout / "requirements.lock").write_text("# nothing, in other words\n")
    changed = kingdom(checkout, "changed")
    assert changed.stdout == "said changed\n" and "making .venv" in changed.stderr
    assert kingdom(checkout).stderr == ""
    assert python.lstat().st_ctime_ns == made  # brought to the lock, not thrown away

    moved = checkout.rename(checkout.parent / "moved")
    link = moved.parent / "link"
    link.symlink_to(moved / "scripts" / "kingdom")
    through = subprocess.run([str(link), "moved"], capture_output=True, text=True)
    assert (through.stdout, through.stderr) == ("said moved\n", "")


def test_without_python_one_line_says_what_to_type(checkout: Path, empty_path: Path) -> None:
    ran = kingdom(checkout, PATH=str(empty_path))
    assert ran.returncode == 1
    assert ran.stderr == (
        "kingdom: Python 3.11 or newer is needed; type: apt install python3 python3-venv (on macOS: brew install python)\n"
    )


def test_without_venv_or_pip_one_line_says_what_to_type(checkout: Path, empty_path: Path) -> None:
    (empty_path / "ensurepip.py").write_text("raise ImportError('in a package of its own')\n")
    (empty_path / "python3").symlink_to(sys._base_executable)
    ran = kingdom(checkout, PATH=str(empty_path), PYTHONPATH=str(empty_path))
    typed = "brew install python" if sys.platform == "darwin" else "apt install python3-venv"
    assert ran.returncode == 1
    assert ran.stderr == f"kingdom: this Python has no venv or no pip; type: {typed}\n"
    assert not (checkout / ".venv").exists()


@pytest.mark.long
def test_a_requirement_that_cannot_be_had_says_so(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text(
        "nowhere @ file:///nowhere/nowhere-1.0-py3-none-any.whl --hash=sha256:00\n"
    )
    ran = kingdom(checkout)
    assert ran.returncode == 1
    assert ran.stderr.endswith("kingdom: .venv is not made, for the reason above; when that is mended run this again\n")
    assert not (checkout / ".venv" / "made" / "requirements.lock").exists()
    (checkout / "requirements.lock").write_text("# nothing\n")
    assert kingdom(checkout, "again").stdout == "said again\n"


def wheel_of(name: str, folder: Path, text: str = "") -> str:
    """A line of a lock for a package with nothing in it but a module of its name, which is made in the folder. text: of the module."""
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    about = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as files:
        files.writestr(f"{name}.py", text)
        files.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        files.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        listed = f"{name}.py,sha256={digest},{len(text)}"
        files.writestr(f"{about}/RECORD", f"{listed}\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n")
    return f"{name} @ {wheel.as_uri()} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def packages(checkout: Path) -> set[str]:
    return {path.name.partition("-")[0] for path in checkout.glob(".venv/lib/python*/site-packages/*.dist-info")}


@pytest.mark.long
def test_what_the_tests_need_comes_with_them_alone_and_stays_when_the_program_starts(
    checkout: Path, tmp_path: Path
) -> None:
    (checkout / "requirements.lock").write_text(wheel_of("runs", tmp_path))
    (checkout / "requirements-test.lock").write_text(wheel_of("tests_it", tmp_path))
    assert kingdom(checkout).returncode == 3
    assert packages(checkout) == {"runs"}
    environment = ["sh", str(checkout / "scripts" / "environment"), "--test"]
    first = subprocess.run(environment, capture_output=True, text=True)
    assert "making .venv from requirements-test.lock (" in first.stderr
    assert packages(checkout) == {"runs", "tests_it"}
    assert subprocess.run(environment, capture_output=True, text=True).stderr == ""

    (checkout / "requirements.lock").write_text(wheel_of("runs", tmp_path) + wheel_of("runs_too", tmp_path))
    assert "making .venv from requirements.lock (" in kingdom(checkout).stderr
    assert packages(checkout) == {"runs", "runs_too", "tests_it"}
    assert subprocess.run(environment, capture_output=True, text=True).stderr == ""

    (checkout / ".venv" / "made" / "requirements-test.lock").unlink()
    (module,) = checkout.glob(".venv/lib/python*/site-packages/tests_it.py")
    module.unlink()
    unfinished = checkout / ".venv" / "unfinished"
    unfinished.write_text("requirements-test.lock")  # its packages were being installed when the machine went off
    assert kingdom(checkout).stderr == ""  # it has all that it needs
    assert subprocess.run(environment, capture_output=True, text=True).returncode == 0
    assert module.exists()
    assert packages(checkout) == {"runs", "runs_too", "tests_it"}
    assert not unfinished.exists()


@pytest.fixture
def needy(checkout: Path, tmp_path: Path) -> Path:
    """A checkout with the real start, whose program needs a package, which its environment has."""
    for name in ("start.py", "environment.py"):
        shutil.copy(ROOT / "kingdom" / "cli" / name, checkout / "kingdom" / "cli" / name)
    (checkout / "kingdom" / "cli" / "main.py").write_text(
        "from runs import WORD\n\ndef main(program):\n    print(WORD)\n    return 3\n"
    )
    (checkout / "kingdom" / "cli" / "program.py").write_text("def typed(script):\n    return script\n")
    (checkout / "requirements.lock").write_text(wheel_of("runs", tmp_path, "WORD = 'whole'\n"))
    assert kingdom(checkout).stdout == "whole\n"
    return checkout


def _delete(module: Path) -> None:
    module.unlink()


def _empty(module: Path) -> None:
    module.write_text("")


def _zero(module: Path) -> None:
    module.write_bytes(bytes(module.stat().st_size))


def _list_too(module: Path) -> None:
    shutil.rmtree(module.parent / "runs-1.0.dist-info")
    module.unlink()


def _older_python(module: Path) -> None:
    module.parents[1].rename(module.parents[2] / "python3.9")


def _no_settings(module: Path) -> None:
    (module.parents[3] / "pyvenv.cfg").unlink()


@pytest.mark.long
@pytest.mark.parametrize("harm", [_delete, _empty, _zero, _list_too, _older_python, _no_settings])
def test_a_damaged_environment_is_named_and_made_anew(needy: Path, harm: Callable[[Path], None]) -> None:
    (module,) = needy.glob(".venv/lib/python*/site-packages/runs.py")
    shutil.rmtree(module.parent / "__pycache__", ignore_errors=True)
    harm(module)
    ran = kingdom(needy)
    assert ran.returncode == 3 and ran.stdout.endswith("whole\n"), ran.stderr
    assert "kingdom: .venv is damaged: " in ran.stderr and "Traceback" not in ran.stderr
    assert (kingdom(needy).stdout, kingdom(needy).stderr) == ("whole\n", "")


@pytest.mark.long
@pytest.mark.parametrize("harm", [_delete, _empty, _list_too, _no_settings])
def test_the_script_that_makes_the_environment_mends_it_too(needy: Path, harm: Callable[[Path], None]) -> None:
    (module,) = needy.glob(".venv/lib/python*/site-packages/runs.py")
    harm(module)
    mended = subprocess.run(["sh", str(needy / "scripts" / "environment")], capture_output=True, text=True)
    assert mended.returncode == 0 and "making .venv" in mended.stderr
    assert (kingdom(needy).stdout, kingdom(needy).stderr) == ("whole\n", "")


@pytest.mark.long
def test_a_fault_of_the_program_itself_is_not_blamed_on_the_environment(needy: Path) -> None:
    (needy / "kingdom" / "cli" / "main.py").write_text("import nowhere_at_all\n")
    ran = kingdom(needy)
    assert ran.returncode == 1 and "damaged: " not in ran.stderr and "making .venv" not in ran.stderr
    assert ran.stderr.startswith("kingdom: No module named 'nowhere_at_all'. A package that this program needs is")


@pytest.mark.long
def test_two_worktrees_that_share_an_environment_wait_for_each_other(checkout: Path, tmp_path: Path) -> None:
    (checkout / "requirements.lock").write_text(wheel_of("runs", tmp_path))
    (checkout / ".venv").mkdir()
    other = Path(shutil.copytree(checkout, tmp_path / "worktree", ignore=shutil.ignore_patterns(".venv")))
    (other / ".venv").symlink_to(checkout / ".venv")
    commands = [["sh", str(place / "scripts" / "environment"), "--test"] for place in (checkout, other)]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    assert "".join(process.communicate()[1] for process in both).count("making .venv") == 1
    assert packages(checkout) == {"runs"}


def pins(lock: str) -> list[str]:
    return [line for line in (ROOT / lock).read_text().splitlines() if "==" in line]


@pytest.mark.parametrize(
    ("lock", "holds"),
    [
        ("requirements.lock", ("jinja2", "msgspec", "pandas", "pyyaml")),
        ("requirements-test.lock", ("pytest", "hypothesis", "hatchling")),
    ],
)
def test_a_lock_pins_every_requirement_with_hashes_and_names_no_registry(lock: str, holds: tuple[str, ...]) -> None:
    assert "://" not in (ROOT / lock).read_text()
    pinned = pins(lock)
    assert pinned and all(line.endswith("\\") for line in pinned)  # the hashes follow
    for name in holds:
        assert any(line.startswith(f"{name}==") for line in pinned), name


def test_no_package_is_in_both_locks_and_the_program_needs_few() -> None:
    run, test = (
        {pin.partition("==")[0] for pin in pins(lock)} for lock in ("requirements.lock", "requirements-test.lock")
    )
    assert not run & test
    assert len(run) <= 18  # with Pillow, for the colours of pictures, and shtab, a single module


# --- scripts/test -----------------------------------------------------------------------------------------------------


def program(path: Path, *lines: str) -> None:
    """A program that does what these lines of shell say."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)


@pytest.fixture
def testable(checkout: Path, empty_path: Path) -> Path:
    """A checkout with an environment whose Python only says what it is asked, on a machine that lacks a package."""
    program(checkout / ".venv" / "bin" / "python", 'echo "python $*"')
    for lock in ("requirements.lock", "requirements-test.lock"):
        (checkout / ".venv" / "made").mkdir(exist_ok=True)
        shutil.copy(checkout / lock, checkout / ".venv" / "made")
    (checkout / "scripts" / "packages.txt").write_text("sh sh\nlynx-package lynx\n")
    (empty_path / "python3").symlink_to(sys._base_executable)
    program(empty_path / "id", "echo 0")
    program(empty_path / "apt-get", f'echo "apt-get $*" >>"{checkout}/asked"')
    return checkout


def run_tests(testable: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(testable.parent / "bin"), "HOME": str(testable)}
    command = [str(testable / "scripts" / "test"), *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd="/")


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ([], "python -m pytest -q -n auto --dist worksteal -m not long"),
        (["--all"], "python -m pytest -q -n auto --dist worksteal -m "),
        (
            ["tests/test_setup.py", "-x"],
            "python -m pytest -q -n auto --dist worksteal -m not long tests/test_setup.py -x",
        ),
        (["-k", "a word"], "python -m pytest -q -n auto --dist worksteal -m not long -k a word"),
        (["scripts/test", "-x"], "python -m pytest -q -n 0 --dist worksteal -m not long scripts/test -x"),  # one file
        (["scripts/test::one"], "python -m pytest -q -n 0 --dist worksteal -m not long scripts/test::one"),
        (["scripts/test", "scripts"], "python -m pytest -q -n auto --dist worksteal -m not long scripts/test scripts"),
    ],
)
def test_scripts_test_runs_the_short_or_the_long_tests(testable: Path, words: list[str], asked: str) -> None:
    ran = run_tests(testable, *words)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"{asked}\n", "")
    assert not (testable / "asked").exists()


def test_only_install_installs_packages_and_only_the_missing_ones(testable: Path) -> None:
    ran = run_tests(testable, "--install", "--all")
    assert ran.stdout == "python -m pytest -q -n auto --dist worksteal -m \n"
    assert (testable / "asked").read_text() == (
        "apt-get -qq update\napt-get -qq install --yes --no-remove --no-install-recommends lynx-package\n"
    )


def test_postfix_is_installed_without_setting_up_the_mail_of_the_machine(testable: Path) -> None:
    (testable / "scripts" / "packages.txt").write_text("postfix postfix-that-is-nowhere\n")
    program(
        testable.parent / "bin" / "debconf-set-selections",
        f'while read -r line; do echo "$line" >>"{testable}/asked"; done',
    )
    run_tests(testable, "--install")
    answered = (testable / "asked").read_text().splitlines()[0]
    assert answered == "postfix postfix/main_mailer_type select No configuration"


def test_who_is_not_root_is_told_what_to_type(testable: Path) -> None:
    program(testable.parent / "bin" / "id", "echo 1000")
    ran = run_tests(testable, "--install")
    assert ran.returncode == 1
    assert ran.stderr == "scripts/test: only root can install packages; type: sudo apt-get install lynx-package\n"


def test_without_apt_the_tests_that_need_packages_are_named_as_skipped(testable: Path) -> None:
    (testable.parent / "bin" / "apt-get").unlink()
    ran = run_tests(testable, "--install")
    assert ran.returncode == 0
    assert ran.stderr == "scripts/test: no apt-get here: the tests that need lynx-package are skipped\n"


NEEDS = """
import pytest

@pytest.mark.package("lynx-package", "a-program-that-is-nowhere")
def test_in_a_browser():
    assert True
"""


@pytest.mark.parametrize(
    ("ci", "code", "said"), [pytest.param("false", 0, "1 skipped", marks=pytest.mark.long), ("true", 1, "1 error")]
)
def test_a_skip_names_the_package_and_is_a_failure_in_ci(tmp_path: Path, ci: str, code: int, said: str) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "test_needs.py").write_text(NEEDS)
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"CI": ci})
    assert ran.returncode == code, ran.stdout
    assert said in ran.stdout
    assert "needs Debian's package lynx-package: scripts/test --install" in ran.stdout
