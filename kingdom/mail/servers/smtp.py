"""Sending what waits in the outbox over one SMTP connection."""

from __future__ import annotations

import smtplib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from kingdom.campaign.calendar import span
from kingdom.campaign.campaign import Campaign, Place
from kingdom.campaign.settings import Server
from kingdom.engine.problems import Faults, Problem
from kingdom.mail import refusals
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import following, outbox
from kingdom.mail.records import Line
from kingdom.mail.servers import connection as servers
from kingdom.mail.servers import passwords
from kingdom.mail.servers.connection import Denied, Unreachable, in_time, one_line, port_of, told, trusted, where

if TYPE_CHECKING:
    from smtplib import SMTP
    from socket import socket

WHAT = "SMTP"
GAPS = ("5m", "15m", "1h", "4h", "12h")  # after a refusal for now; the last one again and again
# seconds to accept a whole mail: a server that looks into it may be slow, and hanging up would send it twice
ACCEPTING = 600
HERE = "[127.0.0.1]"  # what we say we are called: no server needs it, and asking for our name can take long
_CLOSING = 421  # the server hangs up: about itself, not about the mail
ENOUGH = 3  # mails in a row that are refused in words about us: then the server is left alone until the next run


class Sent(NamedTuple):
    """What became of what waited: the ids of the mails. error: what the server said of us where it refused some for that, the gravest."""

    sent: list[str]
    again: list[str]
    dropped: list[str]
    unread: list[Problem]  # of those whose files can't be read, which stop no other
    error: Unreachable | Denied | None = None

    @property
    def said(self) -> str:
        """How many of each, in words."""
        return f"{len(self.sent)} sent, {len(self.again)} to be tried again, {len(self.dropped)} refused for good."


class Refused(Exception):
    """The server does not take this mail. of: what it speaks of (kingdom/mail/refusals.py). is_vague: its words don't tell."""

    def __init__(self, code: int, text: object, at: str = refusals.AT_READER):
        self.code, self.at = code, at
        self.text = one_line(text)
        said = " ".join(str(text).split())
        self.of, self.is_vague = refusals.spoken_of(code, said, at), refusals.is_vague(code, said, at)
        super().__init__(code, text)

    def about_us(self, server: Server, sender: str) -> Unreachable | Denied:
        """The same for who runs the campaign, where it speaks of us: in words that stay the same from mail to mail."""
        begin, said = f"The SMTP server {server.host}", f"{self.code} {refusals.steady(self.text)}".strip()
        then = "No player's address is at fault, and nothing is lost: the mails wait, and each run tries again."
        if self.of == refusals.LIMIT:
            return Unreachable(f"{begin} takes no more mail from us for now ({said}). {then}")
        if "starttls" in self.text.lower() and server.tls == "none":
            return Denied(f"{begin} takes no mail without TLS ({said}). Write `tls: starttls`. {then}")
        if self.code in refusals.LOGIN_CODES:
            return Denied(
                f"{begin} takes no mail without a login ({said}). Set `username`, and `password_env` or `password_command`. {then}"
            )
        whose, we = server.username or "us", f"{server.username} sends" if server.username else "we send"
        if self.at == refusals.AT_SENDER:
            return Denied(
                f"{begin} does not let {whose} send as {sender} ({said}). As `address` write one that this account may send from. {then}"
            )
        cure = "Perhaps it wants a login: `username`, and `password_env` or `password_command`."
        if server.username:
            cure = "See in the account, or ask its provider, what keeps it from sending; `kingdom mail check` tries it."
        return Denied(f"{begin} does not pass on what {we} as {sender} ({said}). {cure} {then}")


class HungUp(ConnectionError):
    """The server ended the connection before it heard of a mail more than its sender."""


class Calls:
    """Connections to SMTP servers that all campaigns of a run share: each server is called once, and one that does not answer is
    not called again. Used as a context, which ends them."""

    def __init__(self) -> None:
        self._open: dict[Server, SMTP] = {}
        self._failed: dict[Server, Unreachable | Denied] = {}
        self.served: set[Server] = set()  # on whose connection a mail was taken or refused already
        self.refusals: dict[Server, int] = {}  # how many mails in a row it refused in words about us

    def __enter__(self) -> Calls:
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._open.values():
            hang_up(connection)
            cut(connection)
        self._open.clear()

    def to(self, server: Server) -> SMTP:
        """Return a connection on which one is logged in. Raises Unreachable, Denied."""
        if server in self._failed:
            raise self._failed[server]
        if server in self._open and not _answers(self._open[server]):  # it hung up while a turn was played
            self.cut(server)
        return self.open_to(server)

    def open_to(self, server: Server) -> SMTP:
        """Return the same without asking whether it still holds. Raises Unreachable, Denied."""
        if server not in self._open:
            try:
                self._open[server] = called(server)
                login(self._open[server], server)
            except (Unreachable, Denied) as error:
                self._failed[server] = error
                self.cut(server)
                raise
        return self._open[server]

    def cut(self, server: Server) -> None:
        """Close a connection, whatever state it is in; the next who asks for one gets a new one."""
        self.served.discard(server)
        if server in self._open:
            cut(self._open.pop(server))


