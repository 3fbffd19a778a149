"""How the program starts: what scripts/kingdom and the installed command `kingdom` call."""

from __future__ import annotations

import gc
import os
import sys


def run(script: str = "") -> int:
    """The command line; gives the exit code. script: the script that started Python, if one did."""
    # A command ends soon. Looking for reference cycles would free next to nothing, and make a turn of 2,000 kingdoms a third
    # dearer; `freeze` below spares the last look, as Python ends.
    gc.disable()
    _open_streams()
    from kingdom.cli.main import main
    from kingdom.cli.program import typed

    try:
        return main(program=typed(script))
    finally:
        gc.freeze()


def _open_streams() -> None:
    """Let the standard streams lead nowhere that who started the program closed, as `>&-` does: a run does its work without them, and
    no file that it opens gets their numbers, to which other programs write."""
    for number, name, way in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # gets the lowest number that is free: this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, way, encoding="utf-8", closefd=False))  # noqa: SIM115 - it stays open
