"""One bad file of the mail stops nobody: it is named in status and to the GM, and everything else goes on."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.tiny_game import write
from tests.mail.test_following import MAILBOX, Server
from tests.mail.test_week import CAMPAIGN, DAY, FRIDAY, HOUR, WEEK, Campaign, filed, text_of

YEAR = 365 * DAY


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    return Server(monkeypatch)


@pytest.fixture
def tally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Campaign:
    """Before turn 0."""
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", CAMPAIGN)
    return Campaign(folder, monkeypatch, capsys)


def status(tally: Campaign) -> str:
    return " ".join(tally.run(command="status").split())


# --- messages


def test_mails_of_a_drop_folder_are_taken_by_their_dates(tally: Campaign) -> None:
    tally.run()
    tally.mail("bob", "", "back", at=tally.now - HOUR)  # 1.eml, written last
    tally.mail("bob", "", "away 2", at=tally.now - 2 * HOUR)
    tally.run()
    assert "away until" not in status(tally)


def test_a_mail_that_can_not_be_read_stops_no_other(tally: Campaign) -> None:
    tally.run()
    os.symlink("/proc/self/mem", tally.folder / "mail/inbox/0.eml")  # a file that gives an error of input and output
    tally.mail("ann", "take: 2\n")
    assert "filed" in tally.run() and filed(tally, 1, "ann")
    said = "mail/inbox/0.eml can't be read (Input/output error), so nothing is done with it. All other mails are taken."
    assert said in status(tally) and said in text_of(tally.out("news")[0])
    tally.run()
    assert len(tally.out("news")) == 1, "told once"


def test_a_folder_of_ones_own_names_it_after_all_others(tally: Campaign, tmp_path: Path) -> None:
    tally.run()
    tally.mail("ann", "take: 2\n")
    own = tmp_path / "own"
    (tally.folder / "mail/inbox").rename(own)
    os.symlink("/proc/self/mem", own / "0.eml")
    assert main(["mail", "fetch", str(tally.folder), "--from", str(own)]) == 1
    assert "0.eml" in tally.capsys.readouterr().err and filed(tally, 1, "ann")


def test_a_message_that_was_taken_and_is_gone_stops_no_run(tally: Campaign) -> None:
    tally.run()
    line = {
        "at": tally.now.isoformat(),
        "event": "taken",
        "message": "5" * 64,
        "source": "x",
        "seen": tally.now.isoformat(),
    }
    with (tally.folder / "mail/journal.jsonl").open("a") as stream:
        stream.write(json.dumps(line) + "\n")
    tally.mail("ann", "take: 2\n")
    assert "filed" in tally.run() and filed(tally, 1, "ann")
    assert f"mail/inbox/{'5' * 64}.eml can't be read" in status(tally)


# --- the journal


AT = "2026-11-29T18:00:00+00:00"
BAD = (
    {"event": "hold", "turn": 1},
    {"at": AT, "event": "queued", "mail": "report-0001-ann-12345678"},
    {"at": AT, "event": "handled", "message": "5" * 64},
    {"at": AT, "event": "away", "kingdom": "ann", "turn": "1", "turns": 2},
    {"at": "soon", "event": "hold", "turn": 1},
    {"at": AT, "event": "put_off", "turn": 1, "by": "a while", "message": "5" * 64},
    {"at": AT, "event": "told", "what": "deadline"},
    {"at": AT, "event": 5},
)


@pytest.mark.parametrize("line", BAD, ids=lambda line: str(line["event"]))
def test_a_line_of_the_journal_with_wrong_keys_is_passed_over_and_named(
    tally: Campaign, line: dict[str, object]
) -> None:
    tally.run()
    journal = tally.folder / "mail/journal.jsonl"
    journal.write_text(json.dumps(line) + "\n" + journal.read_text())
    tally.mail("ann", "take: 2\n")
    assert "filed" in tally.run() and filed(tally, 1, "ann")
    said = "Line 1 of mail/journal.jsonl has wrong keys and is passed over. Put the file back from a copy."
    assert said in status(tally) and said in text_of(tally.out("news")[0])
    assert tally.run(at=FRIDAY + 2 * HOUR).startswith("Turn 1 is due")
    tally.run(command="mail log")


def test_a_mail_of_which_only_the_fate_is_known_is_not_made_again(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", CAMPAIGN + MAILBOX)
    tally.run()
    journal = tally.folder / "mail/journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    for line in lines:
        if line["event"] == "queued":
            del line["to"]
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    count = len(server.got)
    tally.run()
    assert not [mail for _, mail in server.got[count:] if "report-" in mail["Message-ID"]]


# --- a clock that was wrong


@pytest.mark.parametrize("mailbox", [MAILBOX, ""], ids=["server", "folder"])
def test_a_clock_that_was_a_year_ahead_for_one_run_stalls_nothing(
    tally: Campaign, server: Server, mailbox: str
) -> None:
    write(tally.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 1\n" + mailbox)
    tally.run()
    right = FRIDAY - 4 * DAY
    tally.mail("bob", "take: 2\n", at=right + YEAR)
    tally.run(at=right + YEAR)  # it plays turn 1, a year early
    assert tally.turns == 2
    tally.now = right
    assert (
        "This machine's clock was wrong for a while: the mail's journal has times up to Tuesday 30 November 2027"
        in (status(tally))
    )
    tally.mail("bob", "take: 1\n", "Orders bob 2", at=right + HOUR)
    tally.run(at=right + HOUR)
    assert "take: 1" in filed(tally, 2, "bob")
    assert "due" in tally.run(at=FRIDAY + WEEK + HOUR), "no reports of next year keep the turn waiting"
    assert tally.turns == 3


def test_reports_that_were_to_wait_for_the_gm_wait_as_long_as_they_would_have(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", CAMPAIGN.replace("every: 7d", "every: 7d, review: 12h") + "missing_limit: 1\n")
    tally.run()
    tally.run(at=FRIDAY + YEAR)
    tally.run(at=FRIDAY)
    assert not tally.out("report-0001-ann")
    tally.run(at=FRIDAY + 11 * HOUR)
    assert not tally.out("report-0001-ann")
    tally.run(at=FRIDAY + 13 * HOUR)
    assert tally.out("report-0001-ann")


def test_a_mail_that_a_server_refused_for_now_is_tried_again(
    tally: Campaign, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kingdom.mail.servers import smtp

    write(tally.folder, "campaign.yaml", CAMPAIGN + MAILBOX)
    taking = server.hand_over

    def refusing(*args: object) -> None:
        raise smtp.Refused(450, b"not now")

    monkeypatch.setattr(smtp, "hand_over", refusing)
    monkeypatch.setattr(
        server, "called", lambda _: type("C", (), {"close": lambda self: None, "rset": lambda self: (250, b"")})()
    )
    monkeypatch.setattr(smtp, "called", server.called)
    right = tally.now
    tally.run(at=right + YEAR)
    monkeypatch.setattr(smtp, "hand_over", taking)
    tally.run(at=right)
    tally.run(at=right + HOUR)
    assert sorted(server.to("report-0000")) == ["ann@example.org", "bob@example.org", "gwen@example.org"]
