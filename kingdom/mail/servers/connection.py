"""What goes wrong with a mail server, in words; and what every connection to one shares."""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from kingdom.campaign import calendar

if TYPE_CHECKING:
    import ssl
    from pathlib import Path
    from socket import socket

    from kingdom.campaign.settings import Server
    from kingdom.mail.journal import Journal

PORTS = {
    "IMAP": {"implicit": 993, "starttls": 143, "none": 143},
    "SMTP": {"implicit": 465, "starttls": 587, "none": 25},
}
CONNECT, ANSWER = 20, 120  # seconds that a server has to take a call, and to go on once it speaks
_GREETING = 6  # times as long as for the call it has for its first line: servers make senders of spam wait
A_MINUTE = timedelta(minutes=1)
PATIENCE = 600  # seconds that one thing asked of a server may take, however steadily it trickles

_CERTIFICATE = {  # OpenSSL's number -> what is wrong with it
    9: "it is not valid yet (is this machine's clock right?)",
    10: "it has expired",
    18: "it is signed by itself, and nobody vouches for it",
    19: "it is signed by an authority that this machine does not know",
    20: "it is signed by an authority that this machine does not know",
    21: "it is signed by an authority that this machine does not know",
    62: "it is for another name. Write the name that is in it as `host`",
    64: "it is for another address. Write the server's name as `host`",
}

_SECRETS: set[str] = set()  # passwords and tokens that this process has read


class Unreachable(Exception):
    """A server can't be reached, or stopped answering. Nothing is lost; the next run goes on."""

    exit_code = 4


class Unmoved(Unreachable):
    """All mail was taken, but the server does not move it away. It will be fetched again, and known again."""


class Denied(Exception):
    """A server refused the password, or its certificate is not one to be trusted."""

    exit_code = 5


def with_folder(error: Unreachable | Denied, folder: Path | str) -> str:
    """What an error says, with the folder that `kingdom mail check` is to be typed with."""
    return str(error).replace("`kingdom mail check`", f"`kingdom mail check {shlex.quote(str(folder))}`")


def noted(
    journal: Journal, what: str, error: Unreachable | Denied, folder: Path | str, now: datetime, zone: str
) -> str:
    """What an error says, once the journal has it, and since when the server fails, by the clock of a zone. folder: as in `with_folder`."""
    said = with_folder(error, folder)
    journal.note_server(now, what, said)
    since = datetime.fromisoformat(journal.servers[what].get("since", now.isoformat()))
    return f"{said} {what} has failed since {calendar.said_at(since, zone)}." if since < now - A_MINUTE else said


def keep_secret(text: str) -> None:
    """From now on no message repeats that text."""
    _SECRETS.add(text)


def trusted() -> ssl.SSLContext:
    """A TLS context that checks the server's certificate and its name."""
    import ssl

    return ssl.create_default_context()


@contextmanager
def told(server: Server, what: str, calling: bool = False) -> Iterator[None]:
    """Say of whatever the network does inside in words what it was. calling: nobody has answered yet. Raises Unreachable, Denied."""
    try:
        yield
    except OSError as error:
        raise in_words(error, server, what, calling) from None
    except EOFError:
        raise Unreachable(f"{where(server, what)}, broke off.") from None


def opened(server: Server, what: str) -> socket:
    """A connection to the server, over TLS if it is to be from the first byte, that waits longer for the server's first line than for its
    call to be taken. On a port where others begin with TLS one that says nothing waits for that. Raises OSError."""
    from socket import create_connection

    made = create_connection((server.host, port_of(server, what)), CONNECT)
    if server.tls == "implicit":
        made = trusted().wrap_socket(made, server_hostname=server.host)
    if server.tls == "implicit" or port_of(server, what) != PORTS[what]["implicit"]:
        made.settimeout(CONNECT * _GREETING)
    return made


def port_of(server: Server, what: str) -> int:
    """The port, as it is said or as it is usual."""
    return server.port or PORTS[what][server.tls]


def where(server: Server, what: str) -> str:
    """How a sentence about a server begins."""
    return f"The {what} server {server.host}, port {port_of(server, what)}"


def in_words(error: OSError, server: Server, what: str, calling: bool) -> Unreachable | Denied:
    """The same, for a person."""
    import socket
    import ssl

    begin = where(server, what)
    if isinstance(error, ssl.SSLCertVerificationError):
        return Denied(
            f"{begin}, shows a certificate that can't be trusted: {_CERTIFICATE.get(error.verify_code, error.verify_message)}."
        )
    if isinstance(error, (ssl.SSLEOFError, ssl.SSLZeroReturnError)):
        return Unreachable(f"{begin}, broke off.")
    if isinstance(error, ssl.SSLError):
        if "WRONG_VERSION" in str(error) or "UNKNOWN_PROTOCOL" in str(error):
            return Unreachable(f"{begin}, does not begin with TLS. Perhaps `tls: starttls` is right for this port.")
        return Unreachable(f"{begin}, and this machine found no way to speak TLS ({error.reason}).")
    if isinstance(error, socket.gaierror):
        return Unreachable(
            f"No server named {server.host} is found ({error.strerror}). Is `host` right, and is there a network?"
        )
    if isinstance(error, TimeoutError):
        hint = "" if server.tls == "implicit" or not calling else " Perhaps `tls: implicit` is right for this port."
        return Unreachable(f"{begin}, did not answer in time.{hint}")
    if isinstance(error, ConnectionRefusedError):
        return Unreachable(f"{begin}, takes no calls. Is `port` right?")
    if isinstance(error, ConnectionError):
        said = f" ({error})" if error.errno is None and str(error) else ""  # the server's words, not the system's
        return Unreachable(f"{begin}, broke off{said}.")
    return Unreachable(f"{begin}, can't be reached ({error.strerror or error}).")


@contextmanager
def in_time(seconds: float | None = None) -> Iterator[None]:
    """Hang up on a server that trickles: no single wait is too long, but all together they are. Raises TimeoutError.

    It takes the alarm of the process, which only its main thread can, and not on Windows; elsewhere each single wait is limited, as ever.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds or PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def one_line(text: object) -> str:
    """What a server said, short, on one line, and without a password should it say that."""
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    for secret in sorted(_SECRETS, key=len, reverse=True):  # one may be a part of another
        said = said.replace(secret, "...")
    said = " ".join(said.split())[:300]
    said = said[2:-1] if said[:2] in ("b'", 'b"') else said  # imaplib shows bytes as they are in a program
    return said.rstrip(".")
