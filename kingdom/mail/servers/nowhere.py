"""A sending server that is none: a run that is only tried sends to it, to the last line of its journal, and reaches nobody."""

from __future__ import annotations

from collections.abc import Sequence
from smtplib import SMTP

from kingdom.campaign.settings import Server
from kingdom.mail.servers.smtp import Calls


class Takes(SMTP):
    """A server that takes every mail and does nothing with it."""

    def mail(self, sender: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        """Let anybody send."""
        return 250, b"ok"

    def rcpt(self, recip: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        """Know everybody."""
        return 250, b"ok"

    def data(self, msg: object) -> tuple[int, bytes]:
        """Take a mail."""
        return 250, b"ok"

    def has_extn(self, opt: str) -> bool:
        """Offer nothing."""
        return False


class NoCalls(Calls):
    """Connections that reach nobody, so that a run sends as it does, to the last line of its journal."""

    def open_to(self, server: Server) -> SMTP:
        """A server that takes all."""
        return Takes()
