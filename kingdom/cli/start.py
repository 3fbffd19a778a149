"""How the program starts: what scripts/kingdom and the installed command `kingdom` call."""

from __future__ import annotations

import gc
import os
import sys
from typing import Any


def run(script: str = "") -> int:
    """Run the command line; return the exit code. script: the script that started Python, if one did."""
    # A command ends soon. Looking for reference cycles would free next to nothing, and make a turn of 2,000 kingdoms take a
    # third longer; `freeze` below also saves the last collection, when Python ends.
    gc.disable()
    _open_streams()
    try:
        _load_msgspec()
        from kingdom.cli.main import main
        from kingdom.cli.program import typed
    except Exception as error:
        return _without_packages(error, script)
    try:
        return main(program=typed(script))
    finally:
        gc.freeze()


def _load_msgspec() -> None:
    """Load msgspec without typing_extensions: if it is installed, msgspec imports two names from it that Python has too, and
    loading it takes a twentieth of the time of `check`."""
    if "typing_extensions" in sys.modules:
        return
    missing: Any = None
    sys.modules["typing_extensions"] = missing  # makes the import fail as if it were not installed
    try:
        import msgspec.json  # noqa: F401 - to have it loaded
    finally:
        del sys.modules["typing_extensions"]


def _open_streams() -> None:
    """Let standard streams that were closed when the program started (as by `>&-`) lead nowhere. A run works without them, and
    no file that it opens gets their numbers, to which other programs write."""
    for number, name, way in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            # gets the lowest free number, which is the closed stream's
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, way, encoding="utf-8", closefd=False))  # noqa: SIM115 - it stays open


def _without_packages(error: Exception, script: str) -> int:
    """Make a damaged .venv anew and start once more; outside a checkout say what to do. A fault of the program itself is
    raised."""
    from kingdom.cli import environment

    if not environment.is_damaged():
        if not isinstance(error, ImportError) or (error.name or "kingdom").partition(".")[0] == "kingdom":
            raise error
        sys.stderr.write(f"kingdom: {error}. {environment.INSTALL}\n")
        return 1
    if script and not os.environ.get(_AGAIN) and environment.make() == 0:
        os.environ[_AGAIN] = "1"
        os.execv("/bin/sh", ["sh", script, *sys.argv[1:]])
    return 1


_AGAIN = "KINGDOM_STARTED_AGAIN"  # set if the environment was just made anew, so that it is not made a second time
