"""The news that the GM gets at a run: who leaves or is away, what players ask, what was not filed, what can't be delivered.

The news are derived from the journal and the filed orders, so that nothing is lost with a run that was killed. Each piece of news has a
topic, and a value that changes when there is something new to say. The mail's line in the journal names the topics and values that it
tells, so each is told once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from html import unescape
from typing import TypeAlias

from kingdom.campaign import asked_of_gm, checked, filings, undone_turns
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.asked_of_gm import Request
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.due import LATE
from kingdom.campaign.settings import doubts
from kingdom.campaign.store import Kept
from kingdom.engine.dice import GM
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex
from kingdom.mail import forming, refusals, turn_facts
from kingdom.mail.journal import Journal, message_file
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing import order_links, overview, reporting, undelivered
from kingdom.mail.outgoing.letters import Content, Link, addresses
from kingdom.mail.outgoing.undelivered import Missed
from kingdom.mail.records import Letter, Line
from kingdom.orders import orders_file, yaml_out
from kingdom.orders.schema import ListOf, Record

Wanted: TypeAlias = Callable[[str, str], bool]  # (topic, value) -> whether the GM is to be told

WAITS, LEFT_OUT = "waits", "left_out"  # first words of topics that a run finds when it decides about a turn
TURN, PLAYERS, REQUESTS = "The turn", "Players", "Requests"
NOT_FILED, MAIL = "Orders that were late or not filed", "Mail that did not arrive"
MAIL_FILES = "Files of the mail"
HELD = "Reports that wait for you"
STANDS, DAMAGE, CHANGES = "How the kingdoms stand", "Damage that only you can end", "The largest changes"
GROUPS = (STANDS, HELD, TURN, PLAYERS, REQUESTS, NOT_FILED, DAMAGE, MAIL, MAIL_FILES, CHANGES)
MOST = 10  # news of a group that are told one by one
ONCE = "told"  # the value of a topic that never changes
LONGEST = 1_000  # characters of a player's words
_IN_BOOK = regex(r'<p class="(stands|damage|change)">([^<]*)(?:<code>([^<]*)</code>)?</p>')
_ANSWER = regex(r"^ {2}tell: \[\{to: (\w+), answers: (\d{1,3}), text:", re.MULTILINE)  # the cure of a request


class News(NamedTuple):
    """A piece of news for the GM. topic, value: as the journal notes them, so that it is told once. cure: links that help."""

    group: str
    topic: str
    value: str
    text: str
    cure: tuple[Link, ...] = ()
    words: tuple[str, ...] = ()  # whose words they are: a player's, a server's


def fresh(campaign: Campaign, journal: Journal, more: Mapping[str, str]) -> list[News]:
    """The news that the GM has not heard yet. more: topics that this run found -> their words."""
    return _all(campaign, journal, more, lambda topic, value: journal.heard.get(topic, "") != value)


def still(campaign: Campaign, journal: Journal, tells: Mapping[str, str]) -> list[News]:
    """The news in a waiting mail that are still true. tells: the mail's topics -> their values."""
    number = campaigns.newest(campaign) + 1
    of_turns = {
        topic: value
        for topic, value in tells.items()
        if topic.startswith((f"{WAITS}:{number}:", f"{LEFT_OUT}:{number - 1}:"))
    }
    return _all(campaign, journal, of_turns, lambda topic, value: tells.get(topic) == value)


def of_turn(kind: str, turn: int, text: str) -> dict[str, str]:
    """{topic: its words} for news about a turn. The topic depends on the words, so that the same words are told once."""
    return {f"{kind}:{turn}:{sha256(text.encode()).hexdigest()[:12]}": text}


def _all(campaign: Campaign, journal: Journal, more: Mapping[str, str], wanted: Wanted) -> list[News]:
    after = overview.since(journal, campaigns.newest(campaign) - 1)  # the newest turn and the one before it
    return [
        *_turns(campaign, journal, more, wanted),
        *_amiss(campaign, journal, wanted),
        *_players(campaign, journal, wanted),
        *_requests(campaign, wanted),
        *_refused(campaign, journal, after, wanted),
        *_undelivered(campaign, journal, after, wanted),
    ]


