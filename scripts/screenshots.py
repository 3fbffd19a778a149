"""Draws the pictures of docs/screenshots/: a player's report on a phone and at a desk, as text in a terminal, the order form, the map,
the review of the ledger, the GM's book, and a battle."""

from __future__ import annotations

import html
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from kingdom.cli.main import main as kingdom
from tests.kit.browser import Browser, chromium

ROOT = Path(__file__).resolve().parent.parent
CAMPAIGN = ROOT / "campaigns" / "greenmarch"
SEAT = "examplia"
PLAYED, SILENT, TRIES = 12, 34, 3  # turns that bots play, turns that nobody does, campaigns
TO = ROOT / "docs" / "screenshots"
TERMINAL = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; background: #1d1f21; }}
pre {{ margin: 1rem; width: 80ch; color: #d5d8d6; font: 15px/1.3 "DejaVu Sans Mono", monospace; white-space: pre-wrap; }}
</style><pre>{text}</pre>
"""


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
    reports = max((CAMPAIGN / "turns").iterdir()) / "reports"
    TO.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as started, Browser(started) as browser:
        page, book = reports / f"{SEAT}.html", reports / "gm.html"
        form, review, map = (Path(folder) / name for name in ("form.html", "review.html", "map.html"))
        kingdom(["form", str(CAMPAIGN), SEAT, "--to", str(form)])
        war, drawing = Path(folder) / "war", Path(folder) / "map.svg"
        kingdom(["new", str(war), "--example", "war-of-the-ford"])
        kingdom(["review", str(war), "--html", str(review)])
        battle = war / "turns" / "0008" / "reports" / "hartmark.html"
        kingdom(["map", str(war), "--seat", battle.stem, "--to", str(drawing)])
        map.write_text(
            f'<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">{drawing.read_text()}', encoding="utf-8"
        )
        screens = first_screens(Path(folder))
        pictures = [
            Picture("report-phone", page, 360, 1400),
            Picture("report-phone-night", page, 360, 1400, dark=True),
            Picture("report-desk", page, 1280, 1500),
            Picture("report-desk-settlements", page, 1280, 1300, start=f"#{SEAT}-settlements"),
            Picture("report-desk-map", page, 1280, 1300, start=f"#{SEAT}-map"),
            Picture("form-phone", form, 360, 1400),
            Picture("form-desk", form, 1280, 1500),
            Picture("review-desk", review, 1280, 1700),
            Picture("review-desk-night", review, 1280, 1700, dark=True),
            Picture("review-phone", review, 360, 1400),
            Picture("review-phone-entries", review, 360, 1000, start="#entries"),
            Picture("review-paper", review, 1000, 1400, media="print"),
            Picture("map", map, 1000, 1430, start="svg"),
            Picture("gm-desk", book, 1280, 1500),
            Picture("battle-phone", battle, 360, 1400, start="#hartmark-battles"),
            Picture("battle-desk", battle, 1280, 1000, start="#hartmark-battles"),
            *(Picture(f"first-{name}-phone", page, 360, 800) for name, page in screens.items()),
            Picture("report-terminal", terminal(reports / f"{SEAT}.txt", Path(folder)), 760, 1400),
        ]
        for picture in pictures:
            file = TO / f"{picture.name}.png"
            file.write_bytes(drawn(browser, picture))
            print(file.relative_to(ROOT))


def first_screens(folder: Path) -> dict[str, Path]:
    """Reports of kingdoms that nobody plays: of a quiet turn, of one four turns before anarchy, and of the one in which a capital
    was lost, which small kingdoms lose that nobody ever played."""
    found: dict[str, Path] = {}
    for number in range(TRIES):
        grown = silent_reports(folder / f"grown{number}", PLAYED)
        fell = [file for file, text in grown.items() if "\nAnarchy: turn" in text]
        early = [file.parents[2] / f"{int(file.parts[-3]) - 4:04}" / "reports" / file.name for file in fell]
        small = silent_reports(folder / f"small{number}", 0)
        wanted = {
            "quiet": (file for file in grown if file.parts[-3] == f"{PLAYED:04}"),
            "before-anarchy": (file for file in early if "Anarchy by turn" in grown.get(file, "")),
            "capital-lost": (file for file, text in small.items() if re.search(r"ost +the capital", text)),
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
    top = int(browser.ask(f"document.querySelector('{picture.start}').getBoundingClientRect().top"))
    return browser.picture((0, max(0, top - 16), picture.width, picture.height))


if __name__ == "__main__":
    main()
