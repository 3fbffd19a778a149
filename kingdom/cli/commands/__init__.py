"""The commands, in modules by what they are about: `run_undo(args)` does the work of `kingdom undo` and gives what is to be said.

The command line prints it. `check`, `turn`, `status` and `ledger`, which are typed most, are alone, so that they load nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from kingdom.campaign.campaign import Campaign

DONE, WRONG, USAGE = 0, 1, 2  # exit codes
_STAYS = "What is done stays done; fix that and run this again, and it goes on."
GOES_ON = {  # what is so when a command that does many things stops in the middle of them; others change nothing before their end
    "run": "What is done stays done; the next `kingdom run` does the rest.",
    "release": "Nothing is released yet; fix that and run this again.",
    "form": "What is written stays; fix that and run this again.",
    "mail fetch": _STAYS,
    "mail send": _STAYS,
    "mail accept": _STAYS,
}


class OfCampaign(Protocol):
    """What was typed behind a command that is about a campaign."""

    campaign: str  # its folder
    debug: bool  # whether the traceback of a fault is shown


class Said(Struct, frozen=True):
    """What a command says: lines for standard output (`raw`: bytes as they are), lines for standard error, and its exit code."""

    lines: Iterable[str] = ()
    notes: Sequence[str] = ()
    code: int = DONE
    raw: bytes = b""


class Unfinished(Exception):
    """A command broke off after it had done something. `lines` says what; the reason is the cause of this."""

    def __init__(self, lines: Sequence[str]):
        super().__init__("\n".join(lines))
        self.lines = lines


def as_json(value: object, code: int = DONE, notes: Sequence[str] = ()) -> Said:
    """A value as JSON."""
    import msgspec

    return Said(notes=notes, code=code, raw=msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def campaign_of(args: OfCampaign) -> Campaign:
    """The campaign that the command names. Raises Faults."""
    from kingdom.campaign.campaign import open_campaign

    return open_campaign(Path(args.campaign))


def seat_of(campaign: Campaign, word: str) -> str:
    """The seat of that id, or of the kingdom or player of that name. Raises Faults where there is none, or several."""
    if word in campaign.seats:
        return word
    from kingdom.mail.outgoing import people

    meant = " ".join(word.lower().split())
    players = campaign.settings.players
    named = [
        seat
        for seat in campaign.seats
        if meant and meant in (seat, players[seat].name.lower(), people.name_of(campaign, seat).lower())
    ]
    if len(named) == 1:
        return named[0]
    from kingdom.campaign.errors import fault
    from kingdom.engine.problems import cure

    raise fault("no_seat", campaign.folder, word=word, cure=cure(word, campaign.seats)[0])