# --- one function a group


def _turns(campaign: Campaign, journal: Journal, more: Mapping[str, str], wanted: Wanted) -> Iterator[News]:
    """News of a turn that waits, with its cures, and of files that were left out of a turn."""
    for topic, text in more.items():
        if wanted(topic, text):
            cure = _cures(campaign, journal, LATE not in text) if topic.startswith(WAITS) else ()
            yield News(TURN, topic, text, text, tuple(cure))


def _amiss(campaign: Campaign, journal: Journal, wanted: Wanted) -> Iterator[News]:
    """News of files among the orders that are no orders, of doubtful dates in the calendar, and of files of the mail that can't be read."""
    turn = order_links.upcoming(campaign)
    folder = filings.folder_of(campaign.folder, turn)
    found = [
        *(
            (f"stray:{name}", f"orders/{folder.name}/{name} is nobody's orders, and is left alone.")
            for name in filings.strays(folder, campaign.seats)
        ),
        *((f"unread:{said[:60]}", said) for said in filings.unreadable(folder, campaign.seats)),
        *((f"misplaced:{said[:60]}", said) for said in filings.misplaced(campaign.folder, turn, campaign.seats)),
        *((f"calendar:{said[:60]}", said) for said in doubts(campaign.settings)),
    ]
    yield from (News(TURN, topic, ONCE, said) for topic, said in found if wanted(topic, ONCE))
    for topic, said in (*overview.bad_lines(journal), *overview.unread(journal)):
        if wanted(topic, ONCE):
            yield News(MAIL_FILES, topic, ONCE, said)


def _cures(campaign: Campaign, journal: Journal, waits_for_seats: bool) -> Iterator[Link]:
    """The links that let a turn go on. waits_for_seats: the turn waits for players and not for a time, so that skipping a seat helps."""
    turn = campaigns.newest(campaign) + 1
    if journal.held == turn:
        yield tap(campaign, "release", f"Let turn {turn} go on")
        return
    yield tap(campaign, "run it", f"Run turn {turn} now")
    there = filings.filed(filings.folder_of(campaign.folder, turn))
    free = turn_facts.unawaited(campaign, journal, turn, there)
    for seat in campaign.seats if waits_for_seats else ():
        if ("waits_for", seat, turn, "") in journal.told and seat not in there and seat not in free:
            yield tap(campaign, f"skip {seat}", f"Don't wait for {reporting.who(campaign, seat)}")


def _players(campaign: Campaign, journal: Journal, wanted: Wanted) -> Iterator[News]:
    """News of players: every seat has one, and no calendar starts the campaign; a player gives up the seat, is away, or is back."""
    if forming.is_full_without_calendar(campaign, journal) and wanted("full", ONCE):
        folder = campaigns.typed(campaign)
        said = (
            "Every seat has a player. The campaign has no calendar, so it does not start by itself. Write `calendar` into its "
            f"campaign.yaml, with a deadline ahead, and each turn is played then; or play turn 1 with `kingdom turn {folder}` once the "
            "orders are there. If you can't reach its folder, ask your host."
        )
        yield News(PLAYERS, "full", ONCE, said)
    for seat in campaign.seats:
        sign, before = journal.invited.get(seat, ""), journal.heard.get(f"resigned:{seat}", "")
        gone = f"{journal.resigned[seat]} {sign}" if seat in journal.resigned else ""
        if gone and wanted(f"resigned:{seat}", gone):
            said = f"{reporting.who(campaign, seat)} gives up the seat. To hand it on, {to_invite(campaign, seat)}."
            yield News(PLAYERS, f"resigned:{seat}", gone, said)
        elif not gone and wanted(f"resigned:{seat}", "") and (not before or before.endswith(f" {sign}")):
            yield News(PLAYERS, f"resigned:{seat}", "", f"{reporting.who(campaign, seat)} keeps the seat after all.")
        first, last = journal.away.get(seat, (0, 0))
        if last >= order_links.upcoming(campaign) and wanted(f"away:{seat}", f"{first}-{last}"):
            turns = f"for turn {first}" if first == last else f"for turns {first} to {last}"
            said = f"{reporting.who(campaign, seat)} is away {turns}."
            yield News(PLAYERS, f"away:{seat}", f"{first}-{last}", said)
        elif not last and wanted(f"away:{seat}", ""):
            yield News(PLAYERS, f"away:{seat}", "", f"{reporting.who(campaign, seat)} is back.")


