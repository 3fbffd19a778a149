"""What the figures of `scripts/bench` are measured with: CPU, wall time and memory, each held against something of the same round.

The machines are noisy, so rounds interleave what is measured with what it is held against, and the median of the
per-round ratios counts. *pass* is `python -c pass`; a *spin* is 20,000 rounds of a small loop (see `spin`).
"""

from __future__ import annotations

import gc
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
KINGDOM = str(ROOT / "scripts" / "kingdom")  # what a user types
PASS = [sys.executable, "-c", "pass"]
ROUNDS = 15
MIB = 1 << 20


def spin() -> int:
    """The unit of work inside one process: 2 to 3 ms."""
    book: dict[int, tuple[int, str, int]] = {}
    total = 0
    for i in range(20_000):
        book[i & 1023] = (i, "treasury", total)
        total += i % 7
    return total


class Used(NamedTuple):
    """What a process took: CPU seconds (user and system), wall seconds, peak memory in bytes."""

    cpu: float
    wall: float
    memory: int


# A small process starts what is measured: on Linux the peak of a process counts what it was when it was started, a copy of its parent.
_STARTER = """
import resource, subprocess, sys, time
start = time.perf_counter()
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
wall, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_utime + used.ru_stime, wall, used.ru_maxrss)
"""


def used_by(command: Sequence[str]) -> Used:
    """Run a whole process, its output thrown away. Raises CalledProcessError where it fails."""
    starter = [sys.executable, "-S", "-c", _STARTER, *command]
    code, cpu, wall, memory = subprocess.run(starter, stdout=subprocess.PIPE, cwd=ROOT, check=True).stdout.split()
    if int(code):
        raise subprocess.CalledProcessError(int(code), command)
    return Used(float(cpu), float(wall), int(memory) * (1 if sys.platform == "darwin" else 1024))


def cpu_of(command: Sequence[str]) -> float:
    """CPU seconds, user and system, of a whole process."""
    return used_by(command).cpu


def wall_of(command: Sequence[str]) -> float:
    """Wall seconds of a whole process."""
    return used_by(command).wall


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of a call in this process, which runs it as the command line does: without collecting garbage."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    work()
    used = time.process_time() - start
    gc.enable()
    return used


def ratio(measured: Callable[[], float], against: Callable[[], float] | None = None, rounds: int = ROUNDS) -> float:
    """The median, over rounds, of measured / against, CPU of *pass* where none is given; one round first that does not count."""
    against = against or partial(cpu_of, PASS)
    measured(), against()
    return statistics.median(measured() / against() for _ in range(rounds))


def exponent(small: int, large: int, cost: Callable[[int], float], rounds: int = 5, smalls: int = 9) -> float:
    """The growth exponent of `cost` between two sizes: 1 is linear. The small one's cost in a round is that of several."""
    cost(small)
    ratios = []
    for _ in range(rounds):
        each = [cost(small) for _ in range(smalls)]
        ratios.append(cost(large) / statistics.median(each))
    return math.log(statistics.median(ratios)) / math.log(large / small)
