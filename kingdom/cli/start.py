"""How the program starts: what scripts/kingdom and the installed command `kingdom` call."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

from kingdom.orders.late_patterns import late_modules, late_patterns


def run(script: str = "") -> int:
    """The command line, without collecting garbage; gives the exit code. script: the script that started Python, if one did.

    A command ends soon, and what it makes is either needed to the end or freed when nothing refers to it any more. Collecting
    reference cycles frees next to nothing, and takes longer the bigger a campaign is: a turn of 2,000 kingdoms would cost a
    third more for each kingdom than one of ten. docs/performance.md has the figures, peak memory among them.
    """
    gc.disable()
    _load_libraries()
    from kingdom.cli.main import main
    from kingdom.cli.program import typed

    try:
        return main(program=typed(script))
    finally:
        gc.freeze()  # or Python looks through it all once more before it ends


def _load_libraries() -> None:
    """Load what every command needs, without its patterns, and msgspec without typing_extensions. msgspec loads that if some
    other package installed it; it has nothing that this Python lacks, and a command would take a tenth longer to start."""
    without = {"msgspec", "typing_extensions"}.isdisjoint(sys.modules)
    if without:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]  # so that it is not found
    with late_patterns(), late_modules("msgspec.inspect", "ipaddress"):  # which msgspec and pathlib load and seldom use
        for library in ("msgspec", "argparse", "locale", "pathlib"):
            import_module(library)
    if without:
        del sys.modules["typing_extensions"]