def _answers(connection: SMTP) -> bool:
    try:
        with in_time(servers.CONNECT):
            return connection.noop()[0] == 250
    except (OSError, smtplib.SMTPException):
        return False


def send(campaign: Campaign, journal: Journal, now: datetime, calls: Calls | None = None) -> Sent:
    """Send all that waits and is due. Only for who holds the campaign. Raises Unreachable, Denied; what was sent until then is.

    A mail is written down as sent after the server took it; a run that is killed in between sends it once more, with the
    same Message-ID. calls: the connections of a run of several campaigns.
    """
    outbox.settle(campaign, journal)
    following.follow(campaign, journal, now)
    return deliver(campaign, journal, now, calls)


def deliver(place: Place, journal: Journal, now: datetime, calls: Calls | None, only: str = "") -> Sent:
    """Send what waits and is due, as it is. Raises Unreachable, Denied; what was sent until then is. calls: as in `send`. only: nothing but
    this mail.

    A refusal that speaks of us stops no other mail: some servers let us write to their own people alone, and others repeat a stranger's words.
    But after some in a row, or after one of a mail that was refused so before, the rest waits for the next run. What was tried least goes first.
    """
    if calls is None:
        with Calls() as own:
            return deliver(place, journal, now, own, only)
    result = Sent([], [], [], [])
    mail = place.settings.mail
    due = [entry for entry in outbox.due(journal, now) if not only or entry["mail"] == only]
    if mail is None or mail.smtp is None or not due:
        return result
    calls.to(mail.smtp)
    about_us: list[Unreachable | Denied] = []
    vague: list[tuple[Line, Refused]] = []
    try:
        journal.sync()  # a mail that a server got is one that the journal knows
        outbox.hand_over(journal, due, now)
        for entry in due:
            refusal = _send_one(place, journal, calls, entry, result, now)
            if refusal is not None and refusal.is_vague:
                vague.append((entry, refusal))
                continue
            if refusal is None or refusal.of not in refusals.OURS:
                calls.refusals[mail.smtp] = 0 if refusal is None else calls.refusals.get(mail.smtp, 0)
                continue
            about_us.append(refusal.about_us(mail.smtp, mail.address))
            calls.refusals[mail.smtp] = calls.refusals.get(mail.smtp, 0) + 1
            if calls.refusals[mail.smtp] >= ENOUGH or entry.get("tries", 0) > 1:
                break
    except BaseException:
        calls.cut(mail.smtp)
        raise
    finally:
        ours = _put_off_vague(journal, vague, result, now)
    about_us += [refusal.about_us(mail.smtp, mail.address) for refusal in ours]
    if not about_us and (result.sent or result.again or result.dropped):
        journal.note_server(now, WHAT, "")
    return result._replace(error=max(about_us, key=lambda error: error.exit_code, default=None))


def _send_one(
    campaign: Place, journal: Journal, calls: Calls, entry: Line, result: Sent, now: datetime
) -> Refused | None:
    """Send one mail and write down what became of it; gives why it was refused. Raises Unreachable, Denied."""
    mail = entry["mail"]
    try:
        data = outbox.read(campaign, mail)
    except Faults as faults:
        result.unread.extend(faults.problems)
        return None
    if data is None:
        outbox.note_taken_out(journal, mail, now)
        return None
    settings = campaign.settings.mail
    assert settings and settings.smtp  # or there were no connection
    try:
        with talking(settings.smtp):
            _hand_over_by(calls, settings.smtp, settings.address, entry["to"], data)
    except Refused as refusal:
        if refusal.is_vague and not result.sent and _is_as_before(entry, refusal):
            refusal.of, refusal.is_vague = entry["of"], False
        if not refusal.is_vague:
            _put_off(journal, entry, refusal, result, now)
        with talking(settings.smtp):
            _begin_anew(calls, settings.smtp)
        return refusal
    except Unreachable as error:
        # Tried again at once, but after all others: a mail that a server breaks over every time stops none of them.
        journal.add(
            "failed", now, mail=mail, code=0, text=str(error), tries=entry.get("tries", 0) + 1, again=now.isoformat()
        )
        raise
    journal.add("sent", now, mail=mail)
    outbox.put_with_the_sent(campaign, mail)
    result.sent.append(mail)
    return None


