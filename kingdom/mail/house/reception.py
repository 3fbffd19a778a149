"""Takes in the mail of a house: each message goes into the mail/inbox of its campaign, and that campaign's own run takes it from there.

A message is on the disk there before it is moved on the server. A message that fits no campaign stays in the house's own mail/inbox: the
host is told of it, and its writer is answered once a day.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from kingdom.campaign import store
from kingdom.campaign.campaign import Unopened
from kingdom.campaign.errors import writing
from kingdom.campaign.house import House
from kingdom.campaign.settings import Player, Settings
from kingdom.engine import names
from kingdom.mail import headers as reading
from kingdom.mail.house.desk import STRANGER, Desk
from kingdom.mail.incoming import taking
from kingdom.mail.incoming.outcome import ACCEPTED, IGNORED, REFUSED
from kingdom.mail.incoming.taking import Incoming, Source
from kingdom.mail.journal import folder_of
from kingdom.mail.outgoing import letters
from kingdom.mail.records import Headers
from kingdom.render.plain_text import clean, counted, shortened

if TYPE_CHECKING:
    from kingdom.mail.house.joining import Door
    from kingdom.mail.house.routing import Fit, Index

FOR_THE_HOUSE = "house"  # what a mail goes by that asks something of the house itself
_MOST_TOLD = 20  # mails that one mail to the host lists
_MOST_TO_HOST = 24  # such mails a day
_SHOWN = 200  # characters of a subject in it
_MOST_BYTES = 1 << 20  # of a mail that is read for it
_LINES, _WIDE = 30, 400  # lines of a mail's text in it, and characters of a line


class Stray(NamedTuple):
    """A message for no campaign, or for several. digest: the name of its file in the house's mail/inbox."""

    digest: str
    headers: Headers
    fit: Fit
    data: bytes


