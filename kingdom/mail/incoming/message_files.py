"""Where the messages that were taken in lie."""

from __future__ import annotations

from pathlib import Path

from kingdom.campaign.campaign import Campaign

_HEAD = 256 << 10  # bytes in which all headers stand


def file_of(campaign: Campaign, digest: str) -> Path:
    """Where a taken message lies."""
    folder = campaign.folder / "mail"
    refused = folder / "refused" / f"{digest}.eml"
    return refused if refused.is_file() else folder / "inbox" / f"{digest}.eml"


def head(file: Path) -> bytes:
    """How a message begins: its headers. Raises OSError."""
    with open(file, "rb") as stream:
        return stream.read(_HEAD)
