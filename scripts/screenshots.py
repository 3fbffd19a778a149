"""Draws the pictures of docs/screenshots/: a player's report on a phone and at a desk, as text in a terminal, the order form, the map,
the review of the ledger, the GM's book, and a battle."""

from __future__ import annotations

import html
import re
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from kingdom.cli.main import main as kingdom
from tests.kit.browser import Browser, chromium

ROOT = Path(__file__).resolve().parent.parent
CAMPAIGN = ROOT / "campaigns" / "greenmarch"
SEAT = "examplia"
BATTLE = 8  # a turn of the War of the Ford
PLAYED, SILENT, TRIES = 12, 34, 3  # turns that bots play, turns that nobody does, campaigns
TO = ROOT / "docs" / "screenshots"
TERMINAL = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; background: #1d1f21; }}
pre {{ margin: 1rem; width: 80ch; color: #d5d8d6; font: 15px/1.3 "DejaVu Sans Mono", monospace; white-space: pre-wrap; }}
</style><pre>{text}</pre>
"""

# unfolds what an element stands in
OPENED = """(place => {{ for (; place; place = place.parentElement.closest("details")) place.open = true; return 0; }})
(document.querySelector("{start}").closest("details"))"""


class Picture(NamedTuple):
    """A page on a screen `width` CSS pixels wide: the first `height` pixels from the element `start` on."""

    name: str
    page: Path
    width: int
    height: int
    dark: bool = False
    start: str = "body"
    media: str = "screen"


def main() -> None:
    TO.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as started, Browser(started) as browser:
        green, war, drawing = (Path(folder) / name for name in ("greenmarch", "war", "map.svg"))
        shutil.copytree(CAMPAIGN, green)
        kingdom(["turn", str(green), "--yes"])  # kept reports look as they did when they were made
        reports = max((green / "turns").iterdir()) / "reports"
        page, book = reports / f"{SEAT}.html", reports / "gm.html"
        form, review, map = (Path(folder) / name for name in ("form.html", "review.html", "map.html"))
        kingdom(["form", str(green), SEAT, "--to", str(form)])
        kingdom(["new", str(war), "--example", "war-of-the-ford"])
        kingdom(["review", str(war), "--html", str(review)])
        battle = war / "turns" / f"{BATTLE:04}" / "reports" / "hartmark.html"
        kingdom(["map", str(war), "--seat", battle.stem, "--to", str(drawing)])
        while battle.parents[1].is_dir():
            kingdom(["undo", str(war)])
        kingdom(["turn", str(war), "--yes"])
        map.write_text(
            f'<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">{drawing.read_text()}', encoding="utf-8"
        )
        pictures = [
            Picture("report-phone", page, 360, 1400),
            Picture("report-phone-night", page, 360, 1400, dark=True),
            Picture("report-desk", page, 1280, 1500),
            Picture("report-desk-land", page, 1280, 1300, start=f"#{SEAT}-land"),
            Picture("report-desk-sheet", page, 1280, 1300, start=f"#{SEAT}-sheet"),
            Picture("form-phone", form, 360, 1400),
            Picture("form-desk", form, 1280, 1500),
            Picture("review-desk", review, 1280, 1700),
            Picture("review-desk-night", review, 1280, 1700, dark=True),
            Picture("review-phone", review, 360, 1400),
            Picture("review-phone-entries", review, 360, 1000, start="#entries"),
            Picture("review-paper", review, 1000, 1400, media="print"),
            Picture("map", map, 1000, 1430, start="svg"),
            Picture("gm-desk", book, 1280, 1500),
            Picture("battle-phone", battle, 360, 1400, start="#hartmark-happened"),
            Picture("battle-desk", battle, 1280, 1000, start="#hartmark-dice"),
            Picture("report-terminal", terminal(reports / f"{SEAT}.txt", Path(folder)), 760, 1400),
        ]
        for picture in pictures:
            draw(browser, picture)
        for name, first in first_screens(Path(folder)).items():
            draw(browser, Picture(f"first-{name}-phone", first, 360, 800))


def draw(browser: Browser, picture: Picture) -> None:
    file = TO / f"{picture.name}.png"
    file.write_bytes(drawn(browser, picture))
    print(file.relative_to(ROOT))


def first_screens(folder: Path) -> dict[str, Path]:
    """Reports of kingdoms that nobody plays: of a quiet turn, of one with the likeliest anarchy within four turns, and of the one in which a capital
    was lost, which small kingdoms lose that nobody ever played."""
    found: dict[str, Path] = {}

    def chance(file: Path) -> int:
        """That of anarchy within four turns, in %, 0 where it is not named."""
        told = re.search(r"Anarchy\s+by\s+turn[^%:]*:\s+(\d+)\s%", file.read_text())
        return int(told[1]) if told else 0

    for number in range(TRIES):
        grown = silent_reports(folder / f"grown{number}", PLAYED)
        small = silent_reports(folder / f"small{number}", 0)
        wanted = {
            "quiet": (file for file in grown if file.parts[-3] == f"{PLAYED:04}"),
            "before-anarchy": iter(sorted(filter(chance, grown), key=chance, reverse=True)),
            "capital-lost": (file for file, text in small.items() if re.search(r"ost\s+the\s+capital", text)),
        }
        found |= {name: file for name, files in wanted.items() if name not in found and (file := next(files, None))}
        if len(found) == len(wanted):
            return {name: file.with_suffix(".html") for name, file in found.items()}
    raise SystemExit(f"found no more than {sorted(found)}; run it again")


def silent_reports(place: Path, played: int) -> dict[Path, str]:
    """The text reports of a campaign that bots play for so many turns, and nobody after that, by their files."""
    kingdom(["new", str(place), "--kingdoms", "6", "--bots", "6"])
    settings = place / "campaign.yaml"
    settings.write_text(settings.read_text() + "steward_after: 0\nmissing_limit: 1\n")
    if played:
        kingdom(["turn", str(place), "--turns", str(played), "--yes"])
    settings.write_text(re.sub(r", bot: \w+", "", settings.read_text()))
    kingdom(["turn", str(place), "--turns", str(SILENT), "--yes"])
    return {file: file.read_text() for file in sorted(place.glob("turns/*/reports/*.txt"))}


def terminal(report: Path, folder: Path) -> Path:
    """A page that shows a text report as a terminal of 80 columns does."""
    page = folder / "terminal.html"
    page.write_text(TERMINAL.format(text=html.escape(report.read_text())), encoding="utf-8")
    return page


def drawn(browser: Browser, picture: Picture) -> bytes:
    """The picture as PNG; a phone's with two dots to the pixel."""
    phone = picture.width < 600
    browser.show(picture.page, picture.width, dark=picture.dark, scale=2 if phone else 1)
    browser.page.emulate_media(media=picture.media)
    browser.ask(OPENED.format(start=picture.start))
    top = int(browser.ask(f"document.querySelector('{picture.start}').getBoundingClientRect().top"))
    return browser.picture((0, max(0, top - 16), picture.width, picture.height))


if __name__ == "__main__":
    main()