def _requests(campaign: Campaign, wanted: Wanted) -> Iterator[News]:
    """News of requests in orders that are filed and not carried out yet, in the players' words. A request is told again if its number
    changes."""
    turn = order_links.upcoming(campaign)
    for request in asked_of_gm.filed(campaign):
        topic = f"request:{turn}:{request.seat}:{sha256(request.text.encode()).hexdigest()[:12]}"
        value = ONCE if request.number == 1 else f"{ONCE}, number {request.number}"
        if wanted(topic, value):
            fits = ""
            if (request.seat, request.number) in asked_of_gm.answered(campaign, turn):
                fits = " (a `tell` that you filed answers this number; see whether it still fits)"
            said = f"{reporting.who(campaign, request.seat)} asks, for turn {turn}, request {request.number}{fits}:"
            yield _asked(campaign, request, topic, value, said)


def open_requests(campaign: Campaign) -> list[News]:
    """The requests in turns that were played that the GM has not answered yet, for a digest or the book."""
    return [
        _asked(campaign, one, "", "", f"{reporting.who(campaign, one.seat)}, request {one.number}, still open:")
        for one in asked_of_gm.unanswered(campaign)
    ]


def _asked(campaign: Campaign, request: Request, topic: str, value: str, said: str) -> News:
    cure = answer_to(campaign, request.seat, request.number)
    return News(REQUESTS, topic, value, said, cure, tuple(request.text[:LONGEST].splitlines()))


def answer_to(campaign: Campaign, seat: str, number: int, text: str = "") -> tuple[Link, ...]:
    """A link with the GM's order that answers a request; () where the game has no such order."""
    records = orders_file.declared(campaign.game, GM).keys.get("tell")
    if not isinstance(records, ListOf) or not isinstance(records.of, Record):
        return ()
    line = f"tell: {yaml_out.flow([{'to': seat, 'answers': number, 'text': text}])}"
    name = f"Answer {reporting.who(campaign, seat)}"
    return (order_links.link_to(campaign, GM, order_links.upcoming(campaign), name, [line]),)


def asker_in(text: str) -> tuple[str, tuple[int, ...]]:
    """(the seat, the numbers) of the requests in a mail of ours to the GM; "" where it holds none, or requests of several players."""
    found = _ANSWER.findall(text)
    seats = {seat for seat, _ in found}
    return (seats.pop(), tuple(int(number) for _, number in found)) if len(seats) == 1 else ("", ())


def _refused(campaign: Campaign, journal: Journal, after: str, wanted: Wanted) -> Iterator[News]:
    """News of players' orders that were not filed, unless the player has sent better ones since."""
    for number, entry in overview.refused(campaign, journal, after):
        topic = f"refused:{entry['message'][:16]}"
        if wanted(topic, ONCE):
            yield News(NOT_FILED, topic, ONCE, *_not_filed(campaign, journal, number, entry))


def accept_word(journal: Journal, number: int, entry: Line, turn: int) -> str:
    """The command that files a message for the next turn. It names the turn if the message was for a turn that was played since: a GM who
    read of the message before that would not expect it there. turn: the next one."""
    return f"accept {number} for turn {turn}" if overtaken(journal, entry, turn) else f"accept {number}"


def overtaken(journal: Journal, entry: Line, turn: int) -> bool:
    """Whether the turn of a message was played since the message came. turn: the next one."""
    own, came = entry["turn"], datetime.fromisoformat(entry["at"])
    reports = (mail for mail in journal.mails.values() if (mail["kind"], mail["turn"]) == ("report", own))
    return own not in (0, turn) and any(datetime.fromisoformat(mail["at"]) >= came for mail in reports)


