"""Makes the checkout's virtual environment (.venv) with nothing but Python's own venv and pip.

requirements.lock has what the program needs; with --test the environment also gets what requirements-test.lock adds for tests.
No package is in both locks, so bringing .venv to one of them takes nothing of the other away. A copy of each lock is put into
.venv/made last: it says that all of that lock is installed. What a killed start left half installed is installed once more.
The folder that .venv lies in is locked meanwhile: if two programs start at once, one makes it and the other waits. That holds
for two worktrees too that share one environment through a link.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-test.lock")  # what runs the program; what its tests need beyond that
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
MADE = VENV / "made"
UNFINISHED = VENV / "unfinished"  # names the locks that are being installed, and so stays if that is killed
# Compiled when first imported: what is large and no command needs. The rest is compiled here, or each start of the program
# would do it where Python may write nothing.
LATER = r"/(tests|testing|pip|setuptools|pkg_resources|mypy|mypyc|_pytest|hypothesis|playwright|lexers|f2py)/"


def main() -> None:
    try:
        import_module("ensurepip")
        import_module("venv")
    except ImportError:
        typed = "brew install python" if sys.platform == "darwin" else "apt install python3-venv"
        sys.exit(f"kingdom: this Python has no venv or no pip; type: {typed}")
    folder = os.open(VENV.resolve().parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # let go when this process ends, however it ends
    try:
        make(LOCKS if "--test" in sys.argv[1:] else LOCKS[:1])
    except OSError as error:
        sys.exit(f"kingdom: .venv cannot be made: {error}")
    except subprocess.CalledProcessError:
        sys.exit("kingdom: .venv is not made, for the reason above; when that is mended run this again")


def make(locks: tuple[str, ...]) -> None:
    """Make .venv, or bring it to locks that changed. Raises OSError and CalledProcessError."""
    usable = works()
    wanted = [lock for lock in locks if not (usable and is_made(lock))]
    if not wanted:
        for lock in locks:
            os.utime(MADE / lock)  # a checkout only touched the lock
        return
    print(
        f"kingdom: making .venv from {' and '.join(wanted)} (once, some minutes at most) ...",
        file=sys.stderr,
        flush=True,
    )
    if not usable:  # missing, or its Python is gone
        run(sys.executable, "-m", "venv", "--without-pip", "--clear", str(VENV))
    half = [lock for lock in LOCKS if UNFINISHED.exists() and lock in UNFINISHED.read_text().split()]
    wanted = list(dict.fromkeys(wanted + half))
    install(wanted, anew=bool(half))
    for packages in VENV.glob("lib/python*/site-packages"):
        (packages / "checkout.pth").write_text("../../../..\n")  # the checkout, wherever it is moved to
        run(str(PYTHON), "-m", "compileall", "-q", "-x", LATER, str(packages), str(ROOT / "kingdom"))
    MADE.mkdir(exist_ok=True)
    for lock in wanted:
        partial = MADE / f"{lock}.partial"
        shutil.copyfile(ROOT / lock, partial)
        partial.replace(MADE / lock)


def install(locks: list[str], anew: bool) -> None:
    """Install what locks have. anew: also packages that seem to be there."""
    for lock in locks:
        (MADE / lock).unlink(missing_ok=True)
    UNFINISHED.write_text("\n".join(locks))
    try:
        run(*pip(), "--quiet", "--disable-pip-version-check", "--no-input", "install", "--no-compile", "--no-deps",
            "--require-hashes", *(["--ignore-installed"] if anew else []),
            *(word for lock in locks for word in ("--requirement", str(ROOT / lock))))  # fmt: skip
    except subprocess.CalledProcessError:
        UNFINISHED.unlink()  # pip has everything before it installs anything, and takes back what fails
        raise
    UNFINISHED.unlink()


def is_made(lock: str) -> bool:
    copy = MADE / lock
    return copy.exists() and copy.read_bytes() == (ROOT / lock).read_bytes()


def pip() -> list[str]:
    """The pip that this Python has, told to install into .venv; where it has none that can, one is put into .venv."""
    try:
        if tuple(map(int, metadata.version("pip").split(".")[:2])) >= (22, 3):  # the first that knows --python
            return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    except (metadata.PackageNotFoundError, ValueError):
        pass
    run(str(PYTHON), "-m", "ensurepip")
    return [str(PYTHON), "-m", "pip"]


def works() -> bool:
    return PYTHON.exists() and subprocess.run([str(PYTHON), "-c", ""], capture_output=True).returncode == 0


def run(*command: str) -> None:
    """Run it with its output on standard error: standard output is the program's own."""
    subprocess.run(command, check=True, stdout=sys.stderr, stdin=subprocess.DEVNULL)


main()
