"""A command as it was sent, and its answer. Commands of players and of the GM have these in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine import names
from kingdom.engine.step import Facts
from kingdom.mail.incoming.outcome import Case
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import order_links, review
from kingdom.mail.outgoing.letters import Enclosed, Link, Listed, tap


class Answer(NamedTuple):
    """The answer to a command. lines: its paragraphs; typed: lines that can be sent or are shown as they stand; enclosed: its files.

    refused: a code of REASONS, with its facts; `links` are then the cure. events: lines for the journal, each with its name. title: the subject, "" for
    the command's usual one. files: files something when the answer is carried out. listed: what the page shows instead of `typed` and
    `links`. asks: what the journal keeps of a question, so that a plain yes answers it.
    """

    lines: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    enclosed: tuple[Enclosed, ...] = ()
    refused: str = ""
    facts: Facts = {}
    events: tuple[tuple[str, Mapping[str, object]], ...] = ()
    title: str = ""
    files: Callable[[], None] | None = None
    listed: tuple[Listed, ...] = ()
    asks: Mapping[str, str] = {}


class Asked(NamedTuple):
    """A command as it was sent. seat: who sent it; argument: the words behind it."""

    case: Case
    seat: str
    argument: str

    @property
    def campaign(self) -> Campaign:
        """The campaign to which the command came."""
        return self.case.campaign

    @property
    def journal(self) -> Journal:
        """The campaign's journal of mail."""
        return self.case.journal

    @property
    def now(self) -> datetime:
        """The moment of this run."""
        return self.case.now

    @property
    def turn(self) -> int:
        """The turn for which orders are now wanted."""
        return order_links.upcoming(self.campaign)

    @property
    def words(self) -> str:
        """The words behind the command, in small letters."""
        return " ".join(self.argument.lower().split())

    def withheld(self) -> Answer | None:
        """The answer that the newest turn's report is not out yet, so that nothing of the turn can be shown; None if it is out."""
        if not review.is_withheld(self.campaign, self.journal, self.seat, self.now):
            return None
        turn = campaigns.newest(self.campaign)
        before = (self.tap(f"report {turn - 1}"),) if turn else ()
        return Answer(refused="not_out_yet", facts={"turn": turn}, links=(*before, self.tap("orders")))

    def tap(self, word: str, name: str = "") -> Link:
        """A link that sends another command of the same seat."""
        return tap(self.campaign, self.seat, word, name)

    def bad(self, command: str, example: str, more: str = "") -> Answer:
        """The answer that the command does not take these words; a tap sends the example."""
        said = f"`{command}` does not take `{self.argument[:60]}`."
        what = said if self.argument else f"`{command}` alone is not enough."
        facts: Facts = {"what": what, "command": command, "example": example, "more": more}
        return Answer(refused="bad_argument", facts=facts, links=(self.tap(example),))


def seats_in_play(campaign: Campaign) -> Iterable[str]:
    """The seats in play; before the start all seats."""
    if campaigns.newest(campaign) < 0:
        return campaign.seats
    return list(campaign.game.seats(campaigns.state_of(campaign, campaigns.kept(campaign))))


def seat_of(campaign: Campaign, words: str) -> str:
    """The seat with that id, or of the player with that name; "" for none."""
    players = campaign.settings.players
    word = names.compared(words)
    return next((seat for seat in campaign.seats if word and word in (seat, names.compared(players[seat].name))), "")
