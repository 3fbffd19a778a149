"""Test mails from the campaign to itself: whether they arrive, with a tag too, and what the receiving server writes into them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import TYPE_CHECKING

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from kingdom.campaign import clock
from kingdom.campaign.settings import Mail, Server
from kingdom.mail import headers
from kingdom.mail.incoming import proof
from kingdom.mail.outgoing.letters import with_tag
from kingdom.mail.servers import imap, smtp

if TYPE_CHECKING:
    from imapclient import IMAPClient

WAIT, PAUSE = 60.0, 2.0  # seconds that a test mail has to arrive, and between two looks
WRONG = "WRONG. "  # how a line begins that asks for a change
PLAIN, TAGGED = "plain", "tagged"
RESULTS = "authentication_results"


def tried(mail: Mail) -> Iterator[str]:
    """Send a mail to the address and one to a tagged address, wait for both, delete them, and say what they show.

    Raises Unreachable, Denied.
    """
    assert mail.smtp and mail.imap
    marks = {name: secrets.token_hex(12) for name in (PLAIN, TAGGED)}
    refused = _send(mail, mail.smtp, marks)
    heads = _found(mail.imap, {name: mark for name, mark in marks.items() if name == PLAIN or not refused})
    if PLAIN not in heads:
        yield (
            f"the test mail to {mail.address} did not arrive within {WAIT:.0f} seconds. Look for it in the mailbox, also "
            f"among spam. If it comes late, try this again; if it does not come, `address` may not belong to this mailbox."
        )
        return
    yield f"a mail from {mail.address} to {mail.address} arrived, and is deleted again."
    yield _results(mail, list(heads.values()))
    arrived = message_from_bytes(heads[PLAIN])
    if str(arrived.get("Message-ID", "")).strip() != _id(mail, marks[PLAIN]):
        yield _renamed(mail, TAGGED in heads, marks[PLAIN] in str(arrived.get("References", "")))
    yield _tags(mail, TAGGED in heads, refused)


def server_named(head: bytes) -> str:
    """The server that wrote the topmost Authentication-Results of a header, "" where there is none, or none that says who wrote it."""
    return proof.server_of(str(message_from_bytes(head).get("Authentication-Results", "")))


# --- what they show


def _results(mail: Mail, heads: Sequence[bytes]) -> str:
    """Whether the receiving server says who a mail is from, and what to write then."""
    asked, names = RESULTS in mail.authenticate, {server_named(head) for head in heads}
    if not any("Authentication-Results" in message_from_bytes(head) for head in heads):
        more = " `authenticate` asks for them: look whether a mail from elsewhere has them." if asked else ""
        return f"the test mail has no Authentication-Results, as a server may leave them out of its own mail.{more}"
    if len(names) > 1 or not any(names):
        why = "without its own name, so nothing tells them from what a sender wrote"
        if len(names) > 1:
            why = "under another name each time"
        said = f"the receiving server writes Authentication-Results {why}"
        if asked:
            return f"{WRONG}{said[:1].upper()}{said[1:]}: orders are refused, or forged ones believed. Take `{RESULTS}` out of `authenticate`."
        return f"{said}. Write no `authserv_id`, and leave `{RESULTS}` out of `authenticate`."
    (server,) = names
    if asked and server == mail.authserv_id.lower():
        return f"the receiving server writes Authentication-Results as {server}, as `authserv_id` says."
    if asked:
        now = f"`authserv_id: {mail.authserv_id}`" if mail.authserv_id else "no `authserv_id`"
        return f"{WRONG}The receiving server writes Authentication-Results as {server}, and `mail` has {now}, so all orders are refused. Write `authserv_id: {server}`."
    if not any(proof.vouched(headers.read(head), server) for head in heads):
        return (
            f"the receiving server writes Authentication-Results as {server}, and says there nothing of who the test mail is from. If a mail from "
            f"elsewhere has `spf=pass`, `dkim=pass` or `dmarc=pass` in them, write `authserv_id: {server}` and `authenticate: [sender, token, {RESULTS}]` "
            f"into `mail`; if not, leave both: all orders would be refused."
        )
    return (
        f"the receiving server writes Authentication-Results. Write `authserv_id: {server}` and `authenticate: [sender, token, {RESULTS}]` "
        f"into `mail`: then a forged From is refused, even from somebody who knows a token, and so is a player whose provider signs no mail."
    )


def _renamed(mail: Mail, tags_arrive: bool, is_threaded: bool) -> str:
    """That what is sent gets another Message-ID on its way, and what to write then. is_threaded: its References stay."""
    said = "the server gives what it sends a Message-ID of its own"
    if mail.tags:
        return f"{said}; with `tags: on` an answer proves all the same who wrote it."
    known = "is known by its References alone, which not every mail program sends" if is_threaded else "proves nothing"
    if tags_arrive:
        return f"{WRONG}{said[:1].upper()}{said[1:]}, so an answer {known}. Write `tags: on` into `mail`: then its address proves who wrote it."
    return f"{said}, so an answer {known}. A player who is not known so needs the token in the subject, as the answer says."


def _tags(mail: Mail, arrived: bool, refused: str) -> str:
    """Whether mail to a tagged address arrives, and what to write then. refused: the server's words where it took none."""
    shown = with_tag(mail.address, "xyz")
    if arrived:
        return (
            f"mail to {shown} arrives, as `tags: on` says."
            if mail.tags
            else f"mail to {shown} arrives. Write `tags: on` into `mail`: then answers prove by their address who wrote."
        )
    why = f"the server does not take it ({refused})" if refused else "it did not arrive in time"
    if mail.tags:
        return f"{WRONG}Mail to {shown} is lost, as {why}, and so are the players' answers. Write `tags: off`."
    return f"mail to {shown} can't be used, as {why}. Leave `tags: off`."


