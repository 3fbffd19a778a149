"""A command as it was asked, and what it is answered: what commands of players and of the GM have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine import names
from kingdom.engine.step import Facts
from kingdom.mail.incoming.outcome import Case, Event
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import order_links, review
from kingdom.mail.outgoing.letters import Enclosed, Link, Listed, tap


class Answer(NamedTuple):
    """What a command is answered: paragraphs, lines to be typed or looked at as they stand, links, and what goes with them.

    refused: a code of REASONS, with its facts; `links` are then its cure. events: what the journal gets. title: the subject, ""
    for the command's usual one. files: what it files, once it is carried out. listed: what the page has instead of the lines to be
    typed and the links. asks: what the journal keeps of a question, so that a plain yes answers it.
    """

    lines: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    enclosed: tuple[Enclosed, ...] = ()
    refused: str = ""
    facts: Facts = {}
    events: tuple[Event, ...] = ()
    title: str = ""
    files: Callable[[], None] | None = None
    listed: tuple[Listed, ...] = ()
    asks: Mapping[str, str] = {}


class Asked(NamedTuple):
    """A command as it was asked: by whom, with what behind it."""

    case: Case
    seat: str
    argument: str

    @property
    def campaign(self) -> Campaign:
        """The campaign that was asked."""
        return self.case.campaign

    @property
    def journal(self) -> Journal:
        """Its journal of mail."""
        return self.case.journal

    @property
    def now(self) -> datetime:
        """The moment of this run."""
        return self.case.now

    @property
    def turn(self) -> int:
        """The turn that orders are now wanted for."""
        return order_links.upcoming(self.campaign)

    @property
    def words(self) -> str:
        """What stands behind the command, in small letters."""
        return " ".join(self.argument.lower().split())

    def withheld(self) -> Answer | None:
        """That the newest turn's report is not out yet, so nothing of that turn can be shown; None if it is out."""
        if not review.is_withheld(self.campaign, self.journal, self.seat, self.now):
            return None
        turn = campaigns.newest(self.campaign)
        before = (self.tap(f"report {turn - 1}"),) if turn else ()
        return Answer(refused="not_out_yet", facts={"turn": turn}, links=(*before, self.tap("orders")))

    def tap(self, word: str, name: str = "") -> Link:
        """A link that sends a command of whoever asked."""
        return tap(self.campaign, self.seat, word, name)

    def bad(self, command: str, example: str, more: str = "") -> Answer:
        """What stands behind the command is not what it takes; a tap sends the example."""
        return wrong(self.argument, command, example, more)._replace(links=(self.tap(example),))


def wrong(argument: str, command: str, example: str, more: str = "") -> Answer:
    """That what stands behind a command is not what it takes."""
    what = f"`{command}` does not take `{argument[:60]}`." if argument else f"`{command}` alone is not enough."
    return Answer(refused="bad_argument", facts={"what": what, "command": command, "example": example, "more": more})


def seats_in_play(campaign: Campaign) -> Iterable[str]:
    """The seats in play; before the start all of them."""
    if campaigns.newest(campaign) < 0:
        return campaign.seats
    return list(campaign.game.seats(campaigns.state_of(campaign, campaigns.kept(campaign))))


def seat_of(campaign: Campaign, words: str) -> str:
    """The seat of that id, or of the player of that name; "" for none."""
    players = campaign.settings.players
    word = names.compared(words)
    return next((seat for seat in campaign.seats if word and word in (seat, names.compared(players[seat].name))), "")
