"""Mail that was under way when a release was made, and what it published: today's program goes on with both.

tests/kept/VERSION/mail_underway is the campaign, tests/kept/VERSION/published the folder that a web server showed.
"""

from __future__ import annotations

import email
import json
import os
import re
import shutil
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import yaml

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import clock
from kingdom.cli.main import main
from kingdom.mail.journal import Journal
from kingdom.mail.servers import smtp
from tests.kit import archives
from tests.kit.mailkit import filed
from tests.kit.postkit import text_of

KEPT = archives.releases()
EVERY = sorted(KEPT.glob("*/mail_underway"))
NOW = datetime(2026, 12, 16, 18, 0, tzinfo=UTC)  # less than two days before the deadline of turn 3
DUE = datetime(2026, 12, 18, 19, 0, tzinfo=UTC)
TURN = 3
SLOT = "\\u0001"  # stands in an offer of a form where something is to be chosen
DATA = re.compile(r'<script type="application/json" id="form-data">(.*?)</script>', re.DOTALL)


class Underway:
    """A copy of the campaign, with its web folder beside it, and a mail server that takes everything."""

    def __init__(self, kept: Path, to: Path, capsys: pytest.CaptureFixture[str]):
        self.kept, self.capsys, self.now, self.count = kept, capsys, NOW, 0
        self.folder = Path(shutil.copytree(kept, to / kept.name))
        self.web = Path(shutil.copytree(kept.parent / "published", to / "published"))
        self.server = mock.Mock(
            **{"mail.return_value": (250, b""), "rcpt.return_value": (250, b""), "data.return_value": (250, b"")}
        )

    def say(self, *words: str) -> str:
        """What a command says of the campaign; it must succeed."""
        self.capsys.readouterr()
        named = 2 if words[0] == "mail" else 1  # words that name the command
        code = main([*words[:named], str(self.folder), *words[named:]])
        said = self.capsys.readouterr()
        assert code == 0, said.err
        return " ".join(said.out.split())

    def receive(self, sender: str, subject: str, text: str, **more: str) -> str:
        """What `mail fetch` says of a mail that came."""
        self.count += 1
        mail = EmailMessage()
        mail["Received"] = f"from there by mx.example.org; {format_datetime(self.now)}"
        mail["From"], mail["Subject"], mail["Date"] = sender, subject, format_datetime(self.now)
        mail["Message-ID"] = f"<later-{self.count}@mail.example.org>"
        for name, value in more.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(text)
        drop = self.folder.parent / "drop"
        drop.mkdir(exist_ok=True)
        file = drop / f"{self.count}.eml"
        file.write_bytes(mail.as_bytes())
        os.utime(file, (self.now.timestamp(), self.now.timestamp()))
        return self.say("mail", "fetch", "--from", str(drop))

    def filed(self, seat: str, turn: int = TURN) -> dict[str, Any] | None:
        """What is filed for a seat."""
        return filed(campaigns.open_campaign(self.folder), seat, turn)

    def mails(self, place: str, name: str = "") -> list[EmailMessage]:
        """The mails in that folder of the campaign whose file has that name."""
        files = sorted((self.folder / "mail" / place).glob(f"{name}*.eml"))
        return [email.message_from_bytes(file.read_bytes(), policy=default) for file in files]

    def sent(self) -> list[str]:
        """To whom the server was given mails, in their order."""
        return [call.args[0] for call in self.server.rcpt.call_args_list]


