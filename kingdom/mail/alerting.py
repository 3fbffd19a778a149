"""Telling the campaign's `alert` command that mail itself, or the disk, fails: then nobody can be told by mail."""

from __future__ import annotations

import shlex
from contextlib import suppress
from datetime import datetime

from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults
from kingdom.mail.journal import Journal


def alert(campaign: Campaign, journal: Journal, line: str, now: datetime) -> None:
    """Hand a line to the campaign's `alert` command, once for the same words and day, if mail itself or the disk fails."""
    if not campaign.settings.alert:
        return
    try:
        is_new = journal.tell_once(now, "alert", GM, 0, f"{now:%Y-%m-%d} {line}"[:200])
    except Faults:
        is_new = journal.tell_in_spare(now)  # of a full disk whatever was told today
    if not is_new:
        return
    import subprocess  # seldom needed

    # there is nobody left to tell; the exit code says it
    with suppress(OSError, ValueError, subprocess.TimeoutExpired):
        subprocess.run(
            shlex.split(campaign.settings.alert),
            input=f"{campaign.settings.name}: {line}\n".encode(),
            timeout=60,
            check=False,
        )
