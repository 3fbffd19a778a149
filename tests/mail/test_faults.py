"""What fails on the way to a mail server and back: after each fault, and a run without it, every message was taken once and
each mail sent once, but for the one doubtful case: the server took a mail and its word of that was lost.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from kingdom.campaign import clock
from kingdom.campaign.campaign import open_campaign
from kingdom.campaign.settings import Server
from kingdom.cli.main import main
from kingdom.mail.incoming.taking import Incoming
from kingdom.mail.journal import Journal
from kingdom.mail.servers import connection, smtp
from kingdom.mail.week import Week
from tests.campaign.test_crash import CHANGES, Calls, Killed
from tests.kit.mailservers import (
    NAME,
    PASSWORD,
    VARIABLE,
    Authority,
    Dovecot,
    Line,
    Mailbox,
    Postbox,
    Proxy,
    Talker,
    campaign,
    free_port,
    from_a_machine,
    orders,
)  # fmt: skip
from tests.mail.test_servers import NOW, entries, handled, names, queue

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),  # aiosmtpd sees no TLS that was there from the start
]
needs_dovecot = pytest.mark.package("dovecot-imapd", "dovecot")
UNREACHABLE, DENIED = 4, 5
MESSAGES = [
    orders("ann"),
    orders("bob", "tak: 1"),
    orders("cyn", "take: 2"),
    from_a_machine(1),
    orders("stranger"),
    orders("ann", id="ann"),
]
ACCEPTED, REFUSED = 2, 2  # ann and cyn; bob and the stranger. The machine's is ignored; the last is a copy of the first
ANSWERED = 3


@pytest.fixture(autouse=True)
def known(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    """The password is in the environment, and the certificates are trusted."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv(VARIABLE, PASSWORD)
    monkeypatch.setattr(clock, "now", lambda: NOW)


def run(folder: Path, action: str) -> int:
    return main(["mail", action, str(folder)])


def said(folder: Path, action: str, capsys: Any, code: int) -> str:
    """What it says on standard error: one sentence, without the password."""
    capsys.readouterr()
    assert run(folder, action) == code
    out = capsys.readouterr()
    assert out.err.count("\n") == 1 and "Traceback" not in out.err, out.err
    assert_no_password(folder, out.out + out.err)
    return out.err.strip()


def assert_no_password(folder: Path, text: str) -> None:
    files = [file.read_bytes() for file in (folder / "mail").rglob("*") if file.is_file()]
    assert PASSWORD not in text and not any(PASSWORD.encode() in data for data in files)


