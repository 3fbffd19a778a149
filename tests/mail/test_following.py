"""The outbox follows the campaign: what was taken back never goes out, and what goes out is true when it does."""

from __future__ import annotations

import email
import email.policy
import json
import re
import shutil
from collections.abc import Iterator
from datetime import timedelta
from email.message import Message
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from kingdom.campaign import undo
from kingdom.campaign.campaign import kept, open_campaign
from kingdom.cli.main import main
from kingdom.engine.dice import commitment_of, key_of
from kingdom.mail.incoming.taking import Incoming
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.outgoing import following, inviting, outdated
from kingdom.mail.servers import smtp
from kingdom.mail.week import Week
from tests.kit import tiny_game
from tests.kit.tiny_game import write
from tests.mail.test_gm_news import BOUNCE
from tests.mail.test_week import CAMPAIGN, DAY, FRIDAY, HOUR, Campaign, text_of

NOBODY_WAITS = CAMPAIGN + "missing_limit: 1\n"
REVIEWED = NOBODY_WAITS.replace("every: 7d", "every: 7d, review: 12h")
MAILBOX = "mail: {address: orders@tally.example, smtp: {host: localhost, port: 25, tls: none}}\n"
OPEN_SEAT = NOBODY_WAITS.replace("{name: Bob, email: bob@example.org, token: bbbb1}", "{}")


WELCOMED = "[A tally] Welcome: you play bob"


