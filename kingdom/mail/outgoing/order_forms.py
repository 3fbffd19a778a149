"""The order forms of a campaign: each with where its orders are mailed to, what is filed now and what was ordered last."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kingdom.campaign import calendar, filings, preview, store
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.mail.outgoing.letters import subject_of
from kingdom.mail.outgoing.links import LONGEST
from kingdom.render.order_form import FormFacts, form_of


def page(campaign: Campaign, seat: str) -> str:
    """The form of a seat for the next turn, as HTML. Raises Faults."""
    return pages(campaign, [seat])[seat]


def pages(campaign: Campaign, seats: Iterable[str] = ()) -> dict[str, str]:
    """Seat -> its form for the next turn, of those seats, all in play where none is named. Raises Faults."""
    rules, state, names = preview.start_of(campaign)
    game, number = campaign.game, state.turn + 1
    over = campaigns.over(campaign, number, state)
    if over:
        raise fault("game_over", campaign.folder, turn=number, reason=over)
    wanted = list(seats) or list(game.seats(state))
    return {seat: form_of(game, state, seat, rules.rules, names, _facts(campaign, seat, number)) for seat in wanted}


def _facts(campaign: Campaign, seat: str, turn: int) -> FormFacts:
    settings, newest = campaign.settings, campaigns.newest(campaign)
    address = settings.mail.address if settings.mail else ""
    return FormFacts(
        settings.name,
        _deadline(campaign, seat, turn),
        address,
        subject_of(campaign, seat, turn) if address else "",
        () if settings.messages else ("messages",),
        LONGEST,
        _text(filings.folder_of(campaign.folder, turn), seat),
        _text(campaigns.kept(campaign, newest).folder / "orders", seat) if newest > 0 else "",
    )


def _deadline(campaign: Campaign, seat: str, turn: int) -> str:
    """When the orders are due, by the clock of the seat's zone; "" without a calendar."""
    dates = campaign.settings.calendar
    if dates is None:
        return ""
    at = calendar.deadline(dates, turn, calendar.put_off_in(campaign.folder / "mail" / "journal.jsonl"))
    return calendar.said_at(at, campaign.settings.players[seat].zone or dates.zone)


def _text(folder: Path, seat: str) -> str:
    file = folder / f"{seat}{filings.ENDING}"
    return store.read(file).decode("utf-8", "replace") if file.is_file() else ""
