"""The letters of players to each other, for the chronicle. They are read once more from the messages as these were taken in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingdom.books.chapters import Beside
    from kingdom.campaign.campaign import Campaign
    from kingdom.mail.records import Line


def forwarded(campaign: Campaign, public: bool = False) -> Beside:
    """Turn -> the letters that were passed on while the turn was awaited, and that are told at the end. Letters that nobody got are left
    out, and letters whose file is gone.

    public: those to all instead whose writers knew of the public page, but for those that were taken back.

    Raises Faults where the journal is broken.
    """
    from kingdom.campaign import store  # seldom needed, so they are loaded only here
    from kingdom.engine.dice import GM
    from kingdom.engine.game import Letter
    from kingdom.mail import headers
    from kingdom.mail.incoming import stages
    from kingdom.mail.journal import journal_of, message_file
    from kingdom.mail.outgoing import correspondence, told_at_end
    from kingdom.mail.reading import parts

    journal = journal_of(campaign)
    made: dict[str, list[Line]] = {}  # first digits of a message's digest -> the mails that carried its letters
    for id, mail in journal.mails.items():
        if mail.get("kind") != "message":
            continue
        if public:
            told = mail["fate"] != "withdrawn" and told_at_end.knew_of_page(campaign, journal, mail)
        else:
            told = told_at_end.holds(campaign, journal, mail["at"])
        if told:
            made.setdefault(id.split("-")[1], []).append(mail)
    found: dict[int, list[Letter]] = {}
    for digest, entry in journal.handled.items():
        letters = made.get(digest[: correspondence.DIGITS])
        file = message_file(campaign, digest)
        if letters is None or not file.is_file():
            continue
        data = store.read(file)
        head = headers.read(data)
        ours = stages.ours_in(campaign, journal, head)
        asked = stages.parted(campaign, head, parts.read(data), ours)
        words_to = [(to, one.text) for one in asked.letters for to in correspondence.readers_of(campaign, one.to)]
        words_to += [(GM, asked.prose)] if asked.letters and asked.prose else []
        for to, words in words_to:
            text = correspondence.forwarded_text(words, campaign)
            found.setdefault(letters[0]["turn"], []).append(Letter(entry["kingdom"], to, text))
        if asked.letters or entry["outcome"] != "accepted":
            continue
        to_all = asked.command == "to" and correspondence.readers_of(campaign, asked.argument) == (correspondence.ALL,)
        words = asked.text if asked.command == "to" else asked.prose or asked.own
        text = correspondence.forwarded_text(words, campaign)
        for to in (correspondence.ALL,) if to_all else [mail["kingdom"] for mail in letters]:
            found.setdefault(letters[0]["turn"], []).append(Letter(entry["kingdom"], to, text))
    if public:
        return {
            turn: [letter for letter in letters if letter.to == correspondence.ALL] for turn, letters in found.items()
        }
    return found
