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
    from kingdom.mail.incoming import forwarding, headers, stored, taking, understanding
    from kingdom.mail.journal import Journal

    journal = Journal(taking.folder_of(campaign))
    turns = {
        id.rpartition("-")[0] + "-": mail["turn"] for id, mail in journal.mails.items() if mail.get("kind") == "message"
    }
    found: dict[int, list[Written]] = {}
    for digest, entry in journal.handled.items():
        turn = turns.get(forwarding.id_of(digest))
        file = stored.file_of(campaign, digest)
        if turn is None or not file.is_file():
            continue
        data = store.read(file)
        asked = understanding.found_in(campaign, data, headers.read(data))
        text = forwarding.forwarded_text(asked.text, campaign)
        found.setdefault(turn, []).append(Written(entry["kingdom"], asked.argument.lower(), text))
    return found
