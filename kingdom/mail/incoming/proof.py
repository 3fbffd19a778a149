"""Who sent a message, and whether that is proved: by a reply to a mail of ours, by the token of a turn, or by the token of a seat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign, Unopened
from kingdom.campaign.settings import Settings
from kingdom.engine import names
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex
from kingdom.mail import tokens, trace
from kingdom.mail.headers import without_comments
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.outgoing import letters
from kingdom.mail.reading import subjects, tidying
from kingdom.mail.records import Headers, Line
from kingdom.mail.tokens import Ours, Shown

ASKED = "asked"  # first word of the ids of mails in which a house asks for which campaign a mail is
_QUOTED_NAME = regex(r'\s*"([^"\\]{1,255})"\s*(?:\d+\s*)?(?:;|$)')
_NO_NAME = regex(r'[=\s"]')
SENDER, TOKEN, RESULTS = "sender", "token", "authentication_results"


class Sender(NamedTuple):
    """Who sent a message. seat: the sender's, `gm` for the GM, "" for a stranger. code: why the seat is not proved, "" where it is.

    listed: the address is on the seat's list. turn: that of the proof, 0 for none. expired: the only proof is the token of a turn that
    is over; then orders are not taken. answered: our mails to this seat that the message answers.
    """

    seat: str
    code: str = ""
    listed: bool = False
    turn: int = 0
    expired: bool = False
    answered: tuple[Ours, ...] = ()

    @property
    def mail(self) -> str:
        """The id of the nearest mail of ours that the message answers, "" for none."""
        return next((one.mail for one in self.answered if one.mail), "")


def seats_of(address: str, settings: Settings) -> list[str]:
    """The seats, and `gm`, on whose list the address stands. Capitals and small letters count as the same."""
    lists = {GM: settings.gm.email, **{seat: player.email for seat, player in settings.players.items()}}
    return [seat for seat, known in lists.items() if address and names.address(address) in map(names.address, known)]


def is_nobodys(campaign: Campaign, journal: Journal, headers: Headers, texts: Iterable[str]) -> bool:
    """Whether a message is a stranger's, whatever it says: its address is on no list, it answers no mail of ours, its subject and tags
    show no token, and none of its texts can hold one."""
    if seats_of(headers.sender, campaign.settings) or answered(campaign, journal, headers):
        return False
    words = (*subjects.taken_apart(headers.subject)[1], *headers.tags)
    # YAML can write the key `token` with a backslash, so a text with a backslash may hold a token
    named = ("token" in tidying.with_plain_signs(text).lower() or "\\" in text for text in texts)
    return not tokens.shown_by(campaign, words) and not any(named)


def sender_of(campaign: Campaign, journal: Journal, headers: Headers, words: Sequence[str], kingdom: str) -> Sender:
    """Who sent a message. words: those that stand where a token would. kingdom: the one that the message names, "" for none.

    An address may serve several seats. Then the proof tells the seat, or else the kingdom that is named.
    """
    settings = campaign.settings
    given = tokens.own_tokens(settings)
    needed = settings.mail.authenticate if settings.mail else (SENDER, TOKEN)
    mine = seats_of(headers.sender, settings)
    proofs = proofs_in(campaign, journal, headers, words)
    asked = [seat for seat in mine if seat == kingdom] or mine
    if len(asked) == 1:
        proofs += answered_of_house(campaign, journal, headers, asked[0])
    shown = [seat for seat in dict.fromkeys(one.seat for one in proofs) if seat in given]
    if shown and SENDER in needed and not set(shown) & set(mine):
        return Sender(shown[0], "unlisted_address")
    proved = [seat for seat in shown if seat in mine or SENDER not in needed]
    candidates = proved or [seat for seat in mine if seat == kingdom] or mine
    if not candidates:
        return Sender("", "stranger")
    seat, listed = candidates[0], candidates[0] in mine
    if len(candidates) > 1 and not proved and TOKEN not in needed:
        return Sender(seat, "which_seat", listed)
    if seat not in given:
        return Sender(seat, "seat_without_token", listed)
    if TOKEN in needed and seat not in proved:
        # the campaign's name in brackets is no token
        claimed = any(word.lower() != settings.name.lower() for word in words)
        return Sender(seat, "wrong_token" if claimed else "no_token", listed)
    if RESULTS in needed and not vouched(headers, settings.mail.authserv_id if settings.mail else ""):
        return Sender(seat, "not_vouched", listed)
    return _proved(campaign, seat, listed, [one for one in proofs if one.seat == seat])


def proofs_in(campaign: Campaign, journal: Journal, headers: Headers, words: Sequence[str]) -> list[Shown | Ours]:
    """The proofs of a seat in a message: typed tokens, the tags of addresses, and the mails of ours that it answers. Typed tokens of
    different seats prove none."""
    typed = tokens.shown_by(campaign, words)
    if len({one.seat for one in typed}) > 1:
        typed = []
    tagged = tokens.shown_by(campaign, headers.tags)
    return [*typed, *tagged, *answered(campaign, journal, headers)]


def answered(campaign: Campaign, journal: Journal, headers: Headers) -> list[Ours]:
    """The mails and threads of ours that a message answers, the nearest first. A Message-ID that is not ours does not count."""
    found = filter(None, (tokens.ours(campaign, id, journal.mails) for id in headers.answered))
    return [
        one if one.turn else one._replace(turn=letters.turn_of_thread(campaign, entry["kind"], entry["turn"]))
        for one in found
        for entry in [journal.mails.get(one.mail, Line())]
    ]


def answered_of_house(campaign: Campaign, journal: Journal, headers: Headers, seat: str) -> list[Ours]:
    """The mail in which the campaign's house asked the seat for which campaign a mail is, if the message answers it from the address that
    was asked; else [].

    Such a mail proves as much as a mail of the campaign, since only a reader of that address knows its Message-ID. Its turn is the one
    that was next when the house asked.
    """
    if not campaign.settings.house:
        return []
    house = Unopened(Path(campaign.settings.house), Settings("", "", "", {}))
    for message_id in headers.answered:
        mail, _, mark = message_id.strip("<>").rpartition("@")[0].rpartition(".")
        if mail.startswith(f"{ASKED}-") and tokens.is_mark(house, mail, mark):
            try:
                asked = journal_of(house).mails.get(mail)
            except Faults:  # a journal that can't be read proves nothing
                return []
            if asked is None or names.address(asked["to"]) != names.address(headers.sender):
                return []
            newest = campaigns.newest(campaign)
            reported = journal.reported(newest)
            is_next = reported is None or reported <= datetime.fromisoformat(asked["at"])
            return [Ours("", seat, max(1, newest + 1) if is_next else 0)]
    return []


def _proved(campaign: Campaign, seat: str, listed: bool, proofs: Sequence[Shown | Ours]) -> Sender:
    """A sender who is proved. A token of a turn that is over proves who writes, but files nothing."""
    turn = next((one.turn for one in proofs if one.turn), 0) or 0
    over = [
        isinstance(one, Shown) and one.turn is not None and one.turn <= campaigns.newest(campaign) for one in proofs
    ]
    theirs = tuple(one for one in proofs if isinstance(one, Ours))
    return Sender(seat, "", listed, turn, bool(over) and all(over), theirs)


def vouched(headers: Headers, server: str) -> bool:
    """Whether the campaign's own receiving server says that the message is from the domain that From names.

    Several filters of one server write a result each. The results above the server's own Received line were written by it, so all of
    them are believed. A server may write its result below that line; then only the topmost is believed, since a sender may have written
    the others.
    """
    line = trace.of_server(headers.trace, server)
    written = [result for result in headers.results[: line.above if line else 0] if _wrote(server, result)]
    written = written or [result for result in headers.results if _wrote(server, result)][:1]
    domain = headers.sender.rpartition("@")[2]
    verdicts = [verdict for result in written for verdict in _verdicts(result, domain)] if domain else []
    passed = {method for method, verdict in verdicts if verdict == "pass"}
    failed = {method for method, verdict in verdicts if verdict == "fail"} - passed
    return "dmarc" in passed or bool(passed and not failed)


def _wrote(server: str, result: str) -> bool:
    return bool(server) and server_of(result) == server.lower()


def server_of(result: str) -> str:
    """The server that wrote an Authentication-Results header, in small letters; "" where the header names none. Microsoft's headers begin
    with a result instead: then nothing tells them from headers that a sender wrote."""
    quoted = _QUOTED_NAME.match(result)
    words = [quoted[1]] if quoted else _without_comments(result).partition(";")[0].split()
    name = words[0].lower() if words else ""
    is_result = len(words) > 1 and words[1].startswith("=")  # `spf = pass`: blanks may stand there
    return "" if name == "none" or is_result or _NO_NAME.search(name) else name


def _without_comments(text: str) -> str:
    """The text without (comments) and with empty quoted strings, since anything may stand in them."""
    return without_comments(re.sub(r'"(?:[^"\\]|\\.)*"', '""', text))


def _verdicts(result: str, domain: str) -> list[tuple[str, str]]:
    """(method, verdict) of each result in a header, `dkim=pass header.d=example.org`, about the domain.

    As in DMARC, a result of another domain that is no parent of it, with at least two labels, says nothing. A result that names no domain counts only if it is a failure.
    """
    verdicts = []
    for part in _without_comments(result).lower().split(";")[1:]:
        words = [word.partition("=") for word in part.split()]
        if not words:
            continue
        method, _, verdict = words[0]
        facts = {name: value.rpartition("@")[2] for name, _, value in words[1:]}
        named = {
            "dmarc": facts.get("header.from", ""),
            "dkim": facts.get("header.d") or facts.get("header.i") or "",
            "spf": facts.get("smtp.mailfrom", ""),
        }.get(method)
        if named is None:
            continue
        is_parent = method != "dmarc" and "." in named and domain.endswith(f".{named}")
        if named == domain or is_parent or (not named and verdict == "fail"):
            verdicts.append((method, verdict))
    return verdicts
