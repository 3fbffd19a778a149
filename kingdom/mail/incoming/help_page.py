"""What `help` says: every word that a player or the GM may ask, in groups, each with what it does and a link that sends it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kingdom.campaign import filings
from kingdom.engine.dice import GM
from kingdom.mail.incoming import accepting, gm_commands
from kingdom.mail.incoming.asking import Answer, Asked, seats_in_play
from kingdom.mail.outgoing import gm_news
from kingdom.mail.outgoing.letters import Link, Listed


class Meaning(NamedTuple):
    """A line of `help`. tap: what its link sends; "" where a link would be no use, as the text is still to be written."""

    subject: str
    means: str
    tap: str


_SHOWN = (
    Meaning("status", "who has filed, and when orders are due", "status"),
    Meaning("report N", "the report of turn N; `report again`: the newest", "report again"),
    Meaning("map", "the map as you know it", "map"),
    Meaning("rules", "the rules as this campaign plays them", "rules"),
)
_PLAYERS_HELP: Mapping[str, tuple[Meaning, ...]] = {
    "YOUR ORDERS": (
        Meaning("orders", "what is filed, to look at or to change", "orders"),
        Meaning("form", "the order form", "form"),
        Meaning("advice", "plans for your next turn, each with its price and its odds", "advice"),
        Meaning("try", "above orders: what they would do; nothing is filed", ""),
        Meaning("withdraw", "takes back what is filed for the next turn", "withdraw"),
    ),
    "TO LOOK AT": (
        *_SHOWN,
        Meaning("verify", "a program by which you prove dice and history from your mails", "verify"),
    ),
    "OTHER PEOPLE": (
        Meaning("to NAME", "the text goes to that player, or kingdom, at once", ""),
        Meaning("to all", "the text that you write into the mail goes to everybody", "to all"),
        Meaning("to gm", "the text that you write into the mail goes to the GM", "to gm"),
    ),
    "YOUR SEAT": (
        Meaning("away N", "you are away for N turns", "away 2"),
        Meaning("away until DAY", "the same, until a day, or until `turn 7`", ""),
        Meaning("back", "you are there again; also takes `resign` back", "back"),
        Meaning("resign", "you give up your seat", "resign"),
        Meaning("help", "this", "help"),
    ),
}
_GMS_HELP: Mapping[str, tuple[Meaning, ...]] = {
    "THE NEXT TURN": (
        Meaning(
            "extend 2d", "the deadline is put off by 2 days (h: hours); `extend back` takes that back", "extend 2d"
        ),
        Meaning("hold", "it waits for your release", "hold"),
        Meaning("release", "what waits goes on: reports, or the turn", "release"),
        Meaning("run it", "a turn past its deadline is run, whoever is missing", "run it"),
        Meaning("skip KINGDOM", "it does not wait for that kingdom", "skip KINGDOM"),
        Meaning("accept N", "files the refused or late message number N", "accept N"),
    ),
    "TO LOOK AT": (Meaning("orders", "your own orders that are filed", "orders"), *_SHOWN),
    "OTHER PEOPLE": (
        Meaning("to NAME", "the text goes to that player, or kingdom, at once", ""),
        Meaning("to all", "the text goes to everybody", "to all"),
        Meaning("invite SEAT ADDRESS NAME", "gives a seat to a player, or hands it on, once you said yes", ""),
        Meaning("help", "this", "help"),
    ),
}


def answer(asked: Asked) -> Answer:
    """What can be asked, whatever stands behind the word."""
    reply = "Reply to any mail of this campaign and write orders above the quote."
    other = "Or reply with nothing but one of these lines. In a new mail it is the subject, with your token in brackets behind it:"
    groups = _GMS_HELP if asked.seat == GM else _PLAYERS_HELP
    size = max(len(one.subject) for ones in groups.values() for one in ones)
    typed: list[str] = []
    taps: list[Link] = []
    listed: list[Listed] = []  # the same for a page: each word with what it does, and as a button where a tap does it
    for group, ones in groups.items():
        typed += [*([""] if typed else []), group]
        listed.append(Listed(heading=group))
        for one in ones:
            link = _tap(asked, one.tap)
            taps += [link._replace(reply="")] if link else []  # the text has them all
            word = one.subject if link is None or link.name.startswith("to ") else link.name
            typed.append(f"{one.subject.ljust(size)}  {one.means}")
            listed.append(Listed(word, one.means, link.to if link else ""))
    return Answer((f"{reply} {other}",), tuple(typed), tuple(taps), listed=tuple(listed))


def _tap(asked: Asked, word: str) -> Link | None:
    """The link of a line of `help`; None where there is nothing that it could send now."""
    if word == "accept N":
        journal = asked.journal
        refused = ((digest, number) for digest, number in reversed(journal.refused.items()))
        open_now = (one for one in refused if journal.handled[one[0]]["outcome"] == "refused")
        number = next(
            (number for digest, number in open_now if accepting.is_acceptable(asked.campaign, journal, digest)), 0
        )
        entry = journal.handled[gm_commands.by_number(asked, number)] if number else None
        return asked.tap(gm_news.accept_word(journal, number, entry, asked.turn)) if entry else None
    if word == "skip KINGDOM":
        filed = filings.filed(filings.folder_of(asked.campaign.folder, asked.turn))
        missing = next((seat for seat in seats_in_play(asked.campaign) if seat not in filed), "")
        return asked.tap(f"skip {missing}") if missing else None
    return asked.tap(word, word) if word else None
