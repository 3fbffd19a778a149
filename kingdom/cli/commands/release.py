"""kingdom release: send the reports that wait for the GM's review."""

from __future__ import annotations

from kingdom.campaign import clock, lock
from kingdom.cli.commands import OfCampaign, Said, campaign_of


def run(args: OfCampaign) -> Said:
    """What waits goes out with this run."""
    from kingdom.mail.incoming import taking
    from kingdom.mail.journal import Journal
    from kingdom.mail.outgoing import following, outbox, posting
    from kingdom.mail.servers import smtp

    campaign = campaign_of(args)
    with lock.held(campaign.folder, "release"):
        journal = Journal(taking.folder_of(campaign))
        now = clock.now()
        following.follow(campaign, journal, now)
        posting.post(campaign, journal, now)  # a turn that was resolved again, and no run came since
        kept_back = outbox.kept_back(journal, now)
        journal.add("release", now, turn=0)
        sent = smtp.send(campaign, journal, now)
    waits = f"{len(kept_back)} reports are released." if kept_back else "No report waits for a release."
    return Said([waits, f"{len(sent.sent)} mails were sent."] if sent.sent else [waits])