def _not_filed(campaign: Campaign, journal: Journal, number: int, entry: Line) -> tuple[str, tuple[Link, ...]]:
    """(the words about orders that were late or not filed, the link that files them if the GM may)."""
    who, turn = reporting.who(campaign, entry["kingdom"]), order_links.upcoming(campaign)
    if entry["outcome"] == "accepted":  # late, while the GM held the turn
        return f"{number}. {who}, late but filed: {entry['reason']}", ()
    reason = entry["reason"].replace(", so none of them is filed", "").removeprefix("Nothing is filed: ")
    player = campaign.settings.players[entry["kingdom"]].name or who
    holds_orders = entry.get("orders", not entry.get("error"))  # lines of earlier releases have no `orders`
    files = entry["code"] in overview.ACCEPTABLE and holds_orders and message_file(campaign, entry["message"]).is_file()
    told = "" if files else f" The answer told {player} what to change."
    name = f"File them for {who}" if entry["turn"] in (0, turn) else f"File them for {who}, for turn {turn}"
    if files and undone_turns.is_closed(campaign.folder, turn):
        how = f"To take them: `kingdom undo {campaigns.typed(campaign)} --reopen`, then `accept {number}`."
        return f"{number}. {who}: not filed. {reason} {how}", ()
    cure = (tap(campaign, accept_word(journal, number, entry, turn), name),) if files else ()
    return f"{number}. {who}: not filed. {reason}{told}", cure


def not_filed(campaign: Campaign, journal: Journal, after: str) -> list[News]:
    """All orders that were not filed, for a digest. after: since when, as ISO 8601."""
    return list(_refused(campaign, journal, after, lambda topic, value: True))


def held(campaign: Campaign, count: int, until: str) -> News:
    """The news that reports wait for the GM's release. until: a time as people read it."""
    reports = "1 report waits" if count == 1 else f"{count} reports wait"
    said = f"{reports} for your release. If you do nothing, {'it goes' if count == 1 else 'they go'} out on {until}."
    return News(HELD, "", "", said, (tap(campaign, "release", "Send them now" if count > 1 else "Send it now"),))


def _undelivered(campaign: Campaign, journal: Journal, after: str, wanted: Wanted) -> Iterator[News]:
    """News of mails that came back, and of mails that the campaign's own server refused for good."""
    for one in undelivered.missed(journal, campaign, after, lambda topic: wanted(topic, ONCE)):
        if one.came_back or one.mail["kingdom"] != GM:
            yield _returned(campaign, one)


def to_invite(campaign: Campaign, seat: str) -> str:
    """The part of a sentence that says how a seat is given to a player: by mail, or typed where the campaign lies. seat: "" for any."""
    typed = f"type `kingdom invite {campaigns.typed(campaign)} {seat or 'KINGDOM'} EMAIL --name NAME`"
    by_mail = f"reply with the line `invite {seat or 'KINGDOM'} ADDRESS NAME`, or "
    return f"{by_mail if campaign.settings.gm.email else ''}{typed}"


def _returned(campaign: Campaign, missed: Missed) -> News:
    """The news of a mail that did not arrive. Only a player with a wrong address is asked for a better one."""
    mail, here = missed.mail, campaigns.typed(campaign)
    seat, to = mail.get("kingdom", ""), mail.get("to", "a player")
    whose = f" for {reporting.who(campaign, seat)}" if seat in campaign.seats else ""
    cure = f" Ask that player, by another way, for a better address; then `kingdom invite {here} {seat} EMAIL`."
    cure = cure if whose else ""
    if missed.of in refusals.OURS:
        cure = f" {missed.about} Once that is mended, `kingdom mail send {here} --dropped` sends it again."
    elif missed.of == refusals.MAIL:
        cure = f" {missed.about} Pass it on by another way, or ask your provider; `kingdom mail send {here} --dropped` sends it again."
    kind = mail.get("kind", "mail")
    known = {"report": f"The report of turn {mail.get('turn', 0)}", "mail": "A mail"}
    what = f"{known.get(kind, f'A mail ({kind})')}{whose} to {to.lower() if missed.came_back else to}"
    words = (missed.said,) if missed.said else ()
    return News(MAIL, missed.topic, ONCE, f"{what} {missed.became}.{cure}", words=words)


