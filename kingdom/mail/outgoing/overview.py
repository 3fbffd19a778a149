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
UNPROVED = ("no_token", "wrong_token", "not_vouched", "seat_without_token", "which_seat", "too_often")
# of a player's refused orders those that the GM may file after all, and those that only the player can mend
ACCEPTABLE = frozenset(("late", "past_turn", "taken_back", "two_sets", "only_quoted", "unclear", "older", "failed"))
BROKEN = frozenset(("problems", "subject_disagrees", "too_much_text", "too_large", "encrypted", "only_tnef"))
MANY = 10  # of a kind that are told one by one


class Overview(NamedTuple):
    """strangers, unproved, failed: journal entries of messages; undelivered: of mails that were refused for good or bounced;

    again: of mails that are tried again; waiting: how many mails wait; kept_back: of them for the GM's release;
    held: the turn that the GM holds, 0 for none.
    """

    strangers: list[Line]
    unproved: list[Line]
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
        unproved=[entry for entry in handled if entry["code"] in UNPROVED],
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
    lines += _counted(found.strangers, "from strangers")
    lines += _counted(found.unproved, "from players' addresses without proof")
    lines += _some(found.failed, lambda one: f"{one['reason']} ({one['message'][:12]}, {_from(one)})")
    lines += _some(
        found.undelivered,
        lambda one: f"A mail to {one['to']} ({one['kind']}) was refused for good: {one.get('text', '')}",
    )
    lines += _some(
        found.again, lambda one: f"A mail to {one['to']} ({one['kind']}) is tried again: {one.get('text', '')}"
    )
    return lines


def _counted(entries: list[Line], whose: str) -> list[str]:
    """How many there were: what nobody proved is not passed on word by word."""
    count = len(entries)
    mails = "1 mail came" if count == 1 else f"{count} mails came"
    return [f"{mails} {whose}: not taken; `kingdom mail log` shows them."] if entries else []


def _plural(word: str, count: int) -> str:
    return f"{word} waits" if count == 1 else f"{word}s wait"


def _some(entries: list[Line], say: Callable[[Line], str]) -> list[str]:
    rest = len(entries) - MANY
    return [say(one) for one in entries[-MANY:]] + (
        [f"... and {rest} more; `kingdom mail log` has all."] if rest > 0 else []
    )


def _from(entry: Line) -> str:
    return entry["from"] or "nobody"


def refused(campaign: Campaign, journal: Journal, after: str = "") -> list[tuple[int, Line]]:
    """(number, message) of players' orders that were refused since then, but for those that the player has mended.

    A number stays a message's own: the first that was ever refused has 1.
    """
    found: dict[int, Line] = {}
    number = 0
    for entry in journal.handled.values():
        number += entry["outcome"] == "refused" or entry["code"] == "by_gm"
        if entry.get("receipt"):
            found = {of: one for of, one in found.items() if one["kingdom"] != entry["kingdom"]}
        elif entry["code"] in ACCEPTABLE | BROKEN and entry["kingdom"] in campaign.seats and entry["at"] >= after:
            found[number] = entry
    return list(found.items())


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
