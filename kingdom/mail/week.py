"""The weekly job, whole: take mail in and answer it, tell who must be told, resolve what is due, send what waits.

Safe at any time and as often as one likes: every mail has an id of what it is about and is queued once, a turn is kept by one
rename, and what a killed run did not come to the next one does.

Long: the steps of a run in their order, each with what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import commitment, keeping, next_turn, store, undo, undone_turns
from kingdom.campaign import due as weekly
from kingdom.campaign.calendar import span
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import DISK, refused
from kingdom.campaign.settings import doubts
from kingdom.campaign.workers import NOT_DONE, Steps
from kingdom.engine.dice import GM
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults, Problem
from kingdom.mail import alerting, forming, turn_facts
from kingdom.mail.incoming import taking
from kingdom.mail.incoming.forwarded import forwarded
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, following, gm_news, notices, outbox, outdated, posting, undelivered
from kingdom.mail.outgoing import letters as making
from kingdom.mail.records import Letter
from kingdom.mail.servers import connection
from kingdom.mail.servers.sources import Inbox
from kingdom.render.plain_text import counted

if TYPE_CHECKING:
    from kingdom.mail.incoming.taking import Source
    from kingdom.mail.servers.connection import Denied, Unreachable
    from kingdom.mail.servers.smtp import Calls
    from kingdom.mail.turn_jobs import Errand

A_DAY = timedelta(days=1)  # before the deadline the GM hears who is missing


class Done(NamedTuple):
    """What became of a run. lines: what it did; problems: what went wrong; errors: a sentence for each server that failed; code: the exit
    code for these errors; resolved: a turn was kept; waits: why a turn that is due waits, "" where none waits."""

    lines: list[str]
    problems: list[Problem]
    errors: list[str]
    code: int
    resolved: bool = False
    waits: str = ""


class Week:
    """One run of the weekly job. source: where mail comes from; None for a dry run, which only tells what it would do. calls: the
    connections that it shares with other campaigns. helpers: how many processes may work for it."""

    def __init__(
        self,
        campaign: Campaign,
        journal: Journal,
        source: Source | None,
        now: datetime,
        calls: Calls | None = None,
        helpers: int = 0,
    ):
        self.campaign, self.journal, self.source, self.now, self.calls = campaign, journal, source, now, calls
        self._helpers = helpers
        self._errand: Errand | None = None  # the turn as work for others
        self.lines: list[str] = []
        self.problems: list[Problem] = []
        self.error: Unreachable | Denied | None = None  # the last one
        self.errors: list[str] = []
        self.fetched = False
        self.resolved = False  # whether this run resolved a turn, whose reports wait for a release of their own
        self._news: dict[str, str] = {}  # what this run found out about a turn, for the GM
        self._failing: set[str] = set()  # the ids of the mails that say what keeps this run from going on
        self._overs: dict[int, str] = {}  # next turn -> why there is none
        self._asked: dict[int, dict[str, str]] = {}  # turn -> its reports that players answered, by the mailbox

    @property
    def dry(self) -> bool:
        """Whether the run only tells what it would do."""
        return self.source is None

    def run(self) -> Done:
        """Does all that is due, without helpers. Raises Faults where the campaign can't be read at all."""
        going = self.going()
        try:
            tasks = next(going)
            while True:
                tasks = going.send([NOT_DONE for _ in tasks])
        except StopIteration as stop:
            done: Done = stop.value
            return done

    def going(self) -> Steps[Done]:
        """Does all that is due, and yields work that others may do for it. Raises Faults where the campaign can't be read at all."""
        steps: tuple[Callable[[], None | Steps[None]], ...] = (
            self.make_the_start,
            self.fetch,
            self.seat,
            self.form,
            self.tell_moved_deadline,
            self.tell_hold,
            self.remind,
            self.warn_gm,
            self.doubt,
            self.resolve,
            self.tell_gm,
            self.close,
            self.publish,
            self.follow,
            self.post,
            self.send,
            self.journal.sync_all,
        )
        if not self.dry:
            self.journal.defers = True
            undo.clear(self.campaign)
            self._look()
            # a line of today, so that times of the journal that lie ahead keep counting as they do now
            if not self.journal.is_anchored:
                self.journal.add("told", self.now, what="clock", kingdom=GM, turn=0, mark=self.journal.ahead)
        for step in steps:
            try:
                more = step()
                if more is not None:
                    yield from more
            except Faults as faults:
                self._fails(faults.problems)
            except OSError as error:
                self._fails([refused(error, self.campaign.folder)])
        self._alert()
        code = self.error.exit_code if self.error else 0
        return Done(self.lines, self.problems, self.errors, code, self.resolved, self._news.get("waits", ""))

    def _alert(self) -> None:
        """Tells the GM's alert command what keeps mails from going out: a server, or a disk that takes nothing."""
        failures = [str(problem) for problem in self.problems if problem.code in DISK]
        if self.campaign.settings.alert and not self.dry:
            with suppress(Faults):
                self.journal.keep_spare(self.now)
        if not self.dry and (self.error is not None or failures):
            alerting.alert(self.campaign, self.journal, str(self.error or failures[0]), self.now)

    # --- the steps of a run

    def make_the_start(self) -> None:
        """Makes turn 0 where there is none. If it was opened again, it is made once the commitments to its new dice went out."""
        if campaigns.newest(self.campaign) >= 0:
            return
        if not self.dry and turn_facts.unpromised(self.campaign, self.journal, 0):
            self.send()
            if turn_facts.unpromised(self.campaign, self.journal, 0):
                self.lines.append(f"Turn 0 waits: {weekly.UNPROMISED}")
                return
        self._keep("Turn 0 is made.", only_the_start=True)

    def fetch(self) -> None:
        """Takes mail in and answers it. A server that can't be reached stops only the turn."""
        if self.source is None:
            self._would_fetch()
            return
        taken: list[taking.Taken] = []
        stuck: list[Problem] = []
        try:
            taking.take(self.campaign, self.journal, self.source, self.now, taken, stuck)
            self.fetched = not stuck
            if self.campaign.settings.house or self.campaign.settings.mail and self.campaign.settings.mail.imap:
                self.journal.note_server(self.now, "IMAP", "")
        except (connection.Unreachable, connection.Denied) as error:
            self._note_failure("IMAP", error)
            self.fetched = isinstance(error, connection.Unmoved)  # only moving failed, so all mail was taken
        finally:
            self.lines += taking.said(taken)
            self._fails(stuck)
        back = [one.message for one in taken if one.fate.code == "bounce"]
        if about_us := undelivered.about_us(self.campaign, self.journal, back):
            self.error = about_us
            self.errors.append(str(about_us))

    def _would_fetch(self) -> None:
        """Says what would be taken in, as if the server answered."""
        self.fetched = True
        mail = self.campaign.settings.mail
        if mail and mail.imap:
            self.lines.append(f"Mail would be fetched from {mail.imap.host}; what it holds may change what follows.")
            return
        if house := self.campaign.settings.house:
            self.lines.append(f"The mail of the house {house} would be fetched; what it holds may change what follows.")
        count = len(Inbox(self.campaign.folder / "mail" / "inbox", self.journal).names())
        if count:
            self.lines.append(
                f"{counted(count, 'mail')} would be taken in from mail/inbox, which may change what follows."
            )

    def seat(self) -> None:
        """Gives the seats to which the GM said yes. From then on their players are those in the new campaign.yaml."""
        if self.dry or not self.journal.replies:
            return
        from kingdom.mail.incoming import gm_commands  # loaded where somebody said yes

        lines, problems = gm_commands.carried_out(self.campaign, self.journal, self.now)
        self.lines += lines
        self._fails(problems)
        if lines:
            self.campaign = campaigns.open_campaign(self.campaign.folder)

    def form(self) -> None:
        """A campaign of a house that waits for players has no deadline; once it is full it gets one."""
        self.lines += forming.form(self.campaign, self.journal, self.number, self.now, self.dry)

    def tell_moved_deadline(self) -> None:
        """Tells all that the next deadline was moved, where they were told another one."""
        number, due = self.number, self._deadline()
        if self.journal.forming and self.journal.recalls and self.campaign.settings.calendar is not None:
            made = notices.recalled(self.campaign, self.journal, self.now)
            self._queue(made, "No deadline counts any more: all are told.")
        if due is None:
            return
        told, at = self.journal.deadlines.get(number), due.at.isoformat()
        if told and at != told:
            moved = notices.moved(self.campaign, self.journal, number, self.now)
            self._queue(moved, f"The deadline of turn {number} moved: all are told.")
        if at != told and not self.dry:
            self.journal.add("told", self.now, what="deadline", kingdom=GM, turn=number, mark=at)

    def tell_hold(self) -> None:
        """Tells the players once that the GM holds the next turn, so that they may still file."""
        number = self.number
        if self.journal.held != number or self._deadline() is None:
            return
        people = turn_facts.people(self.campaign, self.journal)
        made = notices.held(self.campaign, self.journal, number, self.now, people)
        self._queue(made, f"Turn {number} is held: all are told.")

    def remind(self) -> None:
        """Reminds players who have filed nothing, once for each mark of each deadline. A machine that slept sends only the last reminder."""
        due, calendar, number = self._deadline(), self.campaign.settings.calendar, self.number
        if due is None or calendar is None:
            return
        marks = [mark for mark in calendar.remind if due.at - span(mark) <= self.now < due.at]
        if not marks or undone_turns.is_closed(self.campaign.folder, number):
            return
        mark = min(marks, key=span)
        for seat in self._silent(turn_facts.filed(self.campaign, self.number)):
            made = notices.reminder(self.campaign, self.journal, seat, number, mark, self.now)
            self._queue(made, f"{seat} is reminded of turn {number}.")

    def warn_gm(self) -> None:
        """Sends the GM's digest a day before the deadline: who is missing, what strangers wrote, which requests are open."""
        due, number = self._deadline(), self.number
        if due is None or not due.at - A_DAY <= self.now < due.at:
            return
        made = notices.before_deadline(self.campaign, self.journal, number, self.now)
        self._queue(made, f"The GM is told how turn {number} stands.")

    def resolve(self) -> Steps[None]:
        """Resolves the next turn if it is due. What it waits for is told to the GM once."""
        if campaigns.newest(self.campaign) < 0:
            return
        due = weekly.decide(self._facts())
        if due.what == weekly.DUE:
            self.journal.sync()  # mail that counts for the turn was handled, whatever happens from now on
            yield from self._keep_by_others(due.why)
        elif due.what == weekly.WAITS:
            self.lines.append(due.why)
            if not self.dry:
                for seat in due.waits_for:
                    self.journal.tell_once(self.now, "waits_for", seat, self.number)
            self._news |= {"waits": due.why}

    def _facts(self) -> weekly.Facts:
        """The facts about the next turn. A reopened turn is played only when the commitments to its new dice were mailed to the players. If
        there is a server, and nothing else keeps the turn from being played, these mails are sent first."""
        found = turn_facts.facts(self.campaign, self.journal, self.now, self.fetched, self.over)
        if (
            not found.unpromised
            or not outdated.sends(self.campaign)
            or weekly.decide(found._replace(unpromised=False)).what != weekly.DUE
        ):
            return found
        if self.dry:
            self.lines.append(f"The commitments to the new dice of turn {found.turn} would be mailed first.")
            return found._replace(unpromised=False)
        self.send()
        return turn_facts.facts(self.campaign, self.journal, self.now, self.fetched, self.over)

    def doubt(self) -> None:
        """Says once which dates of the calendar are doubtful; the GM's mail says it, too."""
        if campaigns.newest(self.campaign) < 0 or self.over:
            return  # no turn 0 is made of such a calendar
        for said in doubts(self.campaign.settings):
            if self.dry or self.journal.tell_once(self.now, "doubt", GM, 0, said):
                self.lines.append(said)

    def tell_gm(self) -> None:
        """Sends the GM one mail with all news; each piece of news is told once."""
        if self.dry or campaigns.newest(self.campaign) < 0 or not making.addresses(self.campaign, GM):
            return
        turns = {"waits": self.number, "left_out": self.number - 1}
        found = [gm_news.of_turn(kind, turns[kind], text) for kind, text in self._news.items()]
        more = {topic: text for one in found for topic, text in one.items()}
        news = gm_news.fresh(self.campaign, self.journal, more)
        if not news:
            return
        if letter := gm_news.letter(self.campaign, gm_news.id_of(self.journal), self.number, news, self.now):
            outbox.queue(self.campaign, self.journal, [letter], self.now, tells={one.topic: one.value for one in news})

    def close(self) -> None:
        """Makes the chronicle and the archive of a campaign that is over, if they are not there. Every run says that the campaign is over."""
        over = self.over
        if over:
            self.lines.append(f"The campaign is over: {over}.")
        if not self.dry:
            self.lines += closing.settle(self.campaign, over, forwarded)

    def publish(self) -> None:
        """Puts the newest turn's reports and forms where `publish` says."""
        if self.dry or not self.campaign.settings.publish.folder:
            return
        posting.publish(self.campaign, self.journal, self.now, forwarded)

    def follow(self) -> None:
        """Withdraws mails from the outbox that are no longer true, and makes others again as they are true now."""
        if not self.dry:
            following.follow(self.campaign, self.journal, self.now)
            following.withdraw_failures(self.campaign, self.journal, self.now, self._failing)

    def post(self) -> Steps[None]:
        """Puts the newest turn's reports into the outbox, if they are not there; reports for players may wait for the GM's release."""
        if self.dry:
            return
        if not self.resolved and posting.are_due(self.campaign, self.journal):
            turn = campaigns.kept(self.campaign)
            self._others(turn.record.turn, turn.digest)
        made = posting.nothing
        if self._errand is not None:
            tasks = self._errand.mail_tasks(self.campaign)
            if tasks:
                self._errand.take_mails((yield tasks))
            made = self._errand.content
        came_now = self.journal.released == self.now.isoformat(timespec="seconds")
        posting.post(self.campaign, self.journal, self.now, came_now and not self.resolved, made)
        self._errand = None  # it holds a turn's reports

    def send(self) -> None:
        """Sends the mails that wait. Without a server they stay in mail/outbox for a person."""
        if self.dry:
            self._would_send()
            return
        if outdated.is_nowhere(self.campaign) and outbox.waiting(self.journal):
            self.lines.append(outdated.NO_ADDRESS)
            return
        if not outdated.sends(self.campaign):
            outbox.settle(self.campaign, self.journal)
            self.follow()
            return
        from kingdom.mail.servers import smtp  # loads what speaks to servers

        try:
            sent = smtp.send(self.campaign, self.journal, self.now, self.calls)
        except (connection.Unreachable, connection.Denied) as error:
            self._note_failure("SMTP", error)
            return
        self._fails(sent.unread)
        if sent.sent or sent.again or sent.dropped:
            self.lines.append(f"{counted(len(sent.sent), 'mail')}{sent.said.removeprefix(str(len(sent.sent)))}")
        if sent.error is not None:
            self._note_failure("SMTP", sent.error)

    def _would_send(self) -> None:
        """Says to whom the waiting mails would go."""
        if not outdated.sends(self.campaign):
            return
        dead = outdated.dead(self.campaign, self.journal, self.now)
        there = [entry for entry in outbox.due(self.journal, self.now) if outbox.is_there(self.journal, entry["mail"])]
        due = [entry["to"] for entry in there if entry["mail"] not in dead]
        if due:
            mails = "The mail that waits" if len(due) == 1 else f"The {len(due)} mails that wait"
            self.lines.append(f"{mails} would be sent: to {', '.join(dict.fromkeys(due))}.")

    def _note_failure(self, what: str, error: Unreachable | Denied) -> None:
        """Notes that a server could not be used, and since when, to be said at the end."""
        self.error = error
        here, zone = self.campaign.settings.house or self.campaign.folder, deadlines.zone_of(self.campaign, GM)
        said = connection.noted(self.journal, what, error, here, self.now, zone)
        if said not in self.errors:
            self.errors.append(said)

    # --- what the steps share

    @property
    def number(self) -> int:
        """The next turn."""
        return campaigns.newest(self.campaign) + 1

    @property
    def over(self) -> str:
        """Why there is no next turn, "" where there is one."""
        number = self.number
        if number not in self._overs:
            self._overs[number] = closing.why_over(self.campaign)
        return self._overs[number]

    def _deadline(self) -> deadlines.Deadline | None:
        return (
            deadlines.deadline(self.campaign, self.journal, self.number) if self.number > 0 and not self.over else None
        )

    def _silent(self, found: Iterable[str]) -> list[str]:
        """The seats of people for whom nothing is filed for the next turn and who are not away. found: the seats that have filed."""
        there = {*found, *campaigns.unasked(self.campaign, self.number)}
        seats = [seat for seat in turn_facts.people(self.campaign, self.journal) if seat not in there]
        return [seat for seat in seats if not self.journal.is_away(seat, self.number)]

    def _look(self) -> None:
        """Looks which turn is the newest, at the start and after a turn was kept. Raises Faults where the folder can't be read."""
        self.campaign = self.campaign._replace(last=None)
        with suppress(Faults, OSError):
            self.campaign = campaigns.with_last(self.campaign)

    def _keep_by_others(self, why: str) -> Steps[None]:
        """Resolves and keeps a turn. Others may do most of the work; what they can't do is done here."""
        if self.dry or not self._helpers:
            self._keep(why)
            return
        from kingdom.mail.turn_jobs import Errand

        self._prove()
        commitment.prove(self.campaign, campaigns.kept(self.campaign))
        errand = Errand(self.campaign, self.journal, self.now, self._helpers)
        tasks = errand.tasks()
        files = errand.files((yield tasks)) if tasks else None
        if files is None:
            self._keep(why)
            return
        if self._others(errand.number, store.digest_of(files[store.RECORD])):
            self._keep(why)  # its reports say it first
            return
        try:
            keeping.keep_files(self.campaign, [(errand.number, files)])
        finally:
            self._look()
        self.lines.append(why)
        self.resolved = True
        self._errand = errand

    def _prove(self) -> None:
        """Raises Faults where the next turn's dice are not promised, or where readers got another newest turn than the one here."""
        from kingdom.mail import other_turns

        turn_facts.prove_promised(self.campaign, self.journal)
        other_turns.prove_newest(self.campaign, self.journal)

    def _others(self, number: int, digest: str) -> list[str]:
        """The other turns of the same number that readers have, if the campaign may go on all the same; raises Faults if it may not."""
        from kingdom.mail import other_turns  # loaded where a turn is kept or mailed

        if number not in self._asked:
            self._asked[number], why = other_turns.asked_or_not(self.campaign, number)
            self.lines += [why] if why else []
        return other_turns.prove(self.campaign, self.journal, number, digest, self._asked[number])

    def _keep(self, why: str, only_the_start: bool = False) -> None:
        """Resolves and keeps a turn. The GM hears of files that were left out because of their problems."""
        if self.dry:
            self.lines.append(why)
            return
        self._prove()
        made = next_turn.drafts(self.campaign, lenient=True)[: 1 if only_the_start else None]
        told = [turn_facts.with_told(self.campaign, outdated.with_unseen(self.campaign, draft)) for draft in made]
        try:
            keeping.keep(self.campaign, told, others=self._others)
        finally:
            self._look()
        self.lines.append(why)
        self.resolved = True
        left_out = [str(problem) for draft in made for problem in draft.filings.problems]
        if left_out:
            said = f"Turn {made[-1].number} was resolved without these files, which count as missing:"
            self._news |= {"left_out": "\n".join([said, *left_out])}

    def _fails(self, problems: list[Problem]) -> None:
        """Notes that something in the campaign is wrong, and tells the GM once; nothing else is done."""
        new = [problem for problem in problems if problem not in self.problems]
        self.problems += new
        if not new:
            return
        number, now = self.number, self.now
        lines = [f"The campaign {self.campaign.settings.name} can't go on:", *map(str, new)]
        try:
            id = f"fails-{number:04}-{sha256(repr(lines).encode()).hexdigest()[:12]}"  # once for the same words
            self._failing.add(id)
            self._queue(notices.notice(self.campaign, id, "digest", GM, number, lines, now, about="fails"), "")
        except Faults as faults:  # a full disk takes no mail to the GM either
            self.problems += [problem for problem in faults.problems if problem not in self.problems]

    def _queue(self, made: Iterable[Letter], line: str) -> None:
        """Queues mails, each once. line: said if at least one of them was new."""
        letters = [letter for letter in made if not outbox.is_queued(self.journal, letter.id)]
        outbox.queue(self.campaign, self.journal, letters if not self.dry else (), self.now)
        if letters and line:
            self.lines.append(line)
