"""Makes the checkout's virtual environment (.venv) with nothing but Python's own venv and pip.

requirements.lock has what the program needs; with --test the environment also gets what requirements-test.lock adds for tests.
No package is in both locks, so bringing .venv to one of them takes nothing of the other away. A copy of each lock is put into
.venv/made last: it says that all of that lock is installed. What a killed start left half installed is installed once more, and
so is a lock of whose packages a file is gone or changed: each start of this script looks for that by the files' sizes. With --look
it only looks, at what is in the files as well; if something is amiss it says so, lets the next start install it, and exits with 1.
The folder that .venv lies in is locked meanwhile: if two programs start at once, one makes it and the other waits. That holds
for two worktrees too that share one environment through a link.
"""

from __future__ import annotations

import base64
import csv
import fcntl
import hashlib
import os
import re
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
    if "--look" in sys.argv[1:]:
        sys.exit(look())
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
    for lock, why in damaged(locks).items() if usable else ():
        print(f"kingdom: .venv is damaged: {why}. It is made anew.", file=sys.stderr, flush=True)
        mark(lock)
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
        run(sys.executable, "-m", "venv", "--without-pip", "--clear", str(VENV.resolve()))  # a worktree's is a link
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


def look() -> int:
    """Say what is damaged, and let the next start install it; 1 if something is."""
    if not works():
        print("kingdom: .venv is damaged: its Python is gone, or another one now.", file=sys.stderr, flush=True)
        return 1
    found = damaged(LOCKS, is_thorough=True)
    for lock, why in found.items():
        print(f"kingdom: .venv is damaged: {why}.", file=sys.stderr, flush=True)
        try:
            mark(lock)
        except OSError as error:
            print(f"kingdom: it can't be mended here: {error}", file=sys.stderr, flush=True)
    return int(bool(found))


def damaged(locks: tuple[str, ...], is_thorough: bool = False) -> dict[str, str]:
    """Return lock -> what of its packages is missing or changed, of locks that are installed. is_thorough: read all files, too."""
    places = [*VENV.glob("lib/python*/site-packages/*.dist-info")]
    about = {_name(place.name.removesuffix(".dist-info").rpartition("-")[0]): place for place in places}
    found = {}
    for lock in locks:
        text = (MADE / lock).read_text() if is_made(lock) else ""
        pins = re.findall(
            r"^([A-Za-z0-9._-]+) ?[=@][^;\n]*$", text, re.MULTILINE
        )  # behind `;` stands for which systems it is
        for name in map(_name, pins):
            why = _missing(about[name], is_thorough) if name in about else f"the package {name} is gone"
            if why:
                found[lock] = why
                break
    return found


def _name(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def _missing(about: Path, is_thorough: bool) -> str:
    """Return what of a package is not as it was installed, "" for nothing. about: the folder that lists its files."""
    try:
        rows = [*csv.reader((about / "RECORD").read_text(encoding="utf-8").splitlines())]
    except (OSError, ValueError, csv.Error):
        return f"{about.name} has no list of files"
    for name, digest, size in (row for row in rows if len(row) == 3 and not row[0].endswith(".pyc")):
        file = about.parent / name
        try:
            if file.stat().st_size != int(size or file.stat().st_size):
                return f"{name} is changed"
            if is_thorough and digest.startswith("sha256="):
                found = base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).rstrip(b"=")
                if found.decode() != digest.removeprefix("sha256="):
                    return f"{name} is changed"
        except OSError:
            return f"{name} is gone or can't be read"
    return ""


def mark(lock: str) -> None:
    """Let a lock be installed once more. Raises OSError."""
    old = UNFINISHED.read_text().split() if UNFINISHED.exists() else []
    UNFINISHED.write_text("\n".join({*old, lock}))
    (MADE / lock).unlink(missing_ok=True)


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
    """Return whether .venv has a Python that is its own, and a place for packages of this Python: that of the system may be newer now."""
    ask = "import os, sys, sysconfig; sys.exit(sys.prefix == sys.base_prefix or not os.path.isdir(sysconfig.get_path('purelib')))"
    return PYTHON.exists() and subprocess.run([str(PYTHON), "-c", ask], capture_output=True).returncode == 0


def run(*command: str) -> None:
    """Run it with its output on standard error: standard output is the program's own."""
    subprocess.run(command, check=True, stdout=sys.stderr, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
