"""A run of a campaign that may not act, such as a folder that may be a mere copy: its GM hears of it, and nothing else is done."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.problems import Problem
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import notices, outbox, outdated

if TYPE_CHECKING:
    from kingdom.mail.servers.smtp import Calls


def tell_gm(campaign: Campaign, journal: Journal, problem: Problem, now: datetime, calls: Calls | None) -> None:
    """Mail the GM why the campaign does not act, once for the same words, and send that mail alone. Raises Faults, and what keeps a server
    from taking it."""
    number = max(campaigns.newest(campaign), 0) + 1
    lines = [f"The campaign {campaign.settings.name} does not go on:", str(problem)]
    id = f"stopped-{number:04}-{sha256(repr(lines).encode()).hexdigest()[:12]}"
    title = "The campaign does not go on"
    letters = notices.notice(campaign, id, "digest", GM, number, lines, now, title=title, about="fails")
    outbox.queue(campaign, journal, letters, now)
    if not outdated.sends(campaign) or id not in journal.mails:
        return
    from kingdom.mail.servers import smtp  # loads what speaks to servers

    smtp.deliver(campaign, journal, now, calls, only=id)