def sample(calls: int, every: bool) -> list[int]:
    """All from 1 to that number, or a few of them."""
    step = 1 if every else max(calls // 3, 1)
    return sorted({*range(1, calls + 1, step), calls})


SAMPLES = [pytest.param(False, id="a sample"), pytest.param(True, id="every one", marks=pytest.mark.long)]


# --- the connection drops ------------------------------------------------------------------------------------------------


def assert_taken_once(folder: Path, box: Mailbox) -> None:
    """Each message was handled once, answered once, and lies where it belongs."""
    lines = handled(folder)
    assert len(lines) == len({line["message"] for line in lines}) == len(set(MESSAGES))
    outcomes = [line["outcome"] for line in lines]
    assert (outcomes.count("accepted"), outcomes.count("refused")) == (ACCEPTED, REFUSED)
    queued: list[str] = []
    for entry in entries(folder):
        if entry["event"] == "queued":
            queued.append(entry["mail"])
        elif entry["event"] == "withdrawn":  # it said what the disk refused then, so it was made again
            queued.remove(entry["mail"])
    assert len(queued) == len(set(queued)) == ANSWERED == len(names(folder, "outbox"))
    assert (folder / "orders" / "0001" / "ann.yaml").exists() and (folder / "orders" / "0001" / "cyn.yaml").exists()
    kept = {
        (folder / "mail" / place / name).read_bytes() for place in ("inbox", "refused") for name in names(folder, place)
    }
    assert kept == set(MESSAGES)
    assert box.messages() == []
    assert set(box.messages("Processed")) | set(box.messages("Refused")) == set(MESSAGES)


@needs_dovecot
class TestFetching:
    """Between the program and Dovecot."""

    def game(self, dovecot: Dovecot, folder: Path, **settings: str) -> tuple[Mailbox, Path]:
        box = dovecot.mailbox(**settings)
        box.deliver(*MESSAGES)
        return box, campaign(folder, box.server())

    def through(self, box: Mailbox, folder: Path, authority: Authority, cut: Line) -> tuple[int, Proxy]:
        """Fetch through a proxy."""
        proxy = Proxy(box.dovecot.open, authority.context(), cut)
        text = (folder / "campaign.yaml").read_text()
        (folder / "campaign.yaml").write_text(text.replace(f'"port": {box.dovecot.implicit}', f'"port": {proxy.port}'))
        code = run(folder, "fetch")
        (folder / "campaign.yaml").write_text(text)
        proxy.stop()
        return code, proxy

    @pytest.mark.parametrize("every", SAMPLES)
    @pytest.mark.parametrize(
        "settings",
        [{}, pytest.param({"imap_capability": "IMAP4rev1"}, marks=pytest.mark.long)],
        ids=["MOVE", "no MOVE"],
    )
    @pytest.mark.parametrize("how", ["lost", "unanswered", "octets"])
    def test_the_connection_drops(
        self, how: str, settings: dict[str, str], every: bool, dovecot: Dovecot, authority: Authority, tmp_path: Path
    ) -> None:
        box, folder = self.game(dovecot, tmp_path / "whole", **settings)
        code, proxy = self.through(box, folder, authority, Line())
        assert code == 0
        assert_taken_once(folder, box)
        assert len(proxy.commands) > 10 and proxy.commands[-1].split()[1] == b"LOGOUT"
        octets = range(1, proxy.said, max(proxy.said // (60 if every else 3), 1))
        cuts = octets if how == "octets" else sample(len(proxy.commands), every)
        for number in cuts:
            box, folder = self.game(dovecot, tmp_path / f"cut-{number}", **settings)
            code, proxy = self.through(box, folder, authority, Line(**{how: number}))
            farewell = b"LOGOUT" in b"".join(proxy.commands[-1:])  # nobody minds when that is lost
            assert code == UNREACHABLE or (code == 0 and farewell), (how, number)
            assert run(folder, "fetch") == 0
            assert_taken_once(folder, box)
            copies = len(box.messages("Processed") + box.messages("Refused")) - len(MESSAGES)
            assert copies == 0 or (settings and copies < len(MESSAGES)), (how, number)  # COPY was done and not heard of

    @pytest.mark.parametrize("every", SAMPLES)
    def test_killed_at_any_write(self, every: bool, dovecot: Dovecot, tmp_path: Path, monkeypatch) -> None:
        box, folder = self.game(dovecot, tmp_path / "counted")
        with pytest.MonkeyPatch.context() as patch:
            calls = Calls(patch, folder, CHANGES, at=0)
            assert run(folder, "fetch") == 0
        assert_taken_once(folder, box)
        for number in sample(calls.count, every):
            box, folder = self.game(dovecot, tmp_path / f"killed-{number}")
            with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
                Calls(patch, folder, CHANGES, at=number)
                run(folder, "fetch")
            assert run(folder, "fetch") == 0
            assert_taken_once(folder, box)

    @pytest.mark.parametrize("every", SAMPLES)
    def test_the_disk_refuses_a_write(self, every: bool, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        box, folder = self.game(dovecot, tmp_path / "counted")
        with pytest.MonkeyPatch.context() as patch:
            calls = Calls(patch, folder, CHANGES, at=0)
            assert run(folder, "fetch") == 0
        for number in sample(calls.count, every):
            box, folder = self.game(dovecot, tmp_path / f"refused-{number}")
            capsys.readouterr()
            with pytest.MonkeyPatch.context() as patch:
                Calls(patch, folder, CHANGES, at=number, refusal=errno.ENOSPC)
                code = run(folder, "fetch")
            told = capsys.readouterr().err
            assert code == 0 or (code == 1 and told.count("\n") == 1 and os.strerror(errno.ENOSPC) in told), told
            assert run(folder, "fetch") == 0
            assert_taken_once(folder, box)

    def test_the_mailbox_is_full(self, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        """Mail is taken all the same; it can't be moved, and is not taken again."""
        box, folder = self.game(dovecot, tmp_path / "game", imap_capability="IMAP4rev1", quota_rule="*:bytes=6000")
        with box.client() as other:
            other.create_folder("Holidays")
            other.append("Holidays", b"x" * 4500)
        capsys.readouterr()
        assert main(["mail", "fetch", str(folder), "--json"]) == UNREACHABLE
        assert len(json.loads(capsys.readouterr().out)) == len(MESSAGES)  # what was taken is told all the same
        for _ in range(2):
            told = said(folder, "fetch", capsys, UNREACHABLE)
            assert (
                told.startswith("All mail was taken, but the IMAP server localhost did not move it away: ")
                and "QUOTA" in told.upper()
            )
        assert len(handled(folder)) == len(set(MESSAGES)) and len(names(folder, "outbox")) == ANSWERED
        with box.client() as other:
            other.delete_folder("Holidays")
        assert run(folder, "fetch") == 0
        assert_taken_once(folder, box)

    @pytest.mark.parametrize("what", ["RFC822.SIZE", "BODY.PEEK[]"])
    def test_a_message_that_the_server_does_not_hand_out_stops_no_other(
        self, what: str, dovecot: Dovecot, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As a server does whose own copy is broken: it refuses each command that concerns that message."""
        from imapclient import IMAPClient
        from imapclient.exceptions import IMAPClientError

        fetch = IMAPClient.fetch

        def broken(self: Any, messages: list[int], data: list[str], modifiers: Any = None) -> Any:
            if 2 in messages and (what in data or "BODY.PEEK[]" in data):
                raise IMAPClientError("fetch failed: [SERVERBUG] it is broken")
            return fetch(self, messages, data, modifiers)

        box, folder = self.game(dovecot, tmp_path / "game")
        with monkeypatch.context() as patch:
            patch.setattr(IMAPClient, "fetch", broken)
            for _ in range(2):
                told = said(folder, "fetch", capsys, UNREACHABLE)
                assert (
                    told
                    == "The IMAP server localhost does not hand out a message: fetch failed: [SERVERBUG] it is broken."
                )
                assert len(handled(folder)) == len(set(MESSAGES)) - 1
        assert run(folder, "fetch") == 0
        assert_taken_once(folder, box)

    def test_a_folder_that_is_not_there(self, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        box = dovecot.mailbox()
        folder = campaign(tmp_path / "game", box.server(folder="Ordres"))
        assert "Mailbox doesn't exist: Ordres" in said(folder, "fetch", capsys, UNREACHABLE)


@pytest.mark.parametrize(
    "error, all_taken", [(connection.Unmoved, True), (connection.Unreachable, False), (connection.Denied, False)]
)
def test_a_turn_waits_for_mail_that_was_not_taken_and_for_no_other(
    error: type[Exception], all_taken: bool, tmp_path: Path
) -> None:
    """A full mailbox holds up no turn: nothing that came in time is still on the server alone."""

    class Source:
        def batches(self, size: int) -> Iterator[list[Incoming]]:
            yield [Incoming("1", MESSAGES[0])]
            raise error("it broke")

        def done(self, places: Any, refused: Any) -> None:
            pass

    folder = campaign(tmp_path / "game")
    week = Week(open_campaign(folder), Journal(folder / "mail"), Source(), NOW)
    week.fetch()
    assert (week.fetched, str(week.error)) == (all_taken, "it broke")
    assert week.lines == ["ann@example.org: filed."]


class TestSending:
    """Between the program and an SMTP server."""

    def game(self, folder: Path, box: Postbox, port: int) -> Path:
        campaign(folder, None, box.server(port=port, tls="implicit"))
        queue(folder, "ann", "bob", "cyn")
        return folder

    @pytest.fixture
    def box(self, authority: Authority) -> Iterator[Postbox]:
        """It speaks no TLS, which the proxy does."""
        box = Postbox(authority, "none")
        yield box
        box.stop()

    @pytest.mark.parametrize("every", SAMPLES)
    @pytest.mark.parametrize("how", ["lost", "unanswered", "octets"])
    def test_the_connection_drops(
        self, how: str, every: bool, box: Postbox, authority: Authority, tmp_path: Path
    ) -> None:
        proxy = Proxy(box.port, authority.context())
        assert run(self.game(tmp_path / "whole", box, proxy.port), "send") == 0
        proxy.stop()
        assert len(box.received) == 3 and proxy.commands[-1].strip().upper() == b"QUIT"
        texts = [number for number, command in enumerate(proxy.commands, 1) if command.endswith(b"\r\n.\r\n")]
        assert len(texts) == 3
        octets = range(1, proxy.said, max(proxy.said // (40 if every else 3), 1))
        cuts = octets if how == "octets" else sorted({*sample(len(proxy.commands), every), texts[1]})
        doubtful = 0
        for number in cuts:
            box.received.clear()
            cut = Proxy(box.port, authority.context(), Line(**{how: number}))
            folder = self.game(tmp_path / f"cut-{number}", box, cut.port)
            code = run(folder, "send")
            assert code == UNREACHABLE or (code == 0 and len(cut.commands) >= texts[-1]), (how, number)
            cut.stop()
            whole = Proxy(box.port, authority.context())
            text = (folder / "campaign.yaml").read_text()
            (folder / "campaign.yaml").write_text(text.replace(f'"port": {cut.port}', f'"port": {whole.port}'))
            assert run(folder, "send") == 0
            whole.stop()
            twice = len(box.received) - 3
            doubtful += twice
            assert len({mail.data for mail in box.received}) == 3  # the same bytes, and so the same Message-ID
            assert twice == int(how == "unanswered" and number in texts) or (how == "octets" and twice in (0, 1)), (
                how,
                number,
            )
            assert names(folder, "outbox") == [] and len(names(folder, "sent")) == 3
        assert doubtful == (len(set(cuts) & set(texts)) if how == "unanswered" else doubtful if how == "octets" else 0)

    @pytest.mark.parametrize("every", SAMPLES)
    def test_killed_at_any_write(self, every: bool, authority: Authority, tmp_path: Path) -> None:
        box = Postbox(authority, "implicit")
        folder = self.game(tmp_path / "counted", box, box.port)
        with pytest.MonkeyPatch.context() as patch:
            calls = Calls(patch, folder, CHANGES, at=0)
            assert run(folder, "send") == 0
        for number in sample(calls.count, every):
            box.received.clear()
            folder = self.game(tmp_path / f"killed-{number}", box, box.port)
            with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
                Calls(patch, folder, CHANGES, at=number)
                run(folder, "send")
            assert run(folder, "send") == 0
            assert len({mail.data for mail in box.received}) == 3
            assert len(box.received) in (3, 4)  # it was killed between the server's word and its own
            assert names(folder, "outbox") == [] and len(names(folder, "sent")) == 3
        box.stop()

    def test_a_mail_that_the_server_breaks_over_every_time_stops_no_other(
        self, box: Postbox, authority: Authority, tmp_path
    ) -> None:
        texts = 0

        def breaks(client: socket.socket) -> None:
            """An SMTP server that hangs up when it sees Ann's address."""
            nonlocal texts
            client = authority.context().wrap_socket(client, server_side=True)
            file = client.makefile("rb")
            client.sendall(b"220 here\r\n")
            text = False
            for line in file:
                if text:
                    text = line != b".\r\n"
                    if not text:
                        texts += 1
                        client.sendall(b"250 taken\r\n")
                elif b"ann@" in line:
                    client.shutdown(socket.SHUT_RDWR)
                    return
                elif line.startswith(b"data"):
                    text = True
                    client.sendall(b"354 go on\r\n")
                elif line.startswith(b"AUTH"):
                    client.sendall(b"235 come in\r\n")
                elif line.startswith(b"ehlo"):
                    client.sendall(b"250-here\r\n250 AUTH PLAIN\r\n")
                else:
                    client.sendall(b"250 yes\r\n")

        talker = Talker(breaks)
        folder = self.game(tmp_path / "game", box, talker.port)
        assert [run(folder, "send") for _ in range(3)] == [UNREACHABLE] * 3
        talker.stop()
        assert texts == 2 and names(folder, "outbox") == ["report-000-ann.eml"]


@pytest.mark.parametrize("way", [
    "hangs up after its refusal of a reader", "hangs up after its refusal of a text",
    "answers the next command after a refusal with 421", "takes one mail per connection",
    "takes one mail per connection and says so", "never takes a sender",
])  # fmt: skip
def test_what_waits_goes_by_another_call_where_a_server_ended_one_between_two_mails(way: str, tmp_path: Path) -> None:
    """As msmtpd does after each refusal, Postfix after many, others after so many mails. Ann is refused, then two are taken."""
    answered, taken = 0, 0

    def act(client: socket.socket) -> None:
        nonlocal answered, taken
        answered += 1
        here = refused = False
        client.sendall(b"220 here\r\n")
        text = False
        for line in client.makefile("rb"):
            answer, ends = b"250 yes", False
            if text:
                text = line != b".\r\n"
                if text:
                    continue
                refused = way.endswith("text") and not taken and answered == 1
                answer, ends = (b"554 no", True) if refused else (b"250 taken", False)
                here, taken = not refused, taken + (not refused)
            elif way.startswith("answers the next") and refused:
                answer, ends = b"421 too many errors", True
            elif line.startswith(b"mail") and (way.startswith("never") or (here and "one mail per" in way)):
                answer, ends = b"421 enough" if way.endswith("so") else b"", True
            elif line.lower().startswith(b"rcpt") and b"ann@" in line and not way.endswith("text"):
                answer, refused = b"550 5.1.1 nobody", True
                ends = way.endswith("reader")
            elif line.startswith(b"data"):
                answer, text = b"354 go on", True
            client.sendall(answer + b"\r\n" if answer else b"")
            if ends:
                client.shutdown(socket.SHUT_RDWR)
                return

    talker = Talker(act)
    folder = campaign(tmp_path / "game", None, Server(host=NAME, port=talker.port, tls="none"))
    queue(folder, "ann", "bob", "cyn")
    code = run(folder, "send")
    talker.stop()
    if way.startswith("never"):
        assert (code, answered, taken) == (UNREACHABLE, 1, 0)
        return
    assert (code, answered, taken) == (0, 2, 2) and names(folder, "outbox") == ["report-000-ann.eml"]


# --- servers that are slow, or others than they should be ----------------------------------------------------------------


KINDS = ["imap", "smtp"]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def game(folder: Path, kind: str, port: int, **change: Any) -> tuple[Path, str]:
    """(a campaign whose mail goes by a server at that port, the action that calls it)"""
    server = Server(
        **{"host": NAME, "port": port, "tls": "implicit", "username": "orders", "password_env": VARIABLE, **change}
    )
    if kind == "imap":
        return campaign(folder, server), "fetch"
    campaign(folder, None, server)
    queue(folder, "ann")
    return folder, "send"


def silent(client: socket.socket) -> None:
    time.sleep(20)


def trickling(greeting: bytes) -> Callable[[socket.socket], None]:
    """It says something all the time, and never comes to an end."""

    def act(client: socket.socket) -> None:
        client.sendall(greeting)
        client.recv(100)
        while True:
            time.sleep(0.05)
            client.sendall(b"x")

    return act


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("CONNECT", 0.3), ("ANSWER", 0.3), ("PATIENCE", 0.6)):
        monkeypatch.setattr(connection, name, seconds)
    monkeypatch.setattr(smtp, "ACCEPTING", 0.3)


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
def test_a_silent_server(kind: str, tls: str, impatient: None, tmp_path: Path, capsys) -> None:
    talker = Talker(silent)
    folder, action = game(tmp_path / "game", kind, talker.port, tls=tls)
    told = said(folder, action, capsys, UNREACHABLE)
    talker.stop()
    hint = " Perhaps `tls: implicit` is right for this port." if tls == "starttls" else ""
    assert told == f"The {kind.upper()} server localhost, port {talker.port}, did not answer in time.{hint}"


@pytest.mark.parametrize("tls", ["implicit", "none"])
def test_a_server_that_greets_late_is_waited_for(
    kind: str, tls: str, authority: Authority, impatient: None, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than for a call to be taken: 2 minutes, here 1.8 seconds."""
    monkeypatch.setattr(connection, "PATIENCE", 5)
    talker = Talker(lambda client: greet(client, kind, tls, authority))
    folder, action = game(tmp_path / "game", kind, talker.port, tls=tls)
    assert f"The {kind.upper()} server localhost refused the password of orders" in said(folder, action, capsys, DENIED)
    talker.stop()


def greet(client: socket.socket, kind: str, tls: str, authority: Authority) -> None:
    """A server that says nothing for a while, and then lets nobody in."""
    client = authority.context().wrap_socket(client, server_side=True) if tls == "implicit" else client
    time.sleep(3 * connection.CONNECT)
    client.sendall(b"220 here\r\n" if kind == "smtp" else b"* OK [CAPABILITY IMAP4rev1] here\r\n")
    while line := client.recv(1000):
        if kind == "smtp":
            client.sendall(b"250-here\r\n250 AUTH LOGIN\r\n" if line.startswith(b"ehlo") else b"535 no\r\n")
        else:
            client.sendall(line.split()[0] + (b" OK yes\r\n" if b"CAPABILITY" in line else b" NO no\r\n"))


def test_who_waits_for_tls_where_others_begin_with_it_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def waited(port: int) -> float:
        """The seconds that a server on the port has for its first line."""
        made, called = mock.Mock(), list[float]()
        monkeypatch.setattr(socket, "create_connection", lambda _, seconds: called.append(seconds) or made)
        connection.opened(Server(NAME, port, "starttls"), "SMTP")
        return [*called, *(call.args[0] for call in made.settimeout.mock_calls)][-1]

    assert waited(465) == connection.CONNECT < 60 < waited(587)


GREETINGS = {"imap": b"* OK here\r\n", "smtp": b"220 here\r\n"}


def test_a_server_that_trickles(kind: str, impatient: None, tmp_path: Path, capsys) -> None:
    talker = Talker(trickling(GREETINGS[kind]))
    folder, action = game(tmp_path / "game", kind, talker.port, tls="none")
    started = time.monotonic()
    told = said(folder, action, capsys, UNREACHABLE)
    talker.stop()
    assert "did not answer in time" in told
    assert time.monotonic() - started < 15


@pytest.mark.parametrize(
    "greeting", [b"", b"\r\n", b"\0\xff\xfe", b"* BYE no\r\n", b"554 no\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n"]
)
def test_what_is_no_mail_server(kind: str, greeting: bytes, impatient: None, tmp_path: Path, capsys) -> None:
    talker = Talker(lambda client: (client.sendall(greeting), client.close()))  # type: ignore[func-returns-value,arg-type,return-value]
    folder, action = game(tmp_path / "game", kind, talker.port, tls="none")
    assert f"The {kind.upper()} server localhost, port {talker.port}" in said(folder, action, capsys, UNREACHABLE)
    talker.stop()


def test_nobody_listens(kind: str, tmp_path: Path, capsys) -> None:
    port = free_port()
    folder, action = game(tmp_path / "game", kind, port)
    assert said(folder, action, capsys, UNREACHABLE) == (
        f"The {kind.upper()} server localhost, port {port}, takes no calls. Is `port` right?"
    )


def test_a_name_that_is_none(kind: str, tmp_path: Path, capsys) -> None:
    folder, action = game(tmp_path / "game", kind, 1, host="mail.example.invalid")
    told = said(folder, action, capsys, UNREACHABLE)
    assert told.startswith("No server named mail.example.invalid is found") and told.endswith("is there a network?")


def test_tls_where_there_is_none(kind: str, tmp_path: Path, capsys) -> None:
    talker = Talker(lambda client: (client.sendall(GREETINGS[kind]), time.sleep(5)))  # type: ignore[func-returns-value,arg-type,return-value]
    folder, action = game(tmp_path / "game", kind, talker.port)
    assert said(folder, action, capsys, UNREACHABLE).endswith(
        "does not begin with TLS. Perhaps `tls: starttls` is right for this port."
    )
    talker.stop()


CERTIFICATES = {
    "wrong name": ({"name": "other.example.org"}, "it is for another name. Write the name that is in it as `host`."),
    "expired": ({"days": -1}, "it has expired."),
    "self-signed": ({"signed": False}, "it is signed by itself, and nobody vouches for it."),
}


@pytest.mark.parametrize("wrong", list(CERTIFICATES))
def test_a_wrong_certificate(kind: str, wrong: str, authority: Authority, tmp_path: Path, capsys) -> None:
    """The password is never sent."""
    form, why = CERTIFICATES[wrong]
    proxy = Proxy(free_port(), authority.context(**form))
    folder, action = game(tmp_path / "game", kind, proxy.port)
    told = said(folder, action, capsys, DENIED)
    proxy.stop()
    assert (
        told
        == f"The {kind.upper()} server localhost, port {proxy.port}, shows a certificate that can't be trusted: {why}"
    )
    assert proxy.commands == []


def test_an_authority_that_nobody_knows(kind: str, authority: Authority, tmp_path: Path, capsys, monkeypatch) -> None:
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("SSL_CERT_FILE", str(Authority(other).file))
    proxy = Proxy(free_port(), authority.context())
    folder, action = game(tmp_path / "game", kind, proxy.port)
    assert said(folder, action, capsys, DENIED).endswith(
        "it is signed by an authority that this machine does not know."
    )
    proxy.stop()


@needs_dovecot
def test_starttls_checks_the_certificate_too(
    kind: str, dovecot: Dovecot, authority: Authority, tmp_path: Path, capsys, monkeypatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("SSL_CERT_FILE", str(Authority(other).file))
    post = Postbox(authority)
    folder, action = game(tmp_path / "game", kind, dovecot.open if kind == "imap" else post.port, tls="starttls")
    told = said(folder, action, capsys, DENIED)
    post.stop()
    assert told.endswith("it is signed by an authority that this machine does not know.")


def test_no_starttls_no_password(kind: str, tmp_path: Path, capsys) -> None:
    """Somebody on the way could have taken the offer out."""
    heard = []

    def act(client: socket.socket) -> None:
        client.sendall(b"* OK [CAPABILITY IMAP4rev1] here\r\n" if kind == "imap" else b"220 here\r\n")
        while line := client.recv(1000):
            heard.append(line)
            tag = line.split()[0]
            client.sendall(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n" if kind == "imap" else b"250 here\r\n")

    talker = Talker(act)
    folder, action = game(tmp_path / "game", kind, talker.port, tls="starttls")
    assert "offers no STARTTLS, so the password would go in the open." in said(folder, action, capsys, DENIED)
    talker.stop()
    assert not any(b"orders" in line or b"AUTH" in line for line in heard)


@pytest.mark.parametrize("set_", ["wrong", "missing", "with an umlaut"])
def test_a_wrong_password(
    kind: str, set_: str, request, authority: Authority, tmp_path: Path, capsys, monkeypatch
) -> None:
    if kind == "imap":
        if shutil.which("dovecot") is None:
            pytest.skip("needs Debian's package dovecot-imapd: scripts/test --install")
        box = request.getfixturevalue("dovecot").mailbox()
        folder, action = game(tmp_path / "game", kind, box.dovecot.implicit, username=box.user)
        user = box.user
    else:
        post = Postbox(authority, "implicit")
        request.addfinalizer(post.stop)
        folder, action = game(tmp_path / "game", kind, post.port)
        user = "orders"
    wrong = {"wrong": "hunter2-secret", "missing": "", "with an umlaut": "Geheimnis-ä"}[set_]
    monkeypatch.setenv(VARIABLE, wrong)
    told = said(folder, action, capsys, DENIED)
    start = {
        "wrong": f"The {kind.upper()} server localhost refused the password of {user} (",
        "missing": f"{VARIABLE} holds the password for {user} at the {kind.upper()} server localhost, and is not set. Type `export {VARIABLE}='...'` first, or, if cron's file has it, `set -a; . ~/.kingdom-passwords`.",
        "with an umlaut": f"{VARIABLE} holds the password for {user} at the {kind.upper()} server localhost, and one of the two has letters",
    }[set_]
    assert told.startswith(start), told
    assert not wrong or wrong not in told
    cure = f"It comes from the variable {VARIABLE}: put the right one there, also where cron or the timer reads it. Then try `kingdom mail check {folder}`."
    assert set_ != "wrong" or told.strip().endswith(cure)


def test_the_cure_of_a_run_names_the_campaign(tmp_path: Path, capsys, monkeypatch) -> None:
    def act(client: socket.socket) -> None:
        client.sendall(b"* OK [CAPABILITY IMAP4rev1] here\r\n")
        while line := client.recv(1000):
            client.sendall(
                line.split()[0] + (b" OK yes\r\n" if b"CAPABILITY" in line else b" NO [AUTHENTICATIONFAILED] no\r\n")
            )

    talker = Talker(act)
    folder, _ = game(tmp_path / "game", "imap", talker.port, tls="none")
    for command in (["run"], ["mail", "fetch"]):
        assert main([*command, str(folder)]) == DENIED
        assert f"Then try `kingdom mail check {folder}`." in " ".join(capsys.readouterr().err.split())
    main(["status", str(folder)])
    assert f"Then try `kingdom mail check {folder}`." in " ".join(capsys.readouterr().out.split())
    talker.stop()


def test_no_variable_for_the_password(kind: str, tmp_path: Path, capsys) -> None:
    talker = Talker(lambda client: speak(client, GREETINGS[kind]))
    folder, action = game(tmp_path / "game", kind, talker.port, tls="none", password_env="")
    told = said(folder, action, capsys, DENIED)
    talker.stop()
    assert (
        told
        == f"campaign.yaml has neither `password_env` nor `password_command` for the {kind.upper()} server localhost: the variable that holds the password, or a command that prints it."
    )


def speak(client: socket.socket, greeting: bytes) -> None:
    """Yes to all."""
    client.sendall(greeting)
    while line := client.recv(1000):
        client.sendall(
            b"250 yes\r\n"
            if line.startswith(b"ehlo")
            else b"* CAPABILITY IMAP4rev1\r\n" + line.split()[0] + b" OK yes\r\n"
        )


def test_a_server_that_says_the_password_back(tmp_path: Path, capsys) -> None:
    def act(client: socket.socket) -> None:
        client.sendall(b"* OK [CAPABILITY IMAP4rev1] here\r\n")
        while line := client.recv(1000):
            tag = line.split()[0]
            client.sendall(tag + (b" OK yes\r\n" if b"CAPABILITY" in line else b" BAD what is " + line[len(tag) :]))

    talker = Talker(act)
    folder, action = game(tmp_path / "game", "imap", talker.port, tls="none")
    assert "..." in said(folder, action, capsys, DENIED)
    talker.stop()


def test_a_login_that_is_refused_for_now_blames_no_password(tmp_path: Path, capsys) -> None:
    def act(client: socket.socket) -> None:
        client.sendall(b"* OK [CAPABILITY IMAP4rev1] here\r\n")
        while line := client.recv(1000):
            tag = line.split()[0]
            client.sendall(
                tag + (b" OK yes\r\n" if b"CAPABILITY" in line else b" NO [UNAVAILABLE] the directory is down\r\n")
            )

    talker = Talker(act)
    folder, action = game(tmp_path / "game", "imap", talker.port, tls="none")
    assert "lets nobody in now" in said(folder, action, capsys, UNREACHABLE)
    talker.stop()


@pytest.mark.parametrize(("answer", "code", "words"), [
    ("[ALERT] Account exceeded command or bandwidth limits. (Failure)", UNREACHABLE, "lets nobody in now ([ALERT] Account exceeded command"),
    ("[ALERT] Too many simultaneous connections. (Failure)", UNREACHABLE, "if this lasts, look at the password too: `kingdom mail check /"),
    ("[AUTHENTICATIONFAILED] Server error - Please try again later", UNREACHABLE, "lets nobody in now"),
    ("[ALERT] IMAP access is disabled for your domain. (Failure)", DENIED, "does not let orders in like this"),
    ("[AUTHENTICATIONFAILED] Invalid credentials (Failure)", DENIED, "refused the password of orders"),
    ("5.7.8 Error: authentication failed: (reason unavailable)", DENIED, "refused the password of orders"),  # Postfix, of any wrong one
])  # fmt: skip
def test_what_a_refused_login_speaks_of(answer: str, code: int, words: str, kind: str, tmp_path: Path, capsys) -> None:
    """Of load, of what the account takes, or of the password; SMTP says it with 535."""

    def act(client: socket.socket) -> None:
        client.sendall(b"220 here\r\n" if kind == "smtp" else b"* OK [CAPABILITY IMAP4rev1] here\r\n")
        while line := client.recv(1000):
            if kind == "smtp":
                client.sendall(
                    b"250-here\r\n250 AUTH LOGIN\r\n" if line.startswith(b"ehlo") else f"535 {answer}\r\n".encode()
                )
            else:
                no = f" NO {answer}\r\n".encode()
                client.sendall(line.split()[0] + (b" OK yes\r\n" if b"CAPABILITY" in line else no))

    talker = Talker(act)
    folder, action = game(tmp_path / "game", kind, talker.port, tls="none")
    assert words in said(folder, action, capsys, code)
    talker.stop()


# --- kingdom mail check: what of it is wrong, and what to change -----------------------------------------------------------


def checked(folder: Path, capsys: Any, code: int) -> list[str]:
    """What `kingdom mail check` says."""
    capsys.readouterr()
    assert run(folder, "check") == code
    out = capsys.readouterr()
    assert out.err == "" and PASSWORD not in out.out
    return out.out.splitlines()


@needs_dovecot
class TestCheck:
    """The servers step by step."""

    def test_all_is_well(self, dovecot: Dovecot, authority: Authority, tmp_path: Path, capsys) -> None:
        """Nothing is taken, moved or made. Two test mails are sent, and deleted when they arrived."""
        box, post = dovecot.mailbox(), Postbox(authority)
        box.deliver(orders("ann"))
        post.boxes["orders@example.org"], post.tags = box, True
        folder = campaign(tmp_path / "game", box.server(), post.server())
        lines = checked(folder, capsys, 0)
        post.stop()
        assert [line for line in lines if "localhost is " not in line] == [
            f"imap: port {dovecot.implicit} answers.",
            "imap: the connection is encrypted (`tls: implicit`), and the certificate is good.",
            f"imap: {box.user} is let in.",
            "imap: the folder INBOX can be read; 1 message lies there.",
            "imap: the folder Processed will be made.",
            "imap: the folder Refused will be made.",
            "imap: messages are moved by one command.",
            "imap: all is well.",
            f"smtp: port {post.port} answers.",
            "smtp: the connection is encrypted (`tls: starttls`), and the certificate is good.",
            "smtp: orders is let in.",
            "smtp: it takes a mail from orders@example.org to orders@example.org.",
            "smtp: all is well.",
            "test: a mail from orders@example.org to orders@example.org arrived, and is deleted again.",
            "test: the test mail has no Authentication-Results, as a server may leave them out of its own mail.",
            "test: mail to orders+xyz@example.org arrives. Write `tags: on` into `mail`: then answers prove by their address who wrote.",
        ]
        assert len(post.received) == 2 and box.messages() == [orders("ann")] and not (folder / "mail").exists()

    def test_without_move(self, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        box = dovecot.mailbox(imap_capability="IMAP4rev1")
        lines = checked(campaign(tmp_path / "game", box.server()), capsys, 0)
        assert "imap: messages are copied and then deleted: the server has no MOVE, which does no harm." in lines
        assert lines[-1] == "smtp: there is none in campaign.yaml; mail stays in mail/outbox."

    def test_a_folder_that_is_not_there(self, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        lines = checked(campaign(tmp_path / "game", dovecot.mailbox().server(folder="Ordres")), capsys, UNREACHABLE)
        assert (
            "imap: WRONG. There is no folder Ordres that can be read. Write one of these as `folder`: INBOX." in lines
        )

    def test_one_server_is_tried_though_the_other_fails(self, authority: Authority, tmp_path: Path, capsys) -> None:
        port, post = free_port(), Postbox(authority)
        folder = campaign(tmp_path / "game", Server("localhost", port), post.server(username="nobody"))
        lines = checked(folder, capsys, DENIED)
        post.stop()
        assert f"imap: WRONG. The IMAP server localhost, port {port}, takes no calls. Is `port` right?" in lines
        assert lines[-1].startswith("smtp: WRONG. The SMTP server localhost refused the password of nobody (")

    @pytest.mark.parametrize("tls, hint", [
        ("implicit", "does not begin with TLS. Perhaps `tls: starttls` is right for this port."),
        ("starttls", "Perhaps `tls: implicit` is right for this port."),
    ])  # fmt: skip
    def test_the_wrong_kind_of_tls(
        self, tls: str, hint: str, dovecot: Dovecot, request: pytest.FixtureRequest, tmp_path: Path, capsys
    ) -> None:
        if (
            tls == "starttls"
        ):  # both wait for the other; a server that is spoken to answers, on a busy machine a little later
            request.getfixturevalue("impatient")
        port = dovecot.open if tls == "implicit" else dovecot.implicit
        lines = checked(campaign(tmp_path / "game", dovecot.mailbox().server(tls, port=port)), capsys, UNREACHABLE)
        assert any(line.startswith("imap: WRONG.") and line.endswith(hint) for line in lines), lines

    def test_an_address_that_the_server_does_not_take(self, authority: Authority, tmp_path: Path, capsys) -> None:
        post = Postbox(authority)
        post.answers["orders@example.org"] = "550 5.1.1 nobody of that name"
        lines = checked(campaign(tmp_path / "game", None, post.server()), capsys, UNREACHABLE)
        assert lines[-1] == (
            "smtp: WRONG. It would not take a mail from orders@example.org to orders@example.org "
            "(550 5.1.1 nobody of that name). Is `address` right?"
        )
        post.sender_answer = "553 5.7.1 not yours"
        lines = checked(tmp_path / "game", capsys, DENIED)
        post.stop()
        assert lines[-1].startswith(
            "smtp: WRONG. The SMTP server localhost does not let orders send as orders@example.org (553 5.7.1 not yours). As `address` write"
        )

    def test_a_server_that_passes_nothing_on_to_other_domains(
        self, authority: Authority, tmp_path: Path, capsys
    ) -> None:
        post = Postbox(authority)
        folder = campaign(tmp_path / "game", None, post.server())
        text = (folder / "campaign.yaml").read_text()
        (folder / "campaign.yaml").write_text(text.replace("ann@example.org", "ann@elsewhere.example"))
        assert "smtp: it takes a mail from orders@example.org to ann@elsewhere.example." in checked(folder, capsys, 0)
        post.answers["ann@elsewhere.example"] = "450 4.2.0 come again"
        said = "smtp: it would not take a mail from orders@example.org to ann@elsewhere.example (450 4.2.0 come again). Is that address right?"
        assert said in checked(folder, capsys, 0)
        post.answers["ann@elsewhere.example"] = "454 4.7.1 <ann@elsewhere.example>: Relay access denied"
        lines = checked(folder, capsys, DENIED)
        assert (
            "smtp: WRONG. The SMTP server localhost does not pass on what orders sends as orders@example.org (454 4.7.1 Relay access denied)."
            in lines[-1]
        )
        assert post.received == []
        post.stop()

    def test_a_server_that_takes_no_more_mail_is_wrong_in_words(
        self, dovecot: Dovecot, authority: Authority, tmp_path: Path, capsys
    ) -> None:
        box, post = dovecot.mailbox(), Postbox(authority)
        folder = campaign(tmp_path / "game", box.server(), post.server())
        post.data_answers["orders@example.org"] = "550 5.4.5 Daily user sending limit exceeded"
        line = checked(folder, capsys, UNREACHABLE)[-1]
        assert line.startswith(
            "test: WRONG. The SMTP server localhost takes no more mail from us for now (550 5.4.5 Daily user"
        )
        post.data_answers["orders@example.org"] = "554 5.6.0 no"
        assert checked(folder, capsys, 1)[-1] == "test: WRONG. The server does not take the test mail (554 5.6.0 no)."
        post.data_answers["orders@example.org"] = "421 4.7.0 too busy"
        line = checked(folder, capsys, UNREACHABLE)[-1]
        post.stop()
        assert line.endswith("broke off (421 4.7.0 too busy).")

    def test_a_campaign_without_servers(self, tmp_path: Path, capsys) -> None:
        (line,) = checked(campaign(tmp_path / "game"), capsys, 0)
        assert (
            line
            == f"There is no server in campaign.yaml: mail is taken from {tmp_path}/game/mail/inbox and put into mail/outbox."
        )
