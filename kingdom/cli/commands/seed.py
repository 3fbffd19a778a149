"""kingdom reseed: change a seed that leaked, and tell everybody."""

from __future__ import annotations

import secrets
from argparse import Namespace

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import lock, reseeding, undo
from kingdom.campaign.afterwards import Afterwards
from kingdom.cli.commands import DONE, WRONG, Said, campaign_of
from kingdom.cli.commands.turn import journal_if_any
from kingdom.cli.commands.undo import tell


def run_reseed(args: Namespace) -> Said:
    """Change the seed. Kept turns keep the old seed's dice. The new commitments to the next turn's dice are mailed before that
    turn is played."""
    campaign = campaign_of(args)
    with lock.held(campaign.folder, "reseed"):
        journal = journal_if_any(campaign)
        undo.clear(campaign)
        turn = reseeding.reseed(campaign, secrets.token_hex(32))
        done = f"From turn {turn} on the dice come from a new seed. Every report says so from then on."
        rest = Afterwards(done, args.debug)
        lines = [done]
        with rest.step("The commitments to them can't be told", "The next `kingdom run` mails them before it plays."):
            changed = campaign_of(args)
            tell(changed, journal, rest)
            promised = campaigns.commitments(changed, turn)
            mailed = "The commitments to them are mailed to all:" if not rest.notes else "The commitments to them:"
            lines.append(mailed if journal else "Send each player the commitment of their kingdom, and the GM's:")
            lines += [f"  {seat}  {commitment}" for seat, commitment in promised.items()]
    return Said(lines, rest.notes, WRONG if rest.notes else DONE)
