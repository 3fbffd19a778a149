"""Writes what the commands of README.md print today into it, and says which ones changed. Run it with `scripts/redoc`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import tours  # noqa: E402


def main() -> None:
    """Renew the page; lines that it leaves out stay left out."""
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