# --- there and back


def _send(mail: Mail, server: Server, marks: Mapping[str, str]) -> str:
    """Send both; gives why the tagged one was refused, "" where it was not."""
    connection = smtp.called(server)
    try:
        smtp.login(connection, server)
        with smtp.talking(server):
            smtp.hand_over(connection, server, mail.address, mail.address, _mail(mail, mail.address, marks[PLAIN]))
            tagged = with_tag(mail.address, secrets.token_hex(5))
            try:
                smtp.hand_over(connection, server, mail.address, tagged, _mail(mail, tagged, marks[TAGGED]))
            except smtp.Refused as refusal:
                return f"{refusal.code} {refusal.text}"
        smtp.hang_up(connection)
    finally:
        smtp.cut(connection)
    return ""


def _id(mail: Mail, mark: str, what: str = "check") -> str:
    return f"<{what}-{mark}@{mail.address.rpartition('@')[2]}>"


def _mail(mail: Mail, to: str, mark: str) -> bytes:
    """A test mail: marked as a machine's, so that a run which meets it ignores it. mark: what it is found by, as its Message-ID may get lost."""
    made = EmailMessage(policy=SMTP)
    made["From"], made["To"], made["Subject"] = mail.address, to, f"A test of kingdom mail check, {mark}"
    made["Date"], made["Message-ID"], made["Auto-Submitted"] = (
        format_datetime(clock.now()), _id(mail, mark), "auto-generated",
    )  # fmt: skip
    made["References"] = _id(mail, mark, "thread")
    made.set_content("This mail tries the campaign's mailbox. It is deleted once it has arrived.")
    return made.as_bytes()


def _found(server: Server, marks: Mapping[str, str]) -> dict[str, bytes]:
    """Wait for the mails; gives the header of each that arrived, and deletes it. A run may have moved it meanwhile."""
    client = imap.called(server)
    heads: dict[str, bytes] = {}
    try:
        imap.login(client, server)
        with imap.talking(server):
            prefix = imap.prefix(client)
        folders = [imap.named(name, prefix) for name in (server.folder, server.processed or imap.PROCESSED)]
        end = time.monotonic() + WAIT
        while len(heads) < len(marks):
            with imap.talking(server):
                for name in marks.keys() - heads.keys():
                    head = next(filter(None, (_taken(client, folder, marks[name]) for folder in folders)), b"")
                    heads |= {name: head} if head else {}
            if len(heads) == len(marks) or time.monotonic() >= end:
                break
            time.sleep(PAUSE)
        imap.hang_up(client)
    finally:
        imap.cut(client)
    return heads


def _taken(client: IMAPClient, folder: str, mark: str) -> bytes:
    """The header of the mail with that mark in its subject, which is deleted; b"" where it is not there."""
    try:
        client.select_folder(folder)
        uids = client.search(["UNDELETED", "HEADER", "Subject", mark])
    except IMAPClientAbortError:
        raise
    except IMAPClientError:  # no such folder
        return b""
    head = b""
    for entry in client.fetch(uids, ["BODY.PEEK[HEADER]"]).values() if uids else ():
        head = entry[b"BODY[HEADER]"]
    if uids:
        client.delete_messages(uids, silent=True)
        with suppress(IMAPClientError):
            if client.has_capability("UIDPLUS"):  # else it would also delete what other programs only marked
                client.expunge(uids)
    return head