def _hand_over_by(calls: Calls, server: Server, sender: str, to: str, data: bytes) -> None:
    """Give the server a mail, by a second call where it ended a connection on which it had served one: some do so after a refusal, or after
    so many mails. Raises as `hand_over` does."""
    try:
        hand_over(calls.open_to(server), server, sender, to, data)
    except HungUp:
        if server not in calls.served:
            raise
        calls.cut(server)
        hand_over(calls.open_to(server), server, sender, to, data)
    finally:
        calls.served.add(server)


def _begin_anew(calls: Calls, server: Server) -> None:
    """Let the server forget a mail that it refused; the next mail goes by another connection where it does not say that it did."""
    try:
        forgot = calls.open_to(server).rset()[0] == 250
    except smtplib.SMTPServerDisconnected as error:
        if isinstance(error.__context__, TimeoutError):
            raise
        forgot = False
    if not forgot:
        calls.cut(server)


def hand_over(connection: SMTP, server: Server, sender: str, to: str, data: bytes | None) -> None:
    """Give the server a mail; without data only ask whether it would take one. Raises Refused, Unreachable, Denied, and what smtplib does."""
    size = [f"SIZE={len(data)}"] if data is not None and connection.has_extn("size") else []
    try:
        _agreed(connection.mail(sender, size), refusals.AT_SENDER)
    except smtplib.SMTPServerDisconnected as error:
        if isinstance(error.__context__, TimeoutError):
            raise
        raise HungUp from None
    except ConnectionError as error:
        raise HungUp(*error.args) from None
    except Refused as refusal:
        if refusal.of in refusals.OURS:  # as every mail has that sender
            raise refusal.about_us(server, sender) from None
        raise
    _agreed(connection.rcpt(to), refusals.AT_READER)
    if data is None:
        connection.rset()
        return
    waiting_for(connection, ACCEPTING)
    try:
        answer: tuple[int, bytes | str] = connection.data(data)
    except smtplib.SMTPDataError as error:
        answer = error.smtp_code, error.smtp_error
    _agreed(answer, refusals.AT_TEXT)
    waiting_for(connection, servers.ANSWER)


def waiting_for(connection: SMTP, seconds: float) -> None:
    """Wait that long for the server's next answers."""
    if connection.sock is not None:
        connection.sock.settimeout(seconds)


def _agreed(answer: tuple[int, bytes | str], at: str) -> None:
    """Raise what an answer means that is no consent. at: what was asked."""
    code, text = answer
    if 200 <= code <= 299:
        return
    if code == _CLOSING or code < 400:  # smtplib has -1 for a line that is no answer
        raise ConnectionError(f"{code} {refusals.steady(one_line(text))}" if code > 0 else "")
    raise Refused(code, text.decode("utf-8", "replace") if isinstance(text, bytes) else text, at)


def _is_as_before(entry: Line, refusal: Refused) -> bool:
    """Whether a mail was refused in these words before, and they were taken as about us."""
    return entry.get("of") in refusals.OURS and refusals.steady(entry.get("text", "")) == refusals.steady(refusal.text)


def _put_off_vague(
    journal: Journal, vague: Iterable[tuple[Line, Refused]], result: Sent, now: datetime
) -> list[Refused]:
    """Write down what was refused in words that don't tell of what they speak; gives those that speak of us: nobody's mail was taken in this
    run, and the same words met several readers."""
    readers: dict[str, set[str]] = {}
    for entry, refusal in vague:
        readers.setdefault(refusals.steady(refusal.text), set()).add(entry["to"].lower())
    ours = []
    for entry, refusal in vague:
        if not result.sent and len(readers[refusals.steady(refusal.text)]) > 1:
            refusal.of = refusals.ACCESS
            ours.append(refusal)
        _put_off(journal, entry, refusal, result, now)
    return ours


