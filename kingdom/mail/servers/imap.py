"""A mailbox on a server, over IMAP. A thousand messages take some twenty commands: sizes at once, bodies and moves in batches.

Nothing is known of a message from one session to the next but its bytes: a UID means a message only as long as the folder's
UIDVALIDITY stands, which within a session it does. So a changed UIDVALIDITY costs nothing but fetching again what was not
moved away.
"""

from __future__ import annotations

import imaplib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from kingdom.campaign.settings import Server
from kingdom.mail.incoming.taking import Incoming
from kingdom.mail.servers import connection, passwords
from kingdom.mail.servers.connection import (
    Denied,
    Unmoved,
    Unreachable,
    in_time,
    one_line,
    port_of,
    told,
    trusted,
    where,
)
from kingdom.mail.servers.sources import BYTES_AT_ONCE, grouped

if TYPE_CHECKING:
    from socket import socket

# what the server says of a message: its name -> the value, of the type of that name
Fetched: TypeAlias = dict[bytes, Any]

WHAT = "IMAP"
AT_ONCE = 500  # messages; a line with all their UIDs is far below what servers take
SIZES_AT_ONCE = 1000
PROCESSED, REFUSED = "Processed", "Refused"
_ANSWERED = "HEADER.FIELDS (REFERENCES IN-REPLY-TO)"


class Mailbox:
    """The folder of a mailbox that orders come into; a source of kingdom/mail/incoming/taking.py."""

    def __init__(self, server: Server):
        self.server = server
        self._client: IMAPClient  # from `batches` on
        self._prefix = ""
        self._unfetched = self._unmoved = ""  # why something could not be

    def batches(self, size: int = AT_ONCE) -> Iterator[list[Incoming]]:
        """Every message that is there now; what comes while this runs is for the next. Raises Unreachable, Unmoved, Denied."""
        self._client = called(self.server)
        try:
            login(self._client, self.server)
            with talking(self.server):
                self._prefix = prefix(self._client)
                valid, sizes = self._listed()
            for uids in grouped(sizes, AT_ONCE):
                with talking(self.server):
                    found = self._fetched(uids)
                yield [Incoming(f"{valid}/{uid}", *found[uid]) for uid in uids if uid in found]
            hang_up(self._client)
        finally:
            cut(self._client)
        if self._unfetched:
            raise Unreachable(f"The IMAP server {self.server.host} does not hand out a message: {self._unfetched}.")
        if self._unmoved:
            raise Unmoved(
                f"All mail was taken, but the IMAP server {self.server.host} did not move it away: {self._unmoved}."
            )

    def _listed(self) -> tuple[int, list[tuple[int, int]]]:
        """(the folder's UIDVALIDITY, the UID and size of each message in it, the oldest first)."""
        state = self._client.select_folder(named(self.server.folder, self._prefix))
        uids = sorted(self._client.search("UNDELETED")) if state.get(b"EXISTS") else []
        sizes = [
            pair
            for start in range(0, len(uids), SIZES_AT_ONCE)
            for pair in self._sizes(uids[start : start + SIZES_AT_ONCE])
        ]
        return state.get(b"UIDVALIDITY", 0), sizes

    def _sizes(self, uids: list[int]) -> list[tuple[int, int]]:
        """(UID, bytes) of those that are still there. Where the server does not say, each is taken for one that goes alone."""
        found: dict[int, Fetched] = {}
        if refusal(lambda: found.update(self._client.fetch(uids, ["RFC822.SIZE"]))):
            return [(uid, BYTES_AT_ONCE) for uid in uids]
        return [(uid, entry.get(b"RFC822.SIZE", 0)) for uid, entry in found.items()]

    def _fetched(self, uids: list[int]) -> dict[int, tuple[bytes, datetime | None]]:
        """UID -> (the message's bytes, when the server got it); not of one that another program has deleted meanwhile."""
        found = {}
        for uid, entry in self._bodies(uids).items():
            if entry.get(b"BODY[]"):
                came = entry.get(b"INTERNALDATE")
                found[uid] = entry[b"BODY[]"], came.astimezone(UTC) if came else None
        return found

    def _bodies(self, uids: list[int]) -> dict[int, Fetched]:
        """As fetched. Where the server refuses, because some were deleted meanwhile or one is broken, the others one by one."""
        found: dict[int, Fetched] = {}

        def fetch(some: list[int]) -> str:
            return refusal(lambda: found.update(self._client.fetch(some, ["BODY.PEEK[]", "INTERNALDATE"])))

        if fetch(uids):
            self._client.noop()  # now both sides know what is gone
            if fetch(uids):
                for uid in uids:
                    self._unfetched = fetch([uid]) or self._unfetched
        return found

    def done(self, places: Sequence[str], refused: Sequence[str]) -> None:
        """Move them out of the folder; the folders they go to are made where they are missing.

        Where the server will not, because the mailbox is full for example, the other mail is taken all the same, and
        `batches` raises Unmoved at its end. Raises Unreachable.
        """
        for names, folder in ((places, self.server.processed or PROCESSED), (refused, self.server.refused or REFUSED)):
            uids = [int(place.partition("/")[2]) for place in names]
            if uids:
                with talking(self.server):
                    self._unmoved = self._moved(uids, named(folder, self._prefix)) or self._unmoved

    def _moved(self, uids: list[int], folder: str) -> str:
        """Move them; gives why not. The folder may have to be made first, and then other programs' deletions heard of."""
        said = ""
        for _ in range(3):
            said = refusal(lambda: self._move(uids, folder))
            trouble = said and refusal(lambda: self._mend(folder))
            if trouble or not said:
                return trouble
        return said

    def _mend(self, folder: str) -> None:
        """Make the folder; where it is there, ask what happened meanwhile, such as messages that are gone."""
        if self._client.folder_exists(folder):
            self._client.noop()
            return
        self._client.create_folder(folder)
        self._client.subscribe_folder(folder)  # or mail programs do not show it

    def _move(self, uids: list[int], folder: str) -> None:
        """With MOVE at once; else a copy first. A run killed after that makes another copy next time."""
        client = self._client
        if client.has_capability("MOVE"):
            client.move(uids, folder)
            return
        client.copy(uids, folder)
        client.delete_messages(uids, silent=True)
        client.expunge(uids if client.has_capability("UIDPLUS") else None)


