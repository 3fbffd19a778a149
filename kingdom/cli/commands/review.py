"""kingdom review: a campaign at a glance, its kingdoms and what changed most."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from kingdom.books import ledgers, overview, rows
from kingdom.books.periods import Period
from kingdom.books.review import Wanted
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.campaign.store import Kept
from kingdom.cli import campaign_folders
from kingdom.cli.commands import DONE, USAGE, WRONG, Said, campaign_of
from kingdom.cli.commands.ledger import terminal_width, write_page
from kingdom.engine.problems import Faults
from kingdom.render import terminal
from kingdom.render.plain_text import clean


def run_review(args: Namespace) -> Said:
    """Print the table of kingdoms and the largest changes of the newest turn or of some turns, or write the page of them. Several
    campaigns are set side by side."""
    if args.several:
        return _side_by_side(args)
    campaign = campaign_of(args)
    if args.html:
        return write_page(args.html, campaign.folder, Wanted(args.turn), args.force)
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


def _side_by_side(args: Namespace) -> Said:
    """Print several campaigns side by side; one that can't be read stops no other, and makes the exit code 1."""
    from kingdom.books import side_by_side

    if args.html or args.turn:
        return Said(notes=["kingdom review: --turn and --html are of one campaign."], code=USAGE)
    notes = [campaign_folders.not_ones_own(folder) for folder in args.others]
    findings = []
    names = campaign_folders.names_of(args.campaigns)
    for folder, name in names.items():
        try:
            finding = side_by_side.found(campaigns.open_campaign(Path(folder)), name)
        except Faults as faults:
            notes += map(str, faults.problems)
            continue
        findings.append(finding)
        if finding.errors:
            errors = f"{finding.errors} error{'s' * (finding.errors > 1)}"
            notes.append(f"{name}: the books have {errors}. `kingdom audit` names every error and its place.")
    lines: list[str] = []
    for block in rows.in_blocks(side_by_side.table(findings), 1, terminal_width()):
        lines += [*rows.as_text(block, terminal_width()), ""]
    lines += ["Standings:", *(line for each in findings for line in terminal.item(side_by_side.standing_of(each)))]
    downfalls = [said for each in findings for said in side_by_side.downfalls_of(each)]
    lines += ["", "Out of play:", *(line for said in downfalls for line in terminal.item(said))]
    if not downfalls:
        lines[-1] = "Every kingdom is in play."
    return Said(lines, notes, WRONG if notes else DONE)
