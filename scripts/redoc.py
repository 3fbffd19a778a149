"""Writes the pages that are made of the program itself, and says what changed: what the commands of README.md print,
docs/rules.md from the tables, docs/coverage-of-the-rules.md from tests/games/realm/coverage.yaml. Run it with `scripts/redoc`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from kingdom.engine.game import load
from kingdom.orders import tables
from kingdom.render import rules_page
from tests.games.realm import coverage
from tests.kit import tours

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Renew the pages; lines of README.md that it leaves out stay left out."""
    realm = load("realm")
    for name, text in (
        ("rules.md", rules_page.page(realm, tables.load(realm))),
        ("coverage-of-the-rules.md", coverage.page()),
    ):
        page = ROOT / "docs" / name
        if not page.is_file() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
            print(f"docs/{name}")
    renew_readme()


def renew_readme() -> None:
    """What its commands print today; lines that it leaves out stay left out."""
    file = ROOT / "README.md"
    page = file.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        found = list(tours.played(page, Path(folder)))
    lines = page.split("\n")
    for step, printed in reversed(found):
        says = tours.renewed(step.says, printed)
        if says != step.says:
            print(f"README.md:{step.line + 1}: {step.command}")
            lines[step.first : step.end] = says
    file.write_text("\n".join(lines), encoding="utf-8")


main()
