"""Runs each command that standard input asks for, a line of JSON each, and says how it ended.

A command that may be killed runs in a process that is forked for it. Others run here, so that what they load, such as
modules and templates, is there already for those that are forked later.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime
from typing import Any

from kingdom.campaign import clock
from kingdom.cli.main import main


def serve() -> None:
    """Do what each line asks for."""
    for line in sys.stdin:
        asked = json.loads(line)
        child = 0 if asked["here"] else os.fork()
        if child:
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        elif asked["here"]:
            code = command(asked)
        else:
            be(asked)
        print(code, flush=True)


def be(asked: dict[str, Any]) -> None:
    """Be the command, counted and perhaps killed, to its end."""
    code = 1
    try:
        os.environ.update(asked["shim"])
        ctypes.CDLL(None).shim_read()
        code = command(asked)
    finally:
        os._exit(code)


def command(asked: dict[str, Any]) -> int:
    """Run it; gives the exit code."""
    now = datetime.fromisoformat(asked["now"])
    clock.now = lambda: now
    with open(asked["out"], "w", encoding="utf-8") as out, redirect_stdout(out), redirect_stderr(out):
        return main(asked["words"])


if __name__ == "__main__":
    serve()