class Server:
    """Takes every mail that is sent, or nobody's call."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.got: list[tuple[str, Message]] = []
        self.down = False
        monkeypatch.setattr(smtp, "called", self.called)
        monkeypatch.setattr(smtp, "hand_over", self.hand_over)
        monkeypatch.setattr(smtp, "hang_up", lambda connection: None)

    def called(self, server: object) -> SimpleNamespace:
        if self.down:
            raise smtp.Unreachable("Nobody answers.")
        return SimpleNamespace(close=lambda: None)

    def hand_over(self, connection: object, server: object, sender: str, to: str, data: bytes) -> None:
        self.got.append((to, email.message_from_bytes(data)))

    def ids(self, kind: str = "") -> list[str]:
        """The mails that came, by their Message-IDs."""
        return [
            str(mail["Message-ID"])[1:-1].rpartition("@")[0].rpartition(".")[0]
            for _, mail in self.got
            if f"<{kind}" in mail["Message-ID"]
        ]

    def to(self, kind: str) -> list[str]:
        """Who got mails of a kind."""
        return [to for to, mail in self.got if f"<{kind}" in mail["Message-ID"]]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    return Server(monkeypatch)


@pytest.fixture
def tally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Campaign]:
    """Before turn 0."""
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", CAMPAIGN)
    yield Campaign(folder, monkeypatch, capsys)
    assert_an_older_journal_says_the_same(folder / "mail")


def assert_an_older_journal_says_the_same(mail: Path) -> None:
    """Without what releases before 0.4 left to the ids of mails."""
    now = Journal(mail).mails
    lines = [json.loads(line) for line in (mail / "journal.jsonl").read_text().splitlines()]
    for line in lines:
        for key in ("about", "digest", "mark", "attempt", "handed_on") if line["event"] == "queued" else ():
            line.pop(key, None)
    older = mail.parent / "older"
    older.mkdir()
    (older / "journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    then = Journal(older).mails
    follows = [id for id, entry in now.items() if entry["about"] in outdated.FOLLOWING]
    assert {id: then[id] for id in follows} == {id: now[id] for id in follows}


@pytest.mark.parametrize("id", ["report", "report-one-ann-8431ae4e", "reopened-0001-ann-once", "notes", ""])
def test_a_mail_of_an_older_journal_whose_id_says_nothing_follows_nothing(tmp_path: Path, id: str) -> None:
    line = {"at": "2026-11-29T18:00:00+00:00", "event": "queued", "mail": id, "kind": "report", "kingdom": "ann"}
    write(tmp_path, "journal.jsonl", json.dumps({**line, "turn": 1, "to": "ann@example.org"}) + "\n")
    assert Journal(tmp_path).mails[id]["about"] not in outdated.FOLLOWING


def reviewed(tally: Campaign) -> Campaign:
    """Turn 1 is kept, its reports wait for the GM."""
    write(tally.folder, "campaign.yaml", REVIEWED + MAILBOX)
    tally.run()
    tally.run(at=tally.now + 13 * HOUR)
    tally.run(at=FRIDAY + HOUR)
    return tally


# --- an invitation says what comes next


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("", ""), "bob is bob's now (bob@example.org), with a new token; an older one is dead. The welcome mail lies in {folder}/mail/outbox. "
         "No mailbox is set up, so nothing is sent: forward that file yourself. Once the mailbox is set up (`mail` in campaign.yaml; `kingdom help mail` tells how), "
         "`kingdom run {folder}` sends it."),
        ((", email: gwen@example.org", ""), "The welcome mail lies in {folder}/mail/outbox and has no address yet that the player could answer to. Once"),
        (("", MAILBOX), "The welcome mail goes out with the next `kingdom run {folder}`."),
    ],
    ids=["folder", "no address", "mailbox"],
)  # fmt: skip
def test_invite_says_how_the_welcome_reaches_the_player(tally: Campaign, change: tuple[str, str], said: str) -> None:
    old, more = change
    write(tally.folder, "campaign.yaml", OPEN_SEAT.replace(old, "") + more if old else OPEN_SEAT + more)
    found = " ".join(tally.run("bob", "bob@example.org", command="invite").split())
    assert said.format(folder=tally.folder) in found


# --- a seat that is handed on, an address that is corrected


def played(tally: Campaign) -> Campaign:
    """Turn 1 is kept, all reports were sent."""
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    tally.run(at=FRIDAY + HOUR)
    return tally


def test_who_left_hears_once_that_the_seat_was_handed_on_and_nothing_of_the_next_player(
    tally: Campaign, server: Server
) -> None:
    played(tally)
    said = " ".join(tally.run("bob", "bea@example.org", "--name", "Bea", command="invite").split())
    assert "bob is Bea's now (bea@example.org)" in said and "Bob is told by mail that the seat was handed on." in said
    for _ in range(2):
        tally.run()
    assert server.to("farewell") == ["bob@example.org"]
    (mail,) = [mail for _, mail in server.got if "farewell" in mail["Message-ID"]]
    assert mail["Subject"] == "[A tally] bob was handed on"
    assert "Dear Bob, your seat bob was handed on. You get no more mails of A tally" in text_of(mail)
    assert not re.search(r"\bbea\b", mail.as_string().lower()) and server.to("welcome-bob") == ["bea@example.org"]
    tally.run(at=FRIDAY + timedelta(days=8))
    assert server.to("report-0002-bob") == ["bea@example.org"]


@pytest.mark.parametrize("name", [(), ("--name", "Bea"), ("--name", "Cleo")], ids=["again", "the same", "another"])
def test_an_invitation_that_was_stopped_and_typed_again_still_tells_who_left(
    tally: Campaign, server: Server, monkeypatch: pytest.MonkeyPatch, name: tuple[str, ...]
) -> None:
    played(tally)
    with monkeypatch.context() as patch:
        patch.setattr(inviting, "make_welcomes", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        tally.now += HOUR
        main(["invite", str(tally.folder), "bob", "bea@example.org", "--name", "Bea"])
    tally.run("bob", "bea@example.org", *name, command="invite")
    for _ in range(2):
        tally.run()
    assert server.to("farewell") == ["bob@example.org"]


def test_an_invitation_takes_a_name_whose_letters_are_decomposed(tally: Campaign, server: Server) -> None:
    played(tally)
    said = " ".join(tally.run("bob", "zoe@example.org", "--name", "Zoe\u0308", command="invite").split())
    assert "bob is Zo\u00eb's now (zoe@example.org)" in said
    assert "Zo\u00eb" in (tally.folder / "campaign.yaml").read_text(encoding="utf-8")


def test_the_mail_to_who_left_proves_nothing(tally: Campaign, server: Server) -> None:
    played(tally)
    tally.run("bob", "bea@example.org", "--name", "Bea", command="invite")
    tally.run()
    (id,) = [mail["Message-ID"] for _, mail in server.got if "farewell" in mail["Message-ID"]]
    head = f"From: bea@example.org\nSubject: Re: x\nIn-Reply-To: {id}\nMessage-ID: <9@x.org>\n\n"
    write(tally.folder, "mail/inbox/9.eml", f"{head}take: 2\n")
    assert "refused" in tally.run()


def test_a_seat_that_was_given_up_is_handed_on_without_a_name_too(tally: Campaign, server: Server) -> None:
    played(tally)
    tally.mail("bob", "", "resign")
    tally.run()
    said = " ".join(tally.run("bob", "bea@example.org", command="invite").split())
    assert "bob is bea's now" in said and "No name was given (`--name`), so mails call the player bea;" in said
    tally.run()
    assert server.to("farewell") == ["bob@example.org"]


@pytest.mark.parametrize("name", [(), ("--name", "bob")])
def test_another_address_of_the_same_player_is_a_correction(
    tally: Campaign, server: Server, name: tuple[str, ...]
) -> None:
    played(tally)
    said = " ".join(tally.run("bob", "bob@example.net", *name, command="invite").split())
    shown = name[1] if name else "Bob"
    assert said.startswith(f"The address of {shown} (bob) is bob@example.net now, with a new token;")
    assert "To hand the seat on to somebody else, add `--name NAME`." in said
    tally.run()
    assert server.to("farewell") == [] and server.to("welcome-bob") == ["bob@example.net"]
    (welcome,) = [mail for to, mail in server.got if to == "bob@example.net"]
    assert "in place of" not in text_of(welcome)


DEAD = "This mail replaces those that you got before: replies to them, their links and your old token no longer count."


@pytest.mark.parametrize("address", ["bob@example.net", "bob@example.org"])
def test_a_new_welcome_of_who_plays_already_says_that_older_mails_are_dead(
    tally: Campaign, server: Server, address: str
) -> None:
    played(tally)
    (old,) = [mail["Message-ID"] for _, mail in server.got if "report-0001-bob" in mail["Message-ID"]]
    for _ in range(2):  # the second one after a slip of the GM's replaces the first
        tally.run("bob", address, command="invite")
    tally.run()
    (welcome,) = [mail for _, mail in server.got if "<welcome-bob" in mail["Message-ID"]]
    assert welcome["To"] == address and DEAD in text_of(welcome)
    head = f"From: {address}\nSubject: Re: x\nIn-Reply-To: {old}\nMessage-ID: <9@x.org>\n\n"
    write(tally.folder, "mail/inbox/9.eml", f"{head}take: 2\n")
    assert "refused" in tally.run(), "it says the truth"


def test_a_welcome_to_who_never_got_a_mail_speaks_of_none(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", OPEN_SEAT + MAILBOX)
    tally.run("bob", "bob@exampel.org", "--name", "Bob", command="invite")
    tally.run()
    (id,) = [mail["Message-ID"] for _, mail in server.got if "<welcome-bob" in mail["Message-ID"]]
    write(tally.folder, "mail/inbox/back.eml", BOUNCE.format(id=id).replace("ann@example.org", "bob@exampel.org"))
    tally.run()
    tally.run("bob", "bob@example.org", command="invite")
    tally.run()
    assert server.to("welcome-bob") == ["bob@exampel.org", "bob@example.org"]
    assert not [mail for _, mail in server.got if DEAD in text_of(mail)]
    tally.run("bob", "bea@example.org", "--name", "Bea", command="invite")
    tally.run()
    assert DEAD not in text_of(server.got[-1][1]), "she takes the seat over"


def test_the_first_book_says_what_became_of_each_welcome(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", OPEN_SEAT.replace("{name: Ann, email: ann@example.org, token: aaaa1}", "{}"))
    for name in ("ann", "bob"):
        tally.run(name, f"{name}@example.org", "--name", name.title(), command="invite")
    tally.run()
    (book,) = tally.out("report-0000-gm")
    assert "The welcome mail of Bob (bob) to bob@example.org lies in mail/outbox." in text_of(book)
    write(tally.folder, "campaign.yaml", (tally.folder / "campaign.yaml").read_text() + MAILBOX)
    tally.run("bob", "bob@example.net", command="invite")
    tally.run(at=tally.now + HOUR)
    (book,) = [mail for _, mail in server.got if "report-0000-gm" in mail["Message-ID"]]
    assert "The welcome mail of Ann (ann) to ann@example.org goes out with this one." in text_of(book)
    assert "The welcome mail of Bob (bob) to bob@example.net goes out with this one." in text_of(book)


def test_a_book_that_is_made_later_says_when_a_welcome_went_out(tally: Campaign, server: Server) -> None:
    nobody = OPEN_SEAT.replace(", email: gwen@example.org", "")
    write(tally.folder, "campaign.yaml", nobody + MAILBOX)
    tally.run("bob", "bob@example.org", command="invite")
    tally.run()
    text = (tally.folder / "campaign.yaml").read_text()
    write(tally.folder, "campaign.yaml", text.replace("{name: Gwen", "{name: Gwen, email: gwen@example.org"))
    tally.run(at=tally.now + HOUR)
    (book,) = [mail for _, mail in server.got if "report-0000-gm" in mail["Message-ID"]]
    said = "The welcome mail of bob to bob@example.org went out on Sunday 29 November 2026, 18:00 (UTC)."
    assert said in text_of(book) and "welcome mail of Ann" not in text_of(book), (
        "she is in campaign.yaml from the start"
    )


def test_who_never_heard_of_the_seat_is_told_of_nothing(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", OPEN_SEAT)
    for name in ("Ben", "Bea"):
        tally.run("bob", f"{name.lower()}@example.org", "--name", name, command="invite")
    assert tally.out("farewell") == []
    assert [mail["To"] for mail in tally.out("welcome")] == ["bea@example.org"], "before any run"


def test_the_name_of_a_seat_of_a_new_campaign_is_no_players_name(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", OPEN_SEAT.replace("bob: {}", "bob: {name: Player 2}"))
    assert "so mails call the player ben;" in tally.run("bob", "ben@example.org", command="invite").replace("\n", " ")
    assert "Player 2" not in text_of(tally.out("welcome")[0])


# --- the outbox follows the kept turns


def test_no_turn_is_run_while_the_reports_before_it_wait_for_the_gm(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", REVIEWED.replace("12h", "7d") + MAILBOX)
    tally.run()
    tally.run(command="release")
    tally.run(at=FRIDAY + HOUR)
    late = FRIDAY + timedelta(days=7) + HOUR / 2  # the deadline is over, and the review is not yet
    said = tally.run(at=late)
    assert "Turn 2 waits: no report of the turn before has reached a player yet." in said and tally.turns == 2
    tally.run(command="release")
    assert "the reports of the turn before went out late" in tally.run(at=late + HOUR)
    assert tally.turns == 2


@pytest.mark.parametrize("next_command", ["run", "release", "mail send"])
def test_an_undo_that_was_killed_before_it_came_to_the_mails_lets_no_report_out(
    tally: Campaign, server: Server, next_command: str
) -> None:
    reviewed(tally)
    server.got.clear()
    undo.undo(open_campaign(tally.folder), reopen=False)  # and then it is killed
    tally.run(command=next_command, at=FRIDAY + 20 * HOUR)
    first = [entry["mail"] for entry in tally.journal("queued") if str(entry["mail"]).startswith("report-0001-ann")][0]
    assert first not in server.ids()
    assert first in [entry["mail"] for entry in tally.journal("withdrawn")]


def test_a_killed_undo_that_reopened_a_turn_is_told_by_the_next_run_once(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    tally.run(at=FRIDAY + HOUR)
    undo.undo(open_campaign(tally.folder), reopen=True)
    tally.now = FRIDAY - 2 * DAY  # the turn is not due again at once
    tally.run()
    tally.run(at=FRIDAY - DAY - HOUR)
    assert server.to("reopened-0001") == ["ann@example.org", "bob@example.org", "gwen@example.org"]


def reopened_late(tally: Campaign) -> Campaign:
    """Turn 1 was played and mailed, and after its deadline it is opened again."""
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    tally.run(at=FRIDAY + HOUR)
    tally.run("--reopen", command="undo", at=FRIDAY + 2 * HOUR)
    return tally


def test_a_turn_that_is_reopened_after_its_deadline_is_played_when_its_commitments_are_mailed(
    tally: Campaign, server: Server
) -> None:
    reopened_late(tally)
    server.got.clear()
    tally.run(at=FRIDAY + 3 * HOUR)
    record = kept(open_campaign(tally.folder), 1).record
    assert record.attempt == 2
    came = [id for id in server.ids() if id.startswith(("reopened-0001", "report-0001"))]
    assert [id[:13] for id in came[:3]] == ["reopened-0001"] * 3 and came[3].startswith("report-0001")
    promised = next(mail for to, mail in server.got if to == "ann@example.org" and "<reopened" in mail["Message-ID"])
    assert commitment_of(key_of("public, this is a test", 1, "ann", 2)) in text_of(promised)


def test_it_waits_while_they_can_not_be_mailed(
    tally: Campaign, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    reopened_late(tally)
    server.down = True
    assert main(["run", str(tally.folder)]) == 4
    assert not (tally.folder / "turns/0001").exists()
    tally.now = FRIDAY + 4 * HOUR
    assert "Turn 1 waits: the commitments to its new dice have not been mailed yet." in tally.run(command="status")
    capsys.readouterr()
    for words in ([], ["--yes"]):
        assert main(["turn", str(tally.folder), *words]) == 1 and not (tally.folder / "turns/0001").exists()
        assert (
            "Turn 1 is not played yet: the commitments to its new dice have not been mailed yet."
            in capsys.readouterr().err
        )
    server.down = False
    tally.run(at=FRIDAY + 5 * HOUR)
    assert kept(open_campaign(tally.folder), 1).record.attempt == 2


def test_no_word_of_the_gm_plays_it_before_they_are_mailed(tally: Campaign, server: Server) -> None:
    reopened_late(tally)
    server.down = True
    tally.mail("gwen", "", "release", at=FRIDAY + 3 * HOUR)
    assert main(["run", str(tally.folder)]) == 4 and not (tally.folder / "turns/0001").exists()
    tally.mail("gwen", "", "run it", at=FRIDAY + 4 * HOUR)
    assert main(["run", str(tally.folder)]) == 4 and not (tally.folder / "turns/0001").exists()
    server.down = False
    tally.run(at=FRIDAY + 5 * HOUR)
    assert (tally.folder / "turns/0001").exists()


def test_where_a_person_forwards_the_mails_it_waits_while_they_lie_in_the_outbox(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS)
    tally.run()
    tally.run(at=FRIDAY + HOUR)
    said = " ".join(tally.run("--reopen", command="undo", at=FRIDAY + 2 * HOUR).split())
    assert (
        "the first `kingdom run` after you forwarded these mails and took them out of mail/outbox plays it again"
        in said
    )
    (mail,) = (tally.folder / "mail" / "outbox").glob("reopened-0001-ann-*.eml")
    told = " ".join(text_of(email.message_from_bytes(mail.read_bytes(), policy=email.policy.default)).split())
    assert "New orders for it count only if the GM gives more time." in told and "is open" not in told
    assert "Turn 1 waits: the commitments to its new dice have not been mailed yet." in tally.run(at=FRIDAY + 3 * HOUR)
    status = " ".join(tally.run(command="status").split())
    assert "Forward the mails about it that lie in mail/outbox, and take them out. Then `kingdom run" in status
    for file in (tally.folder / "mail" / "outbox").glob("reopened-0001-*.eml"):
        file.unlink()
    tally.run(at=FRIDAY + 4 * HOUR)
    assert kept(open_campaign(tally.folder), 1).record.attempt == 2


def test_turn_plays_a_reopened_turn_once_a_person_carried_the_mails_about_its_dice(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS)
    tally.run()
    tally.run(at=FRIDAY + HOUR)
    tally.run("--reopen", command="undo", at=FRIDAY + 2 * HOUR)
    outbox = tally.folder / "mail" / "outbox"
    mails = list(outbox.glob("reopened-0001-*.eml"))
    while mails:
        assert main(["turn", "--yes", str(tally.folder)]) == 1 and not (tally.folder / "turns/0001").exists()
        mails.pop().unlink()
    tally.run("--yes", command="turn")
    record = kept(open_campaign(tally.folder), 1).record
    assert record.attempt == 2 and record.untold == [] and [one.why for one in record.replaced] == ["reopened"]


def test_of_two_turns_that_are_reopened_each_is_promised_and_reported_before_the_next_is_played(
    tally: Campaign, server: Server
) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    tally.run(at=FRIDAY + HOUR)
    week = FRIDAY + 7 * DAY
    tally.run(at=week + HOUR)
    assert len(server.to("report-0002")) == 3
    tally.run("--reopen", command="undo", at=week + 2 * HOUR)
    tally.run("--reopen", command="undo", at=week + 2 * HOUR)
    server.got.clear()
    tally.run(at=week + 3 * HOUR)
    assert "the reports of the turn before went out late" in tally.run(at=week + 4 * HOUR)
    tally.run(at=week + 4 * DAY)
    came = [id[:13] for id in server.ids() if id.startswith(("reopened", "report"))]
    assert sorted(came[:6]) == ["reopened-0001"] * 3 + ["reopened-0002"] * 3
    assert [id[:11] for id in came[6:]] == ["report-0001"] * 3 + ["report-0002"] * 3


def test_a_release_after_a_redo_sends_the_corrected_reports_alone(tally: Campaign, server: Server) -> None:
    tally.mail("ann", "take: 5\n", subject="Orders ann 1")
    reviewed(tally)
    server.got.clear()
    write(tally.folder, "campaign.yaml", REVIEWED + MAILBOX + "rules: {take: {most: 2}}\n")
    tally.run("--yes", command="redo", at=FRIDAY + 2 * HOUR)
    tally.run(command="release")
    mine = [mail for to, mail in server.got if to == "ann@example.org" and "report-0001" in mail["Message-ID"]]
    assert len(mine) == 1 and "coins 3 " in text_of(mine[0]), "the corrected one"
    assert mine[0]["Subject"].endswith("Report of turn 1"), "nobody had the first one, so there is nothing to take back"
    assert "corrects" not in text_of(mine[0])
    tally.run(at=FRIDAY + 3 * HOUR)
    assert len(server.to("report-0001-ann")) == 1


def test_a_report_that_waited_says_how_long_there_is_from_when_it_is_sent(tally: Campaign, server: Server) -> None:
    reviewed(tally)
    server.got.clear()
    tally.run(at=FRIDAY + DAY + HOUR)
    ann = next(mail for to, mail in server.got if to == "ann@example.org")
    assert "in 5 days 23 hours" in text_of(ann)


def test_a_mail_that_a_server_may_have_is_sent_again_to_the_byte(
    tally: Campaign, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    taking = server.hand_over

    def killed(*args: object) -> None:
        taking(*args)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(smtp, "hand_over", killed)
    tally.now = FRIDAY - 5 * DAY
    main(["run", str(tally.folder)])
    monkeypatch.setattr(smtp, "hand_over", taking)
    tally.run(at=tally.now + HOUR)
    first, *rest = (mail for _, mail in server.got)
    assert first.as_bytes() in [mail.as_bytes() for mail in rest]


def test_of_a_broken_campaign_the_gm_is_told_and_nothing_is_withdrawn(tally: Campaign, server: Server) -> None:
    reviewed(tally)
    server.got.clear()
    for name in ("turn.json", "state.json"):
        file = tally.folder / "turns/0001" / name
        file.write_bytes(file.read_bytes().replace(b"{", b"[", 1))
    tally.now = FRIDAY + 20 * HOUR
    assert main(["run", str(tally.folder)]) == 1
    assert server.to("fails") == ["gwen@example.org"] and not tally.journal("withdrawn")


# --- nothing is frozen too early


def test_who_was_invited_before_there_was_a_mailbox_gets_its_address(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", OPEN_SEAT)
    assert main(["invite", str(tally.folder), "bob", "bo@example.org"]) == 0
    text = (tally.folder / "campaign.yaml").read_text()
    write(tally.folder, "campaign.yaml", text + MAILBOX)
    tally.run(at=tally.now + HOUR)
    (welcome,) = [mail for to, mail in server.got if to == "bo@example.org"]
    assert "welcome" in welcome["Message-ID"] and welcome["Message-ID"].endswith("@tally.example>")
    assert welcome["Reply-To"] == "orders@tally.example" and ".invalid" not in welcome.as_string()


@pytest.mark.parametrize("mailbox", [MAILBOX, ""])
def test_a_second_invitation_withdraws_the_first(tally: Campaign, server: Server, mailbox: str) -> None:
    write(tally.folder, "campaign.yaml", OPEN_SEAT + mailbox)
    for address in ("bob@exampel.org", "bob@example.org"):
        assert main(["invite", str(tally.folder), "bob", address]) == 0
    tally.run(at=tally.now + HOUR)
    assert "bob@exampel.org" not in server.to("") + [str(mail["To"]) for mail in tally.out()]
    assert server.to("welcome") + [str(mail["To"]) for mail in tally.out("welcome")] == ["bob@example.org"]


def test_a_report_that_waits_goes_to_who_holds_the_seat_when_it_is_sent(tally: Campaign, server: Server) -> None:
    reviewed(tally)
    server.got.clear()
    assert main(["invite", str(tally.folder), "bob", "bea@example.org"]) == 0
    tally.run(at=FRIDAY + DAY)
    assert "bob@example.org" not in server.to("") and "bea@example.org" in server.to("welcome")


def test_a_welcome_that_waited_for_the_server_brings_the_newest_report(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", OPEN_SEAT + MAILBOX)
    server.down = True
    assert main(["invite", str(tally.folder), "bob", "bob@example.org"]) == 0
    assert main(["run", str(tally.folder)]) == 4
    server.down = False
    tally.run(at=FRIDAY + HOUR)
    (welcome,) = [mail for to, mail in server.got if to == "bob@example.org" and "welcome" in mail["Message-ID"]]
    assert kept(open_campaign(tally.folder)).digest[:8] in welcome["Message-ID"]
    assert server.to("report-").count("bob@example.org") == 0


def test_who_filed_before_a_waiting_reminder_was_sent_is_not_reminded(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    server.down, tally.now = True, FRIDAY - DAY
    assert main(["run", str(tally.folder)]) == 4
    server.down = False
    tally.mail("ann", "take: 1\n")
    tally.run(at=FRIDAY - 20 * HOUR)
    assert server.to("reminder") == ["bob@example.org"]


def test_where_a_person_carries_the_mails_a_welcome_from_before_the_start_is_made_anew(tally: Campaign) -> None:
    nobody = OPEN_SEAT.replace(", email: gwen@example.org", "")
    write(tally.folder, "campaign.yaml", nobody)
    tally.run("bob", "bea@example.org", command="invite")
    assert "campaign.invalid" in tally.out("welcome")[0]["Reply-To"]
    tally.run()
    text = (tally.folder / "campaign.yaml").read_text()
    write(tally.folder, "campaign.yaml", text + "mail: {address: orders@tally.example}\n")
    tally.run()
    (welcome,) = tally.out("welcome")
    assert welcome["Reply-To"] == "orders@tally.example"


def test_without_any_address_of_its_own_nothing_is_sent_and_it_says_what_to_set(
    tally: Campaign, server: Server
) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS.replace(", email: gwen@example.org", ""))
    assert "`mail: {address: ...}`" in tally.run()
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    assert "Nothing is sent" not in tally.run(at=tally.now + timedelta(minutes=5))
    assert server.got and all(mail["Reply-To"] == "orders@tally.example" for _, mail in server.got)


# --- what the GM is told, and letters


def late(tally: Campaign, server: Server) -> Campaign:
    """Turn 0 is kept and its reports are out; the server is down from a day before the deadline on."""
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    server.got.clear()
    server.down, tally.now = True, FRIDAY - 20 * HOUR
    assert main(["run", str(tally.folder)]) == 4
    return tally


def test_a_digest_that_waited_says_what_is_so_when_it_is_sent(tally: Campaign, server: Server) -> None:
    late(tally, server)
    server.down = False
    tally.mail("ann", "take: 1\n")
    tally.run(at=FRIDAY - 3 * HOUR)
    (digest,) = [mail for _, mail in server.got if "digest" in mail["Message-ID"]]
    assert "in 3 hours" in text_of(digest) and "Nothing is filed yet for Bob (bob)." in text_of(digest)
    (reminder,) = [
        mail for to, mail in server.got if "reminder" in mail["Message-ID"] and "-48h-" not in mail["Message-ID"]
    ]
    assert reminder["To"] == "bob@example.org"


def test_a_digest_of_a_turn_that_was_run_meanwhile_is_withdrawn(tally: Campaign, server: Server) -> None:
    late(tally, server)
    assert main(["turn", str(tally.folder), "--yes"]) in (0, 2) and main(["turn", str(tally.folder)]) in (0, 2)
    server.down = False
    tally.run(at=FRIDAY - HOUR)
    assert server.to("report-0001") and not server.to("digest-0001")


def test_a_digest_for_another_deadline_is_withdrawn_and_made_anew(tally: Campaign, server: Server) -> None:
    late(tally, server)
    server.down = False
    tally.mail("gwen", "", "extend 2h")
    tally.run(at=FRIDAY - 19 * HOUR)
    (digest,) = [mail for _, mail in server.got if "digest" in mail["Message-ID"]]
    assert "20:00" in text_of(digest)


def test_news_that_waited_tells_what_is_still_so(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", CAMPAIGN + MAILBOX)
    tally.run()
    server.got.clear()
    server.down, tally.now = True, FRIDAY + HOUR
    tally.mail("ann", "", "away 4")
    assert main(["run", str(tally.folder)]) == 4
    server.down = False
    tally.mail("ann", "take: 1\n")
    tally.mail("bob", "take: 1\n")
    tally.run(at=FRIDAY + 2 * HOUR)
    (news,) = [mail for _, mail in server.got if "news" in mail["Message-ID"]]
    assert "Ann (ann) is away for turns 1 to 4." in text_of(news) and "filed nothing" not in text_of(news)


def test_news_of_which_nothing_is_left_is_withdrawn(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", CAMPAIGN + MAILBOX)
    tally.run()
    server.down, tally.now = True, FRIDAY + HOUR
    assert main(["run", str(tally.folder)]) == 4 and "news-0001" in Journal(tally.folder / "mail").mails
    server.down = False
    for name in ("ann", "bob"):
        tally.mail(name, "take: 1\n")
    tally.run(at=FRIDAY + 2 * HOUR)
    assert not server.to("news")


def test_a_letter_that_waits_goes_to_who_holds_the_seat_and_an_answer_to_who_wrote(
    tally: Campaign, server: Server
) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    server.got.clear()
    server.down = True
    tally.mail("ann", "Shall we talk?\n", "to bob")
    tally.mail("bob", "", "status")
    assert main(["run", str(tally.folder)]) == 4
    assert main(["invite", str(tally.folder), "bob", "bea@example.org"]) == 0
    server.down = False
    tally.run(at=tally.now + HOUR)
    (letter,) = [mail for _, mail in server.got if "message-" in mail["Message-ID"]]
    assert server.to("message-") == [letter["To"]] == ["bea@example.org"] and "Shall we talk?" in text_of(letter)
    assert sorted(server.to("answer-")) == ["ann@example.org", "bob@example.org"]


# --- a campaign whose mails a person carried gets a mailbox


def test_what_was_carried_by_hand_and_taken_out_of_the_outbox_is_not_sent_again(
    tally: Campaign, server: Server
) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS)
    tally.mail("ann", "take: 2\n")
    tally.mail("bob", "Shall we talk?", "to ann")
    tally.run()
    for file in (tally.folder / "mail/outbox").glob("*.eml"):
        if not file.name.startswith("report-0000-bob"):
            file.unlink()
    assert "1 mail waits in mail/outbox" in tally.run(command="status")
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    assert "The mail that waits would be sent: to bob@example.org." in tally.run("--dry-run", at=tally.now + HOUR)
    tally.run(at=tally.now + HOUR)
    assert [to for to, _ in server.got] == ["bob@example.org"]
    tally.run(at=tally.now + HOUR)
    assert "refused" not in tally.run(command="status") and "refused for good" not in tally.run(command="mail log")
    assert server.to("news-") == [], "what a person carried failed nowhere"


def test_answers_and_letters_from_before_the_mailbox_come_from_its_address(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS)
    tally.run()
    tally.mail("ann", "take: 2\n")
    tally.mail("bob", "Shall we talk?", "to ann")
    tally.run()
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run(at=tally.now + DAY)
    mails = [mail for _, mail in server.got]
    assert {"Filed", "Letter"} <= {mail["Subject"].split()[2] for mail in mails}
    for mail in mails:
        assert "orders@tally.example" in mail["From"] and mail["Reply-To"] == "orders@tally.example", mail["Subject"]
        assert "gwen@example.org" not in mail["From"] and mail["Date"] == format_datetime(tally.now), mail["Subject"]
    (letter,) = [mail for mail in mails if "Letter" in mail["Subject"]]
    assert letter["From"] == '"Bob (bob) via A tally" <orders@tally.example>'
    server.got.clear()
    tally.run(at=tally.now + HOUR)
    assert server.got == []


def test_a_welcome_with_a_report_that_waits_for_the_gm_waits_with_it(tally: Campaign, server: Server) -> None:
    reviewed(tally)
    server.got.clear()
    said = " ".join(tally.run("bob", "dora@example.org", "--name", "Dora", command="invite").split())
    assert "The welcome mail holds the newest report, so it waits for your `release` with the others" in said
    tally.run(at=tally.now + HOUR)
    assert not [to for to, _ in server.got if to == "dora@example.org"]
    tally.run(command="release")
    tally.run()
    assert [mail["Subject"] for to, mail in server.got if to == "dora@example.org"] == [WELCOMED]


def test_a_dry_run_says_to_whom_what_waits_would_go(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    server.down = True
    assert main(["run", str(tally.folder)]) == 4
    said = tally.run("--dry-run")
    assert (
        "The 3 mails that wait would be sent: to gwen@example.org, ann@example.org, bob@example.org."
        in said.replace("\n", " ")
    )
    server.down = False
    tally.run(at=tally.now + HOUR)
    assert "would be sent" not in tally.run("--dry-run")


def test_a_rehearsal_calls_no_report_corrected_that_no_server_took(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    server.down = True
    tally.mail("ann", "take: 5\n")
    tally.now = FRIDAY + HOUR
    assert main(["run", str(tally.folder)]) == 4
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX + "rules: {take: {most: 2}}\n")
    tally.run("--yes", command="redo")
    said = tally.run("--run-it", "--to", str(tally.folder.parent / "page.html"), command="rehearse")
    assert "Report of turn 1" in said and "Corrected report" not in said


def test_a_run_that_reaches_neither_server_names_both_and_since_when(tally: Campaign, server: Server) -> None:
    class Source:
        def batches(self, size: int) -> Iterator[list[Incoming]]:
            raise smtp.Unreachable("The mailbox is silent.")

        def done(self, places: object, refused: object) -> None:
            pass

    def errors() -> list[str]:
        opened = open_campaign(tally.folder)
        return Week(opened, Journal(tally.folder / "mail"), Source(), tally.now).run().errors

    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    server.down = True
    assert errors() == ["The mailbox is silent.", "Nobody answers."]
    tally.now += HOUR
    since = "has failed since Sunday 29 November 2026, 18:00 (UTC)."
    assert errors() == [f"The mailbox is silent. IMAP {since}", f"Nobody answers. SMTP {since}"]


def test_a_release_by_mail_sends_what_was_resolved_again_since_the_last_run(tally: Campaign, server: Server) -> None:
    reviewed(tally)
    write(tally.folder, "campaign.yaml", REVIEWED + MAILBOX + "rules: {take: {most: 2}}\n")
    tally.run("--yes", command="redo", at=FRIDAY + 2 * HOUR)
    server.got.clear()
    tally.mail("gwen", "", "release")
    tally.run(at=FRIDAY + 3 * HOUR)
    assert sum("report-0001" in mail["Message-ID"] for to, mail in server.got if to == "ann@example.org") == 1


# --- what was right when it was made: a server that takes mail again after weeks


def late_server(tally: Campaign, server: Server, more: str = "") -> None:
    """A campaign with a server that takes the mails of the start and none of turn 1, of which a reminder waits."""
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX + more)
    tally.run(at=FRIDAY - 5 * DAY)
    server.down = True
    fails(tally, FRIDAY - 2 * DAY)


def fails(tally: Campaign, at: object) -> None:
    """A run whose server does not answer."""
    tally.now = at  # type: ignore[assignment]
    assert main(["run", str(tally.folder)]) == 4


def told(server: Server) -> list[tuple[str, str]]:
    """(subject, text) of what the server got, without the campaign's name."""
    return [(str(mail["Subject"]).removeprefix("[A tally] "), text_of(mail)) for _, mail in server.got]


