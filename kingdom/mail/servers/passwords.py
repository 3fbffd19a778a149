"""The password or access token for a mail server: out of the environment, or from a command of the GM's.

Whatever was read here is remembered only so that no message repeats it (`masked`).
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from base64 import b64encode
from contextlib import suppress
from typing import TYPE_CHECKING

from kingdom.mail import refusals
from kingdom.mail.servers.connection import Denied, Unreachable, keep_secret, one_line

if TYPE_CHECKING:
    from kingdom.campaign.settings import Server

XOAUTH2 = "xoauth2"  # `auth` of a server that wants an access token
TIME = 60  # seconds that the command has
_LONGEST = 16_384  # letters of an access token; those of Microsoft have some 2,500


def secret_of(server: Server, what: str) -> str:
    """The password or access token, from `password_command` where there is one. Raises Denied where it can't be had."""
    if server.password_command:
        found = _from_command(server, what)
    elif server.password_env:
        found = _from_environment(server, what)
    else:
        raise Denied(
            f"campaign.yaml has neither `password_env` nor `password_command` for the {what} server {server.host}: "
            f"the variable that holds the password, or a command that prints it."
        )
    keep_secret(found)
    for text in (found, f"\0{server.username}\0{found}", bearer(server, found)):
        # as it is sent: servers like to repeat a line that they did not understand
        keep_secret(b64encode(text.encode()).decode())
    return found


def named(server: Server) -> str:
    """What the secret is called in a sentence."""
    return "access token" if server.auth == XOAUTH2 else "password"


def refused(server: Server, what: str, text: str | bytes, code: int = 0) -> Unreachable | Denied:
    """That the server did not let us in, and what to do. text: its words, in which the secret may stand. code: of SMTP."""
    words, said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text, one_line(text)
    of, lasts = refusals.login_speaks_of(words, code), f"look at the {named(server)} too: `kingdom mail check`"
    if of == refusals.MOMENT:
        return Unreachable(
            f"The {what} server {server.host} lets nobody in now ({said}). The next run tries again; if this lasts, {lasts}."
        )
    if of == refusals.OFF:
        return Denied(
            f"The {what} server {server.host} does not let {server.username} in like this ({said}). It speaks of the account, not of a wrong "
            f"{named(server)}: allow {what} there, or the kind of login that it asks for. If that is done already, {lasts}."
        )
    begin = f"The {what} server {server.host} refused the {named(server)} of {server.username} ({said})."
    if server.auth == XOAUTH2:
        source = "`password_command`" if server.password_command else server.password_env
        return Denied(
            f"{begin} It may have expired, or be for another mailbox or for less than IMAP and SMTP. {source} has to give a fresh one each time."
        )
    cure = f"It comes from the variable {server.password_env}: put the right one there, also where cron or the timer reads it."
    if server.password_command:
        cure = "`password_command` printed it: run that in a terminal to see whether it is the one of today."
    return Denied(f"{begin} {cure} Then try `kingdom mail check`.")


def bearer(server: Server, token: str) -> str:
    """What XOAUTH2 sends: the user and the access token in one text."""
    return f"user={server.username}\x01auth=Bearer {token}\x01\x01"


def _from_environment(server: Server, what: str) -> str:
    found = os.environ.get(server.password_env, "").rstrip("\r\n")
    begin = f"{server.password_env} holds the {named(server)} for {server.username} at the {what} server {server.host}"
    if not found:
        raise Denied(
            f"{begin}, and is not set. Type `export {server.password_env}='...'` first, or, if cron's file has it, "
            f"`set -a; . ~/.kingdom-passwords`."
        )
    _prove_plain(server, found, begin)
    return found


def _from_command(server: Server, what: str) -> str:
    """The first line that the command prints. What it says on standard error is not repeated: it may hold the secret."""
    begin = (
        f"`password_command` prints the {named(server)} for {server.username} at the {what} server {server.host}, and"
    )
    cure = "Run it in a terminal to see why."
    code, output = _run(server.password_command, begin)
    if code:
        raise Denied(f"{begin} failed (exit code {code}). {cure}")
    found = output.partition("\n")[0].strip()
    if not found:
        raise Denied(f"{begin} printed nothing. {cure}")
    _prove_plain(server, found, begin.removesuffix(", and"))
    if len(found) > _LONGEST:
        raise Denied(f"{begin} printed a line of {len(found)} letters. Its first line has to be the secret alone.")
    return found


def _run(command: str, begin: str) -> tuple[int, str]:
    """(exit code, standard output). The command and what it started are stopped when its time is over. Raises Denied."""
    try:
        words = shlex.split(command)
        words[:1] = [os.path.expanduser(word) for word in words[:1]]
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,  # so that it does not wait for somebody to type
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError, IndexError) as error:
        why = error.strerror if isinstance(error, OSError) else "its quotes do not match"
        raise Denied(f"{begin} can't be run ({why}). Write the program with its whole path.") from None
    with process:
        try:
            output, _ = process.communicate(timeout=TIME)
        except subprocess.TimeoutExpired:
            raise Denied(f"{begin} did not end within {TIME} seconds. Does it wait for somebody to type?") from None
        finally:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            if process.stdout:
                process.stdout.close()
    return process.returncode, output.decode("utf-8", "replace")


def _prove_plain(server: Server, found: str, begin: str) -> None:
    both = server.username + found
    if not (both.isascii() and both.isprintable()):
        raise Denied(f"{begin}, and one of the two has letters that servers read in different ways. Choose plain ones.")
