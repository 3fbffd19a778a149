"""Passwords from a command, and OAuth2 access tokens: Dovecot asks a token server, as Microsoft's and Google's servers do."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign.settings import Server
from kingdom.cli.main import main
from kingdom.mail.servers import connection, passwords
from kingdom.mail.servers.connection import Denied, one_line
from tests.kit.mailservers import PASSWORD, Authority, Dovecot, Mailbox, Postbox, Talker, Tokens, campaign, orders
from tests.mail.test_servers import names, queue

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
needs_dovecot = pytest.mark.package("dovecot-imapd", "dovecot")
TOKEN = "ya29." + "aZ09-_" * 300  # as long as Microsoft's
UNREACHABLE, DENIED = 4, 5


@pytest.fixture(autouse=True)
def trusted(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setattr(connection, "_SECRETS", set())


@pytest.fixture(scope="module")
def tokens() -> Iterator[Tokens]:
    server = Tokens()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def token_dovecot(authority: Authority, tokens: Tokens) -> Iterator[Dovecot]:
    server = Dovecot(authority, tokens)
    yield server
    server.stop()


@pytest.fixture
def postbox(authority: Authority) -> Iterator[Postbox]:
    box = Postbox(authority)
    yield box
    box.stop()


def printing(folder: Path, text: str, code: int = 0, wait: float = 0) -> str:
    """A command that prints a text."""
    folder.mkdir(exist_ok=True)
    file = folder / "a secret.py"
    file.write_text(f"import sys, time\ntime.sleep({wait})\nprint({text!r})\nprint('more')\nsys.exit({code})\n")
    return shlex.join([sys.executable, str(file)])


def by_token(box: Mailbox, command: str, **change: Any) -> Server:
    return box.server(password_env="", password_command=command, auth="xoauth2", **change)


def said(capsys: Any, folder: Path, action: str, code: int = 0) -> str:
    """What `kingdom mail` says, on one line where something is wrong; and no secret in it or on the disk."""
    capsys.readouterr()
    assert main(["mail", action, str(folder)]) == code
    out = capsys.readouterr()
    files = b"".join(file.read_bytes() for file in (folder / "mail").rglob("*") if file.is_file())
    assert "Traceback" not in out.err
    assert not any(secret in out.out + out.err or secret.encode() in files for secret in (TOKEN, PASSWORD))
    return out.out + out.err


# --- access tokens


@needs_dovecot
class TestImap:
    """A mailbox in Dovecot that asks for tokens."""

    @pytest.mark.parametrize("tls", ["implicit", "starttls"])
    def test_mail_is_taken_with_a_token(
        self, tls: str, token_dovecot: Dovecot, tokens: Tokens, tmp_path: Path, capsys
    ) -> None:
        box = token_dovecot.mailbox()
        tokens.valid[TOKEN] = box.user
        box.deliver(orders("ann"))
        server = by_token(box, printing(tmp_path / "bin", TOKEN), tls=tls, port=box.server(tls).port)
        folder = campaign(tmp_path / "game", server)
        assert "filed" in said(capsys, folder, "fetch")
        assert box.messages() == [] and box.messages("Processed") == [orders("ann")]

    def test_an_expired_token_is_told_with_its_cure(
        self, token_dovecot: Dovecot, tokens: Tokens, tmp_path: Path, capsys
    ) -> None:
        box = token_dovecot.mailbox()
        tokens.valid.clear()
        folder = campaign(tmp_path / "game", by_token(box, printing(tmp_path / "bin", TOKEN)))
        told = said(capsys, folder, "fetch", DENIED)
        assert told.startswith(f"The IMAP server localhost refused the access token of {box.user} (")
        assert "It may have expired" in told and told.endswith(
            "`password_command` has to give a fresh one each time.\n"
        )
        assert "imap: WRONG. " + told.strip() in said(capsys, folder, "check", DENIED)

    def test_a_run_ends_with_exit_code_5_and_the_next_one_goes_on(
        self, token_dovecot: Dovecot, tokens: Tokens, tmp_path: Path, capsys
    ) -> None:
        box = token_dovecot.mailbox()
        tokens.valid.clear()
        box.deliver(orders("ann"))
        folder = campaign(tmp_path / "game", by_token(box, printing(tmp_path / "bin", TOKEN)))
        assert main(["run", str(folder)]) == DENIED
        assert "refused the access token" in capsys.readouterr().err and box.messages() == [orders("ann")]
        tokens.valid[TOKEN] = box.user
        assert main(["run", str(folder)]) == 0 and box.messages() == []

    def test_a_token_for_another_mailbox(self, token_dovecot: Dovecot, tokens: Tokens, tmp_path: Path, capsys) -> None:
        box, other = token_dovecot.mailbox(), token_dovecot.mailbox()
        tokens.valid[TOKEN] = other.user
        folder = campaign(tmp_path / "game", by_token(box, printing(tmp_path / "bin", TOKEN)))
        assert "be for another mailbox" in said(capsys, folder, "fetch", DENIED)

    def test_a_password_from_a_command(self, token_dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        box = token_dovecot.mailbox()
        server = box.server(password_env="", password_command=printing(tmp_path / "bin", PASSWORD))
        assert said(capsys, campaign(tmp_path / "game", server), "fetch") == "No new mail.\n"

    def test_check_says_that_a_token_lets_one_in(
        self, token_dovecot: Dovecot, tokens: Tokens, tmp_path: Path, capsys
    ) -> None:
        box = token_dovecot.mailbox()
        tokens.valid[TOKEN] = box.user
        folder = campaign(tmp_path / "game", by_token(box, printing(tmp_path / "bin", TOKEN)))
        assert f"imap: {box.user} is let in with an access token (`auth: xoauth2`)." in said(capsys, folder, "check")

    def test_a_server_without_xoauth2(self, dovecot: Dovecot, tmp_path: Path, capsys) -> None:
        folder = campaign(tmp_path / "game", by_token(dovecot.mailbox(), printing(tmp_path / "bin", TOKEN)))
        assert "takes no access tokens (`auth: xoauth2`)" in said(capsys, folder, "fetch", DENIED)


class TestSmtp:
    """Sending with an access token."""

    def server(self, postbox: Postbox, folder: Path) -> Server:
        return postbox.server(password_env="", password_command=printing(folder, TOKEN), auth="xoauth2")

    def test_mail_is_sent_with_a_token(self, postbox: Postbox, tmp_path: Path, capsys) -> None:
        postbox.tokens.add(TOKEN)
        folder = campaign(tmp_path / "game", None, self.server(postbox, tmp_path / "bin"))
        queue(folder, "ann", "bob")
        assert "2 sent" in said(capsys, folder, "send")
        assert len(postbox.received) == 2 and names(folder, "outbox") == []

    def test_an_expired_token_sends_nothing_and_is_told(self, postbox: Postbox, tmp_path: Path, capsys) -> None:
        folder = campaign(tmp_path / "game", None, self.server(postbox, tmp_path / "bin"))
        queue(folder, "ann")
        told = said(capsys, folder, "send", DENIED)
        assert told.startswith("The SMTP server localhost refused the access token of orders (")
        assert "`password_command` has to give a fresh one" in told
        assert postbox.received == [] and len(names(folder, "outbox")) == 1

    def test_a_server_without_xoauth2(self, tmp_path: Path, capsys) -> None:
        def act(client: Any) -> None:
            client.sendall(b"220 here\r\n")
            while client.recv(1000):
                client.sendall(b"250-here\r\n250 AUTH PLAIN LOGIN\r\n")

        talker = Talker(act)
        command = printing(tmp_path / "bin", TOKEN)
        server = Server("localhost", talker.port, "none", "orders", password_command=command, auth="xoauth2")
        folder = campaign(tmp_path / "game", None, server)
        queue(folder, "ann")
        assert "takes no access tokens" in said(capsys, folder, "send", DENIED)
        talker.stop()

    def test_a_server_that_says_the_token_back(self, tmp_path: Path, capsys) -> None:
        heard: list[bytes] = []
        answers = {b"ehlo": b"250-here\r\n250 AUTH XOAUTH2\r\n", b"AUTH": b"334 \r\n"}

        def act(client: Any) -> None:
            client.sendall(b"220 here\r\n")
            while line := client.recv(9000):
                heard.append(line)
                client.sendall(answers.get(line[:4], b"500 what is " + line))

        talker = Talker(act)
        short = TOKEN[:60]
        server = Server(
            "localhost",
            talker.port,
            "none",
            "orders",
            password_command=printing(tmp_path / "bin", short),
            auth="xoauth2",
        )
        folder = campaign(tmp_path / "game", None, server)
        queue(folder, "ann")
        told = said(capsys, folder, "send", DENIED)
        coded = heard[2].strip().decode()
        assert len(coded) > 60 and "(what is )" in told and short not in told and coded not in told
        talker.stop()


# --- the command


def secret(command: str) -> str:
    return passwords.secret_of(Server("mail.example.org", username="orders", password_command=command), "IMAP")


def test_the_first_line_that_the_command_prints_is_the_secret(tmp_path: Path) -> None:
    assert secret(printing(tmp_path, "hunter2")) == "hunter2"


@pytest.mark.parametrize(("text", "code", "told"), [
    ("hunter2", 3, "and failed (exit code 3). Run it in a terminal to see why."),
    ("", 0, "and printed nothing. Run it in a terminal to see why."),
    ("Geheimnis-ä", 0, "letters that servers read in different ways"),
])  # fmt: skip
def test_a_command_that_fails_is_told_without_what_it_printed(tmp_path: Path, text: str, code: int, told: str) -> None:
    with pytest.raises(Denied) as denied:
        secret(printing(tmp_path, text, code))
    assert told in str(denied.value) and (not text or text not in str(denied.value))
    assert str(denied.value).startswith(
        "`password_command` prints the password for orders at the IMAP server mail.example.org"
    )


@pytest.mark.parametrize("command", ["/nowhere/token", "token 'unclosed", " "])
def test_a_command_that_is_none(command: str) -> None:
    with pytest.raises(Denied, match="can't be run .* Write the program with its whole path"):
        secret(command)


def test_a_command_that_hangs_is_stopped_with_all_that_it_started(tmp_path: Path, monkeypatch) -> None:
    """A child that it left behind, and that holds the pipe open, keeps nobody waiting."""
    monkeypatch.setattr(passwords, "TIME", 0.5)
    started = time.monotonic()
    with pytest.raises(Denied, match="did not end within .* Does it wait for somebody to type"):
        secret("sh -c 'sleep 60 & sleep 60'")
    assert time.monotonic() - started < 10


def test_a_command_that_asks_gets_no_answer(tmp_path: Path) -> None:
    with pytest.raises(Denied, match="printed nothing|failed"):
        secret("sh -c 'read answer; echo $answer'")


def test_what_was_read_is_repeated_by_no_message(tmp_path: Path) -> None:
    word = secret(printing(tmp_path, "hunter2-again"))
    assert one_line(f"NO what is {word}?") == "NO what is ...?"


def test_the_settings_in_campaign_yaml(tmp_path: Path) -> None:
    from kingdom.campaign import settings

    server = {"host": "h", "password_command": "pass show orders", "auth": "xoauth2"}
    text = "name: A\ngame: realm\nseed: x\npublic_seed: true\nplayers: {a: {}}\n"
    found = settings.read_text(
        f"{text}mail: {{address: a@b.c, imap: {json.dumps(server)}}}\n".encode(), "campaign.yaml"
    )[0]
    assert found.mail and found.mail.imap
    assert (found.mail.imap.password_command, found.mail.imap.auth) == ("pass show orders", "xoauth2")