@pytest.fixture(params=EVERY, ids=lambda folder: folder.parent.name)
def underway(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Underway:
    made = Underway(request.param, tmp_path, capsys)
    monkeypatch.setattr(clock, "now", lambda: made.now)
    monkeypatch.setattr(smtp, "_Opened", mock.Mock(return_value=made.server))
    return made


def form_data(folder: Path) -> dict[str, dict[str, Any]]:
    """Seat -> what the published form of it holds."""
    found = [
        json.loads(match[1])
        for file in folder.glob("*.html")
        if (match := DATA.search(file.read_text(encoding="utf-8")))
    ]
    return {data["seat"]: data for data in found}


def offered(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The offers of a form that are orders as they stand."""
    parts = [part for section in data["model"]["sections"] for part in section["parts"]]
    offers = [offer for part in parts for offer in part.get("offers", ())]
    return [offer for offer in offers if not offer.get("fields") and SLOT not in json.dumps(offer["value"])]


def ordered(offers: list[dict[str, Any]]) -> dict[str, Any]:
    """The orders that pressing these offers makes."""
    made: dict[str, Any] = {}
    for offer in offers:
        if offer["how"] == "list":
            made.setdefault(offer["key"], []).append(offer["value"])
        elif offer["how"] == "map":
            made.setdefault(offer["key"], {})[offer["value"][0]] = offer["value"][1]
        else:
            made[offer["key"]] = offer["value"]
    return made


# --- what lies there


def test_mail_was_under_way() -> None:
    assert EVERY, "scripts/keep_release writes it"
    for folder in EVERY:
        assert [path.name for path in sorted((folder / "turns").iterdir())] == ["0000", "0001", "0002"]
        assert {path.name for path in (folder / "mail").iterdir()} == {
            "inbox",
            "journal.jsonl",
            "outbox",
            "refused",
            "sent",
        }


def test_its_log_tells_every_message_and_its_fate(underway: Underway) -> None:
    said = underway.say("mail", "log")
    messages = [
        file.stem for place in ("inbox", "refused") for file in (underway.folder / "mail" / place).glob("*.eml")
    ]
    assert len(messages) == 14 and all(message[:12] in said for message in messages)
    assert (
        sum(said.count(f": {word}") for word in ("filed", "answered", "sent on", "passed on")) == 10
        and said.count(": refused") == 3
        and said.count(": ignored") == 1
    )
    assert (
        "bo@example.org: refused orders borderia 3 [...]. There is 1 problem in the orders, so none of them is filed."
        in said
    )
    assert "fay@example.org: refused May I play, too? [...]. Nobody in this campaign has this address." in said
    assert "A machine sent this (Auto-Submitted: auto-replied)." in said
    assert "ada@example.org: filed, turn 3, receipt 30c8f8e15712" in said
    assert "ada" not in underway.say("mail", "log", "borderia")


def test_its_status_tells_who_filed_by_mail_and_what_waits(underway: Underway) -> None:
    said = underway.say("status")
    assert "turn 2 is kept, turn 3 is next. Orders are due on Friday 18 December 2026, 18:00 (Europe/Berlin)" in said
    assert "borderia nothing filed" in said
    assert "examplia filed by mail on 2026-12-14 18:00, receipt 30c8f8e15712, final" in said
    assert "5 mails wait in mail/outbox to be sent." in said
    assert "examplia, request 1: May I dig at the ford?" in said


def test_its_journal_knows_what_was_told_sent_and_filed(underway: Underway) -> None:
    journal = Journal(underway.folder / "mail")
    fates = {fate: {id for id, mail in journal.mails.items() if mail["fate"] == fate} for fate in ("waits", "sent")}
    assert len(journal.handled) == len(journal.taken) == 14
    assert fates["waits"] == {file.stem for file in (underway.folder / "mail/outbox").iterdir()}
    assert fates["sent"] >= {file.stem for file in (underway.folder / "mail/sent").iterdir()}
    assert sorted(journal.deadlines) == [1, 2, 3] and {turn for _, turn, _ in journal.filings} == {1, 2, 3}
    assert journal.mails["report-0001-borderia-f2a51ae8"]["tries"] == 1, "the server did not take it at first"


# --- it goes on


def test_what_waits_is_sent_once(underway: Underway) -> None:
    underway.now = NOW - timedelta(days=1)
    assert underway.say("mail", "send") == "5 sent, 0 to be tried again, 0 refused for good."
    assert sorted(underway.sent()) == ["ada@example.org"] * 2 + ["bo@example.org"] * 2 + ["gm@example.org"]
    given = b"".join(call.args[0] for call in underway.server.data.call_args_list)
    assert b"Thank you for the grain." in given and b"castel" in given
    assert underway.say("mail", "send") == "0 sent, 0 to be tried again, 0 refused for good."
    assert underway.mails("outbox") == [] and len(underway.mails("sent", "answer-")) == 12


def test_no_message_is_taken_twice(underway: Underway) -> None:
    drop = underway.folder.parent / "again"
    drop.mkdir()
    for file in (underway.kept / "mail/inbox").glob("*.eml"):
        shutil.copy(file, drop)
    before = (underway.folder / "orders/0003/examplia.yaml").read_bytes()
    said = underway.say("mail", "fetch", "--from", str(drop))
    assert "accepted" not in said and len(Journal(underway.folder / "mail").handled) == 14
    assert (underway.folder / "orders/0003/examplia.yaml").read_bytes() == before
    assert len(underway.mails("outbox")) == 5


def test_a_reply_to_a_report_that_was_sent_is_a_filing(underway: Underway) -> None:
    """Its subject carries the token and names kingdom and turn; its text is quoted below."""
    (report,) = underway.mails("sent", "report-0002-borderia")
    assert report["Subject"] == "Orders borderia 3 [b8w2m]"
    quoted = "".join(f"> {line}\n" for line in text_of(report).splitlines())
    intro = "On Fri, 11 Dec 2026 at 19:00, The two fords <orders@example.org> wrote:"
    text = f"taxation: light\nclaim: 0502\n\n{intro}\n{quoted}"
    assert (
        underway.receive("bo@example.org", f"Re: {report['Subject']}", text, In_Reply_To=report["Message-ID"])
        == "bo@example.org: filed."
    )
    assert underway.filed("borderia") == {"claim": ["0502"], "edicts": {"taxation": "light"}}
    (answer,) = [mail for mail in underway.mails("outbox", "answer-") if "later-1" in str(mail["In-Reply-To"])]
    assert answer["To"] == "bo@example.org" and text_of(answer).startswith("Filed for turn 3. Receipt: ")


def test_the_orders_that_a_kept_report_encloses_are_valid(underway: Underway) -> None:
    (report,) = underway.mails("sent", "report-0002-borderia")
    (orders,) = [part.get_content() for part in report.iter_attachments() if part.get_filename() == "orders-0003.txt"]
    assert underway.receive("bo@example.org", report["Subject"], orders) == "bo@example.org: filed."
    assert underway.filed("borderia")["edicts"]["taxation"] == "light"


def test_a_wrong_token_files_nothing(underway: Underway) -> None:
    assert "refused" in underway.receive("bo@example.org", "Orders borderia 3 [k7f3q]", "taxation: light\n")
    assert underway.filed("borderia") is None


def test_a_newer_filing_replaces_the_kept_one_and_says_so(underway: Underway) -> None:
    assert (
        underway.receive("ada@example.org", "Orders examplia 3 [k7f3q]", "taxation: heavy\n")
        == "ada@example.org: filed."
    )
    assert underway.filed("examplia") == {"edicts": {"taxation": "heavy"}}
    (answer,) = [mail for mail in underway.mails("outbox", "answer-") if "later-1" in str(mail["In-Reply-To"])]
    assert "30c8f8e15712" in text_of(answer), "the receipt of what it replaces"


def test_the_week_goes_on(underway: Underway) -> None:
    """Who is silent is reminded; at the deadline the turn is resolved, with what came by mail, and sent."""
    assert "borderia is reminded of turn 3." in underway.say("run")
    underway.receive("bo@example.org", "Orders borderia 3 [b8w2m]", "holiday: long\n")
    underway.now = DUE
    said = underway.say("run")
    assert "Turn 3 is due: its deadline has passed." in said
    assert {file.name for file in (underway.folder / "turns/0003/orders").iterdir()} == {
        "borderia.yaml",
        "examplia.yaml",
        "gm.yaml",
    }
    assert "30c8f8e15712" in (underway.folder / "turns/0003/reports/examplia.txt").read_text(encoding="utf-8")
    assert len(underway.mails("sent", "report-0003")) == 3 and underway.sent()[-3:].count("ada@example.org") == 1
    assert "The books balance, the dice are the seed's" in underway.say("audit")
    underway.say("replay")
    assert underway.say("run") == "Nothing to do."


# --- what was published


def test_what_is_published_again_keeps_its_names(underway: Underway) -> None:
    """Bookmarks hold: the same files, earlier reports to the letter; the forms now know what is filed."""
    before = {file.name: file.read_text(encoding="utf-8") for file in underway.web.iterdir()}
    underway.say("run")
    after = {file.name: file.read_text(encoding="utf-8") for file in underway.web.iterdir()}
    assert len(before) == 9 and after.keys() == {*before, "verify.py"}
    filed = form_data(underway.web)["examplia"]["filed"]
    assert (filed["orders"]["kingdom"], filed["orders"]["turn"], filed["orders"]["claim"]) == ("examplia", 3, ["0102"])
    assert filed["problems"] == []
    underway.say("turn", "--yes")
    later = {file.name: file.read_text(encoding="utf-8") for file in underway.web.iterdir()}
    assert len(later) == 12 and later.keys() > before.keys(), "a report for each seat; the forms stay where they were"
    assert {data["turn"] for data in form_data(underway.web).values()} == {4}
    assert all(later[name] == text for name, text in before.items() if "turn 1: The two fords</title>" in text)


def test_links_that_were_mailed_lead_to_what_is_published(underway: Underway) -> None:
    for seat in ("borderia", "examplia"):
        (report,) = underway.mails("sent", f"report-0002-{seat}")
        linked = set(re.findall(r"https://example\.org/fords/([0-9a-f]{40}\.html)", text_of(report)))
        pages = [(underway.web / name).read_text(encoding="utf-8") for name in linked]
        assert sum(f"Orders of {seat} for turn 3" in page for page in pages) == 1
        assert len(pages) == 2


@pytest.mark.parametrize(("seat", "sender"), [("borderia", "bo@example.org"), ("examplia", "ada@example.org")])
def test_every_order_that_a_published_form_offers_is_understood(underway: Underway, seat: str, sender: str) -> None:
    """A form that somebody left open mails under its subject what is pressed; refusals there may be, problems not."""
    data = form_data(underway.web)[seat]
    offers = offered(data)
    assert data["address"] == "orders@example.org" and data["turn"] == TURN and len(offers) > 20
    orders = {key: value[:15] if isinstance(value, list) else value for key, value in ordered(offers).items()}
    text = yaml.safe_dump({"kingdom": seat, "turn": TURN, **orders}, sort_keys=False)
    assert underway.receive(sender, data["subject"], text) == f"{sender}: filed."
    assert underway.filed(seat).keys() >= {"claim", "improve", "edicts"}


def test_a_published_form_speaks_the_language_of_today(underway: Underway) -> None:
    """Every key that it takes is still one, and what was last ordered, which it shows, is still valid."""
    game = campaigns.open_campaign(underway.folder).game
    for seat, data in form_data(underway.web).items():
        assert data["language"]["seat"] == seat and data["language"]["turn"] == TURN
        assert set(data["language"]["orders"]["keys"]) - {"kingdom", "turn"} <= set(game.orders.keys), seat
        sender = {"borderia": "bo@example.org", "examplia": "ada@example.org"}[seat]
        again = data["last"].replace("turn: 2", "turn: 3")
        assert underway.receive(sender, data["subject"], again) == f"{sender}: filed."
