"""Renews what the program itself writes into the pages, and says what changed. Run it with `scripts/redoc`.

docs/rules.md and docs/edition-2.md come from the tables, docs/coverage-of-the-rules.md from tests/games/realm/coverage.yaml, and in README.md
and the tours each command is shown with what it prints today.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from kingdom.engine.game import load
from kingdom.orders import tables
from kingdom.render import reports
from tests.games.realm import coverage
from tests.kit import tours

ROOT = Path(__file__).resolve().parent.parent
FAULT = "This is a fault of the program"  # as kingdom/cli says it


def main() -> None:
    """Renew the pages."""
    realm = load("realm")
    for name, text in (
        ("rules.md", reports.rules_page(realm, tables.load(realm))),
        ("edition-2.md", reports.rules_page(realm, tables.load(realm), page="edition-2.md")),
        ("coverage-of-the-rules.md", coverage.page()),
    ):
        page = ROOT / "docs" / name
        if not page.is_file() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
            print(f"docs/{name}")
    for name in sys.argv[1:] or tours.PAGES:
        renew_tour(name)


def renew_tour(name: str) -> None:
    """Write what the commands of a page print today into it; lines that it leaves out stay left out.

    A page on which a command meets a fault of the program stays as it was.
    """
    page = tours.text_of(name)
    with tempfile.TemporaryDirectory() as folder:
        played = list(tours.played(page, Path(folder)))
    faults = [line for _step, printed in played for line in printed if FAULT in line]
    if faults:
        raise SystemExit("\n".join([f"{name} is not renewed:", *faults]))
    lines = page.split("\n")
    for step, printed in reversed(played):
        says = tours.renewed(step.says, printed)
        if says != step.says:
            print(f"{name}:{step.line + 1}: {step.command}")
            lines[step.first : step.end] = says
    (ROOT / name).write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
