"""Mail over a real Dovecot and a real SMTP server, where all goes well; test_faults.py has what goes wrong."""

from __future__ import annotations

import json
import os
import smtplib
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import clock
from kingdom.cli.main import main
from kingdom.mail.incoming import taking
from kingdom.mail.journal import journal_of
from kingdom.mail.outgoing import outbox
from kingdom.mail.records import Letter
from kingdom.mail.servers import imap
from kingdom.mail.servers.sources import Maildir, grouped
from tests.kit.mailservers import PASSWORD, VARIABLE, Dovecot, Mailbox, Postbox, campaign, from_a_machine, orders

MOST_COMMANDS = 30  # for a thousand messages
NOW = datetime(2026, 11, 21, 13, 0, tzinfo=UTC)
needs_openssl = pytest.mark.package("openssl", "openssl")


@pytest.fixture(autouse=True)
def known(authority, monkeypatch: pytest.MonkeyPatch) -> None:
    """The password is in the environment, and the certificates are trusted."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv(VARIABLE, PASSWORD)
    monkeypatch.setattr(clock, "now", lambda: NOW)


pytestmark = [
    needs_openssl,
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]  # aiosmtpd sees no TLS that was there from the start


def fetched(folder: Path, capsys: Any, *words: str) -> list[dict[str, Any]]:
    """What `kingdom mail fetch --json` says."""
    capsys.readouterr()
    assert main(["mail", "fetch", str(folder), "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)


def fates(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(row["from"].partition("@")[0], row["outcome"]) for row in rows]


def handled(folder: Path) -> list[dict[str, Any]]:
    """The lines of the journal for what was handled."""
    return [entry for entry in entries(folder) if entry["event"] == "handled"]


def entries(folder: Path) -> list[dict[str, Any]]:
    file = folder / "mail" / "journal.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def names(folder: Path, place: str) -> list[str]:
    """The files of a folder under mail/."""
    there = folder / "mail" / place
    return sorted(os.listdir(there)) if there.exists() else []


ANN, BOB, AWAY = orders("ann"), orders("bob", "tak: 1"), from_a_machine(1)


# --- out of a mailbox ----------------------------------------------------------------------------------------------------


@pytest.mark.package("dovecot-imapd", "dovecot")
class TestImap:
    """Orders out of a mailbox in Dovecot."""

    @pytest.mark.parametrize("tls", ["implicit", "starttls", "none"])
    def test_mail_is_taken_and_moved_by_its_fate(self, tls: str, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        box = dovecot.mailbox()
        folder = campaign(tmp_path / "game", box.server(tls))
        box.deliver(ANN, BOB, AWAY)
        assert fates(fetched(folder, capsys)) == [("ann", "accepted"), ("bob", "refused"), ("bot", "ignored")]
        assert (box.messages(), box.messages("Processed"), box.messages("Refused")) == ([], sorted([ANN, AWAY]), [BOB])
        assert len(names(folder, "outbox")) == 2
        assert fetched(folder, capsys) == []

    @pytest.mark.parametrize(
        "settings",
        [
            pytest.param({}, id="MOVE"),
            pytest.param({"imap_capability": "IMAP4rev1"}, id="neither MOVE nor UIDPLUS", marks=pytest.mark.long),
        ],
    )
    def test_a_thousand_messages_take_thirty_commands(
        self, settings: dict[str, str], dovecot: Dovecot, tmp_path: Path, capsys
    ) -> None:
        box = dovecot.mailbox(**settings)
        folder = campaign(tmp_path / "game", box.server())
        messages = [from_a_machine(number) for number in range(998)] + [ANN, BOB]
        box.deliver(*messages)
        assert len(fetched(folder, capsys)) == 1000
        before_login = 2  # CAPABILITY and LOGIN, which another process of the server takes
        assert 5 < len(box.commands()) + before_login <= MOST_COMMANDS, box.commands()
        assert box.messages() == [] and box.messages("Refused") == [BOB]
        assert box.messages("Processed") == sorted(set(messages) - {BOB})

    @pytest.mark.parametrize("capabilities", ["IMAP4rev1", "IMAP4rev1 UIDPLUS"])
    def test_without_move_a_message_is_copied_and_deleted(
        self, capabilities: str, dovecot: Dovecot, tmp_path: Path, capsys
    ) -> None:
        box = dovecot.mailbox(imap_capability=capabilities.replace(" ", "\\ "))
        folder = campaign(tmp_path / "game", box.server())
        box.deliver(ANN, BOB)
        assert len(fetched(folder, capsys)) == 2
        assert (box.messages(), box.messages("Processed"), box.messages("Refused")) == ([], [ANN], [BOB])
        assert not any("MOVE" in command for command in box.commands())

    def test_a_message_over_the_limit_lies_byte_for_byte_and_is_refused(
        self, dovecot: Dovecot, tmp_path: Path, capsys
    ) -> None:
        box = dovecot.mailbox()
        folder = campaign(tmp_path / "game", box.server())
        huge = orders("ann", "take: 1\r\n" + ("#" * 998 + "\r\n") * 26_500)
        assert len(huge) > 25 << 20
        box.deliver(huge, BOB)
        first, second = fetched(folder, capsys)
        assert (first["outcome"], second["outcome"]) == ("refused", "refused")
        assert "27 MB; at most 25 MB" in first["reason"] or "26 MB; at most 25 MB" in first["reason"]
        assert huge in [(folder / "mail" / "refused" / name).read_bytes() for name in names(folder, "refused")]
        assert box.messages("Refused") == sorted([huge, BOB])

    def test_what_was_read_already_is_taken_and_what_is_marked_as_deleted_is_not(
        self, dovecot: Dovecot, tmp_path: Path, capsys
    ) -> None:
        box = dovecot.mailbox()
        folder = campaign(tmp_path / "game", box.server())
        box.deliver(ANN, BOB)
        with box.client() as other:
            other.select_folder("INBOX")
            other.add_flags(1, ["\\Seen", "\\Flagged"])
            other.delete_messages(2)
        assert fates(fetched(folder, capsys)) == [("ann", "accepted")]
        with box.client() as other:
            other.select_folder("INBOX")
            assert other.search() == [2]
            other.select_folder("Processed")
            assert {b"\\Seen", b"\\Flagged"} <= set(other.get_flags([1])[1])

    def test_another_program_deletes_a_message_meanwhile(
        self, dovecot: Dovecot, tmp_path: Path, capsys, monkeypatch
    ) -> None:
        box = dovecot.mailbox()
        folder = campaign(tmp_path / "game", box.server())
        box.deliver(ANN, BOB, AWAY)
        bodies = imap.Mailbox._bodies

        def late(self: Any, uids: list[int]) -> Any:
            if any(b"<bob@" in message for message in box.messages()):
                with box.client() as other:
                    other.select_folder("INBOX")
                    other.delete_messages(2)
                    other.expunge()
            return bodies(self, uids)

        monkeypatch.setattr(imap.Mailbox, "_bodies", late)
        assert fates(fetched(folder, capsys)) == [("ann", "accepted"), ("bot", "ignored")]
        assert box.messages() == [] and box.messages("Processed") == sorted([ANN, AWAY])

    def test_another_program_deletes_a_message_before_it_is_moved(
        self, dovecot: Dovecot, tmp_path: Path, capsys, monkeypatch
    ) -> None:
        box = dovecot.mailbox()
        folder = campaign(tmp_path / "game", box.server())
        box.deliver(ANN, AWAY)
        done = imap.Mailbox.done

        def late(self: Any, *places: Any) -> None:
            with box.client() as other:
                other.select_folder("INBOX")
                other.delete_messages(1)
                other.expunge()
            done(self, *places)

        monkeypatch.setattr(imap.Mailbox, "done", late)
        assert fates(fetched(folder, capsys)) == [("ann", "accepted"), ("bot", "ignored")]
        assert box.messages() == [] and box.messages("Processed") == [AWAY]

    def test_what_players_answered_is_found_in_the_folder_of_mail_that_was_taken(
        self, dovecot: Dovecot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        box = dovecot.mailbox()
        assert imap.answers_to(box.server(), "report-0003-") == [], "there is no such folder yet"
        ours = [
            "report-0003-ann-0123abcd.0123456789abcdef@example.org",
            "report-0004-ann-0123abcd.0123456789abcdef@example.org",
        ]
        heads = [
            f"In-Reply-To: <{ours[0]}>",
            f"References: <1@example.org>\r\n <{ours[0]}>",
            f"References: <{ours[1]}>",
        ]
        box.deliver(*(head.encode() + b"\r\n" + orders("ann") for head in heads), orders("ann"))
        assert main(["mail", "fetch", str(campaign(tmp_path / "game", box.server()))]) == 0
        assert imap.answers_to(box.server(), "report-0003-", (datetime.now(UTC) + timedelta(days=2)).date()) == []
        moved = imap.answers_to(box.server(processed="Refused"), "report-0003-") + imap.answers_to(
            box.server(), "report-0003-"
        )
        assert [text.count(ours[0]) for text in moved] == [1, 1] and not any(ours[1] in text for text in moved)

    def test_a_server_whose_folders_lie_below_the_inbox(self, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        box = dovecot.mailbox(namespace__inbox__prefix="INBOX.")
        folder = campaign(tmp_path / "game", box.server())
        box.deliver(ANN, BOB)
        assert len(fetched(folder, capsys)) == 2
        assert (box.messages(), box.messages("Processed"), box.messages("Refused")) == ([], [ANN], [BOB])
        with box.client() as other:
            assert other.folder_exists("INBOX.Processed")

    def test_folders_of_other_names(self, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        box = dovecot.mailbox()
        with box.client() as other:
            other.create_folder("Züge & mehr")
            other.append("Züge & mehr", ANN)
            other.append("Züge & mehr", BOB)
        folder = campaign(
            tmp_path / "game", box.server(folder="Züge & mehr", processed="Erledigt", refused='Nicht "so"')
        )
        assert len(fetched(folder, capsys)) == 2
        with box.client() as other:
            assert [
                other.folder_status(name, ["MESSAGES"])[b"MESSAGES"]
                for name in ("Züge & mehr", "Erledigt", 'Nicht "so"')
            ] == [0, 1, 1]
            assert "Erledigt" in [name for _, _, name in other.list_sub_folders()]

    @pytest.mark.parametrize("change", ["none", "UIDVALIDITY"])
    def test_what_a_killed_run_handled_and_did_not_move_is_moved_and_not_told_again(
        self, change: str, dovecot: Dovecot, tmp_path: Path, capsys, monkeypatch
    ) -> None:
        box = dovecot.mailbox()
        folder = campaign(tmp_path / "game", box.server())
        box.deliver(ANN, BOB)
        with monkeypatch.context() as patch:
            patch.setattr(imap.Mailbox, "done", killed)
            with pytest.raises(KeyboardInterrupt):
                taken(folder)
        assert len(handled(folder)) == 2 and len(box.messages()) == 2
        if change == "UIDVALIDITY":
            before = valid(box)
            for file in (box.home / "Maildir").glob("dovecot*"):
                file.unlink()
            with box.client() as other:
                other.select_folder("INBOX")
            (box.home / "Maildir" / "dovecot-uidlist").write_text("3 V77 N1 Gabcdefabcdefabcdefabcdefabcdefab\n")
            for file in (box.home / "Maildir").glob("dovecot.index*"):
                file.unlink()
            assert valid(box) != before
        rows = fetched(folder, capsys)
        assert rows == [] if change == "none" else {row["outcome"] for row in rows} == {"duplicate"}
        assert (box.messages(), box.messages("Processed"), box.messages("Refused")) == ([], [ANN], [BOB])
        assert len(handled(folder)) == 2 and len(names(folder, "outbox")) == 2

    def test_two_copies_are_one_message(self, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        box = dovecot.mailbox()
        folder = campaign(tmp_path / "game", box.server())
        box.deliver(ANN, ANN)
        assert fates(fetched(folder, capsys)) == [("ann", "accepted"), ("ann", "duplicate")]
        assert box.messages() == [] and len(box.messages("Processed")) == 2
        assert len(names(folder, "outbox")) == 1


def killed(*_: Any) -> None:
    raise KeyboardInterrupt


def taken(folder: Path) -> None:
    """Fetch as the command does, and let what stops it through."""
    from kingdom.campaign.campaign import open_campaign
    from kingdom.cli.commands.mail import source_of

    opened = open_campaign(folder)
    journal = journal_of(opened)
    taking.take(opened, journal, source_of(opened, journal, None), NOW)


def valid(box: Mailbox) -> int:
    with box.client() as other:
        return other.select_folder("INBOX")[b"UIDVALIDITY"]


# --- without a server ----------------------------------------------------------------------------------------------------


def maildir(place: Path, files: dict[str, bytes]) -> Path:
    for part in ("new", "cur", "tmp"):
        (place / part).mkdir(parents=True)
    for name, data in files.items():
        (place / name).write_bytes(data)
    return place


def all_files(place: Path) -> list[str]:
    return sorted(
        str(file.relative_to(place)) for file in place.rglob("*") if file.is_file() and file.name != "maildirfolder"
    )


def test_a_maildir(tmp_path: Path, capsys) -> None:
    """Seen or not, mail is taken; what is half written or marked as deleted is not, nor are the flags lost."""
    box = maildir(tmp_path / "Maildir", {
        "new/1001.M1.host": ANN, "cur/1000.M2.host,S=99:2,FS": BOB, "cur/1002.M3.host:2,": AWAY,
        "tmp/1003.M4.host": orders("cyn"), "cur/1004.M5.host:2,ST": orders("cyn"),
    })  # fmt: skip
    folder = campaign(tmp_path / "game")
    assert fates(fetched(folder, capsys, "--from", str(box))) == [
        ("bob", "refused"),
        ("ann", "accepted"),
        ("bot", "ignored"),
    ]
    assert all_files(box) == [
        ".Processed/cur/1001.M1.host:2,S", ".Processed/cur/1002.M3.host:2,S", ".Refused/cur/1000.M2.host,S=99:2,FS",
        "cur/1004.M5.host:2,ST", "tmp/1003.M4.host",
    ]  # fmt: skip
    assert fetched(folder, capsys, "--from", str(box)) == []


def test_the_number_that_a_sync_tool_gave_a_message_leaves_its_name(tmp_path: Path, capsys) -> None:
    """It counts in the folder that the message leaves: with it mbsync 1.4 refuses the other folder for good."""
    box = maildir(tmp_path / "Maildir", {
        "cur/1795853492.18454_1.vm,U=3:2,": ANN, "cur/1000.M2.host,S=99,U=4,W=120:2,F": BOB, "new/1002.M3.host,U=5,FMD5=7e33429f656f1e6e9d79b29c3f82c57e": AWAY,
    })  # fmt: skip
    fetched(campaign(tmp_path / "game"), capsys, "--from", str(box))
    assert all_files(box) == [
        ".Processed/cur/1002.M3.host:2,S", ".Processed/cur/1795853492.18454_1.vm:2,S", ".Refused/cur/1000.M2.host,S=99,W=120:2,FS",
    ]  # fmt: skip


def test_another_program_marks_and_takes_away_messages_of_a_maildir_meanwhile(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir", {"new/1.host": ANN, "new/2.host": BOB})
    source = Maildir(box)
    (batch,) = source.batches(50)
    (box / "new/1.host").rename(box / "cur/1.host:2,RS")
    (box / "new/2.host").unlink()
    source.done([one.place for one in batch], [])
    assert all_files(box) == [".Processed/cur/1.host:2,RS"]
    unstarted = source.batches(50)
    assert list(unstarted) == []


def test_a_folder_of_files_is_emptied_and_mail_inbox_keeps_its_own(tmp_path: Path, capsys) -> None:
    folder = campaign(tmp_path / "game")
    drop = folder / "mail" / "inbox"
    drop.mkdir(parents=True)
    (drop / "from Ann.EML").write_bytes(ANN)
    (drop / "notes.txt").write_bytes(b"not a mail")
    (drop / "older.eml").mkdir()
    assert fates(fetched(folder, capsys)) == [("ann", "accepted")]
    (kept,) = taking_digests(folder)
    assert names(folder, "inbox") == sorted([f"{kept}.eml", "notes.txt", "older.eml"])
    assert fetched(folder, capsys) == []


def taking_digests(folder: Path) -> list[str]:
    return [entry["message"] for entry in entries(folder) if entry["event"] == "taken"]


def test_batches_are_neither_too_many_nor_too_big() -> None:
    many = [(number, 10) for number in range(7)]
    assert [len(group) for group in grouped(many, 3)] == [3, 3, 1]
    big = [("a", 20 << 20), ("b", 20 << 20), ("c", 40 << 20), ("d", 1), ("e", 1)]
    assert list(grouped(big, 50)) == [["a"], ["b"], ["c"], ["d", "e"]]
    assert list(grouped([], 50)) == []


# --- into the world ------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["starttls", "implicit"])
def postbox(request: pytest.FixtureRequest, authority) -> Iterator[Postbox]:
    box = Postbox(authority, request.param)
    yield box
    box.stop()


@pytest.fixture
def starttls(authority) -> Iterator[Postbox]:
    box = Postbox(authority)
    yield box
    box.stop()


def queue(folder: Path, *seats: str, size: int = 10) -> list[str]:
    """Put a mail to each seat into the outbox; gives their ids."""
    from kingdom.campaign.campaign import open_campaign

    opened = open_campaign(folder)
    journal = journal_of(opened)
    ids = [f"report-{number:03}-{seat}" for number, seat in enumerate(seats)]
    for id, seat in zip(ids, seats, strict=True):
        data = f"From: orders@example.org\r\nTo: {seat}@example.org\r\nMessage-ID: <{id}@example.org>\r\n\r\n.{'x' * size}\r\n"
        outbox.queue(opened, journal, [Letter(id, "answer", seat, 1, f"{seat}@example.org", data.encode())], NOW)
    return ids


def outbox_of(folder: Path, number: int, seat: str) -> None:
    """Put one more mail to a seat into the outbox."""
    from kingdom.campaign.campaign import open_campaign

    opened, id = open_campaign(folder), f"report-{number:03}-{seat}"
    data = f"From: orders@example.org\r\nTo: {seat}@example.org\r\nMessage-ID: <{id}@example.org>\r\n\r\nx\r\n"
    outbox.queue(opened, journal_of(opened), [Letter(id, "answer", seat, 1, f"{seat}@example.org", data.encode())], NOW)


def send(folder: Path, capsys: Any, code: int = 0) -> str:
    """What `kingdom mail send` says."""
    capsys.readouterr()
    assert main(["mail", "send", str(folder)]) == code
    said = capsys.readouterr()
    return said.out + said.err


def to(box: Postbox) -> list[str]:
    return [mail.to[0].partition("@")[0] for mail in box.received]


class TestSmtp:
    """Letters to a server that takes or refuses them."""

    def test_all_that_waits_goes_over_one_connection(self, postbox: Postbox, tmp_path: Path, capsys) -> None:
        folder = campaign(tmp_path / "game", None, postbox.server())
        ids = queue(folder, *(f"p{number}" for number in range(100)))
        files = {id: (folder / "mail" / "outbox" / f"{id}.eml").read_bytes() for id in ids}
        assert "100 sent" in send(folder, capsys)
        assert postbox.connections == 1
        assert [mail.data for mail in postbox.received] == list(files.values())
        assert {mail.sender for mail in postbox.received} == {"orders@example.org"}
        assert names(folder, "outbox") == [] and names(folder, "sent") == sorted(f"{id}.eml" for id in ids)
        assert "0 sent" in send(folder, capsys) and postbox.connections == 1

    def test_what_is_refused_for_now_is_tried_again_after_growing_gaps(
        self, starttls: Postbox, tmp_path: Path, capsys, monkeypatch
    ) -> None:
        folder = campaign(tmp_path / "game", None, starttls.server())
        queue(folder, "ann", "bob", "cyn")
        starttls.answers["ann@example.org"] = "451 4.7.1 greylisted, come again"
        for minutes in (
            0,
            4,
            5,
            19,
            20,
            79,
            80,
            319,
            320,
            1039,
            1040,
            1759,
            1760,
        ):  # 5, 15, 60, 240, 720, 720 after the one before
            monkeypatch.setattr(clock, "now", lambda at=NOW + timedelta(minutes=minutes): at)
            tried = minutes % 10 == 0 or minutes == 5
            assert f"{int(tried)} to be tried again" in send(folder, capsys), minutes
            assert to(starttls) == ["bob", "cyn"]  # they did not wait
        starttls.answers.clear()
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=3))
        assert "1 sent" in send(folder, capsys)
        assert to(starttls) == ["bob", "cyn", "ann"] and names(folder, "outbox") == []

    @pytest.mark.parametrize("when", ["RCPT", "DATA"])
    def test_what_is_refused_for_good_is_not_tried_again(
        self, when: str, starttls: Postbox, tmp_path: Path, capsys, monkeypatch
    ) -> None:
        folder = campaign(tmp_path / "game", None, starttls.server())
        queue(folder, "ann", "bob")
        answers = starttls.answers if when == "RCPT" else starttls.data_answers
        answers["ann@example.org"] = "550 5.1.1 nobody of that name"
        assert "1 sent, 0 to be tried again, 1 refused" in send(folder, capsys)
        (entry,) = [entry for entry in entries(folder) if entry["event"] == "dropped"]
        assert (entry["mail"], entry["code"], entry["text"]) == ("report-000-ann", 550, "5.1.1 nobody of that name")
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=3))
        answers.clear()
        assert "0 sent" in send(folder, capsys) and to(starttls) == ["bob"]

    @pytest.mark.parametrize(("when", "answer", "code", "words"), [
        ("RCPT", "554 5.7.1 <{}>: Relay access denied", 5, "does not pass on what orders sends as orders@example.org (554 5.7.1 Relay access denied)"),
        ("RCPT", "454 4.7.1 <{}>: Relay access denied", 5, "(454 4.7.1 Relay access denied)"),
        ("RCPT", "553 5.7.1 <orders@example.org>: Sender address rejected: not owned by user orders", 5, "not owned by user orders"),
        ("DATA", "550 5.4.5 Daily user sending limit exceeded", 4, "takes no more mail from us for now (550 5.4.5 Daily user sending limit exceeded)"),
        ("DATA", "554 5.7.0 The limit on the number of allowed outgoing messages was exceeded. Try again later", 4, "takes no more mail"),
        ("RCPT", "552 5.2.2 sender quota exceeded", 4, "No player's address is at fault"),
    ])  # fmt: skip
    def test_a_refusal_that_speaks_of_us_drops_no_mail(
        self, when: str, answer: str, code: int, words: str, starttls: Postbox, tmp_path: Path, capsys, monkeypatch
    ) -> None:
        folder = campaign(tmp_path / "game", None, starttls.server())
        queue(folder, "ann", "bob", "cyn")
        answers = starttls.answers if when == "RCPT" else starttls.data_answers
        answers |= {f"{name}@example.org": answer.format(f"{name}@example.org") for name in ("ann", "bob", "cyn")}
        said = send(folder, capsys, code)
        assert "0 sent, 3 to be tried again, 0 refused for good." in said and said.count(words) == 1
        assert [entry for entry in entries(folder) if entry["event"] == "dropped"] == []
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=5))
        assert "0 sent, 1 to be tried again" in send(folder, capsys, code)  # one tells whether it is well again
        del answers["bob@example.org"]
        assert "1 sent, 1 to be tried again" in send(folder, capsys, code) and to(starttls) == [
            "bob"
        ]  # what was tried least goes first
        answers.clear()
        assert "2 sent, 0 to be tried again" in send(folder, capsys)
        assert sorted(to(starttls)) == ["ann", "bob", "cyn"]

    def test_a_mail_that_waited_for_our_sake_waits_no_longer_than_others_for_a_busy_server(
        self, starttls: Postbox, tmp_path: Path, capsys, monkeypatch
    ) -> None:
        folder = campaign(tmp_path / "game", None, starttls.server())
        queue(folder, "ann")
        starttls.answers["ann@example.org"] = "550 5.4.5 Daily sending quota exceeded"
        for _ in range(8):
            send(folder, capsys, 4)
        starttls.answers["ann@example.org"] = "451 4.7.1 greylisted, come again"
        assert "1 to be tried again" in send(folder, capsys)
        starttls.answers.clear()
        assert "0 sent" in send(folder, capsys)
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=5))
        assert "1 sent" in send(folder, capsys)

    def test_who_is_reached_gets_mail_though_others_are_refused_because_of_us(
        self, starttls: Postbox, tmp_path: Path, capsys
    ) -> None:
        """A server that delivers to its own people alone; and one that says so of one address stops no other, run after run."""
        folder = campaign(tmp_path / "game", None, starttls.server())
        queue(folder, "ann", "bob", "cyn")
        starttls.answers["ann@example.org"] = "554 5.7.1 Relay access denied"
        said = send(folder, capsys, 5)
        assert "2 sent, 1 to be tried again, 0 refused for good." in said and to(starttls) == ["bob", "cyn"]
        for number in (10, 11):
            outbox_of(folder, number, "bob")
            assert "1 sent, 1 to be tried again" in send(folder, capsys, 5)

    def test_a_server_that_refuses_us_is_not_asked_for_every_mail(
        self, starttls: Postbox, tmp_path: Path, capsys
    ) -> None:
        folder = campaign(tmp_path / "game", None, starttls.server())
        queue(folder, *(f"p{number}" for number in range(20)))
        starttls.data_answers |= {
            f"p{number}@example.org": "550 5.4.5 Daily sending quota exceeded" for number in range(20)
        }
        assert "0 sent, 3 to be tried again" in send(folder, capsys, 4)
        starttls.data_answers.clear()
        assert "20 sent" in send(folder, capsys)

    def test_the_run_says_so_once_tells_the_command_and_names_no_player(
        self, starttls: Postbox, tmp_path: Path, capsys, monkeypatch
    ) -> None:
        alerted = tmp_path / "alerted"
        folder = campaign(tmp_path / "game", None, starttls.server(), f"alert: tee -a {alerted}\n")
        names_ = ("ann", "bob", "cyn", "gm")
        starttls.answers |= {
            f"{name}@example.org": f"554 5.7.1 <{name}@example.org>: Relay access denied" for name in names_
        }
        for minutes in (0, 5, 10):
            monkeypatch.setattr(clock, "now", lambda at=NOW + timedelta(minutes=minutes): at)
            capsys.readouterr()
            assert main(["run", str(folder)]) == 5
            assert capsys.readouterr().err.count("Relay access denied") == 1
        assert alerted.read_text().count("Relay access denied") == 1 and "@elsewhere" not in alerted.read_text()
        assert len([entry for entry in entries(folder) if entry["event"] == "server"]) == 1
        main(["status", str(folder)])
        status = " ".join(capsys.readouterr().out.split())
        assert "can't be reached" not in status and "Trouble with the SMTP server since" in status
        starttls.answers.clear()
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=15))
        assert main(["run", str(folder)]) == 0
        assert sorted(to(starttls)) == sorted(names_) and "better address" not in capsys.readouterr().out
        main(["status", str(folder)])
        assert "SMTP" not in capsys.readouterr().out

    def test_a_server_that_works_again_for_mail_send_is_named_no_more(
        self, starttls: Postbox, tmp_path: Path, capsys
    ) -> None:
        folder = campaign(tmp_path / "game", None, starttls.server())
        starttls.sender_answer = "553 5.7.1 not your address"
        assert main(["run", str(folder)]) == 5
        starttls.sender_answer = ""
        assert "4 sent" in send(folder, capsys)
        main(["status", str(folder)])
        assert "SMTP" not in capsys.readouterr().out

    def test_a_mail_too_big_for_the_server_stops_no_other(self, starttls: Postbox, tmp_path: Path, capsys) -> None:
        folder = campaign(tmp_path / "game", None, starttls.server())
        queue(folder, "ann", size=2 << 20)
        queue(folder, "bob", "cyn")
        assert "2 sent, 0 to be tried again, 1 refused" in send(folder, capsys)

    def test_a_server_that_will_not_let_us_send_as_that_address_drops_nothing(
        self, starttls: Postbox, tmp_path: Path, capsys
    ) -> None:
        folder = campaign(tmp_path / "game", None, starttls.server())
        queue(folder, "ann", "bob")
        starttls.sender_answer = "553 5.7.1 not your address"
        said = send(folder, capsys, 5)
        assert said == (
            "The SMTP server localhost does not let orders send as orders@example.org (553 5.7.1 not your address). As `address` write "
            "one that this account may send from. No player's address is at fault, and nothing is lost: the mails wait, and each run tries again.\n"
        )
        starttls.sender_answer = ""
        assert "2 sent" in send(folder, capsys)

    def test_a_mail_that_somebody_took_out_of_the_outbox(self, starttls: Postbox, tmp_path: Path, capsys) -> None:
        folder = campaign(tmp_path / "game", None, starttls.server())
        first, _ = queue(folder, "ann", "bob")
        (folder / "mail" / "outbox" / f"{first}.eml").unlink()
        assert "1 sent" in send(folder, capsys)
        assert to(starttls) == ["bob"]
        assert "0 sent" in send(folder, capsys)


# --- the whole way -------------------------------------------------------------------------------------------------------

FRIDAY = datetime(2026, 12, 4, 18, 0, tzinfo=UTC)  # the deadline of turn 1
CALENDAR = "calendar: {deadline: 2026-12-04T18:00, zone: UTC, every: 7d}\n"
TAKES = {1: {"ann": 1, "bob": 2, "cyn": 3}, 2: {"ann": 3, "bob": 1, "cyn": 2}}  # coins, in each turn


@pytest.mark.package("dovecot-imapd", "dovecot")
class TestTwoWeeks:
    """Three players and the GM with mailboxes of their own: they press Reply, and `kingdom run` does the rest."""

    @pytest.fixture(autouse=True)
    def servers(self, dovecot: Dovecot, starttls: Postbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = FRIDAY - timedelta(days=5)
        monkeypatch.setattr(clock, "now", lambda: self.now)
        self.post, self.boxes = starttls, {name: dovecot.mailbox() for name in ("orders", "ann", "bob", "cyn", "gm")}
        starttls.boxes = {f"{name}@example.org": box for name, box in self.boxes.items()}
        self.folder = campaign(tmp_path / "game", self.boxes["orders"].server("starttls"), starttls.server(), CALENDAR)

    def run(self, days: float) -> None:
        """`kingdom run`, as cron does it, so many days later."""
        self.now += timedelta(days=days)
        assert main(["run", str(self.folder)]) == 0

    def mails(self, name: str, kind: str) -> list[EmailMessage]:
        """What came to that person, by the beginning of its Message-ID."""
        there = [message_from_bytes(data, policy=policy.SMTP) for data in self.boxes[name].messages()]
        return [mail for mail in there if mail["Message-ID"].startswith(f"<{kind}")]

    def reply(self, name: str, to: EmailMessage, text: str) -> EmailMessage:
        """Press Reply, type above the quote, and send."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = f"{name}@example.org", to["Reply-To"], f"Re: {to['Subject']}"
        mail["Date"], mail["Message-ID"], mail["In-Reply-To"] = (
            format_datetime(self.now),
            f"<{name}-{self.now:%j%H}@there>",
            to["Message-ID"],
        )
        quoted = to.get_body(("plain",)).get_content().splitlines()
        mail.set_content(f"{text}\n\nOn Monday the campaign wrote:\n" + "".join(f"> {line}\n" for line in quoted))
        with smtplib.SMTP("localhost", self.post.port, "[127.0.0.1]") as connection:
            connection.starttls(context=ssl.create_default_context())
            connection.login("orders", PASSWORD)
            connection.send_message(mail)
        return mail

    def test_mail_goes_in_by_smtp_and_out_by_imap(self) -> None:
        self.run(0)
        for turn, takes in TAKES.items():
            for name, coins in takes.items():
                report = self.mails(name, f"report-{turn - 1:04}")
                assert len(report) == 1, (name, turn)
                sent = self.reply(name, report[0], f"take: {coins}")
                self.run(1 / 24)
                (answer,) = [mail for mail in self.mails(name, "answer") if mail["In-Reply-To"] == sent["Message-ID"]]
                assert (
                    answer["Auto-Submitted"] == "auto-replied"
                    and f"take: {coins}" in answer.get_body(("plain",)).get_content()
                )
            self.run(7)
        assert sorted(os.listdir(self.folder / "turns"))[-1] == "0002"
        for name in ("ann", "bob", "cyn"):
            assert len(self.mails(name, "report")) == 3 and len(self.mails(name, "answer")) == 2
        filed = {path.stem: path.read_text() for path in (self.folder / "turns" / "0002" / "orders").glob("*.yaml")}
        assert all(f"take: {coins}" in filed[name] for name, coins in TAKES[2].items())
        orders = self.boxes["orders"]
        assert orders.messages() == [] and len(orders.messages("Processed")) == 6 and orders.messages("Refused") == []
        assert names(self.folder, "outbox") == []
        ids = [message_from_bytes(mail.data)["Message-ID"] for mail in self.post.received]
        assert len(ids) == len(set(ids))
        before = len(ids)
        self.run(0)
        assert len(self.post.received) == before
