"""How the program starts: what scripts/kingdom and the installed command `kingdom` call."""

from __future__ import annotations

import gc


def run(script: str = "") -> int:
    """The command line; gives the exit code. script: the script that started Python, if one did."""
    # A command ends soon. Looking for reference cycles would free next to nothing, and make a turn of 2,000 kingdoms a third
    # dearer; `freeze` below spares the last look, as Python ends.
    gc.disable()
    from kingdom.cli.main import main
    from kingdom.cli.program import typed

    try:
        return main(program=typed(script))
    finally:
        gc.freeze()
