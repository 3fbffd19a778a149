"""Makes the checkout's virtual environment (.venv) from requirements.lock, with nothing but Python's own venv and pip.

A copy of the lock is put into .venv last, so its presence says that the environment is complete and from which lock it was
made. The folder of the checkout is locked meanwhile: if two programs start at once, one makes it and the other waits.
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
LOCK = ROOT / "requirements.lock"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
MADE = VENV / "requirements.lock"
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
    folder = os.open(ROOT, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # let go when this process ends, however it ends
    try:
        make()
    except OSError as error:
        sys.exit(f"kingdom: .venv cannot be made: {error}")
    except subprocess.CalledProcessError:
        sys.exit("kingdom: .venv is not made, for the reason above; when that is mended run this again")


def make() -> None:
    """Make .venv, or bring it to a changed lock. Raises OSError and CalledProcessError."""
    whole = MADE.exists() and works()
    if whole and MADE.read_bytes() == LOCK.read_bytes():
        os.utime(MADE)  # a checkout only touched the lock
        return
    print("kingdom: making .venv from requirements.lock (once, some minutes at most) ...", file=sys.stderr, flush=True)
    if whole:
        MADE.unlink()
    else:  # missing, left half made, or its Python is gone
        run(sys.executable, "-m", "venv", "--without-pip", "--clear", str(VENV))
    run(*pip(), "--quiet", "--disable-pip-version-check", "--no-input", "install",
        "--no-compile", "--no-deps", "--require-hashes", "--requirement", str(LOCK))  # fmt: skip
    for packages in VENV.glob("lib/python*/site-packages"):
        (packages / "checkout.pth").write_text("../../../..\n")  # the checkout, wherever it is moved to
        run(str(PYTHON), "-m", "compileall", "-q", "-x", LATER, str(packages), str(ROOT / "kingdom"))
    partial = VENV / "requirements.partial"
    shutil.copyfile(LOCK, partial)
    partial.replace(MADE)


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
