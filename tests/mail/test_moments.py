"""One moment: whatever goes out in a mail or is published gives the same time by which orders are due, as it stands when it goes out."""

from __future__ import annotations

import email
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.policy import default
from html import escape, unescape
from pathlib import Path
from typing import NamedTuple

import pytest

from kingdom.campaign import clock
from kingdom.cli.main import main
from kingdom.mail.outgoing import reporting
from kingdom.mail.outgoing.deadlines import DueWords
from kingdom.render.plain_text import wrap
from tests.kit import postkit
from tests.kit.mailkit import CAMPAIGN
from tests.kit.postkit import Post
from tests.mail.test_following import Server
from tests.mail.test_publishing import PUBLISH

DUE = datetime(2026, 12, 18, 17, 0, tzinfo=UTC)  # of turn 3: 18:00 in Berlin, with an hour of grace
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MOMENT = re.compile(r"[A-Z][a-z]+day \d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d \(Europe/Berlin\)")
CALLED = "Friday 18 December 2026, 18:00"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return postkit.campaign(tmp_path_factory.mktemp("moments") / "campaign")


class Told(NamedTuple):
    """What was told at once: what each mail, file and page names as a moment, and the times of the calendar files."""

    moments: dict[str, set[str]]
    starts: set[str]
    texts: dict[str, str]


class Fords(Post):
    """The two fords, whose runs happen at the time that a test sets."""

    def at(self, now: datetime, *words: str) -> None:
        """A command at that time."""
        self.now = now
        assert main([words[0] if words else "run", str(self.folder), *words[1:]]) == 0

    def told(self, now: datetime, *words: str) -> Told:
        """A run at that time, and all that it and the command before it tell of the next turn: mails with their files, pages."""
        (self.folder / "mail/outbox").mkdir(exist_ok=True)
        for file in (*(self.folder / "mail/outbox").iterdir(), *(self.folder.parent / "www").iterdir()):
            file.unlink()  # what was told before
        self.at(now, *words)
        self.at(now)
        self.mail("examplia", "", "form [k7f3q]")
        self.mail("examplia", "", "report [k7f3q]")
        texts, starts = {}, set()
        for file in (self.folder / "mail/outbox").iterdir():
            mail = email.message_from_bytes(file.read_bytes(), policy=default)
            for part in mail.walk():
                if part.get_content_maintype() != "text":
                    continue
                text, name = part.get_content(), part.get_filename() or part.get_content_subtype()
                if name == "deadline.ics":
                    starts |= set(re.findall(r"DTEND:(\S+)", text))
                elif name != "players-guide.txt":
                    texts[f"{file.stem} {name}"] = text
        texts |= {file.name: file.read_text() for file in (self.folder.parent / "www").glob("?*.html")}
        texts = {name: " ".join(unescape(re.sub(r"<[^>]*>", "", text)).split()) for name, text in texts.items()}
        return Told({name: set(MOMENT.findall(text)) for name, text in texts.items()}, starts, texts)


