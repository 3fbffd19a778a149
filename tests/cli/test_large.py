"""A campaign of as many kingdoms as a map has room for: made, run, mailed and looked at, within the memory of a small machine."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from kingdom.games.realm.opening.homeland import MOST_KINGDOMS

pytestmark = pytest.mark.long
MEMORY = 1 << 20  # KB
MORE = "mail: {address: play@example.org}\ncalendar: {deadline: 2026-01-02T18:00, zone: UTC, every: 7d}\nmissing_limit: 1\n"


def test_five_hundred_kingdoms_play_a_turn_by_mail(tmp_path: Path) -> None:
    folder = tmp_path / "large"

    def types(*words: str) -> str:
        command = [sys.executable, "-c", "import sys\nfrom kingdom.cli.start import run\nsys.exit(run())", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout

    types("new", str(folder), "--kingdoms", str(MOST_KINGDOMS))
    settings = folder / "campaign.yaml"
    text = re.sub(
        r"^  (\w+): \{name: (Player \d+), ",
        r"  \1: {name: \2, email: \1@example.org, ",
        settings.read_text(),
        flags=re.M,
    )
    settings.write_text(re.sub(r"^gm: \{", "gm: {email: gm@example.org, ", text, flags=re.M) + MORE)
    types("run", str(folder), "--workers", "1")
    said = types("run", str(folder), "--workers", "1")
    assert (folder / "turns/0001").is_dir(), said
    mails = sorted((folder / "mail/outbox").glob("report-0001-*.eml"))
    assert len(mails) == MOST_KINGDOMS + 1
    assert max(file.stat().st_size for file in mails if "-gm-" not in file.name) < 300_000
    (book,) = [file for file in mails if "-gm-" in file.name]
    assert book.stat().st_size < 8_000_000  # which every mail server takes
    status = json.loads(types("status", str(folder), "--json"))
    assert len(status["filed"]) == MOST_KINGDOMS and status["next"] == 2
    lines = types("status", str(folder)).splitlines()
    assert len(lines) < MOST_KINGDOMS // 2 and re.search(r"\d{3} seats, nothing filed:", "\n".join(lines))
    assert (folder / "turns/0001/reports/gm.html").stat().st_size < 5_000_000
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < MEMORY
