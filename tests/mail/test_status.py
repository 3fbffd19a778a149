"""`kingdom status` and the GM's mail `status`: receipts, refusals to come, absences, failing addresses and servers, what waits."""

from __future__ import annotations

import json
import re

import pytest

from kingdom.cli.main import main
from kingdom.mail.servers import smtp
from tests.kit.tiny_game import write
from tests.mail.test_following import MAILBOX, NOBODY_WAITS, OPEN_SEAT, Server, server
from tests.mail.test_gm_news import BOUNCE
from tests.mail.test_week import FRIDAY, HOUR, Campaign, begun, tally, text_of

__all__ = ["begun", "server", "tally"]  # fixtures


def status(campaign: Campaign) -> str:
    """What `kingdom status` says, in one line."""
    return " ".join(campaign.run(command="status").split())


def as_json(campaign: Campaign) -> dict[str, object]:
    """What `kingdom status --json` says."""
    found: dict[str, object] = json.loads(campaign.run("--json", command="status"))
    return found


def test_who_is_away_or_gave_up_the_seat(begun: Campaign) -> None:
    begun.mail("ann", "", "away 2")
    begun.mail("bob", "", "resign")
    begun.run()
    assert "ann nothing filed; away until turn 2" in status(begun) and "; gave up the seat" in status(begun)
    assert as_json(begun)["absences"] == {"ann": "away until turn 2", "bob": "gave up the seat"}


def test_an_address_that_fails_until_the_seat_has_a_better_one(begun: Campaign) -> None:
    id = begun.out("report-0000", "ann")[0]["Message-ID"]
    write(begun.folder, "mail/inbox/back.eml", BOUNCE.format(id=id))
    begun.run()
    assert (
        "ann@example.org (ann) can't be reached: on Sunday 29 November 2026, 18:00 (UTC) a mail came back: 550"
        in status(begun)
    )
    said = "came back: 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown"
    at = "2026-11-29T18:00:00+00:00"
    assert as_json(begun)["failing"] == [{"seat": "ann", "address": "ann@example.org", "said": said, "at": at}]
    begun.run("ann", "ann@example.net", command="invite")
    assert as_json(begun)["failing"] == []


def test_a_server_that_fails_is_named_with_its_first_and_last_failure_until_it_works_again(
    tally: Campaign, server: Server
) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    server.down = True
    for _ in range(2):
        assert main(["run", str(tally.folder)]) == 4
        tally.now += HOUR
    assert [entry["text"] for entry in tally.journal("server")] == ["Nobody answers."]
    assert (
        "Trouble with the SMTP server since Sunday 29 November 2026, 18:00 (UTC); it was tried last on "
        "Sunday 29 November 2026, 19:00 (UTC). Nobody answers." in status(tally)
    )
    server.down = False
    for _ in range(2):
        tally.run(at=tally.now + HOUR)
    assert [entry["text"] for entry in tally.journal("server")] == ["Nobody answers.", ""]
    (found,) = as_json(tally)["servers"]  # type: ignore[misc]
    assert found == {
        "server": "SMTP", "said": "Nobody answers.", "since": "2026-11-29T18:00:00+00:00", "at": "2026-11-29T19:00:00+00:00",
        "works": "2026-11-29T21:00:00+00:00",
    }  # fmt: skip
    assert "SMTP server" not in status(tally)
    server.down = True
    write(tally.folder, "mail/inbox/1.eml", "From: ann@example.org\nSubject: status [aaaa1]\nMessage-ID: <1@x.org>\n\n")
    tally.now += HOUR
    assert main(["run", str(tally.folder)]) == 4
    assert "Trouble with the SMTP server since Sunday 29 November 2026, 23:00 (UTC). Nobody answers." in status(tally)


