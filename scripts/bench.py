"""Speed and memory, each figure a ratio to something measured in the same round. Run it with `scripts/bench`.

The machines are noisy, so rounds interleave what is measured with what it is held against, and the median of the
per-round ratios counts. *pass* is `python -c pass`; a *spin* is 20,000 rounds of a small loop (see `spin`).
"""

from __future__ import annotations

import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PYTHON = sys.executable
ROUNDS = 9


def spin() -> int:
    """The unit of work inside one process: 2 to 3 ms."""
    book: dict[int, tuple] = {}
    total = 0
    for i in range(20_000):
        book[i & 1023] = (i, "treasury", total)
        total += i % 7
    return total


def cpu_of(command: list[str]) -> float:
    """CPU seconds, user and system, of a whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wall_of(command: list[str]) -> float:
    """Wall seconds of a whole process."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    return time.perf_counter() - start


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of a call in this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def ratio(measured: Callable[[], float], against: Callable[[], float], rounds: int = ROUNDS) -> float:
    """The median, over rounds, of measured / against; one round first that does not count."""
    measured(), against()
    return statistics.median(measured() / against() for _ in range(rounds))


def exponent(small: int, large: int, cost: Callable[[int], float], rounds: int = 3) -> float:
    """The growth exponent of `cost` between two sizes: 1 is linear."""
    cost(small)
    ratios = [cost(large) / cost(small) for _ in range(rounds)]
    return math.log(statistics.median(ratios)) / math.log(large / small)
