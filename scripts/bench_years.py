"""The figures of `scripts/bench --all` that take minutes each: turns of a thousand kingdoms, ten years of six bots."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bench_campaign import Workbench, play, put
from bench_figures import reported, turn_of
from bench_measure import KINGDOM, MIB, cpu_of, exponent, figure, ratio, used_by

from kingdom.engine import game as games

LARGEST = 1_000  # kingdoms
YEARS = 520  # turns

# --- a thousand kingdoms -------------------------------------------------------------------------------------------------


@figure("turn-1000", "`kingdom turn`, 1,000 kingdoms, CPU of each kingdom ÷ pass", 1.85, 1.35, long=True)
def _turn(bench: Workbench) -> float:
    folder = bench.campaign(LARGEST)
    return ratio(lambda: turn_of(folder).cpu / LARGEST, rounds=1)


@figure("growth-reports-1000", "growth exponent, 300 to 1,000 kingdoms with reports", 1.1, 1.05, long=True)
def _growth(bench: Workbench) -> float:
    return exponent(300, LARGEST, lambda kingdoms: reported(bench, kingdoms), 1, 3)


@figure("memory", "peak memory of `kingdom turn`, 1,000 kingdoms, MiB", 600, 450, long=True)
def _memory(bench: Workbench) -> float:
    return turn_of(bench.campaign(LARGEST)).memory / MIB


@figure("memory-whole", "the same with every sub-system in use", 1_000, 700, long=True)
def _memory_whole(bench: Workbench) -> float:
    return turn_of(bench.campaign(LARGEST, whole=True)).memory / MIB


# --- ten years -----------------------------------------------------------------------------------------------------------


@cache
def _years(bench: Workbench) -> Path:
    """Ten years of a new campaign that six bots play, a turn a week. To make it takes some minutes."""
    folder = bench.folder / "years"
    asked = {"name": "Ten years", "seed": "the seed of ten years", "tokens": ("aaaa",) * 7, "bots": 6, "size": None}
    files = games.load("realm").opening.new(6, asked)
    put(folder, {name: text.encode() for name, text in files.items()})
    play(folder, YEARS - 1)
    return folder


@figure("years-audit", "`kingdom audit` of 520 turns of six bots, CPU of a turn ÷ pass", 0.93, 0.62, long=True)
def _audit(bench: Workbench) -> float:
    return ratio(lambda: cpu_of([KINGDOM, "audit", str(_years(bench))]) / YEARS, rounds=1)


@figure("years-audit-memory", "peak memory of it, MiB", 150, 100, long=True)
def _audit_memory(bench: Workbench) -> float:
    return used_by([KINGDOM, "audit", str(_years(bench))]).memory / MIB


@figure("years-review", "`kingdom review --html` of them ÷ `kingdom ledger`, CPU", 12, 8, long=True)
def _review(bench: Workbench) -> float:
    folder = str(_years(bench))
    page = [KINGDOM, "review", folder, "--html", str(bench.folder / "years.html")]
    return ratio(lambda: cpu_of(page), lambda: cpu_of([KINGDOM, "ledger", folder]), 3)


@figure("years-packed", "the folder of them with all but the last 20 turns packed by `kingdom pack`, MB", 200, 100, long=True)  # fmt: skip
def _packed(bench: Workbench) -> float:
    return sum(_sizes(bench)) / 1e6


@figure("years-files", "its files", 4_000, 2_000, long=True)
def _files(bench: Workbench) -> float:
    return len(_sizes(bench))


@cache
def _sizes(bench: Workbench) -> list[int]:
    """The sizes of all files once the turns are packed, which comes last."""
    cpu_of([KINGDOM, "pack", str(_years(bench)), "--older-than", "20"])
    return [file.stat().st_size for file in _years(bench).rglob("*") if file.is_file()]
