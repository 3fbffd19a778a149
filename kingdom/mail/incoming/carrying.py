"""The mails that carry what one person writes to others."""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.mail.incoming.outcome import Case
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing import order_links
from kingdom.mail.outgoing.correspondence import ALL, DIGITS, forwarded_text, id_of, seats_for
from kingdom.mail.outgoing.letters import Content
from kingdom.mail.outgoing.people import who
from kingdom.mail.records import Letter


def letters_to(
    case: Case, writer: str, to: str, text: str, unproved: bool = False, also: Sequence[str] = (), number: int = 0
) -> list[Letter]:
    """The mails that carry a letter, one to each of its readers that has an address. case: of the message that held the letter.

    unproved: the writer is not proved; the letter says so. also: the other readers. number: of the letter in its message, from 0.
    """
    campaign, digest = case.campaign, case.message.digest
    lines = forwarded_text(text, campaign).splitlines()
    name, readers = who(campaign, writer), ["you", *(who(campaign, one) for one in also)]
    made = []
    for seat in seats_for(campaign, writer, to):
        address = next(iter(making.addresses(campaign, seat)), "")
        if not address:
            continue
        turn = order_links.upcoming(campaign)
        answer = making.mailto(making.address_of(campaign), making.with_token(campaign, seat, f"to {writer}"), "")
        view = {
            "campaign": campaign.settings.name,
            "sender": name,
            "seat": writer,
            "readers": ALL if to == ALL else " and ".join(filter(None, [", ".join(readers[:-1]), readers[-1]])),
            "unproved": unproved,
            "lines": lines,
            "links": [{"name": f"Answer {name}", "to": answer}],
        }
        plain, html = making.template("message.txt", view), making.template("message.html", view)
        title = f"{'Unproved letter' if unproved else 'Letter'} from {name}{' to all' if to == ALL else ''}"
        content = Content(making.titled(campaign, title), plain, html, writer=name)
        id, begins = f"{id_of(digest)}{seat}{f'-{number}' if number else ''}", digest[:DIGITS]
        made.append(making.letter(campaign, id, "message", seat, turn, address, content, case.now, digest=begins))
    return made
