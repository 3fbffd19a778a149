"""The program's name as its user typed it, which begins printed commands. Mails and kept files say `kingdom`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from shlex import join

from kingdom.cli.table import COMMANDS

NAME = "kingdom"
_MAIN = "__main__.py"


def typed(script: str = "") -> str:
    """Return what the user typed before the command, quoted for a shell. script: the script that started Python, if any."""
    path = script or sys.argv[0]
    if os.path.basename(path) == _MAIN:  # python -m kingdom, whichever python and with whatever options
        return join(sys.orig_argv[: len(sys.orig_argv) - len(sys.argv) + 1])
    if path in ("", "-c"):  # another program calls this one
        return NAME
    return join([os.path.basename(path) if _is_found_on_path(path) else path])


def _is_found_on_path(path: str) -> bool:
    """Return whether a shell finds this path by its name: a shell passes the path to the program even if only the name was
    typed."""
    places = (os.path.join(folder, os.path.basename(path)) for folder in os.get_exec_path())
    return next((place for place in places if os.access(place, os.X_OK)), "") == path


def wording(program: str) -> Callable[[str], str]:
    """Return a function that makes the commands in a text begin with that program."""
    if program == NAME:
        return str
    commands = "|".join(sorted({command.split()[0] for command in COMMANDS}))
    named = re.compile(rf"(?:(?<=`)|(?<=type: )){NAME}(?= (?:(?:{commands})\b|--|COMMAND))")
    return lambda text: named.sub(lambda _: program, text) if NAME in text else text
