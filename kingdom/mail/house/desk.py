"""What the parts of a house share: its folder and journal, its campaigns, the moment of the run, and the mails that it sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign.campaign import Place, Unopened
from kingdom.engine.dice import GM
from kingdom.mail import tokens
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import letters, outbox
from kingdom.mail.outgoing.letters import Content, Link
from kingdom.mail.reading.yes_no import YES
from kingdom.mail.records import Headers, Letter

STRANGER = "stranger"  # whose mails prove nothing: the seat of a house to which its answers go


class Desk(NamedTuple):
    """A house at one run. place: the house as something that gets and sends mails.

    campaigns: name of a folder -> the campaign's folder. also: such a name -> other folders that may be the same campaign; they get its
    mail, too, until its GM says which folder is the right one.
    """

    place: Unopened
    journal: Journal
    campaigns: Mapping[str, Path]
    now: datetime
    also: Mapping[str, Sequence[Path]] = {}

    def post(
        self, id: str, about: str, to: str, subject: str, lines: Sequence[str], typed: Sequence[str] = (), yes: str = "",
        headers: Headers | None = None, more: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Puts a mail to an address into the house's outbox, once for the same id. yes: the name of a link that replies `yes` to it.
        headers: of the mail that it answers. more: further facts for the journal."""
        tokens.keep_key(self.place)
        says_yes = letters.mailto(letters.address_of(self.place), f"{YES} [{word_of(self.place, id)}]", "")
        links = [Link(yes, says_yes, (), YES)] if yes else []
        text, html = letters.short(self.place.settings.name, lines, typed, links)
        answered = (headers.message_id, headers.references) if headers else ("", "")
        content = Content(letters.titled(self.place, subject), text, html, (), *answered, answers=headers is not None)
        letter = letters.letter(self.place, id, "answer", STRANGER, 1, to, content, self.now)
        self._queue(letter._replace(more={"about": about, **(more or {})}))

    def tell_host(self, id: str, subject: str, lines: Sequence[str], typed: Sequence[str] = ()) -> None:
        """Puts a mail to the host into the house's outbox, once for the same id. typed: lines that stay as they are."""
        text, html = letters.short(self.place.settings.name, lines, typed)
        content = Content(letters.titled(self.place, subject), text, html)
        to = self.place.settings.gm.email[0]
        self._queue(letters.letter(self.place, id, "alert", GM, 1, to, content, self.now))

    def _queue(self, letter: Letter) -> None:
        outbox.queue(self.place, self.journal, [letter], self.now)


def word_of(place: Place, mail: str) -> str:
    """The word in the link of a question and in its Message-ID. It proves that whoever shows it got that mail."""
    return tokens.mark_of(tokens.key_of(place), mail, "")


def short(text: str) -> str:
    """A short sign for a text, for the ids of mails."""
    return sha256(text.encode()).hexdigest()[:16]
