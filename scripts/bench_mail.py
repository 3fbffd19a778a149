"""What `scripts/bench` measures of mail, against the Dovecot and the SMTP server of the tests (tests/kit/mailservers.py).

A thousand mails are fetched by `kingdom mail fetch` in this process, and held against the least that must be done with
them: a plain batched fetch, each saved and synced, each parsed, all moved by one command. A third of them are a machine's,
a third come from as many strangers, a third are a player's copies of one message: of orders the answer is the dear part,
and no fetch without this program has that.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import ROOT

sys.path.append(str(ROOT))

from kingdom.cli.main import main
from tests.kit import mailservers, tiny_game
from tests.kit.mailservers import Authority, Dovecot, Mailbox, Postbox

MAILS = 1000
LETTERS = 100
AT_ONCE = 500
ROUNDS = 5


class Post:
    """The servers, with what the program finds in the environment."""

    def __init__(self, folder: Path):
        (folder / "ca").mkdir()
        self.folder = folder
        self.authority = Authority(folder / "ca")
        self.dovecot = Dovecot(self.authority)
        self.count = 0
        os.environ["SSL_CERT_FILE"] = str(self.authority.file)
        os.environ[mailservers.VARIABLE] = mailservers.PASSWORD

    def stop(self) -> None:
        """Stop them."""
        self.dovecot.stop()

    def full(self) -> Mailbox:
        """A new mailbox with a thousand mails."""
        box = self.dovecot.mailbox()
        box.deliver(*mails())
        return box

    def place(self, name: str) -> Path:
        """A new folder."""
        self.count += 1
        return self.folder / f"{name}-{self.count}"


@contextlib.contextmanager
def post(folder: Path) -> Iterator[Post]:
    """The servers, while the block runs."""
    servers = Post(folder)
    try:
        yield servers
    finally:
        servers.stop()


def mails() -> Iterator[bytes]:
    """Each with some lines of text."""
    text = "taxation: light\r\n" + "I would rather that the ford were held by somebody else than by me.\r\n" * 20
    for number in range(MAILS):
        yield (
            mailservers.from_a_machine(number),
            mailservers.orders(f"stranger{number}", text),
            mailservers.orders("ann", text, "again", X_Number=str(number)),
        )[number % 3]


def fetching(folder: Path) -> float:
    """Wall seconds of the program's fetch ÷ those of the least that must be done; the median of some rounds."""
    import statistics

    with post(folder) as servers:
        _fetched(servers), _plain(servers)
        return statistics.median(_fetched(servers) / _plain(servers) for _ in range(ROUNDS))


def commands(folder: Path) -> float:
    """How many IMAP commands that takes, by Dovecot's own log and the two before the login, which are not in it."""
    with post(folder) as servers:
        box = servers.full()
        _fetch(mailservers.campaign(servers.place("game"), box.server()))
        return len(box.commands()) + 2


def connections(folder: Path) -> float:
    """How many SMTP connections a hundred letters take."""
    from tests.mail.test_servers import queue

    (folder / "ca").mkdir()
    os.environ[mailservers.VARIABLE] = mailservers.PASSWORD
    authority = Authority(folder / "ca")
    os.environ["SSL_CERT_FILE"] = str(authority.file)
    box = Postbox(authority)
    try:
        game = mailservers.campaign(folder / "game", None, box.server())
        queue(game, *(f"p{number}" for number in range(LETTERS)))
        assert _quietly("mail", "send", str(game)) == 0 and len(box.received) == LETTERS
        return box.connections
    finally:
        box.stop()


def _fetched(servers: Post) -> float:
    box, folder = servers.full(), servers.place("game")
    mailservers.campaign(folder, box.server())
    start = time.perf_counter()
    _fetch(folder)
    seconds = time.perf_counter() - start
    assert box.messages() == [] and len(box.messages("Processed") + box.messages("Refused")) == MAILS
    shutil.rmtree(folder)
    return seconds


def _fetch(folder: Path) -> None:
    assert _quietly("mail", "fetch", str(folder)) == 0


def _quietly(*words: str) -> int:
    """Run the program in this process, its output thrown away."""
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        return main(list(words))


def _plain(servers: Post) -> float:
    from imapclient import IMAPClient

    box, folder = servers.full(), servers.place("plain")
    folder.mkdir()
    with box.client() as other:
        other.create_folder("Processed")
    start = time.perf_counter()
    with IMAPClient(mailservers.NAME, servers.dovecot.implicit) as client:
        client.login(box.user, mailservers.PASSWORD)
        client.select_folder("INBOX")
        uids = client.search()
        for at in range(0, len(uids), AT_ONCE):
            for uid, entry in client.fetch(uids[at : at + AT_ONCE], ["BODY.PEEK[]"]).items():
                data = entry[b"BODY[]"]
                with open(folder / f"{uid}.eml", "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                _parse(data)
        client.move(uids, "Processed")
    seconds = time.perf_counter() - start
    shutil.rmtree(folder)
    return seconds


def _parse(data: bytes) -> Any:
    message = email.message_from_bytes(data, policy=email.policy.default)
    return message["From"], message["Subject"], message["Date"], message.get_content()


tiny_game.register()
