"""The commands, in modules by subject: `run_undo(args)` does the work of `kingdom undo` and returns what to print.

The most used commands, `check`, `turn`, `status` and `ledger`, each have a module of their own, so that they load nothing else.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from kingdom.campaign.campaign import Campaign
    from kingdom.campaign.workers import Team

DONE, WRONG, USAGE = 0, 1, 2  # exit codes
PLAYED, WAITING = "played", "waiting"  # the result of a run for a turn
_STAYS = "What is done stays done; fix that and run this again, and it goes on."
RUN_GOES_ON = "What is done stays done; the next `kingdom run` does the rest."
RUN_IS_STUCK = "What is done stays done; when that is put right, `kingdom run` does the rest."
# what the user must know if one of these commands stops half-way; all others change nothing before their end
GOES_ON = {
    "run": RUN_GOES_ON,
    "release": "Nothing is released yet; fix that and run this again.",
    "form": "What is written stays; fix that and run this again.",
    "pack": _STAYS,
    "mail fetch": _STAYS,
    "mail send": _STAYS,
    "mail accept": _STAYS,
}


@contextmanager
def team_of(args: Namespace) -> Iterator[Team]:
    """Have other processes or machines work while the block runs. Raises NoTeam."""
    from kingdom.campaign import workers

    width = workers.cores() if args.workers is None else args.workers
    team: Team = workers.Processes(width) if width > 1 else workers.Team()
    if args.scheduler:
        from kingdom.campaign.cluster import Cluster  # loads the package that connects to it

        team = Cluster(args.scheduler, args.trust_network, workers.Processes(width))
    try:
        yield team
    finally:
        team.close()


class Said(Struct, frozen=True):
    """A command's output: lines for standard output (`raw`: bytes as they are), lines for standard error, and the exit code.

    became: whether the campaign's turn was PLAYED or is WAITING.
    """

    lines: Iterable[str] = ()
    notes: Sequence[str] = ()
    code: int = DONE
    raw: bytes = b""
    became: str = ""


class Unfinished(Exception):
    """A command broke off after it had done something. `lines` says what it did; the exception's cause is the reason."""

    def __init__(self, lines: Sequence[str]):
        super().__init__("\n".join(lines))
        self.lines = lines


def as_json(value: object, code: int = DONE, notes: Sequence[str] = ()) -> Said:
    """Return the output that prints a value as JSON."""
    import msgspec

    return Said(notes=notes, code=code, raw=msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def campaign_of(args: Namespace) -> Campaign:
    """Open the campaign that the command names. Raises Faults."""
    from kingdom.campaign.campaign import open_campaign

    return open_campaign(Path(args.campaign))


def prove_game(name: str, folder: Path) -> None:
    """Raise Faults, of this folder, if there is no game of that name."""
    from kingdom.engine import game as games

    if name not in games.names():
        from kingdom.campaign.errors import fault
        from kingdom.engine.problems import cure

        raise fault("no_game", folder, word=name, cure=cure(name, games.names())[0])


def prove_seats(campaign: Campaign, seat: str = "") -> None:
    """Raise Faults if this seat, or any seat of the campaign, is not in the newest turn, in a game without late joining.
    Without a given seat also if a seat of that turn is missing from the campaign."""
    from kingdom.campaign import campaign as campaigns

    if campaigns.newest(campaign) < 0:
        return
    record = campaigns.kept(campaign).record
    is_strange = not campaign.game.opening.seated and not {*([seat] if seat else campaign.seats)} <= {*record.seats}
    if is_strange or not seat and not {*record.seats} <= {*campaign.seats}:
        from kingdom.campaign import next_turn

        next_turn.prove_seats(campaign, record)


def seat_of(campaign: Campaign, word: str) -> str:
    """Return the seat with that id, or with a kingdom or player of that name. Raises Faults if there is none or several, or if
    no turn has the seat in a game without late joining."""
    if word in campaign.seats:
        prove_seats(campaign, word)
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