def answers_to(server: Server, ours: str, since: date | None = None) -> list[str]:
    """What the messages in the folder Processed answer, of those that answer a mail of ours whose Message-ID has these letters: the headers
    that say it. since: the day on which the oldest came. Raises Unreachable, Denied."""
    client, texts = called(server), list[str]()
    try:
        login(client, server)
        with talking(server):
            folder = named(server.processed or PROCESSED, prefix(client))
            if client.folder_exists(folder):
                client.select_folder(folder, readonly=True)
                newer = ["SINCE", since] if since else []
                uids = client.search([*newer, "OR", "HEADER", "References", ours, "HEADER", "In-Reply-To", ours])
                for start in range(0, len(uids), AT_ONCE):
                    found = client.fetch(uids[start : start + AT_ONCE], [f"BODY.PEEK[{_ANSWERED}]"])
                    texts += [
                        entry.get(f"BODY[{_ANSWERED}]".encode(), b"").decode("ascii", "replace")
                        for entry in found.values()
                    ]
        hang_up(client)
    finally:
        cut(client)
    return texts


# --- a connection ------------------------------------------------------------------------------------------------------


class _Client(IMAPClient):  # type: ignore[misc]
    """A client over a connection that `connection.opened` makes."""

    def __init__(self, server: Server):
        self._server = server
        timeout = SocketTimeout(connection.CONNECT, connection.ANSWER)
        super().__init__(server.host, port_of(server, WHAT), ssl=False, timeout=timeout)

    def _create_IMAP4(self) -> imaplib.IMAP4:
        server = self._server

        class Opened(imaplib.IMAP4):
            def _create_socket(self, timeout: float | None = None) -> socket:
                return connection.opened(server, WHAT)

        return Opened(self.host, self.port)


def called(server: Server) -> IMAPClient:
    """A connection to the server, over TLS if it is to be. Raises Unreachable, Denied."""
    with talking(server, calling=True):
        client = _Client(server)
    if server.tls == "starttls":
        try:
            with talking(server):
                if not client.has_capability("STARTTLS"):
                    raise Denied(f"{where(server, WHAT)}, offers no STARTTLS, so the password would go in the open.")
                client.starttls(trusted())
        except BaseException:
            cut(client)
            raise
    return client


def login(client: IMAPClient, server: Server) -> None:
    """Log in. Raises Denied, and Unreachable where the server has other troubles."""
    secret = passwords.secret_of(server, WHAT)
    with talking(server):
        try:
            if server.auth == passwords.XOAUTH2:
                if not client.has_capability("AUTH=XOAUTH2"):
                    raise Denied(f"{where(server, WHAT)}, takes no access tokens (`auth: xoauth2`).")
                client.oauth2_login(server.username, secret)
            else:
                client.login(server.username, secret)
        except LoginError as error:
            if isinstance(error.__context__, IMAPClientAbortError):
                raise error.__context__ from None
            raise passwords.refused(server, WHAT, str(error)) from None


def prefix(client: IMAPClient) -> str:
    """What the names of one's own folders begin with on this server, such as `INBOX.`; mostly nothing."""
    if not client.has_capability("NAMESPACE"):
        return ""
    prefixes = [name for name, _ in client.namespace().personal or ()]
    return "" if "" in prefixes or not prefixes else prefixes[0]


def named(folder: str, prefix: str) -> str:
    """The folder's name on the server, with the prefix that all but INBOX have there."""
    return folder if folder.upper() == "INBOX" or folder.startswith(prefix) else prefix + folder


def refusal(ask: Callable[[], object]) -> str:
    """Ask the server; gives why it would not, "" where it did. Raises what a broken connection raises."""
    try:
        ask()
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        return one_line(error) or "it gives no reason"
    return ""


@contextmanager
def talking(server: Server, calling: bool = False) -> Iterator[None]:
    """Say in words what goes wrong, and hang up on a server that keeps one waiting. calling: nobody has answered yet.

    Raises Unreachable, Denied.
    """
    with told(server, WHAT, calling):
        try:
            with in_time():
                yield
        except IMAPClientAbortError as error:
            if isinstance(error.__context__, TimeoutError):
                raise TimeoutError from None
            raise Unreachable(f"{where(server, WHAT)}, broke off ({one_line(error)}).") from None
        except IMAPClientError as error:
            raise Unreachable(f"{where(server, WHAT)}, would not do it ({one_line(error)}).") from None


def hang_up(client: IMAPClient) -> None:
    """Log out; a server that does not take leave does no harm."""
    with suppress(OSError, EOFError, IMAPClientError):
        with in_time(connection.CONNECT):
            client.logout()


def cut(client: IMAPClient) -> None:
    """Close the connection, whatever state it is in."""
    with suppress(Exception):
        client.shutdown()
