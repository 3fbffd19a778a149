"""Whether letters by mail are told when the campaign ends: what players were told about it, and for which letters it holds.

`letters` in campaign.yaml says it. If it was set before the campaign's first mail, it holds for all letters. If it is set later, every
player is told by mail, and it holds for letters that were written after all players got that mail.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import publicity, the_end
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.settings import PRIVATE, TOLD_AT_END
from kingdom.engine.dice import GM
from kingdom.mail.journal import LETTERS, Journal
from kingdom.mail.outgoing import correspondence, notices, outbox
from kingdom.mail.outgoing import letters as making
from kingdom.mail.records import Letter, Line


def note(campaign: Campaign, journal: Journal, now: datetime) -> None:
    """Notes in the journal that `letters` was changed. Raises Faults where the disk does not take it."""
    before = journal.letters[-1][1] if journal.letters else PRIVATE
    if campaign.settings.letters != before:
        journal.add("told", now, what=LETTERS, kingdom=GM, turn=0, mark=campaign.settings.letters)


def untold(campaign: Campaign, journal: Journal, now: datetime) -> Iterator[Letter]:
    """A mail to each player whose newest mail about `letters` and the public page says something else than campaign.yaml; none once the
    campaign is over."""
    said: dict[str, list[Line]] = {}
    for mail in journal.mails.values():
        if "letters" in mail and mail["fate"] != "withdrawn":
            said.setdefault(mail["kingdom"], []).append(mail)
    today = the_end.word_for_what_is_written(campaign)
    seats = [seat for seat in campaign.seats if making.addresses(campaign, seat)]
    wanting = [seat for seat in seats if (said[seat][-1]["letters"] if seat in said else PRIVATE) != today]
    if not wanting or campaigns.newest(campaign) < 0 or closing.why_over(campaign):
        return
    turn = campaigns.newest(campaign) + 1
    for seat in wanting:
        before = said[seat][-1]["letters"] if seat in said else PRIVATE
        private, of_page = campaign.settings.letters == PRIVATE, before.partition("-")[0] == campaign.settings.letters
        changed = "From now on letters by mail are private again." if private else "So mind what you write from now on."
        if of_page:
            changed = (
                "A page that shows more does so from the next turn on: mind what you write to all."
                if "-" in today
                else "No public page shows anything any more."
            )
        title = "What the world may read" if of_page else "Letters at the end of the campaign"
        lines, id = (
            [the_end.of_what_is_written(campaign), changed],
            f"letters-{seat}-{today.replace('_', '')}-{len(said.get(seat, ()))}",
        )
        yield from notices.notice(
            campaign, id, "deadline", seat, turn, lines, now, title=title, about="letters", letters=today
        )


def holds(campaign: Campaign, journal: Journal, at: str) -> bool:
    """Whether a letter is told at the end: all players knew that it would be when it was written. at: when it was passed on (ISO 8601)."""
    if campaign.settings.letters != TOLD_AT_END:
        return False
    since, said, from_the_start = next((one for one in reversed(journal.letters) if one[0] <= at), ("", PRIVATE, False))
    if said != TOLD_AT_END or from_the_start:
        return said == TOLD_AT_END
    seats = [seat for seat in campaign.seats if making.addresses(campaign, seat)]
    return all(_knew(campaign, journal, seat, since, at) for seat in seats)


def knew_of_page(campaign: Campaign, journal: Journal, letter: Line) -> bool:
    """Whether a letter's writer knew that a public page shows what is written to all: from the reports of the turn before, or by a mail. Of a letter
    for a turn that is not kept it need not be known yet."""
    if letter["turn"] > campaigns.newest(campaign):
        return False
    writer = correspondence.writer_of(journal, letter["mail"])
    mails = [mail for mail in journal.mails.values() if mail["kingdom"] == writer and "letters" in mail]
    said = [mail["letters"] for mail in mails if "" < _reached(campaign, journal, mail) < letter["at"]]
    before = campaigns.kept(campaign, letter["turn"] - 1).record
    return writer == GM or publicity.told(before).shows(publicity.LETTERS) or bool(said) and "-" in said[-1]


def _knew(campaign: Campaign, journal: Journal, seat: str, since: str, at: str) -> bool:
    """Whether the seat's player of that time got a mail that letters are told. A seat to which no mail had gone had no player."""
    mails = [mail for mail in journal.mails.values() if mail["kingdom"] == seat and mail["at"] < at]
    address = next((mail["to"] for mail in reversed(mails)), "")
    told = [mail for mail in mails if since <= (_reached(campaign, journal, mail) or at) < at and mail["to"] == address]
    return not mails or any(mail.get("letters", "").partition("-")[0] == TOLD_AT_END for mail in told)


def _reached(campaign: Campaign, journal: Journal, mail: Line) -> str:
    """When a mail reached its reader, "" where it may not have. A mail that a person carries counts once its file is taken out."""
    return mail.get("fate_at", mail["at"]) if outbox.went_out(campaign, journal, mail) else ""
