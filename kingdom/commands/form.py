"""kingdom form: the order form of a seat as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable

from kingdom import campaign as campaigns, filings, foresee, store
from kingdom.campaign import Campaign
from kingdom.commands import Said, campaign_of, seat_of
from kingdom.troubles import writing

if TYPE_CHECKING:
    from kingdom.forms import FormFacts


def run(args: Any) -> Said:
    """One file for the named kingdom; without one a file for each, into a folder."""
    campaign = campaign_of(args)
    if args.kingdom:
        seat = seat_of(campaign, args.kingdom)
        file = Path(args.to or f"{seat}.html")
        _write(file, forms(campaign, [seat])[seat])
        return Said([f"The order form of {seat} is in {file}."])
    folder = Path(args.to or "forms")
    made = forms(campaign, None)
    for seat, text in made.items():
        _write(folder / f"{seat}.html", text)
    return Said([f"{len(made)} order forms are in {folder}."])


def _write(file: Path, text: str) -> None:
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def forms(campaign: Campaign, seats: Iterable[str] | None) -> dict[str, str]:
    """Seat -> its form for the next turn, of those seats, None for all in play. Raises Faults."""
    from kingdom.forms import form_of

    rules, state, names = foresee.start_of(campaign)
    game, number = campaign.game, state.turn + 1
    wanted = list(game.seats(state)) if seats is None else seats
    return {seat: form_of(game, state, seat, rules.rules, names, facts_of(campaign, seat, number)) for seat in wanted}


def facts_of(campaign: Campaign, seat: str, turn: int) -> FormFacts:
    """What the form of a seat says of the campaign: when and where its orders are due, what is filed, what was ordered last."""
    from kingdom.forms import FormFacts
    from kingdom.mail.letters import subject_of
    from kingdom.mail.links import LONGEST

    settings, newest = campaign.settings, campaigns.newest(campaign)
    address = settings.mail.address if settings.mail else ""
    last = campaigns.kept(campaign, newest).folder / "orders" if newest > 0 else None
    return FormFacts(
        settings.name,
        _deadline(campaign, seat, turn),
        address,
        subject_of(campaign, seat, turn) if address else "",
        LONGEST,
        _text(filings.folder_of(campaign.folder, turn), seat),
        _text(last, seat) if last else "",
    )


def _deadline(campaign: Campaign, seat: str, turn: int) -> str:
    """When the orders are due, by the clock of the seat's zone; "" without a calendar."""
    from kingdom import calendar, putoff

    dates = campaign.settings.calendar
    if dates is None:
        return ""
    at = putoff.deadline(dates, turn, putoff.in_journal(campaign.folder / "mail" / "journal.jsonl"))
    return calendar.said_at(at, campaign.settings.players[seat].zone or dates.zone)


def _text(folder: Path, seat: str) -> str:
    file = folder / f"{seat}{filings.ENDING}"
    return store.read(file).decode("utf-8", "replace") if file.is_file() else ""