def test_a_mail_that_arrives_does_not_say_that_no_mail_can_be_sent(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    server.down = True
    tally.now = FRIDAY + HOUR
    assert main(["run", str(tally.folder)]) == 4
    server.down = False
    tally.run(at=FRIDAY + 2 * HOUR)
    (book,) = [mail for _, mail in server.got if "Your book of turn 1" in str(mail["Subject"])]
    assert "server" not in text_of(book)


def test_a_server_that_refuses_the_password_is_written_down_too(
    tally: Campaign, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(server: object) -> None:
        raise smtp.Denied("The password is wrong.")

    monkeypatch.setattr(smtp, "called", denied)
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    assert main(["run", str(tally.folder)]) == 5
    assert "The password is wrong." in status(tally)


def test_a_turn_that_waits_says_why_and_what_helps(begun: Campaign) -> None:
    assert "waits" not in status(begun)
    begun.run(at=FRIDAY + HOUR)
    said = status(begun)
    assert "Turn 1 waits: 2 of 2 players filed nothing (ann, bob), more than `missing_limit` allows." in said
    assert "By mail `run it` lets it go on, `skip ann` stops waiting for that player;" in said
    assert f"`kingdom turn {begun.folder}` plays it all the same." in said
    assert any("Turn 1 waits" in text for text in as_json(begun)["waits"])  # type: ignore[attr-defined]
    begun.mail("gwen", "", "status")
    begun.run()
    assert "Turn 1 waits: 2 of 2 players filed nothing" in text_of(begun.out("answer", "gwen")[-1])


def test_a_turn_that_is_held_says_so_once(begun: Campaign) -> None:
    begun.mail("gwen", "", "hold")
    begun.run()
    for at in (FRIDAY - HOUR, FRIDAY + HOUR):
        begun.run(at=at)
        assert status(begun).count("`release` lets it go on") == 1


def test_a_turn_that_is_due_and_was_not_run_yet_says_what_plays_it(begun: Campaign) -> None:
    for name in ("ann", "bob"):
        begun.mail(name, "take: 1\n")
    begun.run()
    begun.now = FRIDAY + HOUR
    assert f"Turn 1 is due: its deadline has passed. `kingdom run {begun.folder}` plays it." in status(begun)


def test_a_turn_that_waits_for_a_mailbox_says_what_tries_it(tally: Campaign) -> None:
    imap = "mail: {address: o@x.org, imap: {host: localhost, port: 1, tls: none}}\n"
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + imap)
    tally.now = FRIDAY + HOUR
    assert main(["run", str(tally.folder)]) == 4
    said = status(tally)
    assert "Turn 1 waits: no mail could be fetched since its deadline" in said
    assert f"`kingdom mail check {tally.folder}` says what is wrong with the mailbox" in said


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (", email: gwen@example.org", "", "Nothing is sent: the campaign has no address that answers could go to."),
        ("", "", "No mailbox is set up, so forward them yourself and take out what you forwarded."),
    ],
)
def test_mails_that_wait_say_why_nothing_is_sent(tally: Campaign, old: str, new: str, why: str) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS.replace(old, new) if old else NOBODY_WAITS)
    tally.run()
    assert f"mails wait in mail/outbox to be sent. {why}" in status(tally)


def test_a_welcome_for_a_token_that_is_dead_does_not_count_as_waiting(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", OPEN_SEAT)
    tally.run("bob", "bob@example.org", command="invite")
    assert "1 mail waits in mail/outbox" in status(tally)
    text = (tally.folder / "campaign.yaml").read_text()
    changed = re.sub(r'(?s)(bob@example.org.*?token: )"?\w+"?', r"\1bbbb2", text)
    assert changed != text
    write(tally.folder, "campaign.yaml", changed)
    assert "mail/outbox" not in status(tally)


def test_reports_that_wait_say_until_when(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS.replace("every: 7d", "every: 7d, review: 12h"))
    tally.run()
    tally.run(at=FRIDAY + HOUR)
    assert "2 reports wait for your `release`; without it until Saturday 5 December 2026, 07:00 (UTC)." in status(tally)


def test_the_gms_mail_status_has_receipts_refusals_and_absences(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n")
    begun.mail("bob", "", "away 1")
    begun.run()
    begun.mail("gwen", "", "status")
    begun.run()
    (answer,) = begun.out("answer", "gwen")
    receipt = as_json(begun)["filed"]["ann"]  # type: ignore[index]
    table = f"Ann (ann) filed, receipt {receipt} Bob (bob) nothing filed yet, away until turn 1 You, the GM nothing filed yet"
    assert table in text_of(answer) and text_of(answer).count("receipt") == 1
    begun.mail("bob", "", "status")
    begun.run()
    assert all(receipt not in text_of(mail) for mail in begun.out("answer", "bob"))


def test_a_turn_is_not_run_by_hand_unasked_while_mail_cannot_be_fetched(
    tally: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tally.folder,
        "campaign.yaml",
        NOBODY_WAITS + "mail: {address: o@x.org, imap: {host: localhost, port: 1, tls: none}}\n",
    )
    tally.now = FRIDAY + HOUR
    assert main(["run", str(tally.folder)]) == 4
    capsys.readouterr()
    assert main(["turn", str(tally.folder)]) == 2
    said = capsys.readouterr().err
    assert (
        "No mail can be fetched:" in said and "Orders for turn 1 that came in time may still lie on the server." in said
    )
    assert "write `--yes`" in said
    assert main(["turn", str(tally.folder), "--yes"]) == 0
