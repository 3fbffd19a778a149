"""What the campaigns of one run share: the connections by which they send, and, where they lie in a house, its mail and its moment."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.campaign import clock, copies, lock
from kingdom.campaign import house as houses
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.house import House
from kingdom.engine.problems import Faults, Problem
from kingdom.mail.house.reception import Reception, place_of
from kingdom.mail.incoming.taking import Source
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.outgoing import outbox
from kingdom.mail.servers import connection
from kingdom.mail.servers.sources import Delivered, Inbox

if TYPE_CHECKING:
    from kingdom.mail.board import Row
    from kingdom.mail.servers.smtp import Calls
    from kingdom.mail.week import Done

WRONG = 1  # the exit code where a file can't be written
# behind an error; each campaign says it by its own clock
_SINCE = re.compile(r" (IMAP|SMTP) has failed since [^.]*\.$")
Inside = Callable[[Path], Sequence[Path]]  # the campaigns that lie in a folder


class OpenHouse:
    """A house that this run holds. failed: why not all of its mail could be fetched, None if it was."""

    def __init__(self, house: House, campaigns: Sequence[Path], calls: Calls):
        self.house, self.calls = house, calls
        # the moment of all its campaigns: mail that comes later may still be in time for a deadline after it
        self.now = clock.now()
        place = place_of(house)
        self.journal = journal_of(place, self.now)
        found, also = copies.of_house(campaigns)
        self.desk = Reception(place, self.journal, found, self.now, also)
        twins = {
            folder.name for others in also.values() for folder in others if folder.parent == house.folder.resolve()
        }
        self.shown = found.keys() | twins  # the campaigns that the page tells of
        self.failed: connection.Unreachable | connection.Denied | None = None
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.said: set[str] = set()  # what of servers was said in this run, by whichever campaign or by the house
        self.code = 0
        self.broken: dict[str, list[Problem]] = {}
        self.rows: dict[str, Row] = {}  # by the campaigns' folders, for the page
        self.failing: set[str] = set()  # its servers that a campaign could not use, or not for all
        self.ran: set[str] = set()  # the campaigns that took in their mail
        self.to_settle: set[str] = set()  # those that were to do so before a seat of theirs is given

    def fetch(self) -> None:
        """Take the house's mail in. A server that can't be reached stops no campaign but its turns."""
        try:
            self.lines += self.desk.receive(self._source())
            self.journal.note_server(self.now, "IMAP", "")
        except (connection.Unreachable, connection.Denied) as error:
            self._note("IMAP", error)
            self.failed = None if isinstance(error, connection.Unmoved) else error
        if self.journal.replies:
            from kingdom.mail.house import seating  # loads what gives seats; most houses have nobody who asks

            lines, self.to_settle = seating.settle(self.desk, self.failed is None)
            self.lines += lines

    def send(self) -> None:
        """Send the house's own mails: answers to strangers, what the host is told."""
        from kingdom.mail.servers import smtp

        place = self.desk.place
        try:
            outbox.settle(place, self.journal)
            sent = smtp.deliver(place, self.journal, self.now, self.calls)
            if sent.error is not None:
                raise sent.error
        except (connection.Unreachable, connection.Denied) as error:
            self._note("SMTP", error)

    def tell(self) -> None:
        """Tell the host of campaigns that can't be opened, once for the same words: their GMs can't be found."""
        for folder, problems in self.broken.items():
            lines = [f"The campaign in {folder} can't be opened:", *map(str, problems)]
            self.desk.tell_host(
                f"fails-{sha256(repr(lines).encode()).hexdigest()[:16]}", "A campaign can't be opened", lines
            )

    def settle_rest(self) -> list[str]:
        """Give the seats that waited until their campaign had taken in its mail: who gave one up may have come back. Returns lines that say
        what was done."""
        if self.failed is not None or not self.to_settle & self.ran:
            return []
        from kingdom.mail.house import seating

        lines, _ = seating.settle(self.desk, True, self.ran)
        return lines

    def tell_watchers(self) -> None:
        """Tell who watches a campaign what happened in this run."""
        if self.journal.replies:
            from kingdom.mail.house import seating

            seating.tell_watchers(self.desk)

    def show(self) -> None:
        """Write the page and the metrics, where all of its campaigns were run."""
        if not self.rows or self.rows.keys() != self.shown:
            return
        from kingdom.mail import board, vacancies  # loads what draws pages
        from kingdom.mail.house import seating

        failing = [what for what in board.SERVERS if what in self.failing or self.journal.is_failing(what)]
        standbys = sum(seating.standbys(self.desk).values()) if self.journal.replies else 0
        came, went = board.mails(self.journal, self.now)
        asked = {name: len(vacancies.requests(self.journal, name, self.now)) for name in self.rows}
        rows = [row._replace(asked=asked[name]) for name, row in self.rows.items()]
        run = board.Run(self.house, self.now, clock.now(), rows, standbys, failing, came, went)
        if failed := board.write(run):
            self.errors += failed
            self.code = max(self.code, WRONG)

    def _source(self) -> Source:
        if self.house.mail.imap:
            from kingdom.mail.servers.imap import Mailbox

            return Mailbox(self.house.mail.imap)
        inbox = self.house.folder / "mail" / "inbox"
        return Inbox(inbox, self.journal)

    def _note(self, what: str, error: connection.Unreachable | connection.Denied) -> None:
        self.errors += self.unsaid([connection.noted(self.journal, what, error, self.house.folder, self.now, "UTC")])
        self.code = max(self.code, error.exit_code)

    def unsaid(self, errors: Iterable[str]) -> list[str]:
        """Of these errors of servers those that nobody has said in this run: all campaigns of a house have the same servers."""
        new = {error: _SINCE.sub("", error) for error in errors}
        kept = [error for error, words in new.items() if words not in self.said]
        self.said.update(new.values())
        return kept