def test_a_reminder_of_a_deadline_that_has_passed_is_not_sent(tally: Campaign, server: Server) -> None:
    late_server(tally, server, "missing_orders: hold\n")
    tally.mail("bob", "take: 1\n", "Orders bob 1", at=FRIDAY - DAY)
    write(
        tally.folder,
        "campaign.yaml",
        (tally.folder / "campaign.yaml").read_text().replace("missing_orders: hold\n", ""),
    )
    fails(tally, FRIDAY + HOUR)
    server.down, server.got[:] = False, []
    tally.run(at=FRIDAY + 12 * DAY)
    assert not [
        subject for subject, _ in told(server) if "due in" in subject or "yesterday" in subject or "ago" in subject
    ]
    assert not server.ids("reminder-0001"), "the turn of which it reminded is played"


def test_one_of_a_turn_that_waits_says_that_it_waits(tally: Campaign, server: Server) -> None:
    late_server(tally, server, "missing_orders: hold\n")
    fails(tally, FRIDAY + HOUR)
    server.down, server.got[:] = False, []
    tally.run(at=FRIDAY + 12 * DAY)
    reminders = [
        (subject, text) for subject, text in told(server) if "Nothing is filed" in text and "Reply with" in text
    ]
    assert len(reminders) == 2 and {subject for subject, _ in reminders} == {"Turn 1 waits for your orders"}
    assert all(
        "You can still file orders: turn 1 waits for players who filed nothing." in text for _, text in reminders
    )


