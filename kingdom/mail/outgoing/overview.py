"""How the mail stands, for the GM: what strangers wrote, what failed, what waits, which requests are open."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.mail.journal import Journal
from kingdom.mail.records import Line

STRANGERS = ("stranger", "bad_from", "unlisted_address")
MANY = 10  # of a kind that are told one by one


class Overview(NamedTuple):
    """strangers, failed: journal entries of messages; undelivered: of mails that were refused for good or bounced;

    again: of mails that are tried again; waiting: how many mails wait; kept_back: of them for the GM's release;
    held: the turn that the GM holds, 0 for none.
    """

    strangers: list[Line]
    failed: list[Line]
    undelivered: list[Line]
    again: list[Line]
    waiting: int
    kept_back: int
    held: int


def overview(journal: Journal, now: datetime, after: str = "") -> Overview:
    """after: an ISO time; what was handled before it is left out. What still waits never is."""
    from kingdom.mail.outgoing import outbox

    handled = [entry for entry in journal.handled.values() if entry["at"] >= after]
    mails = list(journal.mails.values())
    back = outbox.kept_back(journal, now)
    return Overview(
        strangers=[entry for entry in handled if entry["code"] in STRANGERS],
        failed=[entry for entry in handled if entry["code"] in ("failed", "bounce")],
        undelivered=[mail for mail in mails if mail["fate"] == "dropped" and mail["fate_at"] >= after],
        again=[mail for mail in mails if mail["fate"] == "failed"],
        waiting=len(outbox.waiting(journal)) - len(back),
        kept_back=len(back),
        held=journal.held,
    )


def said(found: Overview, folder: str = "mail") -> list[str]:
    """The same, a sentence each; nothing of what there is none of."""
    lines = [f"The GM holds turn {found.held}; `release` lets it go on."] if found.held else []
    if found.kept_back:
        lines.append(f"{found.kept_back} {_plural('report', found.kept_back)} for your `kingdom release`.")
    if found.waiting:
        lines.append(f"{found.waiting} {_plural('mail', found.waiting)} in {folder}/outbox to be sent.")
    lines += _some(found.strangers, _stranger)
    lines += _some(found.failed, lambda one: f"{one['reason']} ({one['message'][:12]}, {_from(one)})")
    lines += _some(
        found.undelivered,
        lambda one: f"A mail to {one['to']} ({one['kind']}) was refused for good: {one.get('text', '')}",
    )
    lines += _some(
        found.again, lambda one: f"A mail to {one['to']} ({one['kind']}) is tried again: {one.get('text', '')}"
    )
    return lines


def _stranger(one: Line) -> str:
    return f'A stranger wrote: {_from(one)}, "{one["subject"][:80]}" ({one["message"][:12]}). {one["reason"]}'


def _plural(word: str, count: int) -> str:
    return f"{word} waits" if count == 1 else f"{word}s wait"


def _some(entries: list[Line], say: Callable[[Line], str]) -> list[str]:
    rest = len(entries) - MANY
    return [say(one) for one in entries[-MANY:]] + (
        [f"... and {rest} more; `kingdom mail log` has all."] if rest > 0 else []
    )


def _from(entry: Line) -> str:
    return entry["from"] or "nobody"


def requests(campaign: Campaign) -> list[str]:
    """What players asked the GM and was not answered yet, a sentence each."""
    if campaigns.newest(campaign) < 0:
        return []
    asked = campaign.game.requests
    found = asked(campaigns.state_of(campaign, campaigns.kept(campaign))) if asked else {}
    return [
        f"{seat}, request {number}: {' '.join(text.split())}"
        for seat, texts in found.items()
        for number, text in enumerate(texts, 1)
    ]


def lines(campaign: Campaign, journal: Journal, now: datetime) -> list[str]:
    """All of it, for the GM's `status`."""
    return said(overview(journal, now, since(journal, campaigns.newest(campaign)))) + requests(campaign)


def since(journal: Journal, turn: int) -> str:
    """When the reports of that turn were made: what came before stood in an earlier digest. "" where none were."""
    return max(
        (mail["at"] for mail in journal.mails.values() if (mail["kind"], mail["turn"]) == ("report", turn)), default=""
    )
