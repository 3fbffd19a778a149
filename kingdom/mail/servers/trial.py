"""kingdom mail check: the servers of a campaign or a house tried step by step, and in words what is wrong and what to change."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.campaign.settings import Mail, Server
from kingdom.mail import refusals
from kingdom.mail.servers import connection as servers
from kingdom.mail.servers import imap, passwords, round_trip, smtp
from kingdom.mail.servers.connection import Denied, Unreachable

if TYPE_CHECKING:
    from imapclient import IMAPClient

DONE, WRONG = 0, 1


def trial(mail: Mail | None, file: Path, readers: Iterable[str] = ()) -> tuple[list[str], int]:
    """(what was found, a line a step; the exit code: that of the worst). file: campaign.yaml or house.yaml, which names the servers.
    readers: addresses that mail will go to; none of them gets any, but the server is asked whether it would take some for one elsewhere."""
    if mail is None or not (mail.imap or mail.smtp):
        return [
            f"There is no server in {file.name}: mail is taken from {file.parent}/mail/inbox and put into mail/outbox."
        ], DONE
    lines: list[str] = []
    code = DONE
    elsewhere = next((one for one in readers if _domain(one) != _domain(mail.address)), "")
    for name, server, steps in (("imap", mail.imap, _imap), ("smtp", mail.smtp, partial(_smtp, elsewhere=elsewhere))):
        if server is None:
            lines.append(f"{name}: there is none in {file.name}; {_WITHOUT[name]}.")
            continue
        try:
            for line in steps(mail, server):
                lines.append(f"{name}: {line}")
            lines.append(f"{name}: all is well.")
        except (Unreachable, Denied) as error:
            lines.append(f"{name}: WRONG. {error}")
            code = max(code, error.exit_code)
    if mail.imap and mail.smtp and code == DONE:
        code = max(code, _there_and_back(mail, lines))
    return lines, code


def _there_and_back(mail: Mail, lines: list[str]) -> int:
    """Test mails from the address to itself; adds lines, gives the exit code."""
    code = DONE
    try:
        for line in round_trip.tried(mail):
            lines.append(f"test: {line}")
            code = max(code, WRONG if line.startswith(round_trip.WRONG) else DONE)
    except smtp.Refused as refusal:
        assert mail.smtp
        about_us = refusal.about_us(mail.smtp, mail.address) if refusal.of in refusals.OURS else None
        lines.append(
            f"test: {round_trip.WRONG}{about_us or f'The server does not take the test mail ({refusal.code} {refusal.text}).'}"
        )
        code = max(code, about_us.exit_code if about_us else WRONG)
    except (Unreachable, Denied) as error:
        lines.append(f"test: {round_trip.WRONG}{error}")
        code = max(code, error.exit_code)
    return code


_WITHOUT = {"imap": "mail is taken from mail/inbox", "smtp": "mail stays in mail/outbox"}


def _imap(mail: Mail, server: Server) -> Iterator[str]:
    """The steps of fetching."""
    yield from _way(server, imap.WHAT)
    client = imap.called(server)
    try:
        yield _encrypted(server)
        imap.login(client, server)
        yield _let_in(server)
        yield from _folders(client, server)
        imap.hang_up(client)
    finally:
        imap.cut(client)


def _folders(client: IMAPClient, server: Server) -> Iterator[str]:
    with imap.talking(server):
        prefix = imap.prefix(client)
        folder = imap.named(server.folder, prefix)
        if imap.refusal(lambda: client.select_folder(folder, readonly=True)):
            there = ", ".join(sorted(name for _, _, name in client.list_folders()))
            raise Unreachable(f"There is no folder {folder} that can be read. Write one of these as `folder`: {there}.")
        count = len(client.search("UNDELETED"))
    yield f"the folder {folder} can be read; {'1 message lies' if count == 1 else f'{count} messages lie'} there."
    for name in (server.processed or imap.PROCESSED, server.refused or imap.REFUSED):
        with imap.talking(server):
            there = client.folder_exists(imap.named(name, prefix))
        yield f"the folder {imap.named(name, prefix)} {'is there' if there else 'will be made'}."
    with imap.talking(server):
        move = client.has_capability("MOVE")
    yield (
        "messages are moved by one command."
        if move
        else "messages are copied and then deleted: the server has no MOVE, which does no harm."
    )


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()


def _smtp(mail: Mail, server: Server, elsewhere: str) -> Iterator[str]:
    """The steps of sending, up to where a mail would follow. elsewhere: an address of another domain, "" for none."""
    yield from _way(server, smtp.WHAT)
    connection = smtp.called(server)
    try:
        yield _encrypted(server)
        smtp.login(connection, server)
        yield _let_in(server) if server.username else "no `username` is set, so nobody logs in."
        for to in filter(None, (mail.address, elsewhere)):
            with smtp.talking(server):
                try:
                    smtp.hand_over(connection, server, mail.address, to, None)
                except smtp.Refused as refusal:
                    if refusal.of in refusals.OURS:
                        raise refusal.about_us(server, mail.address) from None
                    said = f"would not take a mail from {mail.address} to {to} ({refusal.code} {refusal.text})"
                    if to == mail.address:
                        raise Unreachable(f"It {said}. Is `address` right?") from None
                    yield f"it {said}. Is that address right?"
                    break
            yield f"it takes a mail from {mail.address} to {to}."
        smtp.hang_up(connection)
    finally:
        smtp.cut(connection)


def _way(server: Server, what: str) -> Iterator[str]:
    """The name and the port, before anything is said."""
    port = servers.port_of(server, what)
    with servers.told(server, what, calling=True):
        found = socket.getaddrinfo(server.host, port, type=socket.SOCK_STREAM)
    addresses = dict.fromkeys(address[0] for *_, address in found)
    yield f"{server.host} is {', '.join(map(str, addresses))}."
    with servers.told(server, what, calling=True):
        socket.create_connection((server.host, port), timeout=servers.CONNECT).close()
    yield f"port {port} answers."


def _let_in(server: Server) -> str:
    by = " with an access token (`auth: xoauth2`)" if server.auth == passwords.XOAUTH2 else ""
    return f"{server.username} is let in{by}."


def _encrypted(server: Server) -> str:
    if server.tls == "none":
        return "nothing is encrypted (`tls: none`): anybody on the way can read the password."
    return f"the connection is encrypted (`tls: {server.tls}`), and the certificate is good."
