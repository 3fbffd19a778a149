"""How the program starts: what scripts/kingdom and the installed command `kingdom` call."""

from __future__ import annotations

import gc


def run(script: str = "") -> int:
    """The command line, without collecting garbage; gives the exit code. script: the script that started Python, if one did.

    A command ends soon, and what it makes is either needed to the end or freed when nothing refers to it any more. Collecting
    reference cycles frees next to nothing, and takes longer the bigger a campaign is: a turn of 2,000 kingdoms would cost a
    third more for each kingdom than one of ten. docs/performance.md has the figures, peak memory among them.
    """
    gc.disable()
    from kingdom.cli.main import main
    from kingdom.cli.program import typed

    try:
        return main(program=typed(script))
    finally:
        gc.freeze()  # or Python looks through it all once more before it ends