@pytest.fixture
def fords(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fords:
    """Turn 3 is next, and its calendar is known; borderia is to be invited again."""
    made_now = postkit.fresh(
        made, tmp_path / "campaign", CAMPAIGN.replace(", zone: Europe/Berlin}\n  b", "}\n  b") + PUBLISH
    )
    fords = Fords(made_now.folder, (made_now.folder / "campaign.yaml").read_text())
    monkeypatch.setattr(clock, "now", lambda: fords.now)
    fords.at(DUE - 6 * DAY)
    return fords


INVITE = ("invite", "borderia", "bo@example.org")


def extended(fords: Fords) -> None:
    fords.mail("gm", "", "extend 2d")


def held(fords: Fords) -> None:
    fords.mail("gm", "", "hold")


def by_the_file(fords: Fords) -> None:
    file = fords.folder / "campaign.yaml"
    file.write_text(file.read_text().replace("grace: 1h", "grace: 1h, extend: {3: 1d}"))


def nobody_stands_in(fords: Fords) -> None:
    file = fords.folder / "campaign.yaml"
    file.write_text(file.read_text() + "steward_after: 0\n")
    fords.at(DUE + 2 * HOUR)


def without(fords: Fords) -> None:
    return None


@pytest.mark.parametrize(
    ("before", "now", "moment", "start", "said"),
    [
        (without, DUE - DAY, CALLED, "20261218T170000Z", "are due"),
        (extended, DUE - DAY, "Sunday 20 December 2026, 18:00", "20261220T170000Z", "are due"),
        (by_the_file, DUE - DAY, "Saturday 19 December 2026, 18:00", "20261219T170000Z", "are due"),
        (without, DUE + HOUR / 2, "Friday 18 December 2026, 19:00", "20261218T180000Z", "are due"),
        (held, DUE - DAY, CALLED, "20261218T170000Z", "You can also file them later: the GM holds turn 3."),
        (held, DUE + 2 * DAY, CALLED, "20261218T170000Z", "You can still file orders: the GM holds turn 3."),
        (nobody_stands_in, DUE + 3 * HOUR, CALLED, "20261218T170000Z", "You can still file orders: turn 3 waits"),
    ],
    ids=["as the calendar has it", "extended", "extended by the file", "grace", "held", "held beyond it", "waits"],
)  # fmt: skip
def test_all_that_goes_out_names_one_moment(
    fords: Fords, before: Callable[[Fords], None], now: datetime, moment: str, start: str, said: str
) -> None:
    before(fords)
    told = fords.told(now, *INVITE)
    named = {name: found for name, found in told.moments.items() if "gm" not in name}
    assert set().union(*named.values()) == {f"{moment} (Europe/Berlin)"} and told.starts == {start}
    for kind in ("welcome-borderia", "form-0003.html", "examplia-0002.txt", "examplia-0002.html", "borderia-0002.html"):
        assert any(kind in name and found for name, found in named.items()), kind
    pages = [text for name, text in told.texts.items() if re.fullmatch(r"[0-9a-f]{40}\.html", name)]
    assert len(pages) == 4 and all(moment in text for text in pages)
    report = next(text for name, text in told.texts.items() if name.endswith("borderia-0002.html"))
    assert said in report and ("were due" in report) == said.startswith("You can still")


def test_a_machine_that_slept_gives_its_reports_the_moment_until_which_orders_are_taken(fords: Fords) -> None:
    slept = DUE + 8 * DAY  # a day after the deadline of turn 4
    for seat in ("examplia", "borderia"):
        fords.mail(seat, "taxation: light\n", f"Orders {seat} 3")
    told = fords.told(slept)
    assert set().union(*told.moments.values()) == {"Wednesday 30 December 2026, 06:00 (Europe/Berlin)"}
    assert told.starts == {"20261230T050000Z"}
    assert "gm-0003.html" in " ".join(told.moments) and "examplia-0003.txt" in " ".join(told.moments)
    again = fords.told(slept + DAY, *INVITE)
    assert set().union(*again.moments.values()) == {"Wednesday 30 December 2026, 06:00 (Europe/Berlin)"}


def test_a_turn_that_is_played_again_as_it_was_asks_for_nothing(fords: Fords) -> None:
    for seat in ("examplia", "borderia"):
        fords.mail(seat, "taxation: light\n", f"Orders {seat} 3")
    fords.at(DUE + 2 * HOUR)
    fords.at(DUE + 3 * HOUR, "undo")
    fords.mail("examplia", "", "report [k7f3q]")
    (answer,) = fords.new()
    report = " ".join(postkit.enclosed(answer)["examplia-0002.txt"].decode().split())
    assert "your orders for turn 3 stand as they were sent. It was taken back, and is played again" in report
    assert not MOMENT.search(report)


def test_in_the_order_of_the_docs_the_welcome_and_all_that_is_with_it_name_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/mail.md: a first run without calendar and mailbox, then both are set, then the mails go out."""
    folder, now = tmp_path / "mine", [DUE - 20 * DAY]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    server = Server(monkeypatch)
    assert main(["new", str(folder), "--bots", "0", "--size", "12x8"]) == 0
    text = (folder / "campaign.yaml").read_text()
    seat = re.findall(r"^  (\w+): \{name: Player", text, re.MULTILINE)[0]
    assert main(["invite", str(folder), seat, "ada@example.org", "--name", "Ada"]) == 0
    assert main(["run", str(folder)]) == 0
    calendar = "calendar: {deadline: 2026-12-18T18:00, zone: Europe/Berlin, every: 7d}\n"
    mailbox = "mail: {address: orders@example.org, smtp: {host: localhost, port: 25, tls: none}}\n"
    (folder / "campaign.yaml").write_text((folder / "campaign.yaml").read_text() + calendar + mailbox)
    now[0] += DAY
    assert main(["run", str(folder)]) == 0
    (mail,) = [
        email.message_from_bytes(one.as_bytes(), policy=default) for to, one in server.got if to.startswith("ada")
    ]
    files = postkit.enclosed(mail)
    assert f"DTEND:{DUE:%Y%m%dT%H%M%SZ}" in files["deadline.ics"].decode()
    texts = [files[name].decode() for name in (f"{seat}-0000.html", "form.html")]
    for part in (postkit.text_of(mail), postkit.html_of(mail), *texts):
        assert f"{CALLED} (Europe/Berlin)" in " ".join(part.split()) and "when your GM says" not in part


def test_more_time_for_a_turn_whose_reports_came_late_names_the_moment_that_counts(fords: Fords) -> None:
    for seat in ("examplia", "borderia"):
        fords.mail(seat, "taxation: light\n", f"Orders {seat} 3")
    fords.at(DUE + 8 * DAY)
    fords.mail("gm", "", "extend 1d")
    (answer,) = fords.new()
    text = " ".join(postkit.text_of(answer).split())
    assert "Turn 4 is due on Wednesday 30 December 2026, 06:00 (Europe/Berlin) all the same" in text
    assert "DTEND:20261230T050000Z" in postkit.enclosed(answer)["deadline.ics"].decode()
    fords.mail("gm", "", "extend 7d")
    (answer,) = fords.new()
    assert "Turn 4 is now due on Saturday 2 January 2027, 18:00 (Europe/Berlin)" in " ".join(
        postkit.text_of(answer).split()
    )


@pytest.mark.parametrize("name", ["Ada", "Ada, your orders for turn 9 are due never, Queen", "Zoë & <b> \\1", "A" * 90])
def test_whatever_players_are_called_the_time_alone_is_another(name: str) -> None:
    due = DueWords("are due", "Friday 4 December 2026, 18:00 (UTC)")
    line = f"{name}, your orders for turn 2 are due"
    rule, letter = "=" * 78, "Bo, your orders for turn 2 are due now."
    text = f"Examplia, turn 1\n{rule}\n{wrap(f'{line} when your GM says.')}\n\nLETTERS\n{letter}\n"
    made = reporting.text_due(text, due)
    assert " ".join(made.split()).startswith(
        f"Examplia, turn 1 {rule} {' '.join(wrap(line).split())} {due.when}. LETTERS {letter}"
    )
    called = escape(name, quote=False)
    page = f'<p class="due"><bdi>{called}</bdi>, your orders for turn 2 are due <strong>when your GM says</strong>.</p><p>{letter}</p>'
    assert reporting.page_due(page, due) == page.replace("when your GM says", due.when)


def test_without_a_server_what_still_lies_there_follows_a_delay_too(fords: Fords) -> None:
    fords.at(fords.now, *INVITE)
    (file,) = (fords.folder / "mail/outbox").glob("welcome-borderia*")
    assert "DTEND:20261218T170000Z" in file.read_text()
    extended(fords)
    fords.at(fords.now + HOUR)
    mail = email.message_from_bytes(file.read_bytes(), policy=default)
    assert "DTEND:20261220T170000Z" in file.read_text()
    assert "Sunday 20 December 2026, 18:00" in " ".join(postkit.text_of(mail).split())
    before = file.stat().st_mtime_ns
    fords.at(fords.now + HOUR)
    assert file.stat().st_mtime_ns == before, "it is made again once"
