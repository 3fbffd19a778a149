"""Speed and memory, each figure a ratio to something measured in the same round. Run it with `scripts/bench`.

What is measured, and how, stands with each figure in bench_figures.py, bench_mail.py, bench_house.py and bench_years.py.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import bench_figures  # noqa: F401  # each of these lists its figures
import bench_house  # noqa: F401
import bench_mail  # noqa: F401
import bench_years  # noqa: F401
from bench_campaign import Workbench
from bench_measure import FIGURES, Figure


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
    bounds = f"{sign} {figure.must:g} | {sign} {figure.aim:g}"
    return f"| {figure.name} | {figure.what} | {bounds} | {value:.2f} | {verdict(figure, value)} |"


def main(words: Sequence[str]) -> int:
    """Measure the figures that are named, or all but the long ones, and print the table. Exit code 1 only with --check, where one is missed."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__.partition("\n")[0], allow_abbrev=False)
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=", ".join(FIGURES))
    parser.add_argument("--all", action="store_true", help="the long ones too: 1,000 kingdoms, ten years")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--check", action="store_true", help="exit code 1 where a figure is above what it must be")
    args = parser.parse_args(words)
    strange = [name for name in args.figures if name not in FIGURES]
    if strange:
        parser.error(f"{', '.join(strange)}: no such figure; these are: {', '.join(FIGURES)}")
    found: dict[str, dict[str, Any]] = {}
    if not args.json:
        print(HEAD)
    with Workbench() as bench:
        for name, figure in FIGURES.items():
            if name not in args.figures if args.figures else figure.long and not args.all:
                continue
            start = time.perf_counter()
            value = figure.measure(bench)
            took, meets = time.perf_counter() - start, verdict(figure, value)
            found[name] = {"must": figure.must, "aim": figure.aim, "measured": value, "meets": meets, "took": took}
            if not args.json:
                print(row(figure, value), flush=True)
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        slowest = sorted(found, key=lambda name: -found[name]["took"])[:5]
        said = ", ".join(f"{name} {found[name]['took']:.0f} s" for name in slowest)
        print(f"\n{sum(each['took'] for each in found.values()) / 60:.1f} minutes: {said}", file=sys.stderr)
    return int(args.check and any(each["meets"] == "MISSED" for each in found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
