"""Speed and memory, each figure a ratio to something measured in the same round. Run it with `scripts/bench`.

The machines are noisy, so rounds interleave what is measured with what it is held against, and the median of the
per-round ratios counts. *pass* is `python -c pass`; a *spin* is 20,000 rounds of a small loop (see `spin`).
What is measured, and how, stands with each figure in bench_figures.py.
"""

from __future__ import annotations

import gc
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
KINGDOM = str(ROOT / "scripts" / "kingdom")  # what a user types
PASS = [sys.executable, "-c", "pass"]
ROUNDS = 15


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


def used_by(command: Sequence[str]) -> Used:
    """Run a whole process, its output thrown away. Raises CalledProcessError where it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Used(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))


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


def ratio(measured: Callable[[], float], against: Callable[[], float], rounds: int = ROUNDS) -> float:
    """The median, over rounds, of measured / against; one round first that does not count."""
    measured(), against()
    return statistics.median(measured() / against() for _ in range(rounds))


def exponent(small: int, large: int, cost: Callable[[int], float], rounds: int = 5) -> float:
    """The growth exponent of `cost` between two sizes: 1 is linear. The small one's cost in a round is that of several."""
    cost(small)
    ratios = []
    for _ in range(rounds):
        smalls = [cost(small) for _ in range(9)]
        ratios.append(cost(large) / statistics.median(smalls))
    return math.log(statistics.median(ratios)) / math.log(large / small)


# --- the table ---------------------------------------------------------------------------------------------------------


class Figure(NamedTuple):
    """A figure: what must hold and what is aimed at. at_least: the higher the better, else the lower."""

    name: str
    what: str
    must: float
    aim: float
    measure: Callable[[Any], float]
    at_least: bool = False


def verdict(figure: Figure, value: float) -> str:
    """`aim`, `must` or `MISSED`: the best that the value meets."""
    sign = -1 if figure.at_least else 1
    if sign * value <= sign * figure.aim:
        return "aim"
    return "must" if sign * value <= sign * figure.must else "MISSED"


HEAD = "| figure | what | must | aim | measured | meets |\n|---|---|---|---|---|---|"


def row(figure: Figure, value: float) -> str:
    """A line of the table, which is one of Markdown too."""
    sign = ">=" if figure.at_least else "<="
    cells = (
        figure.name,
        figure.what,
        f"{sign} {figure.must:g}",
        f"{sign} {figure.aim:g}",
        f"{value:.2f}",
        verdict(figure, value),
    )
    return f"| {' | '.join(cells)} |"


def main(words: Sequence[str]) -> int:
    """Measure the figures that are named, or all, and print the table. Exit code 1 only with --check, where one is missed."""
    import argparse
    import json

    from bench_figures import FIGURES, Workbench

    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__.partition("\n")[0], allow_abbrev=False)
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=", ".join(FIGURES))
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--check", action="store_true", help="exit code 1 where a figure is above what it must be")
    args = parser.parse_args(words)
    strange = [name for name in args.figures if name not in FIGURES]
    if strange:
        parser.error(f"{', '.join(strange)}: no such figure; these are: {', '.join(FIGURES)}")
    wanted = [FIGURES[name] for name in FIGURES if name in (args.figures or FIGURES)]
    found: dict[str, dict[str, Any]] = {}
    if not args.json:
        print(HEAD)
    with Workbench() as bench:
        for figure in wanted:
            value = figure.measure(bench)
            found[figure.name] = {
                "must": figure.must,
                "aim": figure.aim,
                "measured": value,
                "meets": verdict(figure, value),
            }
            if not args.json:
                print(row(figure, value), flush=True)
    if args.json:
        print(json.dumps(found, indent=2))
    return int(args.check and any(each["meets"] == "MISSED" for each in found.values()))


if __name__ == "__main__":
    sys.modules["bench"] = sys.modules["__main__"]  # for bench_figures, which imports it by its name
    sys.exit(main(sys.argv[1:]))