class Reception(Desk):
    """Takes in the mail of a house."""

    def receive(self, source: Source) -> list[str]:
        """Puts each message where it belongs. Returns lines that say how many went where. Raises Faults where the disk does not take it,
        and what the source raises."""
        came, stray = 0, 0
        with ExitStack() as stack:
            index = door = None
            for batch in source.batches(taking.AT_ONCE):
                if index is None or door is None:
                    from kingdom.mail.house.joining import Door  # they read mail; most runs find none
                    from kingdom.mail.house.routing import Index

                    index = Index(self.place.folder)
                    stack.callback(index.close)
                    index.renew([*self.campaigns.values()])
                    door = Door(self, index)
                strays = self._put(index, door, batch)
                self._settle(index, door, strays)
                source.done([one.place for one in batch], [])
                came, stray = came + len(batch), stray + len(strays)
        if not came:
            return []
        return [f"{counted(came, 'mail')} came, {stray} of them for no campaign or for several."]

    def _put(self, index: Index, door: Door, batch: Sequence[Incoming]) -> list[Stray]:
        """Puts messages into the folders of their campaigns, synced. Returns the others, which are kept in the house's folder."""
        files: dict[str, dict[str, Incoming]] = defaultdict(dict)
        rest, strays = [], []
        for one in batch:
            digest = store.digest_of(one.data)
            headers, fits = self._looked_at(index, door, one)
            if len(fits.campaigns) == 1:
                files[fits.campaigns[0]][digest] = one
            elif digest not in self.journal.handled:
                rest.append(one)
                strays.append(Stray(digest, headers, fits, one.data))
        taking.keep(self.place, self.journal, rest, self.now)
        places = {name: (self.campaigns[name], *self.also.get(name, ())) for name in files}
        for place, found in ((place, found) for name, found in files.items() for place in places[name]):
            inbox = place / "mail" / "inbox"
            with writing(inbox):
                store.make_folder(inbox)
                store.put_files(inbox, {f"{digest}.eml": one.data for digest, one in found.items()})
                for digest, one in found.items():
                    # the file's time says when the message came, in case the message itself does not say it
                    if one.seen:
                        with suppress(OSError):  # a disk whose files are its mount's takes no time from us
                            os.utime(inbox / f"{digest}.eml", (one.seen.timestamp(),) * 2)
        return strays

    def _looked_at(self, index: Index, door: Door, one: Incoming) -> tuple[Headers, Fit]:
        """(the headers of a message, where it goes). A message over which the program fails goes to the host."""
        from kingdom.mail.house.routing import Fit, fit

        try:
            headers = reading.read(one.data)
            domain = letters.address_of(self.place).rpartition("@")[2]
            found = fit(index, door.without_our_title(headers), one.data, domain, door.is_named(headers))
            if door.takes(headers, one.data, found):
                return headers, Fit(by=FOR_THE_HOUSE)
            return headers, found
        except (RecursionError, ValueError, LookupError):
            return Headers(), Fit()

    def _settle(self, index: Index, door: Door, strays: Sequence[Stray]) -> None:
        """Answers the writers of strays, tells the host, and notes that both is done."""
        told: list[Stray] = []
        lines: list[dict[str, object]] = []
        for stray in strays:
            headers = stray.headers
            outcome, reason = REFUSED, "It fits no campaign."
            if stray.fit.by != FOR_THE_HOUSE and (
                headers.machine or self._is_own(headers.sender, bool(stray.fit.campaigns))
            ):
                outcome, reason = IGNORED, "A machine, or the host, wrote it."
            elif stray.fit.campaigns:
                reason = "It fits several campaigns, and proves none."
                if not self._ask(index, door, stray):
                    told.append(stray)
            else:
                word, for_host = self._answered(door, stray)
                if for_host:
                    told.append(stray)
                else:
                    outcome, reason = ACCEPTED, f"The house itself was asked: {word}."
            lines.append(
                {
                    "message": stray.digest, "outcome": outcome, "code": stray.fit.by or STRANGER, "reason": reason,
                    "message_id": headers.message_id, "from": headers.sender, "subject": clean(headers.subject), "kingdom": "", "turn": 0,
                    "arrived": self.now.isoformat(), "receipt": "",
                }
            )  # fmt: skip
        self._tell_host(index, told)
        if lines:
            self.journal.add_all("handled", self.now, lines)

    def _answered(self, door: Door, stray: Stray) -> tuple[str, bool]:
        """(a word for what was done with a mail for the house, whether the host should see it). A mail over which the program fails goes to
        the host."""
        try:
            return door.answer(stray.headers, stray.data)
        except (RecursionError, ValueError, LookupError):
            return STRANGER, True

    def _is_own(self, sender: str, may_play: bool) -> bool:
        """Whether the house itself or the host wrote a mail. A host who may play counts as a player."""
        settings = self.place.settings
        own = (*(() if may_play else settings.gm.email), settings.mail.address if settings.mail else "")
        return bool(sender) and names.address(sender) in map(names.address, filter(None, own))

    def _ask(self, index: Index, door: Door, stray: Stray) -> bool:
        """Asks the writer of a mail for which campaign it is, of those that list the address. Returns False where nobody could be asked."""
        headers = stray.headers
        named = [index.bracket_of(folder) for folder in sorted(index.listed(headers.sender) & {*stray.fit.campaigns})]
        if not named:
            door.tell_stranger(headers)
            return False
        lines = [
            "Your mail fits more than one campaign here, so it was given to none.",
            f"Reply to this mail, put the campaign's name in brackets into the subject, {' or '.join(named)}, and write again what you want "
            "there. What you attached has to be attached again.",
        ]
        return door.ask(headers, lines)

    def _tell_host(self, index: Index, strays: Sequence[Stray]) -> None:
        """Sends the host one mail with the words of all strays of a batch, for at most `_MOST_TO_HOST` batches a day."""
        day = f"{self.now:%Y%m%d}"
        today = sum(id.startswith(f"strays-{day}-") for id in self.journal.mails)
        if not strays or today >= _MOST_TO_HOST:
            return
        inbox = folder_of(self.place) / "inbox"
        lines = [
            f"{counted(len(strays), 'mail')} came that fit no campaign, or that the house could not answer. They lie in {inbox}."
        ]
        if today == _MOST_TO_HOST - 1:
            lines.append("You hear of no more of them today: look there.")
        texts: list[str] = []
        for one in strays[:_MOST_TOLD]:
            headers = one.headers
            subject = shortened(index.without_tokens(clean(headers.subject)), _SHOWN) or "no subject"
            texts += [
                "",
                f"From {headers.sender or 'nobody'}: {subject}",
                f"({one.digest[:12]}.eml)",
                *_words_of(index, one.data),
            ]
        if len(strays) > _MOST_TOLD:
            texts += ["", f"And {len(strays) - _MOST_TOLD} more."]
        self.tell_host(f"strays-{day}-{strays[0].digest[:16]}", "Mail for no campaign", lines, texts[1:])


def _words_of(index: Index, data: bytes) -> list[str]:
    """The first lines of a writer's own text, for the host, without tokens."""
    from kingdom.mail.reading import parts, reply

    if len(data) > _MOST_BYTES:
        return [f"({len(data) / 1_000_000:.1f} MB, too much to be read here)"]
    try:
        read = parts.read(data)
        own = reply.split(next(iter(read.texts), "")).own.strip()
    except (RecursionError, ValueError, LookupError):
        return ["(nothing that can be read)"]
    lines = [shortened(index.without_tokens(clean(line)), _WIDE) for line in own.splitlines()]
    more = [f"(and {len(lines) - _LINES} more lines)"] if len(lines) > _LINES else []
    files = [f"(with {', '.join(shortened(clean(name), 60) for name in read.files[:5])})"] if read.files else []
    return [*(lines[:_LINES] or ["(no words)"]), *more, *files]


def place_of(house: House) -> Unopened:
    """The house as something that gets and sends mails: a campaign without a game, whose GM is the host."""
    mail = msgspec.structs.replace(house.mail, tags=False)
    return Unopened(house.folder, Settings(house.name, "", "", {STRANGER: Player()}, house.host, mail=mail))
