"""kingdom review: a campaign at a glance, its kingdoms and what changed most."""

from __future__ import annotations

from typing import Protocol

from kingdom.books import ledgers, overview, rows
from kingdom.books.periods import Period
from kingdom.books.review import Wanted
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.campaign.store import Kept
from kingdom.cli.commands import OfCampaign, Said, campaign_of
from kingdom.cli.commands.ledger import terminal_width, write_page
from kingdom.render import terminal
from kingdom.render.plain_text import clean


class OfReview(OfCampaign, Protocol):
    """The arguments of `kingdom review`."""

    turn: tuple[int, int] | None
    html: str | None


def run_review(args: OfReview) -> Said:
    """Print the table of kingdoms and the largest changes of the newest turn or of some turns, or write the page of them."""
    campaign = campaign_of(args)
    if args.html:
        return write_page(args.html, campaign.folder, Wanted(args.turn))
    kept = campaigns.kept(campaign)
    newest = kept.record.turn
    first, last = args.turn or (newest, newest)
    if first > newest:
        raise fault("no_turn", campaign.folder, turn=first, newest=newest)
    ledger = ledgers.opened(ledgers.files(campaign.folder))
    found = overview.overview(ledger, Period(first, min(last, newest)))
    names = _names(campaign, kept)
    accounts = campaign.game.reviewed or campaign.game.scoring.counts
    table = overview.kingdoms(found, names, accounts, campaign.game.paid_from)
    changes = overview.largest(found, names)
    a_turn = " (income and spending a turn)" if found.period.turns > 1 and campaign.game.paid_from else ""
    lines = [f"{clean(campaign.settings.name)}, {found.period.head}{a_turn}", ""]
    for block in rows.in_blocks(table, 1, terminal_width()):
        lines += [*rows.as_text(block, terminal_width()), ""]
    lines += ["What changed most:", *(line for said in changes for line in terminal.item(said))]
    if not changes:
        lines[-1] = "Nothing changed."
    why = "`kingdom explain KINGDOM ACCOUNT` says why a number is what it is, `kingdom ledger` lists every change."
    return Said([*lines, "", *terminal.paragraph(why)])


def _names(campaign: Campaign, kept: Kept) -> dict[str, str]:
    """Return each seat's name."""
    state, rules = campaigns.state_of(campaign, kept), campaigns.rules_of(campaign, kept).rules
    return {seat: str(campaign.game.sheet(state, seat, rules).get("name") or seat) for seat in kept.record.seats}
