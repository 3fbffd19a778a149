"""Speed and memory, each figure a ratio to something measured in the same round. Run it with `scripts/bench`.

What is measured, and how, stands with each figure in bench_figures.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from bench_figures import FIGURES, Workbench
from bench_measure import Figure


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
    sys.exit(main(sys.argv[1:]))