def test_only_the_newest_of_several_moves_of_a_deadline_is_told(tally: Campaign, server: Server) -> None:
    late_server(tally, server)
    for _ in range(2):
        tally.mail("gwen", "", "extend 1d")
        fails(tally, tally.now + HOUR)
    server.down, server.got[:] = False, []
    tally.run(at=tally.now + HOUR)
    moved = [subject for subject, _ in told(server) if "now due" in subject]
    assert moved == ["Turn 1 is now due on Sunday 6 December 2026, 18:00 (UTC)"] * 2
    assert not [subject for subject, _ in told(server) if "is due in" in subject], (
        "the reminder was of another deadline"
    )


def test_a_deadline_that_goes_to_and_fro_is_told_each_time(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run(at=FRIDAY - 5 * DAY)
    for hours, word in enumerate(("extend 1d", "extend back", "extend 1d", "extend back"), 1):
        tally.mail("gwen", "", word)
        tally.run(at=FRIDAY - 5 * DAY + hours * HOUR)
    days = [
        subject.partition("due on ")[2][:10]
        for (to, _), (subject, _) in zip(server.got, told(server), strict=True)
        if "now due" in subject and to.startswith("ann")
    ]
    assert days == ["Saturday 5", "Friday 4 D", "Saturday 5", "Friday 4 D"]


def test_a_move_whose_new_deadline_has_passed_says_so(tally: Campaign, server: Server) -> None:
    late_server(tally, server, "missing_orders: hold\n")
    tally.mail("gwen", "", "extend 1d")
    fails(tally, FRIDAY - DAY)
    fails(tally, FRIDAY + 3 * DAY)
    server.down, server.got[:] = False, []
    tally.run(at=FRIDAY + 9 * DAY)
    moved = {subject for subject, _ in told(server) if "Saturday 5" in subject}
    assert moved == {"Turn 1 was due on Saturday 5 December 2026, 18:00 (UTC)"}


def test_a_report_that_goes_out_after_the_next_turn_asks_for_nothing(tally: Campaign, server: Server) -> None:
    late_server(tally, server)
    tally.run("--yes", command="turn")
    tally.run("--yes", command="turn", at=FRIDAY + 7 * DAY)
    fails(tally, FRIDAY + 7 * DAY + HOUR)
    tally.run("--yes", command="turn", at=FRIDAY + 8 * DAY)
    server.down, server.got[:] = False, []
    tally.run(at=FRIDAY + 9 * DAY)
    older = [text for subject, text in told(server) if subject == "Report of turn 2"]
    newest = [text for subject, text in told(server) if subject == "Report of turn 3"]
    assert len(older) == len(newest) == 2
    for text in older:
        assert text.startswith("Turn 3 is played already; its report comes in a mail of its own.")
        assert "Orders for" not in text and "turn 4" not in text and "write your orders" not in text
    assert all("Orders for turn 4 are due" in text for text in newest)


def test_that_the_campaign_could_not_go_on_is_not_told_once_it_does(tally: Campaign, server: Server) -> None:
    late_server(tally, server)
    good = (tally.folder / "campaign.yaml").read_text()
    (tally.folder / "turns/0000/state.json").rename(tally.folder / "state.json")
    tally.now = FRIDAY + HOUR
    assert main(["run", str(tally.folder)]) in (1, 4)
    assert any("fails" in mail for mail in Journal(tally.folder / "mail").mails)
    (tally.folder / "state.json").rename(tally.folder / "turns/0000/state.json")
    assert good == (tally.folder / "campaign.yaml").read_text()
    server.down, server.got[:] = False, []
    tally.run(at=FRIDAY + 2 * HOUR)
    assert server.got and not server.ids("fails")


def test_what_a_server_may_have_stays_as_it_is_for_a_day_and_no_longer(tally: Campaign, server: Server) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    take = server.hand_over

    def breaks(*_: object) -> None:
        raise smtp.Unreachable("It broke off.")

    server.hand_over = smtp.hand_over = breaks  # type: ignore[method-assign]
    fails(tally, FRIDAY - 5 * DAY)
    fails(tally, FRIDAY - 5 * DAY + HOUR)
    smtp.hand_over = take
    first = FRIDAY - 5 * DAY + 2 * HOUR
    said = {"within a day": "in 5 days", "later": "in 2 days"}
    (waits,) = [one for one in (tally.folder / "mail/outbox").iterdir() if "report-0000-ann" in one.name]
    assert said["within a day"] in waits.read_text()
    tally.run(at=first + 2 * DAY + 20 * HOUR)
    (report,) = [
        text
        for (to, _), (subject, text) in zip(server.got, told(server), strict=True)
        if to.startswith("ann") and "Report" in subject
    ]
    assert said["later"] in report and said["within a day"] not in report


# --- the mails about new dice are what players hold


def reseeded(tally: Campaign) -> Campaign:
    """The commitments to turn 1 by another seed were mailed, and turn 1 is due."""
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    tally.run(command="reseed", at=FRIDAY - HOUR)
    tally.run()
    tally.now = FRIDAY + HOUR
    return tally


@pytest.mark.parametrize("change", ["campaign.yaml", "campaign.yaml and promises", "all but the mails"])
def test_dice_other_than_those_that_were_mailed_last_are_not_played(
    tally: Campaign, server: Server, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    reseeded(tally)
    folder, journal = tally.folder, tally.folder / "mail/journal.jsonl"
    write(folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    if change != "campaign.yaml":
        shutil.rmtree(folder / "promises")
    if change == "all but the mails":
        lines = [line for line in journal.read_text().splitlines(True) if '"seed-0001' not in line]
        journal.write_text("".join(lines))
    for words in (["run"], ["turn", "--yes"]):
        capsys.readouterr()
        assert main([words[0], str(folder), *words[1:]]) == 1 and not (folder / "turns/0001").exists()
        assert "`kingdom reseed" in capsys.readouterr().err
    server.got.clear()
    tally.run(command="reseed")
    tally.run()
    assert (folder / "turns/0001").exists() and len(server.to("seed-0001")) == 3, "the cure"


def test_what_was_mailed_is_promised_though_our_own_file_of_it_is_gone(tally: Campaign, server: Server) -> None:
    reseeded(tally)
    shutil.rmtree(tally.folder / "promises")
    tally.run()
    assert (tally.folder / "turns/0001").exists()


def test_a_promise_that_was_rewritten_with_the_seed_is_not_what_was_mailed(tally: Campaign, server: Server) -> None:
    """A reopened turn's mails have no digits of the seed in their names; their text has."""
    reopened_late(tally)
    tally.now = FRIDAY + 3 * HOUR
    server.down = False
    campaign = open_campaign(tally.folder)
    following.follow(campaign, journal_of(campaign, tally.now), tally.now)
    assert main(["mail", "send", str(tally.folder)]) == 0 and len(server.to("reopened-0001")) == 3
    file = tally.folder / "promises/0001-1.json"
    old, new = "public, this is a test", "another seed, as public"
    text = (tally.folder / "campaign.yaml").read_text()
    write(tally.folder, "campaign.yaml", text.replace(f"seed: {old}", f"seed: {new}\nold_seeds: {{0: '{old}'}}"))
    made = file.read_text()
    for seat in ("ann", "bob", "gm"):
        made = made.replace(commitment_of(key_of(old, 1, seat, 2)), commitment_of(key_of(new, 1, seat, 2)))
    file.write_text(made)
    assert main(["turn", "--yes", str(tally.folder)]) == 1 and not (tally.folder / "turns/0001").exists()
