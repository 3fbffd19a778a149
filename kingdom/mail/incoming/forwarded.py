"""What players wrote to each other by mail, for the chronicle: read once more from the messages as they were taken in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingdom.books.chapters import Beside
    from kingdom.campaign.campaign import Campaign


def forwarded(campaign: Campaign) -> Beside:
    """Turn -> the messages that were forwarded at once while it was awaited. One that nobody got is none, nor one whose file is gone.

    Raises Faults where the journal is broken.
    """
    from kingdom.books.chapters import Written  # seldom needed: all of it is loaded when it is
    from kingdom.campaign import store
    from kingdom.mail.incoming import headers, message_files, parts, taking, understanding
    from kingdom.mail.journal import Journal
    from kingdom.mail.outgoing import correspondence

    journal = Journal(taking.folder_of(campaign))
    readers = {id.rpartition("-")[0] + "-": mail for id, mail in journal.mails.items() if mail.get("kind") == "message"}
    found: dict[int, list[Written]] = {}
    for digest, entry in journal.handled.items():
        mail = readers.get(correspondence.id_of(digest))
        file = message_files.file_of(campaign, digest)
        if mail is None or entry["outcome"] != "accepted" or not file.is_file():
            continue
        data = store.read(file)
        asked = understanding.found_in(campaign, parts.read(data), headers.read(data))
        by_name = correspondence.reader_of(campaign, asked.argument) if asked.command == "to" else ""
        words = asked.text if asked.command == "to" else asked.prose or asked.own
        text = correspondence.forwarded_text(words, campaign)
        to = correspondence.ALL if by_name == correspondence.ALL else mail["kingdom"]
        found.setdefault(mail["turn"], []).append(Written(entry["kingdom"], to, text))
    return found
