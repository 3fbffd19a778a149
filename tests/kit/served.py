"""Programs that show a file as web pages, started for a test: Datasette and fava."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 60  # seconds


@contextmanager
def served(first: str, program: str, *words: str) -> Iterator[Callable[[str], Any]]:
    """Yield a function that gets a page of the program as plain data. first: the page that it is waited for."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).parent / program), *words, "--port", str(port)]

    def ask(place: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{place}", timeout=PATIENCE) as answer:
            return json.load(answer)

    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            until = time.monotonic() + PATIENCE
            while True:
                with contextlib.suppress(OSError):
                    ask(first)
                    break
                assert running.poll() is None and time.monotonic() < until, f"{program} does not answer"
                time.sleep(0.1)
            yield ask
        finally:
            running.terminate()
