"""Killed at any call by which it changes something or sends: one `kingdom run` later every mail that went out is true, and none is missing.

The campaign is a small one of the kingdom game, with mail under way: orders and a letter that nobody has read yet, an answer
that the server would not take yet, and reports that wait for the GM.
"""

from __future__ import annotations

import email
import os
import re
import shutil
import ssl
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kingdom.campaign.audit import audit
from kingdom.campaign.campaign import Campaign, kept, newest, open_campaign
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.outgoing import outbox
from tests.kit import small_realm
from tests.kit.mailservers import PASSWORD, VARIABLE, Postbox
from tests.kit.tiny_game import write
from tests.shim.commands import Commands, Ended

pytestmark = [
    pytest.mark.package("gcc", "cc"),
    pytest.mark.package("libc6-dev", "gencat"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
FRIDAY = datetime(2026, 12, 4, 18, 0, tzinfo=UTC)  # the deadline of turn 1
HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
CAMPAIGN = """\
name: The two fords
game: realm
seed: public, this is a test
public_seed: true
rules: {{events: {{chance: {{normal: 0, after_quiet_turn: 0}}}}, trade: {{between_neighbours: false}}{rules}}}
gm: {{name: Gm, email: gm@example.org, token: g5s1r}}
players:
  examplia: {{name: Ada, email: ada@example.org, token: k7f3q}}
  borderia: {{name: Bo, email: bo@example.org, token: b8w2m}}
calendar: {{deadline: 2026-12-04T18:00, zone: UTC, every: 7d{review}}}
missing_limit: 1
mail:
  address: orders@example.org
  smtp: {{host: localhost, port: {port}, tls: none, username: orders, password_env: {variable}}}
"""
REVIEW = ", review: 12h"
PLAYERS = {"examplia": ("ada@example.org", "k7f3q"), "borderia": ("bo@example.org", "b8w2m")}
DELAYED = "451 come back later"
AFTERWARDS = timedelta(hours=14)  # after the deadline of turn 2: the review is over


class Case(NamedTuple):
    """A command and what is so when it is typed. state: which of the campaigns that `Bed` makes. rules: what is changed in them.

    files: what else is written before; then: after it was killed. at: how long after turn 2's deadline it is typed; the one run comes when the GM's time
    for the review is over.
    """

    words: tuple[str, ...]
    state: str = "held"
    rules: str = ""
    files: tuple[tuple[str, str], ...] = ()
    then: tuple[tuple[str, str], ...] = ()
    at: timedelta = 1.5 * HOUR


DEARER = ", control_dc: {base: 24}"
LESS = ("orders/0001/examplia.yaml", "kingdom: examplia\nturn: 1\nclaim: 0103\n")
FINE = (
    "orders/0002/gm.yaml",
    'kingdom: gm\nturn: 2\ngm: [{grant: borderia, account: treasury, by: -3, reason: "a fine"}]\n',
)
CASES = {
    "undo": Case(("undo",), then=(FINE,)),
    "undo --reopen": Case(("undo", "--reopen")),
    "redo": Case(("redo", "--yes"), rules=DEARER),
    "correct": Case(("correct", "--turn", "1", "--yes"), files=(LESS,)),
    "release": Case(("release",)),
    "invite": Case(("invite", "borderia", "bea@example.org", "--name", "Bea")),
    "invite again": Case(("invite", "borderia", "bo@exampel.org")),
    "run": Case(("run",), state="due"),
    "run, the review over": Case(("run",), at=13 * HOUR),
}
SHORT = ("undo", "run")  # commands that the short run kills, too


class Bed:
    """The server that takes what is sent, the campaigns that are copied for each kill, and the process that commands come from."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.post = Postbox(None, "none", ssl.create_default_context())  # type: ignore[arg-type]  # no TLS, nobody to vouch
        self.commands = Commands(folder, {VARIABLE: PASSWORD})
        self.now = FRIDAY - 5 * DAY
        self.due, self.held = folder / "due", folder / "held"
        self._make()

    def stop(self) -> None:
        """Stop the server and the process."""
        self.commands.stop()
        self.post.stop()

    def settings(self, folder: Path, review: str = "", rules: str = "") -> None:
        """Write campaign.yaml."""
        text = CAMPAIGN.format(port=self.post.port, variable=VARIABLE, review=review, rules=rules)
        write(folder, "campaign.yaml", text)

    def run(self, folder: Path) -> None:
        """The weekly job, to its end."""
        ended = self.commands.run(["run", str(folder)], self.now)
        assert ended.code == 0, ended.said

    def killed(self, folder: Path, words: tuple[str, ...], at: int) -> Ended:
        """A command in a campaign, killed at a call; not killed for 0."""
        return self.commands.killed([words[0], str(folder), *words[1:]], self.now, folder, at)

    def _make(self) -> None:
        """due: turn 1 is kept, turn 2 falls due; held: turn 2 is kept, its reports wait for the GM."""
        small_realm.campaign(self.due)
        self.settings(self.due)
        self._done(self.due, FRIDAY - 5 * DAY)
        self._mail(self.due, "examplia", 1, "Orders examplia 1", "claim: 0102\nbuild: house in Oakhold\n")
        self._done(self.due, FRIDAY - 2 * DAY)
        self._done(self.due, FRIDAY + HOUR)
        self._mail(self.due, "examplia", 2, "Orders examplia 2", "claim: 0103\n")
        self.post.answers = {"bo@example.org": DELAYED}
        self._mail(self.due, "borderia", 3, "Orders borderia 2", "holiday: long\n")
        self._done(self.due, FRIDAY + 2 * DAY)
        self.post.answers = {}
        shutil.copytree(self.due, self.held)
        self.now = FRIDAY + WEEK - HOUR
        self._mail(self.due, "examplia", 4, "Orders examplia 2", "claim: 0103\ntaxation: light\n")
        self._mail(self.due, "borderia", 5, "to examplia", "Shall we talk of the ford?\n")
        self.settings(self.held, REVIEW)
        self.post.answers = {"bo@example.org": DELAYED}
        self._done(self.held, FRIDAY + WEEK + HOUR)
        self.post.answers = {}
        self._mail(self.held, "examplia", 4, "Orders examplia 3", "taxation: light\n")
        self._mail(self.held, "borderia", 5, "to examplia", "Shall we talk of the ford?\n")

    def _done(self, folder: Path, at: datetime) -> None:
        self.now = at
        self.run(folder)

    def _mail(self, folder: Path, seat: str, number: int, subject: str, text: str) -> None:
        """A player's mail in the drop folder."""
        address, token = PLAYERS[seat]
        head = (
            f"Received: from there by here; {format_datetime(self.now)}\nFrom: {address}\nSubject: {subject} [{token}]\n"
            f"Date: {format_datetime(self.now)}\nMessage-ID: <{seat}-{number}@mail.example.org>\n\n"
        )
        file = write(folder, f"mail/inbox/{number}.eml", head + text)
        os.utime(file, (self.now.timestamp(), self.now.timestamp()))


@pytest.fixture(scope="module")
def bed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bed]:
    made = Bed(tmp_path_factory.mktemp("killed"))
    yield made
    made.stop()


@pytest.mark.parametrize(
    ("name", "every"),
    [
        *(pytest.param(name, False, id=f"{name}-one call") for name in SHORT),
        *(pytest.param(name, True, id=f"{name}-every call", marks=pytest.mark.long) for name in CASES),
    ],
)
def test_killed_at_any_change_the_next_run_sends_what_is_true_and_nothing_twice(
    bed: Bed, tmp_path: Path, name: str, every: bool
) -> None:
    case = CASES[name]
    before = prepared(bed, case, tmp_path / "before")
    sent = {entry["mail"] for entry in Journal(before / "mail").mails.values() if entry["fate"] == "sent"}
    shutil.copytree(before, tmp_path / "whole")
    count = len(typed(bed, case, tmp_path / "whole").calls)
    shutil.rmtree(tmp_path / "whole")
    assert count > 5
    for number in range(1, count + 1) if every else sample(count, len(name)):
        folder = tmp_path / "killed"
        shutil.copytree(before, folder)
        ended = typed(bed, case, folder, number)
        where = f"{name} killed at call {number} of {count}: {ended.calls[-1]}"
        assert ended.code == -9, where
        for file, text in case.then:
            write(folder, file, text)
        assert_true_mails(bed, folder, where, sent, ended.calls)
        shutil.rmtree(folder)


def sample(count: int, number: int) -> list[int]:
    """One call, which is another one for each command: the last of every third."""
    return [count if number % 3 == 0 else number * 7 % (count - 1) + 1]


def prepared(bed: Bed, case: Case, folder: Path) -> Path:
    """The campaign as it is when the command is typed."""
    shutil.copytree(bed.held if case.state == "held" else bed.due, folder)
    if case.rules:
        bed.settings(folder, REVIEW, case.rules)
    for name, text in case.files:
        write(folder, name, text)
    return folder


def typed(bed: Bed, case: Case, folder: Path, kill: int = 0) -> Ended:
    """The command, typed in a copy, and killed at a call; not killed for 0."""
    bed.post.received.clear()
    bed.now = (
        FRIDAY + WEEK + 90 * HOUR / 60 if case.words != ("run",) or case.state == "due" else FRIDAY + WEEK + 13 * HOUR
    )
    ended = bed.killed(folder, case.words, kill)
    assert kill or ended.code == 0, ended.said
    return ended


# --- what must be so after one run


def assert_true_mails(bed: Bed, folder: Path, where: str, before: set[str], calls: list[str]) -> None:
    """After one run, of all that went out since the command was typed. before: what was sent until then; calls: those made until it was
    killed."""
    bed.now = FRIDAY + WEEK + AFTERWARDS
    bed.run(folder)
    campaign = open_campaign(folder)
    assert audit(campaign).problems == [], where
    mails = [(taken.to[0], email.message_from_bytes(taken.data, policy=default)) for taken in bed.post.received]
    assert_none_twice(bed, where, talked_to_the_server(calls))
    assert_true_reports(campaign, mails, before, bed.now, where)
    assert_live_welcomes(campaign, mails, where)
    assert_answered(campaign, mails, where)


def talked_to_the_server(calls: list[str]) -> bool:
    return any(call.split()[1].startswith("send") for call in calls)


def id_of(mail: EmailMessage) -> str:
    """The mail's own name: its Message-ID before the mark and the @."""
    return str(mail["Message-ID"]).strip("<>").rpartition("@")[0].rpartition(".")[0]


def assert_none_twice(bed: Bed, where: str, may_be_doubtful: bool) -> None:
    """One mail may come once more, to the byte, if the program was killed while it spoke with the server."""
    copies = defaultdict(list)
    for taken in bed.post.received:
        copies[taken.to, id_of(email.message_from_bytes(taken.data, policy=default))].append(taken.data)
    twice = {key: found for key, found in copies.items() if len(found) > 1}
    assert len(twice) <= may_be_doubtful, f"{where}: {list(twice)} came twice"
    for key, found in twice.items():
        assert len(found) == 2 and found[0] == found[1], f"{where}: {key} came again, otherwise"


def assert_true_reports(
    campaign: Campaign, mails: list[tuple[str, EmailMessage]], before: set[str], now: datetime, where: str
) -> None:
    """No report of a turn that is not kept; of the newest turn each seat has one, or it waits for the GM. before: what was sent then."""
    players, turn, journal = campaign.settings.players, kept(campaign), journal_of(campaign)
    for to, mail in mails:
        found = re.match(r"report-(\d+)-(.+)-([0-9a-f]{8})\Z", id_of(mail))
        if found:
            number, seat = int(found[1]), found[2]
            is_kept = number <= newest(campaign) and kept(campaign, number).digest[:8] == found[3]
            assert is_kept, f"{where}: a report of a turn {number} that is not kept"
            assert seat == "gm" or to == players[seat].email[0], f"{where}: {to} got the report of {seat}"
    sent = before | {id_of(mail) for _, mail in mails}
    held = {entry["mail"] for entry in outbox.kept_back(journal, now)}
    report, ends = f"report-{turn.record.turn:04}", f"-{turn.digest[:8]}"
    for seat in (*campaign.seats, "gm"):
        of_seat = [id for id in sent | held if id.startswith((f"{report}-{seat}-", f"welcome-{seat}-"))]
        assert any(id.endswith(ends) for id in of_seat), f"{where}: {seat} got no report of turn {turn.record.turn}"
    stale = [id for id in held if id.startswith(report) and not id.endswith(ends)]
    assert not stale, f"{where}: {stale} wait for the GM"


def assert_live_welcomes(campaign: Campaign, mails: list[tuple[str, EmailMessage]], where: str) -> None:
    """A welcome went to who holds the seat, with the seat's token; whoever was given a seat has one."""
    players = campaign.settings.players
    welcomed = [(to, mail) for to, mail in mails if id_of(mail).startswith("welcome-")]
    for to, mail in welcomed:
        seat = id_of(mail).split("-")[1]
        assert to == players[seat].email[0], f"{where}: {to} was welcomed to {seat}"
        assert players[seat].token in str(mail["Subject"]) + str(mail.get_body(("plain",))), f"{where}: a dead token"
    for seat, player in players.items():
        if player.email[0] not in {address for address, _ in PLAYERS.values()}:
            assert [to for to, _ in welcomed] == [player.email[0]], f"{where}: {seat} was not welcomed once"


def assert_answered(campaign: Campaign, mails: list[tuple[str, EmailMessage]], where: str) -> None:
    """Ada's orders were answered, once, and Bo's letter came to her unless the seat was taken from him first."""
    answers = [mail for to, mail in mails if mail["In-Reply-To"] == "<examplia-4@mail.example.org>"]
    assert {id_of(mail) for mail in answers} and len({id_of(mail) for mail in answers}) == 1, (
        f"{where}: {len(answers)} answers"
    )
    letters = {id_of(mail) for to, mail in mails if to == "ada@example.org" and "talk of the ford" in text_of(mail)}
    if campaign.settings.players["borderia"].email == ("bo@example.org",):
        assert len(letters) == 1, f"{where}: {len(letters)} letters of Bo's"


def text_of(mail: EmailMessage) -> str:
    part: Any = mail.get_body(("plain",))
    return part.get_content() if part else ""
