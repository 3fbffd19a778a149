"""kingdom run: the weekly job, safe from cron at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from kingdom.campaign import clock, lock
from kingdom.cli.commands import DONE, WRONG, OfCampaign, Said, campaign_of

if TYPE_CHECKING:
    from kingdom.mail.week import Done


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom run`."""

    dry_run: bool


def run(args: Args) -> Said:
    """Everything that is due, once; done again at once there is nothing left to do. With --dry-run it does nothing."""
    from kingdom.mail.incoming import taking
    from kingdom.mail.journal import Journal
    from kingdom.mail.week import Week

    campaign = campaign_of(args)
    if args.dry_run:
        return _said(Week(campaign, Journal(taking.folder_of(campaign)), None, clock.now()).run())
    with lock.held(campaign.folder, "run"):
        from kingdom.cli.commands.mail import source_of

        journal = Journal(taking.folder_of(campaign))
        return _said(Week(campaign, journal, source_of(campaign, journal, None), clock.now()).run())


def _said(done: Done) -> Said:
    notes = [*map(str, done.problems), *([str(done.error)] if done.error else [])]
    code = WRONG if done.problems else DONE
    if done.error is not None:
        code = done.error.exit_code
    return Said(done.lines or ([] if notes else ["Nothing to do."]), notes, code)
