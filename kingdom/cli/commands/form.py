"""kingdom form: the order form of a seat as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kingdom.campaign.errors import writing
from kingdom.cli.commands import OfCampaign, Said, campaign_of, seat_of

FOLDER = "forms"  # where all are written if no other is named


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom form`."""

    kingdom: str | None
    to: str | None


def run(args: Args) -> Said:
    """One file for the named kingdom; without one a file for each, into a folder."""
    from kingdom.mail.outgoing.reporting import form_page, form_pages

    campaign = campaign_of(args)
    if args.kingdom:
        seat = seat_of(campaign, args.kingdom)
        file = Path(args.to or f"{seat}.html")
        _write(file, form_page(campaign, seat))
        return Said([f"The order form of {seat} is in {file}."])
    folder, made = Path(args.to or FOLDER), form_pages(campaign)
    for seat, text in made.items():
        _write(folder / f"{seat}.html", text)
    return Said([f"{len(made)} order forms are in {folder}."])


def _write(file: Path, text: str) -> None:
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
