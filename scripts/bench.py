"""Speed and memory, each figure a ratio to something measured in the same round. Run it with `scripts/bench`.

The rows, what each must be and what is aimed at, stand in docs/performance.md; how each is measured, in bench_figures.py.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from bench_campaign import Workbench
from bench_figures import LONG, MEASURES
from bench_measure import ROOT

HEAD = "| figure | what | must | aim | measured | meets |\n|---|---|---|---|---|---|"


class Figure(NamedTuple):
    """A row: what must hold and what is aimed at, `>=` or `<=` and the figure."""

    name: str
    what: str
    must: str
    aim: str

    def meets(self, value: float) -> str:
        """`aim`, `must` or `MISSED`: the best that the value meets."""
        sign = -1 if self.must.startswith(">=") else 1
        bounds = {"aim": self.aim, "must": self.must}
        return next((name for name, bound in bounds.items() if sign * value <= sign * limit(bound)), "MISSED")

    def row(self, value: float) -> str:
        """A line of the table, which is one of Markdown too."""
        return f"| {self.name} | {self.what} | {self.must} | {self.aim} | {value:.2f} | {self.meets(value)} |"


def limit(bound: str) -> float:
    return float(bound.split()[1])


def listed() -> list[list[str]]:
    """The rows of the table in docs/performance.md, a list of cells each."""
    lines = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8").splitlines()
    first = lines.index(HEAD.splitlines()[0])
    return [row.strip("| ").split(" | ") for row in lines[first + 2 : lines.index("", first)]]


FIGURES = {cells[0]: Figure(*cells[:4]) for cells in listed()}


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
    measures = {
        name: measure
        for name, measure in (MEASURES | LONG).items()
        if (name in args.figures if args.figures else args.all or name in MEASURES)
    }
    found: dict[str, dict[str, Any]] = {}
    if not args.json:
        print(HEAD)
    with Workbench() as bench:
        for name, measure in measures.items():
            start, figure = time.perf_counter(), FIGURES[name]
            value = measure(bench)
            bounds = {"must": limit(figure.must), "aim": limit(figure.aim)}
            found[name] = {
                **bounds,
                "measured": value,
                "meets": figure.meets(value),
                "took": time.perf_counter() - start,
            }
            if not args.json:
                print(figure.row(value), flush=True)
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        slowest = sorted(found, key=lambda name: -found[name]["took"])[:5]
        said = ", ".join(f"{name} {found[name]['took']:.0f} s" for name in slowest)
        print(f"\n{sum(each['took'] for each in found.values()) / 60:.1f} minutes: {said}", file=sys.stderr)
    return int(args.check and any(each["meets"] == "MISSED" for each in found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