def of_book(campaign: Campaign, kept: Kept) -> Iterator[News]:
    """What the GM's book of a kept turn says first, as far as its page has it for the mail that brings it: how the kingdoms stand, with
    those in danger first; the damage that only the GM can end, each with the order; the largest changes."""
    said: dict[str, list[tuple[str, str]]] = {}
    for kind, text, line in _IN_BOOK.findall(reporting.report(kept, GM, "html").decode()):
        said.setdefault(kind, []).append((unescape(text), unescape(line)))
    for kind, group in (("stands", STANDS), ("change", CHANGES)):
        if kind in said:
            yield News(group, "", "", "\n".join(text for text, _ in said[kind]))
    for text, line in said.get("damage", []) if reporting.asks(campaign, kept) else ():
        typed = [line.replace('"..."', '""')]  # whoever sends it says why
        turn, name = order_links.upcoming(campaign), f"End it for {text.partition(':')[0]}"
        yield News(DAMAGE, "", "", text, (order_links.link_to(campaign, GM, turn, name, typed),))


# --- the mail


def letter(campaign: Campaign, id: str, turn: int, news: Sequence[News], now: datetime) -> Letter | None:
    """The mail with all news, in groups; None where the GM has no address."""
    to = addresses(campaign, GM)
    if not to:
        return None
    content = Content(making.titled(campaign, f"News of turn {turn}"), *texts(campaign, [], news))
    return making.letter(campaign, id, "digest", GM, turn, to[0], content, now, about="news")


def texts(campaign: Campaign, lines: Sequence[str], news: Sequence[News]) -> tuple[str, str]:
    """(text, HTML) of a mail to the GM: the GM's own orders that would be refused, then these lines, then the news in their groups."""
    groups = [(name, [one for one in news if one.group == name]) for name in GROUPS]
    view = {
        "campaign": campaign.settings.name,
        "lines": [*would_be_refused(campaign), *lines],
        "groups": [
            {"name": name, "news": [_view(one) for one in some[:most]], "more": max(0, len(some) - most)}
            for name, some in groups
            if some
            for most in [len(some) if name == REQUESTS else MOST]
        ],
    }
    return making.template("news.txt", view), making.template("news.html", view)


def would_be_refused(campaign: Campaign) -> list[str]:
    """A sentence for each of the GM's own orders for the next turn that would be refused or has problems."""
    turn = order_links.upcoming(campaign)
    folder = filings.folder_of(campaign.folder, turn)
    try:
        found = {seat: filings.content(folder / f"{seat}{filings.ENDING}") for seat in filings.filed(folder)}
        files = {seat: data for seat, data in found.items() if data is not None}
        newest, game = campaigns.newest(campaign), campaign.settings.game
        stands = checked.checked(campaign.folder, game, newest, files)["seats"].get(GM) if GM in files else None
    except Faults:  # the campaign is broken, and another mail says so
        return []
    if stands is None:
        return []
    said = [f"Your own orders for turn {turn} have a problem: {problem}" for problem in stands["problems"]]
    return said + _refused_words(turn, ((one["order"], one["reason"]) for one in stands["refusals"]), "would be")


def were_refused(kept: Kept) -> list[str]:
    """A sentence for each of the GM's own orders that a kept turn refused."""
    notices = [one["facts"] for one in kept.record.notices if (one["kind"], one["seat"]) == ("refusal", GM)]
    return _refused_words(kept.record.turn, ((facts["order"], facts["reason"]) for facts in notices), "was")


def _refused_words(turn: int, refused: Iterable[tuple[str, str]], verb: str) -> list[str]:
    """A sentence for each refused order of the GM. verb: `was` or `would be`."""
    return [f"Your order `{order}` of turn {turn} {verb} refused: {reason}" for order, reason in refused]


def _view(one: News) -> Mapping[str, object]:
    return {
        "lines": one.text.splitlines(),
        "words": list(one.words),
        "links": [link._asdict() for link in one.cure],
        "taps": [line for link in one.cure for line in link.lines],
    }


def tap(campaign: Campaign, word: str, name: str = "") -> Link:
    """A link that sends a command of the GM."""
    return making.tap(campaign, GM, word, name)._replace(lines=(word,))


def id_of(journal: Journal) -> str:
    """The id of the next mail with news; these mails are counted."""
    return f"news-{1 + sum(mail['about'] == 'news' for mail in journal.mails.values()):04}"