def _put_off(journal: Journal, entry: Line, refusal: Refused, result: Sent, now: datetime) -> None:
    """What speaks of us is tried again by the next run, what speaks of the moment after a while, which grows. The rest is not, and the GM is
    told."""
    mail, tries = entry["mail"], entry.get("tries", 0) + 1
    if refusal.of == refusals.MOMENT and entry.get("of") in refusals.OURS:  # what was about us makes no gap longer
        tries = 1
    facts: dict[str, str | int] = {
        "mail": mail,
        "code": refusal.code,
        "text": refusal.text,
        "of": refusal.of,
        "tries": tries,
    }
    if refusal.of not in (*refusals.OURS, refusals.MOMENT):
        journal.add("dropped", now, **facts)
        result.dropped.append(mail)
        return
    gap = span(GAPS[min(tries, len(GAPS)) - 1]) if refusal.of == refusals.MOMENT else span("0m")
    journal.add("failed", now, **facts, again=(now + gap).isoformat())
    result.again.append(mail)


# --- a connection ------------------------------------------------------------------------------------------------------


class _Opened(smtplib.SMTP):
    """A client over a connection that `connection.opened` makes."""

    def __init__(self, server: Server):
        self._server = server
        super().__init__(server.host, port_of(server, WHAT), HERE)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket:
        return servers.opened(self._server, WHAT)


def called(server: Server) -> SMTP:
    """A connection to the server, over TLS if it is to be. Raises Unreachable, Denied."""
    with talking(server, calling=True):
        connection = _Opened(server)
    try:
        with talking(server):
            waiting_for(connection, servers.ANSWER)
            connection.ehlo_or_helo_if_needed()
            if server.tls == "starttls":
                if not connection.has_extn("starttls"):
                    raise Denied(f"{where(server, WHAT)}, offers no STARTTLS, so the password would go in the open.")
                connection.starttls(context=trusted())
    except BaseException:
        cut(connection)
        raise
    return connection


def login(connection: SMTP, server: Server) -> None:
    """Log in, where campaign.yaml names a user. Raises Denied, and Unreachable where the server has other troubles."""
    if not server.username:
        return
    secret = passwords.secret_of(server, WHAT)
    with talking(server):
        try:
            if server.auth == passwords.XOAUTH2:
                _with_token(connection, server, secret)
            else:
                connection.login(server.username, secret)
        except smtplib.SMTPAuthenticationError as error:
            if error.smtp_code == _CLOSING or error.smtp_code < 0:
                raise ConnectionError(f"{error.smtp_code} {one_line(error.smtp_error)}") from None
            raise passwords.refused(server, WHAT, error.smtp_error, error.smtp_code) from None
        except smtplib.SMTPNotSupportedError:
            raise Denied(f"{where(server, WHAT)}, takes no login there. Is `tls` right?") from None


def _with_token(connection: SMTP, server: Server, token: str) -> None:
    """Log in with an access token. Raises Denied where the server takes none, and what smtplib does."""
    connection.ehlo_or_helo_if_needed()
    if "XOAUTH2" not in connection.esmtp_features.get("auth", "").upper().split():
        raise Denied(f"{where(server, WHAT)}, takes no access tokens (`auth: xoauth2`).")

    said = iter([passwords.bearer(server, token)])
    # The token goes in a line of its own, since some servers cut commands at 512 bytes. What is asked after it says why it is refused.
    connection.auth("XOAUTH2", lambda asked=None: next(said, ""), initial_response_ok=False)


@contextmanager
def talking(server: Server, calling: bool = False) -> Iterator[None]:
    """Say in words what goes wrong, and hang up on a server that keeps one waiting. calling: nobody has answered yet.

    Raises Unreachable, Denied.
    """
    with told(server, WHAT, calling):
        try:
            with in_time(servers.PATIENCE + ACCEPTING):
                yield
        except smtplib.SMTPServerDisconnected as error:
            if isinstance(error.__context__, TimeoutError):
                raise TimeoutError from None
            raise Unreachable(f"{where(server, WHAT)}, broke off.") from None
        except smtplib.SMTPResponseException as error:
            raise Unreachable(
                f"{where(server, WHAT)}, would not do it ({error.smtp_code} {one_line(error.smtp_error)})."
            ) from None
        except smtplib.SMTPException as error:
            raise Unreachable(f"{where(server, WHAT)}, would not do it ({one_line(error)}).") from None


def hang_up(connection: SMTP) -> None:
    """Take leave; a server that does not answer to that does no harm."""
    with suppress(OSError, smtplib.SMTPException):
        with in_time(servers.CONNECT):
            connection.quit()


def cut(connection: SMTP) -> None:
    """Close the connection, whatever state it is in."""
    with suppress(Exception):
        connection.close()
