"""Placeholders for what a report's mail holds and who makes it must not know: tokens, the campaign's address, names of published pages.

Each has the length and the shape of what it stands for, letter for letter and digit for digit, so that lines wrap and links
are cut as with the real one. Nobody can guess one, so that nothing else in a mail looks like it.
"""

from __future__ import annotations

import secrets
import string
from collections.abc import Iterable
from html import escape
from urllib.parse import quote

from msgspec.structs import replace

from kingdom.campaign.campaign import Campaign
from kingdom.campaign.settings import Mail, Settings
from kingdom.engine.dice import GM
from kingdom.mail import tokens
from kingdom.mail.outgoing import letters, posting
from kingdom.mail.outgoing.letters import Content

_LEAST = 8  # letters and digits of an address whose placeholder nothing else looks like


class Disguise:
    """The placeholders of one campaign for the mails of one turn. key: in place of that in `mail/key`."""

    def __init__(self, campaign: Campaign, turn: int):
        self._campaign, self._turn = campaign, turn
        self.key = secrets.token_hex(32).encode()
        self._address = letters.address_of(campaign)
        self._shown = _alike(self._address)
        self._tokens = {seat: _alike("x" * 12) for seat in tokens.own_tokens(campaign.settings)}

    @property
    def can_be(self) -> bool:
        """Whether the campaign's address has a placeholder that nothing else looks like."""
        return self._address.isascii() and sum(map(str.isalnum, self._address)) >= _LEAST

    def put_on(self, settings: Settings) -> Settings:
        """The settings of a parcel, with placeholders."""
        mail = self._campaign.settings.mail
        people = {seat: replace(player, token=self._tokens.get(seat, "")) for seat, player in settings.players.items()}
        gm = replace(settings.gm, token=self._tokens.get(GM, ""), email=() if mail else (self._shown,))
        return replace(settings, players=people, gm=gm, mail=Mail(self._shown, tags=mail.tags) if mail else None)

    def taken_off(self, content: Content, seat: str, copy: Campaign) -> Content:
        """What a mail to a seat says, without placeholders. copy: the campaign with the settings of the parcel."""
        pairs = [*self._pairs(seat, copy)]

        def real(text: str) -> str:
            for placeholder, meant in pairs:
                text = text.replace(placeholder, meant)
            return text

        files = [file._replace(data=real(file.data.decode()).encode()) for file in content.enclosed]
        return content._replace(text=real(content.text), html=real(content.html), enclosed=files)

    def _pairs(self, seat: str, copy: Campaign) -> Iterable[tuple[str, str]]:
        """(placeholder, what it stands for) in a mail to a seat, each as it may be written there."""
        for written in (str, escape, _quoted, lambda text: escape(_quoted(text))):
            yield written(self._shown), written(self._address)
        own, standing = tokens.own_token(self._campaign, seat), self._tokens.get(seat, "")
        if own:
            key = tokens.key_of(self._campaign)
            for turn in (self._turn, self._turn + 1):
                yield tokens.made_for_turn(self.key, seat, standing, turn), tokens.made_for_turn(key, seat, own, turn)
        if self._campaign.settings.publish.url:
            for what in (f"report {self._turn}", "form"):
                yield posting.published_name(copy, seat, what), posting.published_name(self._campaign, seat, what)


def _quoted(text: str) -> str:
    return quote(text, safe="@")


def _alike(text: str) -> str:
    """A text that nobody guesses: for each letter another one, for each digit another one."""
    return "".join(map(_another, text))


def _another(letter: str) -> str:
    for kind in (string.ascii_lowercase, string.ascii_uppercase, string.digits):
        if letter in kind:
            return secrets.choice(kind)
    return letter
