"""Keeps, once for each release, what this program writes. Run it with `scripts/keep_release` when a release is made.

Into the archive tests/kept/VERSION.tar.xz are played: two of the golden campaigns, a small one of each board game (release_games.py),
and one by mail (release_mail.py) with what it publishes. They are kept whole, with reports and rules. The last turn is taken back
and reopened, played again, and then resolved again with a word of the GM's. tests/campaign/test_kept.py and tests/campaign/test_kept_mail.py
hold every later program to reading them. Where the version is kept already, nothing is done: it is never rewritten.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import regold
import release_games
import release_mail
from hatch_build import pack

from kingdom import __version__
from kingdom.campaign import examples, store
from kingdom.cli.main import main as kingdom

ROOT = Path(__file__).resolve().parent.parent

GOLDEN = ("every_order", "unrest")  # every key that can be written, and most of what can happen
BOARD = release_games.names()
BY_MAIL = True
TELL = '  - {to: all, text: "This turn was resolved again."}\n'


def main() -> int:
    """Keep this release; gives the exit code."""
    archive = ROOT / "tests" / "kept" / f"{__version__}{examples.PACKED}"
    place = archive.relative_to(ROOT)
    if archive.exists():
        print(f"{place} is there already, and is never rewritten.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made"
        for name in GOLDEN:
            golden = ROOT / "tests" / "golden" / name
            _play(golden, made / name, max(store.numbers(golden / "turns")))
        for name in BOARD:
            _play(release_games.laid_down(name, Path(folder) / name), made / name, release_games.LAST)
        if BY_MAIL:
            release_mail.played(made, _run, _second_thoughts)
        archive.parent.mkdir(parents=True, exist_ok=True)
        pack(made, archive)
    print(f"Kept: {place}. Name it in SAME_WORDS of tests/campaign/test_kept.py, and commit both.")
    return 0


def _play(source: Path, campaign: Path, last: int) -> None:
    regold.played(source, campaign, last)
    _second_thoughts(campaign)


def _second_thoughts(campaign: Path) -> None:
    """Take the last turn back, play it anew, and resolve it again."""
    last = max(store.numbers(campaign / "turns"))
    orders = campaign / "orders" / store.name_of(last) / "gm.yaml"
    _run("undo", str(campaign), "--reopen")
    _run("turn", "--yes", str(campaign))
    text = orders.read_text(encoding="utf-8") if orders.exists() else f"turn: {last}\n"
    orders.write_text(text.partition("tell:")[0] + f"tell:\n{TELL}", encoding="utf-8")
    _run("redo", str(campaign), "--yes")
    _run("audit", str(campaign))


def _run(*words: str) -> None:
    if kingdom(words):
        raise SystemExit(f"kingdom {' '.join(words)} failed; nothing is kept")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("KINGDOM_CACHE", cache)
        sys.exit(main())
