"""Where the messages that were taken in lie."""

from __future__ import annotations

from pathlib import Path

from kingdom.campaign.campaign import Campaign


def file_of(campaign: Campaign, digest: str) -> Path:
    """Where a taken message lies."""
    folder = campaign.folder / "mail"
    refused = folder / "refused" / f"{digest}.eml"
    return refused if refused.is_file() else folder / "inbox" / f"{digest}.eml"
