"""kingdom completion: the script by which a shell completes commands. scripts/redoc makes it from the table of commands."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kingdom.cli.commands import Said

_FOLDER = Path(__file__).parent.parent / "completions"


class Args(Protocol):
    """The arguments of `kingdom completion`."""

    shell: str


def run_completion(args: Args) -> Said:
    """Print the script; its first lines say where to put it."""
    return Said(raw=(_FOLDER / f"kingdom.{args.shell}").read_bytes())