class Shared:
    """What a run shares; each campaign asks it for its own."""

    def __init__(self, calls: Calls, opened: Sequence[OpenHouse] = ()):
        self.calls, self.houses = calls, {str(one.house.folder): one for one in opened}

    def now(self, campaign: Campaign) -> datetime:
        """The moment of a campaign's run."""
        house = self.houses.get(campaign.settings.house)
        return house.now if house else clock.now()

    def source(self, campaign: Campaign, journal: Journal) -> Source | None:
        """Where a campaign of a house gets its mail; None for any other."""
        house = self.houses.get(campaign.settings.house)
        return Delivered(campaign.folder / "mail" / "inbox", journal, house.failed) if house else None

    def unsaid(self, campaign: Campaign, errors: list[str]) -> list[str]:
        """Of a campaign's errors of servers those that its house, or another campaign of it, has not said."""
        house = self.houses.get(campaign.settings.house)
        return house.unsaid(errors) if house else errors

    def _house_of(self, folder: Path) -> OpenHouse | None:
        return self.houses.get(os.path.dirname(os.path.abspath(folder)))

    def note_broken(self, folder: Path, faults: Faults) -> None:
        """Keep for the host why a campaign can't be opened."""
        if house := self._house_of(folder):
            from kingdom.mail import board

            house.broken[str(folder)] = faults.problems
            house.rows[folder.name] = board.unread(folder, board.NOT_OPENED)

    def note_stopped(self, folder: Path, error: Exception) -> None:
        """Keep for the page that another run holds a campaign, or that its own stopped."""
        if house := self._house_of(folder):
            from kingdom.mail import board

            is_busy = isinstance(error, lock.Held)
            house.rows[folder.name] = board.unread(folder, "" if is_busy else board.STOPPED, is_busy)

    def note_stopped_by(self, campaign: Campaign, problem: Problem, stands: copies.Standing) -> None:
        """Keep for the page why a campaign does not go on: it is there twice, or something of it is wrong."""
        if house := self._house_of(folder := campaign.folder):
            from kingdom.mail import board

            why = board.copied(folder, stands) if stands.problem is problem else board.AMISS
            house.rows[folder.name] = board.unread(folder, why)

    def note_done(self, campaign: Campaign, journal: Journal, done: Done, over: str) -> None:
        """Keep for the page how a campaign stands after its part of the run."""
        if house := self._house_of(campaign.folder):
            from kingdom.mail import board

            house.rows[campaign.folder.name] = board.row_of(campaign, journal, done, over, house.now)
            house.ran.add(campaign.folder.name)
            if campaign.settings.house and journal.is_failing("SMTP"):
                house.failing.add("SMTP")

    @property
    def lines(self) -> list[str]:
        """What the houses say."""
        return [line for house in self.houses.values() for line in house.lines]

    @property
    def errors(self) -> list[str]:
        """What went wrong with their servers."""
        return [line for house in self.houses.values() for line in house.errors]

    @property
    def code(self) -> int:
        """The exit code that they ask for."""
        return max((house.code for house in self.houses.values()), default=0)

    def finish(self) -> list[str]:
        """Do what waited for the campaigns' own runs, and send what the hosts are told. Returns lines that say what was done."""
        lines: list[str] = []
        for house in self.houses.values():
            lines += house.settle_rest()
            house.tell()
            house.tell_watchers()
            house.send()
            house.show()
        return lines


@contextmanager
def shared(campaigns: Iterable[Path], folders: Iterable[Path], inside: Inside) -> Iterator[Shared]:
    """Hold the houses that these campaigns lie in, and those in these folders, while the block runs; their mail is taken in first.

    Raises Held where another run holds one of them, and Faults where a house.yaml is wrong or the disk does not take the mail.
    """
    from kingdom.mail.servers.smtp import Calls  # loads what speaks to servers

    found = {}
    for house in (*map(houses.around, campaigns), *map(houses.at, folders)):
        if house is not None:
            found[house.folder] = house
    with ExitStack() as stack:
        calls = stack.enter_context(Calls())
        opened = []
        for folder, house in sorted(found.items()):
            stack.enter_context(lock.held(folder, "run", "house"))
            opened.append(OpenHouse(house, inside(folder), calls))
        for one in opened:
            one.fetch()
            one.send()
        yield Shared(calls, opened)
